-- Gift wrappings of a store, which its operator sets.
create table wrappings (
  store_id int not null,
  id int not null,
  name text not null,
  -- For one unit, in the default currency of the store.
  price amount not null,
  is_visible boolean not null,
  primary key (store_id, id)
);

alter table wrappings enable row level security, force row level security;
create policy wall on wrappings to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on wrappings to storeward;
