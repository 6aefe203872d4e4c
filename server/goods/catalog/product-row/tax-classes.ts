import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'

// The products of a tax class that is deleted fall back to class 0. As with a brand that is deleted, no event is published.

/** In the transaction that deletes the classes, which are locked. */
export const leaveTaxClasses = (tx: Tx, classIds: readonly number[]) => inSteps(tx, (tx) => leaveSome(tx, classIds))

/**
 * Before that transaction, and before the classes are locked: very many products leave their classes in steps, so that a change of one
 * of them waits for a step and not for all.
 */
export async function leaveLargeTaxClasses(db: Db, classIds: readonly number[]) {
  const { count } = await db.row<{ count: number }>(sql`
    select count(*)::int as count from (
      select id from products where store_id = ${db.store.id} and tax_class_id > 0 and tax_class_id = any(${classIds})
      limit ${STEP_ROWS + 1}
    ) product`)
  if (count > STEP_ROWS) await inSteps(db, (tx) => leaveSome(tx, classIds))
}

/** @returns whether there may be more */
async function leaveSome(tx: Tx, classIds: readonly number[]): Promise<boolean> {
  const changed = await tx.rows(sql`
    update products set tax_class_id = 0, date_modified = ${toSeconds(tx.now)}
    where store_id = ${tx.store.id} and id = any(array(
      select id from products where store_id = ${tx.store.id} and tax_class_id > 0 and tax_class_id = any(${classIds})
      order by id limit ${STEP_ROWS} for update))
    returning id`)
  return changed.length === STEP_ROWS
}
