-- Pages of representatives skip the quotes of other companies in the index alone.
drop index b2b_quotes_updated;
create index b2b_quotes_updated on b2b_quotes (store_id, updated_at, id) include (company_id);
