-- Carts of shoppers, and checkouts: both are views of one row.
create table carts (
  store_id int not null,
  -- A random UUID: whoever knows it may read the cart, so it can't be guessed.
  id text collate "C" not null,
  channel_id bigint not null,
  currency_code text collate "C" not null,
  -- 0 for a guest.
  customer_id int not null,
  -- The e-mail address of the billing address, else that of the customer.
  email text not null,
  email_key text collate "C" not null,
  version int not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  -- The time at which the cart becomes idle; null if it is idle already, or a payment was tried.
  idle_at timestamptz(0),
  -- The number of the idle spell, which is over with the next change.
  spell int not null,
  -- The token of the idle spell; empty before the first.
  token text collate "C" not null,
  -- The next reminder of the idle spell; null for none.
  reminder_at timestamptz(0),
  reminders int not null,
  expires_at timestamptz(0) not null,
  -- The earliest of the three times.
  due_at timestamptz(0) not null,
  -- The newest order of the checkout; 0 for none.
  order_id int not null,
  -- The input of the shopper (server/sales/carts/row/document.ts).
  document jsonb not null,
  primary key (store_id, id)
);
create index carts_due on carts (store_id, due_at);
create unique index carts_token on carts (store_id, token) where token <> '';
create index carts_customer on carts (store_id, customer_id) where customer_id > 0;
create index carts_email on carts (store_id, email_key) where email_key <> '';

alter table carts enable row level security, force row level security;
create policy wall on carts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy across_stores on carts to storeward_system using (true);
grant select, insert, update, delete on carts to storeward;
grant select (store_id, due_at) on carts to storeward_system;
