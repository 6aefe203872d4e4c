-- Who works for the store and may sign in at the companion API (docs/contract/b2b.md section 4). Made by the operator's command.
create table b2b_staff (
  store_id int not null,
  id int not null,
  email text not null,
  email_key text collate "C" not null,
  name text not null,
  -- owner, administrator or custom.
  role text not null,
  -- Of Argon2id with salt and costs.
  password_hash text not null,
  -- Sees only the companies that are assigned.
  is_sales_rep boolean not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint b2b_staff_email_unique unique (store_id, email_key)
);

-- The companies of a sales representative.
create table b2b_assignments (
  store_id int not null,
  staff_id int not null,
  company_id int not null,
  assigned_at timestamptz(0) not null,
  primary key (store_id, staff_id, company_id),
  foreign key (store_id, staff_id) references b2b_staff on delete cascade,
  foreign key (store_id, company_id) references companies on delete cascade
);
create index b2b_assignments_company on b2b_assignments (store_id, company_id, staff_id);

-- Tokens of servers, made with the credentials of staff. A token opens something while its row is there.
create table b2b_backend_tokens (
  store_id int not null,
  id int not null,
  staff_id int not null,
  -- The claim that names the token.
  jti text collate "C" not null,
  name text not null,
  channel_id bigint not null,
  -- By AES-256-GCM under the server's key: lists show tokens whole.
  token text not null,
  -- Null for a token that never expires.
  ends_at timestamptz(0),
  created_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint b2b_backend_tokens_jti_unique unique (store_id, jti)
);
create index b2b_backend_tokens_staff on b2b_backend_tokens (store_id, staff_id, id);

-- Tokens of shoppers at storefronts. A token opens something while its row is there.
create table b2b_storefront_tokens (
  store_id int not null,
  jti text collate "C" not null,
  customer_id int not null,
  channel_id bigint not null,
  -- By AES-256-GCM under the server's key: it is given out again while it has more than a minute to live.
  token text not null,
  -- HMAC-SHA-256 of the customer access token that it ends with; null if it goes with none.
  session_hash text collate "C",
  begins_at timestamptz(0) not null,
  ends_at timestamptz(0) not null,
  created_at timestamptz(3) not null,
  primary key (store_id, jti),
  foreign key (store_id, customer_id) references customers on delete cascade
);
create index b2b_storefront_tokens_customer on b2b_storefront_tokens (store_id, customer_id, channel_id, created_at);
create index b2b_storefront_tokens_ended on b2b_storefront_tokens (store_id, ends_at);

alter table b2b_staff enable row level security, force row level security;
alter table b2b_assignments enable row level security, force row level security;
alter table b2b_backend_tokens enable row level security, force row level security;
alter table b2b_storefront_tokens enable row level security, force row level security;

create policy wall on b2b_staff to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_assignments to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_backend_tokens to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_storefront_tokens to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on b2b_staff, b2b_assignments, b2b_backend_tokens, b2b_storefront_tokens to storeward;
