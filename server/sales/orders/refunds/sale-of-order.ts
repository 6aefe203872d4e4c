import { share, sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import type { SaleFacts } from '../../tax/estimates/facts.ts'
import {
  digitalConsignment,
  type Sale,
  type SaleAddress,
  type SaleConsignment,
  type SaleItem,
} from '../../tax/estimates/sale.ts'
import type { Component, ComponentType } from '../arithmetic/refund-quote.ts'
import { saleAddressOf, salePlaceOf } from '../calculation/sale-addresses.ts'
import type { LineRow, OrderRow } from '../row/rows.ts'
import { type RefundableParts, refundableComponents } from './refundable.ts'
import type { RefundedItems } from './rows.ts'

/** An order with all data that its tax document has. */
export interface OrderToSubmit extends RefundableParts {
  order: OrderRow
  /** Refunds that reduce it. */
  refunds: readonly RefundedItems[]
  facts: SaleFacts
  /** The place that the store sends from. */
  origin: SaleAddress
}

/**
 * Returns an order as a sale, without the things that were refunded: its document at a tax provider has the sums that remain
 * (docs/contract/tax.md section 11). Pure.
 */
export function saleOfOrder(whole: OrderToSubmit): Sale {
  const { order, lines, addresses, pickups, fees, refunds, facts, origin } = whole
  const components = refundableComponents(order, whole, refunds)
  const left = (type: ComponentType, id: number) => leftOf(components, type, id)
  const itemsOf = (some: readonly LineRow[]): SaleItem[] =>
    some.flatMap((line) => {
      const wrapping = left('GIFT_WRAPPING', line.id)
      const { amount, quantity } = left('PRODUCT', line.id)
      // Wrapping is inside of its item, also if only the item was refunded.
      if (quantity === 0 && wrapping.amount === 0n) return []
      return [
        {
          id: String(line.id),
          type: 'item',
          name: line.name,
          upc: line.upc,
          sku: line.sku,
          amount,
          quantity: quantity || wrapping.quantity,
          classId: line.type === 'giftcertificate' ? undefined : (line.taxed_by?.class_id ?? DEFAULT_CLASS),
          tax_properties: facts.productProperties.get(line.product_id) ?? {},
          wrapping:
            wrapping.amount > 0n
              ? { id: `wrapping-${line.id}`, name: line.wrapping_name ?? '', amount: wrapping.amount }
              : undefined,
        },
      ]
    })
  const billing = saleAddressOf(order.billing_address)
  const [pickup] = pickups
  const places = pickup
    ? [{ id: pickup.id, origin: salePlaceOf(pickup.location), destination: salePlaceOf(pickup.location) }]
    : addresses.map((address) => ({ id: address.id, origin, destination: saleAddressOf(address) }))
  const placeOf = ({ order_address_id, order_pickup_method_id }: LineRow) => order_pickup_method_id || order_address_id
  const sent = places
    .map(({ id, ...place }): SaleConsignment => {
      const items = itemsOf(lines.filter((line) => placeOf(line) === id))
      return {
        ...place,
        id: String(id),
        items,
        shipping: left('SHIPPING', id).amount,
        handling: left('HANDLING', id).amount,
      }
    })
    .filter(({ items, shipping, handling }) => items.length > 0 || shipping + handling > 0n)
  const downloads: SaleConsignment = {
    id: digitalConsignment({ id: String(order.id) }),
    origin,
    destination: billing,
    items: itemsOf(lines.filter((line) => placeOf(line) === 0)),
    shipping: 0n,
    handling: 0n,
  }
  const feeItems = fees.flatMap(({ id, display_name_customer, tax_class_id }) =>
    feeItem(id, { name: display_name_customer, classId: tax_class_id ?? DEFAULT_CLASS }, left('FEE', id).amount),
  )
  const [first = downloads, ...others] = downloads.items.length > 0 ? [...sent, downloads] : sent
  return {
    id: String(order.id),
    currency_code: order.currency_code,
    decimals: order.currency_decimals,
    isInclusive: order.is_tax_inclusive_pricing,
    date: new Date(order.date_created),
    customer: facts.customer,
    billing,
    consignments: [{ ...first, items: [...first.items, ...feeItems, ...refundItem(refunds)] }, ...others],
  }
}

/** Lines with given prices have no class of their own. */
const DEFAULT_CLASS = 0

/** The amount and the units of a component that were not refunded. */
function leftOf(
  components: readonly Component[],
  type: ComponentType,
  id: number,
): { amount: Units; quantity: number } {
  const found = components.find((component) => component.type === type && component.id === id)
  if (!found) return { amount: 0n, quantity: 0 }
  const { basis, size, done } = found
  return { amount: basis - share(basis, 0n, done, size), quantity: Number(size - done) }
}

const plain = { upc: '', sku: '', quantity: 1, tax_properties: {}, wrapping: undefined }

const feeItem = (id: number, { name, classId }: { name: string; classId: number }, amount: Units): SaleItem[] =>
  amount === 0n ? [] : [{ ...plain, id: `fee-${id}`, type: 'fee', name, amount, classId }]

/** Refunds of an amount of the order, which belong to none of its things. */
function refundItem(refunds: readonly RefundedItems[]): SaleItem[] {
  const items = refunds.flatMap((refund) => refund.items).filter(({ item_type }) => item_type === 'ORDER')
  const amount = sumOf(items.map(({ requested_amount }) => unitsOf(requested_amount ?? 0)))
  return amount === 0n
    ? []
    : [{ ...plain, id: 'refund', type: 'refund', name: 'Refund', amount: -amount, classId: undefined }]
}
