-- The server processes that run, for doctor: each keeps its own row fresh. Unlogged: after a crash of the database the rows come back
-- within a minute.
create unlogged table directory.processes (
  id text collate "C" primary key,
  host text not null,
  pid int not null,
  role text not null,
  public_url text not null,
  seen_at timestamptz(3) not null
);

grant select, insert, update, delete on directory.processes to storeward_system;
