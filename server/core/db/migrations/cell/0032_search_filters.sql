-- Which filters shoppers find beside the products of a channel, or of one of its categories, in place of the store's.
create table search_filter_contexts (
  store_id int not null,
  channel_id bigint not null,
  -- 0 for the whole channel.
  category_id int not null,
  filters jsonb not null,
  primary key (store_id, channel_id, category_id)
);

alter table search_filter_contexts enable row level security, force row level security;
create policy wall on search_filter_contexts to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on search_filter_contexts to storeward;
