-- A wish to archive all orders up to an id: they count as archived from its commit on, and a job archives them in pieces.
create table order_archivals (
  store_id int primary key,
  until_id int not null
);
alter table order_archivals enable row level security, force row level security;
create policy wall on order_archivals to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on order_archivals to storeward;
