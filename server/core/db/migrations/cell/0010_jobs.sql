-- Jobs: all that is done later. A job is a row in the transaction of the change that wants it (docs/decisions/009-jobs.md).

create table jobs (
  store_id int not null,
  id text collate "C" not null,
  -- Jobs of one key run one after another, in the order of seq.
  key text collate "C" not null,
  seq bigint not null,
  task text collate "C" not null,
  payload jsonb not null,
  created_at timestamptz(0) not null,
  due_at timestamptz not null,
  -- waiting (also while it runs), done, failed (for good), held (failed for good, and its key waits for an operator).
  state text collate "C" not null,
  -- How often it was begun. An outcome that comes under an older number counts for nothing: it is the fence.
  attempts int not null,
  -- Of these, the attempts made before an operator asked for another try: the retry table begins anew behind them.
  attempted int not null,
  -- Null unless an attempt is under way, or its worker died.
  begun_at timestamptz(0),
  -- What the last attempt failed of.
  reason text,
  ended_at timestamptz(0),
  -- When an ended job is forgotten.
  kept_until timestamptz(3),
  primary key (store_id, id)
);
create index jobs_waiting on jobs (store_id, key, seq) where state = 'waiting';
create index jobs_failed on jobs (store_id, task) where state in ('failed', 'held');
-- Across stores: retention looks for what has been kept long enough.
create index jobs_forgotten on jobs (kept_until) where kept_until is not null;

-- The order of a key: a lane is there as long as its key has jobs to do. While its first job runs it is due when the lease ends.
create table job_lanes (
  store_id int not null,
  key text collate "C" not null,
  -- The first job, and its task.
  head text collate "C" not null,
  task text collate "C" not null,
  -- Null while it is held.
  due_at timestamptz,
  last_seq bigint not null,
  -- Whether job_queues may not know of its due time yet.
  is_new boolean not null,
  primary key (store_id, key)
);
create index job_lanes_due on job_lanes (store_id, task, due_at);
create index job_lanes_new on job_lanes (store_id, task) where is_new;

-- A store's lanes of one task: due_at is not later than that of its first lane, new ones aside; null if there is none. So
-- workers look at queues that are due, and not at all lanes of all stores.
create table job_queues (
  store_id int not null,
  task text collate "C" not null,
  due_at timestamptz,
  primary key (store_id, task)
);
-- Across stores: what workers look at.
create index job_queues_due on job_queues (due_at);

-- Mails on their way become jobs; the text of every mail stays readable for 30 days.
alter table mails no force row level security;
insert into job_lanes (store_id, key, head, task, due_at, last_seq, is_new)
  select store_id, id, id, 'send_mail', due_at, 1, true from mails where due_at is not null;
insert into jobs (store_id, id, key, seq, task, payload, created_at, due_at, state, attempts, attempted)
  select store_id, id, id, 1, 'send_mail', jsonb_build_object('mail', id), created_at, due_at, 'waiting', failures, 0
  from mails where due_at is not null;
alter table mails drop column due_at, drop column failures;
alter table mails force row level security;
drop policy across_stores on mails;
revoke select on mails from storeward_system;

alter table jobs enable row level security, force row level security;
alter table job_lanes enable row level security, force row level security;
alter table job_queues enable row level security, force row level security;
create policy wall on jobs to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on job_lanes to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on job_queues to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on jobs, job_lanes, job_queues to storeward;

-- Asked across stores: what is due, what is to be forgotten, what failed.
create policy across_stores on jobs to storeward_system using (true);
create policy across_stores on job_lanes to storeward_system using (true);
create policy across_stores on job_queues to storeward_system using (true);
grant select on jobs, job_lanes, job_queues to storeward_system;
