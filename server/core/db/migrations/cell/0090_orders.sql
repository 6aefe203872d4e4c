-- Orders, and what hangs on them. Everything that an order took from elsewhere is copied: it stays as it was when it was ordered.
create table orders (
  store_id int not null,
  id int not null,
  customer_id int not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  date_shipped timestamptz(0),
  cart_id text collate "C",
  status_id int not null,
  subtotal_ex_tax amount not null,
  subtotal_inc_tax amount not null,
  base_shipping_cost amount not null,
  shipping_cost_ex_tax amount not null,
  shipping_cost_inc_tax amount not null,
  base_handling_cost amount not null,
  handling_cost_ex_tax amount not null,
  handling_cost_inc_tax amount not null,
  base_wrapping_cost amount not null,
  wrapping_cost_ex_tax amount not null,
  wrapping_cost_inc_tax amount not null,
  total_ex_tax amount not null,
  total_inc_tax amount not null,
  items_total int not null,
  items_shipped int not null,
  shipping_address_count int not null,
  payment_method text not null,
  payment_method_key text collate "C" not null,
  payment_provider_id text,
  payment_status text not null,
  refunded_amount amount not null,
  order_is_digital boolean not null,
  store_credit_amount amount not null,
  gift_certificate_amount amount not null,
  ip_address text not null,
  ip_address_v6 text not null,
  geoip_country text not null,
  geoip_country_iso2 text not null,
  currency_id int not null,
  currency_code text not null,
  currency_exchange_rate text not null,
  -- Decimals of the currency when the order was made.
  currency_decimals int not null,
  default_currency_id int not null,
  default_currency_code text not null,
  staff_notes text not null,
  customer_message text not null,
  discount_amount amount not null,
  coupon_discount amount not null,
  is_deleted boolean not null,
  ebay_order_id text not null,
  billing_address jsonb not null,
  email text not null,
  -- Folded by the server: NFC, trimmed, lower case.
  email_key text collate "C" not null,
  is_email_opt_in boolean not null,
  order_source text not null,
  channel_id bigint not null,
  external_source text,
  external_id text collate "C",
  external_merchant_id text,
  external_order_id text not null,
  external_order_id_key text collate "C" not null,
  tax_provider_id text not null,
  customer_locale text not null,
  is_tax_inclusive_pricing boolean not null,
  primary key (store_id, id)
) with (fillfactor = 90);
-- A list shows orders that are not archived, or those that are. Each filter of the contract has an index in the order of ids, each
-- sort one of its own.
create index orders_shown on orders (store_id, is_deleted, id);
create index orders_status on orders (store_id, is_deleted, status_id, id);
create index orders_customer on orders (store_id, is_deleted, customer_id, id);
create index orders_channel on orders (store_id, is_deleted, channel_id, id);
create index orders_email on orders (store_id, email_key, id);
create index orders_payment_method on orders (store_id, is_deleted, payment_method_key, id);
create index orders_created on orders (store_id, is_deleted, date_created, id);
create index orders_modified on orders (store_id, is_deleted, date_modified, id);
create index orders_total on orders (store_id, is_deleted, total_inc_tax, id);
create index orders_external_id on orders (store_id, is_deleted, external_id, id);
create index orders_cart on orders (store_id, cart_id) where cart_id is not null;
create index orders_external on orders (store_id, external_order_id_key, id) where external_order_id_key <> '';

create table order_products (
  store_id int not null,
  id int not null,
  order_id int not null,
  product_id int not null,
  variant_id int not null,
  order_address_id int not null,
  order_pickup_method_id int not null,
  name text not null,
  name_customer text not null,
  name_merchant text not null,
  sku text not null,
  upc text not null,
  type text not null,
  quantity int not null,
  quantity_shipped int not null,
  quantity_refunded int not null,
  base_price amount not null,
  price_ex_tax amount not null,
  price_inc_tax amount not null,
  -- Its part of the discounts of the order, and what tax is left of it.
  discount amount not null,
  discounted_tax amount not null,
  cost_price amount not null,
  refund_amount amount not null,
  weight amount not null,
  width amount not null,
  height amount not null,
  depth amount not null,
  wrapping_id int not null,
  wrapping_name text,
  wrapping_message text not null,
  wrapping_cost_ex_tax amount not null,
  wrapping_cost_inc_tax amount not null,
  fixed_shipping_cost amount not null,
  bin_picking_number text not null,
  brand text not null,
  product_options jsonb not null,
  primary key (store_id, id)
);
create index order_products_order on order_products (store_id, order_id, id);

create table order_addresses (
  store_id int not null,
  id int not null,
  order_id int not null,
  first_name text not null,
  last_name text not null,
  company text not null,
  street_1 text not null,
  street_2 text not null,
  city text not null,
  state text not null,
  zip text not null,
  country text not null,
  country_iso2 text not null,
  phone text not null,
  email text not null,
  form_fields jsonb not null,
  shipping_method text not null,
  base_cost amount not null,
  cost_ex_tax amount not null,
  cost_inc_tax amount not null,
  base_handling_cost amount not null,
  handling_cost_ex_tax amount not null,
  handling_cost_inc_tax amount not null,
  primary key (store_id, id)
);
create index order_addresses_order on order_addresses (store_id, order_id, id);

create table order_pickup_consignments (
  store_id int not null,
  id int not null,
  order_id int not null,
  pickup_method_id bigint not null,
  pickup_method_display_name text not null,
  collection_instructions text not null,
  collection_time_description text not null,
  location jsonb not null,
  primary key (store_id, id)
);
create index order_pickup_consignments_order on order_pickup_consignments (store_id, order_id, id);

create table order_fees (
  store_id int not null,
  id int not null,
  order_id int not null,
  type text not null,
  display_name_customer text not null,
  display_name_merchant text not null,
  source text not null,
  cost_ex_tax amount not null,
  cost_inc_tax amount not null,
  tax_class_id int,
  primary key (store_id, id)
);
create index order_fees_order on order_fees (store_id, order_id, id);

create table order_taxes (
  store_id int not null,
  id int not null,
  order_id int not null,
  order_address_id int not null,
  order_pickup_method_id int not null,
  order_product_id int not null,
  line_item_type text not null,
  tax_class_id int,
  name text not null,
  class text not null,
  rate amount not null,
  priority int not null,
  priority_amount amount not null,
  line_amount amount not null,
  primary key (store_id, id)
);
create index order_taxes_order on order_taxes (store_id, order_id, id);

alter table orders enable row level security, force row level security;
alter table order_products enable row level security, force row level security;
alter table order_addresses enable row level security, force row level security;
alter table order_pickup_consignments enable row level security, force row level security;
alter table order_fees enable row level security, force row level security;
alter table order_taxes enable row level security, force row level security;
create policy wall on orders to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_products to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_addresses to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_pickup_consignments to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_fees to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on order_taxes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on orders, order_products, order_addresses, order_pickup_consignments, order_fees, order_taxes to storeward;
