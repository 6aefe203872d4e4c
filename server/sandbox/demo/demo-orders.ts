import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { AWAITING_PICKUP, COMPLETED, PARTIALLY_SHIPPED, PENDING } from '../../sales/orders/arithmetic/order-status.ts'
import { createPickups } from '../../sales/orders/fulfilment/pickups.ts'
import { createShipment } from '../../sales/orders/fulfilment/shipments-v2.ts'
import type { OrderRow } from '../../sales/orders/row/rows.ts'
import { addMessage } from '../../sales/orders/v2/messages-v2.ts'
import { changeOrder } from '../../sales/orders/writing/change.ts'
import { createOrder } from '../../sales/orders/writing/create.ts'
import { copyOrders, datePast, findBlock } from '../copies.ts'
import { at } from '../samples/catalog.ts'

/** Orders that are made as requests would make them, with all statuses. The others are copies, placed later. */
const MADE = 50
const COPIES = 5
const DAY_MS = 86_400_000
/** The time from one order to the next. */
const STEP_MS = DAY_MS / 5
/** The longest time from an order to its last change. */
const HANDLING_MS = DAY_MS / 6

/** How many of twenty orders have each status: all fifteen are there. */
const STATUSES = [10, 10, 2, 10, 11, 2, 10, 3, 9, 11, 10, 5, 7, 2, 10, 1, 8, 0, 14, 12, 10, 2, 6, 13, 4]
const SHIPPED = [2, 10]
/** Every fourteenth order is collected, in any status. */
const COLLECTED = 14
/** The pickup methods that the store has. */
const METHODS = 2

const carriers = ['ups', 'fedex', 'usps', 'royalmail']
/** In hundredths. */
const TAX = 25

/** An article for sale: a variant without a required choice. */
interface Ware {
  product_id: number
  variant_id: number
  price: number
}

/** Who orders: a customer with an address. */
interface Buyer {
  customer_id: number
  email: string
  first_name: string
  last_name: string
  company: string
  phone: string
  address1: string
  city: string
  state_or_province: string
  postal_code: string
  country_code: string
}

/** Every twentieth order is a guest's. */
const GUESTS = 20

interface Placement {
  count: number
  /** When the nth order was placed. */
  placedAt: (n: number) => Date
  /** The number of the nth order in the shop that it came from. */
  numberOf?: (n: number) => string
}

/**
 * Gives the demo store 300 orders of the last weeks. Five of six are copies, because making an order takes ten round trips and all 300
 * would take a third of the first start.
 */
export async function placeDemoOrders(tx: Tx) {
  const start = tx.now.getTime() - MADE * (1 + COPIES) * STEP_MS
  const placedAt = (n: number) => new Date(start + n * STEP_MS)
  const ids = await placeOrders(tx, { count: MADE, placedAt })
  const [first] = ids
  if (first === undefined) return
  await datePast(
    tx,
    ids.map((id, n) => ({ id, at: new Date(placedAt(n).getTime() + HANDLING_MS) })),
  )
  const block = await findBlock(tx, first, MADE)
  for (let copy = 1; copy <= COPIES; copy++) await copyOrders(tx, block, { seconds: (copy * MADE * STEP_MS) / 1_000 })
}

/**
 * Orders in all statuses, by the customers of the store, with shipments, pickups and messages. They were imported from
 * another shop, so their stock left long ago.
 * @returns the id of each; none if the store has no products or no customers
 */
export async function placeOrders(tx: Tx, placement: Placement): Promise<number[]> {
  const wares = await tx.rows<Ware>(sql`
    select product_id, id as variant_id, calculated_price as price from variants
    where store_id = ${tx.store.id} and calculated_price > 0 and not exists (
      select 1 from modifiers where modifiers.store_id = ${tx.store.id} and modifiers.product_id = variants.product_id and required
    ) order by id limit 90`)
  const buyers = await tx.rows<Buyer>(sql`
    select distinct on (customers.id) customers.id as customer_id, customers.email, customers.first_name, customers.last_name,
      customers.company, customers.phone, address.address1, address.city, address.state_or_province, address.postal_code,
      address.country_code
    from customers
    join customer_addresses address on address.store_id = ${tx.store.id} and address.customer_id = customers.id
    where customers.store_id = ${tx.store.id} order by customers.id, address.id`)
  if (wares.length === 0 || buyers.length === 0) return []
  const placed: number[] = []
  for (let n = 0; n < placement.count; n++) {
    placed.push(await placeOrder(tx, n, { wares, buyer: at(buyers, n * 7) }, placement))
  }
  return placed
}

async function placeOrder(
  tx: Tx,
  n: number,
  { wares, buyer }: { wares: readonly Ware[]; buyer: Buyer },
  { placedAt, numberOf = () => '' }: Placement,
): Promise<number> {
  const status = at(STATUSES, n)
  const isSent = SHIPPED.includes(status) || status === PARTIALLY_SHIPPED
  const { customer_id, email, first_name, last_name, company, phone } = buyer
  const products = Array.from({ length: 1 + (n % 3) }, (_, i) => {
    const { product_id, variant_id, price } = at(wares, n * 11 + i * 17)
    const price_inc_tax = Math.round(price * (100 + TAX)) / 100
    return { product_id, variant_id, quantity: 1 + ((n + i) % 3), price_ex_tax: price, price_inc_tax }
  })
  const isCollected = status === AWAITING_PICKUP || n % COLLECTED === 0
  const order = await createOrder(tx, {
    status_id: isSent ? PENDING : status,
    customer_id: n % GUESTS === 0 ? 0 : customer_id,
    external_source: 'M-MIG',
    external_order_id: numberOf(n),
    date_created: toSeconds(placedAt(n)),
    payment_method: n % 3 === 0 ? 'Bank Deposit' : 'Credit Card',
    customer_message: n % 17 === 0 ? 'Please ring twice.' : '',
    ...(isCollected ? {} : { shipping_cost_ex_tax: 8, shipping_cost_inc_tax: 10 }),
    ...(n % 12 === 0 ? { discount_amount: 5 } : {}),
    ...(n % 25 === 0 ? { fees: [{ display_name_customer: 'Gift box', cost_ex_tax: 4, cost_inc_tax: 5 }] } : {}),
    billing_address: {
      first_name,
      last_name,
      company,
      street_1: buyer.address1,
      city: buyer.city,
      state: buyer.state_or_province,
      zip: buyer.postal_code,
      country_iso2: buyer.country_code,
      email,
      phone,
    },
    ...(isCollected
      ? { consignments: { pickups: [{ pickup_method_id: 1 + (n % METHODS), line_items: products }] } }
      : { products }),
  })
  if (isCollected) await handOver(tx, order, n, status)
  else if (isSent && !order.order_is_digital) await send(tx, order.id, status, n)
  if (n % 15 === 0) {
    await addMessage(tx, order, { subject: 'When does it come?', message: 'I am away next week.', staff_id: 0 })
  }
  return order.id
}

/** Hands an order over the counter, or lays it ready, and brings it to its status. */
async function handOver(tx: Tx, { id, date_created, order_is_digital }: OrderRow, n: number, status: number) {
  const items = await tx.rows<{ order_product_id: number; quantity: number }>(sql`
    select id as order_product_id, quantity from order_products
    where store_id = ${tx.store.id} and order_id = ${id} and type = 'physical' order by id`)
  const isOver = SHIPPED.includes(status)
  if (!order_is_digital && (isOver || status === AWAITING_PICKUP)) {
    const hour = (hours: number) => toSeconds(new Date(Date.parse(date_created) + hours * 3_600_000))
    const collected = isOver ? { collected_at: hour(26) } : {}
    await createPickups(tx, [
      { order_id: id, pickup_method_id: 1 + (n % METHODS), ready_at: hour(3), ...collected, pickup_items: items },
    ])
  }
  await changeOrder(tx, id, { status_id: isOver ? COMPLETED : status })
}

/** Sends an order, or one of its things, and brings it to its status. */
async function send(tx: Tx, order_id: number, status: number, n: number) {
  const [line] = await tx.rows<{ id: number }>(sql`
    select id from order_products
    where store_id = ${tx.store.id} and order_id = ${order_id} and order_address_id > 0 order by id limit 1`)
  if (!line) return
  const items = status === PARTIALLY_SHIPPED ? { items: [{ order_product_id: line.id, quantity: 1 }] } : {}
  await createShipment(tx, order_id, {
    tracking_number: `DK${730_000_000 + n * 7_919}`,
    shipping_provider: at(carriers, n),
    tracking_carrier: at(carriers, n),
    shipping_method: 'Parcel',
    merchant_shipping_cost: 6.5,
    ...items,
  })
  await changeOrder(tx, order_id, { status_id: status })
}
