-- What tax providers want to know about customers and products, such as an exemption code.
create table tax_properties (
  store_id int not null,
  id int not null,
  code text collate "C" not null,
  display_name text not null,
  description text not null,
  -- PRODUCT or CUSTOMER; never changes.
  type text collate "C" not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint tax_properties_code_unique unique (store_id, code)
);
create index tax_properties_type on tax_properties (store_id, type, id);

create table customer_tax_properties (
  store_id int not null,
  customer_id int not null,
  property_id int not null,
  value text not null,
  primary key (store_id, customer_id, property_id),
  foreign key (store_id, customer_id) references customers on delete cascade,
  foreign key (store_id, property_id) references tax_properties
);
create index customer_tax_properties_property on customer_tax_properties (store_id, property_id, customer_id);

create table product_tax_properties (
  store_id int not null,
  product_id int not null,
  property_id int not null,
  value text not null,
  primary key (store_id, product_id, property_id),
  foreign key (store_id, property_id) references tax_properties
);
create index product_tax_properties_property on product_tax_properties (store_id, property_id, product_id);

alter table tax_properties enable row level security, force row level security;
alter table customer_tax_properties enable row level security, force row level security;
alter table product_tax_properties enable row level security, force row level security;
create policy wall on tax_properties to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customer_tax_properties to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on product_tax_properties to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on tax_properties, customer_tax_properties, product_tax_properties to storeward;
