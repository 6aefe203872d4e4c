import t, { type Static } from 'typebox'
import { Id, nullable } from '../../../core/rest/input/fields.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { BillingAddress, FormField, LineOption, LineRow, OrderRow, PickupPlace, PostalAddress } from '../row/rows.ts'

// Shapes of orders as the older family shows them: money as text with four places, dates as in mails, what hangs on an order as links
// (docs/contract/orders.md section 4).

/** Money: `68.5000`. */
const Money = t.String({ description: 'With four decimals' })
const OptionalText = nullable(t.String())
const NoText = t.Null()

/** Where to read what is not shown in place. */
export const Resource = t.Object({ url: t.String(), resource: t.String() }, { title: 'OrderResource' })
export type Resource = Static<typeof Resource>

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
export type Consignments = Static<typeof Consignments>

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
