import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { keepIds } from '../../../core/rest/batch.ts'
import { hasAny, type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import type { Collection, RowWithId } from '../../../core/rest/lists/collection.ts'
import { change, differences, insertAll, type NewRow, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { customers } from '../../../customers/row/shape.ts'
import { findSold } from '../../../goods/catalog/sold.ts'
import { knownChannels } from '../../../shop/channels/channels.ts'
import { billOf, taxesOf, wrappingOfLines } from '../calculation/bill.ts'
import { LINES_MAX, type LineChanges, type OrderChanges } from '../calculation/bodies.ts'
import { costsOf, defined, type FeeDraft, feeOf, fieldsIn, refuseHalves, totalsIn } from '../calculation/charges.ts'
import {
  type At,
  changedLine,
  inCurrency,
  type LineDraft,
  namesOtherThing,
  newLine,
  thingOf,
  USED,
} from '../calculation/lines.ts'
import { changedAddress } from '../calculation/postal-address.ts'
import {
  type AddressRow,
  addresses,
  type FeeRow,
  fees,
  type LineRow,
  lines,
  type OrderRow,
  type PickupRow,
  pickups,
  taxes,
} from '../row/rows.ts'
import { moveStock } from '../stock/holds.ts'
import { pickedOf, pickupItems } from '../stock/picked.ts'
import { saveOrder } from '../stock/spans.ts'
import { lockOrder } from './archive.ts'
import { shippingCosts } from './create.ts'
import { tellOfChange, tellOfOrder } from './events.ts'
import { pickupOf } from './place.ts'
import { noteStatusChange } from './status-change.ts'

/** The rows of one kind that orders have, in the order of their ids. */
export const partsOfOrders = <Row extends RowWithId>(
  db: Db,
  { table, columns }: Collection<Row>,
  orderIds: readonly number[],
): Promise<Row[]> =>
  db.rows<Row>(
    prepared(sql`
    select ${sql.join(columns.map(sql.id))} from ${sql.id(table)}
    where store_id = ${db.store.id} and order_id = any(${orderIds}) order by order_id, id`),
  )

interface Whole {
  order: OrderRow
  lines: LineRow[]
  addresses: AddressRow[]
  fees: FeeRow[]
  pickups: PickupRow[]
  /** How many of each line are in pickups. */
  picked: ReadonlyMap<number, number>
}

/** An order with all that a change of it may be about; it is locked. @throws Problem 404 */
async function lockWhole(tx: Tx, id: number): Promise<Whole> {
  const order = await lockOrder(tx, id)
  const [ofLines, ofAddresses, ofFees, ofPickups, picked] = await tx.together(() => [
    partsOfOrders(tx, lines, [id]),
    partsOfOrders(tx, addresses, [id]),
    partsOfOrders(tx, fees, [id]),
    partsOfOrders(tx, pickups, [id]),
    partsOfOrders(tx, pickupItems, [id]),
  ])
  return {
    order,
    lines: ofLines,
    addresses: ofAddresses,
    fees: ofFees,
    pickups: ofPickups,
    picked: pickedOf(picked),
  }
}

/**
 * Changes an order and what hangs on it, moves its stock, and tells it (docs/contract/orders.md section 4).
 * @throws Problem 404, 422 with all that is wrong
 */
export function changeOrder(db: Db, id: number, body: OrderChanges): Promise<OrderRow> {
  refuseStatusName(body)
  return db.transaction(async (tx) => {
    const before = await lockWhole(tx, id)
    return storeChanges(tx, before, await judgeChanges(tx, before, body))
  })
}

/** A body that says nothing but the name of a status would change nothing, silently. */
function refuseStatusName({ status, ...others }: OrderChanges) {
  if (status !== undefined && Object.keys(others).length === 0) {
    refuse({ status: 'status is read-only: write status_id.' })
  }
}

type ChangeDraft = Awaited<ReturnType<typeof judgeChanges>>

/** What the order is to become. Nothing is stored yet. */
async function judgeChanges(tx: Tx, before: Whole, body: OrderChanges) {
  const mistakes: Mistakes = {}
  const { order } = before
  refuseHalves(body, mistakes)
  refuseWriteOnce(order, body, mistakes)
  refuseWrongKinds(before, body, mistakes)
  const inputs = inputsOf(body)
  refuseRepeats(inputs, mistakes)
  refuse(mistakes)

  const known = new Map(before.lines.map((line) => [line.id, line]))
  const things = inputs.filter(({ input }) => {
    const line = known.get(input.id ?? 0)
    return input.quantity !== 0 && (input.id === undefined || (line !== undefined && namesOtherThing(line, input)))
  })
  const customer = body.customer_id ?? 0
  const [found, channels, customerIds] = await tx.together(() => [
    findSold(
      tx,
      things.flatMap(({ input }) => thingOf({ ...lineNames(known.get(input.id ?? 0)), ...input }) ?? []),
    ),
    knownChannels(tx, body.channel_id === undefined ? [] : [body.channel_id]),
    keepIds(tx, customers, customer > 0 ? [customer] : []),
  ])
  const sold = inCurrency(found, order)
  if (body.channel_id !== undefined && body.channel_id !== order.channel_id && !channels.has(body.channel_id)) {
    mistakes.channel_id = `The channel ${body.channel_id} does not exist.`
  }
  if (customer > 0 && customer !== order.customer_id && !customerIds.has(customer)) {
    mistakes.customer_id = `The customer ${customer} does not exist.`
  }

  const drafts: LineDraft[] = []
  const changes = new Map(
    inputs.flatMap(({ input, at }) => (input.id === undefined ? [] : [[input.id, { input, at }]])),
  )
  for (const line of before.lines) {
    const { input, at } = changes.get(line.id) ?? {}
    const picked = before.picked.get(line.id) ?? 0
    if (!input || !at) drafts.push(line)
    else if (picked > 0 && ((input.quantity ?? picked) < picked || namesOtherThing(line, input))) {
      mistakes[at('quantity')] = `${picked} of it are in pickups: delete those first.`
    } else if (input.quantity === 0) refuseUsed(line, at, mistakes)
    else {
      const product = sold.get(input.product_id ?? line.product_id)
      const draft = changedLine(line, input, product, at, mistakes)
      if (draft) drafts.push(draft)
    }
  }
  for (const { input, at } of inputs) {
    if (input.id !== undefined) {
      if (!known.has(input.id)) mistakes[at('id')] = `The order has no product ${input.id}.`
      continue
    }
    const draft = newLine(input, sold.get(input.product_id ?? 0), at, mistakes)
    if (draft) drafts.push(draft)
  }
  if (inputs.length > 0 && drafts.length === 0 && !hasAny(mistakes))
    mistakes.products ??= 'An order needs at least one product.'
  if (drafts.length > LINES_MAX) mistakes.products ??= `An order can have at most ${LINES_MAX} products.`

  const newFees = body.fees === undefined ? before.fees : feesIn(before, body.fees, mistakes)
  const [address] = await addressIn(before, body, mistakes)
  const pickup = await pickupIn(tx, before, body, mistakes)
  const billing = changedAddress(
    order.billing_address,
    body.billing_address ?? {},
    (field) => `billing_address.${field}`,
    mistakes,
  )
  refuse(mistakes)
  const areLinesChanged = areOthers(before.lines, drafts)
  const charges = {
    ...order,
    ...(areLinesChanged ? wrappingBy(order, before.lines, drafts) : {}),
    ...costsOf(body),
    ...defined({ discount_amount: body.discount_amount }),
  }
  // Totals that were set by hand stay, as long as nothing changes that they are made of.
  const isBilledAnew = areLinesChanged || areOthers(before.fees, newFees) || areOthers([order], [charges])
  const bill = isBilledAnew ? billOf(charges, drafts, newFees, mistakes) : undefined
  refuse(mistakes)
  const after: OrderRow = {
    ...charges,
    ...(bill?.totals ?? {}),
    ...totalsIn(body),
    ...fieldsIn(body),
    ...addressesOfNet(order, body),
    billing_address: billing,
    email: billing.email,
    is_deleted: body.is_deleted ?? order.is_deleted,
    items_total: drafts.reduce((sum, { quantity }) => sum + quantity, 0),
    order_is_digital: drafts.every(({ type }) => type === 'digital'),
  }
  return { after, drafts: bill?.lines ?? drafts, newFees, address, pickup, areLinesChanged, isBilledAnew }
}

/** Whether rows are to be others than they were: a new one has no id. */
function areOthers(before: readonly RowWithId[], after: readonly { id?: number }[]): boolean {
  const known = new Map(before.map((row) => [row.id, row]))
  if (before.length !== after.length) return true
  return after.some((row) => Object.keys(differences(known.get(row.id ?? 0) ?? {}, row)).length > 0)
}

interface Input {
  input: LineChanges
  at: At
}

/** The entries about lines, each with the place where it stands. */
function inputsOf({ products = [], consignments }: OrderChanges): Input[] {
  const [pickup] = consignments?.pickups ?? []
  return [
    ...products.map((input, i) => ({ input, at: (field: string) => `products.${i}.${field}` })),
    ...(pickup?.line_items ?? []).map((input, i) => ({
      input,
      at: (field: string) => `consignments.pickups.0.line_items.${i}.${field}`,
    })),
  ]
}

function refuseRepeats(inputs: readonly Input[], mistakes: Mistakes) {
  const seen = new Set<number>()
  for (const { input, at } of inputs) {
    if (input.id === undefined) continue
    if (seen.has(input.id)) mistakes[at('id')] = 'Another item has this id.'
    seen.add(input.id)
  }
}

function refuseWriteOnce(order: OrderRow, { external_merchant_id, is_deleted }: OrderChanges, mistakes: Mistakes) {
  if (external_merchant_id !== undefined && external_merchant_id !== order.external_merchant_id) {
    mistakes.external_merchant_id = 'external_merchant_id is written when an order is created, and never again.'
  }
  if (is_deleted === false && order.is_deleted) mistakes.is_deleted = 'An archived order stays archived.'
}

/** What is collected is not shipped; products of a pickup are its line_items. */
function refuseWrongKinds({ pickups, addresses }: Whole, body: OrderChanges, mistakes: Mistakes) {
  const isCollected = pickups.length > 0
  if (isCollected && body.products !== undefined)
    mistakes.products = 'The products of this order are line_items of its pickup.'
  if (isCollected && body.shipping_addresses !== undefined)
    mistakes.shipping_addresses = 'What is collected is not shipped.'
  if (!isCollected && body.consignments && body.consignments.pickups.length > 0)
    mistakes.consignments = 'This order is not collected.'
  const [input] = body.shipping_addresses ?? []
  if (!input || isCollected) return
  const [address] = addresses
  if (!address) mistakes.shipping_addresses = 'This order is not shipped.'
  else if (input.id !== undefined && input.id !== address.id) {
    mistakes['shipping_addresses.0.id'] = `The order has no shipping address ${input.id}.`
  }
}

/** What a line is, for a change that says only a part of it. */
const lineNames = (line: LineRow | undefined) => (line ? { product_id: line.product_id } : {})

function refuseUsed({ quantity_shipped, quantity_refunded }: LineRow, at: At, mistakes: Mistakes) {
  if (quantity_shipped + quantity_refunded > 0) mistakes[at('quantity')] = USED
}

/** Fees are replaced: one with an id stays and may change, one without is new, one that is missing goes. */
function feesIn(before: Whole, given: NonNullable<OrderChanges['fees']>, mistakes: Mistakes): FeeDraft[] {
  const known = new Map(before.fees.map((fee) => [fee.id, fee]))
  const seen = new Set<number>()
  return given.map((input, i) => {
    const at = (field: string) => `fees.${i}.${field}`
    const fee = input.id === undefined ? undefined : known.get(input.id)
    if (input.id !== undefined && !fee) mistakes[at('id')] = `The order has no fee ${input.id}.`
    if (input.id !== undefined && seen.has(input.id)) mistakes[at('id')] = 'Another item has this id.'
    seen.add(input.id ?? 0)
    return feeOf(input, fee, at, mistakes)
  })
}

async function addressIn(
  { addresses: [address] }: Whole,
  body: OrderChanges,
  mistakes: Mistakes,
): Promise<AddressRow[]> {
  const [input] = body.shipping_addresses ?? []
  if (!address) return []
  if (!input) return [address]
  const { id: _, shipping_method = address.shipping_method, ...fields } = input
  const at: At = (field) => `shipping_addresses.0.${field}`
  return [{ ...address, ...changedAddress(address, fields, at, mistakes), shipping_method }]
}

async function pickupIn(tx: Tx, { pickups: [pickup] }: Whole, body: OrderChanges, mistakes: Mistakes) {
  const [input] = body.consignments?.pickups ?? []
  if (!pickup || !input) return pickup
  const at: At = (field) => `consignments.pickups.0.${field}`
  if (input.id !== pickup.id) {
    mistakes[at('id')] = `The order has no pickup consignment ${input.id}.`
    return pickup
  }
  const { id: _, line_items: __, pickup_method_id = pickup.pickup_method_id, location, ...texts } = input
  if (pickup_method_id === pickup.pickup_method_id) {
    return { ...pickup, ...defined(texts), location: { ...pickup.location, ...defined(location ?? {}) } }
  }
  const other = await pickupOf(tx, { ...texts, pickup_method_id, ...(location ? { location } : {}) }, at, mistakes)
  // The stock of an order is at the location where it is collected.
  if (other && other.location.id !== pickup.location.id) {
    mistakes[at('pickup_method_id')] = `The order is collected at the location ${pickup.location.id}.`
  }
  return other ? { ...pickup, ...other } : pickup
}

/** Where the wrapping of an order costs what that of its lines does, it follows them. */
function wrappingBy(order: OrderRow, before: readonly LineRow[], after: readonly LineDraft[]): Partial<OrderRow> {
  const [was, is] = [wrappingOfLines(before), wrappingOfLines(after)]
  const follows =
    was.wrapping_cost_ex_tax === order.wrapping_cost_ex_tax && was.wrapping_cost_inc_tax === order.wrapping_cost_inc_tax
  return follows ? { ...is, base_wrapping_cost: is.wrapping_cost_ex_tax } : {}
}

/** An order has an address of one kind: setting one clears the other. */
function addressesOfNet(order: OrderRow, { ip_address, ip_address_v6 }: OrderChanges) {
  if (ip_address !== undefined && ip_address !== order.ip_address) return { ip_address, ip_address_v6: '' }
  if (ip_address_v6 !== undefined && ip_address_v6 !== order.ip_address_v6) return { ip_address: '', ip_address_v6 }
  return {}
}

async function storeChanges(tx: Tx, before: Whole, draft: ChangeDraft): Promise<OrderRow> {
  const { order } = before
  const { drafts, newFees, address, pickup, areLinesChanged, isBilledAnew } = draft
  // What became physical has to go somewhere.
  const isNewlyShipped = !pickup && !address && drafts.some(({ type }) => type === 'physical')
  const after = isNewlyShipped ? { ...draft.after, shipping_address_count: 1 } : draft.after
  const fresh = drafts.filter(({ id }) => id === undefined)
  const freshFees = newFees.filter(({ id }) => id === undefined)
  const taxCount = isBilledAnew
    ? taxesOf(
        after,
        drafts.map((line) => ({ ...line, id: 0 })),
      ).length
    : 0
  const ids = await takeIds(tx, [
    [lines, fresh.length],
    [addresses, isNewlyShipped ? 1 : 0],
    [fees, freshFees.length],
    [taxes, taxCount],
  ])
  const address_id = isNewlyShipped ? ids.next(addresses) : (address?.id ?? 0)
  const rows = drafts.map((line) => ({
    ...line,
    id: line.id ?? ids.next(lines),
    order_id: order.id,
    order_pickup_method_id: pickup?.id ?? 0,
    order_address_id: line.type === 'physical' ? address_id : 0,
  }))
  const feeRows = newFees.map((fee) => ({ ...fee, id: fee.id ?? ids.next(fees), order_id: order.id }))
  const costs = isBilledAnew ? shippingCosts(after) : {}
  const going = isNewlyShipped
    ? { ...after.billing_address, id: address_id, order_id: order.id, shipping_method: '', ...shippingCosts(after) }
    : address && { ...address, ...costs }
  const partsChanged = [
    await storeParts(tx, lines, before.lines, rows),
    await storeParts(tx, fees, before.fees, feeRows),
    await storeParts(tx, addresses, before.addresses, going ? [going] : []),
    await storeParts(tx, pickups, before.pickups, pickup ? [pickup] : []),
  ]
  if (isBilledAnew) {
    await removeAll(tx, taxes, sql`order_id = ${order.id}`)
    await insertAll(
      tx,
      taxes,
      taxesOf(after, rows).map((tax) => ({ ...tax, id: ids.next(taxes), order_id: order.id })),
    )
  }
  if (Object.keys(differences(order, after)).length === 0 && !partsChanged.includes(true)) return order
  await moveStock(tx, order, after, { lines: rows, areLinesChanged, pickup })
  const changed = await saveOrder(tx, order, after)
  await noteStatusChange(tx, order, changed)
  if (changed.is_deleted && !order.is_deleted) tellOfOrder(tx, 'archived', changed)
  else tellOfChange(tx, order, changed)
  return changed
}

/** Brings the rows of an order to what they are to be. @returns whether any is another one now */
async function storeParts<Row extends RowWithId>(
  tx: Tx,
  collection: Collection<Row>,
  before: readonly Row[],
  after: readonly (NewRow<Row> & RowWithId)[],
): Promise<boolean> {
  const known = new Map(before.map((row) => [row.id, row]))
  const kept = new Set(after.map(({ id }) => id))
  const gone = before.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  const fresh = after.filter(({ id }) => !known.has(id))
  const others = after.flatMap((row) => {
    const was = known.get(row.id)
    return was && Object.keys(differences(was, row)).length > 0 ? [{ was, row }] : []
  })
  await tx.together(() => [
    insertAll(tx, collection, fresh),
    gone.length > 0 ? removeAll(tx, collection, sql`id = any(${gone})`) : undefined,
    ...others.map(({ was, row }) => change(tx, collection, was, row)),
  ])
  return fresh.length + gone.length + others.length > 0
}
