import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, rowsIn, without } from '../kinds/kind.ts'
import type { ImportWork } from './work.ts'

/**
 * An order is created with given prices and totals, so nothing about it is calculated again. It is marked as one of another system: it
 * moves no stock, and sends no e-mails. An order with shipments is created in a status in which it can be shipped, and gets its own status
 * behind them.
 */

/** The source of an order that moves no stock (docs/contract/orders.md section 4). */
const MIGRATED = 'M-MIG'
/** An order in this status can be shipped. */
const AWAITING_FULFILLMENT = 11

/** Pairs of amounts that are sent together. */
const PAIRS = ['shipping_cost', 'handling_cost', 'wrapping_cost', 'subtotal', 'total'] as const

export async function importOrders(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  const catalog = new Catalog(work)
  for await (const row of rows) {
    if (!work.ids.has(kind.name, row.id)) await createOrder(work, { kind, catalog, row })
    if (work.ids.has(kind.name, row.id)) work.count(kind)
    await work.ids.flush()
  }
}

interface ExportedOrder {
  kind: BundleKind
  catalog: Catalog
  row: Row
}

async function createOrder(work: ImportWork, { kind, catalog, row }: ExportedOrder) {
  const path = '/v2/orders?include=consignments,consignments.line_items,fees'
  const mapped = work.mapped(kind, row)
  const body = await orderBody(mapped, catalog)
  let answer = await work.send({ method: 'POST', path, body }, `orders ${row.id}`)
  if (answer.status >= 400) {
    // Products may have changed since the order was placed. Their lines keep names and prices.
    work.drop('orders: products of lines')
    const custom = withoutProducts(body)
    answer = await work.send({ method: 'POST', path, body: custom }, `orders again ${row.id}`)
  }
  if (answer.status >= 400 || !isObject(answer.body)) return work.refuse(kind, row.id, answer)
  work.ids.set(kind.name, row.id, answer.body.id)
  const { lines, addresses, pickups, fees } = partsOf(answer.body)
  const given = [...rowsIn(row.pickups).flatMap(({ line_items }) => rowsIn(line_items)), ...rowsIn(row.products)]
  for (const [i, { id }] of given.entries()) if (lines[i]) work.ids.set('order-lines', id, lines[i].id)
  for (const { id } of rowsIn(row.shipping_addresses))
    if (addresses[0]) work.ids.set('order-addresses', id, addresses[0].id)
  for (const [i, { id }] of rowsIn(row.pickups).entries())
    if (pickups[i]) work.ids.set('order-pickups', id, pickups[i].id)
  for (const [i, { id }] of rowsIn(row.fees).entries()) if (fees[i]) work.ids.set('order-fees', id, fees[i].id)
}

/** The lines of an order in the order of their ids, its places and its fees. */
function partsOf(order: Row) {
  const { shipping, downloads, pickups } = isObject(order.consignments) ? order.consignments : {}
  const all = [...rowsIn(shipping), ...rowsIn(downloads), ...rowsIn(pickups)]
  return {
    lines: all.flatMap(({ line_items }) => rowsIn(line_items)).sort((a, b) => Number(a.id) - Number(b.id)),
    addresses: rowsIn(shipping),
    pickups: rowsIn(pickups),
    fees: rowsIn(order.fees),
  }
}

/** Fields of an order about its money, which is recorded when all orders are there. */
const MONEY = ['payment_provider_id', 'payment_status', 'store_credit_amount', 'gift_certificate_amount'] as const

async function orderBody(row: Row, catalog: Catalog): Promise<Row> {
  const { shipping_addresses, pickups, products, fees, items_shipped, currency_code, date_created, ...fields } = row
  const [address] = rowsIn(shipping_addresses)
  const [pickup] = rowsIn(pickups)
  const lines = await Promise.all(rowsIn(products).map((line) => lineBody(line, catalog)))
  const collected = await Promise.all(rowsIn(pickup?.line_items).map((line) => lineBody(line, catalog)))
  return {
    ...withoutUnpaired(without(fields, ...MONEY)),
    fees: rowsIn(fees).map((fee) => without(fee, 'id')),
    date_created: new Date(String(date_created)).toISOString(),
    default_currency_code: currency_code,
    external_source: MIGRATED,
    status_id: Number(items_shipped) > 0 ? AWAITING_FULFILLMENT : row.status_id,
    ...(pickup
      ? { consignments: { pickups: [{ ...without(pickup, 'id'), line_items: [...collected, ...lines] }] } }
      : { products: lines, ...(address ? { shipping_addresses: [without(address, 'id')] } : {}) }),
  }
}

/** An order as it is sent: without empty texts that mean nothing, and without a pair of amounts that does not fit. */
function withoutUnpaired(row: Row): Row {
  const wrong = PAIRS.filter((pair) => Number(row[`${pair}_inc_tax`]) < Number(row[`${pair}_ex_tax`]))
  const names = wrong.flatMap((pair) => [`${pair}_ex_tax`, `${pair}_inc_tax`])
  return Object.fromEntries(
    Object.entries(without(row, 'id', ...names)).filter(
      ([field, value]) => value !== null && !isEmptyAddress(field, value),
    ),
  )
}

/** Only one of both addresses of a client can be set. */
const isEmptyAddress = (field: string, value: unknown) => field.startsWith('ip_address') && value === ''

async function lineBody(line: Row, catalog: Catalog): Promise<Row> {
  const { product_options, ...fields } = without(line, 'id', 'refund_amount')
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  const product = Number(line.product_id) > 0 ? await catalog.find(Number(line.product_id)) : undefined
  if (!product) return withoutProduct(body)
  const options = rowsIn(product_options).flatMap((option) => optionBody(option, product))
  return { ...body, ...(options.length > 0 ? { product_options: options } : {}) }
}

/** The choice of an option by the names that a shopper has seen. A choice that the product does not have any more is left out. */
function optionBody(option: Row, { options, modifiers }: Choices): Row[] {
  const { display_name, display_value } = option
  const found = [...options, ...modifiers].find((one) => one.display_name === display_name)
  if (!found) return []
  const value = rowsIn(found.option_values).find(({ label }) => label === display_value)
  const chosen = value ? String(value.id) : display_value
  return [{ ...option, id: found.id, product_option_id: found.id, value: chosen }]
}

const withoutProduct = (line: Row): Row => without(line, 'product_id', 'variant_id', 'product_options')

/** An order whose lines are custom products. Those of a pickup keep theirs. */
const withoutProducts = (order: Row): Row =>
  'products' in order ? { ...order, products: rowsIn(order.products).map(withoutProduct) } : order

interface Choices {
  options: readonly Row[]
  modifiers: readonly Row[]
}

/** Options and modifiers of products of the store. */
class Catalog {
  readonly #work: ImportWork
  /** Choices of the products that were read last. Orders of the same time mostly have the same products. */
  readonly #products = new Map<number, Choices | undefined>()

  constructor(work: ImportWork) {
    this.#work = work
  }

  /** Undefined for a product that is not there. */
  async find(id: number): Promise<Choices | undefined> {
    if (this.#products.has(id)) return this.#products.get(id)
    const path = `/v3/catalog/products/${id}?include=options,modifiers&include_fields=id`
    const { status, body } = await this.#work.send({ method: 'GET', path })
    const data = status === 200 && isObject(body) && isObject(body.data) ? body.data : undefined
    const found = data && { options: rowsIn(data.options), modifiers: rowsIn(data.modifiers) }
    if (this.#products.size >= PRODUCTS_KEPT) this.#products.clear()
    this.#products.set(id, found)
    return found
  }
}

const PRODUCTS_KEPT = 1_000

/** Gives orders with shipments the status that they had. */
export async function finishOrders(work: ImportWork, rows: AsyncIterable<Row>) {
  for await (const { id: old, items_shipped, status_id } of rows) {
    const id = work.ids.find('orders', old)
    if (id === undefined || Number(items_shipped) === 0 || work.ids.has('order-statuses', old)) continue
    const answer = await work.send({ method: 'PUT', path: `/v2/orders/${id}`, body: { status_id } })
    if (answer.status >= 400) work.refuse({ name: 'orders' }, old, answer)
    work.ids.set('order-statuses', old, status_id)
    await work.ids.flush()
  }
}
