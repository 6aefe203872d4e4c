-- Contents of any size, known by what they hold: the name is the digest of the bytes. The same bytes are stored once, and belong to
-- each of their owners.
create table contents (
  store_id int not null,
  name text collate "C" not null,
  owner text collate "C" not null,
  primary key (store_id, name, owner)
);
create index contents_owner on contents (store_id, owner);

create table themes (
  store_id int not null,
  uuid text collate "C" not null,
  version_uuid text collate "C" not null,
  name text not null,
  is_private boolean not null,
  -- The uploaded archive, and what its config.json and schema.json say. Null for the theme that comes with the server: that one is
  -- read from its folder, and changes with the server.
  archive text collate "C",
  config jsonb,
  schema jsonb,
  custom_templates jsonb,
  updated_at timestamptz not null,
  primary key (store_id, uuid)
);
create unique index themes_version on themes (store_id, version_uuid);

create table theme_variations (
  store_id int not null,
  uuid text collate "C" not null,
  theme_uuid text collate "C" not null,
  position int not null,
  name text not null,
  description text not null,
  external_id text not null,
  primary key (store_id, uuid)
);
create index theme_variations_theme on theme_variations (store_id, theme_uuid, position);

create table theme_configurations (
  store_id int not null,
  uuid text collate "C" not null,
  theme_uuid text collate "C" not null,
  variation_uuid text collate "C" not null,
  -- Counts from 1 within the theme.
  number int not null,
  -- Made with the variation; the others were saved by clients.
  is_original boolean not null,
  -- Null for an original of the theme that comes with the server.
  settings jsonb,
  -- 0 where it was made for no channel in particular.
  channel_id bigint not null,
  site_id int not null,
  date_created timestamptz(0) not null,
  activated_at timestamptz,
  primary key (store_id, uuid)
);
create unique index theme_configurations_theme on theme_configurations (store_id, theme_uuid, number);

-- Uploads and downloads, as clients see them. What does the work is a job of core/jobs.
create table theme_jobs (
  store_id int not null,
  id text collate "C" not null,
  kind text not null,
  -- Of an upload none, until it has become a theme.
  theme_uuid text collate "C",
  -- Of a download: the configuration that config.json is to carry.
  configuration_uuid text collate "C",
  -- The archive: what was uploaded, or what can be downloaded.
  archive text collate "C",
  status text not null,
  percent_complete int not null,
  errors jsonb not null,
  warnings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (store_id, id)
);
create index theme_jobs_theme on theme_jobs (store_id, theme_uuid);
-- A store has one upload at a time.
create unique index theme_jobs_one_upload on theme_jobs (store_id) where kind = 'upload' and status in ('QUEUED', 'WORKING');

alter table contents enable row level security, force row level security;
alter table themes enable row level security, force row level security;
alter table theme_variations enable row level security, force row level security;
alter table theme_configurations enable row level security, force row level security;
alter table theme_jobs enable row level security, force row level security;

create policy wall on contents to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on themes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on theme_variations to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on theme_configurations to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on theme_jobs to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on contents, themes, theme_variations, theme_configurations, theme_jobs to storeward;
