import type { Static } from 'typebox'
import { dateV2 } from '../core/rest/v2.ts'
import { discountedOf } from './bill.ts'
import { amountOf, textOf, type Units, unitsOf } from './money/units.ts'
import type { AddressRow, FeeRow, LineRow, OrderRow, PickupRow, TaxRow } from './rows.ts'
import type { AddressV2, Consignments, FeeV2, LineV2, OrderV2, Resource, TaxV2 } from './shapes-v2.ts'
import { statusName } from './states/order-status.ts'

// Shows orders as the older family has them: from rows to the shapes of shapes-v2.ts.

/** Addresses of what belongs to orders. @param publicUrl of the server */
export const linksTo =
  (publicUrl: string, hash: string) =>
  (path: string): Resource => ({ url: `${publicUrl}/stores/${hash}/v2${path}`, resource: path })
export type Links = ReturnType<typeof linksTo>

const money = (amount: number): string => textOf(unitsOf(amount))
/** The tax in a pair of costs. */
const taxIn = (ex: number, inc: number): Units => unitsOf(inc) - unitsOf(ex)
const taxText = (ex: number, inc: number): string => textOf(taxIn(ex, inc))

/** What can be shown in place of a link. */
export interface Shown {
  consignments?: Consignments
  fees?: Static<typeof FeeV2>[]
}

export function orderV2(order: OrderRow, links: Links, shown: Shown = {}): OrderV2 {
  const below = (part: string) => links(`/orders/${order.id}/${part}`)
  const { date_created, date_modified, date_shipped, currency_decimals: _, email: __, ...plain } = order
  return {
    ...plain,
    date_created: dateV2(date_created),
    date_modified: dateV2(date_modified),
    date_shipped: date_shipped === null ? '' : dateV2(date_shipped),
    status: statusName(order.status_id),
    subtotal_ex_tax: money(order.subtotal_ex_tax),
    subtotal_inc_tax: money(order.subtotal_inc_tax),
    subtotal_tax: taxText(order.subtotal_ex_tax, order.subtotal_inc_tax),
    base_shipping_cost: money(order.base_shipping_cost),
    shipping_cost_ex_tax: money(order.shipping_cost_ex_tax),
    shipping_cost_inc_tax: money(order.shipping_cost_inc_tax),
    shipping_cost_tax: taxText(order.shipping_cost_ex_tax, order.shipping_cost_inc_tax),
    shipping_cost_tax_class_id: 0,
    base_handling_cost: money(order.base_handling_cost),
    handling_cost_ex_tax: money(order.handling_cost_ex_tax),
    handling_cost_inc_tax: money(order.handling_cost_inc_tax),
    handling_cost_tax: taxText(order.handling_cost_ex_tax, order.handling_cost_inc_tax),
    handling_cost_tax_class_id: 0,
    base_wrapping_cost: money(order.base_wrapping_cost),
    wrapping_cost_ex_tax: money(order.wrapping_cost_ex_tax),
    wrapping_cost_inc_tax: money(order.wrapping_cost_inc_tax),
    wrapping_cost_tax: taxText(order.wrapping_cost_ex_tax, order.wrapping_cost_inc_tax),
    wrapping_cost_tax_class_id: 0,
    total_ex_tax: money(order.total_ex_tax),
    total_inc_tax: money(order.total_inc_tax),
    total_tax: taxText(order.total_ex_tax, order.total_inc_tax),
    refunded_amount: money(order.refunded_amount),
    store_credit_amount: money(order.store_credit_amount),
    gift_certificate_amount: money(order.gift_certificate_amount),
    store_default_currency_code: order.default_currency_code,
    store_default_to_transactional_exchange_rate: order.currency_exchange_rate,
    discount_amount: money(order.discount_amount),
    coupon_discount: money(order.coupon_discount),
    products: below('products'),
    shipping_addresses: below('shipping_addresses'),
    coupons: below('coupons'),
    consignments: shown.consignments ?? below('consignments'),
    fees: shown.fees ?? below('fees'),
  }
}

export function lineV2(line: LineRow, isInclusive: boolean): Static<typeof LineV2> {
  const { discount, discounted_tax: _, cost_price, ...plain } = line
  const [ex, inc] = [line.price_ex_tax, line.price_inc_tax].map((price) => unitsOf(price) * BigInt(line.quantity))
  const [total_ex, total_inc] = [ex ?? 0n, inc ?? 0n]
  return {
    ...plain,
    base_price: money(line.base_price),
    price_ex_tax: money(line.price_ex_tax),
    price_inc_tax: money(line.price_inc_tax),
    price_tax: taxText(line.price_ex_tax, line.price_inc_tax),
    base_total: textOf(unitsOf(line.base_price) * BigInt(line.quantity)),
    total_ex_tax: textOf(total_ex),
    total_inc_tax: textOf(total_inc),
    total_tax: textOf(total_inc - total_ex),
    base_cost_price: money(cost_price),
    cost_price_inc_tax: money(cost_price),
    cost_price_ex_tax: money(cost_price),
    cost_price_tax: money(0),
    weight: money(line.weight),
    width: money(line.width),
    height: money(line.height),
    depth: money(line.depth),
    is_refunded: line.quantity_refunded === line.quantity,
    refund_amount: money(line.refund_amount),
    return_id: 0,
    base_wrapping_cost: money(line.wrapping_cost_ex_tax),
    wrapping_cost_ex_tax: money(line.wrapping_cost_ex_tax),
    wrapping_cost_inc_tax: money(line.wrapping_cost_inc_tax),
    wrapping_cost_tax: taxText(line.wrapping_cost_ex_tax, line.wrapping_cost_inc_tax),
    event_name: null,
    event_date: null,
    fixed_shipping_cost: money(line.fixed_shipping_cost),
    ebay_item_id: '',
    ebay_transaction_id: '',
    option_set_id: null,
    parent_order_product_id: null,
    is_bundled_product: false,
    external_id: null,
    applied_discounts:
      discount === 0
        ? []
        : [{ id: 'manual-discount', amount: money(discount), name: 'Manual Discount', code: null, target: 'order' }],
    product_options: line.product_options.map((option) => ({ ...option, order_product_id: line.id })),
    configurable_fields: [],
    gift_certificate_id: null,
    discounted_total_inc_tax: textOf(discountedOf(line, isInclusive).inc),
  }
}

/** How many things go to an address, and how many are under way. */
const itemsOf = (lines: readonly LineRow[]) => ({
  items_total: lines.reduce((sum, { quantity }) => sum + quantity, 0),
  items_shipped: lines.reduce((sum, { quantity_shipped }) => sum + quantity_shipped, 0),
})

const unzoned = { cost_tax_class_id: 0, handling_cost_tax_class_id: 0, shipping_zone_id: 0, shipping_zone_name: '' }

/** @param lines of the order */
export function addressV2(address: AddressRow, lines: readonly LineRow[], links: Links): Static<typeof AddressV2> {
  return {
    ...address,
    ...unzoned,
    ...itemsOf(lines.filter(({ order_address_id }) => order_address_id === address.id)),
    base_cost: money(address.base_cost),
    cost_ex_tax: money(address.cost_ex_tax),
    cost_inc_tax: money(address.cost_inc_tax),
    cost_tax: taxText(address.cost_ex_tax, address.cost_inc_tax),
    base_handling_cost: money(address.base_handling_cost),
    handling_cost_ex_tax: money(address.handling_cost_ex_tax),
    handling_cost_inc_tax: money(address.handling_cost_inc_tax),
    handling_cost_tax: taxText(address.handling_cost_ex_tax, address.handling_cost_inc_tax),
    shipping_quotes: links(`/orders/${address.order_id}/shipping_addresses/${address.id}/shipping_quotes`),
  }
}

export const feeV2 = ({ order_id: _, ...fee }: FeeRow): Static<typeof FeeV2> => ({
  ...fee,
  base_cost: money(fee.cost_ex_tax),
  cost_ex_tax: money(fee.cost_ex_tax),
  cost_inc_tax: money(fee.cost_inc_tax),
  cost_tax: taxText(fee.cost_ex_tax, fee.cost_inc_tax),
})

/** @param isDetailed whether it says what it is charged on */
export function taxV2(tax: TaxRow, isDetailed: boolean): Static<typeof TaxV2> {
  const { order_product_id, line_item_type, ...plain } = tax
  return {
    ...plain,
    tax_rate_id: 0,
    rate: money(tax.rate),
    priority_amount: money(tax.priority_amount),
    line_amount: money(tax.line_amount),
    ...(isDetailed ? { order_product_id: String(order_product_id), line_item_type, sales_tax_id: '' } : {}),
  }
}

/** What an order consists of, as it is handed over. */
export interface Parts {
  lines: readonly LineRow[]
  addresses: readonly AddressRow[]
  pickups: readonly PickupRow[]
}

/** The consignments of an order. @param withLines whether its lines are shown in place, and not as links */
export function consignmentsV2(order: OrderRow, parts: Parts, links: Links, withLines: boolean): Consignments {
  const items = (lines: readonly LineRow[]) =>
    lines.map((one) =>
      withLines ? lineV2(one, order.is_tax_inclusive_pricing) : links(`/orders/${order.id}/products/${one.id}`),
    )
  const digital = parts.lines.filter(
    ({ order_address_id, order_pickup_method_id }) => order_address_id === 0 && order_pickup_method_id === 0,
  )
  return {
    pickups: parts.pickups.map(({ order_id: _, ...pickup }) => ({
      ...pickup,
      line_items: items(parts.lines.filter(({ order_pickup_method_id }) => order_pickup_method_id === pickup.id)),
    })),
    shipping: parts.addresses.map(({ order_id: _, ...address }) => {
      const lines = parts.lines.filter(({ order_address_id }) => order_address_id === address.id)
      return {
        ...address,
        ...unzoned,
        ...itemsOf(lines),
        cost_tax: amountOf(taxIn(address.cost_ex_tax, address.cost_inc_tax)),
        handling_cost_tax: amountOf(taxIn(address.handling_cost_ex_tax, address.handling_cost_inc_tax)),
        line_items: items(lines),
        shipping_quotes: links(`/orders/${order.id}/consignments/shipping/${address.id}/shipping_quotes`),
      }
    }),
    downloads: digital.length === 0 ? [] : [{ recipient_email: order.email, line_items: items(digital) }],
    email: { gift_certificates: [] },
  }
}
