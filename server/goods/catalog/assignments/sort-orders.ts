import t from 'typebox'
import { sql } from '../../../core/db/sql.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment, nullable } from '../../../core/rest/input/fields.ts'
import { missing, refuse } from '../../../core/rest/input/mistakes.ts'
import { PageMeta } from '../../../core/rest/lists/paging.ts'
import { findOne, lock } from '../../../core/rest/lists/verbs.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { categories } from '../categories/shape.ts'
import { findLinks, pageQuery } from './assignments.ts'

const { read, write } = access('catalog')

const ProductSortOrder = t.Object(
  { product_id: Id, sort_order: nullable(t.Integer({ minimum: 0, maximum: 2_147_483_647 })) },
  { title: 'ProductSortOrder' },
)
const SortOrders = t.Array(ProductSortOrder, { examples: [[]] })

/** The manual order of the products of a category (docs/contract/categories.md section 5). */
export function sortOrderRoutes(app: Api) {
  const url = `/catalog/categories/${idSegment('category_id')}/products/sort-order`
  const params = t.Object({ category_id: Id })

  app.get(
    url,
    {
      ...read,
      schema: {
        summary: "Get the order of a category's products",
        params,
        querystring: pageQuery({}),
        response: { 200: t.Object({ data: SortOrders, meta: PageMeta }) },
      },
    },
    async ({ db, params, query }) => {
      const { id } = await findOne(db, categories, params.category_id)
      return findLinks(db, query, {
        table: 'product_categories',
        columns: ['product_id', 'sort_order'],
        where: sql`category_id = ${id}`,
        // PostgreSQL sorts nulls last: products without a sort_order come after the others.
        order: ['sort_order', 'product_id'],
      })
    },
  )

  app.put(
    url,
    {
      ...write,
      schema: {
        summary: "Change the order of a category's products",
        description: 'Products that the body leaves out keep their sort_order.',
        params,
        body: SortOrders,
        response: { 200: SortOrders },
      },
    },
    async ({ db, params, body }) => {
      const wanted = new Map(body.map(({ product_id, sort_order }) => [product_id, sort_order]))
      await db.transaction(async (tx) => {
        const { id } = await lock(tx, categories, params.category_id)
        const orders = [...wanted].map(([product_id, sort_order]) => ({ product_id, sort_order }))
        const placed = await tx.rows<{ product_id: number }>(sql`
          update product_categories link set sort_order = wanted.sort_order
          from ${sql.table('wanted', orders, { product_id: 'int', sort_order: 'int' })}
          where link.store_id = ${tx.store.id} and link.category_id = ${id} and link.product_id = wanted.product_id
          returning link.product_id`)
        const here = new Set(placed.map(({ product_id }) => product_id))
        const ids = body.map(({ product_id }) => product_id)
        const place = (i: number) => `${i}.product_id`
        refuse(missing(ids, here, place, (id) => `The product ${id} is not in this category.`))
      })
      return new Answer([...wanted].map(([product_id, sort_order]) => ({ product_id, sort_order })))
    },
  )
}
