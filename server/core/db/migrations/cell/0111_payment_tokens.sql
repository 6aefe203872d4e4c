-- What a shopper pays with: a token is for one order, and for one payment that succeeds.
create table payment_tokens (
  store_id int not null,
  jti text collate "C" not null,
  order_id int not null,
  tries int not null,
  is_spent boolean not null,
  expires_at timestamptz(0) not null,
  primary key (store_id, jti)
);
create index payment_tokens_order on payment_tokens (store_id, order_id);
create index payment_tokens_old on payment_tokens (store_id, expires_at);

-- A payment that a shopper asked for, from the request until it has ended.
create table payments (
  store_id int not null,
  id text collate "C" not null,
  order_id int not null,
  jti text collate "C" not null,
  -- Of its row in payment_attempts; '' for store credit.
  attempt_key text collate "C" not null,
  payment_method_id text not null,
  operation text not null,
  amount amount not null,
  -- What may be shown of the instrument: never a number.
  instrument jsonb not null,
  state text not null,
  -- Of the transaction that waits for the answer of the gateway.
  transaction_id int,
  -- Of the request that sent it, if it had one, with what it was.
  idempotency_key text not null,
  request_hash text not null,
  created_at timestamptz(0) not null,
  primary key (store_id, id)
);
create index payments_order on payments (store_id, order_id);
create unique index payments_attempt on payments (store_id, attempt_key) where attempt_key <> '';
create index payments_request on payments (store_id, idempotency_key, created_at) where idempotency_key <> '';
-- One at a time.
create unique index payments_open on payments (store_id, order_id) where state = 'open';

-- What the gateway calls an instrument that a customer can pay with again.
create table payment_vault (
  store_id int not null,
  token text collate "C" not null,
  gateway text not null,
  reference text not null,
  primary key (store_id, token),
  foreign key (store_id, token) references stored_instruments (store_id, token) on delete cascade
);

-- Payments of a store within the window of seconds that is under way.
create table payment_rates (
  store_id int not null,
  ends_at timestamptz not null,
  used int not null,
  primary key (store_id)
);

alter table payment_tokens enable row level security, force row level security;
alter table payments enable row level security, force row level security;
alter table payment_vault enable row level security, force row level security;
alter table payment_rates enable row level security, force row level security;
create policy wall on payment_tokens to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on payments to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on payment_vault to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on payment_rates to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on payment_tokens, payments, payment_vault, payment_rates to storeward;
