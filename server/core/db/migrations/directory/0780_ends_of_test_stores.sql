-- The time after which servers delete a test store. Null for stores that stay.
alter table directory.stores
  add column ends_at timestamptz(3),
  add constraint stores_end check (ends_at is null or is_test);
create index stores_ends on directory.stores (ends_at) where ends_at is not null;
