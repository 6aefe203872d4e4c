import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import type { Collection, RowWithId } from '../../../core/rest/lists/collection.ts'
import { change, differences, insertAll, type NewRow, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import type { TaxQuotes } from '../../tax/estimates/quote.ts'
import { taxesOf } from '../calculation/bill.ts'
import type { OrderChanges } from '../calculation/bodies.ts'
import type { FeeDraft } from '../calculation/charges.ts'
import { fees, lines, type OrderRow, orderAddresses, pickupConsignments, type TaxRow, taxes } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { moveStock } from '../stock/holds.ts'
import { pickedOf, pickupItems } from '../stock/picked.ts'
import { saveOrder } from '../stock/spans.ts'
import { costsOfAddresses, shippingCosts } from './address-costs.ts'
import { lockOrder } from './archive.ts'
import { publishOrder, publishOrderChange } from './events.ts'
import {
  checkOrder,
  findReferences,
  newAddress,
  type OrderDraft,
  type OrderShopper,
  refuseContradictions,
  type WholeOrder,
} from './order-input.ts'
import { placeOrder } from './status/placement.ts'
import { recordStatusChange } from './status/status-change.ts'
import { submitTaxOfOrder } from './tax-documents.ts'

/** Locks an order and reads its sub-resources. @throws Problem 404 */
async function lockWhole(tx: Tx, id: number): Promise<WholeOrder> {
  const order = await lockOrder(tx, id)
  const { lineRows, addressRows, feeRows, pickupRows, items } = await tx.together(() => ({
    lineRows: rowsOfOrders(tx, lines, [id]),
    addressRows: rowsOfOrders(tx, orderAddresses, [id]),
    feeRows: rowsOfOrders(tx, fees, [id]),
    pickupRows: rowsOfOrders(tx, pickupConsignments, [id]),
    items: rowsOfOrders(tx, pickupItems, [id]),
  }))
  return {
    order,
    lines: lineRows,
    addresses: addressRows,
    fees: feeRows,
    pickups: pickupRows,
    picked: pickedOf(items),
  }
}

/**
 * Changes an order and its sub-resources, moves its stock and publishes its events (docs/contract/orders.md section 4).
 * @throws Problem 404, 422 with all mistakes
 */
export function changeOrder(db: Db, id: number, body: OrderChanges, quotes?: TaxQuotes): Promise<OrderRow> {
  refuseStatusName(body)
  return db.transaction(async (tx) => {
    const before = await lockWhole(tx, id)
    const mistakes: Mistakes = {}
    refuseWriteOnce(before.order, body, mistakes)
    refuseWrongKinds(before, body, mistakes)
    refuseContradictions(body, mistakes)
    refuse(mistakes)
    const references = await findReferences(tx, { ...before, ...shopperOf(before.order, body), quotes }, body, mistakes)
    return storeChanges(tx, before, checkOrder(before, body, references, mistakes))
  })
}

/** The shopper after a change. The currency of an order never changes. */
function shopperOf(
  order: OrderRow,
  { channel_id = order.channel_id, customer_id = order.customer_id }: OrderChanges,
): Omit<OrderShopper, 'quotes'> {
  const { currency_code, currency_exchange_rate, currency_decimals } = order
  return {
    shopper: { channel_id, customer_id, customer_group_id: 0, currency_code },
    agreed: { currency_code, currency_exchange_rate, decimal_places: currency_decimals },
  }
}

/** A body with only the name of a status would change nothing without a word. */
function refuseStatusName({ status, ...others }: OrderChanges) {
  if (status !== undefined && Object.keys(others).length === 0) {
    refuse({ status: 'status is read-only: write status_id.' })
  }
}

function refuseWriteOnce(order: OrderRow, { external_merchant_id, is_deleted }: OrderChanges, mistakes: Mistakes) {
  if (external_merchant_id !== undefined && external_merchant_id !== order.external_merchant_id) {
    mistakes.external_merchant_id = 'external_merchant_id can only be set when the order is created.'
  }
  if (is_deleted === false && order.is_deleted) mistakes.is_deleted = 'An archived order stays archived.'
}

/** An order stays collected or shipped. The products of a collected one are in its pickup. */
function refuseWrongKinds({ pickups, addresses }: WholeOrder, body: OrderChanges, mistakes: Mistakes) {
  const isCollected = pickups.length > 0
  if (isCollected && body.products !== undefined)
    mistakes.products = 'The products of this order are line_items of its pickup.'
  if (isCollected && body.shipping_addresses !== undefined)
    mistakes.shipping_addresses = 'An order that is collected is not shipped.'
  if (!isCollected && body.consignments && body.consignments.pickups.length > 0)
    mistakes.consignments = 'This order is not collected.'
  const [input] = body.shipping_addresses ?? []
  if (!input || isCollected) return
  if (addresses.length === 0) mistakes.shipping_addresses = 'This order is not shipped.'
  else if (input.id !== undefined && !addresses.some(({ id }) => id === input.id)) {
    mistakes['shipping_addresses.0.id'] = `The order has no shipping address ${input.id}.`
  }
}

async function storeChanges(tx: Tx, before: WholeOrder, draft: OrderDraft): Promise<OrderRow> {
  const { order } = before
  const [firstAddress] = before.addresses
  const [storedPickup] = before.pickups
  const { areLinesChanged, isRebilled } = draft
  const pickup = storedPickup && { ...storedPickup, ...draft.pickup }
  const isNewlyShipped = !pickup && !firstAddress && draft.lines.some(({ type }) => type === 'physical')
  const after = isNewlyShipped ? { ...draft.after, shipping_address_count: 1 } : draft.after
  const newLines = draft.lines.filter(({ id }) => id === undefined)
  const newFees = draft.fees.filter(({ id }) => id === undefined)
  const replacedTaxes = isRebilled ? taxesToReplace(before, draft) : []
  const taxesAfter = (lineRows: Parameters<typeof taxesOf>[1]) =>
    taxesOf(after, lineRows, draft.fees).filter(({ line_item_type }) => replacedTaxes.includes(line_item_type))
  const taxCount = taxesAfter(draft.lines.map((line) => ({ ...line, id: 0 }))).length
  const ids = await takeIds(tx, [
    [lines, newLines.length],
    [orderAddresses, isNewlyShipped ? 1 : 0],
    [fees, newFees.length],
    [taxes, taxCount],
  ])
  const address_id = isNewlyShipped ? ids.next(orderAddresses) : (firstAddress?.id ?? 0)
  const lineRows = draft.lines.map((line) => ({
    ...line,
    id: line.id ?? ids.next(lines),
    order_id: order.id,
    order_pickup_method_id: line.id === undefined ? (pickup?.id ?? 0) : line.order_pickup_method_id,
    order_address_id: line.type === 'physical' ? line.order_address_id || address_id : 0,
  }))
  const feeRows = draft.fees.map((fee) => ({ ...fee, id: fee.id ?? ids.next(fees), order_id: order.id }))
  const costs = isRebilled ? costsOfAddresses(order, after, before.addresses) : []
  const addresses = isNewlyShipped
    ? [{ ...newAddress(after.billing_address), id: address_id, order_id: order.id, ...shippingCosts(after) }]
    : before.addresses.map((stored, i) => ({
        ...stored,
        ...((draft.address?.id ?? firstAddress?.id) === stored.id ? draft.address : {}),
        ...costs[i],
      }))
  const partsChanged = [
    await storeParts(tx, lines, before.lines, lineRows),
    await storeParts(tx, fees, before.fees, feeRows),
    await storeParts(tx, orderAddresses, before.addresses, addresses),
    await storeParts(tx, pickupConsignments, before.pickups, pickup ? [pickup] : []),
  ]
  if (isRebilled) {
    await removeAll(tx, taxes, sql`order_id = ${order.id} and line_item_type = any(${replacedTaxes}::text[])`)
    await insertAll(
      tx,
      taxes,
      taxesAfter(lineRows).map((tax) => ({ ...tax, id: ids.next(taxes), order_id: order.id })),
    )
  }
  if (Object.keys(differences(order, after)).length === 0 && !partsChanged.includes(true)) return order
  await moveStock(tx, order, after, { lines: lineRows, areLinesChanged, pickup })
  const changed = await saveOrder(tx, order, after)
  await recordStatusChange(tx, order, changed, await placeOrder(tx, order, changed))
  await submitTaxOfOrder(tx, order, changed)
  if (changed.is_deleted && !order.is_deleted) publishOrder(tx, 'archived', changed)
  else publishOrderChange(tx, order, changed)
  return changed
}

/** The taxes that a change replaces: those of lines, and those of costs that differ. Others keep their names and rates. */
function taxesToReplace(
  { order, fees: feesBefore }: WholeOrder,
  { after, fees: feesAfter }: OrderDraft,
): TaxRow['line_item_type'][] {
  const isChanged = (cost: 'shipping' | 'handling' | 'wrapping') =>
    order[`${cost}_cost_ex_tax`] !== after[`${cost}_cost_ex_tax`] ||
    order[`${cost}_cost_inc_tax`] !== after[`${cost}_cost_inc_tax`]
  const costsOfFees = (rows: readonly FeeDraft[]) =>
    new Map(rows.map(({ id, cost_ex_tax, cost_inc_tax }) => [id, [cost_ex_tax, cost_inc_tax]]))
  return [
    'item',
    ...(isChanged('shipping') ? (['shipping'] as const) : []),
    ...(isChanged('handling') ? (['handling'] as const) : []),
    ...(isChanged('wrapping') ? (['gift-wrapping'] as const) : []),
    ...(isDeepStrictEqual(costsOfFees(feesBefore), costsOfFees(feesAfter)) ? [] : (['fee'] as const)),
  ]
}

/** Inserts, changes and deletes rows of a sub-resource. @returns whether any differs */
async function storeParts<Row extends RowWithId>(
  tx: Tx,
  collection: Collection<Row>,
  before: readonly Row[],
  after: readonly (NewRow<Row> & RowWithId)[],
): Promise<boolean> {
  const storedById = new Map(before.map((row) => [row.id, row]))
  const remaining = new Set(after.map(({ id }) => id))
  const deletedIds = before.filter(({ id }) => !remaining.has(id)).map(({ id }) => id)
  const added = after.filter(({ id }) => !storedById.has(id))
  const changes = after.flatMap((row) => {
    const stored = storedById.get(row.id)
    return stored && Object.keys(differences(stored, row)).length > 0 ? [{ stored, row }] : []
  })
  await tx.together(() => [
    insertAll(tx, collection, added),
    deletedIds.length > 0 ? removeAll(tx, collection, sql`id = any(${deletedIds})`) : undefined,
    ...changes.map(({ stored, row }) => change(tx, collection, stored, row)),
  ])
  return added.length + deletedIds.length + changes.length > 0
}
