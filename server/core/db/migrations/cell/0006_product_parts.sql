create table product_images (
  store_id int not null,
  id int not null,
  product_id int not null,
  is_thumbnail boolean not null,
  sort_order int not null,
  description text not null,
  -- The name of the stored copy; empty for an image that lies elsewhere.
  image_file text not null,
  image_url text not null,
  url_zoom text not null,
  url_standard text not null,
  url_thumbnail text not null,
  url_tiny text not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, id)
);
create index product_images_list on product_images (store_id, product_id, sort_order, id);
-- A product's images have at most one thumbnail among them; the server sees to it that they have one.
create unique index product_images_thumbnail on product_images (store_id, product_id) where is_thumbnail;

create table product_videos (
  store_id int not null,
  id int not null,
  product_id int not null,
  title text not null,
  description text not null,
  sort_order int not null,
  type text not null,
  video_id text collate "C" not null,
  length text not null,
  primary key (store_id, id),
  constraint product_videos_unique unique (store_id, product_id, video_id)
);
create index product_videos_list on product_videos (store_id, product_id, sort_order, id);

create table custom_fields (
  store_id int not null,
  id int not null,
  product_id int not null,
  name text collate "C" not null,
  value text collate "C" not null,
  primary key (store_id, id),
  constraint custom_fields_unique unique (store_id, product_id, name, value)
);
create index custom_fields_list on custom_fields (store_id, product_id, id);

create table bulk_pricing_rules (
  store_id int not null,
  id int not null,
  product_id int not null,
  quantity_min int not null,
  -- 0 for no end.
  quantity_max int not null,
  type text not null,
  amount amount not null,
  primary key (store_id, id)
);
create index bulk_pricing_rules_list on bulk_pricing_rules (store_id, product_id, quantity_min, id);

create table complex_rules (
  store_id int not null,
  id int not null,
  product_id int not null,
  sort_order int not null,
  enabled boolean not null,
  stop boolean not null,
  purchasing_disabled boolean not null,
  purchasing_disabled_message text not null,
  purchasing_hidden boolean not null,
  image_url text not null,
  price_adjuster jsonb not null,
  weight_adjuster jsonb not null,
  -- Its conditions as a set: sorted, without their ids.
  conditions_key text collate "C" not null,
  primary key (store_id, id),
  constraint complex_rules_unique unique (store_id, product_id, conditions_key)
);
create index complex_rules_list on complex_rules (store_id, product_id, sort_order, id);

create table complex_rule_conditions (
  store_id int not null,
  id int not null,
  product_id int not null,
  rule_id int not null,
  modifier_id int,
  modifier_value_id int,
  variant_id int,
  primary key (store_id, id)
);
create index complex_rule_conditions_product on complex_rule_conditions (store_id, product_id);
create index complex_rule_conditions_rule on complex_rule_conditions (store_id, rule_id);

create table reviews (
  store_id int not null,
  id int not null,
  product_id int not null,
  title text not null,
  text text not null,
  status text not null,
  rating int not null,
  email text not null,
  name text not null,
  date_reviewed timestamptz(0) not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, id)
);
create index reviews_list on reviews (store_id, product_id, id);

alter table product_images enable row level security, force row level security;
alter table product_videos enable row level security, force row level security;
alter table custom_fields enable row level security, force row level security;
alter table bulk_pricing_rules enable row level security, force row level security;
alter table complex_rules enable row level security, force row level security;
alter table complex_rule_conditions enable row level security, force row level security;
alter table reviews enable row level security, force row level security;

create policy wall on product_images to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on product_videos to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on custom_fields to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on bulk_pricing_rules to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on complex_rules to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on complex_rule_conditions to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on reviews to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete
  on product_images, product_videos, custom_fields, bulk_pricing_rules, complex_rules, complex_rule_conditions, reviews
  to storeward;
