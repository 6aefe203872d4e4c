-- Stamps of data that processes keep in memory: a change of such data gives its stamp another value, in the same transaction.
create table store_stamps (
  store_id int not null,
  subject text collate "C" not null,
  stamp bigint not null,
  primary key (store_id, subject)
);

-- Kinds of things that are taxed alike. Each store has the first three from its creation; class 0 is in no table.
create table tax_classes (
  store_id int not null,
  id int not null,
  name text not null,
  name_key text collate "C" not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint tax_classes_name_unique unique (store_id, name_key)
);

-- Places, and groups of customers, whose orders have the same rates. Zone 1 takes in all that no other zone does.
create table tax_zones (
  store_id int not null,
  id int not null,
  name text not null,
  enabled boolean not null,
  price_display_settings jsonb not null,
  shopper_target_settings jsonb not null,
  -- Countries, states and postal codes that it names.
  code_count int not null,
  primary key (store_id, id)
);

create table tax_rates (
  store_id int not null,
  id int not null,
  tax_zone_id int not null,
  name text not null,
  enabled boolean not null,
  priority int not null,
  -- A list of {rate, tax_class_id}: percent for each class.
  class_rates jsonb not null,
  primary key (store_id, id),
  foreign key (store_id, tax_zone_id) references tax_zones
);
create index tax_rates_zone on tax_rates (store_id, tax_zone_id, id);

-- What a store has settled about tax; nothing that is as the contract has it anyway.
create table tax_settings (
  store_id int primary key,
  value jsonb not null
);

-- Stores that are there already. The owner of the tables may be one who sees no rows behind their policies.
alter table store_profiles no force row level security;
alter table counters no force row level security;
alter table products no force row level security;
insert into tax_classes (store_id, id, name, name_key, created_at, updated_at)
  select store_id, class.id, class.name, lower(class.name), now(), now()
  from store_profiles, (values (1, 'Non-Taxable Products'), (2, 'Shipping'), (3, 'Gift Wrapping')) as class (id, name);
insert into tax_zones (store_id, id, name, enabled, price_display_settings, shopper_target_settings, code_count)
  select store_id, 1, 'Default Tax Zone', true,
    '{"show_inclusive": false, "show_both_on_detail_view": false, "show_both_on_list_view": false}',
    '{"locations": [], "customer_groups": []}', 0
  from store_profiles;
insert into counters (store_id, resource, last_id, total, version)
  select store_id, resource, count, count, 1
  from store_profiles, (values ('tax_classes', 3), ('tax_zones', 1)) as counter (resource, count);
-- Until now a product could name any class. Classes that nobody ever made count as the default one.
update products set tax_class_id = 0 where tax_class_id > 3;
alter table products force row level security;
alter table counters force row level security;
alter table store_profiles force row level security;

-- For the deletion of a class. Most products are of class 0.
create index products_tax_class on products (store_id, tax_class_id, id) where tax_class_id > 0;

alter table store_stamps enable row level security, force row level security;
alter table tax_classes enable row level security, force row level security;
alter table tax_zones enable row level security, force row level security;
alter table tax_rates enable row level security, force row level security;
alter table tax_settings enable row level security, force row level security;
create policy wall on store_stamps to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on tax_classes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on tax_zones to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on tax_rates to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on tax_settings to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on store_stamps, tax_classes, tax_zones, tax_rates, tax_settings to storeward;
