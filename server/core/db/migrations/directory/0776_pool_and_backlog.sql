-- The most database connections that a process used in a minute, and the callbacks and jobs that were due at its end.
alter table directory.process_figures
  add column pool int not null default 0,
  add column backlog int not null default 0;
