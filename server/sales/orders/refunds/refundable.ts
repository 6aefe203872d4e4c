import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { invalid } from '../../../core/rest/problem.ts'
import type { Capabilities, Gateway } from '../../payments/gateways/gateway.ts'
import { providerAt } from '../../payments/providers.ts'
import { canBeRefunded } from '../arithmetic/payment-status.ts'
import {
  GIFT_CERTIFICATE_PROVIDER,
  type Paid,
  STORE_CREDIT_PROVIDER,
  type Tender,
} from '../arithmetic/refund-methods.ts'
import { type Component, type PastRefund, type RefundableOrder, remainingOf } from '../arithmetic/refund-quote.ts'
import { discountedOf } from '../calculation/bill.ts'
import type { MoneyParts } from '../captures/captures.ts'
import {
  type FeeRow,
  fees,
  type LineRow,
  lines,
  type OrderAddressRow,
  type OrderRow,
  orderAddresses,
  pickupConsignments,
} from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { ordersUnderWay } from '../transactions/payment-rows.ts'
import { receiptsOf, receivedBy, type StoredTender, tendersOfAll } from '../transactions/tenders.ts'
import type { TransactionRow } from '../transactions/transactions.ts'
import { findRepayments, type RefundRow, type RepaymentRow, refunds } from './rows.ts'

/** All that a quote of an order is calculated from. */
export interface Refundable {
  row: OrderRow
  order: RefundableOrder
  /** What was paid, with what can go back where. */
  paid: Paid
  /** How the providers of its tenders are called. */
  names: ReadonlyMap<string, string>
  tenders: readonly StoredTender[]
  /** What came in: purchases and captures, in their order. */
  received: readonly TransactionRow[]
  /** How many refunds there were, declined ones too. */
  count: number
  /** Whether a payment waits for its gateway. */
  isUnderWay: boolean
}

/**
 * What quotes of orders are calculated from, one statement for each kind of part.
 * @param rows the orders; locked where money is to move
 */
export async function findRefundable(
  db: Db,
  { gateways }: MoneyParts,
  rows: readonly OrderRow[],
  now: Date,
): Promise<ReadonlyMap<number, Refundable>> {
  const ids = rows.map(({ id }) => id)
  const [ofLines, ofAddresses, ofPickups, ofFees, past, paidBack, received, tenders, underWay] = await Promise.all([
    rowsOfOrders(db, lines, ids),
    rowsOfOrders(db, orderAddresses, ids),
    rowsOfOrders(db, pickupConsignments, ids),
    rowsOfOrders(db, fees, ids),
    rowsOfOrders(db, refunds, ids),
    findRepayments(db, sql`order_id = any(${ids})`),
    receiptsOf(db, ids),
    tendersOfAll(db, rows),
    ordersUnderWay(db, ids),
  ])
  const of = <Part extends { order_id: number }>(parts: readonly Part[]) => {
    const byOrder = Map.groupBy(parts, ({ order_id }) => order_id)
    return (id: number): readonly Part[] => byOrder.get(id) ?? []
  }
  const [linesOf, addressesOf, pickupsOf, feesOf] = [of(ofLines), of(ofAddresses), of(ofPickups), of(ofFees)]
  const [pastOf, paidBackOf, receivedOf] = [of(past), of(paidBack), of(received)]
  const found = new Map<number, Refundable>()
  for (const row of rows) {
    const own = pastOf(row.id)
    const live = own.filter(({ is_declined }) => !is_declined)
    const place = addressesOf(row.id)[0] ?? pickupPlace(row, pickupsOf(row.id)[0]?.id)
    const ownTenders = tenders.get(row.id) ?? []
    const payments = paidBackOf(row.id)
    const whole = { lines: linesOf(row.id), place, fees: feesOf(row.id) }
    found.set(row.id, {
      row,
      order: {
        id: row.id,
        decimals: row.currency_decimals,
        isInclusive: row.is_tax_inclusive_pricing,
        captured: receivedBy(ownTenders),
        components: withDone(componentsOf(row, whole), live),
        refunds: live.map((refund) => pastRefund(refund, payments)),
      },
      ...(await paidOf(db, gateways, { row, tenders: ownTenders, received: receivedOf(row.id), payments, now })),
      tenders: ownTenders,
      received: receivedOf(row.id),
      count: own.length,
      isUnderWay: underWay.has(row.id),
    })
  }
  return found
}

/**
 * Refuses refunds of an order that holds no money, and refunds beside a payment that a gateway has still to answer: its outcome decides
 * what there is to refund (docs/contract/refunds.md section 1).
 * @throws Problem 422
 */
export function refuseUnpaid({ row: { payment_status }, order, isUnderWay }: Refundable) {
  if (payment_status === 'refunded' && remainingOf(order) <= 0n) {
    throw invalid({ payment_status: 'everything that was paid has been given back' })
  }
  if (!canBeRefunded(payment_status) || order.captured <= 0n) {
    throw invalid({ payment_status: 'payment must be captured before it can be refunded' })
  }
  if (isUnderWay) throw invalid({ payment_status: 'a payment is under way: wait for its outcome' })
}

type ConsignmentCosts = Pick<
  OrderAddressRow,
  'id' | 'cost_ex_tax' | 'cost_inc_tax' | 'handling_cost_ex_tax' | 'handling_cost_inc_tax'
>

/** What is collected has its costs at its pickup. */
const pickupPlace = (order: OrderRow, id: number | undefined): ConsignmentCosts | undefined =>
  id === undefined
    ? undefined
    : {
        id,
        cost_ex_tax: order.shipping_cost_ex_tax,
        cost_inc_tax: order.shipping_cost_inc_tax,
        handling_cost_ex_tax: order.handling_cost_ex_tax,
        handling_cost_inc_tax: order.handling_cost_inc_tax,
      }

/** What of an order can be given back by itself. Pure. What costs nothing is none, but for products. */
function componentsOf(
  { is_tax_inclusive_pricing: isInclusive }: OrderRow,
  whole: { lines: readonly LineRow[]; place: ConsignmentCosts | undefined; fees: readonly FeeRow[] },
): Component[] {
  const { lines, place, fees } = whole
  const part = (type: Component['type'], id: number, ex: Units, inc: Units, size?: number): Component => {
    const basis = isInclusive ? inc : ex
    return { type, id, basis, tax: inc - ex, size: size === undefined ? basis : BigInt(size), done: 0n }
  }
  const cost = (type: Component['type'], id: number, ex: number, inc: number, size?: number): Component[] =>
    inc > 0 ? [part(type, id, unitsOf(ex), unitsOf(inc), size)] : []
  return [
    ...lines.flatMap((line) => {
      const { ex, inc } = discountedOf(line, isInclusive)
      const { id, quantity, wrapping_cost_ex_tax, wrapping_cost_inc_tax } = line
      return [
        part('PRODUCT', id, ex, inc, quantity),
        ...cost('GIFT_WRAPPING', id, wrapping_cost_ex_tax, wrapping_cost_inc_tax, quantity),
      ]
    }),
    ...(place
      ? [
          ...cost('SHIPPING', place.id, place.cost_ex_tax, place.cost_inc_tax),
          ...cost('HANDLING', place.id, place.handling_cost_ex_tax, place.handling_cost_inc_tax),
        ]
      : []),
    ...fees.flatMap(({ id, cost_ex_tax, cost_inc_tax }) => cost('FEE', id, cost_ex_tax, cost_inc_tax)),
  ]
}

function withDone(components: readonly Component[], live: readonly RefundRow[]): Component[] {
  const done = new Map<string, bigint>()
  for (const { item_type, item_id, quantity, requested_amount } of live.flatMap(({ items }) => items)) {
    const key = `${item_type} ${item_id}`
    const by = quantity === null ? unitsOf(requested_amount ?? 0) : BigInt(quantity)
    done.set(key, (done.get(key) ?? 0n) + by)
  }
  return components.map((component) => ({ ...component, done: done.get(`${component.type} ${component.id}`) ?? 0n }))
}

/** A payment that was declined is money that is still here. */
function pastRefund(refund: RefundRow, payments: readonly RepaymentRow[]): PastRefund {
  const own = payments.filter(({ refund_id, state }) => refund_id === refund.id && state !== 'declined')
  return {
    total: sumOf(own.map(({ amount }) => unitsOf(amount))),
    tax: unitsOf(refund.total_tax),
    precise: unitsOf(refund.exact_amount),
    preciseTax: unitsOf(refund.exact_tax),
    itemPart: unitsOf(refund.item_amount),
    itemTax: unitsOf(refund.item_tax),
    isPlain: refund.is_plain,
  }
}

interface Payments {
  row: OrderRow
  tenders: readonly StoredTender[]
  received: readonly TransactionRow[]
  payments: readonly RepaymentRow[]
  now: Date
}

async function paidOf(db: Db, gateways: MoneyParts['gateways'], known: Payments) {
  const { row } = known
  const mayHaveStoreCredit = row.customer_id > 0 && row.currency_code === row.default_currency_code
  const tenders: Tender[] = []
  const names = new Map<string, string>()
  for (const tender of known.tenders) {
    const gateway = await gatewayOf(db, gateways, row, tender.provider_id)
    names.set(tender.provider_id, gateway?.name ?? tender.provider_id)
    tenders.push({ ...tender, whyOffline: (amount) => whyOffline(tender, amount, gateway?.capabilities, known) })
  }
  return { paid: { tenders, mayHaveStoreCredit }, names }
}

/** @returns undefined for a provider that is not set up any more */
async function gatewayOf(
  db: Db,
  gateways: MoneyParts['gateways'],
  { channel_id, currency_code }: OrderRow,
  gateway: string,
): Promise<Gateway | undefined> {
  const provider = await providerAt(db, gateway, { channel_id, currency: currency_code })
  if (!provider) return undefined
  // Where its credentials can't be read, or this server doesn't know it, money goes back by hand.
  return gateways.open(db, provider).catch(() => undefined)
}

/** Why a tender can't be given back by its provider itself (docs/contract/refunds.md section 3). Pure. */
function whyOffline(
  { provider_id, captured }: StoredTender,
  amount: Units,
  capabilities: Capabilities | undefined,
  { row, received, payments, now }: Payments,
): string | undefined {
  if (provider_id === STORE_CREDIT_PROVIDER) {
    return row.customer_id > 0 ? undefined : 'The customer does not exist any more.'
  }
  if (provider_id === GIFT_CERTIFICATE_PROVIDER) return 'Gift certificates are given back by hand.'
  const own = received.filter(({ gateway }) => gateway === provider_id)
  if (!capabilities) return 'The payment provider is no longer configured.'
  if (!capabilities.refund) return 'Refunds are not supported by this provider.'
  if (own.length > 1) return 'It was paid in several payments.'
  if (!capabilities.partialRefund && amount < captured) return 'Partial refunds are not supported by this provider.'
  const isAgain = payments.some(
    (payment) => payment.provider_id === provider_id && !payment.offline && payment.state !== 'declined',
  )
  if (!capabilities.multipleRefunds && isAgain) return 'Multiple online refunds are not available.'
  const settledAt = (at: string) => new Date(at).getTime() + capabilities.settlementDelaySeconds * 1_000
  if (own.some(({ date_created }) => settledAt(date_created) > now.getTime())) return 'The payment is not settled yet.'
  return undefined
}
