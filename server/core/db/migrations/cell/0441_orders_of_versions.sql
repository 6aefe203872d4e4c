-- The version of a cart from which its newest order was made: a page that is sent twice pays one order.
alter table carts add column order_version int not null default 0;
