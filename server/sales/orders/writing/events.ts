import type { Tx } from '../../../core/db/database.ts'
import { publish } from '../../../core/events/publish.ts'
import type { OrderRow } from '../row/rows.ts'

// Publishes events of orders (docs/contract/webhooks.md section 6): first that of the order, then that of its channel. All have the order
// as their subject, so a hook receives them in the order of the changes.

type Subject = Pick<OrderRow, 'id' | 'channel_id'>

export const orderSubject = ({ id }: Pick<Subject, 'id'>) => `order ${id}`

export function publishOrder(tx: Tx, action: 'created' | 'updated' | 'archived', order: Subject) {
  publish(tx, `store/order/${action}`, orderSubject(order), { type: 'order', id: order.id })
  publish(tx, `store/channel/${order.channel_id}/order/${action}`, orderSubject(order), { order_id: order.id })
}

/** Publishes a change. A change of the status has events of its own. */
export function publishOrderChange(tx: Tx, before: OrderRow, after: OrderRow) {
  const isMoved = before.status_id !== after.status_id
  const { id, channel_id } = after
  const status = { previous_status_id: before.status_id, new_status_id: after.status_id }
  publish(tx, 'store/order/updated', orderSubject(after), { type: 'order', id })
  if (isMoved) publish(tx, 'store/order/statusUpdated', orderSubject(after), { type: 'order', id, status })
  publish(tx, `store/channel/${channel_id}/order/updated`, orderSubject(after), { order_id: id })
  if (isMoved) publish(tx, `store/channel/${channel_id}/order/statusUpdated`, orderSubject(after), { order_id: id })
}
