-- Settings that the portal of buyers reads (docs/contract/b2b-graphql.md section 6). Channel 0 has the values of the whole store.
create table b2b_portal_settings (
  store_id int not null,
  channel_id bigint not null,
  key text collate "C" not null,
  -- Null where only the extra fields differ from their default.
  value text,
  extra jsonb,
  primary key (store_id, channel_id, key)
);

-- The companies for which users and super admins act.
create table b2b_masquerades (
  store_id int not null,
  customer_id int not null,
  company_id int not null,
  begun_at timestamptz(0) not null,
  primary key (store_id, customer_id),
  foreign key (store_id, customer_id) references customers on delete cascade,
  foreign key (store_id, company_id) references companies on delete cascade
);
create index b2b_masquerades_company on b2b_masquerades (store_id, company_id, customer_id);

alter table b2b_portal_settings enable row level security, force row level security;
alter table b2b_masquerades enable row level security, force row level security;
create policy wall on b2b_portal_settings to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_masquerades to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_portal_settings, b2b_masquerades to storeward;

-- Files that shoppers have uploaded, and that no form has named yet.
create table b2b_portal_uploads (
  store_id int not null,
  id text collate "C" not null,
  -- The name of its content.
  content text collate "C" not null,
  -- Null for a guest.
  customer_id int,
  created_at timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, customer_id) references customers on delete cascade
);
create index b2b_portal_uploads_old on b2b_portal_uploads (store_id, created_at);
create index b2b_portal_uploads_customer on b2b_portal_uploads (store_id, customer_id);

alter table b2b_portal_uploads enable row level security, force row level security;
create policy wall on b2b_portal_uploads to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_portal_uploads to storeward;
