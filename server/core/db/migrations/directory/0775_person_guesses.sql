-- Wrong passwords of people, by keyed hashes of e-mail addresses. Unknown addresses have rows too, so that nobody can tell them apart.
create table directory.person_guesses (
  key text collate "C" primary key,
  ends_at timestamptz(3) not null,
  used int not null
);
create index person_guesses_end on directory.person_guesses (ends_at);

grant select, insert, update, delete on directory.person_guesses to storeward_system;
