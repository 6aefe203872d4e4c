import { prepared, type Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'

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
  if (changes.size === 0) return new Map()
  const name = sql.id(column)
  const rows = await tx.rows<{ id: number; count: number }>(
    prepared(sql`
    update customers customer set ${name} = customer.${name} + more.count
    from unnest(${[...changes.keys()]}::int[], ${[...changes.values()]}::int[]) as more (id, count)
    where customer.store_id = ${tx.store.id} and customer.id = more.id
    returning customer.id, customer.${name} as count`),
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** How often each id is there, times a factor. */
export function countEach(ids: readonly number[], factor: 1 | -1): Map<number, number> {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + factor)
  return counts
}
