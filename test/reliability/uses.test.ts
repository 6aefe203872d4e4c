import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  asAdministrator,
  ask,
  clientOf,
  figure,
  newShop,
  type Reply,
  type ServerProcess,
  type Shop,
  sized,
  startTogether,
  until,
  whenFileEnds,
} from './rig.ts'

// The last use of a promotion and of its code, which the carts of one shopper want at once through two servers, while cards are declined
// and one of the servers is killed. Exactly one payment is taken.

const KILLS = sized(20, 2)
const CARTS = sized(50, 10)
const options = { timeout: sized(3_600_000, 300_000) }
const atEnd = whenFileEnds()

const GOOD_CARD = '4111111111111111'
const BAD_CARD = '4000000000000002'
const rules = [{ action: { cart_value: { discount: { percentage_amount: '10' } } } }]
const ann = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', country_code: 'US', postal_code: '78701' }
const address = { ...ann, address1: '1 Mill Road', city: 'Austin', state_or_province_code: 'TX' }

/** The requests of a shop to one server. */
function shopAt(server: ServerProcess, shop: Shop) {
  const call = clientOf(server, shop)
  const must = async (method: string, path: string, body?: unknown) => {
    const reply = await call(method, path, body)
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`)
    return reply.body.data
  }
  return {
    must,
    /** Creates a cart of a download with the code, and its order. @returns the id of the order */
    async order(code: string): Promise<number> {
      const { id } = await must('POST', '/carts', { line_items: [{ product_id: 1, quantity: 1 }] })
      await must('POST', `/checkouts/${id}/billing-address`, address)
      await must('POST', `/checkouts/${id}/coupons`, { coupon_code: code })
      return (await must('POST', `/checkouts/${id}/orders`)).id
    },
    /** Pays an order. @returns undefined if it can't be paid any more */
    async pay(order: number, number: string): Promise<Reply | undefined> {
      const issued = await call('POST', '/payments/access_tokens', { order: { id: order } })
      if (issued.status !== 201) return undefined
      const card = { type: 'card', number, cardholder_name: 'Ann Lee', expiry_month: 12, expiry_year: 2099 }
      const payment = { instrument: card, payment_method_id: 'testgateway.card' }
      const authorization = `PAT ${issued.body.data.id}`
      for (;;) {
        const reply = await ask(server.url, 'POST', `/stores/${shop.hash}/payments`, {
          body: { payment },
          headers: { authorization, accept: 'application/vnd.svc.v1+json' },
        })
        // A store takes 50 payments in 4 seconds.
        if (reply.status !== 429) return reply
        await sleep(500)
      }
    },
  }
}

/** The state of a round: its placed orders, the charges of the gateway, and the totals of its promotion and its code. */
const stateOf = (folder: string, promotion: number, orders: readonly number[]) =>
  asAdministrator(folder, async (client) => {
    const { rows } = await client.query(
      `select
        (select count(*)::int from orders where id = any($2) and status_id <> 0) as placed,
        (select count(*)::int from testgateway_entries e join payment_attempts a using (store_id, key)
          where a.order_id = any($2) and e.operation = 'purchase' and e.outcome = 'approved') as charged,
        (select count(*)::int from promotion_uses where order_id = any($2) and state = 'reserved') as reserved,
        (select array[current_uses, reserved_uses] from promotions where id = $1) as of_promotion,
        (select array[current_uses, reserved_uses] from coupons where promotion_id = $1) as of_code,
        (select status from promotions where id = $1) as status`,
      [promotion, orders],
    )
    return rows[0]
  })

/** Ends leases and waits, so that the jobs of a dead process run now. @returns 1 if a payment is under way */
const hasten = (folder: string) =>
  asAdministrator(folder, async (client) => {
    await client.query('update job_lanes set due_at = now(), is_new = true where due_at > now()')
    const { rows } = await client.query("select 1 from payments where state in ('open', 'pending') limit 1")
    return rows.length
  })

const USED_UP = { placed: 1, charged: 1, reserved: 0, of_promotion: [1, 0], of_code: [1, 0], status: 'DISABLED' }

test(
  'C-135: the last use is charged once, through two servers, with declined cards and a kill -9 in the middle',
  options,
  async () => {
    const together = await startTogether(atEnd)
    const { folder } = together
    const shop = await newShop(folder)
    const at = (i: number) => shopAt(together.at(i), shop)
    await at(0).must('POST', '/catalog/products', { name: 'Manual', type: 'digital', weight: 0, price: 10 })

    const tally = new Map<string, number>()
    for (let round = 0; round < KILLS; round++) {
      const promotion = await at(0).must('POST', '/promotions', {
        redemption_type: 'COUPON',
        name: `Round ${round}`,
        max_uses: 1,
        rules,
      })
      const code = `ROUND-${round}`
      await at(1).must('POST', `/promotions/${promotion.id}/codes`, { code, max_uses: 1, max_uses_per_customer: 1 })
      const orders = await Promise.all(Array.from({ length: CARTS }, (_, i) => at(i).order(code)))

      let answered = 0
      const paid = orders.map(async (order, i) => {
        // The client of a dead server has no answer.
        const reply = await at(i)
          .pay(order, i % 3 === 0 ? BAD_CARD : GOOD_CARD)
          .catch(() => undefined)
        answered++
        const outcome = reply ? `${reply.status}${reply.body?.errors?.coupons ? ' used up' : ''}` : 'no answer'
        tally.set(outcome, (tally.get(outcome) ?? 0) + 1)
        expect(['201', '422', '422 used up', 'no answer'], reply?.text).toContain(outcome)
        return reply?.status
      })
      const victim = together.at(round)
      await until('some payments are answered', () => answered > round % 4)
      process.kill(victim.pid, 'SIGKILL')
      const statuses = await Promise.all(paid)
      expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(1)
      await victim.ended
      await together.restart(round)
      // The payments of the dead process are decided by their rescue.
      await until('no payment is under way', async () => (await hasten(folder)) === 0)

      // Each of them tries again with a good card.
      const before = await stateOf(folder, promotion.id, orders)
      for (const [i, order] of orders.entries()) {
        const again = await at(i).pay(order, GOOD_CARD)
        if (again && again.status !== 201) {
          expect(again).toMatchObject({ status: 422, body: { code: 10_001, errors: { coupons: expect.any(String) } } })
        }
      }
      expect(await stateOf(folder, promotion.id, orders)).toEqual(USED_UP)
      const fate = `${before.placed} placed before the second tries`
      tally.set(fate, (tally.get(fate) ?? 0) + 1)
    }
    const counts = [...tally].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')
    figure('C-135', `${KILLS} kills, ${CARTS} carts each, one payment taken each time; ${counts}`)
  },
)
