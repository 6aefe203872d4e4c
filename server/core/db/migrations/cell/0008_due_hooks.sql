-- Which hooks have something to send, and where to. Workers look here ten times a second, so the look costs what is due:
-- hooks that wait for a retry are not read, and those whose host is full are left out by the statement.

-- The host of the destination, as URLs spell it.
alter table hooks add column host text collate "C" not null default '';

-- One row for each hook that has lanes. Whoever adds, takes or returns lanes changes it in the same transaction.
create table due_hooks (
  store_id int not null,
  hook_id int not null,
  host text collate "C" not null,
  -- When to look at the hook next: never later than its first lane is due. A hook that was served goes behind the others.
  due_at timestamptz(3) not null,
  primary key (store_id, hook_id)
);
-- The one thing that is asked is what is due, over all stores.
create index due_hooks_due on due_hooks (due_at);

alter table due_hooks enable row level security, force row level security;
create policy wall on due_hooks to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on due_hooks to storeward;
create policy across_stores on due_hooks to storeward_system using (true);
grant select on due_hooks to storeward_system;
