-- What a store has of a thing at a place, and what follows from it is stored with the catalog (docs/decisions/021-stock.md).
create table stock (
  store_id int not null,
  product_id int not null,
  -- 0 for the product itself, which its base variant is sold from.
  variant_id int not null,
  location_id int not null,
  on_hand int not null,
  safety_stock int not null,
  is_in_stock boolean not null,
  warning_level int not null,
  bin_picking_number text not null,
  -- Whether it is for sale: what is at a disabled location is not.
  counts boolean not null,
  -- Whether the product is tracked by this: by itself, or by its variants.
  is_tracked boolean not null,
  -- How often the amount has changed.
  version int not null,
  primary key (store_id, product_id, variant_id, location_id)
) with (fillfactor = 80);
create index stock_location on stock (store_id, location_id, product_id, variant_id);

-- How amounts came about. The version of the row makes the key, so that nobody waits for a counter.
create table stock_changes (
  store_id int not null,
  product_id int not null,
  variant_id int not null,
  location_id int not null,
  version int not null,
  transaction_id text not null,
  cause text not null,
  amount_before int not null,
  amount_after int not null,
  reason text not null,
  client_id text,
  order_id int,
  changed_at timestamptz(0) not null,
  primary key (store_id, product_id, variant_id, location_id, version)
);

-- What orders have taken, by the key of what they took it for.
create table stock_commitments (
  store_id int not null,
  key text collate "C" not null,
  product_id int not null,
  variant_id int not null,
  location_id int not null,
  quantity int not null,
  -- What was sold and not there.
  oversold int not null,
  primary key (store_id, key, product_id, variant_id, location_id)
);
create index stock_commitments_item on stock_commitments (store_id, product_id);
create index stock_commitments_location on stock_commitments (store_id, location_id);

-- What catalogs say already lies at the first location. The owner of the tables may be one who sees no rows behind their policies.
alter table products no force row level security;
alter table variants no force row level security;
insert into stock (store_id, product_id, variant_id, location_id, on_hand, safety_stock, is_in_stock, warning_level,
    bin_picking_number, counts, is_tracked, version)
  select store_id, id, 0, 1, case when is_summed then 0 else inventory_level end, 0, true, inventory_warning_level,
    bin_picking_number, true, inventory_tracking = 'product' or (inventory_tracking = 'variant' and not is_summed), 0
  from (select *, inventory_tracking = 'variant' and base_variant_id is null as is_summed from products) product
  where inventory_warning_level > 0 or bin_picking_number <> '' or (inventory_level > 0 and not is_summed);
insert into stock (store_id, product_id, variant_id, location_id, on_hand, safety_stock, is_in_stock, warning_level,
    bin_picking_number, counts, is_tracked, version)
  select variant.store_id, product_id, variant.id, 1, coalesce(variant.inventory_level, 0), 0, true,
    coalesce(variant.inventory_warning_level, 0), coalesce(variant.bin_picking_number, ''), true,
    inventory_tracking = 'variant', 0
  from variants variant join products product on product.store_id = variant.store_id and product.id = product_id
  where sku_id is not null
    and (variant.inventory_level > 0 or variant.inventory_warning_level > 0 or variant.bin_picking_number <> '');
alter table variants force row level security;
alter table products force row level security;

alter table stock enable row level security, force row level security;
alter table stock_changes enable row level security, force row level security;
alter table stock_commitments enable row level security, force row level security;
create policy wall on stock to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on stock_changes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on stock_commitments to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on stock, stock_changes, stock_commitments to storeward;
