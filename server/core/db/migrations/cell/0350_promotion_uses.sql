-- Uses of promotions and coupons by orders. A use is counted once, when its order is placed.
create table promotion_uses (
  store_id int not null,
  order_id int not null,
  -- 0 for a use of a coupon.
  promotion_id int not null,
  -- 0 for a use of a promotion.
  coupon_id int not null,
  -- `customer 12`, or `guest` with the folded e-mail address; empty if neither is known.
  customer_key text collate "C" not null,
  -- listed, reserved or counted.
  state text collate "C" not null,
  primary key (store_id, order_id, promotion_id, coupon_id)
);
-- For the uses of a coupon by one customer.
create index promotion_uses_customer on promotion_uses (store_id, coupon_id, customer_key) where coupon_id > 0;

-- Uses that payments under way have reserved.
alter table promotions add column reserved_uses int not null default 0;
alter table coupons add column reserved_uses int not null default 0;

alter table promotion_uses enable row level security, force row level security;
create policy wall on promotion_uses to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on promotion_uses to storeward;
