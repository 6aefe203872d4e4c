-- `doctor` names stores that have no payment provider, and stores that have the test gateway. It reads no credentials.
create policy across_stores on payment_providers for select to storeward_system using (true);
grant select (store_id, gateway) on payment_providers to storeward_system;
