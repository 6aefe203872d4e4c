-- The companion business-to-business API (docs/contract/b2b.md): whether a store has it, and what it may be asked in a minute.
create table b2b_settings (
  store_id int primary key,
  is_enabled boolean not null
);

create table b2b_request_windows (
  store_id int primary key,
  ends_at timestamptz not null,
  used int not null
);

-- What users of companies may do. The first three come with the API and are fixed.
create table company_roles (
  store_id int not null,
  id int not null,
  name text not null,
  name_key text collate "C" not null,
  -- 1: it comes with the API, and its permissions are in the code. 2: it was made by a client.
  role_type int not null,
  -- [{code, permissionLevel}], of those that a client made.
  permissions jsonb not null,
  primary key (store_id, id),
  constraint company_roles_name_unique unique (store_id, name_key)
);

-- Firms that buy. Their users are customers of the store.
create table companies (
  store_id int not null,
  id int not null,
  company_name text not null,
  company_name_key text collate "C" not null,
  company_email text not null,
  company_email_key text collate "C" not null,
  company_phone text not null,
  address_line1 text not null,
  address_line2 text not null,
  city text not null,
  state text not null,
  country text not null,
  zip_code text not null,
  -- 0 pending, 1 approved, 2 rejected, 3 inactive.
  company_status int not null,
  -- The group of the customers who are its users; 0 for none.
  customer_group_id int not null,
  -- What another system calls it; not unique.
  uuid text not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint companies_name_unique unique (store_id, company_name_key),
  constraint companies_email_unique unique (store_id, company_email_key)
);
create index companies_updated on companies (store_id, updated_at, id);
create index companies_status on companies (store_id, company_status, id);
create index companies_group on companies (store_id, customer_group_id, id);

-- Who buys for a company. Name and e-mail address are those of the customer.
create table company_users (
  store_id int not null,
  id int not null,
  company_id int not null,
  customer_id int not null,
  company_role_id int not null,
  phone_number text not null,
  -- What another system calls the user; not unique.
  uuid text not null,
  origin_channel_id bigint not null,
  -- Where the user may sign in.
  channel_ids jsonb not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint company_users_customer_unique unique (store_id, customer_id),
  foreign key (store_id, company_id) references companies,
  foreign key (store_id, company_role_id) references company_roles
);
create index company_users_company on company_users (store_id, company_id, id);
create index company_users_role on company_users (store_id, company_role_id, id);

alter table b2b_settings enable row level security, force row level security;
alter table b2b_request_windows enable row level security, force row level security;
alter table company_roles enable row level security, force row level security;
alter table companies enable row level security, force row level security;
alter table company_users enable row level security, force row level security;

create policy wall on b2b_settings to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_request_windows to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on company_roles to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on companies to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on company_users to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on b2b_settings, b2b_request_windows, company_roles, companies, company_users to storeward;
