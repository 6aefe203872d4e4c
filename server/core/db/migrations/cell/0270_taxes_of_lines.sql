-- Lines that the server priced store the rates that they were taxed with. For lines with given prices all of these are null.
alter table order_products
  add column taxed_by jsonb,
  -- Before and after discounts. For other lines they follow from the prices.
  add column total_ex_tax amount,
  add column total_inc_tax amount,
  add column discounted_ex_tax amount;
-- 0 for taxes that were given.
alter table order_taxes add column tax_rate_id int not null default 0;
