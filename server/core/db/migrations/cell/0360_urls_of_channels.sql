-- Addresses of pages are unique on their channel; all others are unique in the store and have the channel 0. A primary key has no nulls.
-- An address that any page has is also a row of the channel 0, with the owner 0: it refuses the same address to all other kinds.
alter table urls
  add column channel_id bigint not null default 0,
  drop constraint urls_unique,
  add constraint urls_unique primary key (store_id, url_key, channel_id);
