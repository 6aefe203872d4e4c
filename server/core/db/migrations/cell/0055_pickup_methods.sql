-- What stores offer at their locations: ways in which a customer collects an order.
create table pickup_methods (
  store_id int not null,
  id bigint not null,
  location_id int not null,
  name text not null,
  name_key text collate "C" not null,
  collection_instructions text not null,
  collection_time_description text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, id)
);
create index pickup_methods_location on pickup_methods (store_id, location_id, id);

alter table pickup_methods enable row level security, force row level security;
create policy wall on pickup_methods to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on pickup_methods to storeward;
