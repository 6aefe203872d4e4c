-- What takes money for a store, as its operator has set it up. Without a row a store has the test gateway.
create table payment_providers (
  store_id int not null,
  gateway text collate "C" not null,
  -- 0 for all channels that have no row of their own.
  channel_id bigint not null,
  -- '' for all currencies that have no row of their own.
  currency text collate "C" not null,
  mode text not null,
  is_test boolean not null,
  options jsonb not null,
  -- Encrypted by the server.
  credentials text not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, gateway, channel_id, currency)
);

-- Every call that moves money, written down before it is sent. It has no outcome while nobody knows what became of it.
create table payment_attempts (
  store_id int not null,
  key text collate "C" not null,
  order_id int not null,
  operation text not null,
  gateway text collate "C" not null,
  channel_id bigint not null,
  amount_minor int8 not null,
  currency text not null,
  decimals int not null,
  -- The gateway's id of the payment that a capture, void or refund is about; '' for a payment.
  reference text not null,
  outcome text,
  gateway_transaction_id text collate "C" not null,
  code int not null,
  message text not null,
  checks jsonb not null,
  is_retryable boolean not null,
  sends int not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, key)
);
create index payment_attempts_order on payment_attempts (store_id, order_id, key);
create index payment_attempts_gateway on payment_attempts (store_id, gateway, gateway_transaction_id)
  where gateway_transaction_id <> '';

-- Callbacks of gateways that were heard, so that none counts twice.
create table payment_callbacks (
  store_id int not null,
  gateway text collate "C" not null,
  event_id text collate "C" not null,
  received_at timestamptz(0) not null,
  primary key (store_id, gateway, event_id)
);
create index payment_callbacks_old on payment_callbacks (store_id, received_at);

-- The book of the test gateway. Nothing but the gateway itself reads or writes it: it stands for what a provider keeps.
create table testgateway_entries (
  store_id int not null,
  key text collate "C" not null,
  id text collate "C" not null,
  operation text not null,
  parent text collate "C" not null,
  amount_minor int8 not null,
  currency text not null,
  outcome text not null,
  code int not null,
  message text not null,
  -- A pending entry becomes what stands here at that time.
  settles_as text not null,
  settles_at timestamptz not null,
  created_at timestamptz not null,
  primary key (store_id, key),
  constraint testgateway_entries_id unique (store_id, id)
);
create index testgateway_entries_parent on testgateway_entries (store_id, parent) where parent <> '';

alter table payment_providers enable row level security, force row level security;
alter table payment_attempts enable row level security, force row level security;
alter table payment_callbacks enable row level security, force row level security;
alter table testgateway_entries enable row level security, force row level security;
create policy wall on payment_providers to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on payment_attempts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on payment_callbacks to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on testgateway_entries to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on payment_providers, payment_attempts, payment_callbacks, testgateway_entries to storeward;
