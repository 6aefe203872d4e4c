import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { ID_MAX, Id, idSegment } from '../../../core/rest/input/fields.ts'
import { Problem } from '../../../core/rest/problem.ts'
import {
  CompanyOrder,
  CompanyOrderProduct,
  companyOrdersToAnswer,
  companyOrderToAnswer,
  ListedCompanyOrder,
  orderProductsToAnswer,
} from '../../../sales/b2b/orders/answers.ts'
import {
  type CompanyOrderRow,
  companyOrders,
  findCompanyOrder,
  ordersWithin,
} from '../../../sales/b2b/orders/company-order.ts'
import {
  CompanyOrderChanges,
  changeCompanyOrder,
  moveOrdersToCompany,
  moveOrdersToGroup,
  NewCompanyOrder,
  setCompanyOrder,
} from '../../../sales/b2b/orders/order-changes.ts'
import { findWindow, orderBy, when } from '../../../sales/b2b/shared/pages.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { extraFieldRoutes } from '../extra-fields/extra-fields.ts'
import { callerOf, companyReaderOf } from '../grammar/caller.ts'
import {
  answering,
  CompanionRefusal,
  companionAnswer,
  companionListAnswer,
  listing,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'
import { OrderBy } from '../grammar/queries.ts'
import { messageAnswer, messaging } from './message.ts'

const { write } = access('b2b')

const SORTED = { createdAt: 'created_at', updatedAt: 'updated_at' } as const
const Time = t.Optional(t.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Unix seconds' }))
const Query = t.Object({
  ...windowQuery,
  orderBy: OrderBy,
  sortBy: t.Optional(t.Enum(Object.keys(SORTED) as (keyof typeof SORTED)[], { default: 'updatedAt' })),
  companyId: t.Optional(Id),
  bcOrderId: t.Optional(Id),
  channelIds: t.Optional(t.Array(ChannelId, { maxItems: 100 })),
  minCreated: Time,
  maxCreated: Time,
  minModified: Time,
  maxModified: Time,
  showExtra: t.Optional(t.Boolean()),
})

const tag = 'Company orders'
const Total = t.Object({ total: t.Integer({ description: 'The number of moved orders' }) }, { title: 'MovedOrders' })

/** Orders with their companies (docs/contract/b2b-orders.md). */
export function companyOrderRoutes(api: Api) {
  const place = '/v3/io/orders'
  const one = `${place}/${idSegment('order_id')}`
  const params = t.Object({ order_id: Id })
  const ofCustomer = `/v3/io/customers/${idSegment('customer_id')}/orders`

  extraFieldRoutes(api, { kind: 'order', path: place, name: 'CompanyOrder' })

  api.get(
    place,
    {
      ...write,
      schema: {
        summary: 'List the orders',
        operationId: 'listCompanyOrders',
        description:
          'Those that were created or changed in the last 365 days, unless a filter by time or order is given.',
        tag,
        querystring: Query,
        ...listing(ListedCompanyOrder),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const caller = companyReaderOf(db, salesRep)
      const { rows, total } = await findWindow<CompanyOrderRow>(
        db,
        {
          table: companyOrders.table,
          columns: sql.join(companyOrders.columns.map(sql.id)),
          where: [
            ...(caller.kind === 'seller' ? [] : [ordersWithin(caller, 'get_orders')]),
            ...conditionsOf(query, db.now),
          ],
          order: orderBy(SORTED, query.sortBy ?? 'updatedAt', query.orderBy),
        },
        window,
      )
      const withExtraFields = query.showExtra ?? false
      return companionListAnswer(await companyOrdersToAnswer(db, rows, { withExtraFields }), total, window)
    },
  )

  api.post(
    place,
    {
      ...write,
      schema: {
        summary: 'Set the purchase order number of an order',
        operationId: 'createCompanyOrder',
        description: 'And its extra fields. Every order of the store has a record already.',
        tag,
        body: NewCompanyOrder,
        ...answering(ListedCompanyOrder),
      },
    },
    async ({ db, body, salesRep }) => {
      const record = await setCompanyOrder(db, await callerOf(db, salesRep), body)
      const [order] = await companyOrdersToAnswer(db, [record], { withExtraFields: true })
      return companionAnswer(order)
    },
  )

  api.get(
    one,
    {
      ...write,
      schema: { summary: 'Get an order', operationId: 'getCompanyOrder', tag, params, ...answering(CompanyOrder) },
    },
    async ({ db, params, salesRep }) => {
      const caller = await callerOf(db, salesRep)
      return companionAnswer(await answerOf(db, await findCompanyOrder(db, caller, { orderId: params.order_id })))
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change an order',
        operationId: 'updateCompanyOrder',
        description: 'Its purchase order number or its extra fields. The order of the store stays as it is.',
        tag,
        params,
        body: CompanyOrderChanges,
        ...messaging(CompanyOrder),
      },
    },
    async ({ db, params, body, salesRep }) => {
      if ((body.poNumber ?? body.extraFields) === undefined) throw new Problem(422, 'Send poNumber or extraFields.')
      const record = await changeCompanyOrder(db, await callerOf(db, salesRep), params.order_id, body)
      return messageAnswer(await answerOf(db, record))
    },
  )

  api.get(
    `${one}/products`,
    {
      ...write,
      schema: {
        summary: 'List the products of an order',
        operationId: 'listCompanyOrderProducts',
        description: 'Not paged. Each id is that of the line.',
        tag,
        params,
        ...messaging(t.Array(CompanyOrderProduct)),
      },
    },
    async ({ db, params, salesRep }) => {
      const record = await findCompanyOrder(db, await callerOf(db, salesRep), { orderId: params.order_id })
      return messageAnswer(await orderProductsToAnswer(db, record))
    },
  )

  const customer = t.Object({ customer_id: Id })
  api.put(
    `${ofCustomer}/b2b`,
    {
      ...write,
      config: { ...write.config, isBodyOptional: true },
      schema: {
        summary: 'Move the orders of a customer to its company',
        operationId: 'moveCustomerOrders',
        tag,
        params: customer,
        body: t.Object({}, { title: 'MovedCustomerOrders', examples: [{}] }),
        ...messaging(Total),
      },
    },
    async ({ db, params, salesRep }) =>
      messageAnswer({ total: await moveOrdersToCompany(db, await callerOf(db, salesRep), params.customer_id) }),
  )

  api.put(
    `${ofCustomer}/company`,
    {
      ...write,
      schema: {
        summary: 'Move the orders of a customer to a dependent company',
        operationId: 'moveCustomerOrdersToGroup',
        description: 'Only of stores with dependent companies; others answer 405.',
        tag,
        params: customer,
        body: t.Object(
          { bcGroupId: t.Integer({ minimum: 0, maximum: ID_MAX, description: 'The customer group of the company' }) },
          { title: 'OrdersOfGroup', examples: [{ bcGroupId: 1 }] },
        ),
        response: { ...messaging(Total).response, 405: CompanionRefusal },
      },
    },
    async ({ db, params, body, salesRep }) => {
      const target = { customerId: params.customer_id, groupId: body.bcGroupId }
      return messageAnswer({ total: await moveOrdersToGroup(db, await callerOf(db, salesRep), target) })
    },
  )
}

const answerOf = (db: Db, record: CompanyOrderRow) => companyOrderToAnswer(db, record)

const YEAR_MS = 365 * 86_400_000
const momentOf = (seconds: number) => toSeconds(new Date(seconds * 1_000))

function conditionsOf(query: Static<typeof Query>, now: Date): Sql[] {
  const { bcOrderId, minCreated, maxCreated, minModified, maxModified } = query
  const isBounded = [bcOrderId, minCreated, maxCreated, minModified, maxModified].some((value) => value !== undefined)
  return [
    ...(isBounded ? [] : [sql`updated_at >= ${toSeconds(new Date(now.getTime() - YEAR_MS))}`]),
    ...when(query.companyId, (id) => sql`company_id = ${id}`),
    ...when(bcOrderId, (id) => sql`order_id = ${id}`),
    ...when(query.channelIds, (ids) => sql`channel_id = any(${ids}::bigint[])`),
    ...when(minCreated, (time) => sql`created_at >= ${momentOf(time)}`),
    ...when(maxCreated, (time) => sql`created_at <= ${momentOf(time)}`),
    ...when(minModified, (time) => sql`updated_at >= ${momentOf(time)}`),
    ...when(maxModified, (time) => sql`updated_at <= ${momentOf(time)}`),
  ]
}
