-- Copies of stores that are being made. The process that makes one prolongs its lease; a copy whose lease has ended is removed.
create table directory.forks (
  store_id int primary key,
  source_id int not null,
  lease_until timestamptz(3) not null
);

grant select, insert, update, delete on directory.forks to storeward_system;

-- A snapshot is a store that nobody finds: it serves no requests, and is listed with its source.
alter table directory.stores
  add column snapshot_of int,
  add column snapshot_name text,
  add constraint stores_snapshot check ((snapshot_of is null) = (snapshot_name is null));
create unique index stores_snapshots on directory.stores (snapshot_of, snapshot_name);
