-- Of each 250 orders, in the order of their ids, when the first and the last of them were placed: a list by id that begins at a
-- date starts there, and not at the first order (docs/decisions/033-lists-of-orders.md).
create table order_spans (
  store_id int not null,
  -- Between these its ids are. The last one stands here too: behind row policies an index is not asked for the result of a sum.
  first_id int not null,
  last_id int not null,
  earliest timestamptz(0) not null,
  latest timestamptz(0) not null,
  primary key (store_id, first_id)
);

-- Stores that are there already. The owner of the tables may be one who sees no rows behind their policies.
alter table orders no force row level security;
insert into order_spans (store_id, first_id, last_id, earliest, latest)
  select store_id, (id - 1) / 250 * 250 + 1, (id - 1) / 250 * 250 + 250, min(date_created), max(date_created) from orders group by 1, 2, 3;
alter table orders force row level security;

alter table order_spans enable row level security, force row level security;
create policy wall on order_spans to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on order_spans to storeward;

-- A list by id that is about a total or the date of a change looks into the index alone for the orders that it passes over.
drop index orders_shown;
create index orders_shown on orders (store_id, is_deleted, id) include (total_inc_tax, date_created, date_modified);
drop index orders_status;
create index orders_status on orders (store_id, is_deleted, status_id, id) include (total_inc_tax, date_modified);
