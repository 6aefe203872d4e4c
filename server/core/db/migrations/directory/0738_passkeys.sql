-- Passkeys with which people sign in. A passkey belongs to one host name.
create table directory.passkeys (
  id int primary key generated always as identity,
  person_id int not null references directory.people (id) on delete cascade,
  -- As the authenticator has named it, in base64url.
  credential_id text collate "C" not null unique,
  host text collate "C" not null,
  -- In base64url.
  public_key text collate "C" not null,
  -- Rises with each use at authenticators that count.
  counter bigint not null,
  transports jsonb not null,
  name text not null,
  created_at timestamptz(0) not null,
  used_at timestamptz(0)
);
create index passkeys_person on directory.passkeys (person_id, id);

-- Challenges that were answered. Each works once.
create table directory.passkey_challenges (
  challenge text collate "C" primary key,
  ends_at timestamptz(0) not null
);
create index passkey_challenges_end on directory.passkey_challenges (ends_at);

grant select, insert, update, delete on directory.passkeys, directory.passkey_challenges to storeward_system;
