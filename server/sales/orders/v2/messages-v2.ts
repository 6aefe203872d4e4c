import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import type { Api } from '../../../core/rest/api.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, Moment } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import type { Filter } from '../../../core/rest/lists/filters.ts'
import { findOne, insert } from '../../../core/rest/lists/verbs.ts'
import { dateV2, listV2, queryV2, rowsV2 } from '../../../core/rest/v2.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { orderSubject } from '../writing/events.ts'
import { ofOrder } from './parts-v2.ts'

const { read } = access('orders')

/** A message between customer and shop about an order, as it is stored (docs/contract/orders.md section 7). */
const Message = t.Object({
  id: Id,
  order_id: Id,
  staff_id: t.Integer({ minimum: 0 }),
  customer_id: t.Integer({ minimum: 0 }),
  type: t.String(),
  subject: t.String(),
  message: t.String(),
  status: t.Enum(['read', 'unread']),
  is_flagged: t.Boolean(),
  date_created: Moment,
})

export const messages = collection('order_messages', Message, { noun: 'message', filters: '' })

const MessageV2 = t.Object(
  { ...Message.properties, date_created: t.String({ description: 'RFC 2822' }) },
  { title: 'OrderMessage' },
)

const filters: readonly Filter[] = [
  { name: 'min_id', column: 'id', operator: 'min', kind: 'integer' },
  { name: 'max_id', column: 'id', operator: 'max', kind: 'integer' },
  { name: 'customer_id', column: 'customer_id', operator: 'equals', kind: 'integer' },
  { name: 'min_date_created', column: 'date_created', operator: 'min', kind: 'date' },
  { name: 'max_date_created', column: 'date_created', operator: 'max', kind: 'date' },
  { name: 'is_flagged', column: 'is_flagged', operator: 'equals', kind: 'boolean' },
  { name: 'status', column: 'status', operator: 'equals', kind: 'choice' },
]

/** Routes of messages. The shop and its customers write them, not clients of this API. */
export function messageRoutesV2(api: Api) {
  api.get(
    `${ofOrder}/messages`,
    {
      ...read,
      schema: {
        summary: 'List the messages of an order',
        params: t.Object({ order_id: Id }),
        querystring: queryV2(filters),
        response: { 200: t.Array(MessageV2), 204: t.Null() },
      },
    },
    async ({ db, params: { order_id }, query }) => {
      await findOne(db, orders, order_id)
      const rows = await rowsV2(db, { collection: messages, filters, query, where: sql`order_id = ${order_id}` })
      return listV2(rows.map((row): Static<typeof MessageV2> => ({ ...row, date_created: dateV2(row.date_created) })))
    },
  )
}

/** Stores a message about an order and publishes it. @param staff_id 0 for a message of the customer */
export async function addMessage(
  tx: Tx,
  { id, customer_id, channel_id }: Pick<OrderRow, 'id' | 'customer_id' | 'channel_id'>,
  { subject, message, staff_id }: { subject: string; message: string; staff_id: number },
) {
  const stored = await insert(tx, messages, {
    order_id: id,
    staff_id,
    customer_id,
    type: 'private',
    subject,
    message,
    status: 'unread',
    is_flagged: false,
    date_created: toSeconds(tx.now),
  })
  const data = { type: 'order', id, message: { order_message_id: stored.id } }
  publish(tx, 'store/order/message/created', orderSubject({ id }), data)
  publish(tx, `store/channel/${channel_id}/order/message/created`, orderSubject({ id }), { order_id: id })
}
