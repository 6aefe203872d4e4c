-- Addresses of companies (docs/contract/b2b-addresses.md).
create table company_addresses (
  store_id int not null,
  id int not null,
  company_id int not null,
  first_name text not null,
  first_name_key text collate "C" not null,
  last_name text not null,
  last_name_key text collate "C" not null,
  phone_number text not null,
  phone_number_key text collate "C" not null,
  zip_code text not null,
  zip_code_key text collate "C" not null,
  address_line1 text not null,
  address_line1_key text collate "C" not null,
  address_line2 text not null,
  address_line2_key text collate "C" not null,
  city text not null,
  city_key text collate "C" not null,
  state_name text not null,
  state_name_key text collate "C" not null,
  state_code text not null,
  state_code_key text collate "C" not null,
  country_name text not null,
  country_name_key text collate "C" not null,
  country_code text not null,
  country_code_key text collate "C" not null,
  is_billing boolean not null,
  is_shipping boolean not null,
  is_default_billing boolean not null,
  is_default_shipping boolean not null,
  label text not null,
  external_id text not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  foreign key (store_id, company_id) references companies
);
create index company_addresses_company on company_addresses (store_id, company_id, id);
create index company_addresses_external on company_addresses (store_id, external_id, id) where external_id <> '';
create index company_addresses_updated on company_addresses (store_id, updated_at, id);
alter table company_addresses enable row level security, force row level security;
create policy wall on company_addresses to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on company_addresses to storeward;
