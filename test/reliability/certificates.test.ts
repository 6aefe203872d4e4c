import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { readConfig } from '../../server/process/config.ts'
import { openInstallation } from '../../server/process/installation.ts'
import { setProvider } from '../../server/sales/payments/providers-command.ts'
import {
  asAdministrator,
  ask,
  type Client,
  clientOf,
  figure,
  newFolder,
  postmasterOf,
  type ServerProcess,
  type Shop,
  sized,
  startServer,
  until,
} from './rig.ts'

// Gift certificates that many orders spend at once, with cards for the rest, captures, voids and refunds, while the server and its
// database are killed. In the end each history adds up to its balance, and agrees with the transactions of the orders.

const KILLS = sized(50, 2)
const CLIENTS = 8
/** Certificates that are spent in a round. Each round brings a new one. */
const CERTIFICATES = 3
const ORDERS_OF_A_ROUND = 8
const options = { timeout: sized(3_600_000, 240_000) }

const people = { to_name: 'Ann', to_email: 'ann@example.com', from_name: 'Bo', from_email: 'bo@example.com' }
const order = {
  billing_address: { first_name: 'Ida', last_name: 'Holm', zip: '1051', email: 'ida@example.com' },
  products: [{ name: 'Print', quantity: 1, price_ex_tax: 25.99, price_inc_tax: 27.41 }],
  status_id: 0,
}
const card = {
  type: 'card',
  number: '4111111111111111',
  cardholder_name: 'Ida',
  expiry_month: 12,
  expiry_year: 2099,
}

/** The statuses of answers, with their numbers. */
type Tally = Map<string, number>

/** The requests of a client to one server. */
class Till {
  readonly #call: Client
  readonly #server: ServerProcess
  readonly #shop: Shop
  readonly #tally: Tally

  constructor(server: ServerProcess, shop: Shop, tally: Tally) {
    this.#call = clientOf(server, shop)
    this.#server = server
    this.#shop = shop
    this.#tally = tally
  }

  v2 = (method: string, path: string, body?: unknown) =>
    ask(this.#server.url, method, `/stores/${this.#shop.hash}/v2${path}`, {
      body,
      headers: { 'x-auth-token': this.#shop.token },
    })

  #count(deed: string, status: number) {
    this.#tally.set(`${deed} ${status}`, (this.#tally.get(`${deed} ${status}`) ?? 0) + 1)
    // 401: another payment of the order has used up its tokens.
    expect([200, 201, 401, 409, 422, 429, 503], deed).toContain(status)
  }

  async pay(id: number, instrument: object, payment_method_id: string, deed: string) {
    const issued = await this.#call('POST', '/payments/access_tokens', { order: { id } })
    if (issued.status !== 201) return
    const { status } = await ask(this.#server.url, 'POST', `/stores/${this.#shop.hash}/payments`, {
      body: { payment: { instrument, payment_method_id } },
      headers: { authorization: `PAT ${issued.body.data.id}`, accept: 'application/vnd.svc.v1+json' },
    })
    this.#count(deed, status)
    // A store takes 50 payments in 4 seconds.
    if (status === 429) await sleep(500)
  }

  async refund(id: number, choice: number) {
    const items = [{ item_type: 'ORDER', item_id: id, amount: (choice % 2_000) / 100 + 0.01 }]
    const quoted = await this.#call('POST', `/orders/${id}/payment_actions/refund_quotes`, { items })
    if (quoted.status !== 201) return
    const { refund_methods } = quoted.body.data
    const { status } = await this.#call('POST', `/orders/${id}/payment_actions/refunds`, {
      items,
      payments: refund_methods.at(-1),
    })
    this.#count('refund', status)
  }

  async settle(id: number, action: 'capture' | 'void') {
    this.#count(action, (await this.#call('POST', `/orders/${id}/payment_actions/${action}`)).status)
  }

  /** One request about an order in any state. Payments are by one of the certificates of the last rounds. */
  act(id: number, choice: number, round: number): Promise<void> {
    const by = choice % 10
    if (by < 4) {
      const nr = Math.max(1, round - (Math.floor(choice / 10) % CERTIFICATES))
      const instrument = { type: 'gift_certificate', gift_certificate_code: `gift-${nr}` }
      return this.pay(id, instrument, 'svc.gift_certificate', 'certificate')
    }
    if (by === 4) return this.pay(id, card, 'testgateway.card', 'card')
    if (by === 5) return this.settle(id, 'capture')
    if (by === 6) return this.settle(id, 'void')
    return this.refund(id, choice)
  }
}

/** Has cards only authorized, so that there is something to capture and to void. */
async function authorizeOnly(env: Record<string, string>, shop: Shop) {
  const installation = await openInstallation(readConfig(env))
  try {
    const store = await installation.directory.find(shop.hash)
    const db = store && (await installation.directory.dbById(store.id))
    if (!db) throw new Error('The store has no database.')
    const wish = { gateway: 'testgateway', channel: 0, currency: '', options: [] }
    await setProvider(db, { ...wish, mode: 'authorize' }, installation.secrets)
  } finally {
    await installation.close()
  }
}

/** Differences between balances, histories and orders. There are none. */
const FAULTS: Record<string, string> = {
  'a balance that is not the sum of its history': `
    select c.id, c.balance, h.* from gift_certificates c
    join lateral (
      select count(*)::int as rows, max(version) as last, sum(change) as sum,
        coalesce(sum(change) filter (where cause in ('payment', 'refund', 'void')), 0) as moved
      from gift_certificate_changes where store_id = c.store_id and certificate_id = c.id
    ) h on true
    where c.balance < 0 or c.balance <> h.sum or c.balance <> c.amount + h.moved or h.rows <> c.changes or h.last <> c.changes`,
  'a row of a history that does not continue the one before': `
    select * from (
      select *, sum(change) over (partition by store_id, certificate_id order by version) as sum from gift_certificate_changes
    ) h where sum <> balance or balance < 0 or change = 0`,
  'an order whose transactions are not those of the histories': `
    select orders.id, orders.gift_certificate_amount, h.*, t.* from orders
    join lateral (
      select coalesce(-sum(change) filter (where cause = 'payment'), 0) as taken,
        coalesce(sum(change) filter (where cause in ('refund', 'void')), 0) as given
      from gift_certificate_changes where store_id = orders.store_id and order_id = orders.id
    ) h on true
    join lateral (
      select coalesce(sum(amount) filter (where event = 'purchase'), 0) as purchases,
        coalesce(sum(amount) filter (where event = 'refund'), 0) as refunds
      from order_transactions
      where store_id = orders.store_id and order_id = orders.id and method = 'gift_certificate' and status = 'ok'
    ) t on true
    where h.taken <> t.purchases or h.given <> t.refunds or h.given > h.taken or orders.gift_certificate_amount <> h.taken`,
  'an order that gave back more than it received': `
    select orders.id, t.* from orders
    join lateral (
      select coalesce(sum(amount) filter (where event in ('purchase', 'capture')), 0) as received,
        coalesce(sum(amount) filter (where event = 'refund'), 0) as refunded
      from order_transactions where store_id = orders.store_id and order_id = orders.id and status = 'ok'
    ) t on true
    where t.refunded > t.received or t.received > orders.total_inc_tax`,
}

/** Checks every certificate and every order. @returns sums for the figure */
async function audit(client: pg.Client) {
  for (const [fault, query] of Object.entries(FAULTS)) {
    expect((await client.query(query)).rows, fault).toEqual([])
  }
  const { rows } = await client.query(`
    select count(*)::int as changes, -sum(change) filter (where cause = 'payment') as taken,
      sum(change) filter (where cause = 'refund') as refunded, sum(change) filter (where cause = 'void') as voided
    from gift_certificate_changes`)
  return rows[0]
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
  'C-136: after kill -9 of server and database while orders spend the same certificates, histories, balances and orders agree',
  options,
  async () => {
    const { folder, shop } = await newFolder()
    const env = { STOREWARD_DATA: folder }
    await authorizeOnly(env, shop)
    let server = await startServer(folder)
    const tally: Tally = new Map()
    const ids: number[] = []
    for (let round = 1; round <= KILLS; round++) {
      const till = new Till(server, shop, tally)
      // Without new money, the certificates would soon be empty, and most of it with orders that no client asks about.
      const made = await till.v2('POST', '/gift_certificates', { ...people, amount: 150, code: `GIFT-${round}` })
      expect(made.status, made.text).toBe(201)
      for (let i = 0; i < ORDERS_OF_A_ROUND; i++) ids.push((await till.v2('POST', '/orders', order)).body.id)
      let isOn = true
      let done = 0
      const client = async () => {
        while (isOn) {
          const choice = Math.floor(Math.random() * 1_000_000)
          const id = ids[ids.length - 1 - Math.floor(Math.random() * Math.min(ids.length, 3 * ORDERS_OF_A_ROUND))]
          if (id === undefined) continue
          // A client that loses the connection has no answer.
          await till.act(id, choice, round).catch((error: unknown) => {
            if (isOn && error instanceof Error && error.name === 'AssertionError') throw error
            return sleep(20)
          })
          done++
        }
      }
      const clients = Array.from({ length: CLIENTS }, client)
      const all = Promise.all(clients)
      await Promise.race([all, until('some requests are answered', () => done >= 50 + (round % 4) * 20)])
      await sleep(Math.random() * 200)
      if (round % 2 === 0) process.kill(postmasterOf(folder) ?? 0, 'SIGKILL')
      process.kill(server.pid, 'SIGKILL')
      isOn = false
      await all
      await server.ended
      await until('PostgreSQL is gone', () => postmasterOf(folder) === undefined)
      const installation = await openInstallation(readConfig(env))
      // Simulates the end of their leases.
      await asAdministrator(folder, async (client) => {
        await client.query('update job_lanes set due_at = now(), is_new = true where due_at > now()')
        // Even before any job has continued, no history differs from its balance.
        await audit(client)
      })
      await installation.close()
      server = await startServer(folder)
    }
    await asAdministrator(folder, async (client) => {
      await waitForJobs(client)
      const { changes, taken, refunded, voided } = await audit(client)
      expect(Number(taken)).toBeGreaterThan(0)
      const given = `${refunded ?? 0} refunded, ${voided ?? 0} voided`
      figure('C-136', `${KILLS} kills, ${ids.length} orders, ${changes} changes: ${taken} taken, ${given}; all agree`)
      figure('C-136', [...tally].map(([deed, count]) => `${deed}: ${count}`).join(', '))
    })
  },
)
