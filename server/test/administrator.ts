import pg from 'pg'
import { inject } from 'vitest'
import type { Shop } from './shop.ts'

/** The administrator's URL of the database that holds a store. */
export function administratorOf({ store }: Shop): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/w${process.pid}_${store.cell}`
  return url.href
}

/** Keeps everybody from a table until what it gives is called. */
export async function holdTable(shop: Shop, table: string): Promise<() => Promise<void>> {
  const admin = new pg.Client({ connectionString: administratorOf(shop) })
  await admin.connect()
  await admin.query(`begin; lock table ${pg.escapeIdentifier(table)} in access exclusive mode`)
  return async () => {
    await admin.query('commit')
    await admin.end()
  }
}
