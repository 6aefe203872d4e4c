import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import type { Collection, ListQuery, RowWithId } from '../../../core/rest/lists/collection.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import {
  differences,
  findOne,
  findWhere,
  insertAll,
  lock,
  lockBelow,
  type NewIds,
  type NewRow,
  removeAll,
} from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { type Product, products } from '../product-row/shape.ts'

/** An item of a list in the body of a product: a current row if it has an id, otherwise a new one. */
export interface ListItem {
  id?: number
}

/** The sum of a count over items. */
export const sum = <T>(items: readonly T[], count: (item: T) => number) =>
  items.reduce((all, item) => all + count(item), 0)

/** The number of ids that a list needs. */
export const countNew = (items: readonly ListItem[] = []) => items.filter(({ id }) => id === undefined).length

/** One page of the sub-resources of a product. @throws Problem 404 */
export async function findSubResources(db: Db, collection: Collection, productId: number, query: ListQuery) {
  const { id } = await findOne(db, products, productId)
  return findPage(db, collection, query, { where: sql`product_id = ${id}` })
}

/**
 * Checks the number of sub-resources. Call it after a new one is stored, because a conflict is refused before a limit.
 * @param product locked, so that the count stays true until the commit
 * @throws Problem 403
 */
export async function refuseOverMaximum(tx: Tx, { table, noun }: Collection, { id }: RowWithId, max: number) {
  const { count } = await tx.row<{ count: number }>(
    prepared(sql`
    select count(*)::int as count from ${sql.id(table)} where store_id = ${tx.store.id} and product_id = ${id}`),
  )
  if (count > max) throw new Problem(403, `A product can have at most ${max} ${noun}s.`)
}

/** Locks a product and one of its sub-resources. @throws Problem 404 for the first unknown one */
export const lockSubResource = <R extends RowWithId>(
  tx: Tx,
  collection: Collection<R>,
  product_id: number,
  id: number,
): Promise<[Product, R]> =>
  tx.together(() => [lock(tx, products, product_id), lockBelow(tx, collection, { product_id }, id)])

/** All sub-resources of one kind of a product. */
export const subResourcesOf = <R extends RowWithId>(tx: Tx, collection: Collection<R>, { id }: RowWithId) =>
  findWhere(tx, collection, sql`product_id = ${id}`)

/** A list in the body of a product. */
export interface ListInput<I> {
  items: readonly I[]
  /** The path of the list in the body, such as `0.custom_fields`. */
  path: string
}

/** A list that replaces the sub-resources of one kind of a product. */
export interface Replacement<I> extends ListInput<I> {
  /** Locked. */
  product: RowWithId
  newIds: NewIds
}

/**
 * Replaces the sub-resources of one kind by a list: items with an id are changed, items without one are created, and rows
 * that no item names are deleted (docs/contract/product-parts.md section 1).
 * @param toRow makes the row of an item, from the current row if the item names one
 * @returns whether anything has changed
 * @throws Problem 422 for an id of another product, 409 for a broken unique rule
 */
export async function replaceSubResources<R extends RowWithId, I extends ListItem>(
  tx: Tx,
  collection: Collection<R>,
  list: Replacement<I>,
  toRow: (item: I, before: R | undefined) => NewRow<R>,
): Promise<boolean> {
  const before = await currentRows(tx, collection, list)
  const ids = idsOf(collection, list)
  const rows = list.items.map((item, i) => ({ ...toRow(item, before.get(item.id ?? 0)), id: ids[i] ?? 0 }))
  const { gone, written } = await storeSubResources(tx, collection, before, rows)
  return gone.length + written.length > 0
}

/** The current rows of a product, by id. @throws Problem 422 for an item with an unknown id */
export async function currentRows<R extends RowWithId>(
  tx: Tx,
  collection: Collection<R>,
  { product, items, path }: Replacement<ListItem>,
): Promise<ReadonlyMap<number, R>> {
  const before = new Map((await subResourcesOf(tx, collection, product)).map((row) => [row.id, row]))
  refuseUnknownIds(items, before, path)
  return before
}

/** The ids of items. New items get the next ids. */
export const idsOf = (collection: Collection, { items, newIds }: Replacement<ListItem>): number[] =>
  items.map(({ id }) => id ?? newIds.next(collection))

/**
 * Stores rows in place of the current ones of a product. Changed rows are deleted and inserted again under their ids, so that two
 * of them can exchange their values under a unique rule.
 */
export async function storeSubResources<R extends RowWithId>(
  tx: Tx,
  collection: Collection<R>,
  before: ReadonlyMap<number, R>,
  rows: readonly (NewRow<R> & RowWithId)[],
): Promise<{ gone: number[]; written: R[] }> {
  const named = new Set(rows.map(({ id }) => id))
  const gone = [...before.keys()].filter((id) => !named.has(id))
  const differing = rows.filter((row) => isChanged(collection, before.get(row.id), row))
  if (gone.length > 0) await removeAll(tx, collection, sql`id = any(${gone})`)
  const rewritten = differing.map(({ id }) => id).filter((id) => before.has(id))
  if (rewritten.length > 0) {
    await tx.rows(sql`
      delete from ${sql.id(collection.table)} where store_id = ${tx.store.id} and id = any(${rewritten})`)
  }
  return { gone, written: await insertAll(tx, collection, differing) }
}

/** Hidden columns are those of the owner, which never change. */
const isChanged = ({ columns }: Collection, before: object | undefined, row: object) =>
  before === undefined || Object.keys(differences(before, row)).some((column) => columns.includes(column))

/** @throws Problem 422 for an id of another product, and for an id that is repeated */
function refuseUnknownIds(items: readonly ListItem[], before: ReadonlyMap<number, unknown>, path: string) {
  const mistakes: Mistakes = {}
  const seen = new Set<number>()
  for (const [i, { id }] of items.entries()) {
    if (id === undefined) continue
    if (!before.has(id)) mistakes[`${path}.${i}.id`] = `This product has none with the id ${id}.`
    else if (seen.has(id)) mistakes[`${path}.${i}.id`] = `The id ${id} is repeated.`
    seen.add(id)
  }
  refuse(mistakes)
}
