-- The directory: which stores exist, in which state, and in which cell their rows are.
-- One small schema; everything else of a store lives in its cell. No statement joins the two.
create table directory.stores (
  -- Given once over all cells and never used again.
  id int primary key generated always as identity,
  hash text collate "C" not null unique check (hash ~ '^[a-z0-9]{5,16}$'),
  state text not null default 'active' check (state in ('active', 'maintenance', 'upgrading', 'suspended')),
  cell text not null,
  created_at timestamptz(0) not null
);

grant usage on schema directory to storeward_system;
grant select, insert, update, delete on directory.stores to storeward_system;
