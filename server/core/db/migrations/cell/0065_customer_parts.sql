-- What customers have: addresses, values of attributes, and values of form fields, which their addresses have too.
create table customer_addresses (
  store_id int not null,
  id int not null,
  customer_id int not null,
  first_name text not null,
  last_name text not null,
  company text not null,
  company_key text collate "C" not null,
  address1 text not null,
  address2 text not null,
  city text not null,
  state_or_province text not null,
  postal_code text not null,
  -- Of two letters; the name follows from it.
  country_code text not null,
  country text not null,
  phone text not null,
  address_type text not null,
  -- First and last name, folded.
  name_key text collate "C" not null,
  -- Of all that decides whether two addresses are equal: a customer has none twice.
  fingerprint text collate "C" not null,
  primary key (store_id, id),
  constraint customer_addresses_unequal unique (store_id, customer_id, fingerprint),
  foreign key (store_id, customer_id) references customers on delete cascade
);
create index customer_addresses_list on customer_addresses (store_id, customer_id, id);
create index customer_addresses_name on customer_addresses (store_id, name_key, id);
create index customer_addresses_company on customer_addresses (store_id, company_key, id);

create table customer_attributes (
  store_id int not null,
  id int not null,
  name text not null,
  name_key text collate "C" not null,
  type text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, id),
  constraint customer_attributes_name_unique unique (store_id, name_key)
);

create table customer_attribute_values (
  store_id int not null,
  id int not null,
  customer_id int not null,
  attribute_id int not null,
  attribute_value text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, id),
  constraint customer_attribute_values_unique unique (store_id, customer_id, attribute_id),
  foreign key (store_id, customer_id) references customers on delete cascade
);
create index customer_attribute_values_list on customer_attribute_values (store_id, customer_id, id);
create index customer_attribute_values_attribute on customer_attribute_values (store_id, attribute_id, id);
create index customer_attribute_values_created on customer_attribute_values (store_id, date_created, id);
create index customer_attribute_values_modified on customer_attribute_values (store_id, date_modified, id);

-- The fields that a store adds to the forms of accounts and of addresses.
create table customer_form_fields (
  store_id int not null,
  id int not null,
  -- customer or address.
  kind text not null,
  sort_order int not null,
  name text collate "C" not null,
  label text not null,
  type text not null,
  required boolean not null,
  options jsonb not null,
  primary key (store_id, id),
  constraint customer_form_fields_unique unique (store_id, kind, name)
);

create table customer_form_field_values (
  store_id int not null,
  id int not null,
  customer_id int not null,
  -- Of the customer's addresses; 0 for a value of the customer himself.
  address_id int not null,
  field_id int not null,
  -- Those of the field, which never change.
  name text not null,
  type text not null,
  value jsonb not null,
  primary key (store_id, id),
  constraint customer_form_field_values_unique unique (store_id, customer_id, address_id, field_id),
  foreign key (store_id, customer_id) references customers on delete cascade
);
create index customer_form_field_values_address on customer_form_field_values (store_id, address_id, id);
create index customer_form_field_values_field on customer_form_field_values (store_id, field_id, id);

alter table customer_addresses enable row level security, force row level security;
alter table customer_attributes enable row level security, force row level security;
alter table customer_attribute_values enable row level security, force row level security;
alter table customer_form_fields enable row level security, force row level security;
alter table customer_form_field_values enable row level security, force row level security;

create policy wall on customer_addresses to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customer_attributes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customer_attribute_values to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customer_form_fields to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customer_form_field_values to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on customer_addresses, customer_attributes, customer_attribute_values, customer_form_fields,
  customer_form_field_values to storeward;
