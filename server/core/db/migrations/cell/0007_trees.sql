create table trees (
  store_id int not null,
  id int not null,
  name text not null,
  -- The channel that shows it, if any: one tree for each channel, one channel for each tree.
  channel_id bigint,
  primary key (store_id, id),
  constraint trees_channel_unique unique (store_id, channel_id)
);

-- The defaults are for what wrote categories before these columns were there.
alter table categories
  add column category_uuid text collate "C" not null default gen_random_uuid(),
  add column search_keywords_key text collate "C" not null default '';
-- The server folds by a function of its own, which agrees with this one on all but rare letters.
update categories set search_keywords_key = lower(btrim(normalize(search_keywords, nfc))) where search_keywords <> '';
create index categories_tree on categories (store_id, tree_id, id);
create unique index categories_uuid on categories (store_id, category_uuid);

-- A place among the products of the category; null for none.
alter table product_categories add column sort_order int;
create index product_categories_sort_order on product_categories (store_id, category_id, sort_order, product_id);

alter table trees enable row level security, force row level security;

create policy wall on trees to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on trees to storeward;
