-- Services that calculate tax for a store. The operator registers them (`storeward tax-provider`); clients of the store connect them.
create table tax_providers (
  store_id int not null,
  provider_id text collate "C" not null,
  -- Addresses by call: estimate, commit, adjust, void. They may hold {profile}.
  urls jsonb not null,
  -- Time of an estimate, at most 4 s.
  estimate_ms int not null,
  -- Whether it calculates the tax of this store. At most one does.
  is_active boolean not null,
  -- Whether it gets the documents of orders.
  submits_orders boolean not null,
  -- Where it calculates: country_codes, subdivision_codes. Empty for everywhere.
  target jsonb not null,
  -- Signs requests; encrypted, '' for none.
  secret text not null,
  -- The connection; null before the first one.
  username text,
  password text,
  profile text,
  primary key (store_id, provider_id)
);
create unique index tax_providers_active on tax_providers (store_id) where is_active;
alter table tax_providers enable row level security, force row level security;
create policy wall on tax_providers to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on tax_providers to storeward;
