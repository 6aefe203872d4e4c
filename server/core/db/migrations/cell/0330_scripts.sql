-- Scripts that clients add to the pages of a channel.
create table scripts (
  store_id int not null,
  id int not null,
  uuid text collate "C" not null,
  -- The client that created it. No other client sees it.
  api_client_id text collate "C" not null,
  channel_id bigint not null,
  name text not null,
  name_key text collate "C" not null,
  description text not null,
  description_key text collate "C" not null,
  kind text collate "C" not null,
  -- Only one of the two has a value.
  src text not null,
  html text not null,
  load_method text collate "C" not null,
  location text collate "C" not null,
  visibility text collate "C" not null,
  consent_category text collate "C" not null,
  integrity_hashes jsonb not null,
  enabled boolean not null,
  -- Whether the script is deleted with the account of its client.
  auto_uninstall boolean not null,
  date_created timestamptz(3) not null,
  date_modified timestamptz(3) not null,
  primary key (store_id, id)
);
create unique index scripts_uuid on scripts (store_id, uuid);
create index scripts_channel on scripts (store_id, channel_id);

alter table scripts enable row level security, force row level security;
create policy wall on scripts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on scripts to storeward;
