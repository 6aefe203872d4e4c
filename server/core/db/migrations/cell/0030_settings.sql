-- What a store has settled, by families: its own values for all channels, and those of single channels. What is in no row has
-- the default of its family.
create table settings (
  store_id int not null,
  -- Its path below /settings.
  family text collate "C" not null,
  -- 0 for all channels.
  channel_id bigint not null,
  value jsonb not null,
  primary key (store_id, family, channel_id)
);

-- Stores that are there already: a password for their storefront before its launch. New stores get theirs from the server. The
-- owner of the tables may be one who sees no rows behind their policies.
alter table store_profiles no force row level security;
insert into settings (store_id, family, channel_id, value)
  select store_id, 'storefront/status', 0,
    jsonb_build_object('prelaunch_password', left(replace(gen_random_uuid()::text, '-', ''), 10))
  from store_profiles;
alter table store_profiles force row level security;

alter table settings enable row level security, force row level security;
create policy wall on settings to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on settings to storeward;
