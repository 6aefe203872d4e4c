import type { Db, Tx } from '../../../core/db/database.ts'
import { prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'

/** The tax classes of the costs that are no products (docs/contract/tax.md section 7). */
export interface CostClasses {
  shipping: number
  handling: number
  wrapping: number
}

export const DEFAULT_COST_CLASSES: CostClasses = { shipping: 2, handling: 2, wrapping: 3 }
const COSTS = ['shipping', 'handling', 'wrapping'] as const

/** The classes in force. */
export async function costClassesOf(db: Db): Promise<CostClasses> {
  return { ...DEFAULT_COST_CLASSES, ...(await storedClasses(db)) }
}

async function storedClasses(db: Db): Promise<Partial<CostClasses>> {
  const [row] = await db.rows<{ cost_classes: Partial<CostClasses> }>(
    prepared(sql`select cost_classes from tax_settings where store_id = ${db.store.id}`),
  )
  return row?.cost_classes ?? {}
}

/**
 * Sets classes of costs for the operator; those that are not given stay.
 * @throws Error with a sentence for the operator, for an unknown class
 */
export function setCostClasses(db: Db, changes: Partial<CostClasses>): Promise<CostClasses> {
  return db.transaction(async (tx) => {
    await changeStamp(tx, 'tax')
    for (const id of Object.values(changes)) await refuseUnknownClass(tx, id)
    const after = { ...(await storedClasses(tx)), ...changes }
    await storeClasses(tx, after)
    return { ...DEFAULT_COST_CLASSES, ...after }
  })
}

/** The stamp of the store keeps its classes from being deleted meanwhile. */
async function refuseUnknownClass(tx: Tx, id: number) {
  const rows = await tx.rows(sql`select id from tax_classes where store_id = ${tx.store.id} and id = ${id}`)
  if (id !== 0 && rows.length === 0) throw new Error(`The store has no tax class ${id}.`)
}

/** Costs of deleted classes get their first classes again. The stamp is changed already. */
export async function leaveCostClasses(tx: Tx, classIds: readonly number[]) {
  const stored = await storedClasses(tx)
  const left = COSTS.filter((cost) => classIds.includes(stored[cost] ?? 0))
  if (left.length === 0) return
  await storeClasses(tx, { ...stored, ...Object.fromEntries(left.map((cost) => [cost, DEFAULT_COST_CLASSES[cost]])) })
}

const storeClasses = (tx: Tx, classes: Partial<CostClasses>) =>
  tx.rows(sql`
    insert into tax_settings ${sql.rows([{ store_id: tx.store.id, value: '{}', cost_classes: JSON.stringify(classes) }])}
    on conflict (store_id) do update set cost_classes = excluded.cost_classes`)
