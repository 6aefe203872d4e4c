-- Pages of the storefronts.
create table pages (
  store_id int not null,
  id int not null,
  channel_id bigint not null,
  type text collate "C" not null,
  name text not null,
  name_key text collate "C" not null,
  is_visible boolean not null,
  -- 0 at the top.
  parent_id int not null,
  sort_order int not null,
  is_homepage boolean not null,
  is_customers_only boolean not null,
  -- Empty for links, which have an address elsewhere.
  url text not null,
  link text not null,
  body text,
  -- Folded, for searches. At most 4,000 pages are searched.
  body_key text collate "C" not null,
  meta_title text not null,
  meta_keywords text not null,
  meta_description text not null,
  search_keywords text not null,
  email text not null,
  contact_fields text,
  content_type text collate "C" not null,
  primary key (store_id, id)
);
create unique index pages_name_unique on pages (store_id, channel_id, name_key);
create index pages_parent on pages (store_id, parent_id) where parent_id > 0;

alter table pages enable row level security, force row level security;
create policy wall on pages to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on pages to storeward;

-- Each storefront of an existing store gets its blog page, with the first free address of /blog/, /blog-1/ and so on. The owner of the
-- tables may see no rows behind their policies.
alter table channels no force row level security;
alter table urls no force row level security;
alter table pages no force row level security;
alter table counters no force row level security;

insert into pages (store_id, id, channel_id, type, name, name_key, is_visible, parent_id, sort_order, is_homepage, is_customers_only,
    url, link, body, body_key, meta_title, meta_keywords, meta_description, search_keywords, email, contact_fields, content_type)
  select storefront.store_id, row_number() over (partition by storefront.store_id order by storefront.id), storefront.id, 'blog', 'Blog',
    'blog', true, 0, 0, false, false, free.url, '', null, '', '', '', '', '', '', null, 'text/html'
  from channels storefront cross join lateral (
    select candidate.url
    from (select case n when 0 then '/blog/' else '/blog-' || n || '/' end as url, n from generate_series(0, 1000) n) candidate
    where not exists (select 1 from urls where urls.store_id = storefront.store_id and urls.url_key = candidate.url)
    order by candidate.n limit 1
  ) free
  where storefront.type = 'storefront' and storefront.status <> 'terminated';

insert into urls (store_id, url_key, channel_id, owner_kind, owner_id)
  select store_id, url, channel_id, 'page', id from pages;
insert into urls (store_id, url_key, owner_kind, owner_id)
  select distinct store_id, url, 'page', 0 from pages;
insert into counters (store_id, resource, last_id, total, version)
  select store_id, 'pages', max(id), count(*), 1 from pages group by store_id;

alter table counters force row level security;
alter table pages force row level security;
alter table urls force row level security;
alter table channels force row level security;
