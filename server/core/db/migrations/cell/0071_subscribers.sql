-- Who wants mails of a store. No customer is meant: what they have in common is the address alone.
create table subscribers (
  store_id int not null,
  id int not null,
  email text not null,
  email_key text collate "C" not null,
  first_name text not null,
  first_name_key text collate "C" not null,
  last_name text not null,
  last_name_key text collate "C" not null,
  source text not null,
  source_key text collate "C" not null,
  order_id int,
  channel_id int not null,
  -- Of marketing_newsletter and abandoned_cart; none for one who has unsubscribed.
  consents jsonb not null,
  date_modified timestamptz(0) not null,
  date_created timestamptz(0) not null,
  primary key (store_id, id),
  constraint subscribers_email_unique unique (store_id, email_key) include (id)
);
create index subscribers_first_name on subscribers (store_id, first_name_key, id);
create index subscribers_last_name on subscribers (store_id, last_name_key, id);
create index subscribers_source on subscribers (store_id, source_key, id);
create index subscribers_order on subscribers (store_id, order_id, id) where order_id is not null;
create index subscribers_created on subscribers (store_id, date_created, id);
create index subscribers_modified on subscribers (store_id, date_modified, id);

alter table subscribers enable row level security, force row level security;
create policy wall on subscribers to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on subscribers to storeward;
