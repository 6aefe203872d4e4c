-- How often passwords were tried, so that they can't be guessed: of an e-mail address the false ones, of a client all of them.
create table password_guesses (
  store_id int not null,
  -- email or client.
  kind text not null,
  -- A digest of the folded address, or the client's id.
  key text collate "C" not null,
  ends_at timestamptz not null,
  used int not null,
  primary key (store_id, kind, key)
);
create index password_guesses_ended on password_guesses (store_id, ends_at);

alter table password_guesses enable row level security, force row level security;
create policy wall on password_guesses to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on password_guesses to storeward;
