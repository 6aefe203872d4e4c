import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { BatchMeta, eachAlone, lockIds } from '../../../core/rest/batch.ts'
import { Id, IdList, ListOf } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { ComparedText } from '../../../core/rest/lists/filters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { PageMeta, pagination } from '../../../core/rest/lists/paging.ts'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem, ProblemBody, problemBody } from '../../../core/rest/problem.ts'
import { type FilesOfRequest, imageUrlIn } from '../../../shared/pictures/pictures.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import {
  Category,
  type CategoryDependencies,
  CategoryUrlInput,
  categories,
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

const BATCH_MAX = 250

const { read, write } = access('catalog')

const { id: _id, custom_url, category_uuid, ...fields } = Category.properties
const { parent_id, name } = fields
const TreeCategory = t.Object(
  {
    category_id: Id,
    category_uuid,
    ...fields,
    url: t.Object({ path: custom_url.properties.url, is_customized: custom_url.properties.is_customized }),
  },
  { title: 'TreeCategory' },
)
type TreeCategory = Static<typeof TreeCategory>

const { url: path, is_customized } = CategoryUrlInput.properties
const Changes = t.Partial(t.Object({ ...fields, layout_file: ShortLayoutFile, url: t.Object({ path, is_customized }) }))
const NewCategories = t.Array(t.Object({ ...Changes.properties, name }, { title: 'NewTreeCategory' }), {
  minItems: 1,
  maxItems: BATCH_MAX,
  examples: [[{ name: 'Cups', tree_id: 1, parent_id: 0, url: { path: '/cups/', is_customized: true } }]],
})
const ChangedCategories = t.Array(
  t.Object({ category_id: Id, ...Changes.properties }, { title: 'TreeCategoryChanges' }),
  {
    minItems: 1,
    maxItems: BATCH_MAX,
    examples: [[{ category_id: 1, description: 'Cups of all kinds' }]],
  },
)

const someOfThem = { data: t.Array(TreeCategory), meta: BatchMeta }
const withErrors = { errors: ProblemBody, meta: BatchMeta }
const NONE = 'No item is saved'

const Parents = ListOf(parent_id)
const Uuids = ListOf(ComparedText)
const filters = {
  'category_uuid:in': t.Optional(Uuids),
  'category_id:in': t.Optional(IdList),
  'tree_id:in': t.Optional(IdList),
  'parent_id:in': t.Optional(Parents),
}
const list = collection('categories', Category, {
  noun: 'category',
  filters: 'name name:like page_title page_title:like is_visible',
  queries: {
    ...filters,
    'category_uuid:not_in': t.Optional(Uuids),
    'category_id:not_in': t.Optional(IdList),
    'tree_id:not_in': t.Optional(IdList),
    'parent_id:not_in': t.Optional(Parents),
    keyword,
  },
})
const DeleteQuery = t.Object(filters, { additionalProperties: false, examples: [{ 'category_id:in': '1' }] })

const EACH =
  'Each item is saved by itself. Mistakes of the others are reported by their index (207; 422 if no item is saved).'

/** The categories of all trees, in batches (docs/contract/categories.md section 4). */
export function treeCategoryRoutes(app: Api, parts: CategoryDependencies) {
  const { pictures, products } = parts
  const { files } = pictures
  const config = { ...write.config, ...pictures.copying(imageUrlsIn), errorBody: noneSaved }
  const url = '/catalog/trees/categories'

  app.get(
    url,
    {
      ...read,
      schema: {
        summary: 'List the categories of all trees',
        querystring: list.list.querystring,
        response: {
          200: t.Object({
            data: t.Array(TreeCategory),
            meta: PageMeta,
          }),
        },
      },
    },
    async ({ db, query }) => {
      const { page, limit, include_fields, exclude_fields } = query
      const fields = { include_fields: columnsOf(include_fields), exclude_fields: columnsOf(exclude_fields) }
      const where = sql`${matching(query)} and ${hasKeyword(query.keyword)}`
      const { data, meta } = await findRows(db, list, { ...query, ...fields }, where)
      // The links name the fields as the request does.
      const shownPage = pagination({ total: meta.pagination?.total ?? 0, count: data.length, page, limit }, query)
      return new Answer({ data: data.map(toAnswer), meta: { pagination: shownPage } })
    },
  )

  app.post(
    url,
    {
      config,
      schema: {
        summary: 'Create categories in any trees',
        description: EACH,
        body: NewCategories,
        response: {
          201: t.Object(someOfThem),
          207: t.Object({ ...someOfThem, ...withErrors }),
          422: t.Union([t.Object({ ...someOfThem, ...withErrors }), ProblemBody], { description: NONE }),
        },
      },
    },
    async (request) => {
      const { db, body } = request
      const copies = pictures.copiesOf(request)
      const { saved, refusal, meta } = await db.transaction((tx) => saveEach(tx, body, { files, copies }, create))
      const data = saved.map(toAnswer)
      return refusal === undefined
        ? new Answer({ data, meta }, 201)
        : new Answer({ data, errors: problemBody(refusal, app.docsBase), meta }, 207)
    },
  )

  app.put(
    url,
    {
      config,
      schema: {
        summary: 'Change categories of any trees',
        description: EACH,
        body: ChangedCategories,
        response: {
          200: t.Object({ meta: BatchMeta }),
          207: t.Object(withErrors),
          422: t.Union([t.Object(withErrors), ProblemBody], { description: NONE }),
        },
      },
    },
    async (request) => {
      const { db, body } = request
      const copies = pictures.copiesOf(request)
      const { refusal, meta } = await db.transaction(async (tx) => {
        await lockTrees(tx)
        await lockIds(
          tx,
          categories,
          body.map(({ category_id }) => category_id),
        )
        return saveEach(tx, body, { files, copies }, update)
      })
      return refusal === undefined
        ? new Answer({ meta })
        : new Answer({ errors: problemBody(refusal, app.docsBase), meta }, 207)
    },
  )

  app.delete(
    url,
    {
      ...write,
      schema: {
        summary: 'Delete categories of any trees by a filter',
        querystring: DeleteQuery,
        response: { 202: t.Object({ meta: BatchMeta }) },
      },
    },
    async ({ db, query }) => {
      if (Object.keys(query).length === 0) {
        throw new Problem(422, 'The deletion of categories needs a filter in the query.')
      }
      await emptyBeforeDeletion(db, products, matching(query))
      const gone = await db.transaction(async (tx) => {
        const deleted = await deleteCategories(tx, parts, matching(query))
        await publishCategories(tx, 'deleted', deleted)
        return deleted
      })
      return new Answer({ meta: { total: gone.length, success: gone.length, failed: 0 } }, 202)
    },
  )
}

/** If no item could be saved, the 422 has the same body as a 207 (docs/contract/categories.md section 4). */
function noneSaved(refusal: ProblemBody, { method, body }: FastifyRequest) {
  const total = Array.isArray(body) ? body.length : 0
  const isOfItems = total > 0 && Object.keys(refusal.errors).length > 0
  if (refusal.status !== 422 || !isOfItems) return refusal
  const failure = { errors: refusal, meta: { total, success: 0, failed: total } }
  return method === 'POST' ? { data: [], ...failure } : failure
}

/** For `copying`: the `image_url` of each item of a body. */
const imageUrlsIn = (body: unknown) =>
  Object.fromEntries(
    (Array.isArray(body) ? body : []).flatMap((item, i) =>
      Object.entries(imageUrlIn(item)).map(([field, url]) => [`${i}.${field}`, url]),
    ),
  )

/** The condition of all filters that are lists of ids. */
function matching(query: Readonly<Record<string, unknown>>): Sql {
  const columns = { category_uuid: 'category_uuid', category_id: 'id', tree_id: 'tree_id', parent_id: 'parent_id' }
  return sql.and(
    Object.entries(columns).flatMap(([field, column]) => {
      const [wanted, unwanted] = [query[`${field}:in`], query[`${field}:not_in`]].map((ids) =>
        Array.isArray(ids) && column === 'category_uuid' ? ids.map((uuid) => fold(String(uuid))) : ids,
      )
      return [
        ...(wanted === undefined ? [] : [sql`${sql.id(column)} = any(${wanted})`]),
        ...(unwanted === undefined ? [] : [sql`${sql.id(column)} <> all(${unwanted})`]),
      ]
    }),
  )
}

/** A category with the field names of this family. */
function toAnswer({ id, custom_url, ...fields }: Partial<Category>): Partial<TreeCategory> {
  const url = custom_url && { path: custom_url.url, is_customized: custom_url.is_customized }
  return { category_id: id, ...fields, ...(url && { url }) }
}

/** Stored fields with another name in this family. Their stored names are unknown fields here. */
const renamed = new Map([
  ['category_id', 'id'],
  ['url', 'custom_url'],
  ['id', ''],
  ['custom_url', ''],
])

const columnsOf = (fields?: readonly string[]) => fields?.map((field) => renamed.get(field) ?? field)

async function create(
  tx: Tx,
  { url = {}, parent_id = 0, ...item }: Static<typeof NewCategories>[number],
  files: FilesOfRequest,
) {
  const custom_url = { url: url.path, is_customized: url.is_customized }
  refuseMalformed(custom_url)
  const tree_id = item.tree_id ?? (await treeOf(tx, parent_id))
  return createWithImage(tx, { ...item, tree_id, parent_id, custom_url }, files)
}

/** The tree of a parent. An unknown parent is refused later, when the category is placed. */
async function treeOf(tx: Tx, parent: number): Promise<number> {
  if (parent === 0) throw invalid({ tree_id: 'error.path.missing' })
  const found = await tx.maybeRow<{ tree_id: number }>(
    sql`select tree_id from categories where store_id = ${tx.store.id} and id = ${parent}`,
  )
  return found?.tree_id ?? FIRST_TREE.id
}

async function update(
  tx: Tx,
  { category_id, url, ...changes }: Static<typeof ChangedCategories>[number],
  files: FilesOfRequest,
) {
  const custom_url = url && { url: url.path, is_customized: url.is_customized }
  refuseMalformed(custom_url)
  const category = await lock(tx, categories, category_id)
  // In another tree, the category is placed at the top unless the request names a parent.
  const leaves = changes.tree_id !== undefined && changes.tree_id !== category.tree_id
  const parent_id = changes.parent_id ?? (leaves ? 0 : category.parent_id)
  return changeCategory(tx, category, { ...changes, parent_id, custom_url }, files)
}

/**
 * Saves each item by itself, with the copy of its picture. Mistakes of the others are reported by their index
 * (docs/contract/conventions.md section 7).
 * @throws Problem 422 if no item is saved
 */
async function saveEach<Item>(
  tx: Tx,
  items: readonly Item[],
  { files, copies }: FilesOfRequest,
  save: (tx: Tx, item: Item, files: FilesOfRequest) => Promise<Category>,
) {
  const copyAt = (index: number) => copies.get(`${index}.image_url`)
  const { saved, failures, meta } = await eachAlone(tx, items, (item, index) => {
    const copy = copyAt(index)
    return save(tx, item, { files, copies: new Map(copy && [['image_url', copy]]) })
  })
  const errors: Mistakes = Object.assign({}, ...failures.map(({ index, problem }) => mistakesOf(problem, index)))
  if (saved.length === 0) throw invalid(errors)
  // If nothing is saved, the copies of all items are removed with the transaction. Here only those of failed items are.
  for (const { index } of failures) {
    const copy = copyAt(index)
    if (copy) tx.afterCommit(() => files.discard(tx.store, copy.file))
  }
  const refusal = failures.length > 0 ? new Problem(422, 'Not all categories were saved.', errors) : undefined
  return { saved, refusal, meta }
}

/** The mistakes of an item, with the field names of this family. */
function mistakesOf({ status, message, errors }: Problem, i: number): Mistakes {
  if (status === 404) return { [`${i}.category_id`]: message }
  const entries = Object.entries(errors)
  if (entries.length === 0) return { [i]: message }
  return Object.fromEntries(
    entries.map(([field, sentence]) => [`${i}.${field.replace('custom_url.url', 'url.path')}`, sentence]),
  )
}
