import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../../server/core/db/setup/embedded.ts'
import {
  type Client,
  clientOf,
  figure,
  newFolder,
  newShop,
  type Reply,
  sized,
  startServer,
  whenFileEnds,
} from '../rig.ts'

// Fifty clients at two servers write one cart, some with the version that they have read, while its products and their prices change.

const CLIENTS = 50
const WRITES_OF_A_CLIENT = sized(40, 4)
const LOCK_WAIT_MS = 10_000
const options = { timeout: sized(3_600_000, 300_000) }
const atEnd = whenFileEnds()

/** A line that a client adds once: its name is in the cart if, and only if, the write was answered with 201. */
interface Addition {
  name: string
  reply: Reply
}

/** Writes of one client: lines of its own, the quantity of a line that all share, and the message. */
async function writeBy(call: Client, cart: { id: string; line: string }, client: number) {
  const [replies, additions]: [Reply[], Addition[]] = [[], []]
  let version = 1
  for (let n = 0; n < WRITES_OF_A_CLIENT; n++) {
    const read = n % 2 === 0 ? {} : { version }
    const name = `Engraving ${client}-${n}`
    const write = async (): Promise<Reply> => {
      // A cart has at most 500 lines: each client adds eight.
      if (n % 4 === 0 && n < 32) {
        const custom_items = [{ name, quantity: 1, list_price: 1 }]
        const reply = await call('POST', `/carts/${cart.id}/items`, { ...read, custom_items })
        additions.push({ name, reply })
        return reply
      }
      if (n % 4 === 1) return call('PUT', `/checkouts/${cart.id}`, { ...read, customer_message: name })
      return call('PUT', `/carts/${cart.id}/items/${cart.line}`, { ...read, line_item: { quantity: 1 + (n % 3) } })
    }
    const reply = await write()
    replies.push(reply)
    if (reply.status < 300) version = reply.body.data.version
  }
  return { replies, additions }
}

/** Changes the prices of a product, and creates and deletes another one, until it is stopped. */
function changeProducts(call: Client) {
  let isOn = true
  let changes = 0
  const ended = (async () => {
    while (isOn) {
      expect((await call('PUT', '/catalog/products/1', { price: 10 + (changes % 5) })).status).toBe(200)
      const other = { name: 'Vase', price: 20, type: 'physical', weight: 1 }
      const { id } = (await call('POST', '/catalog/products', other)).body.data
      expect((await call('DELETE', `/catalog/products/${id}`)).status).toBe(204)
      changes++
    }
  })()
  return {
    async stop() {
      isOn = false
      await ended
      return changes
    },
  }
}

test('C-137: 50 clients at two servers write one cart, and no line is lost', options, async () => {
  const { folder } = await newFolder(atEnd)
  const database = await startEmbedded({ folder })
  atEnd(() => database.stop())
  const url = new URL(database.url)
  url.pathname = '/storeward'
  const env = { DATABASE_URL: url.href, SECRET: await readFile(join(folder, 'secret'), 'utf8') }
  const servers = await Promise.all([startServer(folder, env, atEnd), startServer(join(folder, 'second'), env, atEnd)])
  const shop = await newShop(folder)
  const calls = servers.map((server) => clientOf(server, shop))
  const [call] = calls
  if (!call) throw new Error('There is no server.')
  const lamp = { name: 'Lamp', price: 10, type: 'physical', weight: 1 }
  expect((await call('POST', '/catalog/products', lamp)).status).toBe(200)
  const { data } = (await call('POST', '/carts', { line_items: [{ product_id: 1, quantity: 1 }] })).body
  const cart = { id: data.id, line: data.line_items.physical_items[0].id }

  const products = changeProducts(call)
  const written = await Promise.all(
    Array.from({ length: CLIENTS }, (_, client) => writeBy(calls[client % 2] ?? call, cart, client)),
  )
  const changes = await products.stop()
  const replies = written.flatMap(({ replies }) => replies)
  const withStatus = (...statuses: number[]) => replies.filter(({ status }) => statuses.includes(status))
  const others = replies.filter(({ status }) => ![200, 201, 409, 423].includes(status))
  expect(others.map(({ status, text }) => [status, text])).toEqual([])
  for (const { ms, text } of withStatus(423)) expect(ms, text).toBeGreaterThanOrEqual(LOCK_WAIT_MS)
  for (const { body } of withStatus(409)) expect(body.errors.version).toMatch(/^The cart has the version \d+\.$/)

  const { body } = await call('GET', `/carts/${cart.id}`)
  expect(body.data.version).toBe(1 + withStatus(200, 201).length)
  const names = body.data.line_items.custom_items.map(({ name }: { name: string }) => name)
  const added = written.flatMap(({ additions }) => additions.filter(({ reply }) => reply.status === 201))
  expect(names.toSorted()).toEqual(added.map(({ name }) => name).toSorted())
  const stale = withStatus(409).length
  figure(
    'C-137',
    `${replies.length} writes of ${CLIENTS} clients, ${stale} stale, ${withStatus(423).length} after 10 s, ${changes} changes of prices: version ${body.data.version}, ${names.length} lines, none lost`,
  )
})
