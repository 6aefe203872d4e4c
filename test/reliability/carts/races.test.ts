import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../../server/core/db/setup/embedded.ts'
import { asAdministrator, ask, clientOf, figure, newFolder, newShop, sized, startServer, whenFileEnds } from '../rig.ts'
import { applyCertificate, graphOf, readyCart, type Shopper, shopperByGraph, shopperOnPage } from './shoppers.ts'

// Two shoppers at two servers compete for the last piece, the last use of a coupon, and the balance of a gift certificate, in each combination
// of page and GraphQL.

const ROUNDS = sized(25, 1)
const options = { timeout: sized(3_600_000, 300_000) }
const atEnd = whenFileEnds()
const PRICE = 10
const WAYS = ['page', 'graph'] as const

test(
  'C-022, C-025: of two shoppers at two servers one gets the last piece, the last use, and the balance',
  options,
  async () => {
    const { folder } = await newFolder(atEnd)
    const database = await startEmbedded({ folder })
    atEnd(() => database.stop())
    const url = new URL(database.url)
    url.pathname = '/storeward'
    const env = { DATABASE_URL: url.href, SECRET: await readFile(join(folder, 'secret'), 'utf8') }
    const servers = [
      await startServer(folder, env, atEnd),
      await startServer(join(folder, 'second'), env, atEnd),
    ] as const
    const shop = await newShop(folder)
    const graphs = [await graphOf(servers[0], shop), await graphOf(servers[1], shop)] as const
    const call = clientOf(servers[0], shop)
    const v2 = async (method: string, path: string, body?: object) => {
      const headers = { 'x-auth-token': shop.token }
      const reply = await ask(servers[0].url, method, `/stores/${shop.hash}/v2${path}`, {
        headers,
        ...(body ? { body } : {}),
      })
      expect(reply.status, reply.text).toBeLessThan(300)
      return reply.body
    }
    const product = { name: 'Print', type: 'digital', weight: 0, price: PRICE, inventory_tracking: 'product' }
    expect((await call('POST', '/catalog/products', { ...product, inventory_level: 1_000 })).status).toBe(200)
    const stock = (inventory_level: number) => call('PUT', '/catalog/products/1', { inventory_level })

    let carts = 0
    const shopper = async (
      way: (typeof WAYS)[number],
      i: 0 | 1,
      more: { coupon?: string; certificate?: string },
    ): Promise<Shopper> => {
      const cart = await readyCart(call, `shopper-${carts++}@example.com`, more)
      if (more.certificate !== undefined) await applyCertificate(graphs[i], cart, more.certificate)
      return way === 'page' ? shopperOnPage(servers[i], shop, cart) : shopperByGraph(servers[i], shop, graphs[i], cart)
    }
    /** The orders of some carts with their charges in cents, as the gateway has them. */
    const chargesOf = (ids: readonly string[]) =>
      asAdministrator(folder, async (client) => {
        const { rows } = await client.query(
          `select orders.status_id > 0 as placed, coalesce((
             select sum(case e.operation when 'refund' then -e.amount_minor else e.amount_minor end)::int
             from testgateway_entries e join payment_attempts a using (store_id, key)
             where a.order_id = orders.id and e.outcome = 'approved' and e.operation in ('purchase', 'refund')
           ), 0) as cents
           from orders where cart_id = any($1) order by id`,
          [ids],
        )
        return rows.filter(({ placed }) => placed).map(({ cents }) => cents)
      })
    const unpaid = (ids: readonly string[]) =>
      asAdministrator(folder, async (client) => {
        const { rows } = await client.query(
          `select orders.id from orders where cart_id = any($1) and status_id = 0 and exists (
             select 1 from testgateway_entries e join payment_attempts a using (store_id, key)
             where a.order_id = orders.id and e.outcome = 'approved' and e.operation = 'purchase')`,
          [ids],
        )
        return rows
      })
    async function race(one: Shopper, other: Shopper) {
      const outcomes = await Promise.all([one.pay(), other.pay()])
      // A store takes 50 payments in 4 seconds.
      await sleep(200)
      const ids = [one.cart, other.cart]
      expect(await unpaid(ids)).toEqual([])
      return {
        bought: outcomes.filter((outcome) => 'order' in outcome).length,
        charges: await chargesOf(ids),
        outcomes,
      }
    }

    for (let round = 0; round < ROUNDS; round++) {
      for (const first of WAYS) {
        for (const second of WAYS) {
          const name = `${first} against ${second}, round ${round}`
          await stock(1_000)
          const [one, other] = [await shopper(first, 0, {}), await shopper(second, 1, {})]
          await stock(1)
          const piece = await race(one, other)
          expect([piece.bought, piece.charges], `last piece, ${name} ${JSON.stringify(piece.outcomes)}`).toEqual([
            1,
            [PRICE * 100],
          ])
          const { body } = await call('GET', '/catalog/products/1')
          expect(body.data.inventory_level).toBe(0)

          await stock(1_000)
          const coupon = `LAST-${round}-${first}-${second}`
          const off = { name: coupon, code: coupon, type: 'per_total_discount', amount: '1', max_uses: 1 }
          await v2('POST', '/coupons', { ...off, applies_to: { entity: 'categories', ids: [0] } })
          const last = await race(await shopper(first, 0, { coupon }), await shopper(second, 1, { coupon }))
          expect([last.bought, last.charges], `last use, ${name} ${JSON.stringify(last.outcomes)}`).toEqual([
            1,
            [PRICE * 100 - 100],
          ])

          const certificate = `GIFT-${round}-${first}-${second}`
          const people = { to_name: 'A', to_email: 'a@example.com', from_name: 'B', from_email: 'b@example.com' }
          const { id } = await v2('POST', '/gift_certificates', { ...people, code: certificate, amount: 6 })
          const gift = await race(await shopper(first, 0, { certificate }), await shopper(second, 1, { certificate }))
          // One is paid with it. The other is told, and by the page pays the whole price after that.
          expect(gift.bought, `balance, ${name} ${JSON.stringify(gift.outcomes)}`).toBeGreaterThanOrEqual(1)
          const charges = gift.charges.toSorted((a: number, b: number) => a - b)
          expect(charges[0], name).toBe(PRICE * 100 - 600)
          expect(
            charges.slice(1).every((cents: number) => cents === PRICE * 100),
            name,
          ).toBe(true)
          expect((await v2('GET', `/gift_certificates/${id}`)).balance).toBe('0.0000')
        }
      }
    }
    figure(
      'C-022, C-025',
      `${ROUNDS * 12} races of two shoppers at two servers, by page and GraphQL: one winner each, no cent too much`,
    )
  },
)
