-- What all processes of an installation must agree on: one row.
create table directory.installation (
  only_row boolean primary key default true check (only_row),
  -- Derived from SECRET, which can't be had back from it. A process with another secret is refused before it changes anything.
  secret_verifier text collate "C" not null
);

grant select on directory.installation to storeward_system;
-- A command that opens the database without its administrator asks whether the tables are up to date.
grant select on directory_migrations to storeward_system;
