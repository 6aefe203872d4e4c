import { createHash } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { nodeOfStore, openTable } from '../citus/cluster.ts'
import type { Shop } from '../fixtures/shop.ts'

/** The administrator's URL of the database that holds a store. */
export function administratorOf({ cell }: { cell: string }): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/w${process.pid}_${cell}`
  return url.href
}

/** A store, or a cell as a whole. */
interface Located {
  cell: string
  id?: number
}

/** A connection of the administrator to the database that holds a store, on its node there, to be ended by the caller. */
export async function connectAsAdministrator(store: Located): Promise<pg.Client> {
  const url = administratorOf(store)
  const client = new pg.Client({ connectionString: store.id === undefined ? url : await nodeOfStore(url, store.id) })
  await client.connect()
  return client
}

/** Does work for which only an administrator of the database has the rights, in the cell of a store. */
export async function asAdministrator<T>(store: Located, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectAsAdministrator(store)
  return work(client).finally(() => client.end())
}

/** Locks a table against everybody until the returned function is called. */
export async function holdTable({ store }: Shop, table: string): Promise<() => Promise<void>> {
  const admin = await connectAsAdministrator(store)
  await admin.query(`begin; lock table ${await openTable(admin, store.id, table)} in access exclusive mode`)
  return async () => {
    await admin.query('commit')
    await admin.end()
  }
}

/** A secret in clear, and in all encodings from which it could be recovered or looked up without the key. */
export function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const unkeyed = ['md5', 'sha1', 'sha256', 'sha512'].map((hash) => createHash(hash).update(secret).digest())
  return [
    secret,
    ...[bytes, ...unkeyed].flatMap((form) => [
      form.toString('hex'),
      form.toString('base64').replace(/=+$/, ''),
      form.toString('base64url'),
    ]),
  ]
}

/** All rows of a store, in all databases of the installation. */
export async function dumpOf(storeId: number, cells: readonly { name: string }[]): Promise<string> {
  const dumps: string[] = []
  for (const cell of new Set(['main', ...cells.map(({ name }) => name)])) dumps.push(await dumpOfCell(cell, storeId))
  return dumps.join('\n')
}

/** All rows of all tables of a database, except for PostgreSQL's own tables and the stores of other tests. */
const dumpOfCell = (cell: string, storeId: number) =>
  asAdministrator({ cell }, async (client) => {
    const { rows: tables } = await client.query(
      `select format('%I.%I', nspname, relname) as name,
         exists (select from pg_attribute where attrelid = c.oid and attname = 'store_id') as is_of_stores
       from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'p') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    )
    const parts: string[] = []
    for (const { name, is_of_stores } of tables) {
      const { rows } = await client.query(
        `select t::text as row from ${name} t ${is_of_stores ? `where store_id = ${storeId}` : ''}`,
      )
      parts.push(name, ...rows.map(({ row }) => row))
    }
    return parts.join('\n')
  })
