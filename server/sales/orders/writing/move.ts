import type { Tx } from '../../../core/db/database.ts'
import { differences } from '../../../core/rest/lists/verbs.ts'
import { lines, type OrderRow, pickupConsignments } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { moveStock } from '../stock/holds.ts'
import { saveOrder } from '../stock/spans.ts'
import { publishOrderChange } from './events.ts'
import { placeOrder } from './status/placement.ts'
import { recordStatusChange } from './status/status-change.ts'
import { submitTaxOfOrder } from './tax-documents.ts'

/** Publishes that a sub-resource of an order has changed. @param order locked */
export async function touchOrder(tx: Tx, order: OrderRow) {
  publishOrderChange(tx, order, await saveOrder(tx, order, {}))
}

/**
 * Changes an order after an event, moves its stock with its status, and publishes the change. Without a difference nothing is published.
 * @param before locked
 * @param keepsStock whether the stock remains as it is: refunds return no stock (docs/contract/orders.md section 2)
 */
export async function moveOrder(
  tx: Tx,
  before: OrderRow,
  changes: Partial<OrderRow>,
  { keepsStock = false } = {},
): Promise<OrderRow> {
  if (Object.keys(differences(before, changes)).length === 0) return before
  const after = { ...before, ...changes }
  if (after.status_id !== before.status_id && !keepsStock) {
    const {
      ofLines,
      pickups: [pickup],
    } = await tx.together(() => ({
      ofLines: rowsOfOrders(tx, lines, [before.id]),
      pickups: rowsOfOrders(tx, pickupConsignments, [before.id]),
    }))
    await moveStock(tx, before, after, { lines: ofLines, areLinesChanged: false, pickup })
  }
  const changed = await saveOrder(tx, before, after)
  await recordStatusChange(tx, before, changed, await placeOrder(tx, before, changed))
  await submitTaxOfOrder(tx, before, changed)
  publishOrderChange(tx, before, changed)
  return changed
}
