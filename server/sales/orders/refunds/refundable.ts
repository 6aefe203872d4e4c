import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { invalid } from '../../../core/rest/problem.ts'
import type { Capabilities, Gateway } from '../../payments/gateways/gateway.ts'
import { providerAt } from '../../payments/providers.ts'
import { returnableTo, type Spending, spendingsOf } from '../../promotions/certificate-balance.ts'
import { canBeRefunded } from '../arithmetic/payment-status.ts'
import {
  GIFT_CERTIFICATE_PROVIDER,
  type Paid,
  STORE_CREDIT_PROVIDER,
  type Tender,
} from '../arithmetic/refund-methods.ts'
import { type Component, type PastRefund, type RefundableOrder, remainingOf } from '../arithmetic/refund-quote.ts'
import type { Cost } from '../arithmetic/totals.ts'
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
  type PickupRow,
  pickupConsignments,
} from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { ordersUnderWay } from '../transactions/payment-rows.ts'
import { CERTIFICATE_GONE } from '../transactions/returned-balances.ts'
import { receiptsOf, receivedBy, type StoredTender, tendersOfAll } from '../transactions/tenders.ts'
import type { TransactionRow } from '../transactions/transactions.ts'
import { findRepayments, type RefundedItems, type RefundRow, type RepaymentRow, refunds } from './rows.ts'
import { type SoldCertificate, soldCertificates } from './sold-certificates.ts'

/** The data that quotes of an order are calculated from. */
export interface Refundable {
  row: OrderRow
  order: RefundableOrder
  /** The tenders, with the reasons why a provider can't refund them. */
  paid: Paid
  /** The names of the providers of its tenders. */
  names: ReadonlyMap<string, string>
  tenders: readonly StoredTender[]
  /** Purchases and captures in the order of their ids. */
  received: readonly TransactionRow[]
  /** The number of its refunds, declined ones included. */
  count: number
  parts: RefundableParts
  /** The gift certificates that it sells, by the ids of their lines; without those that were refunded. */
  sold: ReadonlyMap<number, SoldCertificate>
  /** Its refunds, except declined ones. */
  live: readonly RefundRow[]
  /** Whether a payment waits for its gateway. */
  isUnderWay: boolean
}

/**
 * Reads the data for quotes of orders, with one statement for each sub-resource.
 * @param rows the orders; locked if the caller moves money
 */
export async function findRefundable(
  db: Db,
  { gateways }: MoneyParts,
  rows: readonly OrderRow[],
  now: Date,
): Promise<ReadonlyMap<number, Refundable>> {
  const ids = rows.map(({ id }) => id)
  const [ofLines, ofAddresses, ofPickups, ofFees, past, paidBack, received, tenders, underWay, spent] =
    await Promise.all([
      rowsOfOrders(db, lines, ids),
      rowsOfOrders(db, orderAddresses, ids),
      rowsOfOrders(db, pickupConsignments, ids),
      rowsOfOrders(db, fees, ids),
      rowsOfOrders(db, refunds, ids),
      findRepayments(db, sql`order_id = any(${ids})`),
      receiptsOf(db, ids),
      tendersOfAll(db, rows),
      ordersUnderWay(db, ids),
      spendingsOf(db, rows),
    ])
  const of = <Part extends { order_id: number }>(parts: readonly Part[]) => {
    const byOrder = Map.groupBy(parts, ({ order_id }) => order_id)
    return (id: number): readonly Part[] => byOrder.get(id) ?? []
  }
  const [linesOf, addressesOf, pickupsOf, feesOf] = [of(ofLines), of(ofAddresses), of(ofPickups), of(ofFees)]
  const [pastOf, paidBackOf, receivedOf, spentOf] = [of(past), of(paidBack), of(received), of(spent)]
  const sold = await soldCertificates(db, rows, ofLines)
  const found = new Map<number, Refundable>()
  for (const row of rows) {
    const all = pastOf(row.id)
    const live = all.filter(({ is_declined }) => !is_declined)
    const tendersOfOrder = tenders.get(row.id) ?? []
    const payments = paidBackOf(row.id)
    const whole = {
      lines: linesOf(row.id),
      addresses: addressesOf(row.id),
      pickups: pickupsOf(row.id),
      fees: feesOf(row.id),
    }
    found.set(row.id, {
      row,
      order: {
        id: row.id,
        decimals: row.currency_decimals,
        isInclusive: row.is_tax_inclusive_pricing,
        captured: receivedBy(tendersOfOrder),
        components: refundableComponents(row, whole, live),
        refunds: live.map((refund) => pastRefund(refund, payments)),
      },
      ...(await paidOf(db, gateways, {
        row,
        tenders: tendersOfOrder,
        received: receivedOf(row.id),
        payments,
        spendings: spentOf(row.id),
        now,
      })),
      tenders: tendersOfOrder,
      received: receivedOf(row.id),
      count: all.length,
      parts: whole,
      sold: sold.get(row.id) ?? new Map(),
      live,
      isUnderWay: underWay.has(row.id),
    })
  }
  return found
}

/**
 * Refuses refunds of an order that has received no money, or that has a payment with an unknown outcome, since the outcome decides how
 * much can be refunded (docs/contract/refunds.md section 1).
 * @throws Problem 422
 */
export function refuseUnpaid({ row: { payment_status }, order, isUnderWay }: Refundable) {
  if (payment_status === 'refunded' && remainingOf(order) <= 0n) {
    throw invalid({ payment_status: 'the whole payment was refunded already' })
  }
  if (!canBeRefunded(payment_status) || order.captured <= 0n) {
    throw invalid({ payment_status: 'payment must be captured before it can be refunded' })
  }
  if (isUnderWay) throw invalid({ payment_status: 'a payment is in progress: wait for its outcome' })
}

/** The sub-resources of an order that can be refunded. */
export interface RefundableParts {
  lines: readonly LineRow[]
  addresses: readonly OrderAddressRow[]
  pickups: readonly PickupRow[]
  fees: readonly FeeRow[]
}

/** Returns the components of an order with the shares that were refunded. Pure. @param refunds that count */
export function refundableComponents(
  row: OrderRow,
  { lines, addresses, pickups, fees }: RefundableParts,
  refunds: readonly RefundedItems[],
): Component[] {
  const consignments = addresses.length > 0 ? addresses : pickupCosts(row, pickups[0]?.id)
  return withDone(componentsOf(row, { lines, consignments, fees }), refunds)
}

type ConsignmentCosts = Pick<
  OrderAddressRow,
  'id' | 'cost_ex_tax' | 'cost_inc_tax' | 'handling_cost_ex_tax' | 'handling_cost_inc_tax'
>

/** An order that is collected has no address: its costs belong to its pickup consignment. */
const pickupCosts = (order: OrderRow, id: number | undefined): readonly ConsignmentCosts[] =>
  id === undefined
    ? []
    : [
        {
          id,
          cost_ex_tax: order.shipping_cost_ex_tax,
          cost_inc_tax: order.shipping_cost_inc_tax,
          handling_cost_ex_tax: order.handling_cost_ex_tax,
          handling_cost_inc_tax: order.handling_cost_inc_tax,
        },
      ]

/** Returns the components of an order. Pure. Products are components even if they are free; other things without a cost are not. */
function componentsOf(
  { is_tax_inclusive_pricing: isInclusive }: OrderRow,
  whole: { lines: readonly LineRow[]; consignments: readonly ConsignmentCosts[]; fees: readonly FeeRow[] },
): Component[] {
  const { lines, consignments, fees } = whole
  const component = (type: Component['type'], id: number, { ex, inc }: Cost, size?: number): Component => {
    const basis = isInclusive ? inc : ex
    return { type, id, basis, tax: inc - ex, size: size === undefined ? basis : BigInt(size), done: 0n }
  }
  const ifCharged = (type: Component['type'], id: number, cost: Cost, size?: number): Component[] =>
    cost.inc > 0n ? [component(type, id, cost, size)] : []
  return [
    ...lines.flatMap((line) => {
      const { id, quantity, wrapping_cost_ex_tax, wrapping_cost_inc_tax } = line
      const wrapping = { ex: unitsOf(wrapping_cost_ex_tax), inc: unitsOf(wrapping_cost_inc_tax) }
      return [
        component('PRODUCT', id, discountedOf(line, isInclusive), quantity),
        ...ifCharged('GIFT_WRAPPING', id, wrapping, quantity),
      ]
    }),
    ...consignments.flatMap((consignment) =>
      consignmentCosts(consignment).flatMap(({ type, cost }) => ifCharged(type, consignment.id, cost)),
    ),
    ...fees.flatMap(({ id, cost_ex_tax, cost_inc_tax }) =>
      ifCharged('FEE', id, { ex: unitsOf(cost_ex_tax), inc: unitsOf(cost_inc_tax) }),
    ),
  ]
}

const consignmentCosts = (costs: ConsignmentCosts) => [
  { type: 'SHIPPING' as const, cost: { ex: unitsOf(costs.cost_ex_tax), inc: unitsOf(costs.cost_inc_tax) } },
  {
    type: 'HANDLING' as const,
    cost: { ex: unitsOf(costs.handling_cost_ex_tax), inc: unitsOf(costs.handling_cost_inc_tax) },
  },
]

function withDone(components: readonly Component[], live: readonly RefundedItems[]): Component[] {
  const done = new Map<string, bigint>()
  for (const { item_type, item_id, quantity, requested_amount } of live.flatMap(({ items }) => items)) {
    const key = `${item_type} ${item_id}`
    const by = quantity === null ? unitsOf(requested_amount ?? 0) : BigInt(quantity)
    done.set(key, (done.get(key) ?? 0n) + by)
  }
  return components.map((component) => ({ ...component, done: done.get(`${component.type} ${component.id}`) ?? 0n }))
}

/** The amounts of an earlier refund. The money of a declined repayment was not returned. */
function pastRefund(refund: RefundRow, payments: readonly RepaymentRow[]): PastRefund {
  const live = payments.filter(({ refund_id, state }) => refund_id === refund.id && state !== 'declined')
  return {
    total: sumOf(live.map(({ amount }) => unitsOf(amount))),
    tax: unitsOf(refund.total_tax),
    precise: unitsOf(refund.exact_amount),
    preciseTax: unitsOf(refund.exact_tax),
    itemPart: unitsOf(refund.item_amount),
    itemTax: unitsOf(refund.item_tax),
    correction: unitsOf(refund.tax_correction),
    isPlain: refund.is_plain,
  }
}

interface Payments {
  row: OrderRow
  tenders: readonly StoredTender[]
  received: readonly TransactionRow[]
  payments: readonly RepaymentRow[]
  /** The gift certificates that have paid. */
  spendings: readonly Spending[]
  now: Date
}

async function paidOf(db: Db, gateways: MoneyParts['gateways'], context: Payments) {
  const { row } = context
  const mayHaveStoreCredit = row.customer_id > 0 && row.currency_code === row.default_currency_code
  const tenders: Tender[] = []
  const names = new Map<string, string>()
  for (const tender of context.tenders) {
    const gateway = await gatewayOf(db, gateways, row, tender.provider_id)
    names.set(tender.provider_id, gateway?.name ?? tender.provider_id)
    tenders.push({ ...tender, whyOffline: (amount) => whyOffline(tender, amount, gateway?.capabilities, context) })
  }
  return { paid: { tenders, mayHaveStoreCredit }, names }
}

/** @returns undefined for a provider that is no longer configured */
async function gatewayOf(
  db: Db,
  gateways: MoneyParts['gateways'],
  { channel_id, currency_code }: OrderRow,
  gateway: string,
): Promise<Gateway | undefined> {
  const provider = await providerAt(db, gateway, { channel_id, currency: currency_code })
  if (!provider) return undefined
  // If its credentials can't be read, or this server doesn't know it, the refund is made by hand.
  return gateways.open(db, provider).catch(() => undefined)
}

/** Returns the reason why a provider can't refund its tender by itself (docs/contract/refunds.md section 3). Pure. */
function whyOffline(
  { provider_id, captured }: StoredTender,
  amount: Units,
  capabilities: Capabilities | undefined,
  { row, received, payments, spendings, now }: Payments,
): string | undefined {
  if (provider_id === STORE_CREDIT_PROVIDER) {
    return row.customer_id > 0 ? undefined : 'The customer no longer exists.'
  }
  if (provider_id === GIFT_CERTIFICATE_PROVIDER) {
    return amount + waitingFor(payments, provider_id) <= returnableTo(spendings) ? undefined : CERTIFICATE_GONE
  }
  const receipts = received.filter(({ gateway }) => gateway === provider_id)
  if (!capabilities) return 'The payment provider is no longer configured.'
  if (!capabilities.refund) return 'Refunds are not supported by this provider.'
  if (receipts.length > 1) return 'It was paid in several payments.'
  if (!capabilities.partialRefund && amount < captured) return 'Partial refunds are not supported by this provider.'
  const isAgain = payments.some(
    (payment) => payment.provider_id === provider_id && !payment.offline && payment.state !== 'declined',
  )
  if (!capabilities.multipleRefunds && isAgain) return 'Multiple online refunds are not available.'
  const settledAt = (at: string) => new Date(at).getTime() + capabilities.settlementDelaySeconds * 1_000
  if (receipts.some(({ date_created }) => settledAt(date_created) > now.getTime()))
    return 'The payment is not settled yet.'
  return undefined
}

/** The amount of repayments to a provider whose job has not made them yet. */
const waitingFor = (payments: readonly RepaymentRow[], provider: string): Units =>
  sumOf(
    payments
      .filter(({ provider_id, offline, state }) => provider_id === provider && !offline && state === 'waiting')
      .map(({ amount }) => unitsOf(amount)),
  )
