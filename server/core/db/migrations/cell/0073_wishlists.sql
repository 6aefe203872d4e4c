-- What customers wish for, list by list.
create table wishlists (
  store_id int not null,
  id int not null,
  customer_id int not null,
  name text not null,
  is_public boolean not null,
  -- A uuid that opens the list to whoever has it, while it is public.
  token text collate "C" not null,
  primary key (store_id, id)
);
create index wishlists_customer on wishlists (store_id, customer_id, id);
create unique index wishlists_token on wishlists (store_id, token);

create table wishlist_items (
  store_id int not null,
  id int not null,
  wishlist_id int not null,
  product_id int not null,
  -- 0 where the product itself is meant. A variant that is deleted later stays here, and is not shown.
  variant_id int not null,
  primary key (store_id, id),
  constraint wishlist_items_unique unique (store_id, wishlist_id, product_id, variant_id)
);
create index wishlist_items_list on wishlist_items (store_id, wishlist_id, id);
create index wishlist_items_product on wishlist_items (store_id, product_id, id);

alter table wishlists enable row level security, force row level security;
alter table wishlist_items enable row level security, force row level security;
create policy wall on wishlists to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on wishlist_items to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on wishlists, wishlist_items to storeward;
