import { prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'

/**
 * Changes the numbers of addresses or attributes of customers. Their dates remain.
 * @param changes the differences by customer; lock the customers first
 * @returns the new numbers
 */
export async function addToCounts(
  tx: Tx,
  column: 'address_count' | 'attribute_count',
  changes: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, number>> {
  const name = sql.id(column)
  const counts = new Map<number, number>()
  // Nearly always all change by one. One statement for each difference needs no join with a list, which has no statistics.
  for (const [more, ids] of Map.groupBy(changes.keys(), (id) => changes.get(id) ?? 0)) {
    const rows = await tx.rows<{ id: number; count: number }>(
      prepared(sql`
      update customers set ${name} = ${name} + ${more} where store_id = ${tx.store.id} and id = any(${ids})
      returning id, ${name} as count`),
    )
    for (const { id, count } of rows) counts.set(id, count)
  }
  return counts
}

/** Counts each id, multiplied by a factor. */
export function countEach(ids: readonly number[], factor: 1 | -1): Map<number, number> {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + factor)
  return counts
}
