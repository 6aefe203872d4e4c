import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '../../../server/process/config.ts'
import { openInstallation } from '../../../server/process/installation.ts'
import {
  asAdministrator,
  ask,
  type Client,
  clientOf,
  figure,
  newFolder,
  postmasterOf,
  type Reply,
  type ServerProcess,
  type Shop,
  sized,
  startServer,
  until,
} from '../rig.ts'

// Shoppers buy carts while the server and its database are killed. Each repeats its last click after the restart. In the end each paid attempt
// has one placed order and one conversion, and its stock, its uses and its gift certificate once.

const KILLS = sized(200, 2)
const SHOPPERS = 8
const STOCK = 1_000_000
const UNITS = 2
const options = { timeout: sized(3_600_000, 240_000) }

const person = { first_name: 'Ann', last_name: 'Lee', address1: '1 Mill Road', city: 'Austin', country_code: 'US' }
const place = { ...person, state_or_province_code: 'TX', postal_code: '78701' }
const card = { type: 'card', number: '4111111111111111', cardholder_name: 'Ann', expiry_month: 12, expiry_year: 2099 }

/** A cart on its way to an order. Each shopper has an address of their own. */
interface Purchase {
  email: string
  cart?: string
  order?: number
  isPaid: boolean
}

/** A store with a download of which there is stock, and a coupon. */
async function furnish(call: Client, server: ServerProcess, { hash, token }: Shop) {
  const product = { name: 'Print', type: 'digital', weight: 0, price: 20, inventory_tracking: 'product' }
  expect((await call('POST', '/catalog/products', { ...product, inventory_level: STOCK })).status).toBe(200)
  const coupon = { name: 'Ten', code: 'TEN', type: 'percentage_discount', amount: '10', max_uses: STOCK }
  const { status, text } = await ask(server.url, 'POST', `/stores/${hash}/v2/coupons`, {
    headers: { 'x-auth-token': token },
    body: { ...coupon, applies_to: { entity: 'categories', ids: [0] } },
  })
  expect(status, text).toBeLessThan(300)
}

/** The clicks of shoppers at one server. */
class Counter {
  readonly #call: Client
  readonly #server: ServerProcess
  readonly #shop: Shop

  constructor(server: ServerProcess, shop: Shop) {
    this.#call = clientOf(server, shop)
    this.#server = server
    this.#shop = shop
  }

  async #must(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> {
    const reply = await this.#call(method, path, body, headers ? { headers } : {})
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return reply
  }

  /** Makes the next steps of a purchase, up to its payment. A purchase that was interrupted continues. */
  async buy(purchase: Purchase) {
    const { email } = purchase
    if (purchase.cart === undefined) {
      const gift = { name: 'Gift', theme: 'Birthday', amount: 25, quantity: 1, message: '' }
      const people = { sender: { name: 'Ann', email }, recipient: { name: 'Bo', email: `bo-${email}` } }
      const { body } = await this.#must('POST', '/carts', {
        line_items: [{ product_id: 1, quantity: UNITS }],
        gift_certificates: [{ ...gift, ...people }],
      })
      const path = `/checkouts/${body.data.id}`
      await this.#must('POST', `${path}/billing-address`, { ...place, email })
      await this.#must('POST', `${path}/coupons`, { coupon_code: 'TEN' })
      purchase.cart = body.data.id
    }
    if (purchase.order === undefined) {
      // The last click. The key makes its repetition harmless.
      const reply = await this.#must('POST', `/checkouts/${purchase.cart}/orders`, undefined, {
        'idempotency-key': `last click of ${email}`,
      })
      purchase.order = reply.body.data.id
    }
    await this.#pay(purchase)
  }

  async #pay(purchase: Purchase) {
    const issued = await this.#call('POST', '/payments/access_tokens', { order: { id: purchase.order } })
    // 409: the payment that a kill interrupted is under way, or was settled.
    if (issued.status === 409) {
      const reply = await ask(this.#server.url, 'GET', `/stores/${this.#shop.hash}/v2/orders/${purchase.order}`, {
        headers: { 'x-auth-token': this.#shop.token },
      })
      purchase.isPaid = reply.body.status_id > 0
      if (!purchase.isPaid) await sleep(50)
      return
    }
    expect(issued.status, issued.text).toBe(201)
    const { status, text } = await ask(this.#server.url, 'POST', `/stores/${this.#shop.hash}/payments`, {
      body: { payment: { instrument: card, payment_method_id: 'testgateway.card' } },
      headers: { authorization: `PAT ${issued.body.data.id}`, accept: 'application/vnd.svc.v1+json' },
    })
    // 409: the payment that a kill interrupted is under way. 401: it was settled, which ends all tokens of the order. A store takes 50
    // payments in 4 seconds.
    expect([201, 401, 409, 429], text).toContain(status)
    if (status === 201) purchase.isPaid = true
    else await sleep(status === 429 ? 500 : 50)
  }
}

/** Differences between the book of the gateway, orders, carts, stock, uses, certificates and mails. There are none. */
const FAULTS: Record<string, string> = {
  'an order that the gateway and we know differently': `
    select orders.id, orders.status_id, book.* from orders
    cross join lateral (
      select coalesce(sum(e.amount_minor) filter (where e.operation in ('purchase', 'capture')), 0)
        - coalesce(sum(e.amount_minor) filter (where e.operation = 'refund'), 0) as cents
      from testgateway_entries e join payment_attempts a using (store_id, key)
      where a.store_id = orders.store_id and a.order_id = orders.id and e.outcome = 'approved'
    ) book
    where book.cents <> case when orders.status_id > 0 then (orders.total_inc_tax * 100)::int else 0 end`,
  'a cart with two orders, or two placed ones': `
    select cart_id from orders group by cart_id having count(*) > 1`,
  'a placed order whose cart is still there': `
    select orders.id from orders join carts on carts.store_id = orders.store_id and carts.id = orders.cart_id
    where orders.status_id > 0`,
  'a placed order without exactly one conversion': `
    select orders.id from orders where status_id > 0 and 1 <> (
      select count(*) from events where events.store_id = orders.store_id and events.scope = 'store/cart/converted'
        and events.data like '%"' || orders.cart_id || '"%'
    )`,
  'stock that moved another number of times than orders were placed': `
    select id, inventory_level from products where inventory_level <> ${STOCK} - ${UNITS} * (
      select count(*) from orders where orders.store_id = products.store_id and status_id > 0
    )`,
  'a coupon with other uses than placed orders': `
    select id, current_uses, reserved_uses from coupons where reserved_uses <> 0 or current_uses <> (
      select count(*) from orders where orders.store_id = coupons.store_id and status_id > 0
    )`,
  'a placed order whose gift certificate is not active, or another one whose is': `
    select orders.id, c.status from orders
    join gift_certificates c on c.store_id = orders.store_id and c.order_id = orders.id
    where (orders.status_id > 0) <> (c.status = 'active')`,
  'an order without exactly one gift certificate': `
    select id from orders where 1 <> (
      select count(*) from gift_certificates c where c.store_id = orders.store_id and c.order_id = orders.id
    )`,
  'a mail that was sent twice': `
    select recipient, subject from mails group by store_id, recipient, subject having count(*) > 1`,
  'a placed order whose certificate has no mail, or another one whose has': `
    select id from orders where (status_id > 0) <> exists (
      select 1 from mails where mails.store_id = orders.store_id and mails.recipient = 'bo-' || orders.email
    )`,
}

/** Makes all waiting jobs due. */
async function hurry(client: pg.Client) {
  await client.query("update jobs set due_at = now() where state = 'waiting' and due_at > now()")
  await client.query('update job_lanes set due_at = now(), is_new = true where due_at > now()')
  await client.query('update job_queues set due_at = now() where due_at > now()')
}

/** Mails of these servers are not sent: they have no SMTP_URL. */
const waitForJobs = (client: pg.Client) =>
  until('all jobs are done', async () => {
    const { rows } = await client.query(
      "select id from jobs where (state <> 'done' or begun_at is not null) and task <> 'send_mail' limit 1",
    )
    return rows.length === 0
  })

test(
  'C-001, C-006, C-126, C-138: after kill -9 between the last click and the paid order each paid attempt has one order, and everything once',
  options,
  async () => {
    const { folder, shop } = await newFolder()
    let server = await startServer(folder)
    await furnish(clientOf(server, shop), server, shop)
    const purchases: Purchase[] = []
    let open: Purchase[] = []
    for (let round = 1; round <= KILLS; round++) {
      const counter = new Counter(server, shop)
      let isOn = true
      let paid = 0
      const shopper = async (nr: number) => {
        while (isOn) {
          const purchase = open.shift() ?? { email: `ann-${purchases.length}-${nr}@example.com`, isPaid: false }
          if (!purchases.includes(purchase)) purchases.push(purchase)
          while (isOn && !purchase.isPaid) {
            // A shopper who loses the connection has no answer.
            await counter.buy(purchase).catch((error: Error) => {
              if (isOn && !('code' in error) && error.name !== 'Error') throw error
              return sleep(20)
            })
          }
          if (purchase.isPaid) paid++
        }
      }
      const shoppers = Promise.all(Array.from({ length: SHOPPERS }, (_, nr) => shopper(nr)))
      await Promise.race([shoppers, until('some carts are bought', () => paid >= 4 + (round % 4) * 2)])
      await sleep(Math.random() * 100)
      if (round % 2 === 0) process.kill(postmasterOf(folder) ?? 0, 'SIGKILL')
      process.kill(server.pid, 'SIGKILL')
      isOn = false
      await shoppers
      await server.ended
      await until('PostgreSQL is gone', () => postmasterOf(folder) === undefined)
      open = purchases.filter(({ isPaid }) => !isPaid)
      const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
      // Simulates the end of their leases, and of the minute after which a job looks at a payment without an answer.
      await asAdministrator(folder, hurry)
      await installation.close()
      server = await startServer(folder)
    }
    const counter = new Counter(server, shop)
    for (const purchase of open) {
      await until('the last purchases end', async () => {
        await counter.buy(purchase)
        return purchase.isPaid
      })
    }
    await asAdministrator(folder, async (client) => {
      await hurry(client)
      await waitForJobs(client)
      for (const [fault, query] of Object.entries(FAULTS)) {
        expect((await client.query(query)).rows, fault).toEqual([])
      }
      const { rows } = await client.query('select count(*)::int as placed from orders where status_id > 0')
      expect(rows[0].placed).toBe(purchases.length)
      figure(
        'C-138',
        `${KILLS} kills, every second with its database: ${purchases.length} purchases, each placed and charged once`,
      )
    })
  },
)
