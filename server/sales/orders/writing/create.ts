import type { Db, Tx } from '../../../core/db/database.ts'
import { parseDate, toSeconds } from '../../../core/rest/input/dates.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import type { CostClasses } from '../../tax/classes/cost-classes.ts'
import type { TaxQuotes } from '../../tax/estimates/quote.ts'
import { taxOfNewOrders } from '../../tax/new-orders.ts'
import { PENDING } from '../arithmetic/order-status.ts'
import type { NewOrder } from '../calculation/bodies.ts'
import { BLANK_ADDRESS } from '../calculation/postal-address.ts'
import type { OrderRow } from '../row/rows.ts'
import { stockRulesOf } from '../stock/holds.ts'
import { shippingCosts } from './address-costs.ts'
import { checkOrder, findReferences, newAddress, type OrderDraft, refuseContradictions } from './order-input.ts'
import { type NewOrderDraft, storeOrder } from './store.ts'

/** The columns of an order that was not changed yet. */
const blank = {
  customer_id: 0,
  date_shipped: null,
  cart_id: null,
  status_id: PENDING,
  subtotal_ex_tax: 0,
  subtotal_inc_tax: 0,
  base_shipping_cost: 0,
  shipping_cost_ex_tax: 0,
  shipping_cost_inc_tax: 0,
  base_handling_cost: 0,
  handling_cost_ex_tax: 0,
  handling_cost_inc_tax: 0,
  base_wrapping_cost: 0,
  wrapping_cost_ex_tax: 0,
  wrapping_cost_inc_tax: 0,
  total_ex_tax: 0,
  total_inc_tax: 0,
  items_total: 0,
  items_shipped: 0,
  shipping_address_count: 0,
  payment_method: '',
  payment_provider_id: null,
  payment_status: '',
  refunded_amount: 0,
  order_is_digital: false,
  store_credit_amount: 0,
  gift_certificate_amount: 0,
  ip_address: '',
  ip_address_v6: '',
  geoip_country: '',
  geoip_country_iso2: '',
  staff_notes: '',
  customer_message: '',
  discount_amount: 0,
  coupon_discount: 0,
  is_deleted: false,
  ebay_order_id: '',
  billing_address: BLANK_ADDRESS,
  email: '',
  is_email_opt_in: false,
  channel_id: 0,
  external_source: null,
  external_id: null,
  external_merchant_id: null,
  external_order_id: '',
  tax_provider_id: '',
  customer_locale: '',
} as const

/**
 * Creates an order: stores it, takes its stock and publishes its events (docs/contract/orders.md section 4).
 * @param origin source: `external` for this API; quotes: without them the rates of the store apply
 * @throws Problem 422 with all mistakes
 */
export function createOrder(
  db: Db,
  body: NewOrder,
  { source = 'external', quotes }: { source?: string; quotes?: TaxQuotes } = {},
): Promise<OrderRow> {
  return db.transaction(async (tx) => {
    const mistakes: Mistakes = {}
    refuseAmbiguousProducts(body, mistakes)
    refuseContradictions(body, mistakes)
    refuse(mistakes)
    const input = { channel_id: FIRST_CHANNEL, ...body }
    const { channel_id, customer_id = 0, default_currency_code: currency_code } = input
    const shopper = { channel_id, customer_id, customer_group_id: 0, currency_code }
    const { currency, taxes, rules, references } = await tx.together(() => ({
      currency: currencyPair(tx, currency_code),
      taxes: taxOfNewOrders(tx),
      rules: stockRulesOf(tx, { order_source: source, channel_id }),
      references: findReferences(tx, { lines: [], pickups: [], shopper, quotes }, input, mistakes),
    }))
    if (!currency.wanted?.enabled || !currency.wanted.is_transactional) {
      mistakes.default_currency_code = `Orders can't be paid in ${body.default_currency_code ?? ''} here.`
    }
    const order: OrderRow = {
      ...blankOrder(tx, currency, taxes.costClasses, body.date_created),
      order_source: source,
      is_tax_inclusive_pricing: taxes.isInclusive,
    }
    const before = { order, lines: [], addresses: [], fees: [], pickups: [], picked: new Map() }
    return storeOrder(tx, draftOf(checkOrder(before, input, references, mistakes)), rules)
  })
}

/** An order has products or consignments. An order with consignments is not shipped. */
function refuseAmbiguousProducts({ products, consignments, shipping_addresses }: NewOrder, mistakes: Mistakes) {
  if (products === undefined && consignments === undefined) mistakes.products = 'error.path.missing'
  if (consignments === undefined) return
  if (products !== undefined) mistakes.consignments = 'Send either products or consignments.'
  if (shipping_addresses !== undefined) mistakes.shipping_addresses = 'An order that is collected is not shipped.'
}

/** A new order before its input is applied. */
export function blankOrder(
  tx: Tx,
  { standard, wanted = standard }: Awaited<ReturnType<typeof currencyPair>>,
  { shipping, handling, wrapping }: CostClasses,
  date_created?: string,
): Omit<OrderRow, 'order_source' | 'is_tax_inclusive_pricing'> {
  const now = toSeconds(tx.now)
  return {
    ...blank,
    id: 0,
    date_created: date_created === undefined ? now : toSeconds(parseDate(date_created)?.at ?? tx.now),
    date_modified: now,
    shipping_cost_tax_class_id: shipping,
    handling_cost_tax_class_id: handling,
    wrapping_cost_tax_class_id: wrapping,
    currency_id: wanted.id,
    currency_code: wanted.currency_code,
    currency_exchange_rate: wanted.currency_exchange_rate,
    currency_decimals: Math.min(wanted.decimal_places, 4),
    default_currency_id: standard.id,
    default_currency_code: standard.currency_code,
  }
}

/** An order of products for one place, as a body describes it. */
function draftOf({ after, lines: drafts, fees: newFees, address, pickup }: OrderDraft): NewOrderDraft {
  const isShipped = !pickup && drafts.some(({ type }) => type === 'physical')
  const postal = newAddress(address ?? after.billing_address)
  return {
    after,
    lines: drafts.map((line) => ({
      ...line,
      place: isShipped && line.type === 'physical' ? 0 : undefined,
      isCollected: pickup !== undefined,
    })),
    addresses: isShipped ? [{ ...postal, ...shippingCosts(after) }] : [],
    pickup,
    fees: newFees,
    taxes: undefined,
    coupons: [],
  }
}
