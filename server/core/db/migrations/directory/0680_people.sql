-- People who use the operator's console. They belong to the installation, not to a store.
create table directory.people (
  id int primary key generated always as identity,
  -- In lower case.
  email text collate "C" not null unique,
  name text not null default '',
  role text collate "C" not null,
  -- Hashes of the stores that the person may open; null for all.
  stores jsonb,
  -- Argon2id. Null until the first invitation is accepted.
  password_hash text,
  -- Keyed with SECRET. The link of an invitation works once.
  invitation_hash text collate "C" unique,
  invitation_until timestamptz(0),
  -- Whether the link works only in a browser on the machine of the server.
  invitation_is_local boolean not null default false,
  created_at timestamptz(0) not null
);

create table directory.person_sessions (
  id int primary key generated always as identity,
  person_id int not null references directory.people (id) on delete cascade,
  token_hash text collate "C" not null unique,
  created_at timestamptz(0) not null,
  used_at timestamptz(0) not null,
  -- The last time at which the person gave the password.
  confirmed_at timestamptz(0) not null,
  ends_at timestamptz(0) not null,
  address text not null,
  agent text not null
);
create index person_sessions_person on directory.person_sessions (person_id, id);
create index person_sessions_end on directory.person_sessions (ends_at);

-- Access tokens of the console for one store. They end with their session.
create table directory.console_tokens (
  token_hash text collate "C" primary key,
  session_id int not null references directory.person_sessions (id) on delete cascade,
  store_id int not null,
  client_id text not null,
  scopes jsonb not null,
  ends_at timestamptz(0) not null
);
create index console_tokens_session on directory.console_tokens (session_id);
create index console_tokens_end on directory.console_tokens (ends_at);

grant select, insert, update, delete on directory.people, directory.person_sessions, directory.console_tokens to storeward_system;

-- Actions of people, operator keys and commands. A row is stored before the action, its outcome afterwards.
create table directory.audit (
  id bigint primary key generated always as identity,
  at timestamptz(3) not null,
  kind text collate "C" not null,
  -- The e-mail address of a person, the name of a key, or the user of the system.
  actor text not null,
  -- Empty for actions that concern no single store.
  store_hash text collate "C" not null,
  action text not null,
  object text not null,
  -- SHA-256 of the body; empty without one.
  body_digest text not null,
  request_id text not null
);
create index audit_at on directory.audit (at, id);
create index audit_actor on directory.audit (actor, id);
create index audit_store on directory.audit (store_hash, id);

create table directory.audit_outcomes (
  audit_id bigint primary key references directory.audit (id) on delete cascade,
  -- Status of the answer, or exit code of a command.
  status int not null,
  at timestamptz(3) not null
);

-- The server can add records. It can't change or delete one.
grant select, insert on directory.audit, directory.audit_outcomes to storeward_system;

-- Deletes records after 400 days. It runs as the owner of the table.
create function directory.delete_old_audit(before timestamptz) returns int language plpgsql security definer
  set search_path = pg_catalog as $$
declare deleted int;
begin
  with old as (select id from directory.audit
    where at < least(before, statement_timestamp() - interval '400 days') order by at limit 10000)
  delete from directory.audit using old where audit.id = old.id;
  get diagnostics deleted = row_count;
  return deleted;
end $$;
revoke all on function directory.delete_old_audit(timestamptz) from public;
grant execute on function directory.delete_old_audit(timestamptz) to storeward_system;
