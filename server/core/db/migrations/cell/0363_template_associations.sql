-- Templates of their own for single products, categories, brands and pages of a channel.
create table custom_template_associations (
  store_id int not null,
  id int not null,
  channel_id bigint not null,
  entity_type text collate "C" not null,
  entity_id int not null,
  file_name text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  primary key (store_id, id)
);
create unique index custom_template_associations_entity on custom_template_associations (store_id, entity_type, entity_id, channel_id);
create index custom_template_associations_channel on custom_template_associations (store_id, channel_id, id);

alter table custom_template_associations enable row level security, force row level security;
create policy wall on custom_template_associations to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on custom_template_associations to storeward;
