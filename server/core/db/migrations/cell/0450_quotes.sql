-- Quotes of the companion API (docs/contract/b2b-quotes.md), and the texts that its searches read.

-- The searched texts of a resource as one, with n-grams (docs/decisions/067-search-by-ngrams.md). Rows without n-grams are read as text.
create table b2b_texts (
  store_id int not null,
  -- A kind of resources, such as quote.
  kind text collate "C" not null,
  id int not null,
  text_key text collate "C" not null,
  ngrams int[],
  primary key (store_id, kind, id)
);
create index b2b_texts_ngrams on b2b_texts using gin (ngrams) with (gin_pending_list_limit = 128);
create index b2b_texts_without_ngrams on b2b_texts (store_id, kind, id) where ngrams is null;
insert into b2b_texts (store_id, kind, id, text_key)
  select store_id, 'invoice', id, concat_ws(E'\n', invoice_number_key, type_key, order_number_key, purchase_order_number_key,
    external_customer_id_key, company_id::text)
  from b2b_invoices;

create table b2b_quotes (
  store_id int not null,
  id int not null,
  quote_uuid text collate "C" not null,
  quote_number text not null,
  quote_number_key text collate "C" not null,
  -- 0 new, 2 in process, 3 updated by the customer, 4 ordered, 5 expired, 6 archived, 7 draft.
  status int not null,
  channel_id bigint not null,
  -- 0 for a quote of no company.
  company_id int not null,
  company_name text not null,
  company_name_key text collate "C" not null,
  -- The user and the customer of its contact; 0 for none.
  user_id int not null,
  customer_id int not null,
  quote_title text not null,
  quote_title_key text collate "C" not null,
  reference_number text not null,
  sales_rep text not null,
  sales_rep_key text collate "C" not null,
  sales_rep_email text not null,
  created_by text not null,
  created_by_key text collate "C" not null,
  currency_code text collate "C" not null,
  currency jsonb not null,
  subtotal amount not null,
  discount amount not null,
  discount_type int not null,
  discount_value amount,
  shipping_total amount not null,
  tax_total amount not null,
  grand_total amount not null,
  total_amount amount not null,
  notes text not null,
  legal_terms text not null,
  display_discount boolean not null,
  allow_checkout boolean not null,
  contact jsonb not null,
  shipping_address jsonb not null,
  billing_address jsonb not null,
  -- Null for none.
  shipping_method jsonb,
  recipients jsonb not null,
  history jsonb not null,
  lines jsonb not null,
  extra_values jsonb not null default '{}',
  -- 0 until it is ordered.
  order_id int not null,
  -- The last second of its last day.
  expires_at timestamptz(0) not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint b2b_quotes_uuid_unique unique (store_id, quote_uuid)
);
create unique index b2b_quotes_order_unique on b2b_quotes (store_id, order_id) where order_id <> 0;
create index b2b_quotes_updated on b2b_quotes (store_id, updated_at, id);
create index b2b_quotes_created on b2b_quotes (store_id, created_at, id);
create index b2b_quotes_expires on b2b_quotes (store_id, expires_at, id);
create index b2b_quotes_due on b2b_quotes (store_id, expires_at, id) where status in (0, 2, 3);
create index b2b_quotes_status on b2b_quotes (store_id, status, updated_at, id);
create index b2b_quotes_company on b2b_quotes (store_id, company_id, updated_at, id);
create index b2b_quotes_company_name on b2b_quotes (store_id, company_name_key, id);
create index b2b_quotes_sales_rep on b2b_quotes (store_id, sales_rep_key, id);
create index b2b_quotes_channel on b2b_quotes (store_id, channel_id, updated_at, id);

-- The carts that quotes were checked out into, so that their orders end the quote. They outlive the carts.
create table b2b_quote_carts (
  store_id int not null,
  cart_id text collate "C" not null,
  quote_id int not null,
  primary key (store_id, cart_id),
  foreign key (store_id, quote_id) references b2b_quotes on delete cascade
);
create index b2b_quote_carts_quote on b2b_quote_carts (store_id, quote_id);

alter table b2b_settings
  add column quotes_take_custom_items boolean not null default true,
  add column quotes_take_custom_shipping boolean not null default true,
  add column quotes_show_discount boolean not null default true,
  add column quotes_allow_checkout boolean not null default true,
  add column quote_shipping_methods jsonb not null default '[]';

alter table b2b_texts enable row level security, force row level security;
alter table b2b_quotes enable row level security, force row level security;
alter table b2b_quote_carts enable row level security, force row level security;
create policy wall on b2b_texts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_quotes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_quote_carts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_texts, b2b_quotes, b2b_quote_carts to storeward;
-- Background work finds the stores with quotes that expire.
create policy across_stores on b2b_quotes for select to storeward_system using (true);
grant select (store_id, status, expires_at) on b2b_quotes to storeward_system;
