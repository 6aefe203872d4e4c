-- What was sent of orders, and what was said about them.
create table order_shipments (
  store_id int not null,
  id int not null,
  order_id int not null,
  customer_id int not null,
  order_address_id int not null,
  date_created timestamptz(0) not null,
  tracking_number text not null,
  tracking_carrier text not null,
  tracking_link text not null,
  merchant_shipping_cost amount not null,
  shipping_method text not null,
  shipping_provider text not null,
  comments text not null,
  -- Both as they were when it was sent.
  billing_address jsonb not null,
  shipping_address jsonb not null,
  -- [{order_product_id, product_id, quantity}]
  items jsonb not null,
  primary key (store_id, id)
);
create index order_shipments_order on order_shipments (store_id, order_id, id);

create table order_messages (
  store_id int not null,
  id int not null,
  order_id int not null,
  -- 0 for one of the customer.
  staff_id int not null,
  customer_id int not null,
  type text not null,
  subject text not null,
  message text not null,
  status text not null,
  is_flagged boolean not null,
  date_created timestamptz(0) not null,
  primary key (store_id, id)
);
create index order_messages_order on order_messages (store_id, order_id, id);

-- The coupons that an order was placed with.
create table order_coupons (
  store_id int not null,
  id int not null,
  order_id int not null,
  coupon_id int not null,
  code text not null,
  amount amount not null,
  type int not null,
  discount amount not null,
  primary key (store_id, id)
);
create index order_coupons_order on order_coupons (store_id, order_id, id);

-- What was done with the money of orders. Rows stay as they are; only an answer that comes later changes their status.
create table order_transactions (
  store_id int not null,
  id int not null,
  order_id int not null,
  event text not null,
  method text not null,
  amount amount not null,
  currency text not null,
  gateway text not null,
  gateway_transaction_id text not null,
  test boolean not null,
  status text not null,
  fraud_review boolean not null,
  -- The capture or purchase that a refund gives back, the authorization that is captured.
  reference_transaction_id int,
  payment_method_id text not null,
  date_created timestamptz(0) not null,
  -- What else is known: of a card, of store credit, of an offline payment.
  details jsonb not null,
  primary key (store_id, id)
);
create index order_transactions_order on order_transactions (store_id, order_id, id);

alter table order_shipments enable row level security, force row level security;
alter table order_messages enable row level security, force row level security;
alter table order_coupons enable row level security, force row level security;
alter table order_transactions enable row level security, force row level security;
create policy wall on order_shipments to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_messages to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_coupons to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_transactions to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on order_shipments, order_messages, order_coupons, order_transactions to storeward;
