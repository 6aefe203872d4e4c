-- Imports and exports of redirects.
create table redirect_jobs (
  store_id int not null,
  id text collate "C" not null,
  kind text collate "C" not null,
  status text collate "C" not null,
  -- Rows that were stored or written, rows that were refused, and all rows once they are counted.
  completed_items int not null,
  failed_items int not null,
  total_items int not null,
  errors jsonb not null,
  -- Rows of the file that are done: a later run continues behind them.
  rows_done int not null,
  -- The name of the imported or exported content; null when it was deleted.
  file text collate "C",
  -- The choice of an export.
  options jsonb not null,
  -- Counts the changes of this row: streams of events compare it.
  version int not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  completed_at timestamptz(3),
  primary key (store_id, id)
);
create unique index redirect_jobs_active on redirect_jobs (store_id) where status in ('new', 'working');
create index redirect_jobs_created on redirect_jobs (store_id, created_at, id);

alter table redirect_jobs enable row level security, force row level security;
create policy wall on redirect_jobs to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on redirect_jobs to storeward;
-- One statement a second reads the progress of the jobs of all open streams. Errors have texts of merchants.
create policy across_stores on redirect_jobs to storeward_system using (true);
grant select (store_id, id, kind, status, completed_items, failed_items, total_items, version) on redirect_jobs
  to storeward_system;
