-- Where a store sells. Each has the channel 1 from its creation; the next ones are numbered from 664159.
create table channels (
  store_id int not null,
  id bigint not null,
  external_id text not null,
  is_listable_from_ui boolean not null,
  -- Follows from the status, and is written with it.
  is_enabled boolean not null,
  is_visible boolean not null,
  status text not null,
  name text not null,
  name_key text collate "C" not null,
  type text not null,
  platform text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  icon_url text not null,
  primary key (store_id, id)
);
-- The name of a deleted channel is free.
create unique index channels_name_unique on channels (store_id, type, platform, name_key)
  where status not in ('deleted', 'terminated');

-- Stores that are there already. The owner of the tables may be one who sees no rows behind their policies.
alter table store_profiles no force row level security;
insert into channels (store_id, id, external_id, is_listable_from_ui, is_enabled, is_visible, status, name, name_key, type,
    platform, date_created, date_modified, icon_url)
  select store_id, 1, '', true, true, true, 'active', 'Storefront', 'storefront', 'storefront', 'bigcommerce', now(), now(), ''
  from store_profiles;
alter table counters no force row level security;
insert into counters (store_id, resource, last_id, total, version)
  select store_id, 'channels', 664158, 1, 1 from store_profiles;
alter table counters force row level security;
alter table store_profiles force row level security;

alter table channels enable row level security, force row level security;
create policy wall on channels to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update on channels to storeward;
