-- Reminders of a cart that was left, each sent so long after it; those of all channels and those of single channels.
create table abandoned_cart_emails (
  store_id int not null,
  id int not null,
  -- 0 for all channels.
  channel_id bigint not null,
  is_active boolean not null,
  coupon_code text not null,
  notify_at_minutes int not null,
  template jsonb not null,
  sent_num int not null,
  primary key (store_id, id)
);

-- Channels that send reminders of their own in place of those of all channels.
create table abandoned_cart_channels (
  store_id int not null,
  channel_id bigint not null,
  primary key (store_id, channel_id)
);

alter table abandoned_cart_emails enable row level security, force row level security;
alter table abandoned_cart_channels enable row level security, force row level security;

create policy wall on abandoned_cart_emails to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on abandoned_cart_channels to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on abandoned_cart_emails to storeward;
grant select, insert, delete on abandoned_cart_channels to storeward;
