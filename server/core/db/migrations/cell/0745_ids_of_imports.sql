-- The ids that the rows of imported bundles have in the store, by kind of resource and former id.
create table import_ids (
  store_id int not null,
  kind text collate "C" not null,
  old_id text collate "C" not null,
  new_id text collate "C" not null,
  primary key (store_id, kind, old_id)
);
create index import_ids_new on import_ids (store_id, kind, new_id);

alter table import_ids enable row level security, force row level security;
create policy wall on import_ids to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on import_ids to storeward;
