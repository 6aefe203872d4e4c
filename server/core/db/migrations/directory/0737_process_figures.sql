-- The load of each server process, a row a minute for a day, for the console. Unlogged: it is lost with a crash of the database.
create unlogged table directory.process_figures (
  process text collate "C" not null,
  at timestamptz(0) not null,
  errors int not null,
  -- Requests by their durations, shortest first.
  durations jsonb not null,
  memory bigint not null,
  delay numeric not null,
  -- Requests of the busiest stores.
  stores jsonb not null,
  primary key (process, at)
);
create index process_figures_at on directory.process_figures (at);
grant select, insert, update, delete on directory.process_figures to storeward_system;
