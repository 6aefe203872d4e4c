-- The companion records of orders (docs/contract/b2b-orders.md): one for every order of a store with the companion API.
create table b2b_orders (
  store_id int not null,
  id int not null,
  order_id int not null,
  -- 0 for an order of no company; a company, or a former one.
  company_id int not null,
  customer_id int not null,
  channel_id bigint not null,
  po_number text not null,
  extra_values jsonb not null default '{}',
  -- The amount that the order takes from the credit of its company, in this currency.
  credit_used amount not null default 0,
  credit_currency text collate "C" not null default '',
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint b2b_orders_order_unique unique (store_id, order_id)
);
create index b2b_orders_updated on b2b_orders (store_id, updated_at, id);
create index b2b_orders_created on b2b_orders (store_id, created_at, id);
create index b2b_orders_company on b2b_orders (store_id, company_id, updated_at, id);
create index b2b_orders_channel on b2b_orders (store_id, channel_id, updated_at, id);
create index b2b_orders_customer on b2b_orders (store_id, customer_id, id);

alter table b2b_orders enable row level security, force row level security;
create policy wall on b2b_orders to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_orders to storeward;
