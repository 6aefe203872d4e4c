import pg from 'pg'
import { inject } from 'vitest'
import type { Shop } from '../fixtures/shop.ts'

/** The administrator's URL of the database that holds a store. */
export function administratorOf({ cell }: { cell: string }): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/w${process.pid}_${cell}`
  return url.href
}

/** A connection of the administrator to the database that holds a store, to be ended by the caller. */
export async function connectAsAdministrator(store: { cell: string }): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: administratorOf(store) })
  await client.connect()
  return client
}

/** What only an administrator of the database may do, in the cell of a store. */
export async function asAdministrator<T>(store: { cell: string }, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectAsAdministrator(store)
  return work(client).finally(() => client.end())
}

/** Keeps everybody from a table until what it gives is called. */
export async function holdTable({ store }: Shop, table: string): Promise<() => Promise<void>> {
  const admin = await connectAsAdministrator(store)
  await admin.query(`begin; lock table ${pg.escapeIdentifier(table)} in access exclusive mode`)
  return async () => {
    await admin.query('commit')
    await admin.end()
  }
}
