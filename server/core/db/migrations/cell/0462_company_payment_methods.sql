-- The payment methods of companies (docs/contract/b2b-credit.md section 4). A method without a row is enabled.
create table b2b_company_methods (
  store_id int not null,
  company_id int not null,
  code text collate "C" not null,
  is_enabled boolean not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, company_id, code),
  foreign key (store_id, company_id) references companies on delete cascade
);
alter table b2b_company_methods enable row level security, force row level security;
create policy wall on b2b_company_methods to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_company_methods to storeward;
