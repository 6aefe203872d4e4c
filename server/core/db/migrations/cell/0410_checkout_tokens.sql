-- Tokens of checkouts. They don't end with the cart: a shopper may use one after the order is paid.
create table checkout_tokens (
  store_id int not null,
  cart_id text collate "C" not null,
  -- Counts up within the cart: the newest has the greatest.
  number int not null,
  -- A keyed hash: the token itself is stored nowhere.
  token_hash text collate "C" not null,
  uses_left int not null,
  expires_at timestamptz(0) not null,
  primary key (store_id, cart_id, number)
);
create unique index checkout_tokens_hash on checkout_tokens (store_id, token_hash);
create index checkout_tokens_old on checkout_tokens (store_id, expires_at);

alter table checkout_tokens enable row level security, force row level security;
create policy wall on checkout_tokens to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on checkout_tokens to storeward;
