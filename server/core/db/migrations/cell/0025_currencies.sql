-- What a store shows prices in and is paid in. Each has US dollars as its default from its creation.
create table currencies (
  store_id int not null,
  id int not null,
  is_default boolean not null,
  country_iso2 text not null,
  currency_code text collate "C" not null,
  -- As the contract writes it, with ten places: as text, so that nothing on the way rounds it.
  currency_exchange_rate text collate "C" not null check (currency_exchange_rate ~ '^[0-9]{1,10}[.][0-9]{10}$'),
  auto_update boolean not null,
  token_location text not null,
  token text not null,
  decimal_token text not null,
  thousands_token text not null,
  decimal_places int not null,
  name text not null,
  enabled boolean not null,
  is_transactional boolean not null,
  last_updated timestamptz(0) not null,
  primary key (store_id, id),
  constraint currencies_code_unique unique (store_id, currency_code)
);
create unique index currencies_default on currencies (store_id) where is_default;

-- What single channels use of them. A channel without a row uses all that are enabled.
create table channel_currencies (
  store_id int not null,
  channel_id bigint not null,
  -- Their codes, in the order that the client gave.
  enabled_currencies jsonb not null,
  default_currency text collate "C" not null,
  primary key (store_id, channel_id)
);

-- Stores that are there already. The owner of the tables may be one who sees no rows behind their policies.
alter table store_profiles no force row level security;
alter table counters no force row level security;
insert into currencies (store_id, id, is_default, country_iso2, currency_code, currency_exchange_rate, auto_update,
    token_location, token, decimal_token, thousands_token, decimal_places, name, enabled, is_transactional, last_updated)
  select store_id, 1, true, 'US', 'USD', '1.0000000000', false, 'left', '$', '.', ',', 2, 'US Dollar', true, true, now()
  from store_profiles;
insert into counters (store_id, resource, last_id, total, version)
  select store_id, 'currencies', 1, 1, 1 from store_profiles;
alter table counters force row level security;
alter table store_profiles force row level security;

alter table currencies enable row level security, force row level security;
alter table channel_currencies enable row level security, force row level security;
create policy wall on currencies to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on channel_currencies to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on currencies, channel_currencies to storeward;
