-- A mail may have an HTML part beside its text.
alter table mails add column html text;

-- E-mails that are still to be made of their templates: whom they are for and what they are about. Gone when they are made.
create table owed_emails (
  store_id int not null,
  id text collate "C" not null,
  type_id text collate "C" not null,
  -- 0 where it comes from no channel in particular.
  channel_id bigint not null,
  locale text not null,
  recipient text not null,
  context jsonb not null,
  created_at timestamptz(0) not null,
  primary key (store_id, id)
);

alter table owed_emails enable row level security, force row level security;
create policy wall on owed_emails to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, delete on owed_emails to storeward;
