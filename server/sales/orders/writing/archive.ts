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

// An archived order stays as it is and leaves all lists that do not ask for it. Its stock stays where it is: archiving is bookkeeping and
// no cancellation (docs/contract/orders.md section 6).
//
// A request to archive all orders stores a wish: the last id that the store has given. From that commit on, every order up to this id
// counts as archived, in lists, in counts and for all that an order refuses when it is archived. A job then archives the orders in
// pieces and publishes their events, and deletes the wish with the last piece. Orders get their ids behind the lock of the store's
// counter, so an order with a later id was created after the wish.

/** Orders of one transaction of the job. */
const PIECE = 250

const archiveTask = task('archive_orders', t.Object({ until_id: t.Integer() }), {
  maxMs: 60_000,
  // Each run continues after the last piece.
  retryDelay: (failures) => (failures <= 100 ? 5_000 : undefined),
})

/** A second time nothing happens. @throws Problem 404 */
export async function archiveOrder(tx: Tx, id: number) {
  await archive(tx, await lock(tx, orders, id))
}

/** Archives the first orders that are not archived yet, in the order of their ids. */
export const archiveFirst = (db: Db, limit: number) => db.transaction((tx) => archivePiece(tx, sql`true`, limit))

/** Archives all orders that the store has now: hides them at once and leaves a job. */
export async function archiveAll(db: Db) {
  await db.transaction(async (tx) => {
    const [wish] = await tx.rows<{ until_id: number }>(sql`
      insert into order_archivals as wish (store_id, until_id)
      select ${tx.store.id}, last_id from counters where store_id = ${tx.store.id} and resource = ${orders.table}
      on conflict (store_id) do update set until_id = excluded.until_id where excluded.until_id > wish.until_id
      returning until_id`)
    // Without a new order the job of the first wish does all of it.
    if (wish) await enqueue(tx, archiveTask, { key: 'all orders', payload: { until_id: wish.until_id } })
  })
}

/** May run twice: archived orders are passed over. */
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

/** @returns how many orders were archived */
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

/** The last order of a wish that its job has not finished, as an expression; 0 without one. */
export const requestedUntil = ({ store }: Db): Sql =>
  sql`coalesce((select until_id from order_archivals where store_id = ${store.id}), 0)`

/** The last order of a wish that its job has not finished; 0 without one. */
export async function readRequest(db: Db): Promise<number> {
  const wish = await db.byKey<{ until_id: number }>(
    prepared(sql`select until_id from order_archivals where store_id = ${db.store.id}`),
  )
  return wish?.until_id ?? 0
}

/** An order, and whether a wish includes it. */
const withWish = ({ store }: Db, id: number) => sql`
  select ${sql.join(orders.columns.map((column) => sql`orders.${sql.id(column)}`))},
    orders.id <= coalesce(wish.until_id, 0) as is_wished
  from orders left join order_archivals wish on wish.store_id = ${store.id}
  where orders.store_id = ${store.id} and orders.id = ${id}`

type WithWish = OrderRow & { is_wished: boolean }

/** Locks an order. It is archived first if a wish includes it. @throws Problem 404 */
export async function lockOrder(tx: Tx, id: number): Promise<OrderRow> {
  const found = await tx.byKey<WithWish>(prepared(sql`${withWish(tx, id)} for update of orders`))
  if (!found) throw notFound(orders.noun, id)
  const { is_wished, ...order } = found
  return is_wished ? archive(tx, order) : order
}

/** Reads an order. It is shown as archived if a wish includes it. @throws Problem 404 */
export async function findOrder(db: Db, id: number): Promise<OrderRow> {
  const found = await db.byKey<WithWish>(prepared(withWish(db, id)))
  if (!found) throw notFound(orders.noun, id)
  const { is_wished, ...order } = found
  return { ...order, is_deleted: order.is_deleted || is_wished }
}
