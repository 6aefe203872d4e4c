-- Fields that a store defines for its companies, users, addresses, orders, quotes and invoices (docs/contract/b2b-extra-fields.md).
create table b2b_extra_fields (
  store_id int not null,
  id int not null,
  -- company, user, address, order, quote or invoice.
  kind text collate "C" not null,
  uuid text collate "C" not null,
  field_name text not null,
  field_name_key text collate "C" not null,
  -- 0 text, 1 lines of text, 2 number, 3 one of a list.
  field_type int not null,
  is_required boolean not null,
  is_unique boolean not null,
  visible_to_enduser boolean not null,
  default_value text not null,
  -- Null without a limit.
  maximum_length int,
  number_of_rows int,
  maximum_value amount,
  list_of_value jsonb not null,
  primary key (store_id, id),
  constraint b2b_extra_fields_name_unique unique (store_id, kind, field_name_key)
);

-- The values of unique fields. The owner of a row may have lost the value since: then the next owner takes the row over.
create table b2b_unique_values (
  store_id int not null,
  field_id int not null,
  -- SHA-256 of the folded value.
  digest text collate "C" not null,
  owner_id int not null,
  primary key (store_id, field_id, digest),
  foreign key (store_id, field_id) references b2b_extra_fields on delete cascade
);

-- The values by the id of their field.
alter table companies add column extra_values jsonb not null default '{}';
alter table company_users add column extra_values jsonb not null default '{}';
alter table company_addresses add column extra_values jsonb not null default '{}';
alter table b2b_invoices add column extra_values jsonb not null default '{}';
alter table b2b_invoices drop column extra_fields;

alter table b2b_extra_fields enable row level security, force row level security;
alter table b2b_unique_values enable row level security, force row level security;
create policy wall on b2b_extra_fields to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on b2b_unique_values to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on b2b_extra_fields, b2b_unique_values to storeward;
