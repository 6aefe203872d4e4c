-- The log of requests. PostgreSQL refuses COPY into tables with row policies, and one insert for each request would cost as much as a
-- small read. So these rows are in a schema that the role of requests can't enter, and only the system role reads and writes them.
create schema request_log;
grant usage on schema request_log to storeward_system;

-- A ring of eight-hour slots: the slot is the number of eight hours since 1970 modulo 24. Retention empties a whole slot before its turn
-- comes again.
create table request_log.lines (
  store_id int not null,
  slot int not null,
  -- Begins with the time of the request, so the order of ids is that of requests.
  request_id uuid not null,
  correlation_id uuid,
  client_id text collate "C",
  -- Method and route: GET /v3/catalog/brands/{brand_id}.
  operation text collate "C" not null,
  -- The path with its query, without values that are secret.
  path text not null,
  status int not null,
  ms numeric not null,
  statements int not null,
  statement_ms numeric not null,
  address text not null,
  agent text,
  -- The beginnings of the bodies, and their lengths in bytes; null if they are not stored.
  request_body text,
  request_bytes int,
  answer_body text,
  answer_bytes int
) partition by list (slot);
-- Not unique: a row that came twice must not cost its whole batch.
create index lines_order on request_log.lines (store_id, request_id);
grant select, insert, delete on request_log.lines to storeward_system;

do $$
begin
  for slot in 0..23 loop
    execute format('create table request_log.lines_%s partition of request_log.lines for values in (%s)', slot, slot);
    execute format('grant truncate on request_log.lines_%s to storeward_system', slot);
  end loop;
end $$;

-- The store's choice: off, lines or bodies. Null for that of the server.
alter table store_profiles add column request_log text check (request_log in ('off', 'lines', 'bodies'));
create index store_profiles_request_log on store_profiles (store_id) where request_log is not null;
