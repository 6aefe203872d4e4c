import type { Clock } from '../core/clock.ts'
import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { Addresses } from '../core/net/addresses.ts'
import { ServiceClient } from '../core/net/service-client.ts'
import { lock } from '../core/rest/lists/verbs.ts'
import type { Secrets } from '../core/secrets/secrets.ts'
import { createCart } from '../sales/carts/carts.ts'
import { type CartParts, changeCart } from '../sales/carts/changes/change.ts'
import { cartPartsOf } from '../sales/carts/changes/parts.ts'
import type { CartAddress, CartDocument } from '../sales/carts/row/document.ts'
import { createOrderOfCheckout } from '../sales/orders/checkouts/create.ts'
import { countPaidOrders } from '../sales/orders/reading/paid-orders.ts'
import { orders } from '../sales/orders/row/rows.ts'
import { recordPayment } from '../sales/orders/transactions/payment-record.ts'
import { CarrierDesk } from '../sales/shipping/carriers/quotes.ts'
import { Estimates } from '../sales/tax/estimates/estimates.ts'
import type { AddressRules } from '../shop/channels/sites/addresses.ts'
import { copyOrders, findBlock } from './copies.ts'

// Carts of the demo store: open ones, abandoned ones, and orders that came from checkouts. A few are made as requests would make them; the others
// are copies, because the first start should be short.

const MADE = 12
const OPEN = 200
const ABANDONED = 40
const ORDER_COPIES = 4

interface DemoParts {
  clock: Clock
  secrets: Pick<Secrets, 'unseal'>
}

/** Gives the demo store 200 open carts, 40 abandoned ones, and 60 paid orders of checkouts. */
export async function fillCarts(tx: Tx, { clock, secrets }: DemoParts) {
  // Nobody is asked: the shipping has its own price, and no tax provider is active yet.
  const services = new ServiceClient({ addresses: new Addresses([]), origins: [] })
  const outside = {
    desk: new CarrierDesk({ services, secrets, clock }),
    estimates: new Estimates({ services, secrets, clock }),
  }
  const parts = cartPartsOf({ ...outside, countOrders: countPaidOrders, sites: SITES })
  const wares = await tx.rows<Ware>(sql`
    select product_id, id as variant_id from variants
    where store_id = ${tx.store.id} and calculated_price > 0 and not exists (
      select 1 from modifiers where modifiers.store_id = ${tx.store.id} and modifiers.product_id = variants.product_id and required
    ) and exists (
      select 1 from products product
      where product.store_id = ${tx.store.id} and product.id = variants.product_id
        and product.availability = 'available' and product.inventory_tracking = 'none'
    ) order by id limit 60`)
  if (wares.length === 0) return
  await openCarts(tx, parts, wares)
  await buyCarts(tx, parts, wares)
}

/** Only answers show the addresses of sites. */
const SITES: AddressRules = { domain: 'localhost', publicUrl: 'http://localhost', allowsPorts: true }

/** An article for sale: a variant without a required choice. */
interface Ware {
  product_id: number
  variant_id: number
}

/** The lines of the nth cart: one to three articles. */
const linesOf = (wares: readonly Ware[], n: number) =>
  Array.from({ length: 1 + (n % 3) }, (_, i) => {
    const ware = wares[(n * 7 + i * 11) % wares.length]
    return { product_id: ware?.product_id ?? 0, variant_id: ware?.variant_id ?? 0, quantity: 1 + ((n + i) % 2) }
  })

async function openCarts(tx: Tx, parts: CartParts, wares: readonly Ware[]) {
  const ids: string[] = []
  for (let n = 0; n < MADE; n++) {
    const customer_id = n % 3 === 0 ? 0 : n
    ids.push((await createCart(tx, parts, { customer_id, line_items: linesOf(wares, n) })).cart.id)
  }
  const copied = sql`version, document, store_id, channel_id, currency_code, customer_id, email, email_key, order_id`
  await tx.rows(sql`
    insert into carts (id, ${copied}, created_at, updated_at, idle_at, due_at, expires_at, spell, token, reminder_at, reminders)
    select gen_random_uuid()::text, ${copied}, at.changed, at.changed,
      case when at.is_open then at.changed + interval '1 hour' end,
      case when at.is_open then at.changed + interval '1 hour' else at.changed + interval '30 days' end,
      at.changed + interval '30 days', case when at.is_open then 0 else 1 end,
      case when at.is_open then '' else replace(gen_random_uuid()::text, '-', '') end, null, 0
    from generate_series(1, ${OPEN - MADE + ABANDONED}::int) as nr
    join lateral (
      select nr <= ${OPEN - MADE} as is_open,
        date_trunc('second', ${tx.now}::timestamptz - case when nr <= ${OPEN - MADE} then interval '1 second' * nr else interval '7 hours' * (nr - ${OPEN - MADE - 1}) end) as changed
    ) at on true
    join carts made on made.store_id = ${tx.store.id} and made.id = (${ids}::text[])[1 + nr % ${MADE}] returning id`)
}

const address: CartAddress = {
  id: '1',
  first_name: 'Robin',
  last_name: 'Vale',
  email: 'robin.vale@example.com',
  company: '',
  address1: '4 Harbour Road',
  address2: '',
  city: 'Austin',
  state_or_province: 'Texas',
  state_or_province_code: 'TX',
  country_code: 'US',
  postal_code: '78701',
  phone: '',
  custom_fields: [],
}

/** The checkout of a cart with an address and a price for its shipping. */
function checkedOut(document: CartDocument): CartDocument {
  const lines = document.lines.map(({ id, quantity }) => ({ item_id: id, quantity }))
  const option = {
    id: '0'.repeat(32),
    method_id: null,
    zone_id: null,
    zone_name: '',
    type: 'custom',
    description: 'Van',
    additional_description: '',
    transit_time: '',
    image_url: '',
    cost: 6,
    handling_cost: 0,
  }
  const consignment = { id: '0'.repeat(24), address, pickup: null, lines, option }
  return { ...document, billing: address, consignments: [consignment] }
}

async function buyCarts(tx: Tx, parts: CartParts, wares: readonly Ware[]) {
  const ids: number[] = []
  for (let n = 0; n < MADE; n++) {
    const { cart } = await createCart(tx, parts, {
      customer_id: n % 3 === 0 ? 0 : n,
      line_items: linesOf(wares, n + MADE),
    })
    const target = { id: cart.id, quotes: parts.quotesOf({}) }
    await changeCart(tx, parts, target, ({ document }) => ({ document: checkedOut(document) }))
    const { id } = await createOrderOfCheckout(tx, parts, target)
    const order = await lock(tx, orders, id)
    const payment = { event: 'purchase', gateway: 'custom', method: 'custom', amount: order.total_inc_tax } as const
    await recordPayment(tx, order, 'paid without a gateway', {
      ...payment,
      details: { custom: { payment_method: 'Test' } },
    })
    ids.push(id)
  }
  const [first] = ids
  if (first === undefined) return
  const block = await findBlock(tx, first, MADE)
  for (let copy = 1; copy <= ORDER_COPIES; copy++) await copyOrders(tx, block, { seconds: 0 })
  await tx.rows(sql`
    update orders set cart_id = gen_random_uuid()::text
    where store_id = ${tx.store.id} and id >= ${first + MADE} and order_source = 'checkout_api' returning id`)
}
