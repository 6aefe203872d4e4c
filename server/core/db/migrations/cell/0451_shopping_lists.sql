-- Shopping lists of the companion API (docs/contract/b2b-shopping-lists.md).
create table b2b_shopping_lists (
  store_id int not null,
  id int not null,
  -- 0 for the list of a customer without a company; then user_id is 0 as well.
  company_id int not null,
  user_id int not null,
  customer_id int not null,
  name text not null,
  description text not null,
  -- 0 approved, 20 deleted, 30 draft, 40 ready for approval, 50 rejected.
  status int not null,
  channel_id bigint not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id)
);
create index b2b_shopping_lists_user on b2b_shopping_lists (store_id, user_id, id) where user_id <> 0;
create index b2b_shopping_lists_customer on b2b_shopping_lists (store_id, customer_id, id);
create index b2b_shopping_lists_company on b2b_shopping_lists (store_id, company_id, status, id);
create index b2b_shopping_lists_channel on b2b_shopping_lists (store_id, channel_id, id);

create table b2b_shopping_list_items (
  store_id int not null,
  id int not null,
  list_id int not null,
  product_id int not null,
  variant_id int not null,
  quantity int not null,
  sort_order int not null,
  options jsonb not null,
  product_note text not null,
  primary key (store_id, id),
  foreign key (store_id, list_id) references b2b_shopping_lists on delete cascade
);
create index b2b_shopping_list_items_list on b2b_shopping_list_items (store_id, list_id, id);

alter table b2b_shopping_lists enable row level security, force row level security;
alter table b2b_shopping_list_items enable row level security, force row level security;
create policy wall on b2b_shopping_lists to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_shopping_list_items to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_shopping_lists, b2b_shopping_list_items to storeward;
