-- What was given back of orders. A refund stays as it was accepted; its payments settle later, one by one.
create table order_refunds (
  store_id int not null,
  id int not null,
  order_id int not null,
  created timestamptz(3) not null,
  reason text not null,
  total_amount amount not null,
  total_tax amount not null,
  uses_merchant_override_values boolean not null,
  -- [{item_type, item_id, quantity, requested_amount, reason, adjustments}]
  items jsonb not null,
  -- What the next calculation goes on from: the exact sums of the items, and what they were rounded to.
  exact_amount amount not null,
  exact_tax amount not null,
  item_amount amount not null,
  item_tax amount not null,
  is_plain boolean not null,
  -- Whether none of its payments came through: it counts as if it had never been.
  is_declined boolean not null,
  primary key (store_id, id)
);
create index order_refunds_order on order_refunds (store_id, order_id, id);
create index order_refunds_created on order_refunds (store_id, created, id);

create table order_refund_payments (
  store_id int not null,
  id int not null,
  refund_id int not null,
  order_id int not null,
  provider_id text not null,
  amount amount not null,
  offline boolean not null,
  -- waiting, settled or declined
  state text not null,
  declined_message text not null,
  -- Of the transaction that tells how it ended.
  transaction_id int,
  primary key (store_id, id)
);
create index order_refund_payments_refund on order_refund_payments (store_id, refund_id, id);
create index order_refund_payments_order on order_refund_payments (store_id, order_id, id);
create index order_refund_payments_transaction on order_refund_payments (store_id, transaction_id) where transaction_id is not null;

alter table order_refunds enable row level security, force row level security;
alter table order_refund_payments enable row level security, force row level security;
create policy wall on order_refunds to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_refund_payments to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on order_refunds, order_refund_payments to storeward;
