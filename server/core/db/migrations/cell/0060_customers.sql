-- Who has an account at a store. What hangs on a customer names it by (store_id, customer_id), with `on delete cascade` where it is
-- bounded (server/customers/shape.ts).
create table customers (
  store_id int not null,
  id int not null,
  email text not null,
  email_key text collate "C" not null,
  first_name text not null,
  first_name_key text collate "C" not null,
  last_name text not null,
  last_name_key text collate "C" not null,
  company text not null,
  company_key text collate "C" not null,
  phone text not null,
  phone_key text collate "C" not null,
  registration_ip_address text not null,
  registration_ip_address_key text collate "C" not null,
  notes text not null,
  tax_exempt_category text not null,
  tax_exempt_category_key text collate "C" not null,
  -- 0 for none.
  customer_group_id int not null,
  date_modified timestamptz(0) not null,
  date_created timestamptz(0) not null,
  address_count int not null,
  attribute_count int not null,
  -- {force_password_reset}, as answers show it.
  authentication jsonb not null,
  -- Of Argon2id with salt and costs; null for an account that nobody can log in to until the password is set.
  password_hash text,
  accepts_product_review_abandoned_cart_emails boolean not null,
  origin_channel_id bigint not null,
  -- Where the account may log in; null for every channel that allows global logins.
  channel_ids jsonb,
  -- In the store's default currency.
  store_credit amount not null,
  primary key (store_id, id)
) with (fillfactor = 85);
create index customers_email on customers (store_id, email_key, id);
create index customers_first_name on customers (store_id, first_name_key, id);
create index customers_last_name on customers (store_id, last_name_key, id);
create index customers_company on customers (store_id, company_key, id);
create index customers_phone on customers (store_id, phone_key, id);
create index customers_registration_ip_address on customers (store_id, registration_ip_address_key, id);
create index customers_tax_exempt_category on customers (store_id, tax_exempt_category_key, id);
create index customers_group on customers (store_id, customer_group_id, id);
create index customers_created on customers (store_id, date_created, id);
create index customers_modified on customers (store_id, date_modified, id);
create index customers_store_credit on customers (store_id, store_credit, id);
-- Those that a channel's end is looked for among.
create index customers_with_channels on customers (store_id, id) where channel_ids is not null;

-- First and last name once more, in rows of their own that searches look into (docs/decisions/023-names-of-customers.md).
create table customer_names (
  store_id int not null,
  id int not null,
  name_key text collate "C" not null,
  -- Each three letters of it in a row, behind the number of the store.
  pieces jsonb not null,
  primary key (store_id, id),
  foreign key (store_id, id) references customers on delete cascade
);
create index customer_names_name on customer_names (store_id, name_key, id);
-- The store is in each key. Lists of pending entries are kept short: every search reads all of them.
create index customer_names_search on customer_names using gin (pieces jsonb_path_ops) with (gin_pending_list_limit = 128);

-- How store credit came about: money, so a row for each change. It names a customer by number only and stays when the customer goes.
create table store_credit_changes (
  store_id int not null,
  customer_id int not null,
  -- How often the credit of this customer has changed.
  version int not null,
  amount_before amount not null,
  amount_after amount not null,
  -- api, deletion and so on.
  cause text not null,
  -- The API account that asked for it; null for the store itself.
  client_id text,
  changed_at timestamptz(0) not null,
  primary key (store_id, customer_id, version)
);

alter table customers enable row level security, force row level security;
alter table customer_names enable row level security, force row level security;
alter table store_credit_changes enable row level security, force row level security;

create policy wall on customers to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customer_names to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on store_credit_changes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on customers, customer_names to storeward;
grant select, insert on store_credit_changes to storeward;
