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
import { newUuid } from '../../../core/secrets/row-ids.ts'
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
import { refreshCategory } from '../search/refresh.ts'
import { channelsOfTrees, everyTree, FIRST_TREE } from './tree-shape.ts'

// A category is a node of a category tree, under which a channel shows products. It is created below a parent of the same
// tree, or at the top, at most eight levels deep. Its name is unique below its parent, and its address in the store. A
// change can move it with all its descendants, also to another tree. Products are assigned to it by requests of products and
// by assignments. It can be deleted only without child categories and if every product in it has another one. Its
// metafields, picture and address are deleted with it. A category never contains itself, and never deletes a product.

/** Levels of a tree (docs/contract/limits.md section 2). */
export const DEPTH_MAX = 8
const URL_MAX = 255

const CategoryUrl = t.Object({ ...CustomUrl.properties, url: t.String({ minLength: 1, maxLength: URL_MAX }) })
export const CategoryUrlInput = t.Partial(CategoryUrl)

/**
 * The `layout_file` of a new category, and of a category that is changed in a batch. A PUT of one category takes more
 * (docs/contract/categories.md section 2).
 */
export const ShortLayoutFile = t.String({ maxLength: 50 })

/** A category as it is stored. Both families of endpoints have it, under their own names. */
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
  // The collection keeps folded copies of filtered texts.
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

/** Locks categories against deletion until the transaction ends. @returns the ids of the existing ones */
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

/** The fields of a changed category. */
type CategoryInput = Omit<Partial<Category>, 'id' | 'category_uuid' | 'custom_url'> & {
  custom_url?: CustomUrlInput | undefined
}

/** A query parameter of both families: a text in one of these fields (docs/contract/categories.md section 2). */
export const keyword = t.Optional(ComparedText)

export const hasKeyword = (text: unknown): Sql =>
  text === undefined
    ? sql`true`
    : sql`(${sql.join(
        ['name', 'page_title', 'search_keywords'].map((column) => contains(column, String(text))),
        ' or ',
      )})`

/** The fields of a new category. */
type NewCategory = CategoryInput & Required<Pick<CategoryInput, 'name' | 'parent_id'>>

/**
 * Creates a category with the requested address, or one made from its name.
 * @throws Problem 422 for a wrong parent or tree, 409 for a taken name or address
 */
export async function createCategory(tx: Tx, { custom_url, tree_id = FIRST_TREE.id, ...values }: NewCategory) {
  const place = { tree_id, parent_id: values.parent_id }
  const { wereHeld } = await tx.together(() => ({
    wereHeld: lockTrees(tx),
    place: validateParent(tx, place),
  }))
  // The first check may have read the trees before they were locked.
  if (!wereHeld) await validateParent(tx, place)
  const wanted = { ...blank, ...values, tree_id, category_uuid: newUuid() }
  const { outcome, channels } = await tx.together(() => ({
    outcome: insertAddressed(tx, categories, wanted, custom_url),
    channels: channelsOfTrees(tx),
  }))
  const category = requireAddress(outcome)
  publishInChannels(tx, 'created', [category], channels)
  return category
}

/** Creates a category with the fetched copy of the picture in its `image_url`, if any. */
export async function createWithImage(tx: Tx, values: NewCategory, { files, copies }: FilesOfRequest) {
  const copy = copies.get('image_url')
  const category = await createCategory(tx, copy === undefined ? values : { ...values, image_url: copy.url })
  if (copy) await files.attachAll(tx, 'category', [{ id: category.id, name: copy.file }])
  return category
}

/**
 * Changes a category. Its descendants move with it, also to another tree.
 * @param category locked; a category that moves also needs `lockTrees` before
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
  if (changed.parent_id !== category.parent_id) await refreshCategory(tx, category.id)
  const followers = changesTree ? await moveDescendants(tx, changed) : []
  publishInChannels(tx, 'updated', [changed, ...followers], channels)
  return changed
}

/**
 * Functions that change the products of deleted categories. Products import categories, so `goods/catalog/routes.ts` passes
 * them.
 */
export interface CategoryProducts {
  /**
   * Removes the products of large categories in steps, before the transaction that deletes the categories.
   * @throws Problem 409
   */
  emptyLargeCategories(db: Db, ids: readonly number[]): Promise<void>
  /** Removes the remaining products in that transaction, with the categories locked. @throws Problem 409 */
  emptyCategories(tx: Tx, ids: readonly number[]): Promise<void>
}

/** The dependencies of the category and tree routes. */
export interface CategoryDependencies {
  pictures: Pictures
  products: CategoryProducts
  above: Pick<DependentAreas, 'deleteRowsOfCategories'>
}

/**
 * Removes the products of large categories in steps, before the transaction that deletes the categories, so that other
 * requests never wait long for the trees or for a product.
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
 * Deletes categories with their metafields, stored images and addresses, and removes their products.
 * @returns the deleted categories
 * @throws Problem 409 for a category with child categories, or if a product would have no category left
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

/** A category with its tree. */
type CategoryInTree = Pick<Category, 'id' | 'tree_id'>

/** Publishes the category's own scope, then that of its tree's channel (docs/contract/webhooks.md section 6). */
export async function publishCategories(tx: Tx, action: CategoryAction, changed: readonly CategoryInTree[]) {
  if (changed.length > 0) publishInChannels(tx, action, changed, await channelsOfTrees(tx))
}

type CategoryAction = 'created' | 'updated' | 'deleted'

/** @param channels by tree */
function publishInChannels(
  tx: Tx,
  action: CategoryAction,
  changed: readonly CategoryInTree[],
  channels: ReadonlyMap<number, number>,
) {
  for (const { id, tree_id } of changed) {
    const subject = `category ${id}`
    publish(tx, `store/category/${action}`, subject, { type: 'category', id })
    const channel = channels.get(tree_id)
    if (channel === undefined) continue
    publish(tx, `store/channel/${channel}/category/${action}`, subject, { category_id: id, tree_id })
  }
}

/**
 * Locks the counter of categories, so that changes of the form of trees run one after another. Call it before any lock of a
 * category.
 */
export const lockTrees = (tx: Tx) => lockCounter(tx, categories.table)

/**
 * Refuses a malformed address. Unlike a brand, a category is not saved without its requested address
 * (docs/contract/catalog.md section 4); a taken address is refused when the category is stored.
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
 * Checks the tree and the parent of a category. The caller has locked the trees.
 * @param moved the category that moves there, if it is not new
 * @throws Problem 422 for an unknown tree, and for a parent that is unknown, in another tree, too deep, or a descendant of
 *   the category
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
    if (above.some(({ id }) => id === moved))
      return 'A category cannot be moved below itself or one of its descendants.'
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

/** The descendants of a category with their levels. The category itself is at level 1. */
const descendantsOf = (tx: Tx, id: number): Sql => sql`
  with recursive below as (
    select ${id}::int as id, 1 as level
    union all
    select lower.id, level + 1 from categories lower join below on lower.parent_id = below.id
    where lower.store_id = ${tx.store.id} and level <= ${DEPTH_MAX}
  )`

/** The number of levels of a category with its descendants. */
async function heightOf(tx: Tx, id: number): Promise<number> {
  const { height } = await tx.row<{ height: number }>(
    sql`${descendantsOf(tx, id)} select max(level) as height from below`,
  )
  return height
}

/** Moves all descendants of a category to its tree. @returns them */
async function moveDescendants(tx: Tx, { id, tree_id }: CategoryInTree): Promise<CategoryInTree[]> {
  const moved = await tx.rows<CategoryInTree>(sql`
    ${descendantsOf(tx, id)}
    update categories category set tree_id = ${tree_id} from below
    where category.store_id = ${tx.store.id} and category.id = below.id and level > 1
    returning category.id, category.tree_id`)
  return moved.sort((one, other) => one.id - other.id)
}
