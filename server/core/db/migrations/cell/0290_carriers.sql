-- Services that quote shipping costs for a store. The operator registers them (`storeward carrier`); clients of the store connect them.
create table carriers (
  store_id int not null,
  carrier_id text collate "C" not null,
  name text not null,
  rate_url text not null,
  -- '' for a carrier that checks no connections.
  check_url text not null,
  -- Whether it quotes for several carriers, each with a name of its own.
  is_multi boolean not null,
  -- Fields of a connection, and of the settings of a method.
  connection_schema jsonb not null,
  settings_schema jsonb not null,
  -- Time of a request for quotes, at most 5 s.
  rate_ms int not null,
  -- Signs requests; encrypted, '' for none.
  secret text not null,
  primary key (store_id, carrier_id)
);
alter table carriers enable row level security, force row level security;
create policy wall on carriers to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on carriers to storeward;
