-- The products that companies have bought, as buyers see them (docs/contract/b2b-graphql.md section 11). Customer 0 has the sum of a company.
create table b2b_ordered_products (
  store_id int not null,
  company_id int not null,
  customer_id int not null,
  variant_id int not null,
  -- A digest of the chosen options.
  options_key text collate "C" not null,
  product_id int not null,
  name text not null,
  name_key text collate "C" not null,
  brand text not null,
  sku text not null,
  options jsonb not null,
  ordered_times int not null,
  first_ordered_at timestamptz(0) not null,
  last_ordered_at timestamptz(0) not null,
  last_quantity int not null,
  order_product_id int not null,
  channel_id bigint not null,
  primary key (store_id, company_id, customer_id, variant_id, options_key)
);
create index b2b_ordered_products_last on b2b_ordered_products (store_id, company_id, customer_id, last_ordered_at);

alter table b2b_ordered_products enable row level security, force row level security;
create policy wall on b2b_ordered_products to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_ordered_products to storeward;
