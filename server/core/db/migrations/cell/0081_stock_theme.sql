-- Stores that are there already get the theme that every store has, and their first channel shows it. The ids are those of
-- server/themes/stock.ts. The owner of the tables may be one who sees no rows behind their policies.
alter table store_profiles no force row level security;
alter table themes no force row level security;
alter table theme_variations no force row level security;
alter table theme_configurations no force row level security;
alter table active_themes no force row level security;

insert into themes (store_id, uuid, version_uuid, name, is_private, updated_at)
  select store_id, 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0001', 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0002', 'Homestead', false, now()
  from store_profiles on conflict do nothing;

insert into theme_variations (store_id, uuid, theme_uuid, position, name, description, external_id)
  select store_id, 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0011', 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0001', 0, 'Light',
    'Dark text on a light ground.', 'light'
  from store_profiles on conflict do nothing;
insert into theme_variations (store_id, uuid, theme_uuid, position, name, description, external_id)
  select store_id, 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0012', 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0001', 1, 'Dusk',
    'Light text on a dark ground.', 'dusk'
  from store_profiles on conflict do nothing;

insert into theme_configurations (store_id, uuid, theme_uuid, variation_uuid, number, is_original, channel_id, site_id, date_created)
  select store_id, 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0021', 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0001',
    'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0011', 1, true, 0, 0, now()
  from store_profiles on conflict do nothing;
insert into theme_configurations (store_id, uuid, theme_uuid, variation_uuid, number, is_original, channel_id, site_id, date_created)
  select store_id, 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0022', 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0001',
    'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0012', 2, true, 0, 0, now()
  from store_profiles on conflict do nothing;

insert into active_themes (store_id, channel_id, active_theme_uuid, active_theme_configuration_uuid, active_theme_version_uuid,
    saved_theme_configuration_uuid)
  select store_id, 1, 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0001', 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0021',
    'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0002', 'c2a5b9d0-7f0e-4b58-9f5a-0d6f4f1c0021'
  from store_profiles on conflict do nothing;

alter table active_themes force row level security;
alter table theme_configurations force row level security;
alter table theme_variations force row level security;
alter table themes force row level security;
alter table store_profiles force row level security;
