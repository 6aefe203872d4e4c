import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { textOf, unitsOf } from '../../../core/money/units.ts'
import { Answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, idSegment, Moment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import {
  change,
  differences,
  findBelow,
  findOne,
  insert,
  lock,
  lockBelow,
  removeAll,
} from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { dateV2, listV2 } from '../../../core/rest/v2.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { canHandOver, statusAfter, statusName } from '../arithmetic/order-status.ts'
import { type LineRow, lines, type OrderRow, orderAddresses, orders, PostalAddress } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { moveStock } from '../stock/holds.ts'
import { saveOrder } from '../stock/spans.ts'
import { ofOrder, pageOfOrder, subResourceList } from '../v2/parts-v2.ts'
import { orderSubject, publishOrderChange } from '../writing/events.ts'
import { recordStatusChange } from '../writing/status/status-change.ts'

const { read, write } = access('orders')

/** Most shipments of one order. */
const SHIPMENTS_MAX = 1_000

const Items = t.Array(t.Object({ order_product_id: Id, product_id: t.Integer(), quantity: t.Integer({ minimum: 1 }) }))

/** A shipment as it is stored: units of the lines of an order that were handed to a carrier (docs/contract/orders.md section 8). */
const Shipment = t.Object({
  id: Id,
  order_id: Id,
  customer_id: t.Integer(),
  order_address_id: Id,
  date_created: Moment,
  tracking_number: t.String({ maxLength: 50 }),
  tracking_carrier: t.String({ maxLength: 100 }),
  tracking_link: t.String({ maxLength: 500 }),
  merchant_shipping_cost: Amount(),
  shipping_method: t.String({ maxLength: 250 }),
  shipping_provider: t.String({ maxLength: 100 }),
  comments: t.String({ maxLength: 65_535 }),
  billing_address: PostalAddress,
  shipping_address: PostalAddress,
  items: Items,
})
type Shipment = Static<typeof Shipment>

export const shipments = collection('order_shipments', Shipment, { noun: 'shipment', filters: '' })

const ShipmentV2 = t.Object(
  {
    ...Shipment.properties,
    date_created: t.String({ description: 'RFC 2822' }),
    merchant_shipping_cost: t.String(),
    shipping_provider_display_name: t.String(),
    generated_tracking_link: t.String(),
  },
  { title: 'OrderShipment' },
)

const { tracking_number, tracking_carrier, tracking_link, merchant_shipping_cost } = Shipment.properties
const { shipping_method, shipping_provider, comments } = Shipment.properties
const fields = t.Partial(
  t.Object({
    order_address_id: Id,
    tracking_number,
    tracking_carrier,
    tracking_link,
    merchant_shipping_cost,
    shipping_method,
    shipping_provider,
    comments,
  }),
).properties
const NewShipment = t.Object(
  {
    ...fields,
    items: t.Optional(
      t.Array(t.Object({ order_product_id: Id, quantity: t.Integer({ minimum: 1 }) }), { minItems: 1, maxItems: 500 }),
    ),
  },
  {
    title: 'NewOrderShipment',
    examples: [{ tracking_number: '1Z999AA10123456784', shipping_method: 'Ground', shipping_provider: 'ups' }],
  },
)
type NewShipment = Static<typeof NewShipment>
const ShipmentChanges = t.Object(fields, {
  title: 'OrderShipmentChanges',
  examples: [{ tracking_number: '1Z999AA10123456785' }],
})

/** The display names of carriers, by their short names. */
const PROVIDERS: Readonly<Record<string, string>> = {
  auspost: 'Australia Post',
  canadapost: 'Canada Post',
  endicia: 'Endicia',
  usps: 'USPS',
  fedex: 'FedEx',
  ups: 'UPS',
  upsready: 'UPS Ready',
  upsonline: 'UPS Online',
  shipperhq: 'ShipperHQ',
  royalmail: 'Royal Mail',
}

export const shipmentToAnswer = (shipment: Shipment): Static<typeof ShipmentV2> => ({
  ...shipment,
  date_created: dateV2(shipment.date_created),
  merchant_shipping_cost: textOf(unitsOf(shipment.merchant_shipping_cost)),
  shipping_provider_display_name: PROVIDERS[shipment.shipping_provider] ?? shipment.shipping_provider,
  generated_tracking_link: shipment.tracking_link,
})

export function shipmentRoutesV2(api: Api) {
  const all = `${ofOrder}/shipments`
  const one = `${all}/${idSegment('shipment_id')}`
  const params = t.Object({ order_id: Id })
  const ofBoth = t.Object({ order_id: Id, shipment_id: Id })

  api.get(
    all,
    { ...read, schema: subResourceList('List the shipments of an order', ShipmentV2) },
    async ({ db, params, query }) => {
      const rows = await pageOfOrder(db, shipments, params.order_id, query)
      return listV2(rows.map(shipmentToAnswer))
    },
  )

  api.get(
    `${all}/count`,
    {
      ...read,
      schema: {
        summary: 'Count the shipments of an order',
        params,
        response: { 200: t.Object({ count: t.Integer() }) },
      },
    },
    async ({ db, params: { order_id } }) => {
      await findOne(db, orders, order_id)
      return new Answer({ count: await countShipments(db, order_id) })
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create a shipment',
        description: 'Without items, ships everything that was not shipped yet.',
        params,
        body: NewShipment,
        response: { 201: ShipmentV2 },
      },
    },
    async ({ db, params: { order_id }, body }) => {
      const shipment = await createShipment(db, order_id, body)
      const location = `/stores/${db.store.hash}/v2/orders/${order_id}/shipments/${shipment.id}`
      return new Answer(shipmentToAnswer(shipment), 201, { location })
    },
  )

  api.delete(
    all,
    { ...write, schema: { summary: 'Delete the shipments of an order', params } },
    async ({ db, params: { order_id } }) => {
      await db.transaction(async (tx) => {
        const order = await lock(tx, orders, order_id)
        await removeShipments(tx, order, await rowsOfOrders(tx, shipments, [order_id]))
      })
      return noContent()
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a shipment', params: ofBoth, response: { 200: ShipmentV2 } } },
    async ({ db, params: { order_id, shipment_id } }) =>
      new Answer(shipmentToAnswer(await findBelow(db, shipments, { order_id }, shipment_id))),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a shipment',
        description: 'The items of a shipment never change.',
        params: ofBoth,
        body: ShipmentChanges,
        response: { 200: ShipmentV2 },
      },
    },
    async ({ db, params: { order_id, shipment_id }, body }) =>
      new Answer(
        shipmentToAnswer(
          await db.transaction(async (tx) => {
            const order = await lock(tx, orders, order_id)
            const before = await lockBelow(tx, shipments, { order_id }, shipment_id)
            await refuseOtherAddress(tx, order, body.order_address_id)
            if (Object.keys(differences(before, body)).length === 0) return before
            const changed = await change(tx, shipments, before, body)
            publishShipment(tx, 'updated', changed)
            return changed
          }),
        ),
      ),
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a shipment', params: ofBoth } },
    async ({ db, params: { order_id, shipment_id } }) => {
      await db.transaction(async (tx) => {
        const order = await lock(tx, orders, order_id)
        await removeShipments(tx, order, [await lockBelow(tx, shipments, { order_id }, shipment_id)])
      })
      return noContent()
    },
  )
}

async function countShipments(db: Db, order_id: number): Promise<number> {
  const { count } = await db.row<{ count: number }>(sql`
    select count(*)::int as count from order_shipments where store_id = ${db.store.id} and order_id = ${order_id}`)
  return count
}

/** Has the order as its subject, so that hooks receive it in sequence (docs/contract/webhooks.md section 6). */
function publishShipment(tx: Tx, action: 'created' | 'updated' | 'deleted', { id, order_id }: Shipment) {
  publish(tx, `store/shipment/${action}`, orderSubject({ id: order_id }), { type: 'shipment', id, orderId: order_id })
}

/**
 * Creates a shipment, counts its units at the lines, and moves the order to Partially Shipped or Shipped.
 * @throws Problem 404, 422 with all mistakes, 403 past the maximum
 */
export function createShipment(db: Db, order_id: number, { items, ...body }: NewShipment): Promise<Shipment> {
  return db.transaction(async (tx) => {
    const order = await lock(tx, orders, order_id)
    if (!canHandOver(order.status_id)) {
      refuse({ status_id: `An order can't be shipped in status ${statusName(order.status_id)}.` })
    }
    const { address_id, ofLines } = await tx.together(() => ({
      address_id: refuseOtherAddress(tx, order, body.order_address_id),
      ofLines: rowsOfOrders(tx, lines, [order_id]),
    }))
    const shipped = shippedItems(ofLines, address_id, items)
    const address = await findBelow(tx, orderAddresses, { order_id }, address_id)
    const created = await insert(tx, shipments, {
      tracking_number: '',
      tracking_carrier: '',
      tracking_link: '',
      merchant_shipping_cost: 0,
      shipping_method: address.shipping_method,
      shipping_provider: '',
      comments: '',
      ...body,
      order_id,
      customer_id: order.customer_id,
      order_address_id: address_id,
      date_created: toSeconds(tx.now),
      billing_address: postal(order.billing_address),
      shipping_address: postal(address),
      items: shipped,
    })
    if ((await countShipments(tx, order_id)) > SHIPMENTS_MAX) {
      throw new Problem(403, `An order can have at most ${SHIPMENTS_MAX} shipments.`)
    }
    publishShipment(tx, 'created', created)
    await countShipped(tx, order, ofLines, countsOf(shipped, 1))
    return created
  })
}

/** The postal columns of an address. */
const postal = (address: PostalAddress): PostalAddress => ({
  first_name: address.first_name,
  last_name: address.last_name,
  company: address.company,
  street_1: address.street_1,
  street_2: address.street_2,
  city: address.city,
  state: address.state,
  zip: address.zip,
  country: address.country,
  country_iso2: address.country_iso2,
  phone: address.phone,
  email: address.email,
})

/** The id of the destination: the address of the order unless the request names another. @throws Problem 422 */
async function refuseOtherAddress(tx: Tx, { id }: OrderRow, wanted: number | undefined): Promise<number> {
  const found = await rowsOfOrders(tx, orderAddresses, [id])
  const address = wanted === undefined ? found[0] : found.find((one) => one.id === wanted)
  if (address) return address.id
  refuse({
    order_address_id:
      wanted === undefined ? 'This order is not shipped.' : `The order has no shipping address ${wanted}.`,
  })
  return 0
}

/** The items of a shipment: those in the request, or all that were not shipped yet. @throws Problem 422 with all mistakes */
function shippedItems(ofLines: readonly LineRow[], address_id: number, items: NewShipment['items']): Shipment['items'] {
  const mistakes: Mistakes = {}
  const open = new Map(
    ofLines.filter(({ order_address_id }) => order_address_id === address_id).map((line) => [line.id, line]),
  )
  const wanted =
    items ??
    [...open.values()].flatMap(({ id, quantity, quantity_shipped }) =>
      quantity > quantity_shipped ? [{ order_product_id: id, quantity: quantity - quantity_shipped }] : [],
    )
  if (wanted.length === 0) mistakes.items = 'Everything was shipped already.'
  const seen = new Set<number>()
  const shipped = wanted.flatMap(({ order_product_id, quantity }, i) => {
    const line = open.get(order_product_id)
    const at = (field: string) => `items.${i}.${field}`
    if (!line) {
      mistakes[at('order_product_id')] = `No product ${order_product_id} is shipped to this address.`
      return []
    }
    if (seen.has(order_product_id)) mistakes[at('order_product_id')] = 'Another item has this order_product_id.'
    seen.add(order_product_id)
    const left = line.quantity - line.quantity_shipped
    if (quantity > left) mistakes[at('quantity')] = `${quantity} requested, ${left} left to ship.`
    return [{ order_product_id, product_id: line.product_id, quantity }]
  })
  refuse(mistakes)
  return shipped
}

/** The units of each line in items. @param sign 1 for shipped units, -1 for those of a deleted shipment */
function countsOf(items: Shipment['items'], sign: 1 | -1): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { order_product_id, quantity } of items)
    counts.set(order_product_id, (counts.get(order_product_id) ?? 0) + quantity * sign)
  return counts
}

/**
 * Adds shipped units to the lines and the order. Shipped units may change the status of the order, which moves its stock and publishes
 * events. The units of a deleted shipment change no status.
 * @param counts units by line, below 0 for those of a deleted shipment
 */
async function countShipped(tx: Tx, order: OrderRow, ofLines: readonly LineRow[], counts: ReadonlyMap<number, number>) {
  const counted = ofLines.map((line) => ({
    ...line,
    quantity_shipped: line.quantity_shipped + (counts.get(line.id) ?? 0),
  }))
  const isShipping = [...counts.values()].some((count) => count > 0)
  const shipped = [...counts].map(([id, count]) => ({ id, count }))
  await tx.rows(
    prepared(sql`
    update order_products set quantity_shipped = quantity_shipped + shipped.count
    from ${sql.table('shipped', shipped, { id: 'int', count: 'int' })}
    where order_products.store_id = ${tx.store.id} and order_products.id = shipped.id`),
  )
  const toSend = counted.filter(({ order_address_id }) => order_address_id > 0)
  const isAll = toSend.every(({ quantity, quantity_shipped }) => quantity === quantity_shipped)
  const now = toSeconds(tx.now)
  const after = {
    ...order,
    items_shipped: counted.reduce((sum, { quantity_shipped }) => sum + quantity_shipped, 0),
    ...(isShipping ? { date_shipped: now, status_id: statusAfter(isAll ? 'shipped' : 'shipped in part', order) } : {}),
  }
  await moveStock(tx, order, after, { lines: counted, areLinesChanged: false })
  const changed = await saveOrder(tx, order, after)
  await recordStatusChange(tx, order, changed)
  publishOrderChange(tx, order, changed)
}

/** Deletes shipments: their units can be shipped again. The order keeps its status (docs/contract/orders.md section 1). */
async function removeShipments(tx: Tx, order: OrderRow, deleted: readonly Shipment[]) {
  if (deleted.length === 0) return
  await removeAll(tx, shipments, sql`id = any(${deleted.map(({ id }) => id)})`)
  for (const shipment of deleted) publishShipment(tx, 'deleted', shipment)
  const items = deleted.flatMap((shipment) => shipment.items)
  await countShipped(tx, order, await rowsOfOrders(tx, lines, [order.id]), countsOf(items, -1))
}
