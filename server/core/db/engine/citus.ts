import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import pg from 'pg'
import type { Statement } from '../wire/exchange.ts'
import { cluster, GROUP, place } from './citus-nodes.ts'
import { NodeReads } from './citus-reads.ts'
import { commandsOf } from './commands.ts'
import type { DatabasePart, Engine, TxSettings } from './engine.ts'
import { migrations } from './migration-files.ts'

const command = (text: string): Statement => ({ text, values: [], dropsRows: true })
const named = (text: string): Statement => ({ ...command(text), name: text })

const BEGIN_READ = named('begin read only')
const COMMIT = named('commit')

/** Settings that Citus does without: it plans by the values of a statement, which say the node, and refuses a plan for any values. */
const NOT_SET = ['plan_cache_mode']

/** `set local` takes no parameter, so it is not prepared: each store would have a statement of its own. */
const wall = (store: number, settings: TxSettings = {}): readonly Statement[] => [
  command(`set local app.store = ${store | 0}`),
  ...Object.entries(settings)
    .filter(([name]) => !NOT_SET.includes(name))
    .map(([name, value]) => named(`set local ${name} = '${value}'`)),
]

/** Begins a transaction that changes tables: those that refer to each other are changed over one connection to each node. */
const SEQUENTIALLY = `begin; set local citus.multi_shard_modify_mode = 'sequential'`

/**
 * A coordinator with workers. `citus.propagate_set_commands` takes `set local` along to the workers, but only inside a block that `begin` has
 * opened, and `set_config` never: there a row policy would find no store, and a read no rows.
 */
export const citus: Engine = {
  name: 'Citus',
  options: ' -c citus.propagate_set_commands=local',
  wallToRead: (store) => [BEGIN_READ, ...wall(store)],
  // If the read fails, this rolls back. Behind it in the same piece it would be skipped.
  endOfRead: COMMIT,
  readRoutes: (connections) => new NodeReads(connections),
  wall,
  hasPieces: false,
  // The coordinator itself has no rows.
  bytes: { ofRows: 'citus_relation_size', ofAll: 'citus_total_relation_size' },
  // Nodes connect to each other as the owner of a table to change it.
  ownerPowers: 'login noinherit',
  migratesAtOnce: false,
  migrate,
  cluster,
  place,
  async change(client, commands) {
    await client.query(SEQUENTIALLY)
    for (const text of commands) await client.query(text)
    await client.query('commit')
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
}

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
  await client.query(SEQUENTIALLY)
  for (const name of names) {
    const text = await readFile(join(migrations(part), `${name}.sql`), 'utf8')
    for (const command of commandsOf(text)) {
      await client.query(command).catch(async (error: Error) => {
        await client.query('rollback')
        throw new Error(`The migration ${name} failed: ${error.message}`, { cause: error })
      })
    }
    await client.query(`insert into ${part}_migrations (name, run_on) values ($1, now())`, [name])
  }
  await client.query('commit')
}

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
