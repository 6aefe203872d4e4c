-- The time at which the clock of a test store stands until it is moved on. Null for a clock that goes.
alter table store_profiles add column clock_stands_at timestamptz;
create index store_profiles_standing on store_profiles (store_id) where clock_stands_at is not null;
grant select (clock_stands_at), update (clock_stands_at) on store_profiles to storeward;
