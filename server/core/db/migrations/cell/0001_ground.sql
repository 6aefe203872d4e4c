-- What every area stands on. Rules for every table of a store (a test asks the catalog): store_id comes first in every
-- key, unique rule and index; foreign keys stay inside the store; row policies are enabled and forced; no sequences,
-- identities, triggers or stored procedures.

-- Amounts keep 15 digits, four of them behind the point, which a JavaScript number holds exactly; they print as they came.
create domain amount as numeric check (value <> 'NaN' and abs(value) < 100000000000 and scale(value) <= 4);

create table store_profiles (
  store_id int primary key,
  name text not null,
  plan text not null,
  -- Plan limits by resource, such as {"brands": 100}; a resource that is not named has none.
  limits jsonb not null default '{}'
);

-- Ids count per store from 1. The total and the version of a resource change in the same statement as its rows.
create table counters (
  store_id int not null,
  resource text not null,
  last_id bigint not null,
  total bigint not null,
  version bigint not null,
  primary key (store_id, resource)
);

create table api_accounts (
  store_id int not null,
  id int not null,
  name text not null,
  client_id text collate "C" not null,
  -- HMAC-SHA-256 of the access token under the server's key, base64url. The token itself is shown once and kept nowhere.
  token_hash text collate "C" not null,
  -- AES-256-GCM under the server's key: it signs JWTs and webhooks, so the value is needed.
  client_secret text not null,
  scopes jsonb not null,
  created_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint api_accounts_client_unique unique (store_id, client_id),
  constraint api_accounts_token_unique unique (store_id, token_hash)
);
-- The one look-up across stores: is a token that came with an unknown store hash valid anywhere (403) or nowhere (401)?
create index api_accounts_token_anywhere on api_accounts (token_hash);

-- Answers of requests that carried an Idempotency-Key, stored with their effect, kept for 24 hours.
create table idempotent_answers (
  store_id int not null,
  client_id text collate "C" not null,
  key text collate "C" not null,
  request_hash text not null,
  status int not null,
  headers jsonb not null,
  body text not null,
  created_at timestamptz(0) not null,
  primary key (store_id, client_id, key)
);
create index idempotent_answers_age on idempotent_answers (store_id, created_at);

-- Uploaded files, and the things they belong to; the bytes lie in the file store under this name.
create table files (
  store_id int not null,
  name text collate "C" not null,
  owner_kind text not null,
  owner_id int not null,
  primary key (store_id, name)
);
create index files_owner on files (store_id, owner_kind, owner_id);

alter table store_profiles enable row level security, force row level security;
alter table counters enable row level security, force row level security;
alter table api_accounts enable row level security, force row level security;
alter table idempotent_answers enable row level security, force row level security;
alter table files enable row level security, force row level security;

create policy wall on store_profiles to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on counters to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on api_accounts to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on idempotent_answers to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on files to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select on store_profiles to storeward;
grant select, insert, update, delete on counters to storeward;
grant select, insert, update, delete on idempotent_answers, files to storeward;

-- The system role opens stores and looks accounts up; it sees these tables across stores, and no others.
create policy across_stores on store_profiles to storeward_system using (true);
create policy across_stores on counters to storeward_system using (true);
create policy across_stores on api_accounts to storeward_system using (true);
grant select, insert, update, delete on store_profiles, counters, api_accounts to storeward_system;
