import { prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'

/**
 * Changes what customers show of how many addresses or attributes they have. Their dates stay as they are.
 * @param changes how many more, by customer; the customers are held
 * @returns how many they have then
 */
export async function addToCounts(
  tx: Tx,
  column: 'address_count' | 'attribute_count',
  changes: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, number>> {
  const name = sql.id(column)
  const counts = new Map<number, number>()
  // Nearly always all change by one. A statement for each number needs no join with a list, for which there are no statistics.
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

/** How often each id is there, times a factor. */
export function countEach(ids: readonly number[], factor: 1 | -1): Map<number, number> {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + factor)
  return counts
}
