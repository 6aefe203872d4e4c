-- Rules that make requests to test stores fail. They end by themselves.
create table directory.faults (
  store_id int not null,
  -- Never used again: a process may have cached a rule that was cleared.
  id int not null generated always as identity,
  rule jsonb not null,
  -- Requests that matched, in all processes: the occasions of the rule are counted by it.
  seen int not null default 0,
  ends_at timestamptz(3) not null,
  primary key (store_id, id)
);

grant select, insert, update, delete on directory.faults to storeward_system;
