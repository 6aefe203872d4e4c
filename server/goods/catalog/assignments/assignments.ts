import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { Answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { lockIds, lockIdsShared } from '../../../core/rest/batch.ts'
import { Id, IdList } from '../../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse } from '../../../core/rest/input/mistakes.ts'
import { PageMeta, pagination, paging } from '../../../core/rest/lists/paging.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { ChannelId, ChannelIds, knownChannels } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { categories } from '../categories/shape.ts'
import { assignCategories, unassignCategories } from '../product-row/categories.ts'
import { assignChannels, unassignChannels } from '../product-row/channels.ts'
import { products } from '../product-row/shape.ts'

const { read, write } = access('catalog')

const CategoryAssignment = t.Object({ product_id: Id, category_id: Id }, { title: 'CategoryAssignment' })
const ChannelAssignment = t.Object({ product_id: Id, channel_id: ChannelId }, { title: 'ChannelAssignment' })

const Ids = t.Optional(IdList)
const byCategory = { 'product_id:in': Ids, 'category_id:in': Ids }
const byChannel = { 'product_id:in': Ids, 'channel_id:in': t.Optional(ChannelIds) }

const pageOf = <S extends t.TSchema>(shape: S) => ({
  200: t.Object({ data: t.Array(shape), meta: PageMeta }),
})

/** The assignment of products to categories and channels (docs/contract/categories.md section 6). */
export function assignmentRoutes(app: Api) {
  const inCategories = '/catalog/products/category-assignments'
  const inChannels = '/catalog/products/channel-assignments'

  app.get(
    inCategories,
    {
      ...read,
      schema: {
        summary: 'List the category assignments of products',
        querystring: pageQuery(byCategory),
        response: pageOf(CategoryAssignment),
      },
    },
    ({ db, query }) =>
      findLinks(db, query, {
        table: 'product_categories',
        columns: ['product_id', 'category_id'],
        where: matching(query, 'category_id'),
      }),
  )

  app.put(
    inCategories,
    {
      ...write,
      schema: {
        summary: 'Assign products to categories',
        description: 'Existing assignments stay. All assignments are stored, or none.',
        body: t.Array(CategoryAssignment, { minItems: 1, examples: [[{ product_id: 1, category_id: 1 }]] }),
      },
    },
    async ({ db, body }) => {
      const [productIds, categoryIds] = [body.map((link) => link.product_id), body.map((link) => link.category_id)]
      await db.transaction(async (tx) => {
        const known = {
          categories: await lockIdsShared(tx, categories, categoryIds),
          products: await lockIds(tx, products, productIds),
        }
        refuse({
          ...unknown('category', categoryIds, known.categories),
          ...unknown('product', productIds, known.products),
        })
        await assignCategories(tx, body)
      })
      return noContent()
    },
  )

  app.delete(
    inCategories,
    { ...write, schema: { summary: 'Remove products from categories', querystring: deletes(byCategory) } },
    async ({ db, query }) => {
      refuseNoFilter(query)
      await unassignCategories(db, matching(query, 'category_id'))
      return noContent()
    },
  )

  app.get(
    inChannels,
    {
      ...read,
      schema: {
        summary: 'List the channel assignments of products',
        querystring: pageQuery(byChannel),
        response: pageOf(ChannelAssignment),
      },
    },
    ({ db, query }) =>
      findLinks(db, query, {
        table: 'product_channels',
        columns: ['product_id', 'channel_id'],
        where: matching(query, 'channel_id'),
      }),
  )

  app.put(
    inChannels,
    {
      ...write,
      schema: {
        summary: 'Assign products to channels',
        body: t.Array(ChannelAssignment, { minItems: 1, examples: [[{ product_id: 1, channel_id: 1 }]] }),
      },
    },
    async ({ db, body }) => {
      const [productIds, channelIds] = [body.map((link) => link.product_id), body.map((link) => link.channel_id)]
      await db.transaction(async (tx) => {
        const { channels, locked } = await tx.together(() => ({
          channels: knownChannels(tx, channelIds),
          locked: lockIds(tx, products, productIds),
        }))
        refuse({
          ...unknown('channel', channelIds, channels),
          ...unknown('product', productIds, locked),
        })
        await assignChannels(tx, body)
      })
      return noContent()
    },
  )

  app.delete(
    inChannels,
    { ...write, schema: { summary: 'Remove products from channels', querystring: deletes(byChannel) } },
    async ({ db, query }) => {
      refuseNoFilter(query)
      await db.transaction((tx) => unassignChannels(tx, matching(query, 'channel_id')))
      return noContent()
    },
  )
}

type Page = { page: number; limit: number }

/** The query of a list of links: filters and paging. */
export const pageQuery = <P extends t.TProperties>(filters: P) =>
  t.Unsafe<Static<t.TObject<P>> & Page>(t.Object({ ...filters, ...paging }, { additionalProperties: false }))

const deletes = <P extends t.TProperties>(filters: P) =>
  t.Object(filters, { additionalProperties: false, examples: [{ 'product_id:in': '1' }] })

function refuseNoFilter(query: object) {
  if (Object.keys(query).length === 0)
    throw new Problem(422, 'The deletion of assignments needs a filter in the query.')
}

function matching(query: Readonly<Record<string, unknown>>, other: 'category_id' | 'channel_id'): Sql {
  const asked = ['product_id', other].filter((column) => query[`${column}:in`] !== undefined)
  return sql.and(asked.map((column) => sql`${sql.id(column)} = any(${query[`${column}:in`]})`))
}

/** A mistake for each unknown id in a body. */
const unknown = (noun: string, ids: readonly number[], known: ReadonlySet<number>): Mistakes =>
  missing(
    ids,
    known,
    (i) => `${i}.${noun}_id`,
    (id) => `There is no ${noun} ${id}.`,
  )

/** A list of the rows of a table without ids. */
interface LinkList {
  table: 'product_categories' | 'product_channels'
  columns: readonly string[]
  where: Sql
  /** The columns of the order; all columns if missing. */
  order?: readonly string[]
}

/** One page of a list of links. */
export async function findLinks(db: Db, query: Page, { table, columns, where, order = columns }: LinkList) {
  const { page, limit } = query
  const by = sql.join(order.map(sql.id))
  const rows = await db.rows<Record<string, number>>(sql`
    with page as (
      select ${sql.join(columns.map(sql.id))} from ${sql.id(table)} where store_id = ${db.store.id} and ${where}
      order by ${by} limit ${limit} offset ${(page - 1) * limit}
    )
    select found.total, page.* from (
      select count(*) as total from ${sql.id(table)} where store_id = ${db.store.id} and ${where}
    ) found left join page on true order by ${by}`)
  const data = rows.flatMap(({ total, ...link }) => (link.product_id === null ? [] : [link]))
  return new Answer({
    data,
    meta: { pagination: pagination({ total: rows[0]?.total ?? 0, count: data.length, page, limit }, query) },
  })
}
