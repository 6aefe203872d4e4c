-- The languages of channels. A storefront without a row has one, the default of its store.
create table channel_locales (
  store_id int not null,
  channel_id bigint not null,
  code text collate "C" not null,
  is_active boolean not null,
  is_default boolean not null,
  primary key (store_id, channel_id, code)
);
create unique index channel_locales_default on channel_locales (store_id, channel_id) where is_default;

alter table channel_locales enable row level security, force row level security;
create policy wall on channel_locales to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on channel_locales to storeward;
