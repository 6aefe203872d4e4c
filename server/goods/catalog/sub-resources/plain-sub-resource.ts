import t, { type TUnsafe } from 'typebox'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import type { Collection, RowWithId } from '../../../core/rest/lists/collection.ts'
import { withArticle } from '../../../core/rest/lists/operation-names.ts'
import { change, findBelow, insert, lock, type NewRow, pick, remove } from '../../../core/rest/lists/verbs.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { products, touchProduct } from '../product-row/shape.ts'
import { findSubResources, lockSubResource, refuseOverMaximum } from './sub-resource.ts'

const { read, write } = access('catalog')

/** A sub-resource of products whose routes store bodies as they are: custom fields and videos. */
interface PlainSubResource<R extends RowWithId, New extends object> {
  collection: Collection<R>
  /** The segment of the list in the path. */
  segment: string
  /** The name of the id in the path. */
  idName: string
  /** The most rows of one product. */
  max: number
  newBody: TUnsafe<New>
  changesBody: TUnsafe<object>
  toRow(product: RowWithId, body: Parsed<New>): NewRow<R>
}

/** The type that Fastify gives a body. */
type Parsed<Body> = [Body] extends [undefined] ? unknown : Body

/** The five operations of a plain sub-resource (docs/contract/product-parts.md). */
export function plainSubResourceRoutes<R extends RowWithId, New extends object>(
  app: Api,
  subResource: PlainSubResource<R, New>,
) {
  const { collection, segment, idName, max, newBody, changesBody, toRow } = subResource
  const list = `/catalog/products/${idSegment('product_id')}/${segment}`
  const one = `${list}/${idSegment(idName)}`
  const ofProduct = t.Object({ product_id: Id })
  const params = t.Unsafe<Record<string, number> & { product_id: number }>(t.Object({ product_id: Id, [idName]: Id }))
  const noun = `${withArticle(collection.noun)} of a product`

  app.get(
    list,
    {
      ...read,
      schema: { summary: `List the ${collection.noun}s of a product`, params: ofProduct, ...collection.list },
    },
    ({ db, params, query }) => findSubResources(db, collection, params.product_id, query),
  )

  app.post(
    list,
    {
      ...write,
      schema: { summary: `Create ${noun}`, params: ofProduct, body: newBody, ...collection.answersOne },
    },
    async ({ db, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const product = await lock(tx, products, params.product_id)
          const { row } = await tx.together(() => ({
            row: insert(tx, collection, toRow(product, body)),
            limit: refuseOverMaximum(tx, collection, product, max),
            product: touchProduct(tx, product),
          }))
          return row
        }),
      ),
  )

  app.get(
    one,
    { ...read, schema: { summary: `Get ${noun}`, params, ...collection.one } },
    async ({ db, params: { product_id, [idName]: id = 0 }, query }) =>
      answer(pick(collection, await findBelow(db, collection, { product_id }, id), query)),
  )

  app.put(
    one,
    { ...write, schema: { summary: `Change ${noun}`, params, body: changesBody, ...collection.answersOne } },
    async ({ db, params: { product_id, [idName]: id = 0 }, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const [product, row] = await lockSubResource(tx, collection, product_id, id)
          const changed = await change(tx, collection, row, body)
          if (changed !== row) await touchProduct(tx, product)
          return changed
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: `Delete ${noun}`, params } },
    async ({ db, params: { product_id, [idName]: id = 0 } }) => {
      await db.transaction(async (tx) => {
        const [product, row] = await lockSubResource(tx, collection, product_id, id)
        await remove(tx, collection, row.id)
        await touchProduct(tx, product)
      })
      return noContent()
    },
  )
}
