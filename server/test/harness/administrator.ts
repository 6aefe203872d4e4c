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

/** Does work for which only an administrator of the database has the rights, in the cell of a store. */
export async function asAdministrator<T>(store: { cell: string }, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectAsAdministrator(store)
  return work(client).finally(() => client.end())
}

/** Locks a table against everybody until the returned function is called. */
export async function holdTable({ store }: Shop, table: string): Promise<() => Promise<void>> {
  const admin = await connectAsAdministrator(store)
  await admin.query(`begin; lock table ${pg.escapeIdentifier(table)} in access exclusive mode`)
  return async () => {
    await admin.query('commit')
    await admin.end()
  }
}
