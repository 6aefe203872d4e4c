-- What was handed over of orders to those who collect them, and when the status of orders changed.
create table order_pickups (
  store_id int not null,
  id int not null,
  order_id int not null,
  pickup_method_id bigint not null,
  ready_at timestamptz(0) not null,
  -- When all of it was collected; null while it waits.
  collected_at timestamptz(0),
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id)
);
create index order_pickups_order on order_pickups (store_id, order_id, id);

create table order_pickup_items (
  store_id int not null,
  id int not null,
  order_id int not null,
  pickup_id int not null,
  order_product_id int not null,
  quantity int not null,
  primary key (store_id, id)
);
create index order_pickup_items_order on order_pickup_items (store_id, order_id, id);
create index order_pickup_items_pickup on order_pickup_items (store_id, pickup_id, id);

create table order_status_changes (
  store_id int not null,
  order_id int not null,
  -- Counts from 1 in each order.
  nr int not null,
  previous_status_id int not null,
  status_id int not null,
  changed_at timestamptz(0) not null,
  primary key (store_id, order_id, nr)
);

alter table order_pickups enable row level security, force row level security;
alter table order_pickup_items enable row level security, force row level security;
alter table order_status_changes enable row level security, force row level security;
create policy wall on order_pickups to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_pickup_items to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_status_changes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on order_pickups, order_pickup_items, order_status_changes to storeward;
