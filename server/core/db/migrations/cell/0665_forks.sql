-- The role that copies stores reads one store and writes another. Its rights and policies on each table follow the migrations.
grant usage on schema public to storeward_fork;
