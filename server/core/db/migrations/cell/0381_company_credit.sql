-- The credit of companies (docs/contract/b2b-credit.md section 2).
alter table b2b_settings add column has_credit boolean not null default true;

create table b2b_credits (
  store_id int not null,
  company_id int not null,
  is_enabled boolean not null,
  currency_code text collate "C" not null,
  -- Orders may make it negative.
  available amount not null,
  limit_purchases boolean not null,
  is_on_hold boolean not null,
  primary key (store_id, company_id),
  foreign key (store_id, company_id) references companies on delete cascade
);
alter table b2b_credits enable row level security, force row level security;
create policy wall on b2b_credits to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_credits to storeward;
