-- The health of a tax provider, for `storeward doctor`.
alter table tax_providers
  -- Since when its calls fail, one after the other; null while they succeed.
  add column failing_since timestamptz,
  -- Why the last one failed.
  add column failure text not null default '';
-- `storeward doctor` reads all stores.
create policy across_stores on tax_providers for select to storeward_system using (true);
grant select (store_id, provider_id, is_active, failing_since, failure) on tax_providers to storeward_system;
