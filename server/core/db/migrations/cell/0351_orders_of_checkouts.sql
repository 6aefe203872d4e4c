-- Lines of orders that were created from checkouts.
alter table order_products
  -- [{id, amount, name, code, target}]: the discounts of the line, which stay as they are. Null if the line shares those of the order.
  add column applied_discounts jsonb,
  -- The certificate that the line sells, and the address that it is sent to.
  add column gift_certificate_id int,
  add column recipient_email text not null default '';

alter table order_addresses
  add column shipping_zone_id int not null default 0,
  add column shipping_zone_name text not null default '',
  -- The chosen offer of a carrier or method; null if the order names its own costs.
  add column shipping_quote jsonb;
