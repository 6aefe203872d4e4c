-- A storefront shows the newest cart of its customer in its channel.
drop index carts_customer;
create index carts_customer on carts (store_id, customer_id, channel_id, updated_at desc, id) where customer_id > 0;
