import t, { type Static } from 'typebox'
import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { publish } from '../core/events/publish.ts'
import type { Files } from '../core/files/files.ts'
import { answer, noContent } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { collection } from '../core/rest/collection.ts'
import { ID_MAX, Id, idSegment } from '../core/rest/fields.ts'
import { findPage } from '../core/rest/pages.ts'
import { invalid, Problem } from '../core/rest/problem.ts'
import { NOT_BLANK } from '../core/rest/validator.ts'
import { findOne, lock, pick, remove } from '../core/rest/verbs.ts'
import { access } from '../stores/scopes.ts'
import { ImageUrl } from './images.ts'
import { deleteMetafieldsOf, metafieldRoutes } from './metafields.ts'
import { isUrlPath, withSlash } from './slug.ts'
import {
  CustomUrl,
  type CustomUrlInput,
  changeAddressed,
  insertAddressed,
  malformed,
  type Outcome,
  releaseAddress,
} from './urls.ts'

const DEPTH_MAX = 8
const URL_MAX = 255

const { read, write } = access('catalog')

const CategoryUrl = t.Object({ ...CustomUrl.properties, url: t.String({ minLength: 1, maxLength: URL_MAX }) })

const Category = t.Object({
  id: Id,
  parent_id: t.Integer({ minimum: 0, maximum: ID_MAX }),
  name: t.String({ minLength: 1, maxLength: 50, pattern: NOT_BLANK }),
  description: t.String({ maxLength: 65_535 }),
  views: t.Integer({ minimum: 0, maximum: ID_MAX }),
  sort_order: t.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }),
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
const { parent_id, name } = Category.properties
const Changes = t.Partial(t.Object({ ...t.Omit(Category, ['id']).properties, custom_url: t.Partial(CategoryUrl) }), {
  examples: [{ description: 'Mugs and cups' }],
})
const NewCategory = t.Object({ ...Changes.properties, parent_id, name }, { examples: [{ parent_id: 0, name: 'Mugs' }] })

/** The categories of tree 1, which the old endpoints speak of. */
const categories = collection('categories', Category, {
  noun: 'category',
  filters: `id id:in id:not_in id:min id:max id:greater id:less name name:like
    parent_id parent_id:in parent_id:min parent_id:max parent_id:greater parent_id:less
    page_title page_title:like is_visible`,
  sort: ['name', 'id', 'parent_id', 'sort_order'],
  max: 16_000,
  counted: true,
  conflicts: { categories_name_unique: ['A category with this name already exists below this parent.', 'name'] },
})

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

/** Categories one by one, with their metafields (docs/contract/catalog.md section 4). */
export function categoryRoutes(app: Api, files: Files) {
  const one = `/catalog/categories/${idSegment('category_id')}`
  const params = t.Object({ category_id: Id })

  app.get('/catalog/categories', { ...read, schema: categories.list }, ({ db, query }) =>
    findPage(db, categories, query),
  )

  app.post(
    '/catalog/categories',
    { ...write, schema: { body: NewCategory, ...categories.answersOne } },
    async ({ db, body }) => {
      refuseMalformed(body.custom_url)
      return answer(await db.transaction((tx) => createCategory(tx, body)))
    },
  )

  app.get(one, { ...read, schema: { params, ...categories.one } }, async ({ db, params, query }) =>
    answer(pick(categories, await findOne(db, categories, params.category_id), query)),
  )

  app.put(
    one,
    { ...write, schema: { params, body: Changes, ...categories.answersOne } },
    async ({ db, params, body: { custom_url, ...changes } }) => {
      refuseMalformed(custom_url)
      return answer(
        await db.transaction(async (tx) => {
          if (changes.parent_id !== undefined) await holdTree(tx)
          const category = await lock(tx, categories, params.category_id)
          if (changes.parent_id !== undefined) await refuseMisplaced(tx, changes.parent_id, category.id)
          const changed = mustAddress(await changeAddressed(tx, categories, category, changes, custom_url))
          return changed === category ? category : tellOf(tx, 'updated', changed)
        }),
      )
    },
  )

  app.delete(one, { ...write, schema: { params } }, async ({ db, params: { category_id } }) => {
    await db.transaction((tx) => deleteCategory(tx, files, category_id))
    return noContent()
  })

  metafieldRoutes(app, '/catalog/categories', 'category', categories)
}

/** Below its parent, with the address that it asks for or one made from its name. @throws Problem 409, 422 */
export async function createCategory(tx: Tx, { custom_url, ...values }: Static<typeof NewCategory>) {
  await holdTree(tx)
  await refuseMisplaced(tx, values.parent_id)
  const category = mustAddress(await insertAddressed(tx, categories, { ...blank, ...values }, custom_url))
  return tellOf(tx, 'created', category)
}

/**
 * Other than with brands, an address that can't be had refuses the whole category (docs/contract/catalog.md section 4):
 * a fault of its form before anything is tried, one that is taken when the category is stored.
 * @throws Problem 422
 */
function refuseMalformed({ url, is_customized }: CustomUrlInput = {}) {
  if (url === undefined || is_customized === false) return
  if (withSlash(url).length > URL_MAX || !isUrlPath(withSlash(url))) throw invalid({ 'custom_url.url': malformed(url) })
}

/** @throws Problem 409 */
function mustAddress({ row, failure }: Outcome<Static<typeof Category>>) {
  if (failure !== undefined) throw new Problem(409, failure, { 'custom_url.url': failure })
  return row
}

/** Changes of the tree's form run one after another, behind the counter's row: before any lock of a category. */
const holdTree = (tx: Tx) =>
  tx.rows(sql`select from counters where store_id = ${tx.store.id} and resource = 'categories' for update`)

/**
 * Keeps the tree, held, a tree of at most eight levels.
 * @param moved the category that is to hang below the parent, if it exists already
 * @throws Problem 422 for a parent that is not there, is too deep, or hangs below the category itself
 */
async function refuseMisplaced(tx: Tx, parent: number, moved?: number) {
  if (parent === 0) return
  const above = await tx.rows<{ id: number }>(sql`
    with recursive above as (
      select id, parent_id, 1 as level from categories where store_id = ${tx.store.id} and id = ${parent}
      union all
      select upper.id, upper.parent_id, level + 1 from categories upper join above on upper.id = above.parent_id
      where upper.store_id = ${tx.store.id} and level < ${DEPTH_MAX}
    ) select id from above`)
  if (above.length === 0) throw invalid({ parent_id: `There is no category ${parent}.` })
  if (above.some(({ id }) => id === moved)) {
    throw invalid({ parent_id: 'A category can not hang below itself or below one of its own.' })
  }
  const height = moved === undefined ? 1 : await heightOf(tx, moved)
  if (above.length + height > DEPTH_MAX) throw invalid({ parent_id: `Categories can be ${DEPTH_MAX} levels deep.` })
}

/** Levels of a category and what hangs below it. */
async function heightOf(tx: Tx, id: number): Promise<number> {
  const { height } = await tx.row<{ height: number }>(sql`
    with recursive below as (
      select ${id}::int as id, 1 as level
      union all
      select lower.id, level + 1 from categories lower join below on lower.parent_id = below.id
      where lower.store_id = ${tx.store.id} and level <= ${DEPTH_MAX}
    ) select max(level) as height from below`)
  return height
}

/** With its metafields, its stored image and its address. @throws Problem 404, 409 while others hang below it */
async function deleteCategory(tx: Tx, files: Files, id: number) {
  await holdTree(tx)
  const category = await lock(tx, categories, id)
  const child = await tx.maybeRow(
    sql`select id from categories where store_id = ${tx.store.id} and parent_id = ${id} limit 1`,
  )
  if (child) throw new Problem(409, `The category ${id} has categories below it.`)
  await remove(tx, categories, id)
  await deleteMetafieldsOf(tx, 'category', [id])
  await files.detach(tx, { kind: 'category', id })
  await releaseAddress(tx, categories, id)
  tellOf(tx, 'deleted', category)
}

// A store begins with tree 1, which is that of channel 1; the old endpoints know no other.
const TREE = 1
const CHANNEL = 1

/** The category's own scope, then that of its tree's channel (docs/contract/webhooks.md section 6). */
function tellOf<C extends { id: number }>(tx: Tx, deed: 'created' | 'updated' | 'deleted', category: C): C {
  const subject = `category ${category.id}`
  publish(tx, `store/category/${deed}`, subject, { type: 'category', id: category.id })
  publish(tx, `store/channel/${CHANNEL}/category/${deed}`, subject, { category_id: category.id, tree_id: TREE })
  return category
}
