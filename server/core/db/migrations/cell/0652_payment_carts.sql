-- Carts in which buyers pay invoices (docs/contract/b2b-graphql.md section 12).
create table b2b_payment_carts (
  store_id int not null,
  cart_id text collate "C" not null,
  company_id int not null,
  currency_code text collate "C" not null,
  -- The invoices with their amounts, as texts.
  lines jsonb not null,
  payer_name text not null,
  payer_customer_id int not null,
  -- 0 until an order comes of the cart, and after it was cancelled.
  payment_id int not null,
  created_at timestamptz(0) not null,
  primary key (store_id, cart_id)
);
create index b2b_payment_carts_payment on b2b_payment_carts (store_id, payment_id) where payment_id <> 0;

alter table b2b_payment_carts enable row level security, force row level security;
create policy wall on b2b_payment_carts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_payment_carts to storeward;
