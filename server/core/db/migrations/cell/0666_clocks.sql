-- How far the clock of a test store is ahead of the server's, in seconds. Here and not in the directory, so that one transaction moves the
-- clock and all that waits for it.
alter table store_profiles add column clock_ahead_s int not null default 0 check (clock_ahead_s >= 0);
create index store_profiles_clocks on store_profiles (store_id) where clock_ahead_s > 0;
grant select (store_id, clock_ahead_s), update (clock_ahead_s) on store_profiles to storeward;

-- Whether the due time of a lane is the end of a lease. Leases have real time, and do not move with the clock of a store.
alter table job_lanes add column is_leased boolean not null default false;
