import { Problem } from '../../../../core/rest/problem.ts'
import type { Row } from '../bundle.ts'
import { rowsIn, without } from '../kinds/kind.ts'
import { hasMoney, REFUND_ITEMS } from '../kinds/orders/payments.ts'
import type { ImportWork } from './work.ts'

/**
 * The money of orders. Requests would move it again, so it is recorded as it was, all of an order in one transaction together with its ids.
 * Refunds are kept in memory until their order comes: few orders have one.
 */

const TRANSACTIONS = { name: 'order-transactions' }
const REFUNDS = { name: 'refunds' }

export async function importPayments(work: ImportWork) {
  const refunds = await refundsByOrder(work)
  const groups = byOwner(work.bundle.rows('orders/order-transactions'))
  let next = (await groups.next()).value
  // Transactions come in the order of their orders.
  for await (const order of work.bundle.rows('orders/orders')) {
    const transactions = next && next.owner === order.id ? next.rows : []
    if (transactions.length > 0) next = (await groups.next()).value
    const money = { order, transactions, refunds: refunds.get(order.id) ?? [] }
    if (transactions.length + money.refunds.length > 0 || hasMoney(order)) await recordMoney(work, money)
  }
  for (; next; next = (await groups.next()).value)
    for (const { id } of next.rows) work.refuse(TRANSACTIONS, id, ORDER_MISSING)
}

const ORDER_MISSING = { status: 0, body: { title: 'Its order is not in the bundle, or not in this place.' } }

async function refundsByOrder(work: ImportWork): Promise<ReadonlyMap<unknown, Row[]>> {
  const found = new Map<unknown, Row[]>()
  for await (const refund of work.bundle.rows('orders/refunds')) {
    const ofOrder = found.get(refund.order_id) ?? []
    found.set(refund.order_id, ofOrder)
    ofOrder.push(refund)
  }
  return found
}

/** Rows that follow each other below the same owner. */
async function* byOwner(rows: AsyncIterable<Row>): AsyncGenerator<{ owner: unknown; rows: Row[] }, undefined> {
  let group: { owner: unknown; rows: Row[] } | undefined
  for await (const row of rows) {
    if (group && group.owner !== row.$under) yield group
    if (group?.owner !== row.$under) group = { owner: row.$under, rows: [] }
    group?.rows.push(row)
  }
  if (group) yield group
}

interface OrderMoney {
  order: Row
  transactions: readonly Row[]
  refunds: readonly Row[]
}

async function recordMoney(work: ImportWork, { order, transactions, refunds }: OrderMoney) {
  const id = work.ids.find('orders', order.id)
  // Its order was refused.
  if (id === undefined) return
  const { payment_status, payment_provider_id = null, store_credit_amount, gift_certificate_amount } = order
  const lines = [...rowsIn(order.pickups).flatMap(({ line_items }) => rowsIn(line_items)), ...rowsIn(order.products)]
  const money = {
    ...{ payment_status, payment_provider_id },
    store_credit_amount: Number(store_credit_amount),
    gift_certificate_amount: Number(gift_certificate_amount),
    refund_amounts: lines
      .filter(({ refund_amount }) => Number(refund_amount) > 0)
      .map((line) => ({ order_product_id: work.ids.find('order-lines', line.id), amount: Number(line.refund_amount) })),
    transactions: transactions.map((transaction) => without(transaction, '$under')),
    refunds: refunds.map((refund) => work.mapped({ ...REFUNDS, refs: REFUND_ITEMS }, refund)),
  }
  const isThere = work.ids.has('order-money', order.id) || (await isRecorded(work, { order, id: Number(id), money }))
  if (!isThere) return
  for (const _ of transactions) work.count(TRANSACTIONS)
  for (const _ of refunds) work.count(REFUNDS)
}

async function isRecorded(work: ImportWork, { order, id, money }: { order: Row; id: number; money: object }) {
  try {
    for (const { kind, old_id, new_id } of await work.recordMoney({ former: order.id, id }, money))
      work.ids.set(kind, old_id, new_id)
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, message: title, errors } = error
    work.refuse(TRANSACTIONS, `of order ${order.id}`, { status, body: { title, errors } })
    return false
  }
}
