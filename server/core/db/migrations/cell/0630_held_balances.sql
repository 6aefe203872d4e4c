-- The store credit and gift certificates that a payment holds until its gateway answers.
alter table payments add column held jsonb not null default '[]';
