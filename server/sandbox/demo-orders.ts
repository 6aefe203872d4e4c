import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { toSeconds } from '../core/rest/dates.ts'
import { changeOrder } from '../orders/change.ts'
import { createOrder } from '../orders/create.ts'
import { addMessage } from '../orders/messages-v2.ts'
import { createShipment } from '../orders/shipments-v2.ts'
import { at } from './catalog.ts'

const ORDERS = 300
const DAY_MS = 86_400_000

/** How many of twenty orders have each status: all fifteen are there. */
const STATUSES = [10, 10, 2, 10, 11, 2, 10, 3, 9, 11, 10, 5, 7, 2, 10, 1, 8, 0, 14, 12, 10, 2, 6, 13, 4]
const PENDING = 1
const SHIPPED = [2, 10]
const PARTIALLY_SHIPPED = 3

const people = [
  'Ida Holm',
  'Bo Dal',
  'Ada Berg',
  'Max Lind',
  'Eva Toft',
  'Jon Falk',
  'Mia Krogh',
  'Per Winther',
  'Liv Ask',
]
const streets = ['Nyhavn', 'Bredgade', 'Algade', 'Havnegade', 'Skolevej', 'Parkvej']
const towns = [
  ['Copenhagen', '1051'],
  ['Aarhus', '8000'],
  ['Odense', '5000'],
  ['Aalborg', '9000'],
  ['Esbjerg', '6700'],
] as const
const carriers = ['ups', 'fedex', 'usps', 'royalmail']
/** Denmark's, in hundredths. */
const TAX = 25

/** What is sold: variants that need no choice beside them. */
interface Ware {
  product_id: number
  variant_id: number
  price: number
}

/**
 * Orders of the last weeks in all statuses, with what was sent of them and what was said. They were brought over from another shop, so
 * their stock left long ago.
 */
export async function placeOrders(tx: Tx) {
  const wares = await tx.rows<Ware>(sql`
    select product_id, id as variant_id, calculated_price as price from variants
    where store_id = ${tx.store.id} and calculated_price > 0 and not exists (
      select 1 from modifiers where modifiers.store_id = ${tx.store.id} and modifiers.product_id = variants.product_id and required
    ) order by id limit 90`)
  if (wares.length === 0) return
  for (let n = 0; n < ORDERS; n++) await placeOrder(tx, wares, n)
}

async function placeOrder(tx: Tx, wares: readonly Ware[], n: number) {
  const status = at(STATUSES, n)
  const isSent = SHIPPED.includes(status) || status === PARTIALLY_SHIPPED
  const [first_name = '', last_name = ''] = at(people, n * 7).split(' ')
  const [city, zip] = at(towns, n * 3)
  const order = await createOrder(tx, {
    status_id: isSent ? PENDING : status,
    external_source: 'M-MIG',
    date_created: toSeconds(new Date(tx.now.getTime() - ((ORDERS - n) * DAY_MS) / 5)),
    payment_method: n % 3 === 0 ? 'Bank Deposit' : 'Credit Card',
    customer_message: n % 17 === 0 ? 'Please ring twice.' : '',
    shipping_cost_ex_tax: 8,
    shipping_cost_inc_tax: 10,
    ...(n % 12 === 0 ? { discount_amount: 5 } : {}),
    ...(n % 25 === 0 ? { fees: [{ display_name_customer: 'Gift box', cost_ex_tax: 4, cost_inc_tax: 5 }] } : {}),
    billing_address: {
      first_name,
      last_name,
      street_1: `${at(streets, n * 5)} ${1 + (n % 90)}`,
      city,
      zip,
      country_iso2: 'DK',
      email: `${first_name}.${last_name}@example.com`.toLowerCase(),
      phone: `+45 70 10 ${10 + (n % 80)} ${20 + (n % 70)}`,
    },
    products: Array.from({ length: 1 + (n % 3) }, (_, i) => {
      const { product_id, variant_id, price } = at(wares, n * 11 + i * 17)
      const price_inc_tax = Math.round(price * (100 + TAX)) / 100
      return { product_id, variant_id, quantity: 1 + ((n + i) % 3), price_ex_tax: price, price_inc_tax }
    }),
  })
  if (isSent && !order.order_is_digital) await send(tx, order.id, status, n)
  if (n % 15 === 0) {
    await addMessage(tx, order, { subject: 'When does it come?', message: 'I am away next week.', staff_id: 0 })
  }
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
