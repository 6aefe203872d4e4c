import t from 'typebox'
import { sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { conditionsOf, filterSchema, refuseBlanks } from '../../../core/rest/lists/filters.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import { findBelow, lockBelow, pick } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { metafieldRoutes } from '../../../shared/metafields/metafields.ts'
import { imageRoutes, imageUrlIn } from '../../../shared/pictures/pictures.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../../stores/quotas/concurrency-limit.ts'
import {
  Category,
  type CategoryDependencies,
  CategoryUrlInput,
  categories,
  categoryMetafields,
  changeCategory,
  createWithImage,
  deleteCategories,
  emptyBeforeDeletion,
  hasKeyword,
  keyword,
  lockTrees,
  publishCategories,
  refuseMalformed,
  ShortLayoutFile,
} from './shape.ts'
import { FIRST_TREE } from './tree-shape.ts'

const { read, write } = access('catalog')

// The older endpoints have one tree only, so they never mention trees.
const OldCategory = t.Omit(Category, ['category_uuid', 'tree_id'])
const { parent_id, name } = OldCategory.properties
const Changes = t.Partial(t.Object({ ...t.Omit(OldCategory, ['id']).properties, custom_url: CategoryUrlInput }), {
  title: 'CategoryChanges',
  examples: [{ description: 'Mugs and cups' }],
})
const layout_file = t.Optional(ShortLayoutFile)
const NewCategory = t.Object(
  { ...Changes.properties, parent_id, name, layout_file },
  { title: 'NewCategory', examples: [{ parent_id: 0, name: 'Mugs' }] },
)

const oldCategories = collection('categories', OldCategory, {
  noun: 'category',
  filters: `id id:in id:not_in id:min id:max id:greater id:less name name:like
    parent_id parent_id:in parent_id:min parent_id:max parent_id:greater parent_id:less
    page_title page_title:like is_visible`,
  queries: { keyword },
  sort: ['name', 'id', 'parent_id', 'sort_order'],
})
const Filters = t.Unsafe<Record<string, unknown>>(
  t.Object(
    {
      ...Object.fromEntries(oldCategories.filterList.map((filter) => [filter.name, t.Optional(filterSchema(filter))])),
      keyword,
    },
    { additionalProperties: false, examples: [{ 'id:in': '1' }] },
  ),
)

const inFirstTree = { tree_id: FIRST_TREE.id }

const toAnswer = ({ category_uuid, tree_id, ...category }: Category) => category

const ORPHANS = 'Refused (409) for a category with child categories, and if a product would have no category left.'

/**
 * The categories of the first tree, one by one, and metafields and images of all categories (docs/contract/categories.md
 * section 2).
 */
export function categoryRoutes(app: Api, parts: CategoryDependencies) {
  const { pictures, products } = parts
  const { files } = pictures
  const copied = { config: { ...write.config, ...pictures.copying(imageUrlIn) } }
  const one = `/catalog/categories/${idSegment('category_id')}`
  const params = t.Object({ category_id: Id })
  // One limit for each kind of request (docs/contract/limits.md section 9).
  const [lists, reads, updates, deletes] = [
    sharedLimit('categories: list', 40),
    sharedLimit('categories: read', 40),
    sharedLimit('categories: change', 40),
    sharedLimit('categories: delete', 40),
  ]

  app.get(
    '/catalog/categories',
    { ...read, schema: { summary: 'List the categories of the first tree', ...oldCategories.list } },
    ({ db, query }) =>
      lists.run(db.store, () =>
        findPage(db, oldCategories, query, { where: sql`tree_id = ${FIRST_TREE.id} and ${hasKeyword(query.keyword)}` }),
      ),
  )

  app.post(
    '/catalog/categories',
    {
      ...copied,
      schema: { summary: 'Create a category in the first tree', body: NewCategory, ...oldCategories.answersOne },
    },
    async (request) => {
      const { db, body } = request
      refuseMalformed(body.custom_url)
      const copies = pictures.copiesOf(request)
      return answer(toAnswer(await db.transaction((tx) => createWithImage(tx, body, { files, copies }))))
    },
  )

  app.delete(
    '/catalog/categories',
    {
      ...write,
      schema: {
        summary: 'Delete categories of the first tree by a filter',
        description: ORPHANS,
        querystring: Filters,
      },
    },
    async ({ db, query }) => {
      if (Object.keys(query).length === 0) {
        throw new Problem(422, 'The deletion of categories needs a filter in the query.')
      }
      refuseBlanks(query)
      const matching = sql.and([...conditionsOf(oldCategories.filterList, query), hasKeyword(query.keyword)])
      const inFirst = sql`tree_id = ${FIRST_TREE.id} and ${matching}`
      await emptyBeforeDeletion(db, products, inFirst)
      await db.transaction(async (tx) => {
        const gone = await deleteCategories(tx, parts, inFirst)
        await publishCategories(tx, 'deleted', gone)
      })
      return noContent()
    },
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a category', params, ...oldCategories.one } },
    ({ db, params, query }) =>
      reads.run(db.store, async () => {
        const category = await findBelow(db, categories, inFirstTree, params.category_id)
        return answer(pick(oldCategories, toAnswer(category), query))
      }),
  )

  app.put(
    one,
    {
      ...copied,
      schema: { summary: 'Change a category', params, body: Changes, ...oldCategories.answersOne },
    },
    (request) => {
      const { db, params, body } = request
      return updates.run(db.store, async () => {
        refuseMalformed(body.custom_url)
        const copies = pictures.copiesOf(request)
        const changed = await db.transaction(async (tx) => {
          if (body.parent_id !== undefined) await lockTrees(tx)
          const category = await lockBelow(tx, categories, inFirstTree, params.category_id)
          return changeCategory(tx, category, body, { files, copies })
        })
        return answer(toAnswer(changed))
      })
    },
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a category', description: ORPHANS, params } },
    ({ db, params: { category_id } }) =>
      deletes.run(db.store, async () => {
        const isIt = sql`tree_id = ${FIRST_TREE.id} and id = ${category_id}`
        await emptyBeforeDeletion(db, products, isIt)
        await db.transaction(async (tx) => {
          const gone = await deleteCategories(tx, parts, isIt)
          if (gone.length === 0) throw notFound(categories.noun, category_id)
          await publishCategories(tx, 'deleted', gone)
        })
        return noContent()
      }),
  )

  // These paths serve the categories of every tree.
  imageRoutes(app, pictures, '/catalog/categories', categories)
  metafieldRoutes(app, categoryMetafields)
}
