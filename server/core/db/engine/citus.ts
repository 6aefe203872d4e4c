import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import pg from 'pg'
import { cluster, GROUP, place } from './citus-nodes.ts'
import { CitusPlaces } from './citus-places.ts'
import { commandsOf } from './commands.ts'
import type { DatabasePart, Engine } from './engine.ts'
import { migrations } from './migration-files.ts'

/** Begins a transaction that changes tables: those that refer to each other are changed over one connection to each node. */
const SEQUENTIALLY = `begin; set local citus.multi_shard_modify_mode = 'sequential'`

/** A coordinator with workers. */
export const citus: Engine = {
  name: 'Citus',
  places: (connections) => new CitusPlaces(connections),
  // The coordinator itself has no rows.
  bytes: { ofRows: 'citus_relation_size', ofAll: 'citus_total_relation_size' },
  // Nodes connect to each other as the owner of a table to change it.
  ownerPowers: 'login noinherit',
  migratesAtOnce: false,
  migrate,
  cluster,
  place,
  async change(client, commands) {
    await inTransaction(client, async () => {
      for (const text of commands) await client.query(text)
    })
  },
  async onEveryNode(client, text) {
    await client.query(text)
    await client.query('select run_command_on_workers($1)', [text])
  },
}

/**
 * The last migration that runs before the tables are distributed, on a new database and on one that was restored from plain PostgreSQL. It moved
 * rows in ways that Citus can't. Each later one runs as in a database that is in use.
 */
const LAST_BEFORE = '0716_ordered_products_of_customers'

async function migrate(client: pg.Client, part: DatabasePart) {
  const { early, late } = Object.groupBy(await missingMigrations(client, part), (name) =>
    part === 'directory' || name <= LAST_BEFORE ? 'early' : 'late',
  )
  if (early) await runMigrations(client, part, early, (text) => [text])
  if (part === 'directory') return
  await distribute(client)
  for (const name of late ?? []) {
    await runMigrations(client, part, [name], commandsOf)
    await distribute(client)
  }
  await inTransaction(client, async () => {
    for (const text of [...CHECKS, SHOWS_SHARDS]) await client.query(text)
  })
}

/**
 * Statements at a node call these first. They refuse a shard that has moved away as a conflict, so that the work is done again at its new node.
 * A locked shard does not move until the transaction ends. While a shard moves, a change waits for a second.
 */
const CHECKS = [
  `create or replace function shard_is_here(shard bigint) returns void language plpgsql stable security definer
     set search_path = pg_catalog as $$
   begin
     if not exists (select from pg_dist_placement natural join pg_dist_local_group where shardid = shard) then
       raise exception 'The shard % is on another node.', shard using errcode = 'serialization_failure';
     end if;
   end $$`,
  `create or replace function lock_shard(shard bigint) returns void language plpgsql security definer
     set search_path = pg_catalog, public set lock_timeout = '1s' as $$
   begin
     perform lock_shard_metadata(5, array[shard]);
     perform shard_is_here(shard);
   end $$`,
  `create or replace function shards_are(shards bigint[]) returns void language plpgsql stable security definer
     set search_path = pg_catalog as $$
   begin
     if shards is distinct from array(
       select shardid from pg_dist_shard join pg_dist_placement using (shardid) natural join pg_dist_local_group
       where logicalrelid = 'public.${GROUP}'::regclass order by shardid
     ) then
       raise exception 'The node has other shards.' using errcode = 'serialization_failure';
     end if;
   end $$`,
  'revoke all on function shard_is_here(bigint), lock_shard(bigint), shards_are(bigint[]) from public',
  'grant execute on function shard_is_here(bigint), lock_shard(bigint), shards_are(bigint[]) to storeward, storeward_system, storeward_fork',
]

/** Citus hides shards in the catalog. This function looks for the statistics of some. */
const SHOWS_SHARDS = 'alter function analyze_copies(text[], bigint[]) set citus.override_table_visibility = off'

/** The migrations that a database does not have, in their order. */
async function missingMigrations(client: pg.Client, part: DatabasePart): Promise<string[]> {
  await client.query(
    `create table if not exists ${part}_migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)`,
  )
  const { rows } = await client.query<{ name: string }>(`select name from ${part}_migrations`)
  const applied = new Set(rows.map(({ name }) => name))
  return (await readdir(migrations(part)))
    .map((file) => parse(file).name)
    .filter((name) => !applied.has(name))
    .sort()
}

/** Runs migrations in one transaction. @param commandsOf the pieces in which a migration is sent */
async function runMigrations(
  client: pg.Client,
  part: DatabasePart,
  names: readonly string[],
  commandsOf: (text: string) => readonly string[],
) {
  let running = ''
  const run = async () => {
    for (const name of names) {
      running = name
      const text = await readFile(join(migrations(part), `${name}.sql`), 'utf8')
      for (const command of commandsOf(text)) await client.query(command)
      await client.query(`insert into ${part}_migrations (name, run_on) values ($1, now())`, [name])
    }
  }
  await inTransaction(client, run).catch((error: Error) => {
    throw new Error(`The migration ${running} failed: ${error.message}`, { cause: error })
  })
}

const ATTEMPTS_MAX = 5

/** Runs commands that change tables, all or none; again if another database of the cluster was changed at the same time. */
async function inTransaction(client: pg.Client, run: () => Promise<void>) {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(SEQUENTIALLY)
      await run()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (attempt === ATTEMPTS_MAX || !isRace(error)) throw error
    }
  }
}

/** Citus takes the roles of a new function along to the nodes, and roles belong to all databases. */
const isRace = (error: unknown) => error instanceof pg.DatabaseError && error.message === 'tuple concurrently updated'

/** Distributes the tables of stores that are not distributed yet, those that others refer to first. */
async function distribute(client: pg.Client) {
  const { rows } = await client.query<{ name: string; parents: string[] }>(`
    with own as (
      select c.oid from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
      where n.nspname in ('public', 'request_log') and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (select 1 from pg_dist_partition where logicalrelid = c.oid))
    select oid::regclass::text as name, array(
      select confrelid::regclass::text from pg_constraint
      where contype = 'f' and conrelid = own.oid and confrelid <> conrelid and confrelid in (select oid from own)) as parents
    from own order by oid`)
  const left = new Map(rows.map(({ name, parents }) => [name, parents]))
  while (left.size > 0) {
    const free = [...left].filter(([, parents]) => !parents.some((parent) => left.has(parent)))
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...left.keys()].join(', ')}.`)
    for (const [name] of free.sort(([one], [other]) => Number(other === GROUP) - Number(one === GROUP))) {
      const group = name === GROUP ? 'none' : GROUP
      await client.query(
        `select create_distributed_table(${pg.escapeLiteral(name)}, 'store_id', colocate_with => '${group}')`,
      )
      left.delete(name)
    }
  }
}
