-- What customers have agreed to: one row once it was settled.
create table customer_consents (
  store_id int not null,
  customer_id int not null,
  allow jsonb not null,
  deny jsonb not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, customer_id),
  foreign key (store_id, customer_id) references customers on delete cascade
);

-- What customers can pay with again, as a payment service has stored it: references and what people recognise, no numbers of cards.
create table stored_instruments (
  store_id int not null,
  id int not null,
  customer_id int not null,
  -- 64 hex digits, by which a payment names it.
  token text collate "C" not null,
  type text not null,
  is_default boolean not null,
  details jsonb not null,
  primary key (store_id, id),
  constraint stored_instruments_token_unique unique (store_id, token),
  foreign key (store_id, customer_id) references customers on delete cascade
);
create index stored_instruments_customer on stored_instruments (store_id, customer_id, id);
create unique index stored_instruments_default on stored_instruments (store_id, customer_id) where is_default;

alter table customer_consents enable row level security, force row level security;
alter table stored_instruments enable row level security, force row level security;
create policy wall on customer_consents to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on stored_instruments to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on customer_consents, stored_instruments to storeward;
