-- Invoices of the companion API, their payments and receipts (docs/contract/b2b-invoices.md). Amounts have four decimals.

-- Orders, quotes and invoices outlive their company, and keep its name.
create table former_companies (
  store_id int not null,
  id int not null,
  company_name text not null,
  company_name_key text collate "C" not null,
  primary key (store_id, id)
);

create table b2b_invoices (
  store_id int not null,
  id int not null,
  -- A company, or a former one.
  company_id int not null,
  invoice_number text not null,
  invoice_number_key text collate "C" not null,
  type text not null,
  type_key text collate "C" not null,
  status int not null,
  -- 0 for an invoice of no order of the store.
  order_id int not null,
  order_number text not null,
  order_number_key text collate "C" not null,
  purchase_order_number text not null,
  purchase_order_number_key text collate "C" not null,
  external_id text not null,
  external_id_key text collate "C" not null,
  external_customer_id text not null,
  external_customer_id_key text collate "C" not null,
  -- 0 for an invoice of no channel.
  channel_id bigint not null,
  currency_code text collate "C" not null,
  original_balance amount not null,
  open_balance amount not null,
  -- The number of its payments that are awaited or in process.
  pending_payments int not null,
  source int not null,
  details jsonb not null,
  extra_fields jsonb not null,
  external_pdf_url text not null,
  terms_conditions text not null,
  issued_at timestamptz(0) not null,
  due_at timestamptz(0) not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint b2b_invoices_number_unique unique (store_id, invoice_number_key)
);
create index b2b_invoices_company on b2b_invoices (store_id, company_id, id);
create unique index b2b_invoices_order_unique on b2b_invoices (store_id, order_id) where order_id <> 0;
create index b2b_invoices_status on b2b_invoices (store_id, status, id);
create index b2b_invoices_external on b2b_invoices (store_id, external_id, id) where external_id <> '';
create index b2b_invoices_external_customer on b2b_invoices (store_id, external_customer_id_key, id);
create index b2b_invoices_open on b2b_invoices (store_id, open_balance, id);
create index b2b_invoices_original on b2b_invoices (store_id, original_balance, id);
create index b2b_invoices_due on b2b_invoices (store_id, due_at, id);
create index b2b_invoices_created on b2b_invoices (store_id, created_at, id);
create index b2b_invoices_updated on b2b_invoices (store_id, updated_at, id);
create index b2b_invoices_pending on b2b_invoices (store_id, pending_payments, id);
create index b2b_invoices_channel on b2b_invoices (store_id, channel_id, id);

create table b2b_payments (
  store_id int not null,
  id int not null,
  company_id int not null,
  currency_code text collate "C" not null,
  total amount not null,
  payer_name text not null,
  payer_name_key text collate "C" not null,
  payer_customer_id text not null,
  external_id text not null,
  external_id_key text collate "C" not null,
  external_customer_id text not null,
  external_customer_id_key text collate "C" not null,
  memo text not null,
  module_name text collate "C" not null,
  -- 0 incomplete, 1 awaiting, 2 processing, 3 completed, 4 refunded.
  processing_status int not null,
  -- 1 while its amounts are deducted from the open balances of its invoices.
  applied_status int not null,
  funding_status int not null,
  channel_id bigint not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id)
);
create index b2b_payments_company on b2b_payments (store_id, company_id, id);
create index b2b_payments_processing on b2b_payments (store_id, processing_status, id);
create index b2b_payments_external_customer on b2b_payments (store_id, external_customer_id_key, id);
create index b2b_payments_created on b2b_payments (store_id, created_at, id);
create index b2b_payments_updated on b2b_payments (store_id, updated_at, id);
create index b2b_payments_total on b2b_payments (store_id, total, id);
create index b2b_payments_channel on b2b_payments (store_id, channel_id, id);

create table b2b_payment_lines (
  store_id int not null,
  payment_id int not null,
  invoice_id int not null,
  amount amount not null,
  primary key (store_id, payment_id, invoice_id),
  foreign key (store_id, payment_id) references b2b_payments on delete cascade,
  foreign key (store_id, invoice_id) references b2b_invoices
);
create index b2b_payment_lines_invoice on b2b_payment_lines (store_id, invoice_id, payment_id);

create table b2b_receipts (
  store_id int not null,
  id int not null,
  payment_id int not null,
  company_id int not null,
  currency_code text collate "C" not null,
  total amount not null,
  -- Paid or Refund.
  transaction_type text collate "C" not null,
  payment_type text not null,
  reference_number text not null,
  reference_number_key text collate "C" not null,
  payment_status int not null,
  payer_name text not null,
  payer_name_key text collate "C" not null,
  payer_customer_id text not null,
  payer_customer_id_key text collate "C" not null,
  external_id text not null,
  external_id_key text collate "C" not null,
  external_customer_id text not null,
  external_customer_id_key text collate "C" not null,
  memo text not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  foreign key (store_id, payment_id) references b2b_payments on delete cascade
);
create index b2b_receipts_payment on b2b_receipts (store_id, payment_id, id);
create index b2b_receipts_company on b2b_receipts (store_id, company_id, id);
create index b2b_receipts_status on b2b_receipts (store_id, payment_status, id);
create index b2b_receipts_total on b2b_receipts (store_id, total, id);
create index b2b_receipts_type on b2b_receipts (store_id, transaction_type, id);
create index b2b_receipts_reference on b2b_receipts (store_id, reference_number_key, id);
create index b2b_receipts_external_customer on b2b_receipts (store_id, external_customer_id_key, id);
create index b2b_receipts_created on b2b_receipts (store_id, created_at, id);
create index b2b_receipts_updated on b2b_receipts (store_id, updated_at, id);

create table b2b_receipt_lines (
  store_id int not null,
  id int not null,
  receipt_id int not null,
  invoice_id int not null,
  amount amount not null,
  primary key (store_id, id),
  foreign key (store_id, receipt_id) references b2b_receipts on delete cascade,
  foreign key (store_id, invoice_id) references b2b_invoices
);
create index b2b_receipt_lines_receipt on b2b_receipt_lines (store_id, receipt_id, id);
create index b2b_receipt_lines_invoice on b2b_receipt_lines (store_id, invoice_id, id);
create index b2b_receipt_lines_amount on b2b_receipt_lines (store_id, amount, id);

alter table former_companies enable row level security, force row level security;
alter table b2b_invoices enable row level security, force row level security;
alter table b2b_payments enable row level security, force row level security;
alter table b2b_payment_lines enable row level security, force row level security;
alter table b2b_receipts enable row level security, force row level security;
alter table b2b_receipt_lines enable row level security, force row level security;

create policy wall on former_companies to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_invoices to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_payments to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_payment_lines to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_receipts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_receipt_lines to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on former_companies, b2b_invoices, b2b_payments, b2b_payment_lines, b2b_receipts, b2b_receipt_lines
  to storeward;

-- The days in which a company pays its invoices.
create table b2b_payment_terms (
  store_id int not null,
  company_id int not null,
  is_enabled boolean not null,
  days int not null,
  primary key (store_id, company_id),
  foreign key (store_id, company_id) references companies on delete cascade
);
alter table b2b_payment_terms enable row level security, force row level security;
create policy wall on b2b_payment_terms to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_payment_terms to storeward;
