import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { readCounters } from '../../core/rest/lists/counters.ts'
import { lock } from '../../core/rest/lists/verbs.ts'
import { isPaidStatus } from '../../sales/orders/arithmetic/order-status.ts'
import { orders } from '../../sales/orders/row/rows.ts'
import { recordPayment } from '../../sales/orders/transactions/payment-record.ts'
import { copyOrders, datePast, findBlock } from '../copies.ts'
import { placeOrders } from './demo-orders.ts'

/** So many are made as requests would make them, by one transaction; all others are copies of them, as many by each. */
const KINDS = 1_000
const YEARS = 4
const YEAR_MS = 365.25 * 86_400_000
/** All events of an order happen within two days. */
const HANDLING_MS = 2 * 86_400_000

/** Begins the numbers that the orders have in the shop that they came from. */
const PREFIX = 'seed-'

export interface ManyOrders {
  count: number
  /** How many kinds there are; the count is a multiple of them. */
  kinds?: number
  /** Called before the first transaction and after each, with the number of orders made so far. */
  progress?: (made: number, count: number) => void
}

/**
 * Fills a store with orders of the last four years, in all statuses, and those that are paid have their payment. Where a run was stopped, the
 * next one goes on behind its last transaction. Orders that the store had before stay.
 * @throws Error with a sentence for the operator where orders came behind those that an earlier run has made
 */
export async function makeManyOrders(db: Db, { count, kinds = KINDS, progress = () => {} }: ManyOrders) {
  const seconds = (YEARS * YEAR_MS * kinds) / count / 1_000
  let { first, made } = await ordersMade(db)
  progress(made, count)
  if (made === 0) {
    first = await db.transaction((tx) => makeKinds(tx, kinds, (seconds * 1_000) / kinds))
    made = kinds
    progress(made, count)
  }
  const block = await findBlock(db, first, kinds)
  while (made < count) {
    const later = Math.round((seconds * made) / kinds)
    await db.transaction((tx) => copyOrders(tx, block, { seconds: later, prefix: PREFIX }))
    made += kinds
    progress(made, count)
  }
}

/** How many orders an earlier run has made, and the id of the first. @throws Error if others came behind them */
export async function ordersMade(db: Db): Promise<{ first: number; made: number }> {
  const last = (await readCounters(db)).get('orders')?.last_id ?? 0
  const begin = await db.maybeRow<{ id: number }>(
    sql`select id from orders where store_id = ${db.store.id} and external_order_id_key = ${`${PREFIX}1`} order by id limit 1`,
  )
  if (!begin) return { first: 0, made: 0 }
  const made = last - begin.id + 1
  const end = await db.maybeRow<{ external_order_id: string }>(
    sql`select external_order_id from orders where store_id = ${db.store.id} and id = ${last}`,
  )
  if (end?.external_order_id !== `${PREFIX}${made}`) {
    throw new Error(`The store ${db.store.hash} has orders behind those of its sample data: no more are made.`)
  }
  return { first: begin.id, made }
}

/** @returns the id of the first */
async function makeKinds(tx: Tx, count: number, stepMs: number): Promise<number> {
  const start = tx.now.getTime() - YEARS * YEAR_MS - HANDLING_MS
  const placedAt = (n: number) => new Date(start + n * stepMs)
  const ids = await placeOrders(tx, { count, placedAt, numberOf: (n) => `${PREFIX}${n + 1}` })
  const [first] = ids
  if (first === undefined) throw new Error('The store has nothing to sell, or nobody who buys.')
  for (const id of ids) await pay(tx, id)
  await datePast(
    tx,
    ids.map((id, n) => ({ id, at: new Date(placedAt(n).getTime() + HANDLING_MS) })),
  )
  return first
}

/** Records the payment of an order that counts as paid. The other shop took it. */
async function pay(tx: Tx, id: number) {
  const order = await lock(tx, orders, id)
  if (!isPaidStatus(order.status_id) || order.total_inc_tax === 0) return
  const { payment_method, total_inc_tax: amount } = order
  const payment = { event: 'purchase', gateway: 'custom', method: 'custom', amount } as const
  const details = { custom: { payment_method } }
  await recordPayment(tx, order, 'paid without a gateway', { ...payment, details, keepsStatus: true })
}
