import t from 'typebox'
import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, runner, task, tryAgain } from '../../../core/jobs/task.ts'
import { updateSearchRows } from './rows.ts'
import { literal, VALUES } from './values.ts'
import type { SearchedProduct } from './words.ts'

const PRODUCTS_AT_ONCE = 200
/** Requests that have read the old tree have ended by then. */
const DELAY_MS = 1_000

/** Updates the search rows of a category's products, or of all products that an older version stored. */
const refreshTask = task(
  'refresh_search',
  // 0 for all products.
  t.Object({ category: t.Integer({ minimum: 0 }) }),
  { maxMs: 600_000, retryDelay: (failures) => (failures <= 100 ? 5_000 : undefined) },
)

/** Updates the search rows of all products in and below a category that has moved to another parent. */
export const refreshCategory = (tx: Tx, category: number) =>
  enqueue(tx, refreshTask, {
    key: 'search rows',
    payload: { category },
    dueAt: new Date(tx.now.getTime() + DELAY_MS),
  })

/** Stores the texts by which products are found. Products import this folder, so `process/background.ts` passes it. */
type StoreTexts = (tx: Tx, products: readonly SearchedProduct[]) => Promise<void>

/** May run twice: the rows of a product follow from its data. */
export const refreshRunner = (storeTexts: StoreTexts) =>
  runner(refreshTask, async ({ db, payload: { category }, signal }) => {
    let after: number | undefined = 0
    while (after !== undefined) {
      if (signal.aborted) return tryAgain('More products must be updated.')
      const from: number = after
      after = await db.transaction((tx) =>
        category === 0 ? refreshOlder(tx, storeTexts, from) : refreshBelow(tx, category, from),
      )
    }
    return done
  })

/** @returns the last product of the step, if there may be more */
async function refreshBelow(tx: Tx, category: number, after: number): Promise<number | undefined> {
  const rows = await tx.rows<{ product_id: number }>(
    prepared(sql`
    select product_id from product_facets
    where store_id = ${tx.store.id} and value = ${literal(VALUES.tree)} + ${category}::int and product_id > ${after}
    order by product_id limit ${PRODUCTS_AT_ONCE}`),
  )
  const ids = rows.map(({ product_id }) => product_id)
  updateSearchRows(tx, ids)
  return ids.length === PRODUCTS_AT_ONCE ? ids.at(-1) : undefined
}

/** As `refreshBelow`, for products whose words are not stored. */
async function refreshOlder(tx: Tx, storeTexts: StoreTexts, after: number): Promise<number | undefined> {
  const found = await tx.rows<SearchedProduct>(
    prepared(sql`
    select product.id, product.name, product.sku, product.upc, product.search_keywords
    from products product where product.store_id = ${tx.store.id} and product.id = any(array(
      select id from product_names where store_id = ${tx.store.id} and words is null and id > ${after}
      order by id limit ${PRODUCTS_AT_ONCE}))
    order by product.id for no key update`),
  )
  if (found.length > 0) await storeTexts(tx, found)
  updateSearchRows(
    tx,
    found.map(({ id }) => id),
  )
  return found.at(-1)?.id
}
