-- What a shopper chooses of a product. Options lead to variants; modifiers change what is done with the variant.
create table options (
  store_id int not null,
  id int not null,
  product_id int not null,
  name text not null,
  display_name text not null,
  -- Folded by the server: NFC, trimmed, lower case.
  display_name_key text collate "C" not null,
  type text not null,
  config jsonb not null,
  sort_order int not null,
  image_url text not null,
  primary key (store_id, id),
  constraint options_display_name_unique unique (store_id, product_id, display_name_key)
);
create index options_product on options (store_id, product_id, sort_order, id);
-- Those whose values stand for other products, which are asked what they stand for.
create index options_of_products on options (store_id, id) where type in ('product_list', 'product_list_with_images');

create table option_values (
  store_id int not null,
  id int not null,
  product_id int not null,
  option_id int not null,
  label text not null,
  label_key text collate "C" not null,
  sort_order int not null,
  value_data jsonb,
  is_default boolean not null,
  primary key (store_id, id),
  -- Judged at the end of a statement, so that two values can exchange their labels.
  constraint option_values_label_unique unique (store_id, option_id, label_key) deferrable initially immediate
);
create index option_values_option on option_values (store_id, option_id, sort_order, id);
create index option_values_product on option_values (store_id, product_id);

create table modifiers (
  store_id int not null,
  id int not null,
  product_id int not null,
  name text not null,
  display_name text not null,
  display_name_key text collate "C" not null,
  type text not null,
  required boolean not null,
  sort_order int not null,
  config jsonb not null,
  primary key (store_id, id),
  constraint modifiers_display_name_unique unique (store_id, product_id, display_name_key)
);
create index modifiers_product on modifiers (store_id, product_id, sort_order, id);
create index modifiers_of_products on modifiers (store_id, id) where type in ('product_list', 'product_list_with_images');

create table modifier_values (
  store_id int not null,
  id int not null,
  product_id int not null,
  -- The modifier, as the contract calls it here.
  option_id int not null,
  label text not null,
  label_key text collate "C" not null,
  sort_order int not null,
  value_data jsonb,
  is_default boolean not null,
  adjusters jsonb not null,
  primary key (store_id, id),
  constraint modifier_values_label_unique unique (store_id, option_id, label_key) deferrable initially immediate
);
create index modifier_values_modifier on modifier_values (store_id, option_id, sort_order, id);
create index modifier_values_product on modifier_values (store_id, product_id);

alter table options enable row level security, force row level security;
alter table option_values enable row level security, force row level security;
alter table modifiers enable row level security, force row level security;
alter table modifier_values enable row level security, force row level security;

create policy wall on options to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on option_values to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on modifiers to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on modifier_values to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on options, option_values, modifiers, modifier_values to storeward;
