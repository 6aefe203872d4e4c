import { hash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { parse } from 'node:path'
import type pg from 'pg'
import type { Statement } from '../wire/exchange.ts'
import type { Wire } from '../wire/wire.ts'
import type { DatabasePart, Engine, Node, StorePlace, TxSettings } from './engine.ts'
import { migrations } from './migration-files.ts'

const STORE = `set_config('app.store', $1, true)`

/** Sets the store for the rest of the transaction, and other settings with it, in one statement that is prepared once. */
function wall(store: number, settings?: TxSettings): readonly Statement[] {
  const { name, text } = settings ? wallWith(settings) : WALL
  return [{ name, text, values: [store | 0], dropsRows: true }]
}

function wallWith(settings: TxSettings) {
  const others = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`)
  const text = `select ${[STORE, ...others].join(', ')}`
  return { name: hash('sha1', text), text }
}

const WALL = wallWith({})

const wallToRead = (store: number): readonly Statement[] => [
  {
    name: 'wall to read',
    text: `select ${STORE}, set_config('transaction_read_only', 'on', true)`,
    values: [store | 0],
    dropsRows: true,
  },
]

/** A server that has all stores. */
export const plainPlace = (wire: Wire): StorePlace => ({
  wire,
  wall,
  wallToRead,
  hasAll: true,
  urlFor: (url) => url,
  tableOf: (name) => name,
  inForm: (statements) => statements,
})

/** One PostgreSQL server. */
export const plain: Engine = {
  name: 'PostgreSQL',
  places({ wire }) {
    const place = plainPlace(wire)
    const nodes: readonly Node[] = [{ wire, inForm: (statement) => [statement] }]
    return {
      of: () => place,
      nodes: () => nodes,
      wires: new Map(),
      evict() {},
      evictNodes() {},
      close: async () => {},
    }
  },
  bytes: { ofRows: 'pg_relation_size', ofAll: 'pg_total_relation_size' },
  ownerPowers: 'nologin noinherit',
  migratesAtOnce: true,
  async migrate(client, part) {
    if (await isUpToDate(client, part)) return
    // Most starts have nothing to migrate, and do not load the library.
    const { runner } = await import('node-pg-migrate')
    await runner({
      dbClient: client,
      dir: migrations(part),
      direction: 'up',
      migrationsTable: `${part}_migrations`,
      checkOrder: true,
      singleTransaction: true,
      advisoryLockMode: 'wait',
      log: () => {},
    })
  },
  cluster: async () => undefined,
  async place() {
    throw new Error('This database is one PostgreSQL server, which has no other node.')
  },
  async change(client, commands) {
    // One text without parameters is one transaction.
    if (commands.length > 0) await client.query(commands.join(';'))
  },
  async onEveryNode(client, command) {
    await client.query(command)
  },
}

/** Whether a database has all migrations of this program, in their order. */
async function isUpToDate(client: pg.Client, part: DatabasePart): Promise<boolean> {
  const { rows } = await client.query<{ has_table: boolean }>('select to_regclass($1) is not null as has_table', [
    `public.${part}_migrations`,
  ])
  if (!rows[0]?.has_table) return false
  const { rows: applied } = await client.query<{ name: string }>(
    `select name from ${part}_migrations order by run_on, id`,
  )
  const files = (await readdir(migrations(part))).sort()
  return files.every((file, i) => applied[i]?.name === parse(file).name)
}
