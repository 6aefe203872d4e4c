create table products (
  store_id int not null,
  id int not null,
  name text not null,
  name_key text collate "C" not null,
  type text not null,
  sku text not null,
  sku_key text collate "C" not null,
  description text not null,
  weight amount not null,
  width amount not null,
  depth amount not null,
  height amount not null,
  price amount not null,
  cost_price amount not null,
  retail_price amount not null,
  sale_price amount not null,
  map_price amount not null,
  tax_class_id int not null,
  product_tax_code text not null,
  -- What a shopper pays without options: written with the prices that it follows from.
  calculated_price amount not null,
  -- Sorted ids, for reading; the rows of product_categories are what filters ask.
  categories jsonb not null,
  brand_id int not null,
  option_set_id int,
  option_set_display text not null,
  inventory_level int not null,
  inventory_warning_level int not null,
  inventory_tracking text not null,
  reviews_rating_sum int not null,
  reviews_count int not null,
  total_sold int not null,
  fixed_cost_shipping_price amount not null,
  is_free_shipping boolean not null,
  is_visible boolean not null,
  is_featured boolean not null,
  related_products jsonb not null,
  warranty text not null,
  bin_picking_number text not null,
  layout_file text not null,
  upc text not null,
  upc_key text collate "C" not null,
  mpn text not null,
  mpn_key text collate "C" not null,
  gtin text not null,
  date_last_imported timestamptz(0),
  search_keywords text not null,
  availability text not null,
  availability_description text not null,
  gift_wrapping_options_type text not null,
  gift_wrapping_options_list jsonb not null,
  sort_order int not null,
  condition text not null,
  is_condition_shown boolean not null,
  order_quantity_minimum int not null,
  order_quantity_maximum int not null,
  page_title text not null,
  meta_keywords jsonb not null,
  meta_description text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  view_count int not null,
  preorder_release_date timestamptz(0),
  preorder_message text not null,
  is_preorder_only boolean not null,
  is_price_hidden boolean not null,
  price_hidden_label text not null,
  custom_url jsonb not null,
  base_variant_id int,
  open_graph_type text not null,
  open_graph_title text not null,
  open_graph_description text not null,
  open_graph_use_meta_description boolean not null,
  open_graph_use_product_name boolean not null,
  open_graph_use_image boolean not null,
  primary key (store_id, id),
  constraint products_name_unique unique (store_id, name_key) include (id)
);
create index products_sku on products (store_id, sku_key, id);
create index products_mpn on products (store_id, mpn_key, id);
create index products_upc on products (store_id, upc_key, id);
create index products_price on products (store_id, price, id);
create index products_weight on products (store_id, weight, id);
create index products_calculated_price on products (store_id, calculated_price, id);
create index products_brand on products (store_id, brand_id, id);
create index products_inventory on products (store_id, inventory_level, id) include (inventory_warning_level, inventory_tracking);
create index products_total_sold on products (store_id, total_sold, id);
create index products_date_modified on products (store_id, date_modified, id);
create index products_date_last_imported on products (store_id, date_last_imported, id);
-- Nulls come last in both directions.
create index products_date_last_imported_falling on products (store_id, date_last_imported desc nulls last, id);
create index products_visible on products (store_id, is_visible, id);
-- Filters that keep much of a store: they are read off this index, without touching a row.
create index products_facets on products (store_id, id)
  include (type, condition, availability, is_visible, is_featured, is_free_shipping);

create table variants (
  store_id int not null,
  id int not null,
  product_id int not null,
  sku text not null,
  sku_key text collate "C" not null,
  sku_id int,
  cost_price amount,
  price amount,
  sale_price amount,
  retail_price amount,
  map_price amount,
  weight amount,
  width amount,
  height amount,
  depth amount,
  is_free_shipping boolean not null,
  fixed_cost_shipping_price amount,
  purchasing_disabled boolean not null,
  purchasing_disabled_message text not null,
  image_url text not null,
  upc text,
  upc_key text collate "C" not null,
  mpn text,
  gtin text,
  inventory_level int,
  inventory_warning_level int,
  bin_picking_number text,
  -- With what is inherited from the product: written again when the product's change.
  calculated_price amount not null,
  calculated_weight amount not null,
  -- [{id, label, option_id, option_display_name}], sorted by option; a renamed value is renamed here too.
  option_values jsonb not null,
  -- The ids of its values, sorted; empty for the base variant.
  combination text collate "C" not null,
  primary key (store_id, id),
  constraint variants_combination_unique unique (store_id, product_id, combination)
);
create index variants_product on variants (store_id, product_id, id);
create index variants_sku on variants (store_id, sku_key, id);
create index variants_upc on variants (store_id, upc_key, id);

-- One namespace per store for the SKUs of products and variants. A base variant has that of its product.
create table skus (
  store_id int not null,
  -- Folded by the server: NFC, trimmed, lower case.
  sku_key text collate "C" not null,
  product_id int not null,
  -- 0 for that of the product itself.
  variant_id int not null,
  constraint skus_unique primary key (store_id, sku_key)
);
create index skus_product on skus (store_id, product_id, variant_id);

-- What searches look into, in narrow rows. `id` is that of the product.
create table product_names (
  store_id int not null,
  id int not null,
  name_key text collate "C" not null,
  sku_key text collate "C" not null,
  primary key (store_id, id)
);

create table product_categories (
  store_id int not null,
  product_id int not null,
  category_id int not null,
  primary key (store_id, product_id, category_id)
);
create index product_categories_category on product_categories (store_id, category_id, product_id);

create table product_channels (
  store_id int not null,
  product_id int not null,
  channel_id bigint not null,
  primary key (store_id, product_id, channel_id)
);
create index product_channels_channel on product_channels (store_id, channel_id, product_id);

alter table products enable row level security, force row level security;
alter table variants enable row level security, force row level security;
alter table skus enable row level security, force row level security;
alter table product_names enable row level security, force row level security;
alter table product_categories enable row level security, force row level security;
alter table product_channels enable row level security, force row level security;

create policy wall on products to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on variants to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on skus to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on product_names to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on product_categories to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on product_channels to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on products, variants, skus, product_names, product_categories, product_channels to storeward;
