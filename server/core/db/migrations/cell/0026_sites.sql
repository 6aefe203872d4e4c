-- Where the pages of a channel are: at most one site for each. Channel 1 has the site 1000 from the creation of its store; the
-- next ones are numbered from 1001.
create table sites (
  store_id int not null,
  id int not null,
  channel_id bigint not null,
  -- Empty where it is the address that the server gives it.
  url text not null,
  -- Empty where the checkout is at the shared address.
  checkout_url text not null,
  ssl_status text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When the two addresses were given their values.
  url_updated_at timestamptz(3) not null,
  checkout_created_at timestamptz(3),
  checkout_updated_at timestamptz(3),
  primary key (store_id, id),
  constraint sites_channel_unique unique (store_id, channel_id)
);

-- The hosts of both addresses, as they are compared: without www.
create table site_hosts (
  store_id int not null,
  host text collate "C" not null,
  site_id int not null,
  -- The claim in the directory that the host was taken with.
  claim text collate "C" not null,
  primary key (store_id, host)
);
create index site_hosts_site on site_hosts (store_id, site_id);

create table site_routes (
  store_id int not null,
  id int not null,
  site_id int not null,
  type text collate "C" not null,
  matching text collate "C" not null,
  route text not null,
  primary key (store_id, id),
  constraint site_routes_unique unique (store_id, site_id, type, matching)
);

create table site_certificates (
  store_id int not null,
  site_id int not null,
  certificate text not null,
  intermediate_certificates text not null,
  -- AES-256-GCM under the server's key. No answer shows it.
  private_key text not null,
  primary key (store_id, site_id)
);

-- Stores that are there already. The owner of the tables may be one who sees no rows behind their policies.
alter table store_profiles no force row level security;
alter table counters no force row level security;
insert into sites (store_id, id, channel_id, url, checkout_url, ssl_status, created_at, updated_at, url_updated_at)
  select store_id, 1000, 1, '', '', 'shared', now(), now(), now() from store_profiles;
insert into counters (store_id, resource, last_id, total, version)
  select store_id, 'sites', 1000, 1, 1 from store_profiles;
alter table counters force row level security;
alter table store_profiles force row level security;

alter table sites enable row level security, force row level security;
alter table site_hosts enable row level security, force row level security;
alter table site_routes enable row level security, force row level security;
alter table site_certificates enable row level security, force row level security;
create policy wall on sites to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on site_hosts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on site_routes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on site_certificates to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on sites, site_hosts, site_routes, site_certificates to storeward;
