import { randomUUID } from 'node:crypto'
import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { lockIdsShared } from '../../../core/rest/batch.ts'
import { ID_MAX, Id, NeededText, SortOrder } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { lockCounter } from '../../../core/rest/lists/counters.ts'
import { ComparedText, contains } from '../../../core/rest/lists/filters.ts'
import { removeAll } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import { deleteMetafieldsOf, type MetafieldOwner } from '../../../shared/metafields/metafields.ts'
import { type FilesOfRequest, ImageUrl, type Pictures, withImage } from '../../../shared/pictures/pictures.ts'
import { deleteContextsOfCategories } from '../../../shop/settings/search/search-filters.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { isUrlPath, withSlash } from '../addresses/slug.ts'
import {
  type AddressOutcome,
  addressMalformed,
  CustomUrl,
  type CustomUrlInput,
  changeAddressed,
  insertAddressed,
  releaseAddresses,
} from '../addresses/urls.ts'
import type { DependentAreas } from '../dependents.ts'
import { channelsOfTrees, everyTree, FIRST_TREE } from './tree-shape.ts'

/** Levels of a tree (docs/contract/limits.md section 2). */
export const DEPTH_MAX = 8
const URL_MAX = 255

const CategoryUrl = t.Object({ ...CustomUrl.properties, url: t.String({ minLength: 1, maxLength: URL_MAX }) })
export const CategoryUrlInput = t.Partial(CategoryUrl)

/**
 * The `layout_file` of a new category, and of one that is changed among many. A PUT of one category takes more
 * (docs/contract/categories.md section 2).
 */
export const ShortLayoutFile = t.String({ maxLength: 50 })

/** A category as it is stored. Both families of endpoints speak of it, each in its own words. */
export const Category = t.Object({
  id: Id,
  category_uuid: t.String({ format: 'uuid' }),
  tree_id: Id,
  parent_id: t.Integer({ minimum: 0, maximum: ID_MAX }),
  name: NeededText(50),
  description: t.String({ maxLength: 65_535 }),
  views: t.Integer({ minimum: 0, maximum: ID_MAX }),
  sort_order: SortOrder,
  page_title: t.String({ maxLength: 255 }),
  search_keywords: t.String({ maxLength: 255 }),
  meta_keywords: t.Array(t.String()),
  meta_description: t.String({ maxLength: 65_535 }),
  layout_file: t.String({ maxLength: 500 }),
  is_visible: t.Boolean(),
  default_product_sort: t.Enum([
    'use_store_settings',
    'featured',
    'newest',
    'best_selling',
    'alpha_asc',
    'alpha_desc',
    'avg_customer_review',
    'price_asc',
    'price_desc',
  ]),
  image_url: ImageUrl,
  custom_url: CategoryUrl,
})
export type Category = Static<typeof Category>

export const categories = collection('categories', Category, {
  noun: 'category',
  // Those that are texts are stored folded too.
  filters: 'name:like page_title:like search_keywords:like',
  max: 16_000,
  conflicts: { categories_name_unique: ['A category with this name already exists below this parent.', 'name'] },
})

export const categoryMetafields: MetafieldOwner = {
  kind: 'category',
  resources: categories,
  path: '/catalog/categories',
  access: access('catalog'),
  scope: 'store/category',
}

/** Keeps categories from being deleted until the transaction ends. @returns the ids of those that are there */
export const lockCategoriesShared = (tx: Tx, ids: readonly number[]): Promise<Set<number>> =>
  lockIdsShared(tx, categories, ids)

const blank = {
  description: '',
  views: 0,
  sort_order: 0,
  page_title: '',
  search_keywords: '',
  meta_keywords: [],
  meta_description: '',
  layout_file: 'category.html',
  is_visible: true,
  default_product_sort: 'use_store_settings' as const,
  image_url: '' as const,
  custom_url: { url: '', is_customized: false },
}

/** What a change may say. */
type CategoryInput = Omit<Partial<Category>, 'id' | 'category_uuid' | 'custom_url'> & {
  custom_url?: CustomUrlInput | undefined
}

/** A query name of both families: what is found in one of these texts (docs/contract/categories.md section 2). */
export const keyword = t.Optional(ComparedText)

export const hasKeyword = (text: unknown): Sql =>
  text === undefined
    ? sql`true`
    : sql`(${sql.join(
        ['name', 'page_title', 'search_keywords'].map((column) => contains(column, String(text))),
        ' or ',
      )})`

/** What a new one must say. */
type NewCategory = CategoryInput & Required<Pick<CategoryInput, 'name' | 'parent_id'>>

/**
 * Below its parent, with the address that it asks for or one made from its name.
 * @throws Problem 422 for a place that it can't have, 409 for a name or an address that is taken
 */
export async function createCategory(tx: Tx, { custom_url, tree_id = FIRST_TREE.id, ...values }: NewCategory) {
  const place = { tree_id, parent_id: values.parent_id }
  const { wereHeld } = await tx.together(() => ({
    wereHeld: lockTrees(tx),
    place: validateParent(tx, place),
  }))
  // Else the place was looked at before the trees were held.
  if (!wereHeld) await validateParent(tx, place)
  const wanted = { ...blank, ...values, tree_id, category_uuid: randomUUID() }
  const { outcome, channels } = await tx.together(() => ({
    outcome: insertAddressed(tx, categories, wanted, custom_url),
    channels: channelsOfTrees(tx),
  }))
  const category = requireAddress(outcome)
  publishInChannels(tx, 'created', [category], channels)
  return category
}

/** As `createCategory`, with the copy of the picture that its `image_url` names, if one was fetched. */
export async function createWithImage(tx: Tx, values: NewCategory, { files, copies }: FilesOfRequest) {
  const copy = copies.get('image_url')
  const category = await createCategory(tx, copy === undefined ? values : { ...values, image_url: copy.url })
  if (copy) await files.attachAll(tx, 'category', [{ id: category.id, name: copy.file }])
  return category
}

/**
 * What hangs below it moves along, also to another tree.
 * @param category locked, and behind `holdTrees` where it is to move
 * @throws Problem as `createCategory`
 */
export async function changeCategory(
  tx: Tx,
  category: Category,
  input: CategoryInput,
  { files, copies }: FilesOfRequest,
): Promise<Category> {
  const place = { tree_id: input.tree_id ?? category.tree_id, parent_id: input.parent_id ?? category.parent_id }
  const changesTree = place.tree_id !== category.tree_id
  if (changesTree || place.parent_id !== category.parent_id) await validateParent(tx, place, category.id)
  const changes = await withImage(tx, files, { kind: 'category', row: category, copies }, input)
  const { outcome, channels } = await tx.together(() => ({
    outcome: changeAddressed(tx, categories, category, changes),
    channels: channelsOfTrees(tx),
  }))
  const changed = requireAddress(outcome)
  if (changed === category) return category
  const followers = changesTree ? await moveDescendants(tx, changed) : []
  publishInChannels(tx, 'updated', [changed, ...followers], channels)
  return changed
}

/**
 * What happens to the products of categories that are deleted. Products stand above categories, so `goods/catalog/routes.ts` hands it
 * in.
 */
export interface CategoryProducts {
  /** For large categories, before the transaction that deletes them: takes their products out in steps. @throws Problem 409 */
  emptyLargeCategories(db: Db, ids: readonly number[]): Promise<void>
  /** In that transaction, with the categories locked: takes out the products that are left. @throws Problem 409 */
  emptyCategories(tx: Tx, ids: readonly number[]): Promise<void>
}

/** What the routes of categories and trees need. */
export interface CategoryDependencies {
  pictures: Pictures
  products: CategoryProducts
  above: Pick<DependentAreas, 'deleteRowsOfCategories'>
}

/**
 * To be called before a transaction that deletes categories: those that hold very many products are emptied in steps, so that
 * nobody waits long for the trees or for a product.
 * @throws Problem 409 as `deleteCategories`
 */
export async function emptyBeforeDeletion(db: Db, products: CategoryProducts, where: Sql) {
  const found = await db.rows<{ id: number }>(sql`
    select id from categories where store_id = ${db.store.id} and ${where}`)
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return
  await refuseParents(db, ids)
  await products.emptyLargeCategories(db, ids)
}

/**
 * Deletes categories with their metafields, stored images and addresses, and takes the products out of them.
 * @returns what is gone
 * @throws Problem 409 while others hang below them, or where a product would be left without any category
 */
export async function deleteCategories(
  tx: Tx,
  { pictures: { files }, products, above }: CategoryDependencies,
  where: Sql,
): Promise<CategoryInTree[]> {
  await lockTrees(tx)
  const found = await tx.rows<CategoryInTree>(sql`
    select id, tree_id from categories where store_id = ${tx.store.id} and ${where} order by id for update`)
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  await refuseParents(tx, ids)
  await products.emptyCategories(tx, ids)
  await removeAll(tx, categories, sql`id = any(${ids})`)
  await deleteMetafieldsOf(tx, categoryMetafields, ids)
  await deleteContextsOfCategories(tx, ids)
  await above.deleteRowsOfCategories(tx, ids)
  await files.detachAll(tx, 'category', ids)
  await releaseAddresses(tx, categories, ids)
  return found
}

async function refuseParents(db: Db, ids: readonly number[]) {
  const child = await db.maybeRow<{ parent_id: number }>(sql`
    select parent_id from categories
    where store_id = ${db.store.id} and parent_id = any(${ids}) and id <> all(${ids}) limit 1`)
  if (child) throw new Problem(409, `The category ${child.parent_id} has categories below it.`)
}

/** A category and the tree that it is in. */
type CategoryInTree = Pick<Category, 'id' | 'tree_id'>

/** The category's own scope, then that of its tree's channel (docs/contract/webhooks.md section 6). */
export async function publishCategories(tx: Tx, deed: CategoryAction, told: readonly CategoryInTree[]) {
  if (told.length > 0) publishInChannels(tx, deed, told, await channelsOfTrees(tx))
}

type CategoryAction = 'created' | 'updated' | 'deleted'

/** @param channels by tree */
function publishInChannels(
  tx: Tx,
  deed: CategoryAction,
  told: readonly CategoryInTree[],
  channels: ReadonlyMap<number, number>,
) {
  for (const { id, tree_id } of told) {
    const subject = `category ${id}`
    publish(tx, `store/category/${deed}`, subject, { type: 'category', id })
    const channel = channels.get(tree_id)
    if (channel === undefined) continue
    publish(tx, `store/channel/${channel}/category/${deed}`, subject, { category_id: id, tree_id })
  }
}

/** Changes of the trees' form run one after another, behind the counter's row: before any lock of a category. */
export const lockTrees = (tx: Tx) => lockCounter(tx, categories.table)

/**
 * Other than with brands, an address that can't be had refuses the whole category (docs/contract/catalog.md section 4):
 * a fault of its form before anything is tried, one that is taken when the category is stored.
 * @throws Problem 422
 */
export function refuseMalformed({ url, is_customized }: CustomUrlInput = {}) {
  if (url === undefined || is_customized === false) return
  if (withSlash(url).length > URL_MAX || !isUrlPath(withSlash(url)))
    throw invalid({ 'custom_url.url': addressMalformed(url) })
}

/** @throws Problem 409 */
function requireAddress({ row, failure }: AddressOutcome<Category>) {
  if (failure !== undefined) throw new Problem(409, failure, { 'custom_url.url': failure })
  return row
}

/**
 * Refuses a place that a category can't have. The caller holds the trees.
 * @param moved the category that moves there, if it exists already
 * @throws Problem 422 for a tree that is not there, and for a parent that is not there, is in another tree, is too deep, or
 *   hangs below the category itself
 */
async function validateParent(tx: Tx, { tree_id, parent_id }: Pick<Category, 'tree_id' | 'parent_id'>, moved?: number) {
  const { is_tree, above } = await tx.row<{ is_tree: boolean; above: CategoryInTree[] }>(sql`
    with recursive above as (
      select id, tree_id, parent_id, 1 as level from categories where store_id = ${tx.store.id} and id = ${parent_id}
      union all
      select upper.id, upper.tree_id, upper.parent_id, level + 1
      from categories upper join above on upper.id = above.parent_id
      where upper.store_id = ${tx.store.id} and level < ${DEPTH_MAX}
    )
    select exists (select from ${everyTree(tx)} tree where tree.id = ${tree_id}) as is_tree,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'tree_id', tree_id)), '[]') from above) as above`)
  const misplaced = async () => {
    if (parent_id === 0) return undefined
    const [parent] = above
    if (!parent) return `There is no category ${parent_id}.`
    if (is_tree && parent.tree_id !== tree_id) return `The category ${parent_id} is in another tree.`
    if (above.some(({ id }) => id === moved)) return 'A category can not hang below itself or below one of its own.'
    const height = moved === undefined ? 1 : await heightOf(tx, moved)
    return above.length + height > DEPTH_MAX ? `Categories can be at most ${DEPTH_MAX} levels deep.` : undefined
  }
  const parent = await misplaced()
  if (is_tree && parent === undefined) return
  throw invalid({
    ...(is_tree ? {} : { tree_id: `There is no category tree ${tree_id}.` }),
    ...(parent === undefined ? {} : { parent_id: parent }),
  })
}

/** What hangs below a category, and at which level; the category itself is at level 1. */
const descendantsOf = (tx: Tx, id: number): Sql => sql`
  with recursive below as (
    select ${id}::int as id, 1 as level
    union all
    select lower.id, level + 1 from categories lower join below on lower.parent_id = below.id
    where lower.store_id = ${tx.store.id} and level <= ${DEPTH_MAX}
  )`

/** Levels of a category and what hangs below it. */
async function heightOf(tx: Tx, id: number): Promise<number> {
  const { height } = await tx.row<{ height: number }>(
    sql`${descendantsOf(tx, id)} select max(level) as height from below`,
  )
  return height
}

/** Brings all that hangs below a category into its tree. @returns them */
async function moveDescendants(tx: Tx, { id, tree_id }: CategoryInTree): Promise<CategoryInTree[]> {
  const moved = await tx.rows<CategoryInTree>(sql`
    ${descendantsOf(tx, id)}
    update categories category set tree_id = ${tree_id} from below
    where category.store_id = ${tx.store.id} and category.id = below.id and level > 1
    returning category.id, category.tree_id`)
  return moved.sort((one, other) => one.id - other.id)
}
