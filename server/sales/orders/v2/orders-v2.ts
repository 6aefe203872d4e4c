import t from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { isObject } from '../../../core/objects.ts'
import { Answer, modifiedAt, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import type { Estimates } from '../../tax/estimates/estimates.ts'
import { quotesByRequest } from '../../tax/estimates/quote.ts'
import { NewOrder, OrderChanges } from '../calculation/bodies.ts'
import { countOrders, countQuery, includes, listOrders, OrderCount, ordersQuery, showOrder } from '../reading/lists.ts'
import { OrderV2 } from '../reading/shapes-v2.ts'
import { linksTo } from '../reading/show.ts'
import type { MethodParts } from '../shopper-payments/instruments/methods.ts'
import { createOrderWithPayment } from '../shopper-payments/test-payment.ts'
import { archiveAll, archiveFirst, archiveOrder } from '../writing/archive.ts'
import { changeOrder } from '../writing/change.ts'

const { read, write } = access('orders')

const ARCHIVED_MAX = 250

/** The address of the server, for links between resources; and the answers of tax providers. */
export interface OrderParts {
  publicUrl: string
  estimates: Estimates
}

/** Routes of orders in the v2 API (docs/contract/orders.md). */
export function orderRoutesV2(api: Api, { publicUrl, gateways, estimates }: OrderParts & MethodParts) {
  const quotesOf = quotesByRequest(estimates)
  const one = `/orders/${idSegment('order_id')}`
  const params = t.Object({ order_id: Id })
  const querystring = t.Object(includes)
  const links = ({ store }: Db) => linksTo(publicUrl, store.hash)
  const answersOne = { response: { 200: OrderV2 } }

  api.get(
    '/orders',
    {
      ...read,
      schema: {
        summary: 'List the orders',
        description:
          'Filters choose orders by status, customer, time (`min_date_created`) and more. Archived orders are listed only with `is_deleted=true`.',
        querystring: ordersQuery,
        response: { 200: t.Array(OrderV2), 204: t.Null() },
      },
    },
    ({ db, query }) => listOrders(db, query, links(db)),
  )

  api.get(
    '/orders/count',
    {
      ...read,
      schema: { summary: 'Count the orders by status', querystring: countQuery, response: { 200: OrderCount } },
    },
    async ({ db, query }) => new Answer(await countOrders(db, query)),
  )

  api.post(
    '/orders',
    {
      ...write,
      schema: {
        summary: 'Create an order',
        description:
          'The order can have products of the catalog and custom ones. Prices in the body are not recalculated.',
        querystring,
        body: NewOrder,
        ...answersOne,
      },
    },
    async (request) => {
      const { db, query, body } = request
      const { id } = await createOrderWithPayment(db, body, { gateways, quotes: quotesOf(request) })
      const { json } = await showOrder(db, id, query, links(db))
      return new Answer(json)
    },
  )

  api.delete(
    '/orders',
    {
      ...write,
      schema: {
        summary: 'Archive orders',
        description:
          'Lists omit all orders at once; their events follow within seconds. With a limit, archives the first orders that are not archived yet.',
        querystring: t.Object(
          { limit: t.Optional(t.Integer({ minimum: 1, maximum: ARCHIVED_MAX })) },
          { additionalProperties: false, examples: [{}] },
        ),
      },
    },
    async ({ db, query: { limit } }) => {
      if (limit === undefined) await archiveAll(db)
      else await archiveFirst(db, limit)
      return noContent()
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get an order', params, querystring, ...answersOne } },
    async ({ db, params, query }) => {
      const { json, modified } = await showOrder(db, params.order_id, query, links(db))
      return new Answer(json, 200, modifiedAt(modified))
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change an order',
        description:
          'Products are patched: without an id one is added, with quantity 0 it is removed. Fees are replaced as a whole.',
        params,
        body: OrderChanges,
        ...answersOne,
      },
      preValidation: async ({ body }) => dropLinks(body),
    },
    async (request) => {
      const { db, params, body } = request
      const { id } = await changeOrder(db, params.order_id, body, quotesOf(request))
      const { json } = await showOrder(db, id, {}, links(db))
      return new Answer(json)
    },
  )

  api.delete(one, { ...write, schema: { summary: 'Archive an order', params } }, async ({ db, params }) => {
    await db.transaction((tx) => archiveOrder(tx, params.order_id))
    return noContent()
  })
}

/** Sub-resources that answers have as a link. */
const LINKED = ['products', 'shipping_addresses', 'consignments', 'fees'] as const

/** Drops links from a body, so that an order can be sent back as it was read (docs/contract/orders.md section 4). */
function dropLinks(body: unknown) {
  if (!isObject(body)) return
  for (const name of LINKED) if (isLink(body[name])) delete body[name]
  const { pickups } = isObject(body.consignments) ? body.consignments : {}
  for (const pickup of Array.isArray(pickups) ? pickups : []) {
    if (isObject(pickup) && Array.isArray(pickup.line_items))
      pickup.line_items = pickup.line_items.filter((item) => !isLink(item))
  }
}

const isLink = (value: unknown): boolean =>
  isObject(value) && typeof value.url === 'string' && typeof value.resource === 'string'
