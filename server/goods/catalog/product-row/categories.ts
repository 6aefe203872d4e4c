import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { publish } from '../../../core/events/publish.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import { channelsOf } from '../categories/tree-shape.ts'
import { publishProduct } from './shape.ts'

// Which products are in which categories. A row of product_categories for each, which filters ask; and the same as a sorted
// list in the product's own row, for reading. What changes them is here, and keeps them in step.
//
// Who needs both locks the categories first (`lockIdsShared`) and the products then, so that no two wait for each other.

const CATEGORIES_OF_PRODUCT_MAX = 1_000

export interface ProductCategory {
  product_id: number
  category_id: number
}

/** How a product's row holds its categories: each once, sorted. */
export const sortedIds = (ids: readonly number[]): number[] => [...new Set(ids)].sort((one, other) => one - other)

/**
 * Sees to it that products are in exactly these categories, where the caller stores their rows itself: with `sortedIds` of
 * the same. For new products and changed ones, all in one statement.
 * @param wanted the categories by product; they are kept (`lockIdsShared`), and the products are locked or new
 */
export async function setCategories(tx: Tx, wanted: ReadonlyMap<number, readonly number[]>) {
  if (wanted.size === 0) return
  const links = [...wanted].flatMap(([product_id, ids]) =>
    sortedIds(ids).map((category_id): ProductCategory => ({ product_id, category_id })),
  )
  const changed = await tx.rows<ProductCategory & { is_new: boolean }>(
    prepared(sql`
    with wanted as (
      select product_id, category_id from ${unnested(links)}
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

/** The links of new products, whose rows the caller stores with `sortedIds` of the same. Tells nothing: `tellOfLinks` does. */
export async function insertLinks(tx: Tx, links: readonly ProductCategory[]): Promise<ProductCategory[]> {
  if (links.length === 0) return []
  return tx.rows<ProductCategory>(
    prepared(sql`
    insert into product_categories (store_id, product_id, category_id)
    select ${tx.store.id}, product_id, category_id from ${unnested(links)} on conflict do nothing
    returning product_id, category_id`),
  )
}

/**
 * Puts products into further categories. What is there already stays as it is.
 * @param links as the body has them: a refusal names their places. Both sides were looked for and are locked
 * @throws Problem 422 where a product would be in more than 1,000 categories
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
 * Takes products out of categories: very many in steps, each of which is a transaction and tells of its own, so that nobody
 * waits for all of them.
 * @param where which rows of product_categories
 */
export const unassignCategories = (db: Db, where: Sql) => inSteps(db, (tx) => unassignSome(tx, where))

/** @returns whether there were any products left to take out */
async function unassignSome(tx: Tx, where: Sql): Promise<boolean> {
  const gone = await deleteSomeLinks(tx, where)
  if (gone === undefined) return false
  await updateLists(tx, gone)
  publishProducts(tx, gone)
  await publishLinks(tx, 'unassigned', gone)
  return true
}

/**
 * Before categories are deleted, which are locked: takes all products out of them, and tells nothing.
 * @throws Problem 409 where a product would be left without any category
 */
export async function emptyCategories(tx: Tx, categoryIds: readonly number[]) {
  const here = sql`category_id = any(${categoryIds})`
  // Asked before the first product is locked: a refusal costs little.
  await refuseOrphans(tx, here)
  await inSteps(tx, () => emptySome(tx, here))
}

/**
 * As `emptyCategories`, where a statement would not be enough, and before the categories are locked: in steps, each of which is a
 * transaction. Every product's row is written again, with all its indexes, so 250,000 take from half a minute to two; held
 * that long, everyone who changes one of them would be refused.
 * @throws Problem 409 likewise; a product that lost its other category meanwhile leaves those before it taken out
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

// The statements below look rows up by lists of ids, and join nothing: until the database has counted the rows of a store that
// has just been filled, it takes them for few, and a join of thousands goes through all pairs.

/** @returns whether there were any products left to take out */
async function emptySome(tx: Tx, here: Sql): Promise<boolean> {
  const some = await deleteSomeLinks(tx, here)
  if (some === undefined) return false
  // Asked again under the products' locks: another request may have taken one out of its other category meanwhile.
  const alone = (await updateLists(tx, some)).find(({ count }) => count === 0)
  if (alone) throw orphanProblem(alone.id)
  return true
}

const orphanProblem = (id: number) => new Problem(409, `The product ${id} would be left without any category.`)

/** Before products are deleted: their places go with them, and nothing is told. */
export async function deleteCategoryLinks(tx: Tx, productIds: readonly number[]) {
  await tx.rows(sql`delete from product_categories where store_id = ${tx.store.id} and product_id = any(${productIds})`)
}

/**
 * Locks the next products in order, and takes them out.
 * @returns no links where other requests took all of these out meanwhile, and undefined when there are no more products
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

/** Writes into the products' rows what the links say now. @returns how many categories each product has */
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
  }
  return counts
}

/** Their lists of categories are other ones now. */
function publishProducts(tx: Tx, links: readonly ProductCategory[]) {
  for (const id of sortedIds(links.map(({ product_id }) => product_id))) publishProduct(tx, 'updated', id)
}

async function publishLinks(tx: Tx, deed: LinkAction, links: readonly ProductCategory[]) {
  if (links.length === 0) return
  const ids = links.map(({ category_id }) => category_id)
  publishCategoryLinks(tx, deed, links, await channelsOf(tx, ids))
}

type LinkAction = 'assigned' | 'unassigned'

/**
 * The scope of the channel that shows the category (docs/contract/webhooks.md section 6).
 * @param channels by category
 */
export function publishCategoryLinks(
  tx: Tx,
  deed: LinkAction,
  links: readonly ProductCategory[],
  channels: ReadonlyMap<number, number>,
) {
  const byProduct = links.toSorted((a, b) => a.product_id - b.product_id || a.category_id - b.category_id)
  for (const { product_id, category_id } of byProduct) {
    const channel = channels.get(category_id)
    if (channel === undefined) continue
    publish(tx, `store/channel/${channel}/category/product/${deed}`, `product ${product_id}`, {
      product_id,
      category_id,
    })
  }
}

const unnested = (links: readonly ProductCategory[]): Sql => sql`unnest(
  ${links.map(({ product_id }) => product_id)}::int[], ${links.map(({ category_id }) => category_id)}::int[]
) as link (product_id, category_id)`
