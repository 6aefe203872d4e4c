import { type HeldItem, holdSold, holdStocked } from '../catalog/variants/levels.ts'
import type { Tx } from '../core/db/database.ts'
import {
  available,
  blankRow,
  type Commitment,
  commitmentsOf,
  FIRST_LOCATION,
  forgetCommitments,
  type Item,
  itemKey,
  keepCommitments,
  STOCK_MAX,
  type StockRow,
  stockAt,
} from '../stock/stock.ts'
import { applyChanges, tellOfChange } from './adjustments.ts'
import { keepLocations } from './locations.ts'
import { newTransactionId } from './transaction.ts'

// What orders take of stock and give back (docs/contract/inventory.md section 4).

/** What an order takes at a location. */
export interface Order {
  /** Names this taking: under one key nothing is taken twice. */
  key: string
  order_id: number
  location_id: number
  /** By the variants that are sold, base variants included. */
  lines: readonly { variant_id: number; quantity: number }[]
  /** Whether to take what is there where there is too little, as for a change of status: a merchant records what has happened. */
  takesAnyway?: boolean
}

/** What an order got: all of it, or nothing and what was missing. */
export type Taking =
  | { kind: 'taken'; commitments: Commitment[] }
  | { kind: 'short'; missing: (Item & { wanted: number; available: number })[] }

/**
 * Takes from the stock of a location what an order needs, once for its key, and tells it. What is not tracked does not move.
 * @returns the same for the same key again
 */
export async function commitStock(
  tx: Tx,
  { key, order_id, location_id, lines, takesAnyway = false }: Order,
): Promise<Taking> {
  const location = (await keepLocations(tx, [location_id])).get(location_id)
  const sold = await holdSold(
    tx,
    lines.map(({ variant_id }) => variant_id),
  )
  // Behind the locks: whoever came with the same key has committed.
  const known = await commitmentsOf(tx, key)
  if (known.length > 0) return { kind: 'taken', commitments: known }

  const wanted = new Map<string, { item: HeldItem; quantity: number }>()
  for (const { variant_id, quantity } of lines) {
    const item = sold.get(variant_id)
    if (!item) continue
    const before = wanted.get(itemKey(item))?.quantity ?? 0
    wanted.set(itemKey(item), { item, quantity: before + quantity })
  }
  const all = [...wanted.values()]
  const stock = await stockAt(
    tx,
    all.map(({ item: { product_id, variant_id } }) => ({ product_id, variant_id, location_id })),
  )
  const takings = stock.flatMap((at, i) => {
    const want = all[i]
    if (!want) return []
    const forSale = location?.enabled && at.row?.is_in_stock ? available(at.row) : 0
    const taken = Math.min(want.quantity, takesAnyway ? (at.row?.on_hand ?? 0) : forSale)
    return [{ ...at, ...want, forSale, taken }]
  })
  const short = takings.filter(({ quantity, taken }) => taken < quantity)
  if (short.length > 0 && !takesAnyway) {
    return {
      kind: 'short',
      missing: short.map(({ place: { product_id, variant_id }, quantity, forSale }) => ({
        product_id,
        variant_id,
        wanted: quantity,
        available: forSale,
      })),
    }
  }

  const commitments = takings.map(({ place, taken, quantity }) => ({
    ...place,
    quantity: taken,
    oversold: quantity - taken,
  }))
  await keepCommitments(tx, key, commitments)
  const changes = takings
    .filter(({ taken }) => taken > 0)
    .map(({ taken, ...at }) => {
      const row = at.row ?? blankRow(at.place, at.item.is_tracked)
      return { ...at, now: { ...row, on_hand: row.on_hand - taken } }
    })
  await applyChanges(tx, changes, { transaction_id: newTransactionId(), cause: 'order', order_id }, 'order')
  for (const { item, now } of changes) warn(tx, item, now)
  return { kind: 'taken', commitments }
}

/** What orders warn of, and nobody else: each time, and not only when the level is crossed. */
function warn(tx: Tx, item: HeldItem, row: StockRow) {
  const left = available(row)
  if (left <= row.warning_level) tellOfChange(tx, 'low_stock_reached', item, row.location_id)
  if (left === 0) tellOfChange(tx, 'out_of_stock_reached', item, row.location_id)
}

/**
 * Gives back what was taken under a key, to where it came from, or to the first location if that is deleted. A second time nothing
 * is left to give back.
 */
export async function releaseStock(
  tx: Tx,
  { key, order_id, cause = 'order_cancel' }: { key: string; order_id: number; cause?: 'order_cancel' | 'order_edit' },
) {
  const locations = await keepLocations(tx, [
    FIRST_LOCATION,
    ...(await commitmentsOf(tx, key)).map(({ location_id }) => location_id),
  ])
  const items = await holdStocked(tx, await commitmentsOf(tx, key))
  const back = new Map<string, Commitment>()
  for (const taken of await forgetCommitments(tx, key)) {
    const location_id = locations.has(taken.location_id) ? taken.location_id : FIRST_LOCATION
    const place = `${itemKey(taken)} ${location_id}`
    back.set(place, { ...taken, location_id, quantity: taken.quantity + (back.get(place)?.quantity ?? 0) })
  }
  const returned = [...back.values()].filter(({ quantity }) => quantity > 0)
  const stock = await stockAt(
    tx,
    returned.map(({ product_id, variant_id, location_id }) => ({ product_id, variant_id, location_id })),
  )
  const changes = stock.flatMap((at, i) => {
    const [item, given] = [items.get(itemKey(at.place)), returned[i]]
    if (!item || !given) return []
    const counts = locations.get(at.place.location_id)?.enabled ?? false
    const row = at.row ?? { ...blankRow(at.place, item.is_tracked), counts }
    return [{ ...at, item, now: { ...row, on_hand: Math.min(row.on_hand + given.quantity, STOCK_MAX) } }]
  })
  await applyChanges(tx, changes, { transaction_id: newTransactionId(), cause, order_id }, 'order')
}
