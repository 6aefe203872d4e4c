import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../../core/db/database.ts'
import { publish } from '../../../core/events/publish.ts'
import type { Cart } from '../row/cart.ts'
import type { CartDocument } from '../row/document.ts'

// Events of carts (docs/contract/carts.md section 7). Each has a form of the store and one of the channel. All events of a cart have one
// resource, so a hook gets them in their order.

type EventedCart = Pick<Cart, 'id' | 'channel_id'>

const subjectOf = ({ id }: EventedCart) => `cart ${id}`

/** The events without data of their own. */
type PlainAction = 'created' | 'updated' | 'deleted'

export function publishCart(tx: Tx, cart: EventedCart, action: PlainAction) {
  publish(tx, `store/cart/${action}`, subjectOf(cart), { type: 'cart', id: cart.id })
  publish(tx, `store/channel/${cart.channel_id}/cart/${action}`, subjectOf(cart), { cart_id: cart.id })
}

function publishLine(tx: Tx, cart: EventedCart, { id, action }: LineEvent) {
  const { channel_id } = cart
  publish(tx, `store/cart/lineItem/${action}`, subjectOf(cart), { type: 'cart_line_item', id, cartId: cart.id })
  const data = { cart_id: cart.id, cart_item_id: id }
  publish(tx, `store/channel/${channel_id}/cart/lineItem/${action}`, subjectOf(cart), data)
}

interface LineEvent {
  id: string
  action: PlainAction
}

/** Publishes the creation of a cart with its lines. */
export function publishCreation(tx: Tx, cart: Cart) {
  publishCart(tx, cart, 'created')
  publishCart(tx, cart, 'updated')
  for (const { id } of [...ownLines(cart.document), ...cart.document.added]) {
    publishLine(tx, cart, { id, action: 'created' })
  }
}

/**
 * Publishes the changes of a cart by its lines before and after. Changes that no hook hears of, such as those of shipping, publish nothing.
 * @param isUpdated whether `cart/updated` is published even if no line changes
 */
export function publishChange(tx: Tx, before: Cart, after: Cart, isUpdated: boolean) {
  const own = differencesOf(ownLines(before.document), ownLines(after.document))
  const added = differencesOf(before.document.added, after.document.added)
  const isChanged = isUpdated || before.email !== after.email || own.length > 0
  if (isChanged) publishCart(tx, after, 'updated')
  for (const event of [...own, ...added]) publishLine(tx, after, event)
  // A line that a promotion adds comes before the update that it causes.
  if (!isChanged && added.length > 0) publishCart(tx, after, 'updated')
}

/** Publishes the deletion of a cart whose last line was deleted. */
export function publishEmptied(tx: Tx, before: Cart) {
  publishCart(tx, before, 'updated')
  for (const { id } of [...ownLines(before.document), ...before.document.added]) {
    publishLine(tx, before, { id, action: 'deleted' })
  }
  publishCart(tx, before, 'deleted')
}

const ownLines = ({ lines, custom, certificates }: CartDocument): { id: string }[] => [
  ...lines,
  ...custom,
  ...certificates,
]

function differencesOf(before: readonly { id: string }[], after: readonly { id: string }[]): LineEvent[] {
  const known = new Map(before.map((line) => [line.id, line]))
  const left = new Set(after.map(({ id }) => id))
  return [
    ...after.flatMap((line): LineEvent[] => {
      const stored = known.get(line.id)
      if (!stored) return [{ id: line.id, action: 'created' }]
      return isDeepStrictEqual(stored, line) ? [] : [{ id: line.id, action: 'updated' }]
    }),
    ...before.flatMap(({ id }): LineEvent[] => (left.has(id) ? [] : [{ id, action: 'deleted' }])),
  ]
}
