import t, { type Static } from 'typebox'
import { Id } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'

// The items in pickups of orders. A change of the lines of an order reads them too.

export const Quantity = t.Integer({ minimum: 1, maximum: 2_147_483_647 })

const PickupItem = t.Object({ id: Id, order_id: Id, pickup_id: Id, order_product_id: Id, quantity: Quantity })
export type PickupItem = Static<typeof PickupItem>

export const pickupItems = collection('order_pickup_items', PickupItem, { noun: 'pickup item', filters: '' })

/** Returns the units of each line that are in pickups. */
export function pickedOf(items: readonly Pick<PickupItem, 'order_product_id' | 'quantity'>[]): Map<number, number> {
  const picked = new Map<number, number>()
  for (const { order_product_id, quantity } of items) {
    picked.set(order_product_id, (picked.get(order_product_id) ?? 0) + quantity)
  }
  return picked
}
