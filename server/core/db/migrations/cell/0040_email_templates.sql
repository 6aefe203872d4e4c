-- Templates that a store has written: its own for all channels, and those of single channels. Where there is no row, the
-- template that comes with the server is in force.
create table email_templates (
  store_id int not null,
  -- 0 for all channels.
  channel_id bigint not null,
  type_id text collate "C" not null,
  subject text not null,
  body text not null,
  translations jsonb not null,
  primary key (store_id, channel_id, type_id)
);

-- Stores that were opted in by name, for servers that do not do so with all.
create table email_opt_ins (
  store_id int not null,
  opted_in_at timestamptz(0) not null,
  primary key (store_id)
);

alter table email_templates enable row level security, force row level security;
alter table email_opt_ins enable row level security, force row level security;

create policy wall on email_templates to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on email_opt_ins to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);

grant select, insert, update, delete on email_templates to storeward;
grant select, insert on email_opt_ins to storeward;
