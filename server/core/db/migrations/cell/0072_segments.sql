-- Groups of shoppers that promotions are for. Clients know segments and profiles by their uuid.
create table segments (
  store_id int not null,
  id int not null,
  uuid text collate "C" not null,
  name text not null,
  name_key text collate "C" not null,
  description text not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint segments_name_unique unique (store_id, name_key)
);
create unique index segments_uuid on segments (store_id, uuid);

-- A customer as segments know him. Each has one at most.
create table shopper_profiles (
  store_id int not null,
  id int not null,
  uuid text collate "C" not null,
  customer_id int not null,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (store_id, id),
  constraint shopper_profiles_customer_unique unique (store_id, customer_id),
  foreign key (store_id, customer_id) references customers on delete cascade
);
create unique index shopper_profiles_uuid on shopper_profiles (store_id, uuid);

create table segment_members (
  store_id int not null,
  segment_id int not null,
  profile_id int not null,
  primary key (store_id, segment_id, profile_id),
  foreign key (store_id, segment_id) references segments on delete cascade,
  foreign key (store_id, profile_id) references shopper_profiles on delete cascade
);
create index segment_members_profile on segment_members (store_id, profile_id, segment_id);

alter table segments enable row level security, force row level security;
alter table shopper_profiles enable row level security, force row level security;
alter table segment_members enable row level security, force row level security;
create policy wall on segments to storeward using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on shopper_profiles to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
create policy wall on segment_members to storeward
  using (store_id = nullif(current_setting('app.store', true), '')::int);
grant select, insert, update, delete on segments, shopper_profiles, segment_members to storeward;
