-- Files of companies (docs/contract/companies.md section 10).
create table b2b_attachments (
  store_id int not null,
  id text collate "C" not null,
  company_id int not null,
  -- The name of its bytes (core/files/files.ts).
  content text not null,
  created_at timestamptz(0) not null,
  primary key (store_id, id),
  foreign key (store_id, company_id) references companies
);
create index b2b_attachments_company on b2b_attachments (store_id, company_id, created_at, id);
alter table b2b_attachments enable row level security, force row level security;
create policy wall on b2b_attachments to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_attachments to storeward;
