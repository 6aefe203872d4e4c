-- The regions of each page template, for widgets. Null for the theme that comes with the server, and until a job has read an older theme.
alter table themes add column regions jsonb;

alter table themes no force row level security;
alter table jobs no force row level security;
alter table job_lanes no force row level security;

insert into job_lanes (store_id, key, head, task, due_at, last_seq, is_new)
  select store_id, 'regions of theme ' || uuid, uuid, 'read_theme_regions', now(), 1, true from themes where archive is not null;
insert into jobs (store_id, id, key, seq, task, payload, created_at, due_at, state, attempts, attempted)
  select store_id, uuid, 'regions of theme ' || uuid, 1, 'read_theme_regions', jsonb_build_object('theme', uuid), now(), now(),
    'waiting', 0, 0
  from themes where archive is not null;

alter table job_lanes force row level security;
alter table jobs force row level security;
alter table themes force row level security;
