-- For customers that are deleted, with or without a company.
create index b2b_ordered_products_customer on b2b_ordered_products (store_id, customer_id);
