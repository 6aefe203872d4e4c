-- By which credentials shoppers and storefronts come in (docs/contract/storefront-tokens.md).

-- Key pairs that sign the storefront tokens of a store. The newest one signs, all of them verify.
create table storefront_keys (
  store_id int not null,
  id int not null,
  -- Names the key in the header of a token.
  kid text collate "C" not null,
  -- A JSON Web Key.
  public_key jsonb not null,
  -- A JSON Web Key, by AES-256-GCM under the server's key.
  private_key text not null,
  created_at timestamptz(0) not null,
  primary key (store_id, id),
  unique (store_id, kid)
);

-- Tokens that were revoked before they expire.
create table revoked_storefront_tokens (
  store_id int not null,
  jti text collate "C" not null,
  -- Null for a token that never expires.
  expires_at timestamptz(0),
  primary key (store_id, jti)
);
create index revoked_storefront_tokens_expired on revoked_storefront_tokens (store_id, expires_at);

-- Customers who are logged in at a storefront.
create table customer_sessions (
  store_id int not null,
  -- HMAC-SHA-256 of the value under the server's key, base64url. The value itself is kept nowhere.
  value_hash text collate "C" not null,
  -- token: a customer access token, which a server sends. cookie: a browser's session.
  kind text not null,
  customer_id int not null,
  channel_id bigint not null,
  -- Digest of the stored password of the customer. A session ends when the password is changed, whoever changes it.
  password_mark text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(0) not null,
  primary key (store_id, value_hash),
  foreign key (store_id, customer_id) references customers on delete cascade
);
create index customer_sessions_of_customer on customer_sessions (store_id, customer_id, kind, created_at);
create index customer_sessions_expired on customer_sessions (store_id, expires_at);

-- Login tokens of clients that were used: each counts once.
create table spent_login_tokens (
  store_id int not null,
  client_id text collate "C" not null,
  -- Digest of the jti, which the client chooses.
  jti_hash text collate "C" not null,
  spent_at timestamptz(3) not null,
  primary key (store_id, client_id, jti_hash)
);
create index spent_login_tokens_old on spent_login_tokens (store_id, spent_at);

alter table storefront_keys enable row level security, force row level security;
alter table revoked_storefront_tokens enable row level security, force row level security;
alter table customer_sessions enable row level security, force row level security;
alter table spent_login_tokens enable row level security, force row level security;

create policy wall on storefront_keys to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on revoked_storefront_tokens to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on customer_sessions to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on spent_login_tokens to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on storefront_keys, revoked_storefront_tokens, customer_sessions, spent_login_tokens to storeward;
