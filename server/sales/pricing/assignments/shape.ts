import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { publish } from '../../../core/events/publish.ts'
import { ID_MAX, Id, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'

/**
 * An assignment: the list that a group pays, in one channel or in all, or that a channel has for everybody else. No pair of group and
 * channel has two lists. An assignment without a channel is the price_list rule of its group in the older family.
 */
export const ListAssignment = t.Object({
  id: Id,
  price_list_id: Id,
  customer_group_id: nullable(t.Integer({ minimum: 1, maximum: ID_MAX })),
  channel_id: nullable(ChannelId),
})
export type ListAssignment = Static<typeof ListAssignment>

export const assignments = collection('price_list_assignments', ListAssignment, {
  noun: 'price list assignment',
  filters: `id id:in price_list_id price_list_id:in customer_group_id customer_group_id:in
    channel_id channel_id:in`,
  cursors: 'without page',
})

/** Publishes that a list was assigned. */
export function publishAssigned(tx: Tx, { price_list_id, channel_id, customer_group_id }: Omit<ListAssignment, 'id'>) {
  publish(tx, 'store/priceList/assignment/updated', `assignments of price list ${price_list_id}`, {
    price_list_id,
    channel_id,
    customer_group_id,
  })
}

/** Publishes that an assignment was deleted, as an update and as a deletion (docs/contract/webhooks.md section 6). */
export function publishUnassigned(tx: Tx, assignment: Omit<ListAssignment, 'id'>) {
  publishAssigned(tx, assignment)
  const { price_list_id, channel_id, customer_group_id } = assignment
  publish(tx, 'store/priceList/assignment/deleted', `assignments of price list ${price_list_id}`, {
    price_list_id,
    channel_id,
    customer_group_id,
  })
}
