-- Reminders of abandoned carts.

-- The reminder whose template an e-mail has; null for the template of its type.
alter table owed_emails add column reminder_id int;

-- Addresses whose owners want no more reminders, as keyed hashes: they stay after the person's data are erased.
create table reminder_refusals (
  store_id int not null,
  address_hash text collate "C" not null,
  created_at timestamptz(0) not null,
  primary key (store_id, address_hash)
);

-- Carts that the merchant is to hear of, each in an e-mail of its own or in one for many.
create table cart_reports (
  store_id int not null,
  channel_id bigint not null,
  -- abandoned or converted.
  kind text collate "C" not null,
  cart_id text collate "C" not null,
  -- The idle spell.
  spell int not null,
  -- 0 for a guest.
  customer_id int not null,
  -- 0 for a cart without an order.
  order_id int not null,
  created_at timestamptz(0) not null,
  primary key (store_id, channel_id, kind, cart_id, spell)
);

alter table reminder_refusals enable row level security, force row level security;
alter table cart_reports enable row level security, force row level security;
create policy wall on reminder_refusals to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on cart_reports to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy across_stores on cart_reports to storeward_system using (true);
grant select, insert, delete on reminder_refusals to storeward;
grant select, insert, update, delete on cart_reports to storeward;
grant select (store_id) on cart_reports to storeward_system;
