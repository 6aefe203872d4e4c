-- Events and webhooks. An event is a row in the transaction of the change; the dispatcher turns it into deliveries, one
-- for each hook that listens; a worker sends them.

-- A client secret signs callbacks. After it was replaced, the former one signs beside it for a day.
alter table api_accounts add column former_secret text, add column former_until timestamptz(0);

-- One row for each store that ever published. Its lock is taken at the very end of a publishing transaction, so numbers
-- are given in the order of commits and a reader never finds a gap that fills later.
create table event_streams (
  store_id int primary key,
  last_seq bigint not null,
  -- Milliseconds of the newest event; never goes back, so that event ids rise with their numbers.
  last_ms bigint not null,
  dispatched_seq bigint not null
);
-- Where the dispatcher looks: only the stores that have something new.
create index event_streams_behind on event_streams (store_id) where last_seq > dispatched_seq;

-- A ring of days: slot is the day since 1970 modulo 33. Retention empties a whole slot before its turn comes again.
create table events (
  store_id int not null,
  slot int not null,
  seq bigint not null,
  ms bigint not null,
  -- Makes the event's id hard to guess; together with ms and seq it is the id.
  nonce int not null,
  scope text collate "C" not null,
  -- The thing that changed: events of one resource reach a hook in their order.
  resource text collate "C" not null,
  -- Compact JSON whose keys keep their order.
  data text not null,
  -- Only hooks of this client hear of it; null for all.
  client_id text collate "C",
  primary key (store_id, seq, slot)
) partition by list (slot);

create table hooks (
  store_id int not null,
  id int not null,
  client_id text collate "C" not null,
  scope text not null,
  scope_key text collate "C" not null,
  destination text not null,
  destination_key text collate "C" not null,
  -- The client's own headers, encrypted: they often hold secrets.
  headers text not null,
  is_active boolean not null,
  events_history_enabled boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  -- active, inactive (by the client) or deactivated (by the server, for the reason).
  status text not null,
  reason text not null default '',
  -- The 90 days of a hook count from here or from its last update, whichever is later.
  last_matched_at timestamptz(3) not null default 'epoch',
  -- Since when no delivery got through; null while they do.
  failing_since timestamptz(0),
  primary key (store_id, id),
  constraint hooks_unique unique (store_id, client_id, scope, destination)
);
create index hooks_scope on hooks (store_id, scope, id);
create index hooks_client on hooks (store_id, client_id, id);
create index hooks_client_scope on hooks (store_id, client_id, scope_key, id);
create index hooks_client_destination on hooks (store_id, client_id, destination_key, id);

-- What a client wants to be told by mail, and about whom.
create table hook_admins (
  store_id int not null,
  client_id text collate "C" not null,
  emails jsonb not null,
  primary key (store_id, client_id)
);

-- The order of a hook and resource: its deliveries leave one after another. A lane that is being worked on is due when its
-- lease ends; whoever takes it raises the fence, and an outcome under an old fence counts for nothing.
create table lanes (
  store_id int not null,
  hook_id int not null,
  resource text collate "C" not null,
  due_at timestamptz(3) not null,
  fence bigint not null,
  -- Failed attempts of the first delivery.
  failures int not null,
  primary key (store_id, hook_id, resource)
);
create index lanes_due on lanes (store_id, hook_id, due_at);

create table deliveries (
  store_id int not null,
  hook_id int not null,
  resource text collate "C" not null,
  seq bigint not null,
  slot int not null,
  -- Attempts that were made before this delivery was queued: it may have been parked meanwhile, or is sent once more. The
  -- numbers of attempts go on behind them, while the schedule begins anew.
  attempted int not null default 0,
  primary key (store_id, hook_id, resource, seq)
);

-- Deliveries of hooks that were switched off, for 7 days, until they are recovered.
create table parked_deliveries (
  store_id int not null,
  hook_id int not null,
  seq bigint not null,
  slot int not null,
  resource text collate "C" not null,
  attempted int not null default 0,
  parked_at timestamptz(0) not null,
  primary key (store_id, hook_id, seq)
);
create index parked_deliveries_age on parked_deliveries (store_id, parked_at);

-- The log of attempts, in the same ring of days.
create table attempts (
  store_id int not null,
  slot int not null,
  hook_id int not null,
  seq bigint not null,
  event_slot int not null,
  attempt int not null,
  started_at timestamptz(3) not null,
  -- Null while it is under way, and for good when the sender died.
  outcome text,
  duration_ms int,
  status_code int,
  error text,
  excerpt text,
  next_attempt_at timestamptz(0),
  primary key (store_id, hook_id, seq, attempt, slot)
) partition by list (slot);
create index attempts_hook on attempts (store_id, hook_id, started_at);
create index attempts_failed on attempts (store_id, hook_id, started_at) where outcome <> 'delivered';

-- A client's destination host whose success ratio was too low: nothing is sent there for a while.
create table host_blocks (
  store_id int not null,
  client_id text collate "C" not null,
  host text collate "C" not null,
  blocked_until timestamptz(0) not null,
  reasons jsonb not null,
  primary key (store_id, client_id, host)
);

-- Mails that the server owes somebody, written by the transaction that has the reason. Kept for 30 days.
create table mails (
  store_id int not null,
  id text collate "C" not null,
  recipient text not null,
  subject text not null,
  text text not null,
  created_at timestamptz(0) not null,
  sent_at timestamptz(0),
  failures int not null,
  -- Null when it is sent or given up. While it is being sent, the end of the lease.
  due_at timestamptz(3),
  primary key (store_id, id)
);
create index mails_due on mails (store_id, due_at) where due_at is not null;
create index mails_age on mails (store_id, created_at);

do $$
declare
  name text;
begin
  foreach name in array array['events', 'attempts'] loop
    for slot in 0..32 loop
      execute format('create table %I partition of %I for values in (%s)', name || '_' || slot, name, slot);
    end loop;
  end loop;
  -- The walls, on every table of this file and on every partition of theirs.
  for name in
    select relname from pg_class join pg_namespace n on n.oid = relnamespace
    where nspname = 'public' and relkind in ('r', 'p')
      and relname ~ '^(event_streams|events|hooks|hook_admins|lanes|deliveries|parked_deliveries|attempts|host_blocks|mails)(_\d+)?$'
  loop
    execute format('alter table %I enable row level security, force row level security', name);
    execute format(
      'create policy wall on %I to storeward using (store_id = nullif(current_setting(''app.store'', true), '''')::int)',
      name);
    -- Partitions are reached through their table, and through nothing else.
    if name !~ '_\d+$' then
      execute format('grant select, insert, update, delete on %I to storeward', name);
    end if;
  end loop;
  for name in select relname from pg_class where relname ~ '^(events|attempts)_\d+$' and relkind = 'r' loop
    -- The policy of the system role lets nothing through: it may empty a slot, it never reads one.
    execute format('grant truncate on %I to storeward_system', name);
  end loop;
end $$;

-- What is asked across stores: which have something new, which hooks have something due or have been idle too long, which
-- mails are to be sent. And an account takes its hooks along with all that waits for them.
create policy across_stores on event_streams to storeward_system using (true);
create policy across_stores on lanes to storeward_system using (true);
create policy across_stores on hooks to storeward_system using (true);
create policy across_stores on deliveries to storeward_system using (true);
create policy across_stores on parked_deliveries to storeward_system using (true);
create policy across_stores on hook_admins to storeward_system using (true);
create policy across_stores on host_blocks to storeward_system using (true);
create policy across_stores on mails to storeward_system using (true);
grant select on event_streams, mails to storeward_system;
grant select, delete on hooks, lanes, deliveries, parked_deliveries, hook_admins, host_blocks to storeward_system;
