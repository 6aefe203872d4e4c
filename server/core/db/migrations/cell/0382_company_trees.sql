-- Companies below other companies, and permissions that a store defines (docs/contract/companies.md sections 2 and 3).
-- 0 for a company at the top.
alter table companies add column parent_id int not null default 0;
create index companies_parent on companies (store_id, parent_id, id);

create table company_permissions (
  store_id int not null,
  -- From 1001 on: the predefined permissions have the first ids.
  id int not null,
  name text not null,
  name_key text collate "C" not null,
  description text not null,
  code text not null,
  code_key text collate "C" not null,
  module_name text not null,
  primary key (store_id, id),
  constraint company_permissions_name_unique unique (store_id, name_key),
  constraint company_permissions_code_unique unique (store_id, code_key)
);

-- Operations with a limit of their own beside that of the store.
create table b2b_slow_windows (
  store_id int not null,
  operation text collate "C" not null,
  ends_at timestamptz not null,
  used int not null,
  primary key (store_id, operation)
);

alter table company_permissions enable row level security, force row level security;
alter table b2b_slow_windows enable row level security, force row level security;
create policy wall on company_permissions to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_slow_windows to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on company_permissions, b2b_slow_windows to storeward;
