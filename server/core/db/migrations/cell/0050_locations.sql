-- Where a store keeps its goods. Each has the location 1 from its creation.
create table locations (
  store_id int not null,
  id int not null,
  code text not null,
  code_key text collate "C" not null,
  label text not null,
  description text not null,
  managed_by_external_source boolean not null,
  type_id text not null,
  enabled boolean not null,
  -- {open, opening, closing} of each day of the week.
  operating_hours jsonb not null,
  time_zone text not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  -- Null for one that is nowhere, and for the first one until the store says where it is.
  address jsonb,
  storefront_visibility boolean not null,
  special_hours jsonb not null,
  primary key (store_id, id),
  constraint locations_code_unique unique (store_id, code_key)
);

-- Stores that are there already. The owner of the tables may be one who sees no rows behind their policies.
alter table store_profiles no force row level security;
insert into locations (store_id, id, code, code_key, label, description, managed_by_external_source, type_id, enabled,
    operating_hours, time_zone, created_at, updated_at, address, storefront_visibility, special_hours)
  select store_id, 1, 'SVC-LOCATION-1', 'svc-location-1', 'Default location', '', false, 'PHYSICAL', true,
    (select jsonb_object_agg(day, '{"open": false, "opening": "00:00", "closing": "00:00"}'::jsonb)
      from unnest('{sunday,monday,tuesday,wednesday,thursday,friday,saturday}'::text[]) day),
    'Etc/UTC', now(), now(), null, true, '[]'
  from store_profiles;
alter table counters no force row level security;
insert into counters (store_id, resource, last_id, total, version) select store_id, 'locations', 1, 1, 1 from store_profiles;
alter table counters force row level security;
alter table store_profiles force row level security;

alter table locations enable row level security, force row level security;
create policy wall on locations to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on locations to storeward;
