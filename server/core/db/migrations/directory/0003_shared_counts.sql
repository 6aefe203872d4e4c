-- What processes have counted lately. Each writes its own rows and reads those of the others. Unlogged: after a crash of the
-- database the counts begin anew, which costs nobody anything.

-- The current window of a client, as one process counts it.
create unlogged table directory.quota_windows (
  store_id int not null,
  client_id text collate "C" not null,
  process text collate "C" not null,
  started_at timestamptz(3) not null,
  quota int not null,
  used int not null,
  primary key (store_id, client_id, process)
);

-- Requests of a store in one minute since 1970 at one process.
create unlogged table directory.quota_minutes (
  store_id int not null,
  minute int not null,
  process text collate "C" not null,
  used int not null,
  primary key (store_id, minute, process)
);

create unlogged table directory.failed_logins (
  address text collate "C" not null,
  process text collate "C" not null,
  since timestamptz(3) not null,
  failures int not null,
  primary key (address, process)
);

grant select, insert, update, delete on directory.quota_windows, directory.quota_minutes, directory.failed_logins
  to storeward_system;
