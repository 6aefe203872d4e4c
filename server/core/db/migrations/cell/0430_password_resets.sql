-- Links with which a customer chooses a new password. Each is for one use within an hour.
create table password_resets (
  store_id int not null,
  -- The request that the link answers, so that its job makes one link.
  id text collate "C" not null,
  -- HMAC-SHA-256 of the token under the server's key, base64url. Only the e-mail has the token itself.
  token_hash text collate "C" not null,
  customer_id int not null,
  -- Digest of the stored password of the customer. A link ends when the password is changed.
  password_mark text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (store_id, id),
  foreign key (store_id, customer_id) references customers on delete cascade
);
create index password_resets_of_customer on password_resets (store_id, customer_id, created_at);
create index password_resets_expired on password_resets (store_id, expires_at);

alter table password_resets enable row level security, force row level security;
create policy wall on password_resets to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on password_resets to storeward;
