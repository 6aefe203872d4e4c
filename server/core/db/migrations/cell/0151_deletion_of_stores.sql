-- Requests take nothing away from these tables. Of a store that is deleted the system role removes their rows, and of these it reads
-- the keys only.
create policy across_stores on channels to storeward_system using (true);
create policy across_stores on email_opt_ins to storeward_system using (true);
create policy across_stores on store_credit_changes to storeward_system using (true);
grant delete on channels, email_opt_ins, store_credit_changes to storeward_system;
grant select (store_id, id) on channels to storeward_system;
grant select (store_id) on email_opt_ins to storeward_system;
grant select (store_id, customer_id, version) on store_credit_changes to storeward_system;
