-- When an order of each span was changed last, at the latest: what stands here may be some minutes ahead (docs/decisions/033-lists-of-orders.md).
alter table order_spans add column latest_change timestamptz(0);

-- Stores that are there already. The owner of the tables may be one who sees no rows behind their policies.
alter table orders no force row level security;
alter table order_spans no force row level security;
update order_spans span set latest_change = changed.latest
  from (select store_id, (id - 1) / 250 * 250 + 1 as first_id, max(date_modified) as latest from orders group by 1, 2) changed
  where changed.store_id = span.store_id and changed.first_id = span.first_id;
alter table orders force row level security;
alter table order_spans force row level security;

alter table order_spans alter column latest_change set not null;
