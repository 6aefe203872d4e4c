import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { asAdministrator, clientOf, figure, newFolder, postmasterOf, sized, startServer, until } from '../rig.ts'

// Requests that write several things of a cart at once, while the server is killed: lines, consignments, and metafields of several carts.

const KILLS = sized(20, 2)
const [CLIENTS, LINES, CONSIGNMENTS, METAFIELDS] = [4, 20, 5, 10]
const options = { timeout: sized(3_600_000, 300_000) }

const address = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', city: 'Austin', country_code: 'US' }

/** Carts whose document or metafields have a part of a batch. */
const TORN = `
  select id from carts
  where jsonb_array_length(document -> 'lines') % ${LINES} <> 0
    or jsonb_array_length(document -> 'consignments') % ${CONSIGNMENTS} <> 0
  union all
  select resource_uuid::text from metafields where resource_uuid is not null
  group by resource_uuid, namespace having count(*) % ${METAFIELDS} <> 0`

/** The batches of a cart that were answered. The cart has at least these. */
interface Answered {
  lines: number
  consignments: number
  metafields: number
}

type Call = ReturnType<typeof clientOf>

test('C-002: kill -9 tears no batch of lines, consignments or metafields', options, async () => {
  const { folder, shop } = await newFolder()
  let server = await startServer(folder)
  const answered = new Map<string, Answered>()
  for (let round = 1; round <= KILLS; round++) {
    const call = clientOf(server, shop)
    let [isOn, sent] = [true, 0]
    const client = async () => {
      while (isOn) {
        sent++
        // A client that loses its connection has no answer.
        await fillCart(call, answered).catch(() => sleep(20))
      }
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    await until('some batches are answered', () => sent >= CLIENTS * 2)
    await sleep(Math.random() * 200)
    if (round % 2 === 0) process.kill(postmasterOf(folder) ?? 0, 'SIGKILL')
    process.kill(server.pid, 'SIGKILL')
    isOn = false
    await clients
    await server.ended
    await until('PostgreSQL is gone', () => postmasterOf(folder) === undefined)
    server = await startServer(folder)
    await asAdministrator(folder, async (database) => {
      expect((await database.query(TORN)).rows).toEqual([])
    })
    await expectKept(clientOf(server, shop), answered)
  }
  figure('C-002', `${KILLS} kills, ${answered.size} carts with batches: none torn, none of the answered ones lost`)
})

/** Creates a cart and sends a batch of each kind to it. Notes those that were answered. */
async function fillCart(call: Call, answered: Map<string, Answered>) {
  const items = (name: string) =>
    Array.from({ length: LINES }, (_, i) => ({ name: `${name} ${i}`, quantity: CONSIGNMENTS, list_price: 1 + i }))
  const made = await call('POST', '/carts', { custom_items: items('First') })
  if (made.status !== 201) return
  const { id, line_items } = made.body.data
  const done = { lines: LINES, consignments: 0, metafields: 0 }
  answered.set(id, done)
  const shipped = line_items.custom_items.map((item: { id: string }) => ({ item_id: item.id, quantity: 1 }))
  const consignments = Array.from({ length: CONSIGNMENTS }, () => ({ address, line_items: shipped }))
  if ((await call('POST', `/checkouts/${id}/consignments`, consignments)).status === 200) {
    done.consignments = CONSIGNMENTS
  }
  const metafields = Array.from({ length: METAFIELDS }, (_, i) => ({
    resource_id: id,
    namespace: 'n',
    key: `k${i}`,
    value: 'v',
    permission_set: 'read',
  }))
  if ((await call('POST', '/carts/metafields', metafields)).status === 200) done.metafields = METAFIELDS
  if ((await call('POST', `/carts/${id}/items`, { custom_items: items('More') })).status === 201) done.lines += LINES
}

/** Expects that nothing is lost that was answered. */
async function expectKept(call: Call, answered: ReadonlyMap<string, Answered>) {
  for (const [id, { lines, consignments, metafields }] of answered) {
    const { status, body } = await call('GET', `/checkouts/${id}`)
    expect(status).toBe(200)
    expect(body.data.cart.line_items.custom_items.length).toBeGreaterThanOrEqual(lines)
    expect(body.data.consignments.length).toBeGreaterThanOrEqual(consignments)
    const stored = (await call('GET', `/carts/${id}/metafields`)).body.data.length
    expect(stored).toBeGreaterThanOrEqual(metafields)
  }
}
