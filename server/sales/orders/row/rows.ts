import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { Id, Moment, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import type { MetafieldOwner } from '../../../shared/metafields/metafields.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { PAYMENT_STATUSES } from '../arithmetic/payment-status.ts'

// Orders and their sub-resources as they are stored. The v2 API shows them in another form (`reading/show.ts`): amounts as text, and
// many calculated fields.
//
// An order is a purchase of one customer, or of a guest (customer_id 0), in one currency. A client creates it through the API, or the
// sandbox does; it begins as Incomplete or Pending, or with the status that the client names. Its lines copy the names and prices of
// the catalog, so that a later change of a product doesn't change the order. An order is shipped to one address, collected at one pickup
// location, or downloaded. Its status says how far it is handled; its payment status says how far it is paid. Requests change fields,
// lines and fees. Payments, captures, refunds, shipments and pickups move both statuses by the tables of `arithmetic/`. Stock is committed and
// released with the status. Each change publishes an event, and a new status is recorded. An order is never deleted: archiving hides it
// from lists and keeps its stock. Its currency and exchange rate never change.

const Count = t.Integer({ minimum: 0, maximum: 2_147_483_647 })
/** An id, or 0 for none. */
const IdOrNone = Count
const Text = t.String()
const Money = Amount()

export const OrderFormField = t.Object(
  {
    name: t.String({ maxLength: 255 }),
    value: t.Union([t.String(), t.Number(), t.Array(t.Union([t.String(), t.Number()]))]),
  },
  { title: 'OrderFormField' },
)

/** The address that goods are sent to or a bill is addressed to. */
export const PostalAddress = t.Object({
  first_name: Text,
  last_name: Text,
  company: Text,
  street_1: Text,
  street_2: Text,
  city: Text,
  state: Text,
  zip: Text,
  country: Text,
  country_iso2: Text,
  phone: Text,
  email: Text,
})
export type PostalAddress = Static<typeof PostalAddress>

export const OrderBillingAddress = t.Object(
  { ...PostalAddress.properties, form_fields: t.Array(OrderFormField) },
  { title: 'OrderBillingAddress' },
)
export type OrderBillingAddress = Static<typeof OrderBillingAddress>

export const OrderRow = t.Object({
  id: Id,
  customer_id: IdOrNone,
  date_created: Moment,
  date_modified: Moment,
  date_shipped: nullable(Moment),
  cart_id: nullable(Text),
  status_id: t.Integer({ minimum: 0, maximum: 14 }),
  subtotal_ex_tax: Money,
  subtotal_inc_tax: Money,
  base_shipping_cost: Money,
  shipping_cost_ex_tax: Money,
  shipping_cost_inc_tax: Money,
  // The classes of costs are those of the store when the order was created.
  shipping_cost_tax_class_id: IdOrNone,
  base_handling_cost: Money,
  handling_cost_ex_tax: Money,
  handling_cost_inc_tax: Money,
  handling_cost_tax_class_id: IdOrNone,
  base_wrapping_cost: Money,
  wrapping_cost_ex_tax: Money,
  wrapping_cost_inc_tax: Money,
  wrapping_cost_tax_class_id: IdOrNone,
  total_ex_tax: Money,
  total_inc_tax: Money,
  items_total: Count,
  items_shipped: Count,
  shipping_address_count: Count,
  payment_method: Text,
  payment_provider_id: nullable(Text),
  payment_status: t.Enum([...PAYMENT_STATUSES]),
  refunded_amount: Money,
  order_is_digital: t.Boolean(),
  store_credit_amount: Money,
  gift_certificate_amount: Money,
  ip_address: Text,
  ip_address_v6: Text,
  geoip_country: Text,
  geoip_country_iso2: Text,
  currency_id: Id,
  currency_code: Text,
  currency_exchange_rate: Text,
  // The decimals of the currency when the order was created. Payments are rounded to them even if the currency changes later.
  currency_decimals: t.Integer({ minimum: 0, maximum: 4 }),
  default_currency_id: Id,
  default_currency_code: Text,
  staff_notes: Text,
  customer_message: Text,
  discount_amount: Money,
  coupon_discount: Money,
  is_deleted: t.Boolean(),
  ebay_order_id: Text,
  billing_address: OrderBillingAddress,
  // Copied from the billing address, for filters.
  email: Text,
  is_email_opt_in: t.Boolean(),
  order_source: Text,
  channel_id: ChannelId,
  external_source: nullable(Text),
  external_id: nullable(Text),
  external_merchant_id: nullable(Text),
  external_order_id: Text,
  tax_provider_id: Text,
  customer_locale: Text,
  is_tax_inclusive_pricing: t.Boolean(),
})
export type OrderRow = Static<typeof OrderRow>

export const orders = collection('orders', OrderRow, {
  noun: 'order',
  filters: '',
  twins: ['email', 'payment_method', 'external_order_id'],
})

/** Returns the customer of an order, 0 for a guest; undefined for an unknown order. */
export const customerOfOrder = async (db: Db, id: number): Promise<number | undefined> => {
  const [order] = await db.rows<{ customer_id: number }>(
    prepared(sql`select customer_id from orders where store_id = ${db.store.id} and id = ${id}`),
  )
  return order?.customer_id
}

/** Returns the cart that an order was placed from; undefined for none, and for an unknown order. */
export const cartOfOrder = async (db: Db, id: number): Promise<string | undefined> => {
  const [order] = await db.rows<{ cart_id: string | null }>(
    prepared(sql`select cart_id from orders where store_id = ${db.store.id} and id = ${id}`),
  )
  return order?.cart_id ?? undefined
}

export const orderMetafields: MetafieldOwner = {
  kind: 'order',
  resources: orders,
  path: '/orders',
  access: access('orders'),
  equalDates: ['of one', 'of all'],
  scope: 'store/order',
}

/** A chosen option of a product, with the names that it had when the order was created. */
export const LineOption = t.Object(
  {
    id: t.Integer(),
    option_id: t.Integer(),
    order_product_id: t.Integer(),
    product_option_id: t.Integer(),
    display_name: t.String(),
    display_value: t.String(),
    value: t.String(),
    type: t.String(),
    name: t.String(),
    display_style: t.String(),
    display_name_customer: t.String(),
    display_name_merchant: t.String(),
    display_value_customer: t.String(),
    display_value_merchant: t.String(),
  },
  { title: 'OrderProductOption' },
)
export type LineOption = Static<typeof LineOption>

/** A rate that a line is taxed with. */
const LineRate = t.Object({
  // 0 for a tax that a provider has named.
  id: IdOrNone,
  name: Text,
  // Percent.
  rate: Money,
  priority: t.Integer(),
})
export type LineRate = Static<typeof LineRate>

/**
 * The taxes of a line that the server priced. Changes of the order calculate with these rates, not with those that the store has by
 * then.
 */
export const TaxedBy = t.Object({
  class_id: t.Integer(),
  class: Text,
  // Whether base_price contains tax.
  is_inclusive: t.Boolean(),
  // Whether the amount of each rate is rounded to the currency.
  rounds_rates: t.Boolean(),
  // Rates of the store's own zone, which are taken out of base_price before the others are added; null if none are.
  store_rates: t.Unsafe<LineRate[] | null>({ ...t.Array(LineRate), type: ['array', 'null'] }),
  // The amount is the tax of all units, after discounts, in whole units of the currency.
  rates: t.Array(t.Object({ ...LineRate.properties, amount: Money, quoted: t.Optional(Money) })),
  // The amount that a tax provider was asked about, or a fall-back replaced its answer. `quoted` of each rate is the tax of it.
  quoted_for: t.Optional(Money),
})
export type TaxedBy = Static<typeof TaxedBy>

/** A discount of a line, as the checkout has calculated it. */
export const AppliedDiscount = t.Object({
  id: t.String(),
  // With four decimals, as answers have it.
  amount: t.String(),
  name: t.String(),
  code: nullable(t.String()),
  target: t.Enum(['order', 'product']),
})
export type AppliedDiscount = Static<typeof AppliedDiscount>

/** A line of an order: a product, its quantity and its price. */
export const LineRow = t.Object({
  id: Id,
  order_id: Id,
  product_id: IdOrNone,
  variant_id: IdOrNone,
  order_address_id: IdOrNone,
  order_pickup_method_id: IdOrNone,
  name: Text,
  name_customer: Text,
  name_merchant: Text,
  sku: Text,
  upc: Text,
  type: t.Enum(['physical', 'digital', 'giftcertificate']),
  quantity: Count,
  quantity_shipped: Count,
  quantity_refunded: Count,
  base_price: Money,
  price_ex_tax: Money,
  price_inc_tax: Money,
  // Its share of the discounts of the order, and its tax after them. Refunds return shares of both.
  discount: Money,
  discounted_tax: Money,
  // Null if the prices were given. Then the totals follow from them (`discountedOf`).
  taxed_by: nullable(TaxedBy),
  // All units, before discounts.
  total_ex_tax: nullable(Money),
  total_inc_tax: nullable(Money),
  // All units, after discounts.
  discounted_ex_tax: nullable(Money),
  cost_price: Money,
  refund_amount: Money,
  weight: Money,
  width: Money,
  height: Money,
  depth: Money,
  wrapping_id: IdOrNone,
  wrapping_name: nullable(Text),
  wrapping_message: Text,
  wrapping_cost_ex_tax: Money,
  wrapping_cost_inc_tax: Money,
  fixed_shipping_cost: Money,
  bin_picking_number: Text,
  brand: Text,
  product_options: t.Array(LineOption),
  // The discounts of a line from a checkout: `discount` is their sum. Null if the line has a share of the discounts of the order.
  applied_discounts: t.Unsafe<AppliedDiscount[] | null>({ ...t.Array(AppliedDiscount), type: ['array', 'null'] }),
  // Only of lines that sell a gift certificate.
  gift_certificate_id: nullable(Id),
  recipient_email: Text,
})
export type LineRow = Static<typeof LineRow>

export const lines = collection('order_products', LineRow, { noun: 'order product', filters: '' })

/** The option that a shopper has chosen in a checkout. */
export const ShippingQuote = t.Object({
  uuid: Text,
  timestamp: Moment,
  method_id: nullable(t.Integer()),
  provider_code: Text,
  description: Text,
  cost: Money,
})
export type ShippingQuote = Static<typeof ShippingQuote>

/** The shipping address of an order, with the costs of shipping. */
export const OrderAddressRow = t.Object({
  id: Id,
  order_id: Id,
  ...PostalAddress.properties,
  form_fields: t.Array(OrderFormField),
  shipping_method: Text,
  base_cost: Money,
  cost_ex_tax: Money,
  cost_inc_tax: Money,
  cost_tax_class_id: IdOrNone,
  base_handling_cost: Money,
  handling_cost_ex_tax: Money,
  handling_cost_inc_tax: Money,
  handling_cost_tax_class_id: IdOrNone,
  shipping_zone_id: IdOrNone,
  shipping_zone_name: Text,
  shipping_quote: t.Unsafe<ShippingQuote | null>({ ...ShippingQuote, type: ['object', 'null'] }),
})
export type OrderAddressRow = Static<typeof OrderAddressRow>

export const orderAddresses = collection('order_addresses', OrderAddressRow, { noun: 'shipping address', filters: '' })

export const PickupPlace = t.Object(
  {
    id: Id,
    name: Text,
    code: Text,
    address_line_1: Text,
    address_line_2: Text,
    city: Text,
    state: Text,
    postal_code: Text,
    country_alpha2: Text,
    email: Text,
    phone: Text,
  },
  { title: 'OrderPickupLocation' },
)
export type PickupPlace = Static<typeof PickupPlace>

/** The pickup consignment of an order, with the names that method and location had when the order was created. */
export const PickupRow = t.Object({
  id: Id,
  order_id: Id,
  // The contract has 64 bits. A JSON number holds 53 of them exactly.
  pickup_method_id: t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  pickup_method_display_name: Text,
  collection_instructions: Text,
  collection_time_description: Text,
  location: PickupPlace,
})
export type PickupRow = Static<typeof PickupRow>

export const pickupConsignments = collection('order_pickup_consignments', PickupRow, {
  noun: 'pickup consignment',
  filters: '',
})

/** A fee of an order, besides its products. */
export const FeeRow = t.Object({
  id: Id,
  order_id: Id,
  type: t.Enum(['custom_fee']),
  display_name_customer: Text,
  display_name_merchant: Text,
  source: Text,
  cost_ex_tax: Money,
  cost_inc_tax: Money,
  tax_class_id: nullable(t.Integer()),
})
export type FeeRow = Static<typeof FeeRow>

export const fees = collection('order_fees', FeeRow, { noun: 'fee', filters: '' })

/** A tax on a line, on shipping, on handling, on wrapping or on a fee. */
export const TaxRow = t.Object({
  id: Id,
  order_id: Id,
  order_address_id: IdOrNone,
  order_pickup_method_id: IdOrNone,
  order_product_id: IdOrNone,
  // 0 for a tax that was given.
  tax_rate_id: IdOrNone,
  line_item_type: t.Enum(['item', 'shipping', 'handling', 'gift-wrapping', 'fee']),
  tax_class_id: nullable(t.Integer()),
  name: Text,
  class: Text,
  rate: Money,
  priority: t.Integer(),
  priority_amount: Money,
  line_amount: Money,
})
export type TaxRow = Static<typeof TaxRow>

export const taxes = collection('order_taxes', TaxRow, { noun: 'tax', filters: '' })

/** A coupon that an order uses. Orders that are created with products have none. */
export const CouponRow = t.Object({
  id: Id,
  order_id: Id,
  coupon_id: IdOrNone,
  code: Text,
  amount: Money,
  // As carts number the types: 0 per item, 1 percent, 2 per total, 3 shipping, 4 free shipping, 5 promotion.
  type: t.Integer({ minimum: 0, maximum: 5 }),
  discount: Money,
})
export type CouponRow = Static<typeof CouponRow>

export const orderCoupons = collection('order_coupons', CouponRow, { noun: 'coupon', filters: '' })
