-- Which store the pages at a host belong to. A store claims a host here before a site of its cell takes it, so that no two
-- stores, in whichever cells, have one host.
create table directory.site_hosts (
  host text collate "C" primary key,
  store_id int not null,
  -- Another one each time that a store claims the host.
  claim text collate "C" not null,
  claimed_at timestamptz(3) not null
);

grant select, insert, update, delete on directory.site_hosts to storeward_system;
