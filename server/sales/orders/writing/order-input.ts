import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../../core/db/database.ts'
import { lockIdsShared } from '../../../core/rest/batch.ts'
import { type FieldPath, hasAny, type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import type { RowWithId } from '../../../core/rest/lists/collection.ts'
import { differences } from '../../../core/rest/lists/verbs.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { customers } from '../../../customers/row/shape.ts'
import { findSold, type SoldProduct } from '../../../goods/catalog/sold.ts'
import { findLocation } from '../../../goods/inventory/locations/location-shape.ts'
import { FIRST_LOCATION } from '../../../goods/stock/stock.ts'
import { knownChannels } from '../../../shop/channels/channels.ts'
import { gather, payingIn, type Shopper, type ShopperPrices } from '../../pricing/gather.ts'
import { type TaxTables, taxTables } from '../../tax/calculation/tables.ts'
import { saleFacts } from '../../tax/estimates/facts.ts'
import type { TaxQuotes } from '../../tax/estimates/quote.ts'
import { originOf } from '../../tax/estimates/sale.ts'
import { billOf, wrappingOfLines } from '../calculation/bill.ts'
import {
  type AddressInput,
  type FeeInput,
  LINES_MAX,
  type LineChanges,
  type NewPickup,
  type OrderFields,
  type ShippingAddressInput,
} from '../calculation/bodies.ts'
import {
  costsOf,
  defined,
  type FeeDraft,
  feeOf,
  fieldsIn,
  refuseIncompletePairs,
  totalsIn,
} from '../calculation/charges.ts'
import {
  type CheckedLine,
  changedLine,
  inCurrency,
  type LineDraft,
  namesAnotherItem,
  newLine,
  thingOf,
  USED,
} from '../calculation/lines.ts'
import { discountsAfter } from '../calculation/own-discounts.ts'
import { BLANK_ADDRESS, changedAddress } from '../calculation/postal-address.ts'
import { pricedLines, taxPlaces } from '../calculation/prices.ts'
import { isQuoted, type ProviderFacts, taxedByProvider } from '../calculation/provider-tax.ts'
import { saleAddressesOf, type TaxedPlaces } from '../calculation/sale-addresses.ts'
import type { FeeRow, LineRow, OrderAddressRow, OrderBillingAddress, OrderRow, PickupRow } from '../row/rows.ts'
import { type PickupDraft, pickupOf } from './pickup-draft.ts'

// Checks the input for an order, created or changed. A new order is checked as the change of a blank one without lines.

/** An order with its sub-resources. */
export interface WholeOrder {
  order: OrderRow
  lines: LineRow[]
  addresses: OrderAddressRow[]
  fees: FeeRow[]
  pickups: PickupRow[]
  /** The units of each line that are in pickups. */
  picked: ReadonlyMap<number, number>
}

/** Input for an order. Items without an id are new. */
export interface OrderInput extends OrderFields {
  is_deleted?: boolean
  billing_address?: AddressInput
  products?: readonly LineChanges[]
  shipping_addresses?: readonly (ShippingAddressInput & { id?: number })[]
  consignments?: { pickups: readonly PickupInput[] }
  fees?: readonly FeeInput[]
}

interface PickupInput extends Partial<Omit<NewPickup, 'line_items'>> {
  id?: number
  line_items?: readonly LineChanges[]
}

/** The shipping address of an order that is created or changed. The stored one has its costs and its id. */
type AddressDraft = OrderBillingAddress & Pick<OrderAddressRow, 'shipping_method'> & Partial<OrderAddressRow>

/** The input for a line, and the path of its fields in the body. */
interface LineInput {
  input: LineChanges
  at: FieldPath
}

/** The rows that an input refers to. */
interface References {
  sold: ReadonlyMap<number, SoldProduct>
  channels: ReadonlySet<number>
  customers: ReadonlySet<number>
  /** The pickup consignment with its changes. */
  pickup: PickupRow | PickupDraft | undefined
  /** The facts of prices. Undefined if the input has no line without prices, or the order has no currency. */
  gathered: ShopperPrices | undefined
  /** Undefined if no tax is to be calculated by a provider. */
  provider: ProviderFacts | undefined
}

/** The shopper of an order, and the currency that the order has already. */
export interface OrderShopper {
  shopper: Shopper
  agreed?: Pick<OrderRow, 'currency_code' | 'currency_exchange_rate'> & { decimal_places: number }
  /** Answers of the store's tax provider in this request. Without them the rates of the store apply. */
  quotes: TaxQuotes | undefined
}

/** Refuses mistakes of an input that need no lookup: incomplete pairs of amounts and repeated ids. */
export function refuseContradictions(input: OrderInput, mistakes: Mistakes) {
  refuseIncompletePairs(input, mistakes)
  const seen = new Set<number>()
  for (const { input: line, at } of lineInputsOf(input)) {
    if (line.id === undefined) continue
    if (seen.has(line.id)) mistakes[at('id')] = 'Another item has this id.'
    seen.add(line.id)
  }
}

/** The inputs for lines. Lines of an order that is collected are in its pickup. */
function lineInputsOf({ products = [], consignments }: OrderInput): LineInput[] {
  const [pickup] = consignments?.pickups ?? []
  const below = (list: string) => (input: LineChanges, i: number) => ({
    input,
    at: (field: string) => `${list}.${i}.${field}`,
  })
  return [
    ...products.map(below('products')),
    ...(pickup?.line_items ?? []).map(below('consignments.pickups.0.line_items')),
  ]
}

/** Reads the rows that an input refers to. @param before lines and pickup of the order, none of a new one */
export async function findReferences(
  tx: Tx,
  { lines, pickups, shopper, agreed, quotes }: Pick<WholeOrder, 'lines' | 'pickups'> & OrderShopper,
  input: OrderInput,
  mistakes: Mistakes,
): Promise<References> {
  const linesById = new Map(lines.map((line) => [line.id, line]))
  const wanted = lineInputsOf(input).flatMap(({ input: line }) => {
    const stored = linesById.get(line.id ?? 0)
    const isNew = line.id === undefined
    const isReplaced = stored && line.quantity !== 0 && namesAnotherItem(stored, line)
    const product = stored ? { product_id: stored.product_id } : {}
    const thing = isNew || isReplaced ? thingOf({ ...product, ...line }) : undefined
    return thing ? [{ thing, isPriced: line.price_ex_tax !== undefined }] : []
  })
  const unpriced = wanted.flatMap(({ thing, isPriced }) => (isPriced ? [] : [thing.product_id]))
  const { channel_id, customer_id = 0 } = input
  const { sold, prices, channels, customerIds, pickup } = await tx.together(() => ({
    sold: findSold(
      tx,
      wanted.map(({ thing }) => thing),
    ),
    prices: unpriced.length > 0 ? gather(tx, shopper, unpriced, agreed && { agreed }) : undefined,
    channels: knownChannels(tx, channel_id === undefined ? [] : [channel_id]),
    customerIds: lockIdsShared(tx, customers, customer_id > 0 ? [customer_id] : []),
    pickup: checkPickup(tx, pickups, input, mistakes),
  }))
  const gathered = prices?.gathered
  const mayBeAsked = gathered !== undefined || lines.some(isQuoted)
  const productIds = [...lines, ...wanted.map(({ thing }) => thing)].map(({ product_id }) => product_id)
  const ids = { customerId: shopper.customer_id, productIds }
  const provider = quotes && mayBeAsked ? await findProviderFacts(tx, quotes, gathered?.tax, ids) : undefined
  return { sold, channels, customers: customerIds, pickup, gathered, provider }
}

/** Reads the facts that the store's tax provider asks for; undefined if the store has none. @param known if they were read already */
async function findProviderFacts(
  tx: Tx,
  quotes: TaxQuotes,
  known: TaxTables | undefined,
  ids: Parameters<typeof saleFacts>[1],
): Promise<ProviderFacts | undefined> {
  const tables = known ?? (await taxTables(tx))
  if (!tables.provider) return undefined
  const { facts, location } = await tx.together(() => ({
    facts: saleFacts(tx, ids),
    location: findLocation(tx, FIRST_LOCATION),
  }))
  return { tables, quotes, facts, origin: originOf(location?.address) }
}

export type OrderDraft = ReturnType<typeof checkOrder>

/**
 * Checks an input, and returns the order and its sub-resources to store. Pure.
 * @param before the stored order, or a blank one in the currency of a new order
 * @throws Problem 422 with all mistakes
 */
export function checkOrder(before: WholeOrder, input: OrderInput, references: References, mistakes: Mistakes) {
  const { order } = before
  refuseUnknown(order, input, references, mistakes)
  const currency = payingIn({ ...order, decimal_places: order.currency_decimals })
  const checked = checkLines(before, lineInputsOf(input), inCurrency(references.sold, currency), mistakes)
  const fees = input.fees === undefined ? before.fees : checkFees(before, input.fees, mistakes)
  const address = checkAddress(before, input, mistakes)
  const billing = changedAddress(order.billing_address, input.billing_address ?? {}, {
    at: (field) => `billing_address.${field}`,
    mistakes,
  })
  refuse(mistakes)
  const { gathered, pickup } = references
  const places = taxPlaces(billing, address, pickup?.location)
  const priced = pricedLines(checked, { gathered, currency, places }, mistakes)
  refuse(mistakes)
  const isShared = input.discount_amount !== undefined && input.discount_amount !== order.discount_amount
  const discounted = isShared ? priced.map((line) => ({ ...line, applied_discounts: null })) : priced
  const areLinesChanged = areChanged(before.lines, discounted)
  const charges: OrderRow = {
    ...order,
    ...(areLinesChanged ? wrappingAfter(order, before.lines, discounted) : {}),
    ...discountsAfter(order, before.lines, priced),
    ...costsOf(input),
    ...defined({ discount_amount: input.discount_amount }),
  }
  // A provider taxes orders with one address. The lines of others keep the shares that they were taxed with.
  const provider = before.addresses.length > 1 ? undefined : references.provider
  // Totals that a client has set remain until something changes that they are calculated from.
  const toTax = { charges, fees, billing, address, collectedAt: pickup?.location }
  const isRebilled =
    areLinesChanged ||
    areChanged(before.fees, fees) ||
    areChanged([order], [charges]) ||
    (provider !== undefined && isTaxedElsewhere(before, toTax))
  const { lines, provider: tax_provider_id } =
    isRebilled && provider ? taxedByProvider(discounted, toTax, provider) : { lines: discounted, provider: undefined }
  const bill = isRebilled ? billOf(charges, lines, fees, mistakes) : undefined
  refuse(mistakes)
  const after: OrderRow = {
    ...charges,
    ...(bill?.totals ?? {}),
    ...totalsIn(input),
    ...defined({ tax_provider_id }),
    ...fieldsIn(input),
    ...ipAddressIn(order, input),
    billing_address: billing,
    email: billing.email,
    is_deleted: input.is_deleted ?? order.is_deleted,
    items_total: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    order_is_digital: lines.every(({ type }) => type !== 'physical'),
  }
  return {
    after,
    lines: bill?.lines ?? lines,
    fees,
    address,
    pickup,
    areLinesChanged,
    isRebilled,
  }
}

function refuseUnknown(order: OrderRow, input: OrderInput, references: References, mistakes: Mistakes) {
  const { channel_id = order.channel_id, customer_id = 0 } = input
  if (channel_id !== order.channel_id && !references.channels.has(channel_id)) {
    mistakes.channel_id = unknownId('channel', channel_id)
  }
  if (customer_id > 0 && customer_id !== order.customer_id && !references.customers.has(customer_id)) {
    mistakes.customer_id = unknownId('customer', customer_id)
  }
}

/** The lines of an order after a change: those that remain, then the new ones. */
function checkLines(
  { lines, picked }: WholeOrder,
  inputs: readonly LineInput[],
  sold: ReadonlyMap<number, SoldProduct>,
  mistakes: Mistakes,
): CheckedLine[] {
  const ids = new Set(lines.map(({ id }) => id))
  const changes = new Map(inputs.map((change) => [change.input.id ?? 0, change]))
  const remaining = lines.flatMap((line): CheckedLine[] => {
    const change = changes.get(line.id)
    if (!change) return [{ line }]
    const { input, at } = change
    const count = picked.get(line.id) ?? 0
    if (count > 0 && ((input.quantity ?? count) < count || namesAnotherItem(line, input))) {
      mistakes[at('quantity')] = `${count} of it are in pickups: delete those first.`
      return []
    }
    if (input.quantity === 0) {
      if (line.quantity_shipped + line.quantity_refunded > 0) mistakes[at('quantity')] = USED
      return []
    }
    const checked = changedLine(line, input, sold.get(input.product_id ?? line.product_id), { at, mistakes })
    return checked ? [checked] : []
  })
  const added = inputs.flatMap(({ input, at }): CheckedLine[] => {
    if (input.id === undefined) {
      const checked = newLine(input, sold.get(input.product_id ?? 0), { at, mistakes })
      return checked ? [checked] : []
    }
    if (!ids.has(input.id)) mistakes[at('id')] = `The order has no product ${input.id}.`
    return []
  })
  const after = [...remaining, ...added]
  if (inputs.length > 0 && after.length === 0 && !hasAny(mistakes))
    mistakes.products ??= 'An order needs at least one product.'
  if (after.length > LINES_MAX) mistakes.products ??= `An order can have at most ${LINES_MAX} products.`
  return after
}

/** Fees are replaced: one with an id may change, one without is new, a missing one is deleted. */
function checkFees(before: WholeOrder, inputs: readonly FeeInput[], mistakes: Mistakes): FeeDraft[] {
  const feesById = new Map(before.fees.map((fee) => [fee.id, fee]))
  const seen = new Set<number>()
  return inputs.map((input, i) => {
    const at = (field: string) => `fees.${i}.${field}`
    const fee = input.id === undefined ? undefined : feesById.get(input.id)
    if (input.id !== undefined && !fee) mistakes[at('id')] = `The order has no fee ${input.id}.`
    if (input.id !== undefined && seen.has(input.id)) mistakes[at('id')] = 'Another item has this id.'
    seen.add(input.id ?? 0)
    return feeOf(input, fee, { at, mistakes })
  })
}

function checkAddress({ addresses }: WholeOrder, input: OrderInput, mistakes: Mistakes): AddressDraft | undefined {
  const [first] = addresses
  const [changes] = input.shipping_addresses ?? []
  if (!changes) return first
  const stored = addresses.find(({ id }) => id === changes.id) ?? first
  const { id: _, shipping_method = stored?.shipping_method ?? '', ...fields } = changes
  const check = { at: (field: string) => `shipping_addresses.0.${field}`, mistakes }
  return { ...stored, ...changedAddress(stored ?? BLANK_ADDRESS, fields, check), shipping_method }
}

async function checkPickup(
  tx: Tx,
  [stored]: readonly PickupRow[],
  input: OrderInput,
  mistakes: Mistakes,
): Promise<PickupRow | PickupDraft | undefined> {
  const [changes] = input.consignments?.pickups ?? []
  if (!changes) return stored
  const at: FieldPath = (field) => `consignments.pickups.0.${field}`
  const { id, line_items: _, pickup_method_id = stored?.pickup_method_id ?? 0, location, ...texts } = changes
  const method = { ...texts, pickup_method_id, ...(location ? { location } : {}) }
  if (!stored) return pickupOf(tx, method, { at, mistakes })
  if (id !== stored.id) {
    mistakes[at('id')] = `The order has no pickup consignment ${id ?? 0}.`
    return stored
  }
  if (pickup_method_id === stored.pickup_method_id) {
    return { ...stored, ...defined(texts), location: { ...stored.location, ...defined(location ?? {}) } }
  }
  const draft = await pickupOf(tx, method, { at, mistakes })
  // The order has committed stock at the location where it is collected.
  if (draft && draft.location.id !== stored.location.id) {
    mistakes[at('pickup_method_id')] = `The order is collected at the location ${stored.location.id}.`
  }
  return draft ? { ...stored, ...draft } : stored
}

/** Whether rows differ from the stored ones. A new row has no id. */
function areChanged(before: readonly RowWithId[], after: readonly { id?: number }[]): boolean {
  const rowsById = new Map(before.map((row) => [row.id, row]))
  if (before.length !== after.length) return true
  return after.some((row) => Object.keys(differences(rowsById.get(row.id ?? 0) ?? {}, row)).length > 0)
}

/** Whether an order that a tax provider has taxed gets other addresses. The rates that lines store count for any address. */
function isTaxedElsewhere({ order, lines, addresses, pickups }: WholeOrder, after: TaxedPlaces): boolean {
  const before = { billing: order.billing_address, address: addresses[0], collectedAt: pickups[0]?.location }
  return lines.some(isQuoted) && !isDeepStrictEqual(saleAddressesOf(before), saleAddressesOf(after))
}

/** The wrapping cost of an order follows that of its lines, unless a client has set it to another amount. */
function wrappingAfter(order: OrderRow, before: readonly LineRow[], after: readonly LineDraft[]): Partial<OrderRow> {
  const [previous, next] = [wrappingOfLines(before), wrappingOfLines(after)]
  const isFollowing =
    previous.wrapping_cost_ex_tax === order.wrapping_cost_ex_tax &&
    previous.wrapping_cost_inc_tax === order.wrapping_cost_inc_tax
  return isFollowing ? { ...next, base_wrapping_cost: next.wrapping_cost_ex_tax } : {}
}

/** An order has an IP address of one kind. Setting one clears the other. */
function ipAddressIn(order: OrderRow, { ip_address, ip_address_v6 }: OrderInput) {
  if (ip_address !== undefined && ip_address !== order.ip_address) return { ip_address, ip_address_v6: '' }
  if (ip_address_v6 !== undefined && ip_address_v6 !== order.ip_address_v6) return { ip_address: '', ip_address_v6 }
  return {}
}

/** An address without the columns of a checkout. */
export const newAddress = (address: OrderBillingAddress & { shipping_method?: string }) => ({
  shipping_method: '',
  ...address,
  shipping_zone_id: 0,
  shipping_zone_name: '',
  shipping_quote: null,
})
