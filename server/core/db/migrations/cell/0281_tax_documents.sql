-- The documents of orders at tax providers: at most one of each order is live.
create table tax_documents (
  store_id int not null,
  order_id int not null,
  provider_id text collate "C" not null,
  -- The provider's id of the live document; '' if there is none.
  document_id text not null,
  -- A digest of the live document; '' if there is none.
  digest text not null,
  -- The call that waits for its answer: commit, adjust or void; null for none. It is sent again as it is until it is answered.
  call text,
  call_digest text,
  -- The body of that call, as it was sent first.
  body text,
  -- Counts the calls. A late answer to an earlier one changes nothing.
  nr int not null,
  primary key (store_id, order_id)
);
alter table tax_documents enable row level security, force row level security;
create policy wall on tax_documents to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on tax_documents to storeward;
