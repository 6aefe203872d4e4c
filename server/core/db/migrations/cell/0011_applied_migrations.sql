-- A command that opens the database without its administrator asks whether the tables are up to date.
grant select on cell_migrations to storeward_system;
