-- Names and SKUs are searched by n-grams (docs/decisions/067-search-by-ngrams.md). Rows that an older version stored have none:
-- searches read their texts, until the next `migrate` computes the n-grams.
drop index if exists product_names_search;
alter table product_names add column ngrams int[];
create index product_names_ngrams on product_names using gin (ngrams) with (gin_pending_list_limit = 128);
create index product_names_without_ngrams on product_names (store_id, id) where ngrams is null;

drop index customer_names_search;
alter table customer_names add column ngrams int[];
-- Not written any more. An older process that runs beside this version still writes it.
alter table customer_names alter column pieces set default '[]';
create index customer_names_ngrams on customer_names using gin (ngrams) with (gin_pending_list_limit = 128);
create index customer_names_without_ngrams on customer_names (store_id, id) where ngrams is null;
