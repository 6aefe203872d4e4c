-- Analyzes the tables that grew by a copy whose rows are read at once. PostgreSQL does so by itself within a minute; until then it expects
-- hardly any row of the new store, and reads all of them where an index has the few that are wanted. It runs as the owner of the tables.
create function analyze_copies(tables text[], copied bigint[]) returns void language plpgsql security definer
  set search_path = pg_catalog as $$
declare grown text;
begin
  for grown in
    select c.relname from unnest(tables, copied) as copy (name, rows)
    join pg_class c on c.relname = copy.name and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    -- As autovacuum does, from a tenth of new rows on.
    where copy.rows > greatest(1000, c.reltuples / 10)
  loop
    execute format('analyze (skip_locked) public.%I', grown);
  end loop;
end $$;
revoke all on function analyze_copies(text[], bigint[]) from public;
grant execute on function analyze_copies(text[], bigint[]) to storeward_fork;
