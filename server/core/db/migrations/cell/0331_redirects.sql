-- Redirects from paths of a site.
create table redirects (
  store_id int not null,
  id int not null,
  site_id int not null,
  -- As it was sent.
  from_path text not null,
  -- The first 500 characters, in lower case: for the order of lists and searches by prefix.
  from_path_key text collate "C" not null,
  -- A digest of the path as paths are compared.
  path_digest text collate "C" not null,
  type text collate "C" not null,
  -- The target of all types but url; 0 for that.
  entity_id int not null,
  -- The target of the type url; empty for others.
  url text not null,
  primary key (store_id, id)
);
create unique index redirects_path_unique on redirects (store_id, site_id, path_digest);
create index redirects_site on redirects (store_id, site_id, id);
create index redirects_from_path on redirects (store_id, from_path_key, id);
create index redirects_type on redirects (store_id, type, id);
create index redirects_target on redirects (store_id, type, entity_id) where entity_id > 0;

alter table redirects enable row level security, force row level security;
create policy wall on redirects to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on redirects to storeward;
