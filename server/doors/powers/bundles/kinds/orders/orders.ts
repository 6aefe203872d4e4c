import { isObject } from '../../../../../core/objects.ts'
import type { Row } from '../../bundle.ts'
import { type BundleKind, metafieldKind, only, rowsIn, without } from '../kind.ts'
import { paymentKinds } from './payments.ts'

/**
 * An order of a bundle has its lines with their prices, its addresses, costs, totals and status, and the state of its payment; its
 * transactions and refunds are kinds of their own (`payments.ts`). Discounts and taxes by line, messages and the history of its status are
 * not in it.
 */

const PARTS = 'consignments,consignments.line_items,fees'

const FIELDS = [
  'id',
  'customer_id',
  'channel_id',
  'status_id',
  'date_created',
  'customer_message',
  'staff_notes',
  'discount_amount',
  'base_shipping_cost',
  'shipping_cost_ex_tax',
  'shipping_cost_inc_tax',
  'base_handling_cost',
  'handling_cost_ex_tax',
  'handling_cost_inc_tax',
  'base_wrapping_cost',
  'wrapping_cost_ex_tax',
  'wrapping_cost_inc_tax',
  'subtotal_ex_tax',
  'subtotal_inc_tax',
  'total_ex_tax',
  'total_inc_tax',
  'items_shipped',
  'currency_code',
  'payment_method',
  'payment_provider_id',
  'payment_status',
  'store_credit_amount',
  'gift_certificate_amount',
  'ip_address',
  'ip_address_v6',
  'geoip_country',
  'geoip_country_iso2',
  'ebay_order_id',
  'external_merchant_id',
  'external_order_id',
  'tax_provider_id',
  'customer_locale',
  'billing_address',
] as const

const LINE = [
  'id',
  'product_id',
  'variant_id',
  'name',
  'name_customer',
  'name_merchant',
  'sku',
  'upc',
  'quantity',
  'price_ex_tax',
  'price_inc_tax',
  'refund_amount',
  'product_options',
] as const

/** A choice is known by its names: the ids of options and modifiers are not told apart. */
const OPTION = [
  'display_name',
  'display_name_customer',
  'display_name_merchant',
  'display_value',
  'display_value_customer',
  'display_value_merchant',
] as const

const ADDRESS = [
  'id',
  'first_name',
  'last_name',
  'company',
  'street_1',
  'street_2',
  'city',
  'state',
  'zip',
  'country',
  'country_iso2',
  'phone',
  'email',
  'form_fields',
  'shipping_method',
] as const

const PICKUP = [
  'id',
  'pickup_method_id',
  'pickup_method_display_name',
  'collection_instructions',
  'collection_time_description',
  'location',
] as const

const FEE = [
  'id',
  'type',
  'display_name_customer',
  'display_name_merchant',
  'source',
  'cost_ex_tax',
  'cost_inc_tax',
  'tax_class_id',
] as const

/** Payments under way count as they did before: nobody here waits for the answer of their gateway. */
const BEFORE_THE_ANSWER: Readonly<Record<string, string>> = {
  pending: '',
  'held for review': '',
  'capture pending': 'authorized',
  'void pending': 'authorized',
}

export const orderKinds: readonly BundleKind[] = [
  {
    name: 'orders',
    area: 'orders',
    list: `/v2/orders?include=${PARTS}`,
    paging: 'v2',
    limit: 50,
    refs: {
      customer_id: 'customers',
      channel_id: 'channels',
      'products[].product_id': 'products',
      'products[].variant_id': 'variants',
      'pickups[].pickup_method_id': 'pickup-methods',
      'pickups[].line_items[].product_id': 'products',
      'pickups[].line_items[].variant_id': 'variants',
      'fees[].tax_class_id': 'tax-classes',
    },
    toBundle: orderToBundle,
    create: { path: '/v2/orders', by: 'orders' },
  },
  {
    name: 'shipments',
    area: 'orders',
    list: '/v2/orders/{under}/shipments',
    paging: 'v2',
    under: { kind: 'orders', when: ({ items_shipped }) => Number(items_shipped) > 0 },
    refs: { order_address_id: 'order-addresses', 'items[].order_product_id': 'order-lines' },
    neededRefs: ['order_address_id', 'items[].order_product_id'],
    toBundle: (row) => ({
      ...only(row, [
        '$under',
        'id',
        'order_address_id',
        'date_created',
        'tracking_number',
        'tracking_carrier',
        'tracking_link',
        'merchant_shipping_cost',
        'shipping_method',
        'shipping_provider',
        'comments',
      ]),
      items: rowsIn(row.items).map((item) => without(item, 'product_id')),
    }),
    create: { path: '/v2/orders/{under}/shipments' },
  },
  ...paymentKinds,
  metafieldKind('order', { area: 'orders', kind: 'orders', path: 'orders' }),
]

function orderToBundle(order: Row): Row {
  const consignments = isObject(order.consignments) ? order.consignments : {}
  const shipping = rowsIn(consignments.shipping)
  const email = isObject(consignments.email) ? rowsIn(consignments.email.gift_certificates) : []
  const pickups = rowsIn(consignments.pickups)
  const unpicked = [...shipping, ...rowsIn(consignments.downloads), ...email].flatMap(({ line_items }) =>
    rowsIn(line_items),
  )
  return {
    ...only(order, FIELDS),
    payment_status: BEFORE_THE_ANSWER[String(order.payment_status)] ?? order.payment_status,
    products: unpicked.sort((a, b) => Number(a.id) - Number(b.id)).map(lineToBundle),
    shipping_addresses: shipping.map((address) => only(address, ADDRESS)),
    pickups: pickups.map((pickup) => ({
      ...only(pickup, PICKUP),
      line_items: rowsIn(pickup.line_items).map(lineToBundle),
    })),
    fees: rowsIn(order.fees).map((fee) => only(fee, FEE)),
  }
}

const lineToBundle = (line: Row): Row => ({
  ...only(line, LINE),
  product_options: rowsIn(line.product_options).map((option) => only(option, OPTION)),
})
