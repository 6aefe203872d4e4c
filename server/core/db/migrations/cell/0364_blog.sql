-- The posts of the blog, which all storefronts of a store have in common.
create table blog_posts (
  store_id int not null,
  id int not null,
  title text not null,
  url text not null,
  url_key text collate "C" not null,
  body text not null,
  -- The first characters of the body without its tags.
  summary text not null,
  is_published boolean not null,
  published_date timestamptz(0) not null,
  meta_description text,
  meta_keywords text,
  author text,
  thumbnail_path text,
  primary key (store_id, id)
);
create index blog_posts_url on blog_posts (store_id, url_key);
create index blog_posts_published on blog_posts (store_id, published_date desc, id);

create table blog_tags (
  store_id int not null,
  post_id int not null,
  tag_key text collate "C" not null,
  tag text not null,
  -- In the order of the post.
  position int not null,
  primary key (store_id, post_id, tag_key)
);
create index blog_tags_tag on blog_tags (store_id, tag_key, post_id);

alter table blog_posts enable row level security, force row level security;
alter table blog_tags enable row level security, force row level security;
create policy wall on blog_posts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on blog_tags to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on blog_posts, blog_tags to storeward;
