-- Web addresses of products, brands, categories and pages: one namespace per store.
create table urls (
  store_id int not null,
  -- Folded by the server: NFC, trimmed, lower case.
  url_key text collate "C" not null,
  owner_kind text not null,
  owner_id int not null,
  constraint urls_unique primary key (store_id, url_key)
);
create index urls_owner on urls (store_id, owner_kind, owner_id);

create table brands (
  store_id int not null,
  id int not null,
  name text not null,
  name_key text collate "C" not null,
  page_title text not null,
  page_title_key text collate "C" not null,
  meta_keywords jsonb not null,
  meta_description text not null,
  search_keywords text not null,
  image_url text not null,
  custom_url jsonb not null,
  primary key (store_id, id),
  -- Covers the filters on the name: 30,000 names are searched without touching a row.
  constraint brands_name_unique unique (store_id, name_key) include (id)
);
create index brands_page_title on brands (store_id, page_title_key, id);

create table categories (
  store_id int not null,
  id int not null,
  -- The endpoints that are built speak of tree 1 only.
  tree_id int not null default 1,
  parent_id int not null,
  name text not null,
  name_key text collate "C" not null,
  description text not null,
  views int not null,
  sort_order int not null,
  page_title text not null,
  page_title_key text collate "C" not null,
  search_keywords text not null,
  meta_keywords jsonb not null,
  meta_description text not null,
  layout_file text not null,
  is_visible boolean not null,
  default_product_sort text not null,
  image_url text not null,
  custom_url jsonb not null,
  primary key (store_id, id),
  constraint categories_name_unique unique (store_id, tree_id, parent_id, name_key)
);
create index categories_parent on categories (store_id, parent_id, id);
create index categories_name on categories (store_id, name_key, id);
create index categories_page_title on categories (store_id, page_title_key, id);
create index categories_sort_order on categories (store_id, sort_order, id);

create table metafields (
  store_id int not null,
  id int not null,
  resource_type text not null,
  resource_id int not null,
  key text not null,
  key_key text collate "C" not null,
  value text not null,
  namespace text not null,
  namespace_key text collate "C" not null,
  permission_set text not null,
  description text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  owner_client_id text collate "C" not null,
  primary key (store_id, id),
  constraint metafields_unique unique (store_id, resource_type, resource_id, owner_client_id, namespace, key)
);
create index metafields_list on metafields (store_id, resource_type, id);
create index metafields_owner on metafields (store_id, resource_type, resource_id, id);
create index metafields_key on metafields (store_id, resource_type, key_key, id);
create index metafields_namespace on metafields (store_id, resource_type, namespace_key, id);
create index metafields_created on metafields (store_id, resource_type, date_created, id);
create index metafields_modified on metafields (store_id, resource_type, date_modified, id);

alter table urls enable row level security, force row level security;
alter table brands enable row level security, force row level security;
alter table categories enable row level security, force row level security;
alter table metafields enable row level security, force row level security;

create policy wall on urls to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on brands to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on categories to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on metafields to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on urls, brands, categories, metafields to storeward;
