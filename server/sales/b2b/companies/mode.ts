import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { lockCounter } from '../../../core/rest/lists/counters.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { companies } from './company.ts'

// The mode of the companies of a store (docs/contract/companies.md section 9). Companies are independent by default: they share customer
// groups. In older stores they are dependent: each has a group of its own, with a price list.

/** Whether the companies of a store are dependent. */
export async function isDependent(db: Db): Promise<boolean> {
  const [settings] = await db.rows<{ is_dependent: boolean }>(
    prepared(sql`select is_dependent from b2b_settings where store_id = ${db.store.id}`),
  )
  return settings?.is_dependent ?? false
}

/** The same as a column of any statement; null for a store without settings. */
export const isDependentColumn = ({ store }: Pick<Db, 'store'>): Sql =>
  sql`(select is_dependent from b2b_settings where store_id = ${store.id})`

/** Sets the mode of a store without companies. @throws Error with a sentence for the operator */
export const setDependent = (db: Db, dependent: boolean) =>
  db.transaction(async (tx) => {
    await lockCounter(tx, companies.table)
    if ((await isDependent(tx)) === dependent) return
    const existing = await tx.rows(sql`select id from companies where store_id = ${tx.store.id} limit 1`)
    if (existing.length > 0) throw new Error('The mode can only change while the store has no companies.')
    await tx.rows(sql`
      insert into b2b_settings (store_id, is_enabled, is_dependent) values (${tx.store.id}, false, ${dependent})
      on conflict (store_id) do update set is_dependent = excluded.is_dependent returning store_id`)
  })

/** @throws Problem 405 for a store with independent companies */
export async function refuseIndependent(db: Db | Tx) {
  if (!(await isDependent(db))) throw new Problem(405, 'The companies of this store are independent.')
}
