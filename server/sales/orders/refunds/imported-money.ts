import t, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { amountOf, share, sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { parseDate, toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, nullable } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { insertAll, insertOne, lock, takeIds } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { PaymentStatus } from '../arithmetic/payment-status.ts'
import { type FeeRow, fees, type LineRow, lines, orderAddresses, orders, pickupConsignments } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { findTransactionsOf, type NewTransaction, Transaction, writeTransaction } from '../transactions/transactions.ts'
import { orderSubject } from '../writing/events.ts'
import { moveOrder } from '../writing/move.ts'
import { countRefunded } from './refunded-units.ts'
import { findRepayments, ITEM_TYPES, Refund, type RepaymentRow, refunds, repayments, type StoredItem } from './rows.ts'

// Money that an order moved at another server: its transactions and refunds are stored as they were, and nothing is paid. From then on the
// order is like one that was paid here: the money that was taken and not given back can be refunded once. A gateway refunds or captures it
// only if the store has credentials for the same account there.

/** Payment statuses in which nobody waits for a gateway. */
const SETTLED = [
  '',
  'authorized',
  'captured',
  'declined',
  'paid',
  'partially refunded',
  'refunded',
  'void',
] as const satisfies readonly PaymentStatus[]

const PARTS = [
  'message',
  'offline',
  'custom',
  'credit_card',
  'store_credit',
  'gift_certificate',
  'avs_result',
  'cvv_result',
] as const

/** The fields of a transaction of the API that are imported. */
export const TRANSACTION_FIELDS = [
  'id',
  'event',
  'method',
  'amount',
  'gateway',
  'gateway_transaction_id',
  'test',
  'status',
  'fraud_review',
  'reference_transaction_id',
  'payment_method_id',
  'date_created',
  ...PARTS,
] as const
const ImportedTransaction = t.Pick(Transaction, [...TRANSACTION_FIELDS])
type ImportedTransaction = Static<typeof ImportedTransaction>

/** An item names a line or a fee of the order. Shipping, handling, and amounts of the order or of its tax need no name. */
const ImportedItem = t.Object({
  item_type: t.Enum([...ITEM_TYPES]),
  order_product_id: t.Optional(Id),
  fee_id: t.Optional(Id),
  quantity: nullable(t.Integer({ minimum: 0 })),
  requested_amount: nullable(t.Number()),
  reason: t.String(),
  adjustments: t.Array(t.Object({ amount: t.Number(), description: t.String() })),
})
type ImportedItem = Static<typeof ImportedItem>

const ImportedRefund = t.Object({
  ...t.Pick(Refund, ['id', 'created', 'reason', 'total_amount', 'total_tax', 'uses_merchant_override_values'])
    .properties,
  items: t.Array(ImportedItem),
  payments: Refund.properties.payments,
})
type ImportedRefund = Static<typeof ImportedRefund>

const ImportedMoney = t.Object({
  payment_status: t.Enum([...SETTLED]),
  payment_provider_id: nullable(t.String()),
  store_credit_amount: Amount(),
  gift_certificate_amount: Amount(),
  /** The amounts of refunded units by line, as the order shows them. */
  refund_amounts: t.Array(t.Object({ order_product_id: Id, amount: t.Number() })),
  /** In the order in which they were made; a transaction follows the one that it references. */
  transactions: t.Array(ImportedTransaction),
  refunds: t.Array(ImportedRefund),
})
type ImportedMoney = Static<typeof ImportedMoney>

const moneyCheck = Compile(ImportedMoney)

/** The new ids of rows by their former ones. */
interface RecordedMoney {
  transactions: ReadonlyMap<number, number>
  refunds: ReadonlyMap<number, number>
}

/**
 * Records the money that an order moved at another server.
 * @param money of the form `ImportedMoney`. Its lines and fees are those of the order here; ids of transactions are the former ones
 * @throws Problem 404; 409 for an order that has money of its own; 422 for another form, for more units or money given back than the
 * order has
 */
export async function recordImportedMoney(tx: Tx, order_id: number, money: unknown): Promise<RecordedMoney> {
  if (!moneyCheck.Check(money)) throw malformed(money)
  const order = await lock(tx, orders, order_id)
  const { ofLines, ofFees, addresses, pickups, there, paidBack } = await tx.together(() => ({
    ofLines: rowsOfOrders(tx, lines, [order_id]),
    ofFees: rowsOfOrders(tx, fees, [order_id]),
    addresses: rowsOfOrders(tx, orderAddresses, [order_id]),
    pickups: rowsOfOrders(tx, pickupConsignments, [order_id]),
    there: findTransactionsOf(tx, [order_id], sql`true`),
    paidBack: findRepayments(tx, sql`order_id = ${order_id}`),
  }))
  if (there.length + paidBack.length > 0)
    throw new Problem(409, 'The order has payments or refunds of its own, so those of the bundle were not added.')
  const places: Places = { order_id, lines: ofLines, fees: ofFees, consignment: [...addresses, ...pickups].at(0)?.id }
  refuseExcess(money, places)

  const transactions = new Map<number, number>()
  for (const transaction of money.transactions) {
    const { id } = await writeTransaction(tx, order, {
      ...toNew(transaction, transactions),
      date_created: toSeconds(parseDate(transaction.date_created)?.at ?? tx.now),
    })
    transactions.set(transaction.id, id)
  }
  const stored = await storeRefunds(tx, money, { places, transactions })
  const { payment_status, payment_provider_id, store_credit_amount, gift_certificate_amount } = money
  const refunded_amount = amountOf(
    sumOf(
      repaymentsOf(money)
        .filter(isSettled)
        .map(({ amount }) => unitsOf(amount)),
    ),
  )
  const changes = { payment_status, payment_provider_id, store_credit_amount, gift_certificate_amount, refunded_amount }
  await moveOrder(tx, order, changes, { keepsStock: true })
  return { transactions, refunds: stored }
}

function malformed(money: unknown): Problem {
  const [mistake] = moneyCheck.Errors(money)
  const at = mistake?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  return new Problem(422, 'The payments of the order are malformed.', { [at]: mistake?.message ?? '' })
}

/** The things of an order that refunds name. */
interface Places {
  order_id: number
  lines: readonly LineRow[]
  fees: readonly FeeRow[]
  /** Its shipping address or its pickup. */
  consignment: number | undefined
}

const repaymentsOf = ({ refunds }: ImportedMoney) => refunds.flatMap(({ payments }) => payments)

/** A repayment without a transaction was on its way: the other server makes it. */
const isSettled = ({ is_declined, transaction_id }: { is_declined: boolean; transaction_id: string | null }) =>
  !is_declined && transaction_id !== null

const isDeclined = ({ payments }: Pick<ImportedRefund, 'payments'>) => payments.every(({ is_declined }) => is_declined)

/** @throws Problem 422 if more was given back than taken, or more units than a line has */
function refuseExcess(money: ImportedMoney, { lines }: Places) {
  const mistakes: Mistakes = {}
  const paidBack = new Set(repaymentsOf(money).map(({ transaction_id }) => Number(transaction_id)))
  const taken = money.transactions
    .filter(({ status }) => status === 'ok')
    .map((transaction) => receivedBy(transaction, paidBack))
  const given = repaymentsOf(money).filter(({ is_declined }) => !is_declined)
  if (sumOf(given.map(({ amount }) => unitsOf(amount))) > sumOf(taken))
    mistakes.refunds = 'The order gave back more money than it took.'
  const units = new Map<number, number>()
  for (const { order_product_id = 0, quantity } of money.refunds
    .filter((one) => !isDeclined(one))
    .flatMap(({ items }) => items))
    units.set(order_product_id, (units.get(order_product_id) ?? 0) + (quantity ?? 0))
  for (const { id, quantity } of lines)
    if ((units.get(id) ?? 0) > quantity) mistakes.items = `More than the ${quantity} units of a line were given back.`
  refuse(mistakes)
}

/** The money that a transaction brought. A refund that is no repayment returned a receipt, as a void does with store credit. */
function receivedBy({ id, event, amount }: ImportedTransaction, paidBack: ReadonlySet<number>): Units {
  if (event === 'purchase' || event === 'capture') return unitsOf(amount)
  return event === 'refund' && !paidBack.has(id) ? -unitsOf(amount) : 0n
}

function toNew(transaction: ImportedTransaction, ids: ReadonlyMap<number, number>): NewTransaction {
  const { event, method, amount, gateway, gateway_transaction_id, test, status, fraud_review } = transaction
  const { payment_method_id, reference_transaction_id } = transaction
  const parts = PARTS.map((name) => [name, transaction[name]]).filter(([, value]) => value !== null)
  return {
    ...{ event, method, amount, gateway, gateway_transaction_id, test, status, fraud_review, payment_method_id },
    reference_transaction_id: ids.get(reference_transaction_id ?? 0) ?? null,
    details: Object.fromEntries(parts),
  }
}

/** Stores refunds with their repayments. @returns their ids by the former ones */
async function storeRefunds(
  tx: Tx,
  money: ImportedMoney,
  { places, transactions }: { places: Places; transactions: ReadonlyMap<number, number> },
): Promise<ReadonlyMap<number, number>> {
  const { order_id } = places
  const ids = await takeIds(tx, [
    [refunds, money.refunds.length],
    [repayments, repaymentsOf(money).length],
  ])
  const amounts = new RefundedLines(money)
  const stored = new Map<number, number>()
  for (const refund of money.refunds) {
    const id = ids.next(refunds)
    stored.set(refund.id, id)
    const items = refund.items.flatMap((item) => itemOf(item, places, amounts))
    await insertOne(tx, refunds, refundRow(refund, { id, order_id, items }))
    await insertAll(
      tx,
      repayments,
      refund.payments.map(({ provider_id, amount, offline, declined_message, ...payment }) => ({
        ...{ id: ids.next(repayments), refund_id: id, order_id, provider_id, amount, offline, declined_message },
        state: stateOf(payment),
        transaction_id: transactions.get(Number(payment.transaction_id)) ?? null,
      })),
    )
    if (!isDeclined(refund)) await countRefunded(tx, items, 1)
    publish(tx, 'store/order/refund/created', orderSubject({ id: order_id }), {
      type: 'order',
      id: order_id,
      refund: { refund_id: id },
    })
  }
  return stored
}

const stateOf = (payment: Parameters<typeof isSettled>[0]): RepaymentRow['state'] => {
  if (payment.is_declined) return 'declined'
  return isSettled(payment) ? 'settled' : 'waiting'
}

/** Divides the refunded amount of each line among its refunded units, in their order. */
class RefundedLines {
  readonly #lines: ReadonlyMap<number, { amount: Units; units: bigint }>
  readonly #done = new Map<number, bigint>()

  constructor({ refunds, refund_amounts }: ImportedMoney) {
    const items = refunds.filter((refund) => !isDeclined(refund)).flatMap((refund) => refund.items)
    const unitsOfLine = (id: number) =>
      sumOf(items.filter((item) => item.order_product_id === id).map(({ quantity }) => BigInt(quantity ?? 0)))
    this.#lines = new Map(
      refund_amounts.map(({ order_product_id: id, amount }) => [
        id,
        { amount: unitsOf(amount), units: unitsOfLine(id) },
      ]),
    )
  }

  /** The amount of the next units of a line. */
  next(id: number, quantity: number): number {
    const { amount, units } = this.#lines.get(id) ?? { amount: 0n, units: 0n }
    const done = this.#done.get(id) ?? 0n
    this.#done.set(id, done + BigInt(quantity))
    return amountOf(share(amount, done, BigInt(quantity), units))
  }
}

/** An item as it is stored; none for a line or a fee that the order does not have. */
function itemOf(item: ImportedItem, places: Places, amounts: RefundedLines): StoredItem[] {
  const { item_type, quantity, requested_amount, reason, adjustments } = item
  const item_id = idOf(item, places)
  if (item_id === undefined) return []
  const exact_amount =
    item_type === 'PRODUCT' ? amounts.next(item_id, quantity ?? 0) : Math.max(requested_amount ?? 0, 0)
  return [{ item_type, item_id, quantity, requested_amount, reason, adjustments, exact_amount }]
}

function idOf({ item_type, order_product_id, fee_id }: ImportedItem, places: Places): number | undefined {
  const idIn = (rows: readonly { id: number }[], id: number | undefined) => rows.find((row) => row.id === id)?.id
  switch (item_type) {
    case 'PRODUCT':
    case 'GIFT_WRAPPING':
      return idIn(places.lines, order_product_id)
    case 'FEE':
      return idIn(places.fees, fee_id)
    case 'SHIPPING':
    case 'HANDLING':
      return places.consignment
    case 'ORDER':
    case 'TAX':
      return places.order_id
  }
}

/** The amounts of its items were calculated elsewhere, so later refunds carry no difference of theirs on. */
function refundRow(
  { created, reason, total_amount, total_tax, uses_merchant_override_values, ...refund }: ImportedRefund,
  { id, order_id, items }: { id: number; order_id: number; items: StoredItem[] },
) {
  const isWhole = ({ item_type, adjustments }: StoredItem) =>
    item_type !== 'ORDER' && item_type !== 'TAX' && adjustments.length === 0
  return {
    ...{ id, order_id, created, reason, total_amount, total_tax, uses_merchant_override_values, items },
    ...{ exact_amount: 0, exact_tax: 0, item_amount: 0, item_tax: 0, tax_correction: 0 },
    is_plain: !uses_merchant_override_values && items.length > 0 && items.every(isWhole),
    is_declined: isDeclined(refund),
    certificates: [],
  }
}
