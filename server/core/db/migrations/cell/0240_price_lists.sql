-- Price lists: prices of variants that groups of customers or channels pay in place of those of the catalog.
create table price_lists (
  store_id int not null,
  id int not null,
  name text not null,
  name_key text collate "C" not null,
  active boolean not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, id),
  constraint price_lists_name_unique unique (store_id, name_key)
);
create index price_lists_created on price_lists (store_id, date_created, id);
create index price_lists_modified on price_lists (store_id, date_modified, id);

-- The records of a list in one currency. A record counts only while it has the generation of its set: with the next generation, or
-- without its set, all of them are gone for readers, and a job deletes the rows.
create table price_record_sets (
  store_id int not null,
  price_list_id int not null,
  currency text collate "C" not null,
  generation int not null,
  -- The number of records with this generation.
  total int not null,
  primary key (store_id, price_list_id, currency)
);

create table price_records (
  store_id int not null,
  price_list_id int not null,
  variant_id int not null,
  -- ISO 4217, in lower case.
  currency text collate "C" not null,
  generation int not null,
  product_id int not null,
  price amount not null,
  sale_price amount,
  retail_price amount,
  map_price amount,
  -- The sale price, else the price.
  calculated_price amount not null,
  -- [{quantity_min, quantity_max, type, amount}], as they were sent.
  bulk_pricing_tiers jsonb not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, price_list_id, variant_id, currency)
);
-- For variants that are deleted.
create index price_records_variant on price_records (store_id, variant_id);

-- Who pays the prices of a list: a group, a channel, or a group in a channel. A row without a channel is the price_list rule of its group.
create table price_list_assignments (
  store_id int not null,
  id int not null,
  price_list_id int not null,
  customer_group_id int,
  channel_id bigint,
  primary key (store_id, id),
  constraint price_list_assignments_unique unique nulls not distinct (store_id, customer_group_id, channel_id)
);
create index price_list_assignments_list on price_list_assignments (store_id, price_list_id, id);
create index price_list_assignments_channel on price_list_assignments (store_id, channel_id, id);

alter table price_lists enable row level security, force row level security;
alter table price_record_sets enable row level security, force row level security;
alter table price_records enable row level security, force row level security;
alter table price_list_assignments enable row level security, force row level security;
create policy wall on price_lists to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on price_record_sets to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on price_records to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on price_list_assignments to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on price_lists, price_record_sets, price_records, price_list_assignments to storeward;
