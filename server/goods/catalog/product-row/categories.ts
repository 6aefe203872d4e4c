import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { publish } from '../../../core/events/publish.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import { channelsOf } from '../categories/tree-shape.ts'
import { updateSearchRows } from '../search/rows.ts'
import { publishProduct } from './shape.ts'

// The assignment of products to categories. Each assignment is a row of product_categories, which filters read; the product's
// own row repeats them as a sorted list. The functions of this file change both together.
//
// A transaction that needs both locks the categories first (`lockIdsShared`) and then the products, so that no two wait for each
// other.

const CATEGORIES_OF_PRODUCT_MAX = 1_000

export interface ProductCategory {
  product_id: number
  category_id: number
}

/** The categories of a product as its row keeps them: each once, sorted. */
export const sortedIds = (ids: readonly number[]): number[] => [...new Set(ids)].sort((one, other) => one - other)

/**
 * Assigns new or changed products to exactly these categories, in one statement. The caller stores the products' rows with
 * `sortedIds` of the same list.
 * @param wanted the categories by product; the categories are locked (`lockIdsShared`), the products locked or new
 */
export async function setCategories(tx: Tx, wanted: ReadonlyMap<number, readonly number[]>) {
  if (wanted.size === 0) return
  const links = [...wanted].flatMap(([product_id, ids]) =>
    sortedIds(ids).map((category_id): ProductCategory => ({ product_id, category_id })),
  )
  const changed = await tx.rows<ProductCategory & { is_new: boolean }>(
    prepared(sql`
    with wanted as (
      select product_id, category_id from ${linkTable(links)}
    ), gone as (
      delete from product_categories link where store_id = ${tx.store.id} and product_id = any(${[...wanted.keys()]})
        and not exists (
          select from wanted where wanted.product_id = link.product_id and wanted.category_id = link.category_id)
      returning product_id, category_id
    ), added as (
      insert into product_categories (store_id, product_id, category_id)
      select ${tx.store.id}, product_id, category_id from wanted on conflict do nothing
      returning product_id, category_id
    )
    select product_id, category_id, true as is_new from added
    union all select product_id, category_id, false from gone`),
  )
  await publishLinks(
    tx,
    'assigned',
    changed.filter(({ is_new }) => is_new),
  )
  await publishLinks(
    tx,
    'unassigned',
    changed.filter(({ is_new }) => !is_new),
  )
}

/**
 * Stores the links of new products. The caller stores the products' rows with `sortedIds` of the same list, and publishes the
 * events by `publishCategoryLinks`.
 */
export async function insertLinks(tx: Tx, links: readonly ProductCategory[]): Promise<ProductCategory[]> {
  if (links.length === 0) return []
  return tx.rows<ProductCategory>(
    prepared(sql`
    insert into product_categories (store_id, product_id, category_id)
    select ${tx.store.id}, product_id, category_id from ${linkTable(links)} on conflict do nothing
    returning product_id, category_id`),
  )
}

/**
 * Assigns products to further categories. Existing assignments stay.
 * @param links in the order of the body, whose paths a refusal names; both sides exist and are locked
 * @throws Problem 422 if a product would have more than 1,000 categories
 */
export async function assignCategories(tx: Tx, links: readonly ProductCategory[]) {
  const added = await insertLinks(tx, links)
  const counts = await updateLists(tx, added)
  const full = new Set(counts.filter(({ count }) => count > CATEGORIES_OF_PRODUCT_MAX).map(({ id }) => id))
  if (full.size > 0) {
    const sentence = `A product can be in at most ${CATEGORIES_OF_PRODUCT_MAX} categories.`
    throw invalid(
      Object.fromEntries(
        links.flatMap(({ product_id }, i) => (full.has(product_id) ? [[`${i}.category_id`, sentence]] : [])),
      ),
    )
  }
  publishProducts(tx, added)
  await publishLinks(tx, 'assigned', added)
}

/**
 * Removes products from categories. Large numbers are removed in steps. Each step is a transaction that publishes its own
 * events, so that other requests wait for one step only.
 * @param where matches rows of product_categories
 */
export const unassignCategories = (db: Db, where: Sql) => inSteps(db, (tx) => unassignSome(tx, where))

/** @returns whether there may be more products */
async function unassignSome(tx: Tx, where: Sql): Promise<boolean> {
  const gone = await deleteSomeLinks(tx, where)
  if (gone === undefined) return false
  await updateLists(tx, gone)
  publishProducts(tx, gone)
  await publishLinks(tx, 'unassigned', gone)
  return true
}

/**
 * Removes all products from categories that are being deleted. The categories are locked. Publishes no event.
 * @throws Problem 409 if a product would have no category left
 */
export async function emptyCategories(tx: Tx, categoryIds: readonly number[]) {
  const here = sql`category_id = any(${categoryIds})`
  // Checked before the first product is locked, so that a refusal costs little.
  await refuseOrphans(tx, here)
  await inSteps(tx, () => emptySome(tx, here))
}

/**
 * Removes the products of large categories like `emptyCategories`, but in transactions of their own and before the categories
 * are locked. Each removal rewrites the product's row with all its indexes: 250,000 products take from half a minute to two
 * minutes, and every request that changes one of them would be refused meanwhile.
 * @throws Problem 409 likewise; if a product loses its other category meanwhile, earlier steps stay done
 */
export async function emptyLargeCategories(db: Db, categoryIds: readonly number[]) {
  const here = sql`category_id = any(${categoryIds})`
  const { links } = await db.row<{ links: number }>(sql`
    select count(*)::int as links from (
      select from product_categories where store_id = ${db.store.id} and ${here} limit ${STEP_ROWS + 1}) link`)
  if (links <= STEP_ROWS) return
  await refuseOrphans(db, here)
  await inSteps(db, (tx) => emptySome(tx, here))
}

async function refuseOrphans(db: Db, here: Sql) {
  const orphan = await db.maybeRow<{ product_id: number }>(sql`
    select product_id from product_categories where store_id = ${db.store.id} and product_id = any(array(
      select product_id from product_categories where store_id = ${db.store.id} and ${here}))
    group by product_id having bool_and(${here}) limit 1`)
  if (orphan) throw orphanProblem(orphan.product_id)
}

// The statements below look rows up by lists of ids and join nothing. Until PostgreSQL has analyzed the rows of a store that
// was just filled, it expects few rows, and a join of thousands compares all pairs.

/** @returns whether there may be more products */
async function emptySome(tx: Tx, here: Sql): Promise<boolean> {
  const some = await deleteSomeLinks(tx, here)
  if (some === undefined) return false
  // Checked again with the products locked: another request may have removed one from its other category meanwhile.
  const alone = (await updateLists(tx, some)).find(({ count }) => count === 0)
  if (alone) throw orphanProblem(alone.id)
  return true
}

const orphanProblem = (id: number) => new Problem(409, `The product ${id} would have no category left.`)

/** Deletes the category links of products that are being deleted. Publishes no event. */
export async function deleteCategoryLinks(tx: Tx, productIds: readonly number[]) {
  await tx.rows(sql`delete from product_categories where store_id = ${tx.store.id} and product_id = any(${productIds})`)
}

/**
 * Locks the next products in order, and deletes their links.
 * @returns no links if other requests have deleted them meanwhile, and undefined if there are no more products
 */
async function deleteSomeLinks(tx: Tx, where: Sql): Promise<ProductCategory[] | undefined> {
  const held = await tx.rows<{ id: number }>(sql`
    select id from products where store_id = ${tx.store.id} and id = any(array(
      select distinct product_id from product_categories where store_id = ${tx.store.id} and ${where}
      order by product_id limit ${STEP_ROWS}))
    order by id for update`)
  if (held.length === 0) return undefined
  return tx.rows<ProductCategory>(sql`
    delete from product_categories where store_id = ${tx.store.id} and product_id = any(${held.map(({ id }) => id)})
      and ${where} returning product_id, category_id`)
}

/** Copies the links to the products' rows. @returns the number of categories of each product */
async function updateLists(tx: Tx, links: readonly ProductCategory[]): Promise<{ id: number; count: number }[]> {
  const all = sortedIds(links.map(({ product_id }) => product_id))
  const counts: { id: number; count: number }[] = []
  for (let start = 0; start < all.length; start += STEP_ROWS) {
    const ids = all.slice(start, start + STEP_ROWS)
    const some = await tx.rows<{ id: number; count: number }>(sql`
      update products set date_modified = ${toSeconds(tx.now)}, categories = coalesce((
        select jsonb_agg(category_id order by category_id) from product_categories link
        where link.store_id = ${tx.store.id} and link.product_id = products.id
      ), '[]')
      where store_id = ${tx.store.id} and id = any(${ids})
      returning id, jsonb_array_length(categories) as count`)
    counts.push(...some)
    updateSearchRows(tx, ids)
  }
  return counts
}

/** Publishes the change of the products' lists of categories. */
function publishProducts(tx: Tx, links: readonly ProductCategory[]) {
  for (const id of sortedIds(links.map(({ product_id }) => product_id))) publishProduct(tx, 'updated', id)
}

async function publishLinks(tx: Tx, action: LinkAction, links: readonly ProductCategory[]) {
  if (links.length === 0) return
  const ids = links.map(({ category_id }) => category_id)
  publishCategoryLinks(tx, action, links, await channelsOf(tx, ids))
}

type LinkAction = 'assigned' | 'unassigned'

/** Publishes links in the channel that shows the category (docs/contract/webhooks.md section 6). @param channels by category */
export function publishCategoryLinks(
  tx: Tx,
  action: LinkAction,
  links: readonly ProductCategory[],
  channels: ReadonlyMap<number, number>,
) {
  const byProduct = links.toSorted((a, b) => a.product_id - b.product_id || a.category_id - b.category_id)
  for (const { product_id, category_id } of byProduct) {
    const channel = channels.get(category_id)
    if (channel === undefined) continue
    publish(tx, `store/channel/${channel}/category/product/${action}`, `product ${product_id}`, {
      product_id,
      category_id,
    })
  }
}

const linkTable = (links: readonly ProductCategory[]): Sql =>
  sql.table('link', links, { product_id: 'int', category_id: 'int' })
