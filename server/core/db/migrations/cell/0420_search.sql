-- Search of storefronts (docs/decisions/085-search-by-rows.md). All rows are copies: the tables of the catalog have the truth.

-- A product that shoppers may see, once for each of its channels, with the columns that searches sort and filter by.
create table search_rows (
  store_id int not null,
  product_id int not null,
  channel_id bigint not null,
  -- In units of 1/10,000: comparisons of whole numbers are leakproof, those of `numeric` are not.
  price bigint not null,
  sold int not null,
  featured int not null,
  -- The average of the reviews in hundredths, 0 without reviews.
  rating int not null,
  name_key text collate "C" not null,
  in_stock boolean not null,
  -- The values of the product, sorted, behind a 0 that all products have. Counts read them off the row.
  facets bigint[] not null,
  primary key (store_id, product_id, channel_id)
);
create index search_rows_newest on search_rows (store_id, channel_id, product_id);
create index search_rows_price on search_rows (store_id, channel_id, price, product_id);
create index search_rows_sold on search_rows (store_id, channel_id, sold, product_id);
create index search_rows_featured on search_rows (store_id, channel_id, featured, product_id);
create index search_rows_rating on search_rows (store_id, channel_id, rating, product_id);
create index search_rows_name on search_rows (store_id, channel_id, name_key, product_id);

-- The products of each value, if shoppers may see them in any channel.
create table product_facets (
  store_id int not null,
  value bigint not null,
  product_id int not null,
  primary key (store_id, value, product_id)
);

-- The values of options and custom fields. Both keys are folded.
create table facet_values (
  store_id int not null,
  value bigint not null,
  attribute_key text not null,
  attribute text not null,
  label_key text not null,
  label text not null,
  -- The position of the value among those of its option, in the product that had it first.
  position int not null,
  primary key (store_id, value)
);
create index facet_values_attribute on facet_values (store_id, attribute_key, label_key);

-- The words of products. Brands are few, and are searched by their names.
create table search_words (
  store_id int not null,
  word text collate "C" not null,
  product_id int not null,
  -- Whether it is in the product's name, or in its other texts only.
  in_name boolean not null,
  primary key (store_id, word, product_id)
);
-- The words of a product, each behind n (in its name) or t (in other texts), separated by blanks. Null until a job has read a product of an older version.
alter table product_names add column words text;

-- How many products of a context have a value: of all products of a channel (context 0), or of those with the value `context`, which
-- is a category. The value 0 counts all products of the context.
create table facet_counts (
  store_id int not null,
  channel_id bigint not null,
  context bigint not null,
  value bigint not null,
  products int not null,
  in_stock int not null,
  primary key (store_id, channel_id, context, value)
);

-- Rows of search_rows that have changed since they were counted, with the values under which they were counted: none for a new row.
create table uncounted_facets (
  store_id int not null,
  product_id int not null,
  channel_id bigint not null,
  facets bigint[] not null,
  in_stock boolean not null,
  changes int not null,
  primary key (store_id, product_id, channel_id)
);

alter table search_rows enable row level security, force row level security;
alter table product_facets enable row level security, force row level security;
alter table facet_values enable row level security, force row level security;
alter table search_words enable row level security, force row level security;
alter table facet_counts enable row level security, force row level security;
alter table uncounted_facets enable row level security, force row level security;
create policy wall on search_rows to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on product_facets to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on facet_values to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on search_words to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on facet_counts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on uncounted_facets to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on search_rows, product_facets, facet_values, search_words, facet_counts, uncounted_facets
  to storeward;

-- The worker finds the stores with uncounted rows.
create policy across_stores on uncounted_facets for select to storeward_system using (true);
grant select (store_id) on uncounted_facets to storeward_system;

-- Products of an older version are read by a job of each store.
alter table products no force row level security;
alter table jobs no force row level security;
alter table job_lanes no force row level security;

insert into job_lanes (store_id, key, head, task, due_at, last_seq, is_new)
  select distinct store_id, 'search rows', 'search rows', 'refresh_search', now(), 1, true from products;
insert into jobs (store_id, id, key, seq, task, payload, created_at, due_at, state, attempts, attempted)
  select distinct store_id, 'search rows', 'search rows', 1, 'refresh_search', jsonb_build_object('category', 0), now(), now(),
    'waiting', 0, 0
  from products;

alter table job_lanes force row level security;
alter table jobs force row level security;
alter table products force row level security;
