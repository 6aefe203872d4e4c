-- Stores that were deleted: which, and when. The rows stay, so that it can be told what became of a number or a hash.
create table directory.deleted_stores (
  id int primary key,
  hash text collate "C" not null,
  name text not null,
  cell text not null,
  deleted_at timestamptz(3) not null,
  -- When nothing was left of it; until then its hash is not given again, and whoever looks after stores goes on removing.
  finished_at timestamptz(3)
);

grant select, insert, update on directory.deleted_stores to storeward_system;
