import type { Tx } from '../../../core/db/database.ts'
import { publish } from '../../../core/events/publish.ts'
import type { OrderRow } from '../row/rows.ts'

// What is told of orders (docs/contract/webhooks.md section 6): first of the order, then of its channel. All of it is about one order,
// so that a hook gets it in the order in which it happened.

type Subject = Pick<OrderRow, 'id' | 'channel_id'>

export const orderSubject = ({ id }: Pick<Subject, 'id'>) => `order ${id}`

export function publishOrder(tx: Tx, deed: 'created' | 'updated' | 'archived', order: Subject) {
  publish(tx, `store/order/${deed}`, orderSubject(order), { type: 'order', id: order.id })
  publish(tx, `store/channel/${order.channel_id}/order/${deed}`, orderSubject(order), { order_id: order.id })
}

/** Tells a change, and of it apart that the status is another one. */
export function publishOrderChange(tx: Tx, before: OrderRow, after: OrderRow) {
  const isMoved = before.status_id !== after.status_id
  const { id, channel_id } = after
  const status = { previous_status_id: before.status_id, new_status_id: after.status_id }
  publish(tx, 'store/order/updated', orderSubject(after), { type: 'order', id })
  if (isMoved) publish(tx, 'store/order/statusUpdated', orderSubject(after), { type: 'order', id, status })
  publish(tx, `store/channel/${channel_id}/order/updated`, orderSubject(after), { order_id: id })
  if (isMoved) publish(tx, `store/channel/${channel_id}/order/statusUpdated`, orderSubject(after), { order_id: id })
}
