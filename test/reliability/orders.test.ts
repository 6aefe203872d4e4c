import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../server/core/db/setup/embedded.ts'
import { readConfig } from '../../server/process/config.ts'
import { openInstallation } from '../../server/process/installation.ts'
import { Gateways } from '../../server/sales/payments/gateways.ts'
import { payOrderIn } from '../../server/test/fixtures/orders.ts'
import {
  asAdministrator,
  ask,
  type Client,
  clientOf,
  figure,
  newFolder,
  newShop,
  postmasterOf,
  type ServerProcess,
  type Shop,
  sized,
  startServer,
  until,
  whenFileEnds,
} from './rig.ts'

// Captures, voids and refunds that race each other, and servers and databases that are killed in the middle of them. In
// the end the book of the test gateway and ours must agree to the cent.

const CLIENTS = 16
const ORDERS = sized(200, 16)
const TURNS = sized(4_000, 160)
const KILLS = sized(50, 2)
const options = { timeout: sized(3_600_000, 240_000) }
const UNITS = 4
const atEnd = whenFileEnds()

const order = {
  billing_address: { first_name: 'Ida', last_name: 'Holm', zip: '1051', email: 'ida@example.com' },
  products: [{ name: 'Print', quantity: UNITS, price_ex_tax: 9.99, price_inc_tax: 10.79 }],
  status_id: 0,
}

/** An order, and its only line. */
interface PlacedOrder {
  id: number
  line: number
}

/** Creates an order, in the older family. */
async function makeOrder({ url }: ServerProcess, shop: Shop): Promise<PlacedOrder> {
  const v2 = (method: string, path: string, body?: unknown) =>
    ask(url, method, `/stores/${shop.hash}/v2${path}`, { body, headers: { 'x-auth-token': shop.token } })
  const made = await v2('POST', '/orders', order)
  expect(made.status, made.text).toBe(200)
  const lines = await v2('GET', `/orders/${made.body.id}/products`)
  return { id: made.body.id, line: lines.body[0].id }
}

/** Creates this many orders and authorizes their payment at the test gateway. */
async function openOrders(
  env: Record<string, string>,
  shop: Shop,
  server: ServerProcess,
  count: number,
): Promise<PlacedOrder[]> {
  const made: PlacedOrder[] = []
  // A few at a time: the server refuses more than a certain number of waiting requests.
  while (made.length < count) {
    const some = Math.min(8, count - made.length)
    made.push(...(await Promise.all(Array.from({ length: some }, () => makeOrder(server, shop)))))
  }
  const installation = await openInstallation(readConfig(env))
  try {
    const store = await installation.directory.find(shop.hash)
    const db = store && (await installation.directory.dbById(store.id))
    if (!db) throw new Error('The store has no database.')
    for (const { id } of made) await payOrderIn(db, new Gateways(installation), id, { operation: 'authorize' })
  } finally {
    await installation.close()
  }
  return made
}

interface Answers {
  /** The number of accepted requests of each kind. */
  accepted: Record<string, number>
  statuses: Set<number>
}

/** Captures, voids or refunds a part of an order in any state. */
async function act(call: Client, { id, line }: PlacedOrder, choice: number, { accepted, statuses }: Answers) {
  const path = `/orders/${id}/payment_actions`
  const send = async (name: string, body?: unknown) => {
    const reply = await call('POST', `${path}/${name}`, body)
    statuses.add(reply.status)
    if (reply.status === 201) accepted[`${name} ${id}`] = (accepted[`${name} ${id}`] ?? 0) + 1
    return reply
  }
  if (choice % 10 === 0) return send('void')
  if (choice % 10 <= 3) return send('capture')
  const items =
    choice % 2 === 0
      ? [{ item_type: 'ORDER', item_id: id, amount: (choice % 1_500) / 100 + 0.01 }]
      : [{ item_type: 'PRODUCT', item_id: line, quantity: (choice % UNITS) + 1 }]
  const quoted = await call('POST', `${path}/refund_quotes`, { items })
  statuses.add(quoted.status)
  if (quoted.status !== 201) return
  const methods = quoted.body.data.refund_methods
  await send('refunds', { items, payments: methods[choice % methods.length] })
}

/** Mails of these servers are not sent: they have no SMTP_URL. */
const waitForJobs = (client: pg.Client) =>
  until('all jobs are done', async () => {
    const { rows } = await client.query(
      "select id from jobs where (state <> 'done' or begun_at is not null) and task <> 'send_mail' limit 1",
    )
    return rows.length === 0
  })

/** Amounts of each order in cents, by the gateway's book and by our transactions. */
const BOOKS = `
  select orders.id, orders.payment_status, orders.status_id, (orders.refunded_amount * 100)::int as refunded_amount,
    (select coalesce(sum(e.amount_minor), 0)::int from testgateway_entries e join payment_attempts a using (store_id, key)
      where a.store_id = orders.store_id and a.order_id = orders.id and e.operation = 'capture' and e.outcome = 'approved') as captured_there,
    (select coalesce(sum(e.amount_minor), 0)::int from testgateway_entries e join payment_attempts a using (store_id, key)
      where a.store_id = orders.store_id and a.order_id = orders.id and e.operation = 'refund' and e.outcome = 'approved') as refunded_there,
    (select count(*)::int from testgateway_entries e join payment_attempts a using (store_id, key)
      where a.store_id = orders.store_id and a.order_id = orders.id and e.operation = 'void' and e.outcome = 'approved') as voids_there,
    (select coalesce(sum(t.amount) * 100, 0)::int from order_transactions t
      where t.store_id = orders.store_id and t.order_id = orders.id and t.event = 'capture' and t.status = 'ok') as captured,
    (select coalesce(sum(t.amount) * 100, 0)::int from order_transactions t
      where t.store_id = orders.store_id and t.order_id = orders.id and t.event = 'refund' and t.status = 'ok'
        and t.gateway = 'testgateway') as refunded_online,
    (select coalesce(sum(t.amount) * 100, 0)::int from order_transactions t
      where t.store_id = orders.store_id and t.order_id = orders.id and t.event = 'refund' and t.status = 'ok') as refunded,
    (select count(*)::int from order_transactions t
      where t.store_id = orders.store_id and t.order_id = orders.id and t.event = 'void' and t.status = 'ok') as voids,
    (select coalesce(sum(p.amount) * 100, 0)::int from order_refund_payments p
      where p.store_id = orders.store_id and p.order_id = orders.id and p.state <> 'declined') as promised,
    (select sum(quantity_refunded)::int from order_products l
      where l.store_id = orders.store_id and l.order_id = orders.id) as units,
    (select coalesce(sum((item->>'quantity')::int), 0)::int from order_refunds r, jsonb_array_elements(r.items) item
      where r.store_id = orders.store_id and r.order_id = orders.id and not r.is_declined and item->>'item_type' = 'PRODUCT') as counted
  from orders order by orders.store_id, orders.id`

/** Checks every invariant of every order. @returns the sums that were captured and refunded, in cents */
async function audit(client: pg.Client) {
  const { rows } = await client.query(BOOKS)
  const sums = { captured: 0, refunded: 0, voids: 0 }
  for (const row of rows) {
    const name = JSON.stringify(row)
    expect([row.captured, row.refunded_online, row.voids], name).toEqual([
      row.captured_there,
      row.refunded_there,
      row.voids_there,
    ])
    expect(row.promised, name).toBeLessThanOrEqual(row.captured)
    expect([row.refunded, row.refunded_amount], name).toEqual([row.promised, row.promised])
    expect(row.units, name).toBe(row.counted)
    expect(row.units, name).toBeLessThanOrEqual(UNITS)
    expect(row.voids === 0 || row.captured === 0, name).toBe(true)
    const expected =
      row.voids > 0
        ? ['void', 5]
        : row.captured === 0
          ? ['authorized', 7]
          : row.refunded === 0
            ? ['captured', 11]
            : row.refunded < row.captured
              ? ['partially refunded', 14]
              : ['refunded', 4]
    expect([row.payment_status, row.status_id], name).toEqual(expected)
    sums.captured += row.captured
    sums.refunded += row.refunded
    sums.voids += row.voids
  }
  const { rows: disorder } = await client.query(
    `select id from (select id, created, lag(created) over (partition by store_id, order_id order by id) as before from order_refunds) r
     where before > created`,
  )
  expect(disorder).toEqual([])
  return { ...sums, orders: rows.length }
}

/**
 * Has PostgreSQL refuse every fifth commit that changes an order or stores a refund of it, with a serialization
 * failure. Each order has a sequence of its own: a rollback doesn't reset it, so a repeated transaction succeeds.
 */
const FAILING_COMMITS = `
  create schema faults;
  create function faults.refuse_fifth() returns trigger language plpgsql security definer as $$
    begin
      if nextval('faults.order_' || coalesce(to_jsonb(new) ->> 'order_id', to_jsonb(new) ->> 'id')) % 5 = 0 then
        raise exception 'Injected.' using errcode = 'serialization_failure';
      end if;
      return null;
    end $$;
  grant usage on schema faults to public;
  create constraint trigger refuse_fifth after update on orders
    deferrable initially deferred for each row execute function faults.refuse_fifth();
  create constraint trigger refuse_fifth after insert on order_refunds
    deferrable initially deferred for each row execute function faults.refuse_fifth();`

async function failCommits(client: pg.Client, made: readonly PlacedOrder[]) {
  await client.query('begin')
  await client.query(FAILING_COMMITS)
  // The sequences begin at different numbers, so that the refused commit is the request's for some orders and the job's
  // for others.
  for (const { id } of made) await client.query(`create sequence faults.order_${id} start with ${1 + (id % 5)}`)
  await client.query('commit')
}

/** The number of refused commits. */
async function refusedCommits(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `select coalesce(sum(last_value / 5), 0)::int as refused from pg_sequences where schemaname = 'faults'`,
  )
  return rows[0].refused
}

/** Each transaction and each refund has published one event. */
async function expectOneEventEach(client: pg.Client) {
  const { rows } = await client.query(`
    select (select count(*)::int from events where scope = 'store/order/transaction/created') as transaction_events,
      (select count(*)::int from order_transactions) as transactions,
      (select count(*)::int from events where scope = 'store/order/refund/created') as refund_events,
      (select count(*)::int from order_refunds) as refunds`)
  const [{ transactions, refunds, ...events }] = rows
  expect(events).toEqual({ transaction_events: transactions, refund_events: refunds })
}

/** The sums of a shop's orders, for the printed line. */
const said = ({ orders, captured, refunded, voids }: Awaited<ReturnType<typeof audit>>) =>
  `${orders} orders, ${captured / 100} captured, ${refunded / 100} given back, ${voids} voided, books agree`

test(
  'C-021, C-022, C-025: captures, voids and refunds of 16 clients at two servers race while every fifth commit fails: books agree, nothing is refunded or published twice',
  options,
  async () => {
    const { folder } = await newFolder(atEnd)
    const database = await startEmbedded({ folder })
    atEnd(() => database.stop())
    const url = new URL(database.url)
    url.pathname = '/storeward'
    const env = { DATABASE_URL: url.href, SECRET: await readFile(join(folder, 'secret'), 'utf8') }
    // One uses the folder; the other has one of its own.
    const servers = await Promise.all([
      startServer(folder, env, atEnd),
      startServer(join(folder, 'second'), env, atEnd),
    ])
    const shop = await newShop(folder)
    const calls = servers.map((server) => clientOf(server, shop))
    const made = await openOrders(env, shop, servers[0], ORDERS)
    await asAdministrator(folder, (client) => failCommits(client, made))
    const answers: Answers = { accepted: {}, statuses: new Set() }
    let turn = 0
    const client = async (call: Client) => {
      while (turn < TURNS) {
        const choice = Math.floor(Math.random() * 1_000_000)
        const one = made[(turn++ * 7 + (choice % 3)) % made.length]
        if (one) await act(call, one, choice, answers)
      }
    }
    await Promise.all(calls.flatMap((call) => Array.from({ length: CLIENTS / 2 }, () => client(call))))
    // The two statuses of the contract: accepted, or refused because of the order's state.
    expect([...answers.statuses].filter((status) => status !== 201 && status !== 422)).toEqual([])
    await asAdministrator(folder, async (client) => {
      await waitForJobs(client)
      const sums = await audit(client)
      for (const { id } of made) {
        const { [`capture ${id}`]: captures = 0, [`void ${id}`]: voids = 0 } = answers.accepted
        expect(captures + voids, `order ${id}`).toBeLessThanOrEqual(1)
      }
      await expectOneEventEach(client)
      const refused = await refusedCommits(client)
      expect(refused).toBeGreaterThan(0)
      figure(
        'C-021, C-022, C-025',
        `${TURNS} requests of ${CLIENTS} clients at two servers, ${refused} commits refused: ${said(sums)}`,
      )
    })
  },
)

test(
  'C-006: after kill -9 of server and database in the middle of captures and refunds the books agree',
  options,
  async () => {
    const { folder, shop } = await newFolder()
    const env = { STOREWARD_DATA: folder }
    let server = await startServer(folder)
    const made: PlacedOrder[] = []
    for (let round = 1; round <= KILLS; round++) {
      made.push(...(await openOrders(env, shop, server, 8)))
      const call = clientOf(server, shop)
      let isOn = true
      let captures = 0
      const client = async (nr: number) => {
        while (isOn) {
          const one = made[made.length - 1 - Math.floor(Math.random() * Math.min(made.length, 24))]
          const choice = nr < 3 ? 1 : Math.floor(Math.random() * 1_000_000)
          const answers: Answers = { accepted: {}, statuses: new Set() }
          // A client that loses the connection has no answer.
          if (one) await act(call, one, choice, answers).catch(() => sleep(20))
          captures += Object.keys(answers.accepted).length
        }
      }
      const clients = Array.from({ length: 8 }, (_, nr) => client(nr))
      await until('some of it is accepted', () => captures >= 4 + (round % 4) * 2)
      await sleep(Math.random() * 200)
      if (round % 2 === 0) process.kill(postmasterOf(folder) ?? 0, 'SIGKILL')
      process.kill(server.pid, 'SIGKILL')
      isOn = false
      await Promise.allSettled(clients)
      await server.ended
      // It ends with its server. A test that finds it before its end would lose it later.
      await until('PostgreSQL is gone', () => postmasterOf(folder) === undefined)
      const installation = await openInstallation(readConfig(env))
      // Simulates the end of their leases.
      await asAdministrator(folder, (client) =>
        client.query('update job_lanes set due_at = now(), is_new = true where due_at > now()'),
      )
      await installation.close()
      server = await startServer(folder)
    }
    await asAdministrator(folder, async (client) => {
      await waitForJobs(client)
      figure('C-006', `${KILLS} kills of the server, every second with its database: ${said(await audit(client))}`)
    })
  },
)
