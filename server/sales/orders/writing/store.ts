import type { Tx } from '../../../core/db/database.ts'
import { insertAll, insertOne, takeIds } from '../../../core/rest/lists/verbs.ts'
import { taxesOf } from '../calculation/bill.ts'
import type { FeeDraft } from '../calculation/charges.ts'
import type { LineDraft } from '../calculation/lines.ts'
import { followOrder } from '../row/followers.ts'
import {
  type CouponRow,
  fees,
  lines,
  type OrderAddressRow,
  type OrderRow,
  orderAddresses,
  orderCoupons,
  orders,
  pickupConsignments,
  type TaxRow,
  taxes,
} from '../row/rows.ts'
import { type OrderStockRules, takeStock } from '../stock/holds.ts'
import { addToSpan } from '../stock/spans.ts'
import { publishOrder } from './events.ts'
import type { PickupDraft } from './pickup-draft.ts'
import { submitTaxOfOrder } from './tax-documents.ts'

/** A line of a new order. */
export interface PlacedLine extends LineDraft {
  /** The position of the address that it is shipped to; undefined if it is not shipped. */
  place: number | undefined
  isCollected: boolean
}

/** A tax on a cost of a new order. Its address and its line are positions in the draft; -1 for none. */
export type CostTax = Omit<
  TaxRow,
  'id' | 'order_id' | 'order_address_id' | 'order_pickup_method_id' | 'order_product_id'
> & {
  place: number
  line: number
}

/** A new order with its sub-resources, calculated and ready to be stored. */
export interface NewOrderDraft {
  after: OrderRow
  lines: readonly PlacedLine[]
  addresses: readonly Omit<OrderAddressRow, 'id' | 'order_id'>[]
  pickup: PickupDraft | undefined
  fees: readonly FeeDraft[]
  /** The taxes on costs; undefined to take them from the costs of the order. The taxes of lines follow from the lines. */
  taxes: readonly CostTax[] | undefined
  coupons: readonly Omit<CouponRow, 'id' | 'order_id'>[]
}

/**
 * Stores a new order, takes its stock and publishes its events.
 * @throws Problem 422 if its status takes stock and too little is for sale
 */
export async function storeOrder(tx: Tx, draft: NewOrderDraft, rules: OrderStockRules): Promise<OrderRow> {
  const { pickup, addresses } = draft
  const taxCount = taxRowsOf(draft, {
    lines: draft.lines.map(withoutPlace),
    addressIds: addresses.map(() => 0),
    pickup_id: 0,
  }).length
  const ids = await takeIds(tx, [
    [orders, 1],
    [lines, draft.lines.length],
    [orderAddresses, addresses.length],
    [pickupConsignments, pickup ? 1 : 0],
    [fees, draft.fees.length],
    [taxes, taxCount],
    [orderCoupons, draft.coupons.length],
  ])
  const { order, ...rows } = rowsOfDraft(draft, (collection) => ids.next(collection))
  await takeStock(tx, order, rows.lines, { rules, pickup })
  const { order: stored } = await tx.together(() => ({
    order: insertOne(tx, orders, order),
    lines: insertAll(tx, lines, rows.lines),
    addresses: insertAll(tx, orderAddresses, rows.addresses),
    pickups: insertAll(tx, pickupConsignments, rows.pickups),
    fees: insertAll(tx, fees, rows.fees),
    taxes: insertAll(tx, taxes, rows.taxes),
    coupons: insertAll(tx, orderCoupons, rows.coupons),
    span: addToSpan(tx, order),
  }))
  await followOrder(tx, undefined, stored)
  await submitTaxOfOrder(tx, undefined, stored)
  publishOrder(tx, 'created', stored)
  return stored
}

type OrderPart =
  | typeof orders
  | typeof lines
  | typeof orderAddresses
  | typeof pickupConsignments
  | typeof fees
  | typeof taxes
  | typeof orderCoupons

/** Returns the rows of a draft. @param next returns the next id of a kind of rows */
export function rowsOfDraft(draft: NewOrderDraft, next: (collection: OrderPart) => number) {
  const { after, pickup, addresses } = draft
  const order_id = next(orders)
  const addressIds = addresses.map(() => next(orderAddresses))
  const pickup_id = pickup ? next(pickupConsignments) : 0
  const lineRows = draft.lines.map((line) => ({
    ...withoutPlace(line),
    id: next(lines),
    order_id,
    order_address_id: addressIds[line.place ?? -1] ?? 0,
    order_pickup_method_id: line.isCollected ? pickup_id : 0,
  }))
  return {
    order: { ...after, id: order_id, shipping_address_count: addresses.length },
    lines: lineRows,
    addresses: addresses.map((address, i) => ({ ...address, id: addressIds[i] ?? 0, order_id })),
    pickups: pickup ? [{ ...pickup, id: pickup_id, order_id }] : [],
    fees: draft.fees.map((fee) => ({ ...fee, id: next(fees), order_id })),
    taxes: taxRowsOf(draft, { lines: lineRows, addressIds, pickup_id }).map((tax) => ({
      ...tax,
      id: next(taxes),
      order_id,
    })),
    coupons: draft.coupons.map((coupon) => ({ ...coupon, id: next(orderCoupons), order_id })),
  }
}

/** A line without its place in the draft. Taxes are counted before ids are taken. */
const withoutPlace = ({ place: _, isCollected: __, ...line }: PlacedLine) => ({ ...line, id: 0 })

/** The tax rows of a draft. */
function taxRowsOf(
  { after, fees: feesOfOrder, taxes: ofCosts }: NewOrderDraft,
  {
    lines: lineRows,
    addressIds,
    pickup_id,
  }: { lines: Parameters<typeof taxesOf>[1]; addressIds: readonly number[]; pickup_id: number },
): Omit<TaxRow, 'id' | 'order_id'>[] {
  const all = taxesOf(after, lineRows, feesOfOrder)
  if (!ofCosts) return all
  return [
    ...all.filter(({ line_item_type }) => line_item_type === 'item'),
    ...ofCosts.map(({ place, line, ...tax }) => ({
      ...tax,
      order_address_id: addressIds[place] ?? 0,
      order_pickup_method_id: pickup_id,
      order_product_id: lineRows[line]?.id ?? 0,
    })),
  ]
}
