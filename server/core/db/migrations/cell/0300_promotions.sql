-- Promotions: discounts, gifts and free shipping for carts that meet their rules.
create table promotions (
  store_id int not null,
  id int not null,
  redemption_type text collate "C" not null,
  name text not null,
  name_key text collate "C" not null,
  display_name text not null,
  -- [{id}]; [] for all channels.
  channels jsonb not null,
  customer jsonb not null,
  -- The rules with all their defaults, as the engine compiles them.
  rules jsonb not null,
  current_uses int not null,
  -- Null or 0 for no maximum.
  max_uses int,
  status text collate "C" not null,
  start_date timestamptz(0) not null,
  end_date timestamptz(0),
  stop boolean not null,
  can_be_used_with_other_promotions boolean not null,
  -- `*` for all currencies.
  currency_code text collate "C" not null,
  notifications jsonb not null,
  shipping_address jsonb,
  schedule jsonb,
  created_from text collate "C" not null,
  coupon_overrides_other_promotions boolean not null,
  coupon_overrides_automatic_when_offering_higher_discounts boolean not null,
  coupon_type text collate "C" not null,
  -- Position among the automatic promotions; null for coupon promotions.
  priority int,
  -- {products, variants}: the ids of the goods that its rules give away.
  gifts jsonb not null,
  primary key (store_id, id)
);
create index promotions_name on promotions (store_id, name_key, id);
create index promotions_start on promotions (store_id, start_date, id);
create index promotions_priority on promotions (store_id, priority, id);
create index promotions_priority_down on promotions (store_id, priority desc nulls last, id);
create index promotions_status on promotions (store_id, status, id);
create index promotions_type on promotions (store_id, redemption_type, id);
create index promotions_currency on promotions (store_id, currency_code, id);
-- For deleted products and variants: few promotions have gifts.
create index promotions_gifts on promotions (store_id, id) where gifts <> '{"products": [], "variants": []}';

-- Coupons. Codes of promotions and coupons of the older family share their ids and the namespace of their codes.
create table coupons (
  store_id int not null,
  id int not null,
  -- Null for coupons of the older family.
  promotion_id int,
  code text not null,
  code_key text collate "C" not null,
  -- 0 for no maximum, as below.
  max_uses int not null,
  max_uses_per_customer int not null,
  current_uses int not null,
  created timestamptz(0) not null,
  -- Codes of promotions have no columns from here on but this one.
  type text collate "C" not null default 'promotion',
  name text,
  name_key text collate "C",
  amount amount,
  min_purchase amount,
  expires timestamptz(0),
  enabled boolean,
  -- {entity, ids}; null for a coupon that matches nothing.
  applies_to jsonb,
  restricted_to jsonb,
  shipping_methods jsonb,
  primary key (store_id, id)
);
create unique index coupons_code_unique on coupons (store_id, code_key);
create unique index coupons_name_unique on coupons (store_id, name_key);
create index coupons_promotion on coupons (store_id, promotion_id, id);
create index coupons_type on coupons (store_id, type, id);

create table promotion_settings (
  store_id int primary key,
  value jsonb not null
);

alter table promotions enable row level security, force row level security;
alter table coupons enable row level security, force row level security;
alter table promotion_settings enable row level security, force row level security;
create policy wall on promotions to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on coupons to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on promotion_settings to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on promotions, coupons, promotion_settings to storeward;
