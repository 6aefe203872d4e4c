import type { Tx } from '../../core/db/database.ts'
import {
  findItems,
  type LockedItem,
  lockCountedProducts,
  lockSoldItems,
  lockStockedItems,
} from '../catalog/variants/levels.ts'
import {
  available,
  blankRow,
  type Commitment,
  commitmentsOf,
  FIRST_LOCATION,
  itemKey,
  replaceCommitments,
  STOCK_MAX,
  type StockAt,
  type StockItem,
  type StockRow,
  stockAt,
} from '../stock/stock.ts'
import { applyChanges, type ItemChange, publishItemEvent } from './adjustments.ts'
import { type Allocation, allocate, type Supply } from './allocations.ts'
import { lockEnabledLocationsShared, lockLocationsShared } from './locations/location-shape.ts'
import { newTransactionId } from './transaction.ts'

// Orders take stock and give it back (docs/contract/inventory.md section 4).

/** The stock that an order needs. */
export interface StockDemand {
  /** The key of the commitments. Only the difference to the current commitments of the key moves. */
  key: string
  order_id: number
  /** The location from which to take; by default the first location, then all enabled ones. */
  location_id?: number
  /** The sold variants, base variants included. An empty list gives everything back. */
  lines: readonly { variant_id: number; quantity: number }[]
  /** Whether to take stock even if too little is for sale, as for a change of status: a merchant records facts. */
  mayOversell?: boolean
  /** The cause of the changes, as it is recorded. */
  cause?: 'order' | 'order_edit' | 'order_cancel'
}

/** The result: all needed units are taken, or nothing has changed and some items are missing. */
export type CommitOutcome = { kind: 'taken'; commitments: Commitment[] } | { kind: 'short'; missing: MissingItem[] }

/** An item with too little for sale. */
export interface MissingItem extends StockItem {
  wanted: number
  available: number
}

/** An item that an order needs or has taken. */
interface Need {
  item: LockedItem
  need: number
  held: Allocation[]
}

/**
 * Changes the commitments of an order to its needs, and publishes the changed amounts. Items that are not tracked do not
 * move, unless the order has taken them and no longer needs them.
 * @returns the same result for the same key and lines
 */
export async function commitStock(tx: Tx, order: StockDemand): Promise<CommitOutcome> {
  const { key, order_id, location_id, lines, mayOversell = false, cause = 'order' } = order
  const looked = await commitmentsOf(tx, key)
  if (looked.length === 0 && lines.length === 0) return { kind: 'taken', commitments: [] }
  const locations = await lockSources(tx, order, looked)
  const { needs, known } = await lockNeeds(tx, order, looked, (id) => (locations.has(id) ? id : FIRST_LOCATION))
  const sources =
    location_id === undefined ? [...locations.values()].filter(isSource).map(({ id }) => id) : [location_id]
  const stock = await stockOf(tx, needs, sources)

  const missing: MissingItem[] = []
  const moves: ItemChange[] = []
  const commitments: Commitment[] = []
  for (const { item, need, held } of needs) {
    const { product_id, variant_id } = item
    const there = stock.get(itemKey(item)) ?? []
    const supplies = sources.map((id) => supplyAt(id, there, locations.get(id)?.enabled ?? false))
    const after = allocate(need, held, supplies, mayOversell)
    if (!after) {
      const forSale = supplies.reduce((sum, supply) => sum + supply.forSale, 0)
      missing.push({ product_id, variant_id, wanted: need, available: forSale + totalOf(held) })
      continue
    }
    commitments.push(...after.map((place) => ({ product_id, variant_id, ...place })))
    for (const at of there) {
      const taken = quantityAt(after, at.position.location_id) - quantityAt(held, at.position.location_id)
      if (taken === 0) continue
      const counts = locations.get(at.position.location_id)?.enabled ?? false
      const row = at.row ?? { ...blankRow(at.position, item.is_tracked), counts }
      moves.push({ ...at, item, now: { ...row, on_hand: Math.min(row.on_hand - taken, STOCK_MAX) } })
    }
  }
  if (missing.length > 0) return { kind: 'short', missing }

  await replaceCommitments(tx, key, known, commitments)
  await applyChanges(tx, moves, { transaction_id: newTransactionId(), cause, order_id }, { cause: 'order' })
  for (const { item, row, now } of moves) if (now.on_hand < (row?.on_hand ?? 0)) publishWarnings(tx, item, now)
  return { kind: 'taken', commitments }
}

/**
 * Gives all units of a key back to their locations, or to the first location if theirs is deleted. A second call has nothing
 * left to give back.
 */
export const releaseStock = (
  tx: Tx,
  { key, order_id, cause = 'order_cancel' }: { key: string; order_id: number; cause?: 'order_cancel' | 'order_edit' },
) => commitStock(tx, { key, order_id, cause, lines: [] })

/** Locks the locations that an order may take from or give back to, in the order of their ids. */
const lockSources = (tx: Tx, { location_id, lines }: StockDemand, held: readonly Commitment[]) => {
  const known = [FIRST_LOCATION, ...held.map((place) => place.location_id)]
  if (lines.length === 0) return lockLocationsShared(tx, known)
  return location_id === undefined
    ? lockEnabledLocationsShared(tx, known)
    : lockLocationsShared(tx, [location_id, ...known])
}

const isSource = ({ id, enabled }: { id: number; enabled: boolean }) => enabled || id === FIRST_LOCATION

function supplyAt(location_id: number, there: readonly StockAt[], isOpen: boolean): Supply {
  const row = there.find(({ position }) => position.location_id === location_id)?.row
  const forSale = row?.is_in_stock && isOpen ? available(row) : 0
  return { location_id, forSale, on_hand: row?.on_hand ?? 0 }
}

const quantityAt = (held: readonly Allocation[], location: number): number =>
  held.reduce((sum, { location_id, quantity }) => sum + (location_id === location ? quantity : 0), 0)

const totalOf = (held: readonly Allocation[]): number =>
  held.reduce((sum, { quantity, oversold }) => sum + quantity + oversold, 0)

/**
 * Locks the products of all needed or taken items, and computes for each item the needed quantity and the current
 * allocations.
 * @param placeOf the location to which units of a location return
 */
async function lockNeeds(
  tx: Tx,
  { key, lines }: StockDemand,
  looked: readonly Commitment[],
  placeOf: (location: number) => number,
): Promise<{ needs: Need[]; known: readonly Commitment[] }> {
  const variantIds = lines.map(({ variant_id }) => variant_id)
  // All products at once, in the order of their ids. For new orders, `lockSoldItems` locks them.
  if (looked.length > 0) {
    const named = await findItems(
      tx,
      variantIds.map((variant_id) => ({ variant_id })),
    )
    await lockCountedProducts(
      tx,
      [...named, ...looked].flatMap((item) => item?.product_id ?? []),
    )
  }
  const sold = await lockSoldItems(tx, variantIds)
  // Read after the locks: another request with this key has committed by now.
  const known = await commitmentsOf(tx, key)
  const stocked: ReadonlyMap<string, LockedItem> = known.length > 0 ? await lockStockedItems(tx, known) : new Map()
  const needs = new Map<string, Need>()
  for (const { variant_id, quantity } of lines) {
    const item = sold.get(variant_id)
    if (!item) continue
    const need = needs.get(itemKey(item)) ?? { item, need: 0, held: [] }
    needs.set(itemKey(item), { ...need, need: need.need + quantity })
  }
  for (const { location_id, quantity, oversold, ...held } of known) {
    const item = stocked.get(itemKey(held))
    if (!item) continue
    const need = needs.get(itemKey(held)) ?? { item, need: 0, held: [] }
    const place = placeOf(location_id)
    const there = need.held.find((other) => other.location_id === place) ?? {
      location_id: place,
      quantity: 0,
      oversold: 0,
    }
    const sum = { ...there, quantity: there.quantity + quantity, oversold: there.oversold + oversold }
    needs.set(itemKey(held), { ...need, held: [...need.held.filter((other) => other !== there), sum] })
  }
  return { needs: [...needs.values()], known }
}

/** The stock of each item at the locations that it may come from or return to, by `itemKey`. */
async function stockOf(tx: Tx, needs: readonly Need[], sources: readonly number[]) {
  const positions = needs.flatMap(({ item: { product_id, variant_id }, held }) =>
    [...new Set([...sources, ...held.map(({ location_id }) => location_id)])].map((location_id) => ({
      product_id,
      variant_id,
      location_id,
    })),
  )
  return Map.groupBy(await stockAt(tx, positions), ({ position }) => itemKey(position))
}

/** Publishes warnings, which only orders cause: each time, and not only when the level is crossed. */
function publishWarnings(tx: Tx, item: LockedItem, row: StockRow) {
  const left = available(row)
  if (left <= row.warning_level) publishItemEvent(tx, 'low_stock_reached', item, row.location_id)
  if (left === 0) publishItemEvent(tx, 'out_of_stock_reached', item, row.location_id)
}
