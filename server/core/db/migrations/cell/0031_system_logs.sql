-- What a store is told of by the server: what went wrong where nobody was asking. Kept for a year.
create table system_logs (
  store_id int not null,
  id int not null,
  type text collate "C" not null,
  module text collate "C" not null,
  -- 1 success, 2 notice, 3 warning, 4 error.
  severity int not null,
  summary text not null,
  message text not null,
  date_created timestamptz(0) not null,
  primary key (store_id, id)
);
create index system_logs_date on system_logs (store_id, date_created, id);
-- Across stores: what has been kept long enough.
create index system_logs_old on system_logs (date_created);

alter table system_logs enable row level security, force row level security;
create policy wall on system_logs to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy across_stores on system_logs to storeward_system using (true);
grant select, insert, delete on system_logs to storeward;
grant select (store_id, date_created) on system_logs to storeward_system;
