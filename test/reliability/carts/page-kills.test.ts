import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '../../../server/process/config.ts'
import { openInstallation } from '../../../server/process/installation.ts'
import {
  asAdministrator,
  ask,
  clientOf,
  figure,
  newFolder,
  postmasterOf,
  type ServerProcess,
  type Shop,
  sized,
  startServer,
  until,
} from '../rig.ts'
import { applyCertificate, graphOf, readyCart, type Shopper, shopperByGraph, shopperOnPage } from './shoppers.ts'

// Shoppers pay by page and by GraphQL, half of them with a gift certificate for a part, while server and database are killed. Each repeats its
// last click after the restart, until it sees its order. In the end gateway, certificates, transactions, orders and stock agree.

const KILLS = sized(50, 2)
const SHOPPERS = 6
const STOCK = 1_000_000
const PRICE = 10
const options = { timeout: sized(3_600_000, 300_000) }

/** A purchase that is repeated until its shopper sees the order. */
interface Purchase {
  cart: string
  isByPage: boolean
  order?: number
}

const people = { to_name: 'A', to_email: 'a@example.com', from_name: 'B', from_email: 'b@example.com' }

async function newPurchase(server: ServerProcess, shop: Shop, nr: number): Promise<Purchase> {
  const cart = await readyCart(clientOf(server, shop), `shopper-${nr}@example.com`)
  if (nr % 2 === 0) {
    const { status, text } = await ask(server.url, 'POST', `/stores/${shop.hash}/v2/gift_certificates`, {
      headers: { 'x-auth-token': shop.token },
      body: { ...people, code: `PART-${nr}`, amount: 4 },
    })
    expect(status, text).toBe(201)
    await applyCertificate(await graphOf(server, shop), cart, `PART-${nr}`)
  }
  return { cart, isByPage: nr % 4 < 2 }
}

const FAULTS: Record<string, string> = {
  'an order whose charges and certificates are not its total': `
    select orders.id, orders.status_id, orders.total_inc_tax, book.cents, spent.amount from orders
    cross join lateral (
      select coalesce(sum(case e.operation when 'refund' then -e.amount_minor else e.amount_minor end), 0) as cents
      from testgateway_entries e join payment_attempts a using (store_id, key)
      where a.store_id = orders.store_id and a.order_id = orders.id and e.outcome = 'approved'
        and e.operation in ('purchase', 'refund')
    ) book
    cross join lateral (
      select coalesce(-sum(change), 0) as amount from gift_certificate_changes c
      where c.store_id = orders.store_id and c.order_id = orders.id
    ) spent
    where book.cents + spent.amount * 100 <> case when orders.status_id > 0 then orders.total_inc_tax * 100 else 0 end`,
  'a placed order whose transactions are not its total': `
    select orders.id from orders where status_id > 0 and total_inc_tax <> (
      select coalesce(sum(amount), 0) from order_transactions t
      where t.store_id = orders.store_id and t.order_id = orders.id and t.status = 'ok' and t.event = 'purchase')`,
  'a cart with two placed orders, or a placed order whose cart is there': `
    select cart_id from orders where status_id > 0 group by cart_id having count(*) > 1
    union all select orders.cart_id from orders join carts on carts.store_id = orders.store_id and carts.id = orders.cart_id
    where orders.status_id > 0`,
  'stock that moved another number of times than orders were placed': `
    select id from products where inventory_level <> ${STOCK} - (
      select count(*) from orders where orders.store_id = products.store_id and status_id > 0)`,
  'a payment that still holds a balance': `select id from payments where held <> '[]'`,
}

async function hurry(client: pg.Client) {
  // A payment whose process dies counts as refused, and all shoppers of this test have one address.
  await client.query("delete from password_guesses where kind in ('cart', 'payer')")
  await client.query("update jobs set due_at = now() where state = 'waiting' and due_at > now()")
  await client.query('update job_lanes set due_at = now(), is_new = true where due_at > now()')
  await client.query('update job_queues set due_at = now() where due_at > now()')
}

test(
  'C-006, C-081, C-126: after kill -9 while shoppers pay by page and GraphQL each sees one order, charged once',
  options,
  async () => {
    const { folder, shop } = await newFolder()
    let server = await startServer(folder)
    const product = { name: 'Print', type: 'digital', weight: 0, price: PRICE, inventory_tracking: 'product' }
    const made = await clientOf(server, shop)('POST', '/catalog/products', { ...product, inventory_level: STOCK })
    expect(made.status, made.text).toBe(200)
    const purchases: Purchase[] = []
    let nr = 0

    /** Repeats the last click until the shopper sees its order. */
    async function buy(purchase: Purchase, isOn: () => boolean) {
      const { cart, isByPage } = purchase
      let shopper: Shopper | undefined
      while (isOn() && purchase.order === undefined) {
        try {
          shopper ??= isByPage
            ? await shopperOnPage(server, shop, cart)
            : shopperByGraph(server, shop, await graphOf(server, shop), cart)
          const bought = await shopper.pay()
          if ('order' in bought) purchase.order = bought.order
          else await sleep(100)
        } catch {
          // The server is dead, or the cart has become an order.
          await sleep(50)
        }
        if (purchase.order === undefined) purchase.order = await orderOf(cart)
      }
    }
    /** The order that a shop finds for a cart after a lost answer. */
    async function orderOf(cart: string): Promise<number | undefined> {
      const reply = await ask(server.url, 'GET', `/stores/${shop.hash}/v2/orders?cart_id=${cart}&min_id=1`, {
        headers: { 'x-auth-token': shop.token },
      }).catch(() => undefined)
      const placed = Array.isArray(reply?.body) ? reply.body : []
      return placed.find(({ status_id }: { status_id: number }) => status_id > 0)?.id
    }

    for (let round = 1; round <= KILLS; round++) {
      let isOn = true
      let bought = 0
      const shoppers = Array.from({ length: SHOPPERS }, async () => {
        while (isOn) {
          const purchase = await newPurchase(server, shop, nr++).catch(() => undefined)
          if (!purchase) continue
          purchases.push(purchase)
          await buy(purchase, () => isOn)
          if (purchase.order !== undefined) bought++
        }
      })
      await until('some carts are bought', () => bought >= 3 + (round % 4))
      await sleep(Math.random() * 100)
      if (round % 2 === 0) process.kill(postmasterOf(folder) ?? 0, 'SIGKILL')
      process.kill(server.pid, 'SIGKILL')
      isOn = false
      await Promise.all(shoppers)
      await server.ended
      await until('PostgreSQL is gone', () => postmasterOf(folder) === undefined)
      const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
      await asAdministrator(folder, hurry)
      await installation.close()
      server = await startServer(folder)
      // Those whose answer was lost come back.
      const open = purchases.filter(({ order }) => order === undefined)
      let isWaiting = true
      // A job looks at a payment without an answer a minute later.
      const hurrying = (async () => {
        while (isWaiting) {
          await asAdministrator(folder, hurry)
          await sleep(500)
        }
      })()
      await Promise.all(open.map((purchase) => buy(purchase, () => true)))
      isWaiting = false
      await hurrying
    }
    await asAdministrator(folder, async (client) => {
      for (const [fault, query] of Object.entries(FAULTS)) {
        expect((await client.query(query)).rows, fault).toEqual([])
      }
      const { rows } = await client.query('select count(*)::int as placed from orders where status_id > 0')
      expect(rows[0].placed).toBe(purchases.length)
    })
    figure(
      'C-006',
      `${KILLS} kills, every second with its database: ${purchases.length} purchases by page and GraphQL, each placed and charged once`,
    )
  },
)
