import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { lockAll } from '../../../core/rest/batch.ts'
import { parseDate, parseUnix, toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, IdList, Moment, nullable } from '../../../core/rest/input/fields.ts'
import { type ItemCheck, type Mistakes, refuse, repeated } from '../../../core/rest/input/mistakes.ts'
import { collection, Meta } from '../../../core/rest/lists/collection.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../../core/rest/lists/paging.ts'
import { change, differences, findWhere, insertAll, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { lockMethodsShared } from '../../../goods/pickup/methods.ts'
import { pickupSettings } from '../../../shop/settings/families/families.ts'
import { settingsOf } from '../../../shop/settings/families/family.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { canHandOver, isHandedOver, statusAfter, statusName } from '../arithmetic/order-status.ts'
import { type LineRow, lines, type OrderRow, orders, type PickupRow, pickupConsignments } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { pickedOf, pickupItems, Quantity } from '../stock/picked.ts'
import { readRequest } from '../writing/archive.ts'
import { moveOrder, touchOrder } from '../writing/move.ts'

const { read, write } = access('pickups')

const ENTRIES_MAX = 100
const ITEMS_MAX = 250
/** Most pickups of one order. */
const PICKUPS_MAX = 1_000

/** The contract has 64 bits. A JSON number holds 53 of them exactly. */
const MethodId = t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** A pickup as it is stored: units of an order that a customer has collected, or that wait for collection. */
const Pickup = t.Object({
  id: Id,
  order_id: Id,
  pickup_method_id: MethodId,
  ready_at: Moment,
  // The time at which all of it was collected. A partial collection is a pickup of its own.
  collected_at: nullable(Moment),
  created_at: Moment,
  updated_at: Moment,
})
type Pickup = Static<typeof Pickup>

export const orderPickups = collection('order_pickups', Pickup, { noun: 'pickup', filters: 'order_id:in id:in' })

const { order_id, pickup_method_id, ready_at, created_at, updated_at } = Pickup.properties
const PickupAnswer = t.Object(
  {
    id: Id,
    // The founding document's name for it.
    pickup_id: Id,
    order_id,
    pickup_method_id,
    ready_at,
    created_at,
    updated_at,
    pickup_items: t.Array(
      t.Object({
        id: Id,
        order_product_id: Id,
        quantity: Quantity,
        status: t.Enum(['AWAITING_COLLECTION', 'COLLECTED']),
        collected_at: nullable(Moment),
      }),
    ),
  },
  { title: 'OrderPickup' },
)

const Time = t.Unsafe<string | number>({
  type: ['string', 'number'],
  maxLength: 64,
  description: 'ISO 8601, or Unix seconds',
})
const OptionalTime = t.Unsafe<string | number | null>({
  type: ['string', 'number', 'null'],
  maxLength: 64,
  description: 'ISO 8601, or Unix seconds; null if nothing was collected yet',
})
const NewPickup = t.Object(
  {
    order_id: Id,
    pickup_method_id: MethodId,
    ready_at: Time,
    collected_at: t.Optional(OptionalTime),
    pickup_items: t.Array(t.Object({ order_product_id: Id, quantity: Quantity }), {
      minItems: 1,
      maxItems: ITEMS_MAX,
    }),
  },
  { title: 'NewOrderPickup' },
)
type NewPickup = Static<typeof NewPickup>
const PickupChanges = t.Object(
  {
    pickup_id: Id,
    id: t.Optional(t.Unknown({ description: 'Ignored: send pickup_id' })),
    ready_at: t.Optional(Time),
    collected_at: t.Optional(OptionalTime),
  },
  { title: 'OrderPickupChanges' },
)
type PickupChanges = Static<typeof PickupChanges>

const newExample = {
  order_id: 1,
  pickup_method_id: 1,
  ready_at: '2026-05-04T09:00:00Z',
  pickup_items: [{ order_product_id: 1, quantity: 1 }],
}

const ListQuery = t.Object(
  { 'order_id:in': t.Optional(IdList), 'pickup_id:in': t.Optional(IdList), ...paging },
  { additionalProperties: false },
)
const GoneQuery = t.Object({ 'id:in': IdList }, { additionalProperties: false, examples: [{ 'id:in': '1' }] })

const answersPickups = { response: { 200: t.Object({ data: t.Array(PickupAnswer), meta: Meta }) } }

/** Routes of pickups (docs/contract/pickup.md sections 4 to 6). */
export function orderPickupRoutes(api: Api) {
  const all = '/orders/pickups'

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the pickups of orders',
        querystring: ListQuery,
        response: { 200: t.Object({ data: t.Array(PickupAnswer), meta: PageMeta }) },
      },
    },
    async ({ db, query: { page = 1, limit = 50, 'order_id:in': orderIds, 'pickup_id:in': ids } }) => {
      const filters = { ...(orderIds ? { 'order_id:in': orderIds } : {}), ...(ids ? { 'id:in': ids } : {}) }
      const { data, meta } = await findRows(db, orderPickups, { ...filters, page, limit })
      return answer(await toAnswers(db, data), meta)
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create pickups of orders',
        description: 'Either all are stored or none. With collected_at, the items were collected already.',
        body: t.Array(NewPickup, { minItems: 1, maxItems: ENTRIES_MAX, examples: [[newExample]] }),
        ...answersPickups,
      },
    },
    async ({ db, body }) => answer(await createPickups(db, body)),
  )

  api.put(
    all,
    {
      ...write,
      schema: {
        summary: 'Change pickups of orders',
        description: 'Either all changes are stored or none. collected_at null means that nothing was collected yet.',
        body: t.Array(PickupChanges, {
          minItems: 1,
          maxItems: ENTRIES_MAX,
          examples: [[{ pickup_id: 1, ready_at: '2026-05-04T10:00:00Z' }]],
        }),
        ...answersPickups,
      },
    },
    async ({ db, body }) => answer(await changePickups(db, body)),
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete pickups of orders',
        description: 'Their items can be in other pickups afterwards.',
        querystring: GoneQuery,
      },
    },
    async ({ db, query: { 'id:in': ids } }) => {
      await deletePickups(db, ids)
      return noContent()
    },
  )
}

/** Pickups with their items. */
async function toAnswers(db: Db, rows: readonly Partial<Pickup>[]): Promise<object[]> {
  const ids = rows.flatMap(({ id }) => id ?? [])
  const items = ids.length === 0 ? [] : await findWhere(db, pickupItems, sql`pickup_id = any(${ids})`)
  const itemsBy = Map.groupBy(items, ({ pickup_id }) => pickup_id)
  return rows.map(({ id = 0, collected_at = null, ...pickup }) => ({
    id,
    pickup_id: id,
    ...pickup,
    pickup_items: (itemsBy.get(id) ?? []).map((item) => ({
      id: item.id,
      order_product_id: item.order_product_id,
      quantity: item.quantity,
      status: collected_at === null ? 'AWAITING_COLLECTION' : 'COLLECTED',
      collected_at,
    })),
  }))
}

/** An order with the data that its pickups depend on. */
interface Collected {
  order: OrderRow
  lines: ReadonlyMap<number, LineRow>
  consignment: PickupRow | undefined
  /** The units of each line that are in pickups, including those of this request. */
  picked: Map<number, number>
  pickupCount: number
  rules: Static<typeof pickupSettings.shape>
}

/** Locks orders in the order of their ids, and reads the data that their pickups depend on. @returns the existing ones, by id */
async function lockOrders(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Collected>> {
  const found = await lockAll(tx, orders, ids)
  const foundIds = [...found.keys()]
  const { ofLines, ofConsignments, ofItems, ofPickups } = await tx.together(() => ({
    ofLines: rowsOfOrders(tx, lines, foundIds),
    ofConsignments: rowsOfOrders(tx, pickupConsignments, foundIds),
    ofItems: rowsOfOrders(tx, pickupItems, foundIds),
    ofPickups: rowsOfOrders(tx, orderPickups, foundIds),
  }))
  const rulesBy = new Map<number, Collected['rules']>()
  for (const { channel_id } of found.values()) {
    if (!rulesBy.has(channel_id)) rulesBy.set(channel_id, await settingsOf(tx, pickupSettings, channel_id))
  }
  const linesBy = Map.groupBy(ofLines, ({ order_id }) => order_id)
  const itemsBy = Map.groupBy(ofItems, ({ order_id }) => order_id)
  const pickupsBy = Map.groupBy(ofPickups, ({ order_id }) => order_id)
  const collected = new Map<number, Collected>()
  for (const order of found.values()) {
    const rules = rulesBy.get(order.channel_id)
    if (!rules) continue
    collected.set(order.id, {
      order,
      lines: new Map((linesBy.get(order.id) ?? []).map((line) => [line.id, line])),
      consignment: ofConsignments.find(({ order_id }) => order_id === order.id),
      picked: pickedOf(itemsBy.get(order.id) ?? []),
      pickupCount: pickupsBy.get(order.id)?.length ?? 0,
      rules,
    })
  }
  return collected
}

/** @throws Problem 422 with all mistakes, 403 past the maximum */
export async function createPickups(db: Db, bodies: readonly NewPickup[]) {
  return db.transaction(async (tx) => {
    const ofOrders = await lockOrders(
      tx,
      bodies.map(({ order_id }) => order_id),
    )
    const until = await readRequest(tx)
    const methods = await lockMethodsShared(
      tx,
      bodies.map(({ pickup_method_id }) => pickup_method_id),
    )
    const mistakes: Mistakes = {}
    const times = bodies.map((body, i) => {
      const at = (field: string) => `${i}.${field}`
      const collected = ofOrders.get(body.order_id)
      const method = methods.get(body.pickup_method_id)
      if (!method) mistakes[at('pickup_method_id')] = `pickup method ${body.pickup_method_id} not found`
      if (!collected || collected.order.is_deleted || body.order_id <= until)
        mistakes[at('order_id')] = `order ${body.order_id} not found`
      else checkEntry(body, collected, method, { at, mistakes })
      return timesOf(body, undefined, at, mistakes)
    })
    refuse(mistakes)

    const ids = await takeIds(tx, [
      [orderPickups, bodies.length],
      [pickupItems, bodies.reduce((sum, { pickup_items }) => sum + pickup_items.length, 0)],
    ])
    const now = toSeconds(tx.now)
    const rows = bodies.map(({ order_id, pickup_method_id }, i) => ({
      id: ids.next(orderPickups),
      order_id,
      pickup_method_id,
      ready_at: now,
      collected_at: null,
      ...times[i],
      created_at: now,
      updated_at: now,
    }))
    const itemRows = bodies.flatMap(({ order_id, pickup_items }, i) =>
      pickup_items.map((item) => ({ ...item, id: ids.next(pickupItems), order_id, pickup_id: rows[i]?.id ?? 0 })),
    )
    const { created } = await tx.together(() => ({
      created: insertAll(tx, orderPickups, rows),
      items: insertAll(tx, pickupItems, itemRows),
    }))
    for (const one of ofOrders.values()) {
      const count = one.pickupCount + rows.filter(({ order_id }) => order_id === one.order.id).length
      if (count > PICKUPS_MAX) throw new Problem(403, `An order can have at most ${PICKUPS_MAX} pickups.`)
      await moveByPickups(tx, one)
    }
    return toAnswers(tx, created)
  })
}

/** Checks an entry and adds its units to those of the order, so that later entries find fewer left. */
function checkEntry(
  { pickup_items }: NewPickup,
  { order, lines, consignment, picked, rules }: Collected,
  method: { location_id: number } | undefined,
  { at, mistakes }: ItemCheck,
) {
  if (!canHandOver(order.status_id)) {
    mistakes[at('order_id')] = `order cannot be picked up in status ${statusName(order.status_id)}`
  }
  const place = consignment?.location.id
  if (method && place !== undefined && method.location_id !== place && !rules.allow_pickup_elsewhere) {
    mistakes[at('pickup_method_id')] = `the order is picked up at location ${place}, not at ${method.location_id}`
  }
  Object.assign(
    mistakes,
    repeated(
      pickup_items,
      ({ order_product_id }) => String(order_product_id),
      (i) => at(`pickup_items.${i}.order_product_id`),
      'Another item has this order_product_id.',
    ),
  )
  for (const [i, { order_product_id, quantity }] of pickup_items.entries()) {
    const field = (name: string) => at(`pickup_items.${i}.${name}`)
    const line = lines.get(order_product_id)
    if (!line) {
      mistakes[field('order_product_id')] = `the order has no product ${order_product_id}`
    } else if (!isCollectable(line, consignment)) {
      mistakes[field('order_product_id')] = `product ${order_product_id} of the order is not picked up`
    } else {
      const left = line.quantity - (picked.get(line.id) ?? 0)
      if (quantity > left) mistakes[field('quantity')] = `${quantity} requested, ${left} left to pick up`
      else picked.set(line.id, line.quantity - left + quantity)
    }
  }
}

/** Whether a line can be collected: physical products can, and only those of the pickup consignment if the order has one. */
const isCollectable = ({ type, order_pickup_method_id }: LineRow, consignment: PickupRow | undefined): boolean =>
  type === 'physical' && (!consignment || order_pickup_method_id === consignment.id)

/** Reads the times of a pickup. @param before the pickup that changes */
function timesOf(
  body: Pick<PickupChanges, 'ready_at' | 'collected_at'>,
  before: Pickup | undefined,
  at: (field: string) => string,
  mistakes: Mistakes,
): Pick<Pickup, 'ready_at' | 'collected_at'> {
  const read = (field: 'ready_at' | 'collected_at', value: string | number | null | undefined) => {
    if (value === undefined) return before?.[field] ?? null
    if (value === null) return null
    const time = timeIn(value)
    if (time === undefined) mistakes[at(field)] = `${field} must be a time: ISO 8601, or Unix seconds.`
    return time ?? null
  }
  const ready_at = read('ready_at', body.ready_at) ?? ''
  const collected_at = read('collected_at', body.collected_at)
  if (ready_at === '') mistakes[at('ready_at')] ??= 'error.path.missing'
  if (before && before.collected_at !== null && collected_at !== null && ready_at !== before.ready_at) {
    mistakes[at('ready_at')] ??= "ready_at can't change after the pickup was collected."
  }
  if (collected_at !== null && ready_at !== '' && Date.parse(collected_at) < Date.parse(ready_at)) {
    mistakes[at('collected_at')] ??= 'collected_at must not be before ready_at.'
  }
  return { ready_at, collected_at }
}

/** Returns a time as columns have it; undefined if malformed. */
function timeIn(value: string | number): string | undefined {
  const text = String(value)
  const moment = parseUnix(text) ?? (typeof value === 'number' ? undefined : parseDate(text))
  return moment && !moment.wholeDay ? toSeconds(moment.at) : undefined
}

/** @throws Problem 422 with all mistakes */
function changePickups(db: Db, bodies: readonly PickupChanges[]) {
  return db.transaction(async (tx) => {
    const wanted = bodies.map(({ pickup_id }) => pickup_id)
    const { before, ofOrders } = await lockPickups(tx, wanted)
    const mistakes: Mistakes = repeated(
      bodies,
      ({ pickup_id }) => String(pickup_id),
      (i) => `${i}.pickup_id`,
      'Another item has this pickup_id.',
    )
    const changes = bodies.flatMap((body, i) => {
      const at = (field: string) => `${i}.${field}`
      const pickup = before.get(body.pickup_id)
      if (!pickup) {
        mistakes[at('pickup_id')] = `pickup ${body.pickup_id} not found`
        return []
      }
      if (body.ready_at === undefined && body.collected_at === undefined) {
        mistakes[at('ready_at')] = 'Send ready_at or collected_at.'
      }
      return [{ pickup, times: timesOf(body, pickup, at, mistakes) }]
    })
    refuse(mistakes)
    const stored: Pickup[] = []
    const changedOrders = new Set<number>()
    for (const { pickup, times } of changes) {
      if (Object.keys(differences(pickup, times)).length === 0) stored.push(pickup)
      else {
        stored.push(await change(tx, orderPickups, pickup, { ...times, updated_at: toSeconds(tx.now) }))
        changedOrders.add(pickup.order_id)
      }
    }
    for (const one of ofOrders.values()) if (changedOrders.has(one.order.id)) await moveByPickups(tx, one)
    return toAnswers(tx, stored)
  })
}

/** Locks the orders of pickups, then the pickups. Every change of either locks the order first. */
async function lockPickups(tx: Tx, ids: readonly number[]) {
  const found = await tx.rows<{ order_id: number }>(sql`
    select distinct order_id from order_pickups where store_id = ${tx.store.id} and id = any(${ids})`)
  const orderIds = found.map(({ order_id }) => order_id)
  const ofOrders = await lockOrders(tx, orderIds)
  return { before: await lockAll(tx, orderPickups, ids), ofOrders }
}

/** Unknown ids are skipped, so that a DELETE can be repeated. */
async function deletePickups(db: Db, ids: readonly number[]) {
  await db.transaction(async (tx) => {
    const { before, ofOrders } = await lockPickups(tx, ids)
    const gone = [...before.keys()]
    if (gone.length === 0) return
    await tx.together(() => [
      removeAll(tx, pickupItems, sql`pickup_id = any(${gone})`),
      removeAll(tx, orderPickups, sql`id = any(${gone})`),
    ])
    // The order keeps its status, as after the deletion of a shipment.
    for (const { order } of ofOrders.values()) await touchOrder(tx, order)
  })
}

/** Publishes that the pickups of an order have changed, and moves the order to the status that the settings demand. */
async function moveByPickups(tx: Tx, { order, lines, consignment, picked, rules }: Collected) {
  const isAll = [...lines.values()].every(
    (line) => !isCollectable(line, consignment) || picked.get(line.id) === line.quantity,
  )
  const isOpen = isAll && canHandOver(order.status_id) && !isHandedOver(order.status_id)
  const isCompleted = isOpen && rules.complete_on_collection && !(await hasWaiting(tx, order.id))
  const happening = isCompleted ? 'collected' : isOpen && rules.pickup_sets_status ? 'to be collected' : undefined
  const status_id = happening ? statusAfter(happening, order) : order.status_id
  if (status_id === order.status_id) await touchOrder(tx, order)
  else await moveOrder(tx, order, { status_id })
}

async function hasWaiting(tx: Tx, order_id: number): Promise<boolean> {
  const waiting = await tx.maybeRow(sql`
    select id from order_pickups where store_id = ${tx.store.id} and order_id = ${order_id} and collected_at is null limit 1`)
  return waiting !== undefined
}
