import t, { type Static } from 'typebox'
import { ChannelId } from '../channels/channels.ts'
import { Id, nullable } from '../core/rest/fields.ts'
import { dateV2 } from '../core/rest/v2.ts'
import { discountedOf } from './bill.ts'
import { amountOf, textOf, type Units, unitsOf } from './money/units.ts'
import {
  type AddressRow,
  BillingAddress,
  type FeeRow,
  FormField,
  LineOption,
  LineRow,
  OrderRow,
  PickupPlace,
  type PickupRow,
  PostalAddress,
  type TaxRow,
} from './rows.ts'
import { statusName } from './states/order-status.ts'

// Orders as the older family shows them: money as text with four places, dates as in mails, what hangs on an order as links
// (docs/contract/orders.md section 4).

/** Money: `68.5000`. */
const Money = t.String({ description: 'With four decimals' })
const OptionalText = nullable(t.String())
const NoText = t.Null()

/** Where to read what is not shown in place. */
export const Resource = t.Object({ url: t.String(), resource: t.String() }, { title: 'OrderResource' })
type Resource = Static<typeof Resource>

/** Addresses of what belongs to orders. @param publicUrl of the server */
export const linksTo =
  (publicUrl: string, hash: string) =>
  (path: string): Resource => ({ url: `${publicUrl}/stores/${hash}/v2${path}`, resource: path })
export type Links = ReturnType<typeof linksTo>

const line = LineRow.properties
export const LineV2 = t.Object(
  {
    id: Id,
    order_id: Id,
    product_id: line.product_id,
    variant_id: line.variant_id,
    order_pickup_method_id: line.order_pickup_method_id,
    order_address_id: line.order_address_id,
    name: t.String(),
    name_customer: t.String(),
    name_merchant: t.String(),
    sku: t.String(),
    upc: t.String(),
    type: line.type,
    base_price: Money,
    price_ex_tax: Money,
    price_inc_tax: Money,
    price_tax: Money,
    base_total: Money,
    total_ex_tax: Money,
    total_inc_tax: Money,
    total_tax: Money,
    quantity: t.Integer(),
    base_cost_price: Money,
    cost_price_inc_tax: Money,
    cost_price_ex_tax: Money,
    cost_price_tax: Money,
    weight: t.String(),
    width: t.String(),
    height: t.String(),
    depth: t.String(),
    is_refunded: t.Boolean(),
    quantity_refunded: t.Integer(),
    refund_amount: Money,
    return_id: t.Integer(),
    wrapping_id: t.Integer(),
    wrapping_name: OptionalText,
    base_wrapping_cost: Money,
    wrapping_cost_ex_tax: Money,
    wrapping_cost_inc_tax: Money,
    wrapping_cost_tax: Money,
    wrapping_message: t.String(),
    quantity_shipped: t.Integer(),
    event_name: NoText,
    event_date: NoText,
    fixed_shipping_cost: Money,
    ebay_item_id: t.String(),
    ebay_transaction_id: t.String(),
    option_set_id: NoText,
    parent_order_product_id: NoText,
    is_bundled_product: t.Boolean(),
    bin_picking_number: t.String(),
    external_id: NoText,
    brand: t.String(),
    applied_discounts: t.Array(
      t.Object({ id: t.String(), amount: Money, name: t.String(), code: NoText, target: t.Enum(['order', 'product']) }),
    ),
    product_options: t.Array(LineOption),
    configurable_fields: t.Array(t.Object({ name: t.String(), value: t.String() })),
    gift_certificate_id: NoText,
    discounted_total_inc_tax: Money,
  },
  { title: 'OrderProduct' },
)

export const AddressV2 = t.Object(
  {
    id: Id,
    order_id: Id,
    ...PostalAddress.properties,
    items_total: t.Integer(),
    items_shipped: t.Integer(),
    shipping_method: t.String(),
    base_cost: Money,
    cost_ex_tax: Money,
    cost_inc_tax: Money,
    cost_tax: Money,
    cost_tax_class_id: t.Integer(),
    base_handling_cost: Money,
    handling_cost_ex_tax: Money,
    handling_cost_inc_tax: Money,
    handling_cost_tax: Money,
    handling_cost_tax_class_id: t.Integer(),
    shipping_zone_id: t.Integer(),
    shipping_zone_name: t.String(),
    form_fields: t.Array(FormField),
    shipping_quotes: Resource,
  },
  { title: 'OrderShippingAddress' },
)

export const FeeV2 = t.Object(
  {
    id: Id,
    type: t.Enum(['custom_fee']),
    display_name_customer: t.String(),
    display_name_merchant: t.String(),
    source: t.String(),
    base_cost: Money,
    cost_ex_tax: Money,
    cost_inc_tax: Money,
    cost_tax: Money,
    tax_class_id: nullable(t.Integer()),
  },
  { title: 'OrderFee' },
)

export const TaxV2 = t.Object(
  {
    id: Id,
    order_id: Id,
    order_address_id: t.Integer(),
    order_pickup_method_id: t.Integer(),
    tax_rate_id: t.Integer(),
    tax_class_id: nullable(t.Integer()),
    name: t.String(),
    class: t.String(),
    rate: t.String(),
    priority: t.Integer(),
    priority_amount: Money,
    line_amount: Money,
    order_product_id: t.Optional(t.String()),
    line_item_type: t.Optional(t.String()),
    sales_tax_id: t.Optional(t.String()),
  },
  { title: 'OrderTax' },
)

const LineItems = t.Array(t.Union([Resource, LineV2]))

const ShippingConsignment = t.Object(
  {
    id: Id,
    line_items: LineItems,
    ...PostalAddress.properties,
    form_fields: t.Array(FormField),
    items_total: t.Integer(),
    items_shipped: t.Integer(),
    shipping_method: t.String(),
    base_cost: t.Number(),
    cost_ex_tax: t.Number(),
    cost_inc_tax: t.Number(),
    cost_tax: t.Number(),
    cost_tax_class_id: t.Integer(),
    base_handling_cost: t.Number(),
    handling_cost_ex_tax: t.Number(),
    handling_cost_inc_tax: t.Number(),
    handling_cost_tax: t.Number(),
    handling_cost_tax_class_id: t.Integer(),
    shipping_zone_id: t.Integer(),
    shipping_zone_name: t.String(),
    shipping_quotes: Resource,
  },
  { title: 'OrderShippingConsignment' },
)
const PickupConsignment = t.Object(
  {
    id: Id,
    pickup_method_id: t.Integer(),
    pickup_method_display_name: t.String(),
    collection_instructions: t.String(),
    collection_time_description: t.String(),
    location: PickupPlace,
    line_items: LineItems,
  },
  { title: 'OrderPickupConsignment' },
)
const Download = t.Object({ recipient_email: t.String(), line_items: LineItems }, { title: 'OrderDownload' })

export const Consignments = t.Object(
  {
    pickups: t.Array(PickupConsignment),
    shipping: t.Array(ShippingConsignment),
    downloads: t.Array(Download),
    email: t.Object({ gift_certificates: t.Array(Download) }),
  },
  { title: 'OrderConsignments' },
)
type Consignments = Static<typeof Consignments>

const row = OrderRow.properties
export const OrderV2 = t.Object(
  {
    id: Id,
    customer_id: row.customer_id,
    date_created: t.String({ description: 'RFC 2822' }),
    date_modified: t.String({ description: 'RFC 2822' }),
    date_shipped: t.String({ description: 'RFC 2822, or empty' }),
    cart_id: OptionalText,
    status_id: row.status_id,
    status: t.String(),
    subtotal_ex_tax: Money,
    subtotal_inc_tax: Money,
    subtotal_tax: Money,
    base_shipping_cost: Money,
    shipping_cost_ex_tax: Money,
    shipping_cost_inc_tax: Money,
    shipping_cost_tax: Money,
    shipping_cost_tax_class_id: t.Integer(),
    base_handling_cost: Money,
    handling_cost_ex_tax: Money,
    handling_cost_inc_tax: Money,
    handling_cost_tax: Money,
    handling_cost_tax_class_id: t.Integer(),
    base_wrapping_cost: Money,
    wrapping_cost_ex_tax: Money,
    wrapping_cost_inc_tax: Money,
    wrapping_cost_tax: Money,
    wrapping_cost_tax_class_id: t.Integer(),
    total_ex_tax: Money,
    total_inc_tax: Money,
    total_tax: Money,
    items_total: t.Integer(),
    items_shipped: t.Integer(),
    payment_method: t.String(),
    payment_provider_id: OptionalText,
    payment_status: row.payment_status,
    refunded_amount: Money,
    order_is_digital: t.Boolean(),
    store_credit_amount: Money,
    gift_certificate_amount: Money,
    ip_address: t.String(),
    ip_address_v6: t.String(),
    geoip_country: t.String(),
    geoip_country_iso2: t.String(),
    currency_id: t.Integer(),
    currency_code: t.String(),
    currency_exchange_rate: t.String(),
    default_currency_id: t.Integer(),
    default_currency_code: t.String(),
    store_default_currency_code: t.String(),
    store_default_to_transactional_exchange_rate: t.String(),
    staff_notes: t.String(),
    customer_message: t.String(),
    discount_amount: Money,
    coupon_discount: Money,
    shipping_address_count: t.Integer(),
    is_deleted: t.Boolean(),
    ebay_order_id: t.String(),
    billing_address: BillingAddress,
    is_email_opt_in: t.Boolean(),
    order_source: t.String(),
    channel_id: ChannelId,
    external_source: OptionalText,
    external_id: OptionalText,
    external_merchant_id: OptionalText,
    external_order_id: t.String(),
    tax_provider_id: t.String(),
    customer_locale: t.String(),
    is_tax_inclusive_pricing: t.Boolean(),
    products: Resource,
    shipping_addresses: Resource,
    coupons: Resource,
    consignments: t.Union([Resource, Consignments]),
    fees: t.Union([Resource, t.Array(FeeV2)]),
  },
  { title: 'Order' },
)
export type OrderV2 = Static<typeof OrderV2>

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
