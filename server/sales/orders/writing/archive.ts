import t from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, runner, task, tryAgain } from '../../../core/jobs/task.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { type OrderRow, orders } from '../row/rows.ts'
import { saveOrder, touchSpans } from '../stock/spans.ts'
import { publishOrder } from './events.ts'

// An archived order does not change. Lists omit it unless a filter asks for it. It keeps its stock: archiving does not cancel an order
// (docs/contract/orders.md section 6).
//
// A request to archive all orders stores the last id of the store. From that commit on, every order up to this id counts as archived: in
// lists, in counts and for requests that archived orders refuse. A job then archives the orders in batches, publishes their events, and
// deletes the request with the last batch. Ids are taken under the lock of the store's counter, so an order with a later id was created after
// the request.

/** Orders in a transaction of the job. */
const PIECE = 250

const archiveTask = task('archive_orders', t.Object({ until_id: t.Integer() }), {
  maxMs: 60_000,
  // Each run continues after the last batch.
  retryDelay: (failures) => (failures <= 100 ? 5_000 : undefined),
})

/** Archives an order. An archived order stays as it is. @throws Problem 404 */
export async function archiveOrder(tx: Tx, id: number) {
  await archive(tx, await lock(tx, orders, id))
}

/** Archives the orders with the lowest ids that are not archived yet. */
export const archiveFirst = (db: Db, limit: number) => db.transaction((tx) => archivePiece(tx, sql`true`, limit))

/** Archives all orders of the store: hides them at once and enqueues a job. */
export async function archiveAll(db: Db) {
  await db.transaction(async (tx) => {
    const [request] = await tx.rows<{ until_id: number }>(sql`
      insert into order_archivals as request (store_id, until_id)
      select ${tx.store.id}, last_id from counters where store_id = ${tx.store.id} and resource = ${orders.table}
      on conflict (store_id) do update set until_id = excluded.until_id where excluded.until_id > request.until_id
      returning until_id`)
    // Without new orders, the job of the first request archives all of them.
    if (request) await enqueue(tx, archiveTask, { key: 'all orders', payload: { until_id: request.until_id } })
  })
}

/** It may run twice: archived orders are skipped. */
export const archiveRunner = () =>
  runner(archiveTask, async ({ db, payload: { until_id }, signal }) => {
    for (let isLast = false; !isLast; ) {
      if (signal.aborted) return tryAgain('There are more orders to be archived.')
      isLast = await db.transaction(async (tx) => {
        const count = await archivePiece(tx, sql`id <= ${until_id}`, PIECE)
        if (count === PIECE) return false
        await tx.rows(sql`
          delete from order_archivals where store_id = ${tx.store.id} and until_id <= ${until_id} returning until_id`)
        return true
      })
    }
    return done
  })

/** @returns the number of orders that were archived */
async function archivePiece(tx: Tx, where: Sql, limit: number): Promise<number> {
  const archived = await tx.rows<OrderRow>(sql`
    with piece as materialized (
      select id from orders where store_id = ${tx.store.id} and not is_deleted and ${where}
      order by id limit ${limit} for update
    )
    update orders set is_deleted = true, date_modified = ${toSeconds(tx.now)}
    where store_id = ${tx.store.id} and id = any(array(select id from piece))
    returning ${sql.join(orders.columns.map(sql.id))}`)
  archived.sort((one, other) => one.id - other.id)
  await touchSpans(tx, archived)
  for (const order of archived) publishOrder(tx, 'archived', order)
  return archived.length
}

async function archive(tx: Tx, order: OrderRow): Promise<OrderRow> {
  if (order.is_deleted) return order
  const archived = await saveOrder(tx, order, { is_deleted: true })
  publishOrder(tx, 'archived', archived)
  return archived
}

/** The last id of a request to archive all orders that its job has not finished, as an expression; 0 without a request. */
export const requestedUntil = ({ store }: Db): Sql =>
  sql`coalesce((select until_id from order_archivals where store_id = ${store.id}), 0)`

/** The last id of a request to archive all orders that its job has not finished; 0 without a request. */
export async function readRequest(db: Db): Promise<number> {
  const request = await db.byKey<{ until_id: number }>(
    prepared(sql`select until_id from order_archivals where store_id = ${db.store.id}`),
  )
  return request?.until_id ?? 0
}

/** An order, and whether a request to archive all orders includes it. */
const withRequest = ({ store }: Db, id: number) => sql`
  select ${sql.join(orders.columns.map((column) => sql`orders.${sql.id(column)}`))},
    orders.id <= coalesce(request.until_id, 0) as is_included
  from orders left join order_archivals request on request.store_id = ${store.id}
  where orders.store_id = ${store.id} and orders.id = ${id}`

type WithRequest = OrderRow & { is_included: boolean }

/** Locks an order. Archives it first if a request to archive all orders includes it. @throws Problem 404 */
export async function lockOrder(tx: Tx, id: number): Promise<OrderRow> {
  const found = await tx.byKey<WithRequest>(prepared(sql`${withRequest(tx, id)} for update of orders`))
  if (!found) throw notFound(orders.noun, id)
  const { is_included, ...order } = found
  return is_included ? archive(tx, order) : order
}

/** Reads an order. It counts as archived if a request to archive all orders includes it. @throws Problem 404 */
export async function findOrder(db: Db, id: number): Promise<OrderRow> {
  const found = await db.byKey<WithRequest>(prepared(withRequest(db, id)))
  if (!found) throw notFound(orders.noun, id)
  const { is_included, ...order } = found
  return { ...order, is_deleted: order.is_deleted || is_included }
}
