-- How products are shown in channels that are no storefronts of ours: a listing for each product, and what it says of its variants.
create table listings (
  store_id int not null,
  id int not null,
  channel_id bigint not null,
  product_id int not null,
  external_id text not null,
  state text not null,
  name text not null,
  description text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, id),
  constraint listings_product_unique unique (store_id, channel_id, product_id)
);
create index listings_channel on listings (store_id, channel_id, id);
create index listings_product on listings (store_id, product_id);

create table listing_variants (
  store_id int not null,
  listing_id int not null,
  variant_id int not null,
  external_id text not null,
  state text not null,
  name text not null,
  description text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, listing_id, variant_id)
);
create index listing_variants_variant on listing_variants (store_id, variant_id);

-- Which pages of the control panel a channel has. A channel without a row has none of its own.
create table channel_menus (
  store_id int not null,
  channel_id bigint not null,
  bigcommerce_protected_app_sections jsonb not null,
  custom_app_sections jsonb not null,
  primary key (store_id, channel_id)
);

-- The theme that a channel shows, and the configuration that was saved for it last.
create table active_themes (
  store_id int not null,
  channel_id bigint not null,
  active_theme_uuid text collate "C" not null,
  active_theme_configuration_uuid text collate "C" not null,
  active_theme_version_uuid text collate "C" not null,
  saved_theme_configuration_uuid text collate "C" not null,
  primary key (store_id, channel_id)
);

alter table listings enable row level security, force row level security;
alter table listing_variants enable row level security, force row level security;
alter table channel_menus enable row level security, force row level security;
alter table active_themes enable row level security, force row level security;

create policy wall on listings to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on listing_variants to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on channel_menus to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on active_themes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on listings, listing_variants, channel_menus, active_themes to storeward;
