import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { updateSearchRows } from '../search/rows.ts'

// A deleted brand is removed from its products. The products change, but no event is published.

/** Removes a brand from its products, in the transaction that deletes it. The brand is locked. */
export const detachBrand = (tx: Tx, brand_id: number) => inSteps(tx, (tx) => detachSome(tx, brand_id))

/**
 * Removes a brand from very many products in steps, before that transaction and before the brand is locked. A request that
 * changes one of the products waits for one step only.
 */
export async function detachLargeBrand(db: Db, brand_id: number) {
  const { count } = await db.row<{ count: number }>(sql`
    select count(*)::int as count from (
      select id from products where store_id = ${db.store.id} and brand_id = ${brand_id} limit ${STEP_ROWS + 1}
    ) product`)
  if (count > STEP_ROWS) await inSteps(db, (tx) => detachSome(tx, brand_id))
}

/** @returns whether there may be more */
async function detachSome(tx: Tx, brand_id: number): Promise<boolean> {
  const changed = await tx.rows<{ id: number }>(sql`
    update products set brand_id = 0, date_modified = ${toSeconds(tx.now)}
    where store_id = ${tx.store.id} and id = any(array(
      select id from products where store_id = ${tx.store.id} and brand_id = ${brand_id}
      order by id limit ${STEP_ROWS} for update))
    returning id`)
  updateSearchRows(
    tx,
    changed.map(({ id }) => id),
    'row',
  )
  return changed.length === STEP_ROWS
}
