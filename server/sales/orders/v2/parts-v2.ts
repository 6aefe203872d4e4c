import t, { type TSchema } from 'typebox'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer, JsonBytes, joined } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import type { Collection, ListQuery, RowWithId } from '../../../core/rest/lists/collection.ts'
import { change, differences, findBelow, findOne, lock, lockBelow } from '../../../core/rest/lists/verbs.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { jsonListV2, listV2, pageStatementV2, pageV2, queryV2, rowsV2 } from '../../../core/rest/v2.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { ShippingAddressChanges, type ShippingAddressInput } from '../calculation/bodies.ts'
import { changedAddress } from '../calculation/postal-address.ts'
import { consignmentsOf, lineColumns } from '../reading/lists.ts'
import { AddressV2, Consignments, FeeV2, LineV2, TaxV2 } from '../reading/shapes-v2.ts'
import { addressV2, feeV2, lineTemplate, linksTo, taxV2 } from '../reading/show.ts'
import { fees, lines, type OrderAddressRow, orderAddresses, orders, taxes } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { touchOrder } from '../writing/move.ts'
import type { OrderParts } from './orders-v2.ts'

const { read, write } = access('orders')

export const ofOrder = `/orders/${idSegment('order_id')}`
const params = t.Object({ order_id: Id })
const details = t.Optional(t.Boolean({ description: 'Whether each tax names the item that it is charged on' }))

/** The schema of a list of a sub-resource of an order. */
export const subResourceList = (summary: string, item: TSchema) => ({
  summary,
  params,
  querystring: pageV2,
  response: { 200: t.Array(item), 204: t.Null() },
})

/** A page of the rows of a sub-resource of an order. @throws Problem 404 for an unknown order */
export async function pageOfOrder<Row extends RowWithId>(
  db: Db,
  collection: Collection<Row>,
  order_id: number,
  query: ListQuery,
) {
  await findOne(db, orders, order_id)
  return rowsV2(db, { collection, query, where: sql`order_id = ${order_id}` })
}

/** Routes of the products, addresses, taxes, fees and consignments of an order (docs/contract/orders.md section 7). */
export function partRoutesV2(api: Api, { publicUrl }: OrderParts) {
  const ofProduct = t.Object({ order_id: Id, product_id: Id })
  const ofAddress = t.Object({ order_id: Id, address_id: Id })
  const links = ({ store }: Db) => linksTo(publicUrl, store.hash)
  const oneAddress = `${ofOrder}/shipping_addresses/${idSegment('address_id')}`

  api.get(
    `${ofOrder}/products`,
    { ...read, schema: subResourceList('List the products of an order', LineV2) },
    async ({ db, params, query }) => {
      const { id, is_tax_inclusive_pricing } = await findOne(db, orders, params.order_id)
      const selected = lineColumns(sql`${is_tax_inclusive_pricing}::boolean`)
      const page = pageStatementV2(db, { collection: lines, query, where: sql`order_id = ${id}`, selected })
      return jsonListV2(await db.jsonRows(page, lineTemplate))
    },
  )

  api.get(
    `${ofOrder}/products/${idSegment('product_id')}`,
    { ...read, schema: { summary: 'Get a product of an order', params: ofProduct, response: { 200: LineV2 } } },
    async ({ db, params: { order_id, product_id } }) => {
      const { is_tax_inclusive_pricing } = await findOne(db, orders, order_id)
      const line = await db.jsonByKey(
        prepared(sql`
          select ${lineColumns(sql`${is_tax_inclusive_pricing}::boolean`)} from order_products
          where store_id = ${db.store.id} and order_id = ${order_id} and id = ${product_id}`),
        lineTemplate,
      )
      if (line.before.length === 0) throw notFound(lines.noun, product_id)
      return new Answer(new JsonBytes(line.take()))
    },
  )

  api.get(
    `${ofOrder}/shipping_addresses`,
    { ...read, schema: subResourceList('List the shipping addresses of an order', AddressV2) },
    async ({ db, params, query }) => {
      const rows = await pageOfOrder(db, orderAddresses, params.order_id, query)
      const ofLines = rows.length > 0 ? await rowsOfOrders(db, lines, [params.order_id]) : []
      return listV2(rows.map((row) => addressV2(row, ofLines, links(db))))
    },
  )

  api.get(
    oneAddress,
    {
      ...read,
      schema: { summary: 'Get a shipping address of an order', params: ofAddress, response: { 200: AddressV2 } },
    },
    async ({ db, params: { order_id, address_id } }) => {
      const address = await findBelow(db, orderAddresses, { order_id }, address_id)
      return new Answer(addressV2(address, await rowsOfOrders(db, lines, [order_id]), links(db)))
    },
  )

  api.put(
    oneAddress,
    {
      ...write,
      schema: {
        summary: 'Change a shipping address of an order',
        description: 'Shipping and tax are not recalculated.',
        params: ofAddress,
        body: ShippingAddressChanges,
        response: { 200: AddressV2 },
      },
    },
    async ({ db, params: { order_id, address_id }, body }) => {
      const address = await changeAddress(db, order_id, address_id, body)
      return new Answer(addressV2(address, await rowsOfOrders(db, lines, [order_id]), links(db)))
    },
  )

  api.get(
    `${ofOrder}/taxes`,
    {
      ...read,
      schema: {
        ...subResourceList('List the taxes of an order', TaxV2),
        querystring: queryV2([], [], { details }),
      },
    },
    async ({ db, params, query }) => {
      const rows = await pageOfOrder(db, taxes, params.order_id, query)
      return listV2(rows.map((row) => taxV2(row, query.details === true)))
    },
  )

  api.get(
    `${ofOrder}/fees`,
    { ...read, schema: subResourceList('List the fees of an order', FeeV2) },
    async ({ db, params, query }) => {
      const rows = await pageOfOrder(db, fees, params.order_id, query)
      return listV2(rows.map(feeV2))
    },
  )

  api.get(
    `${ofOrder}/consignments`,
    {
      ...read,
      schema: {
        summary: 'Get the consignments of an order',
        operationId: 'getOrderConsignmentsV2',
        params,
        querystring: t.Object({ include: t.Optional(t.Array(t.Enum(['consignments.line_items']))) }),
        response: { 200: Consignments },
      },
    },
    async ({ db, params: { order_id }, query: { include = [] } }) => {
      const { is_tax_inclusive_pricing } = await findOne(db, orders, order_id)
      const isInclusive = include.length > 0 ? sql`${is_tax_inclusive_pricing}::boolean` : undefined
      const consignments = await consignmentsOf(db, [order_id], isInclusive, links(db))
      return new Answer(joined(consignments.get(order_id) ?? []))
    },
  )
}

/** @throws Problem 404, 422 */
function changeAddress(
  db: Db,
  order_id: number,
  id: number,
  { shipping_method, ...fields }: ShippingAddressInput,
): Promise<OrderAddressRow> {
  return db.transaction(async (tx) => {
    const order = await lock(tx, orders, order_id)
    const before = await lockBelow(tx, orderAddresses, { order_id }, id)
    const mistakes: Mistakes = {}
    const postal = changedAddress(before, fields, { at: (field) => field, mistakes })
    refuse(mistakes)
    const after = { ...before, ...postal, shipping_method: shipping_method ?? before.shipping_method }
    if (Object.keys(differences(before, after)).length === 0) return before
    const changed = await change(tx, orderAddresses, before, after)
    await touchOrder(tx, order)
    return changed
  })
}
