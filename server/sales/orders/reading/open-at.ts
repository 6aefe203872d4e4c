import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { commitmentsAt } from '../../../goods/stock/stock.ts'
import { canHandOver, isHandedOver, ORDER_STATUSES } from '../arithmetic/order-status.ts'
import { ORDER_PREFIX } from '../stock/holds.ts'
import { requestedUntil } from '../writing/archive.ts'

/** Statuses of orders with goods that are not handed over yet. */
const OPEN = ORDER_STATUSES.map(({ id }) => id).filter((id) => canHandOver(id) && !isHandedOver(id))

/**
 * Counts the open orders of locations: those that are collected there or hold stock there (docs/contract/locations.md section 1).
 * @returns by location; locations without one are missing
 */
export async function countOpenOrders(tx: Tx, locationIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.rows<{ location_id: number; count: number }>(sql`
    select place.location_id, count(*)::int as count from (
      select location_id, substr(key, ${ORDER_PREFIX.length + 1}::int)::int as order_id
      from ${commitmentsAt(tx, locationIds)} commitment where starts_with(key, ${ORDER_PREFIX})
      union
      select (location ->> 'id')::int, order_id from order_pickup_consignments
      where store_id = ${tx.store.id} and location ->> 'id' = any(${locationIds.map(String)})
    ) as place
    join orders on orders.store_id = ${tx.store.id} and orders.id = place.order_id
    where not orders.is_deleted and orders.id > ${requestedUntil(tx)} and orders.status_id = any(${OPEN})
    group by 1`)
  return new Map(rows.map(({ location_id, count }) => [location_id, count]))
}
