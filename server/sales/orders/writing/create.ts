import type { Db, Tx } from '../../../core/db/database.ts'
import { keepIds } from '../../../core/rest/batch.ts'
import { parseDate, toSeconds } from '../../../core/rest/input/dates.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { insertAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { customers } from '../../../customers/row/shape.ts'
import { findSold } from '../../../goods/catalog/sold.ts'
import { FIRST_CHANNEL, knownChannels } from '../../../shop/channels/channels.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { PENDING } from '../arithmetic/order-status.ts'
import { billOf, taxesOf, wrappingOfLines } from '../calculation/bill.ts'
import type { NewLine, NewOrder } from '../calculation/bodies.ts'
import { costsOf, defined, feeOf, fieldsIn, refuseHalves, totalsIn } from '../calculation/charges.ts'
import { type At, inCurrency, type LineDraft, newLine, thingOf } from '../calculation/lines.ts'
import { BLANK_ADDRESS, changedAddress } from '../calculation/postal-address.ts'
import { addresses, fees, lines, type OrderRow, orders, pickups, taxes } from '../row/rows.ts'
import { stockRulesOf, takeStock } from '../stock/holds.ts'
import { noteSpan } from '../stock/spans.ts'
import { tellOfOrder } from './events.ts'
import { pickupOf } from './place.ts'

/** What an order has when nothing else was said. */
const blank = {
  customer_id: 0,
  date_shipped: null,
  cart_id: null,
  status_id: PENDING,
  base_shipping_cost: 0,
  shipping_cost_ex_tax: 0,
  shipping_cost_inc_tax: 0,
  base_handling_cost: 0,
  handling_cost_ex_tax: 0,
  handling_cost_inc_tax: 0,
  items_shipped: 0,
  payment_method: '',
  payment_provider_id: null,
  payment_status: '',
  refunded_amount: 0,
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
  is_email_opt_in: false,
  channel_id: FIRST_CHANNEL,
  external_source: null,
  external_id: null,
  external_merchant_id: null,
  tax_provider_id: '',
  customer_locale: '',
  // Until a store says how its prices are entered, those without tax are the exact ones.
  is_tax_inclusive_pricing: false,
} as const

/**
 * Stores a new order, takes its stock, and tells it (docs/contract/orders.md section 4).
 * @param source how the order came about: `external` for this API
 * @throws Problem 422 with all that is wrong
 */
export function createOrder(db: Db, body: NewOrder, source = 'external'): Promise<OrderRow> {
  return db.transaction(async (tx) => {
    const draft = await judgeOrder(tx, body, source)
    return store(tx, draft)
  })
}

type OrderDraft = Awaited<ReturnType<typeof judgeOrder>>

/** What the body means, with all that the store says of it. Nothing is stored yet. */
async function judgeOrder(tx: Tx, body: NewOrder, source: string) {
  const mistakes: Mistakes = {}
  const [wanted] = body.consignments?.pickups ?? []
  const inputs = body.products ?? wanted?.line_items ?? []
  refuseWrongKinds(body, mistakes)
  refuseHalves(body, mistakes)
  refuse(mistakes)
  const { channel_id = FIRST_CHANNEL, customer_id = 0 } = body
  const [currency, channels, known, sold, rules, pickup] = await tx.together(() => [
    currencyPair(tx, body.default_currency_code),
    knownChannels(tx, [channel_id]),
    keepIds(tx, customers, customer_id > 0 ? [customer_id] : []),
    findSold(
      tx,
      inputs.flatMap((input) => thingOf(input) ?? []),
    ),
    stockRulesOf(tx, { order_source: source, channel_id }),
    wanted ? pickupOf(tx, wanted, (field) => `consignments.pickups.0.${field}`, mistakes) : undefined,
  ])
  if (!channels.has(channel_id)) mistakes.channel_id = `The channel ${channel_id} does not exist.`
  if (customer_id > 0 && !known.has(customer_id)) mistakes.customer_id = `The customer ${customer_id} does not exist.`
  if (!currency.wanted?.enabled || !currency.wanted.is_transactional) {
    mistakes.default_currency_code = `Nothing can be paid in ${body.default_currency_code ?? ''} here.`
  }

  const { standard, wanted: paidIn = standard } = currency
  const currency_decimals = Math.min(paidIn.decimal_places, 4)
  const priced = inCurrency(sold, { currency_exchange_rate: paidIn.currency_exchange_rate, currency_decimals })
  const drafts = inputs.flatMap(
    (input, i) => newLine(input, priced.get(input.product_id ?? 0), placeOf(body, i), mistakes) ?? [],
  )
  const newFees = (body.fees ?? []).map((fee, i) => feeOf(fee, undefined, (field) => `fees.${i}.${field}`, mistakes))
  const billing = changedAddress(BLANK_ADDRESS, body.billing_address, (field) => `billing_address.${field}`, mistakes)
  const [given] = body.shipping_addresses ?? []
  const { shipping_method = '', ...shippingInput } = given ?? {}
  const shipping = given
    ? changedAddress(BLANK_ADDRESS, shippingInput, (field) => `shipping_addresses.0.${field}`, mistakes)
    : billing
  const charges = {
    ...blank,
    ...wrappingOfLines(drafts),
    ...costsOf(body),
    ...defined({ discount_amount: body.discount_amount }),
    currency_decimals,
  }
  refuse(mistakes)
  const { lines: billed, totals } = billOf(charges, drafts, newFees, mistakes)
  refuse(mistakes)
  return { body, source, currency, rules, billed, totals, charges, newFees, billing, shipping, shipping_method, pickup }
}

/** Exactly one of products and consignments, and what is shipped is not collected. */
function refuseWrongKinds({ products, consignments, shipping_addresses }: NewOrder, mistakes: Mistakes) {
  if (products === undefined && consignments === undefined) mistakes.products = 'error.path.missing'
  if (consignments === undefined) return
  if (products !== undefined) mistakes.consignments = 'An order has either products or consignments.'
  if (shipping_addresses !== undefined) mistakes.shipping_addresses = 'What is collected is not shipped.'
}

/** Where a line stands in the body. */
const placeOf = ({ products }: { products?: readonly NewLine[] }, i: number): At => {
  const list = products ? 'products' : 'consignments.pickups.0.line_items'
  return (field) => `${list}.${i}.${field}`
}

async function store(tx: Tx, draft: OrderDraft): Promise<OrderRow> {
  const { billed, charges, newFees, pickup, rules } = draft
  const shipped = billed.filter(({ type }) => type === 'physical')
  const isShipped = !pickup && shipped.length > 0
  const ids = await takeIds(tx, [
    [orders, 1],
    [lines, billed.length],
    [addresses, isShipped ? 1 : 0],
    [pickups, pickup ? 1 : 0],
    [fees, newFees.length],
    [taxes, taxesOf(charges, billed.map(withoutId)).length],
  ])
  const order_id = ids.next(orders)
  const address_id = isShipped ? ids.next(addresses) : 0
  const pickup_id = pickup ? ids.next(pickups) : 0
  const lineRows = billed.map((line) => ({
    ...line,
    id: ids.next(lines),
    order_id,
    order_address_id: line.type === 'physical' ? address_id : 0,
    order_pickup_method_id: pickup_id,
  }))
  const order = orderRow(tx, draft, order_id, isShipped)
  await takeStock(tx, order, lineRows, rules, pickup)
  const pickupRows = pickup ? [{ ...pickup, id: pickup_id, order_id }] : []
  const taxRows = taxesOf(charges, lineRows).map((tax) => ({ ...tax, id: ids.next(taxes), order_id }))
  const [[stored]] = await tx.together(() => [
    insertAll(tx, orders, [order]),
    insertAll(tx, lines, lineRows),
    insertAll(tx, addresses, isShipped ? [addressRow(draft, address_id, order_id)] : []),
    insertAll(tx, pickups, pickupRows),
    insertAll(
      tx,
      fees,
      newFees.map((fee) => ({ ...fee, id: ids.next(fees), order_id })),
    ),
    insertAll(tx, taxes, taxRows),
    noteSpan(tx, order),
  ])
  if (!stored) throw new Error('An order was not stored.')
  tellOfOrder(tx, 'created', stored)
  return stored
}

/** Taxes are counted before ids are taken. */
const withoutId = (line: LineDraft) => ({ ...line, id: 0 })

function orderRow(tx: Tx, draft: OrderDraft, id: number, isShipped: boolean): OrderRow {
  const { body, source, currency, billed, totals, charges, billing } = draft
  const { standard, wanted = standard } = currency
  const now = toSeconds(tx.now)
  const { date_created, ip_address, ip_address_v6 } = body
  return {
    ...charges,
    ...fieldsIn(body),
    base_wrapping_cost: charges.base_wrapping_cost ?? charges.wrapping_cost_ex_tax,
    ...totals,
    ...totalsIn(body),
    id,
    date_created: date_created === undefined ? now : toSeconds(parseDate(date_created)?.at ?? tx.now),
    date_modified: now,
    items_total: billed.reduce((sum, { quantity }) => sum + quantity, 0),
    shipping_address_count: isShipped ? 1 : 0,
    order_is_digital: billed.every(({ type }) => type === 'digital'),
    external_order_id: body.external_order_id ?? '',
    // An order has one of the two.
    ip_address: ip_address ?? '',
    ip_address_v6: ip_address === undefined ? (ip_address_v6 ?? '') : '',
    currency_id: wanted.id,
    currency_code: wanted.currency_code,
    currency_exchange_rate: wanted.currency_exchange_rate,
    default_currency_id: standard.id,
    default_currency_code: standard.currency_code,
    billing_address: billing,
    email: billing.email,
    order_source: source,
  }
}

function addressRow({ shipping, shipping_method, charges }: OrderDraft, id: number, order_id: number) {
  return { ...shipping, id, order_id, shipping_method, ...shippingCosts(charges) }
}

/** What shipping and handling of an order cost stands at its address too. */
export const shippingCosts = (charges: Partial<OrderRow>) => ({
  base_cost: charges.base_shipping_cost ?? 0,
  cost_ex_tax: charges.shipping_cost_ex_tax ?? 0,
  cost_inc_tax: charges.shipping_cost_inc_tax ?? 0,
  base_handling_cost: charges.base_handling_cost ?? 0,
  handling_cost_ex_tax: charges.handling_cost_ex_tax ?? 0,
  handling_cost_inc_tax: charges.handling_cost_inc_tax ?? 0,
})
