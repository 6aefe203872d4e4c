import type { Tx } from '../../../core/db/database.ts'
import { countUses } from '../../promotions/uses/uses.ts'
import { isPlaced } from '../arithmetic/order-status.ts'
import type { OrderRow } from '../row/rows.ts'

/**
 * Applies the effects of a placed order, in the transaction of its new status: the uses of its promotions and coupons are counted
 * (docs/contract/orders.md section 1). Each effect happens once, also if the status changes back and forth.
 * @param after as it is stored
 */
export async function placeOrder(tx: Tx, before: OrderRow, after: OrderRow) {
  if (isPlaced(before.status_id) || !isPlaced(after.status_id)) return
  await countUses(tx, after.id)
}
