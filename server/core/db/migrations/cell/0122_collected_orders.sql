-- Which orders are collected at a location: one that has open ones can't be deleted.
create index order_pickup_consignments_location on order_pickup_consignments (store_id, (location ->> 'id'), order_id);
