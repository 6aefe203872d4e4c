import { expect, test } from 'vitest'
import { setCompanion } from '../../server/doors/b2b/tokens/store.ts'
import {
  asAdministrator,
  ask,
  clientOf,
  figure,
  inStore,
  newShop,
  sized,
  startTogether,
  until,
  whenFileEnds,
} from './rig.ts'

// The jobs of companies: one records the orders from before the companion API, the other moves the orders of a customer who becomes a user
// to its company (docs/contract/b2b-orders.md section 1). Their worker is killed while they are under way.

const ROUNDS = sized(10, 1)
/** More than two steps of a job. */
const ORDERS = sized(20_000, 5_000)
/** One has most of the orders. */
const CUSTOMERS = 2
const options = { timeout: sized(3_600_000, 300_000) }
const atEnd = whenFileEnds()

test(
  'C-006: after kill -9 while orders of companies are recorded and moved each has one record, with its company, and no job stays under way',
  options,
  async () => {
    const together = await startTogether(atEnd, [{}])
    const { folder } = together
    let server = together.at(0)
    const kills = { recording: 0, moving: 0 }

    const count = (condition: string, values: unknown[]) =>
      asAdministrator(folder, async (client) => {
        const { rows } = await client.query(`select count(*)::int as count from ${condition}`, values)
        return Number(rows[0].count)
      })
    const isIdle = () => count("jobs where state <> 'done' or begun_at is not null", []).then((left) => left === 0)
    /** Makes jobs due that wait, or whose worker has lost its lease. */
    const endWaits = () =>
      asAdministrator(folder, (client) =>
        client.query('update job_lanes set due_at = now(), is_new = true where due_at > now()'),
      )
    /** Kills the server when a job has begun, and lets the next one finish its jobs. @returns whether the job was under way */
    const killDuring = async (begun: () => Promise<boolean>) => {
      await until('the job has begun', begun)
      process.kill(server.pid, 'SIGKILL')
      await server.ended
      const wasUnderWay = !(await isIdle())
      await endWaits()
      server = await together.restart(0)
      await until('all jobs are done', isIdle)
      return wasUnderWay
    }

    for (let round = 0; round < ROUNDS; round++) {
      const shop = await newShop(folder)
      const call = clientOf(server, shop)
      const emails = Array.from({ length: CUSTOMERS }, (_, i) => `ann${i}@round${round}.example.com`)
      const customers: number[] = []
      for (const email of emails) {
        const made = await call('POST', '/customers', [{ email, first_name: 'Ann', last_name: 'Lee' }])
        customers.push(made.body.data[0].id)
      }
      await must(
        ask(server.url, 'POST', `/stores/${shop.hash}/v2/orders`, {
          headers: { 'x-auth-token': shop.token },
          body: {
            customer_id: customers[0],
            billing_address: { first_name: 'Ann', zip: '1051', country_iso2: 'DK', email: emails[0] },
            products: [{ name: 'Mug', quantity: 1, price_inc_tax: 10, price_ex_tax: 10 }],
          },
        }),
      )
      const id = await inStore(together, shop.hash, async ({ store }) => store.id)
      await asAdministrator(folder, async (client) => {
        await client.query(
          `insert into orders select made.* from orders kind, generate_series(2, $2::int) n,
             lateral jsonb_populate_record(kind, jsonb_build_object('id', kind.id + n - 1,
               'customer_id', ($3::int[])[case when n % 10 = 0 then ${CUSTOMERS} else 1 end])) made
           where kind.store_id = $1`,
          [id, ORDERS, customers],
        )
        await client.query(
          `update counters set last_id = last_id + $2, total = total + $2 where store_id = $1 and resource = 'orders'`,
          [id, ORDERS - 1],
        )
      })
      await inStore(together, shop.hash, (db) => setCompanion(db, true))
      await endWaits()
      const records = 'b2b_orders where store_id = $1'
      if (await killDuring(async () => (await count(records, [id])) > 0)) kills.recording++
      expect(await count(records, [id])).toBe(ORDERS)
      expect(await count(`(select distinct order_id from ${records}) one`, [id])).toBe(ORDERS)
      expect(await count("counters where store_id = $1 and resource = 'b2b_orders' and total = $2", [id, ORDERS])).toBe(
        1,
      )

      const { data } = await must(
        ask(server.url, 'POST', '/b2b/api/v3/io/companies', {
          headers: { 'x-auth-token': shop.token, 'x-store-hash': shop.hash },
          body: {
            companyName: 'Acme',
            companyEmail: 'office@example.com',
            companyPhone: '555 1234',
            country: 'Australia',
            adminFirstName: 'Ann',
            adminLastName: 'Lee',
            adminEmail: emails[0],
          },
        }),
      )
      const moving = "jobs where store_id = $1 and task = 'move_orders_of_users' and attempts > 0"
      if (await killDuring(async () => (await count(moving, [id])) > 0)) kills.moving++
      expect(
        await count(`${records} and customer_id = $2 and company_id <> $3`, [id, customers[0], data.companyId]),
      ).toBe(0)
      expect(await count(`${records} and customer_id <> $2 and company_id <> 0`, [id, customers[0]])).toBe(0)
    }
    figure(
      'C-006',
      `${ROUNDS} x ${ORDERS} orders of companies: each has one record; killed ${kills.recording} times while recording, ${kills.moving} times while moving`,
    )
  },
)

async function must(reply: ReturnType<typeof ask>) {
  const { status, body, text } = await reply
  if (status > 299) throw new Error(text)
  return body
}
