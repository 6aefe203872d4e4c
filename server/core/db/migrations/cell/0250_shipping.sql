-- Where a store ships to, and for how much.
create table shipping_zones (
  store_id int not null,
  id int not null,
  name text not null,
  type text collate "C" not null,
  enabled boolean not null,
  free_shipping jsonb not null,
  handling_fees jsonb not null,
  primary key (store_id, id)
);
create unique index shipping_zones_one_global on shipping_zones (store_id) where type = 'global';

create table shipping_zone_locations (
  store_id int not null,
  id int not null,
  zone_id int not null,
  country_iso2 text collate "C" not null,
  -- '' for a location that is a whole country, or postal codes of it.
  state_iso2 text collate "C" not null,
  -- As the client wrote it; '' for countries and states.
  zip text not null,
  -- The same in capitals without blanks, as postal codes are compared.
  zip_key text collate "C" not null,
  -- The part of the key before its first wildcard, by which the locations of an address are found.
  zip_prefix text collate "C" not null,
  primary key (store_id, id)
);
create index shipping_zone_locations_zone on shipping_zone_locations (store_id, zone_id, id);
create index shipping_zone_locations_prefix on shipping_zone_locations (store_id, country_iso2, zip_prefix);
create index shipping_zone_locations_zips on shipping_zone_locations (store_id) where zip_key <> '';

create table shipping_methods (
  store_id int not null,
  id int not null,
  zone_id int not null,
  name text not null,
  type text collate "C" not null,
  settings jsonb not null,
  enabled boolean not null,
  handling_fees jsonb not null,
  is_fallback boolean not null,
  -- null for all channels.
  channel_ids jsonb,
  primary key (store_id, id)
);
create index shipping_methods_zone on shipping_methods (store_id, zone_id, id);
create index shipping_methods_type on shipping_methods (store_id, type);

-- Carriers that a store has an account with.
create table carrier_connections (
  store_id int not null,
  carrier_id text collate "C" not null,
  -- Encrypted JSON; never answered.
  connection text not null,
  -- Whether the carrier accepted it. One that it refused is stored all the same, and gives no quotes.
  is_valid boolean not null,
  updated_at timestamptz not null,
  primary key (store_id, carrier_id)
);

-- What customs must know of a product.
create table customs_information (
  store_id int not null,
  product_id int not null,
  country_of_origin text collate "C" not null,
  commodity_description text not null,
  international_shipping boolean not null,
  hs_codes jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (store_id, product_id)
);

alter table shipping_zones enable row level security, force row level security;
alter table shipping_zone_locations enable row level security, force row level security;
alter table shipping_methods enable row level security, force row level security;
alter table carrier_connections enable row level security, force row level security;
alter table customs_information enable row level security, force row level security;
create policy wall on shipping_zones to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on shipping_zone_locations to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on shipping_methods to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on carrier_connections to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customs_information to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on shipping_zones, shipping_zone_locations, shipping_methods, carrier_connections,
  customs_information to storeward;
