-- Tokens of the addresses that lead a shopper into a cart. They end with their cart.
create table cart_redirect_tokens (
  store_id int not null,
  cart_id text collate "C" not null,
  -- Counts up within the cart: the newest has the greatest.
  number int not null,
  -- A keyed hash: the token itself is stored nowhere.
  token_hash text collate "C" not null,
  expires_at timestamptz(0) not null,
  primary key (store_id, cart_id, number),
  foreign key (store_id, cart_id) references carts on delete cascade
);
create unique index cart_redirect_tokens_hash on cart_redirect_tokens (store_id, token_hash);

alter table cart_redirect_tokens enable row level security, force row level security;
create policy wall on cart_redirect_tokens to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, delete on cart_redirect_tokens to storeward;
