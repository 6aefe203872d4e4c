import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { theHouse } from '../../test/fixtures/shop.ts'
import { connectAsAdministrator } from '../../test/harness/administrator.ts'
import { NEVER_COPIED } from './copies/copied-tables.ts'

// The rules for every table of a store (docs/architecture.md, Stores are walls), asked from the catalog of PostgreSQL.

const WALL = "(store_id = (NULLIF(current_setting('app.store'::text, true), ''::text))::integer)"

const setting = (name: string) => WALL.replace('app.store', `app.${name}`)
const COPY_POLICIES = [`${setting('source')} r true`, `${setting('store')} a true`]

/**
 * The indexes across stores. Is a token that came with an unknown store hash valid anywhere (403) or nowhere (401)? Which hooks
 * are due, in any store? Which queues of jobs are due, and which jobs and which system logs have expired?
 */
const ACROSS_STORES = [
  'api_accounts_token_anywhere',
  // The keys of these are hashes with the store in them.
  'b2b_texts_ngrams',
  'customer_names_ngrams',
  'due_hooks_due',
  'job_queues_due',
  'jobs_forgotten',
  'product_names_ngrams',
  'system_logs_old',
]

/** Numbers keep 15 digits or are whole, times keep their zone, a uuid is a text: each prints as JSON holds it, without a mapper. */
const WIRE_TYPES = 'int4 int8 numeric bool text uuid timestamptz jsonb'
/** Only searches read them. */
const NEVER_ON_THE_WIRE = ['ngrams', 'facets']

const tables = `
  tables as (
    select c.oid, c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and c.relname not in ('cell_migrations', 'directory_migrations')),
  columns as (
    select tables.oid, name, attname, attnum, atttypid, attnotnull, attidentity
    from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped),
  stores as (select oid, attnum from columns where attname = 'store_id')`

/** Rows of the directory belong to no store, and refer to each other. */
const OUTSIDE_DIRECTORY = `connamespace is distinct from to_regnamespace('directory')`

/** Violations of a rule, as sentences. */
const RULES: Record<string, string> = {
  'store_id int not null': `
    select name from tables where not exists (
      select from columns c where c.oid = tables.oid and attname = 'store_id' and attnotnull and atttypid = 'int'::regtype)`,
  'a primary key': `
    select name from tables where not exists (select from pg_index where indrelid = tables.oid and indisprimary)`,
  'store_id first in every index': `
    select index.relname as name from tables
    join pg_index i on i.indrelid = tables.oid join pg_class index on index.oid = i.indexrelid
    left join stores on stores.oid = tables.oid
    where i.indkey[0] is distinct from stores.attnum and index.relname <> all ('{${ACROSS_STORES}}')`,
  'store_id first on both sides of a foreign key': `
    select conname as name from pg_constraint f
    left join stores here on here.oid = f.conrelid left join stores there on there.oid = f.confrelid
    where contype = 'f' and ${OUTSIDE_DIRECTORY} and (conkey[1] is distinct from here.attnum or confkey[1] is distinct from there.attnum)`,
  'no foreign key that sets null or a default': `
    select conname as name from pg_constraint
    where contype = 'f' and (confdeltype in ('n', 'd') or confupdtype in ('n', 'd'))`,
  'no foreign key that leaves the cell': `
    select conname as name from pg_constraint join pg_class target on target.oid = confrelid
    where contype = 'f' and ${OUTSIDE_DIRECTORY} and target.relnamespace <> 'public'::regnamespace`,
  'an index with the columns of a foreign key': `
    select conname as name from pg_constraint f where contype = 'f' and not exists (
      select from pg_index where indrelid = f.conrelid
        and (string_to_array(indkey::text, ' ')::int2[])[1:cardinality(f.conkey)] = f.conkey)`,
  'row policies enabled and forced': `
    select name from tables join pg_class c on c.oid = tables.oid where not (c.relrowsecurity and c.relforcerowsecurity)`,
  'the wall as the only policy of the role of requests': `
    select name from tables where array['${WALL.replaceAll("'", "''")} * true'] <> array(
      select concat_ws(' ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid), polcmd, polpermissive::text)
      from pg_policy where polrelid = tables.oid and polroles && array[0::oid, 'storeward'::regrole])`,
  'policies across stores for the system role only': `
    select polname as name from tables join pg_policy on polrelid = tables.oid
    where polroles <> array['storeward'::regrole::oid] and polroles <> array['storeward_system'::regrole::oid]
      and polroles <> array['storeward_fork'::regrole::oid]`,
  'policies of copies: one to read the source, one to insert': `
    select name from tables where name <> all ('{${Object.keys(NEVER_COPIED)}}') and name !~ '^(events|attempts)_\\d+$'
      and array['${COPY_POLICIES.map((policy) => policy.replaceAll("'", "''")).join("', '")}'] <> array(
        select concat_ws(' ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid), polcmd, polpermissive::text)
        from pg_policy where polrelid = tables.oid and polroles && array['storeward_fork'::regrole::oid] order by polname)`,
  'no right of copies but to read and to insert, and none where nothing is copied': `
    select distinct name from tables, unnest('{select,insert,update,delete,truncate,references,trigger,maintain}'::text[]) power
    where has_table_privilege('storeward_fork', tables.oid, power) <>
      (power in ('select', 'insert') and name <> all ('{${Object.keys(NEVER_COPIED)}}'))
      and name !~ '^(events|attempts)_\\d+$'`,
  'no sequence and no identity': `
    select name from columns where attidentity <> ''
    union all select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
      and relname not in ('cell_migrations_id_seq', 'directory_migrations_id_seq')`,
  // An export has the tables of its copy analyzed, which only their owner may do.
  'no trigger, rule, procedure or view': `
    select tgname as name from tables join pg_trigger on tgrelid = tables.oid where not tgisinternal
    union all select rulename from tables join pg_rewrite on ev_class = tables.oid
    union all select proname from pg_proc
      where pronamespace = 'public'::regnamespace and proname <> 'analyze_copies'
    union all select relname from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace`,
  'types that print as JSON holds them': `
    select name || '.' || attname as name from columns join pg_type t on t.oid = atttypid
    left join pg_type base on base.oid = t.typbasetype
    where attname <> all ('{${NEVER_ON_THE_WIRE}}') and coalesce(base.typname, t.typname) <> all (string_to_array('${WIRE_TYPES}', ' '))`,
  'tables of the owner': `
    select name from tables join pg_class c on c.oid = tables.oid where c.relowner <> 'storeward_owner'::regrole`,
  // Retention empties a day of events or attempts as a whole; it needs no more than that right, and only there.
  'no right that goes round a policy': `
    select distinct name from tables, unnest('{storeward,storeward_system,storeward_fork}'::text[]) role,
      unnest('{truncate,references,trigger,maintain}'::text[]) power
    where has_table_privilege(role, tables.oid, power)
      and not (role = 'storeward_system' and power = 'truncate' and name ~ '^(events|attempts)_\\d+$')`,
}

let admin: pg.Client
beforeAll(async () => {
  await theHouse()
  admin = await connectAsAdministrator({ cell: 'main' })
})
afterAll(() => admin.end())

async function offenders(rule: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(`with ${tables} ${rule}`)
  return rows.map(({ name }) => name).sort()
}

describe('every table of a store keeps the rule:', () => {
  test.each(Object.entries(RULES))('%s', async (_, rule) => {
    expect(await offenders(rule)).toEqual([])
  })
})

/** Tables that break every rule, and the findings of each rule. */
const BAD = `
  create table bad_floor (
    id serial primary key, rate float8, made timestamp, tags text[], small int generated always as identity);
  create table bad_parent (store_id int not null, id int not null, primary key (id, store_id), unique (store_id, id));
  create table bad_child (store_id bigint, id int, parent_id int,
    constraint bad_link foreign key (parent_id, store_id) references bad_parent on delete set null);
  create table bad_keys (store_id int not null, id int not null, parent_id int not null, primary key (store_id, id),
    constraint bad_unindexed foreign key (store_id, parent_id) references bad_parent (store_id, id));
  create schema elsewhere;
  create table elsewhere.numbers (store_id int primary key);
  create table bad_far (store_id int primary key,
    constraint bad_far_link foreign key (store_id) references elsewhere.numbers);
  create function bad_function() returns trigger language plpgsql as 'begin return new; end';
  create trigger bad_trigger before insert on bad_keys for each row execute function bad_function();
  create view bad_view as select 1 as one;
  create rule bad_rule as on insert to bad_parent do also nothing;
  alter table bad_keys enable row level security;
  alter table bad_parent enable row level security, force row level security;
  create policy bad_open on bad_parent using (true);
  create policy bad_wide on bad_keys to storeward
    using (store_id = nullif(current_setting('app.store', true), '')::int) with check (true);
  grant truncate on bad_keys to storeward;`

const FOUND: Record<keyof typeof RULES, string[]> = {
  'store_id int not null': ['bad_child', 'bad_floor'],
  'a primary key': ['bad_child'],
  'store_id first in every index': ['bad_floor_pkey', 'bad_parent_pkey'],
  'store_id first on both sides of a foreign key': ['bad_far_link', 'bad_link'],
  'no foreign key that sets null or a default': ['bad_link'],
  'no foreign key that leaves the cell': ['bad_far_link'],
  'an index with the columns of a foreign key': ['bad_link', 'bad_unindexed'],
  'row policies enabled and forced': ['bad_child', 'bad_far', 'bad_floor', 'bad_keys'],
  'the wall as the only policy of the role of requests': [
    'bad_child',
    'bad_far',
    'bad_floor',
    'bad_keys',
    'bad_parent',
  ],
  'policies across stores for the system role only': ['bad_open'],
  'policies of copies: one to read the source, one to insert': [
    'bad_child',
    'bad_far',
    'bad_floor',
    'bad_keys',
    'bad_parent',
  ],
  'no right of copies but to read and to insert, and none where nothing is copied': [
    'bad_child',
    'bad_far',
    'bad_floor',
    'bad_keys',
    'bad_parent',
  ],
  'no sequence and no identity': ['bad_floor', 'bad_floor_id_seq', 'bad_floor_small_seq'],
  'no trigger, rule, procedure or view': ['bad_function', 'bad_rule', 'bad_trigger', 'bad_view'],
  'types that print as JSON holds them': ['bad_floor.made', 'bad_floor.rate', 'bad_floor.tags'],
  'tables of the owner': ['bad_child', 'bad_far', 'bad_floor', 'bad_keys', 'bad_parent'],
  'no right that goes round a policy': ['bad_keys'],
}

describe('the rules find a table that breaks them:', () => {
  beforeAll(() => admin.query('begin').then(() => admin.query(BAD)))
  afterAll(() => admin.query('rollback'))

  test.each(Object.entries(RULES))('%s', async (name, rule) => {
    expect(await offenders(rule)).toEqual(FOUND[name])
  })
})

test('the planner checks the wall once for a statement and not for each row, in every table', async () => {
  await admin.query('begin; set local role storeward; set local app.store = 1')
  const { rows: readable } = await admin.query<{ name: string }>(
    `with ${tables} select name from tables where has_table_privilege('storeward', oid, 'select') order by name`,
  )
  expect(readable.length).toBeGreaterThan(5)
  for (const { name } of readable) {
    const { rows } = await admin.query(
      `explain (generic_plan, costs off) select * from ${pg.escapeIdentifier(name)} where store_id = $1`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan, name).toContain(
      "One-Time Filter: ((NULLIF(current_setting('app.store'::text, true), ''::text))::integer = $1)",
    )
  }
  await admin.query('rollback')
})
