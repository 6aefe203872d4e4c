-- The query is part of the request that an Idempotency-Key stands for. Null: the answer was stored by a version that left it out.
alter table idempotent_answers add column query_hash text;
