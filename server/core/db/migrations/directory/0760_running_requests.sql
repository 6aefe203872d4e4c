-- Requests of a store that have been running for a while at one process, by the limit that counts them. Unlogged: after a crash of the
-- database they are counted anew.
create unlogged table directory.running_requests (
  store_id int not null,
  kind text collate "C" not null,
  process text collate "C" not null,
  running int not null,
  seen_at timestamptz(3) not null,
  primary key (store_id, kind, process)
);

grant select, insert, update, delete on directory.running_requests to storeward_system;
