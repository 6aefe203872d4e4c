-- The featured products of a storefront, in their order, without reading the others.
create index products_featured on products (store_id, sort_order, id) where is_featured;
