-- The customers that sales representatives made by creating users of companies. A representative links no other customer to a
-- company, and changes the e-mail address of no other one (docs/contract/companies.md section 5).
create table b2b_made_customers (
  store_id int not null,
  customer_id int not null,
  staff_id int not null,
  primary key (store_id, customer_id),
  foreign key (store_id, customer_id) references customers on delete cascade,
  foreign key (store_id, staff_id) references b2b_staff on delete cascade
);
create index b2b_made_customers_staff on b2b_made_customers (store_id, staff_id);

alter table b2b_made_customers enable row level security, force row level security;
create policy wall on b2b_made_customers to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_made_customers to storeward;
