-- Templates of widgets. Texts belong to versions.
create table widget_templates (
  store_id int not null,
  id int not null,
  uuid text collate "C" not null,
  channel_id bigint not null,
  name text not null,
  schema_translations text not null,
  current_version_uuid text collate "C" not null,
  date_created timestamptz(3) not null,
  date_modified timestamptz(3) not null,
  primary key (store_id, id)
);
create unique index widget_templates_uuid on widget_templates (store_id, uuid);
create index widget_templates_channel on widget_templates (store_id, channel_id, id);

-- The texts of a template. Widgets name a version.
create table widget_template_versions (
  store_id int not null,
  uuid text collate "C" not null,
  template_uuid text collate "C" not null,
  -- Counts the versions of a template.
  number int not null,
  template text not null,
  schema jsonb not null,
  storefront_api_query text not null,
  -- UTF-8 bytes of the three texts: answers are bounded by their sum.
  bytes int not null,
  primary key (store_id, uuid)
);
create unique index widget_template_versions_template on widget_template_versions (store_id, template_uuid, number);

create table widgets (
  store_id int not null,
  id int not null,
  uuid text collate "C" not null,
  channel_id bigint not null,
  name text not null,
  name_key text collate "C" not null,
  description text not null,
  widget_template_uuid text collate "C" not null,
  version_uuid text collate "C" not null,
  widget_configuration jsonb not null,
  date_created timestamptz(3) not null,
  date_modified timestamptz(3) not null,
  primary key (store_id, id)
);
create unique index widgets_uuid on widgets (store_id, uuid);
create index widgets_channel on widgets (store_id, channel_id, id);
create index widgets_name on widgets (store_id, name_key, id);
create index widgets_template on widgets (store_id, widget_template_uuid, id);
create index widgets_version on widgets (store_id, version_uuid);

-- Positions of widgets on pages.
create table widget_placements (
  store_id int not null,
  id int not null,
  uuid text collate "C" not null,
  channel_id bigint not null,
  widget_uuid text collate "C" not null,
  template_file text collate "C" not null,
  -- The kind of entity_id: product, brand, category or page; empty without one.
  entity_type text collate "C" not null,
  -- Empty for all pages of the file.
  entity_id text collate "C" not null,
  region text not null,
  sort_order int not null,
  status text collate "C" not null,
  date_created timestamptz(3) not null,
  date_modified timestamptz(3) not null,
  primary key (store_id, id)
);
create unique index widget_placements_uuid on widget_placements (store_id, uuid);
create index widget_placements_channel on widget_placements (store_id, channel_id, template_file, entity_id);
create index widget_placements_file on widget_placements (store_id, template_file, id);
create index widget_placements_widget on widget_placements (store_id, widget_uuid, id);
create index widget_placements_entity on widget_placements (store_id, entity_type, entity_id) where entity_type <> '';

-- The widgets of a page that were published together.
create table page_widgets (
  store_id int not null,
  id int not null,
  channel_id bigint not null,
  -- Empty for the regions of all pages.
  template_file text collate "C" not null,
  entity_type text collate "C" not null,
  entity_id text collate "C" not null,
  regions jsonb not null,
  layouts int not null,
  widgets int not null,
  primary key (store_id, id)
);
create unique index page_widgets_page on page_widgets (store_id, channel_id, template_file, entity_id);
create index page_widgets_entity on page_widgets (store_id, entity_type, entity_id) where entity_type <> '';

-- The versions of templates that published pages use.
create table page_widget_versions (
  store_id int not null,
  page_id int not null,
  widget_template_uuid text collate "C" not null,
  version_uuid text collate "C" not null,
  primary key (store_id, page_id, widget_template_uuid),
  foreign key (store_id, page_id) references page_widgets (store_id, id) on delete cascade
);
create index page_widget_versions_template on page_widget_versions (store_id, widget_template_uuid);
create index page_widget_versions_version on page_widget_versions (store_id, version_uuid);

alter table widget_templates enable row level security, force row level security;
create policy wall on widget_templates to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on widget_templates to storeward;

alter table widget_template_versions enable row level security, force row level security;
create policy wall on widget_template_versions to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on widget_template_versions to storeward;

alter table widgets enable row level security, force row level security;
create policy wall on widgets to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on widgets to storeward;

alter table widget_placements enable row level security, force row level security;
create policy wall on widget_placements to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on widget_placements to storeward;

alter table page_widgets enable row level security, force row level security;
create policy wall on page_widgets to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on page_widgets to storeward;

alter table page_widget_versions enable row level security, force row level security;
create policy wall on page_widget_versions to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on page_widget_versions to storeward;
