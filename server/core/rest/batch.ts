import t from 'typebox'
import { prepared, type Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Collection, RowWithId } from './lists/collection.ts'
import { findWhere } from './lists/verbs.ts'
import { Problem } from './problem.ts'

// Shared by requests for many resources at once. All of them lock rows in the order of the ids, independent of the order of the
// body: so two requests never wait for each other.

/** Locks rows until the transaction ends. @returns the existing ones, by id */
export async function lockAll<R extends RowWithId>(
  tx: Tx,
  collection: Collection<R>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, R>> {
  const rows = await findWhere(tx, collection, sql`id = any(${[...new Set(ids)]})`, sql`order by id for update`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** As `lockAll`, without reading the rows. @returns the ids of the existing ones */
export const lockIds = (tx: Tx, collection: Pick<Collection, 'table'>, ids: readonly number[]): Promise<Set<number>> =>
  lockIdsAs(tx, collection, ids, 'for update')

/** Protects rows from deletion until the transaction ends. Others may change them. @returns the ids of the existing ones */
export const lockIdsShared = (
  tx: Tx,
  collection: Pick<Collection, 'table'>,
  ids: readonly number[],
): Promise<Set<number>> => lockIdsAs(tx, collection, ids, 'for key share')

async function lockIdsAs(
  tx: Tx,
  { table }: Pick<Collection, 'table'>,
  ids: readonly number[],
  lock: 'for update' | 'for key share',
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.rows<RowWithId>(
    prepared(sql`
    select id from ${sql.id(table)} where store_id = ${tx.store.id} and id = any(${[...new Set(ids)]})
    order by id ${sql.raw(lock)}`),
  )
  return new Set(rows.map(({ id }) => id))
}

/** The sums of a batch: how many items it had, how many were saved, and how many were not. */
export const BatchMeta = t.Object(
  { total: t.Integer(), success: t.Integer(), failed: t.Integer() },
  { title: 'BatchMeta' },
)

/** The outcome of a batch. */
export interface BatchOutcome<Saved> {
  /** In the order of the body. */
  saved: Saved[]
  failures: { index: number; problem: Problem }[]
  meta: { total: number; success: number; failed: number }
}

/** Does the work for each item behind a savepoint of its own: an item that is refused leaves the others as they are. */
export async function eachAlone<Item, Saved>(
  tx: Tx,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Saved>,
): Promise<BatchOutcome<Saved>> {
  const saved: Saved[] = []
  const failures: BatchOutcome<Saved>['failures'] = []
  for (const [index, item] of items.entries()) {
    try {
      saved.push(await tx.savepoint(() => work(item, index)))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failures.push({ index, problem: error })
    }
  }
  return { saved, failures, meta: { total: items.length, success: saved.length, failed: failures.length } }
}
