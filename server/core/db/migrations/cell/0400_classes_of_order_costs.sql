-- The tax classes that the costs of an order had when it was created. Older orders have 0, as they were answered.
alter table orders
  add column shipping_cost_tax_class_id int not null default 0,
  add column handling_cost_tax_class_id int not null default 0,
  add column wrapping_cost_tax_class_id int not null default 0;
alter table order_addresses
  add column cost_tax_class_id int not null default 0,
  add column handling_cost_tax_class_id int not null default 0;
