-- A test store is for tests, and only a server with TEST_STORES answers for it. A store is one from its creation, or never.
alter table directory.stores add column is_test boolean not null default false;

-- The keys of operators and of their programs, for /operator/v1.
create table directory.operator_keys (
  id int primary key generated always as identity,
  name text not null,
  -- Keyed with SECRET. The key itself is stored nowhere.
  key_hash text collate "C" not null unique,
  created_at timestamptz(0) not null
);

grant select, insert, delete on directory.operator_keys to storeward_system;
