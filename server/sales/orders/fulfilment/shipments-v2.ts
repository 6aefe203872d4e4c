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
import { recordStatusChange } from '../writing/status-change.ts'

const { read, write } = access('orders')

/** Shipments of one order. */
const SHIPMENTS_MAX = 1_000

const Items = t.Array(t.Object({ order_product_id: Id, product_id: t.Integer(), quantity: t.Integer({ minimum: 1 }) }))

/** Something that was sent, as it is stored (docs/contract/orders.md section 8). */
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

/** How carriers are called who are known by a short name. */
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

const shipmentToAnswer = (shipment: Shipment): Static<typeof ShipmentV2> => ({
  ...shipment,
  date_created: dateV2(shipment.date_created),
  merchant_shipping_cost: textOf(unitsOf(shipment.merchant_shipping_cost)),
  shipping_provider_display_name: PROVIDERS[shipment.shipping_provider] ?? shipment.shipping_provider,
  generated_tracking_link: shipment.tracking_link,
})

/** What was sent of an order. */
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
        description: 'Without items, all that was not sent yet goes.',
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
        description: 'What it holds stays as it is.',
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

/** Told with the order's own events, in their order (docs/contract/webhooks.md section 6). */
function publishShipment(tx: Tx, deed: 'created' | 'updated' | 'deleted', { id, order_id }: Shipment) {
  publish(tx, `store/shipment/${deed}`, orderSubject({ id: order_id }), { type: 'shipment', id, orderId: order_id })
}

/**
 * Stores what is sent, counts it with the lines of the order, and brings the order to Partially Shipped or Shipped.
 * @throws Problem 404, 422 with all that is wrong, 403 past the shipments of an order
 */
export function createShipment(db: Db, order_id: number, { items, ...body }: NewShipment): Promise<Shipment> {
  return db.transaction(async (tx) => {
    const order = await lock(tx, orders, order_id)
    if (!canHandOver(order.status_id)) {
      refuse({ status_id: `An order can not be shipped in status ${statusName(order.status_id)}.` })
    }
    const { address_id, ofLines } = await tx.together(() => ({
      address_id: refuseOtherAddress(tx, order, body.order_address_id),
      ofLines: rowsOfOrders(tx, lines, [order_id]),
    }))
    const sent = sentItems(ofLines, address_id, items)
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
      items: sent,
    })
    if ((await countShipments(tx, order_id)) > SHIPMENTS_MAX) {
      throw new Problem(403, `An order can have at most ${SHIPMENTS_MAX} shipments.`)
    }
    publishShipment(tx, 'created', created)
    await countSent(tx, order, ofLines, sent, 1)
    return created
  })
}

/** An address without what else hangs on it. */
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

/** The address that is sent to: the order's own if none is named. @throws Problem 422 */
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

/** What goes: what the request names, or all that was not sent yet. @throws Problem 422 with all that is wrong */
function sentItems(ofLines: readonly LineRow[], address_id: number, items: NewShipment['items']): Shipment['items'] {
  const mistakes: Mistakes = {}
  const open = new Map(
    ofLines.filter(({ order_address_id }) => order_address_id === address_id).map((line) => [line.id, line]),
  )
  const wanted =
    items ??
    [...open.values()].flatMap(({ id, quantity, quantity_shipped }) =>
      quantity > quantity_shipped ? [{ order_product_id: id, quantity: quantity - quantity_shipped }] : [],
    )
  if (wanted.length === 0) mistakes.items = 'Everything was sent already.'
  const seen = new Set<number>()
  const sent = wanted.flatMap(({ order_product_id, quantity }, i) => {
    const line = open.get(order_product_id)
    const at = (field: string) => `items.${i}.${field}`
    if (!line) {
      mistakes[at('order_product_id')] = `Nothing with the id ${order_product_id} is sent to this address.`
      return []
    }
    if (seen.has(order_product_id)) mistakes[at('order_product_id')] = 'Another item is about this product.'
    seen.add(order_product_id)
    const left = line.quantity - line.quantity_shipped
    if (quantity > left) mistakes[at('quantity')] = `${quantity} are to be sent, and ${left} left.`
    return [{ order_product_id, product_id: line.product_id, quantity }]
  })
  refuse(mistakes)
  return sent
}

/**
 * Counts what is sent, or comes back, with the lines and the order. What is sent may lead to another status, which moves stock and is
 * told; what comes back leads to none.
 * @param sign 1 for what is sent, -1 for what comes back
 */
async function countSent(tx: Tx, order: OrderRow, ofLines: readonly LineRow[], sent: Shipment['items'], sign: 1 | -1) {
  const by = new Map<number, number>()
  for (const { order_product_id, quantity } of sent)
    by.set(order_product_id, (by.get(order_product_id) ?? 0) + quantity * sign)
  const counted = ofLines.map((line) => ({ ...line, quantity_shipped: line.quantity_shipped + (by.get(line.id) ?? 0) }))
  const moved = [...by].filter(([, count]) => count !== 0)
  await tx.rows(
    prepared(sql`
    update order_products set quantity_shipped = quantity_shipped + given.count
    from unnest(${moved.map(([id]) => id)}::int[], ${moved.map(([, count]) => count)}::int[]) as given (id, count)
    where order_products.store_id = ${tx.store.id} and order_products.id = given.id`),
  )
  const toSend = counted.filter(({ order_address_id }) => order_address_id > 0)
  const isAll = toSend.every(({ quantity, quantity_shipped }) => quantity === quantity_shipped)
  const now = toSeconds(tx.now)
  const after = {
    ...order,
    items_shipped: counted.reduce((sum, { quantity_shipped }) => sum + quantity_shipped, 0),
    ...(sign === 1 ? { date_shipped: now, status_id: statusAfter(isAll ? 'shipped' : 'shipped in part', order) } : {}),
  }
  await moveStock(tx, order, after, { lines: counted, areLinesChanged: false })
  const changed = await saveOrder(tx, order, after)
  await recordStatusChange(tx, order, changed)
  publishOrderChange(tx, order, changed)
}

/** Deletes shipments: what they held can be sent again. The order keeps its status (docs/contract/orders.md section 1). */
async function removeShipments(tx: Tx, order: OrderRow, gone: readonly Shipment[]) {
  if (gone.length === 0) return
  await removeAll(tx, shipments, sql`id = any(${gone.map(({ id }) => id)})`)
  for (const shipment of gone) publishShipment(tx, 'deleted', shipment)
  await countSent(
    tx,
    order,
    await rowsOfOrders(tx, lines, [order.id]),
    gone.flatMap(({ items }) => items),
    -1,
  )
}
