-- Super admins: customers who buy for several companies (docs/contract/b2b-super-admins.md).
create table b2b_super_admins (
  store_id int not null,
  id int not null,
  customer_id int not null,
  phone text not null,
  -- The id of another system; not unique.
  uuid text not null,
  origin_channel_id bigint not null,
  channel_ids jsonb not null,
  extra_values jsonb not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint b2b_super_admins_customer_unique unique (store_id, customer_id)
);

create table b2b_super_admin_companies (
  store_id int not null,
  super_admin_id int not null,
  company_id int not null,
  primary key (store_id, super_admin_id, company_id),
  foreign key (store_id, super_admin_id) references b2b_super_admins on delete cascade,
  foreign key (store_id, company_id) references companies on delete cascade
);
create index b2b_super_admin_companies_company on b2b_super_admin_companies (store_id, company_id, super_admin_id);

alter table b2b_super_admins enable row level security, force row level security;
alter table b2b_super_admin_companies enable row level security, force row level security;
create policy wall on b2b_super_admins to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_super_admin_companies to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_super_admins, b2b_super_admin_companies to storeward;
