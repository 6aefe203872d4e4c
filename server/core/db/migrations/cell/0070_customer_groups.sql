-- Groups of customers: what their members may see and what they pay. At most one is the default, and at most one that of guests.
create table customer_groups (
  store_id int not null,
  id int not null,
  name text not null,
  name_key text collate "C" not null,
  is_default boolean not null,
  -- all, specific or none. The categories of a specific one are in customer_group_categories.
  access_type text not null,
  date_created timestamptz(0) not null,
  date_modified timestamptz(0) not null,
  is_group_for_guests boolean not null,
  primary key (store_id, id),
  constraint customer_groups_name_unique unique (store_id, name_key)
);
create unique index customer_groups_default on customer_groups (store_id) where is_default;
create unique index customer_groups_guests on customer_groups (store_id) where is_group_for_guests;
create index customer_groups_created on customer_groups (store_id, date_created, id);
create index customer_groups_modified on customer_groups (store_id, date_modified, id);

create table customer_group_categories (
  store_id int not null,
  group_id int not null,
  category_id int not null,
  primary key (store_id, group_id, category_id)
);
create index customer_group_categories_category on customer_group_categories (store_id, category_id, group_id);

-- What members pay less for: a rule for all products, for those of a category, or for one; or the price list of the group.
create table customer_group_rules (
  store_id int not null,
  group_id int not null,
  -- The place in the list, as it was sent.
  position int not null,
  type text not null,
  method text,
  amount amount,
  price_list_id int,
  category_id int,
  product_id int,
  primary key (store_id, group_id, position)
);
create index customer_group_rules_category on customer_group_rules (store_id, category_id, group_id)
  where category_id is not null;
create index customer_group_rules_product on customer_group_rules (store_id, product_id, group_id)
  where product_id is not null;

alter table customer_groups enable row level security, force row level security;
alter table customer_group_categories enable row level security, force row level security;
alter table customer_group_rules enable row level security, force row level security;
create policy wall on customer_groups to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customer_group_categories to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customer_group_rules to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on customer_groups, customer_group_categories, customer_group_rules to storeward;
