-- Files that buyers have attached to quotes (docs/contract/b2b-graphql.md section 13).
create table b2b_quote_files (
  store_id int not null,
  quote_id int not null,
  -- Counts within the quote.
  id int not null,
  -- The secret in its address.
  secret text collate "C" not null,
  -- The name of its content.
  content text collate "C" not null,
  file_name text not null,
  file_type text not null,
  created_by text not null,
  created_at timestamptz(0) not null,
  primary key (store_id, quote_id, id),
  constraint b2b_quote_files_secret_unique unique (store_id, secret),
  foreign key (store_id, quote_id) references b2b_quotes on delete cascade
);

alter table b2b_quote_files enable row level security, force row level security;
create policy wall on b2b_quote_files to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_quote_files to storeward;
