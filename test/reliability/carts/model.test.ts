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
  type Shop,
  sized,
  startServer,
  whenFileEnds,
} from '../rig.ts'
import {
  CUSTOMER,
  ENGRAVING,
  grandTotalOf,
  type ModelState,
  outcomesOf,
  type View,
  viewOf,
  type Write,
  withIds,
} from './model.ts'

// Eight clients at two servers write one cart by both views, in random order. All answers must be those of an in-memory model that runs the
// writes one after another, in the order of their versions.

const SEQUENCES = sized(1_000, 6)
const CLIENTS = 8
const WRITES_OF_A_CLIENT = 6
const options = { timeout: sized(3_600_000, 240_000) }
const atEnd = whenFileEnds()

/** Numbers that a seed determines: a sequence that fails can be run again. */
function numbersFrom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
type Draw = ReturnType<typeof numbersFrom>

const address = (city: string, email = 'ann@example.com') => ({ email, country_code: 'US', city })

/** The request of a write, below the path of its view. */
function requestOf(cart: string, write: Write): [method: string, path: string, body?: unknown] {
  const { version } = write
  const read = version === undefined ? {} : { version }
  const [own, checkout] = [`/carts/${cart}`, `/checkouts/${cart}`]
  switch (write.kind) {
    case 'customer':
      return ['PUT', own, { ...read, ...(write.customer === undefined ? {} : { customer_id: write.customer }) }]
    case 'add': {
      const { product, quantity } = write
      if (product > 0) return ['POST', `${own}/items`, { ...read, line_items: [{ product_id: product, quantity }] }]
      return [
        'POST',
        `${own}/items`,
        { ...read, custom_items: [{ name: 'Engraving', quantity, list_price: ENGRAVING }] },
      ]
    }
    case 'quantity':
      return ['PUT', `${own}/items/${write.item}`, { ...read, line_item: { quantity: write.quantity } }]
    case 'remove':
      return ['DELETE', `${own}/items/${write.item}`, read]
    case 'delete':
      return ['DELETE', own]
    case 'message':
      return ['PUT', checkout, { ...read, customer_message: write.text }]
    case 'billing': {
      const body = { ...read, ...address('Austin', write.email) }
      if (write.id === undefined) return ['POST', `${checkout}/billing-address`, body]
      return ['PUT', `${checkout}/billing-address/${write.id}`, body]
    }
    case 'consign': {
      const line_items = [{ item_id: write.item, quantity: write.quantity }]
      return ['POST', `${checkout}/consignments`, [{ ...read, address: address(write.city), line_items }]]
    }
    case 'move':
      return ['PUT', `${checkout}/consignments/${write.consignment}`, { ...read, address: address(write.city) }]
    case 'ship': {
      const custom_shipping = { price: write.price, description: 'Van' }
      return ['PUT', `${checkout}/consignments/${write.consignment}`, { ...read, custom_shipping }]
    }
    case 'unconsign':
      return ['DELETE', `${checkout}/consignments/${write.consignment}`, read]
    case 'coupon':
      return ['POST', `${checkout}/coupons`, { ...read, coupon_code: 'TWO' }]
    case 'uncoupon':
      return ['DELETE', `${checkout}/coupons/TWO`, read]
    case 'fee':
      return ['POST', `${checkout}/fees`, { ...read, fees: [feeOf(write.cost)] }]
    case 'changeFee':
      return ['PUT', `${checkout}/fees`, { ...read, fees: [{ id: write.fee, ...feeOf(write.cost) }] }]
    case 'removeFee':
      return ['DELETE', `${checkout}/fees`, { ...read, ids: [write.fee] }]
    case 'discount':
      return ['POST', `${checkout}/discounts`, { cart: { ...read, discounts: [{ discounted_amount: write.amount }] } }]
  }
}

const feeOf = (cost: number) => ({ type: 'custom_fee', name: 'box', display_name: 'Box', source: 'shop', cost })

/** A random write, of things that the client has seen. */
function drawWrite(draw: Draw, seen: View): Write {
  const one = <T>(list: readonly T[]): T | undefined => list[draw(list.length)]
  const nothing = '5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d'
  const item = one(seen.lines)?.id ?? nothing
  const consignment = one(seen.checkout.consignments)?.id ?? nothing.replaceAll('-', '').slice(0, 24)
  const fee = one(seen.checkout.fees)?.id ?? nothing
  const writes: (() => Write)[] = [
    () => ({ kind: 'customer', customer: [0, 1, undefined][draw(3)] }),
    () => ({ kind: 'add', product: draw(3), quantity: 1 + draw(3) }),
    () => ({ kind: 'add', product: draw(3), quantity: 1 + draw(3) }),
    () => ({ kind: 'quantity', item, quantity: draw(16) === 0 ? 0 : 1 + draw(4) }),
    () => ({ kind: 'quantity', item, quantity: 1 + draw(4) }),
    () => (draw(4) === 0 ? { kind: 'remove', item } : { kind: 'message', text: 'Ring once' }),
    () => (draw(40) === 0 ? { kind: 'delete' } : { kind: 'message', text: `Ring ${draw(9)} times` }),
    () => ({
      kind: 'billing',
      id: draw(2) === 0 ? seen.checkout.billing : undefined,
      email: `a${draw(3)}@example.com`,
    }),
    () => ({ kind: 'consign', item, quantity: 1 + draw(2), city: ['Austin', 'Boston'][draw(2)] ?? '' }),
    () => ({ kind: 'consign', item, quantity: 1 + draw(2), city: ['Austin', 'Boston'][draw(2)] ?? '' }),
    () => ({ kind: 'move', consignment, city: 'Chicago' }),
    () => ({ kind: 'ship', consignment, price: draw(9) }),
    () => ({ kind: 'unconsign', consignment }),
    () => ({ kind: 'coupon' }),
    () => ({ kind: 'uncoupon' }),
    () => ({ kind: 'fee', cost: draw(5) }),
    () => ({ kind: 'changeFee', fee, cost: draw(5) }),
    () => ({ kind: 'removeFee', fee }),
    () => ({ kind: 'discount', amount: draw(2) }),
  ]
  const write = writes[draw(writes.length)]?.() ?? { kind: 'coupon' }
  return write.kind !== 'delete' && draw(4) === 0 ? { ...write, version: seen.version } : write
}

/** The parts of an answer that the model has. Answers of carts lack the steps of the checkout. */
function viewIn({
  data,
}: Reply['body']): Omit<View, 'checkout'> & { checkout?: View['checkout']; grandTotal?: number } {
  const cart = data.cart ?? data
  const { physical_items, custom_items } = cart.line_items
  const lines = [
    ...physical_items.map((line: { id: string; product_id: number; quantity: number }) => ({
      id: line.id,
      product: line.product_id,
      quantity: line.quantity,
    })),
    ...custom_items.map((line: { id: string; quantity: number }) => ({
      id: line.id,
      product: 0,
      quantity: line.quantity,
    })),
  ]
  const shown = {
    version: data.version,
    customer: cart.customer_id,
    email: cart.email,
    lines,
    codes: cart.coupons.map(({ code }: { code: string }) => code),
    manual: data.cart ? cart.discount_amount : cart.manual_discount_amount,
  }
  if (!data.cart) return shown
  return {
    ...shown,
    grandTotal: data.grand_total,
    checkout: {
      billing: data.billing_address?.id,
      message: data.customer_message,
      consignments: data.consignments.map(
        (one: {
          id: string
          address: { city: string }
          line_item_ids: string[]
          selected_shipping_option?: { cost: number }
        }) => ({
          id: one.id,
          city: one.address.city,
          lines: one.line_item_ids.toSorted(),
          price: one.selected_shipping_option?.cost ?? null,
        }),
      ),
      fees: data.fees.map(({ id, cost_ex_tax }: { id: string; cost_ex_tax: number }) => ({ id, cost: cost_ex_tax })),
    },
  }
}

/** A write with its answer, and the time of both. */
interface Done {
  write: Write
  reply: Reply
  began: number
  ended: number
}

/** Writes a cart by all clients at once. */
async function writeAll(calls: readonly Client[], cart: string, draw: Draw, first: View): Promise<Done[]> {
  const done: Done[] = []
  let seen = first
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, nr) => {
      const call = calls[nr % calls.length]
      for (let i = 0; call && i < WRITES_OF_A_CLIENT; i++) {
        const write = drawWrite(draw, seen)
        const began = performance.now()
        const reply = await call(...requestOf(cart, write))
        done.push({ write, reply, began, ended: performance.now() })
        if (reply.status >= 300 || reply.status === 204) continue
        const view = viewIn(reply.body)
        seen = { ...seen, ...view, checkout: view.checkout ?? seen.checkout }
      }
    }),
  )
  return done
}

const EMPTY: ModelState = {
  isGone: false,
  version: 1,
  customer: 0,
  billing: null,
  message: '',
  lines: [],
  consignments: [],
  codes: [],
  fees: [],
  manual: 0,
}

const byId = <T extends { id: string }>(list: readonly T[]) =>
  list.toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** Runs the successful writes through the model in the order of their versions, and finds a state for each refusal. */
function judge(done: readonly Done[], begin: ModelState): ModelState {
  const isDone = ({ reply }: Done) => reply.status < 300
  const versionOf = ({ reply }: Done): number =>
    reply.status === 204 ? Number.POSITIVE_INFINITY : reply.body.data.version
  const successes = done.filter(isDone).toSorted((one, other) => versionOf(one) - versionOf(other))
  const states = [begin]
  for (const [i, { write, reply }] of successes.entries()) {
    const before = states[i] ?? begin
    const said = `${JSON.stringify(write)} at ${JSON.stringify(before)}: ${reply.status} ${reply.text}`
    const after = outcomesOf(before, write).find((one) => typeof one !== 'number')
    if (after === undefined || typeof after === 'number') throw new Error(`The model refuses ${said}`)
    expect(after.isGone, said).toBe(reply.status === 204)
    if (reply.status === 204) {
      expect(i, said).toBe(successes.length - 1)
      states.push(after)
      continue
    }
    // Every success adds exactly one to the version.
    expect(reply.body.data.version, said).toBe(before.version + 1)
    const answered = viewIn(reply.body)
    const named = withIds(after, answered)
    const { checkout, lines, ...expected } = viewOf(named)
    expect({ ...answered, lines: byId(answered.lines), checkout: undefined, grandTotal: undefined }, said).toEqual({
      ...expected,
      lines: byId(lines),
      checkout: undefined,
      grandTotal: undefined,
    })
    if (answered.checkout) {
      expect(answered.checkout, said).toEqual(checkout)
      const total = grandTotalOf(named)
      if (total !== undefined) expect(answered.grandTotal, said).toBe(total)
    }
    states.push(named)
  }
  for (const { write, reply, began, ended } of done.filter((one) => !isDone(one))) {
    // The refusal was decided between its beginning and its end: not before writes that had ended, nor after writes that had not begun.
    const from = successes.filter((one) => one.ended <= began).length
    const to = successes.filter((one) => one.began <= ended).length
    const possible = states.slice(from, to + 1).flatMap((state) => outcomesOf(state, write))
    expect(possible, `${JSON.stringify(write)}: ${reply.text}`).toContain(reply.status)
  }
  return states.at(-1) ?? begin
}

/** A store with two products, a coupon and a customer. */
async function furnish(call: Client, { hash, token }: Shop, url: string) {
  for (const [name, price] of [
    ['Lamp', 12.5],
    ['Vase', 20],
  ]) {
    expect((await call('POST', '/catalog/products', { name, price, type: 'physical', weight: 1 })).status).toBe(200)
  }
  const { ask } = await import('../rig.ts')
  const coupon = { name: 'Two', code: 'TWO', type: 'per_total_discount', amount: '2' }
  const made = await ask(url, 'POST', `/stores/${hash}/v2/coupons`, {
    headers: { 'x-auth-token': token },
    body: { ...coupon, applies_to: { entity: 'categories', ids: [0] } },
  })
  expect(made.status, made.text).toBeLessThan(300)
  const customer = { first_name: 'Cleo', last_name: 'Lee', email: CUSTOMER }
  expect((await call('POST', '/customers', [customer])).status).toBe(200)
}

test(
  'C-018, C-121, C-122, C-137: random writes of both views by 8 clients at two servers have the answers of a model',
  options,
  async () => {
    const { folder } = await newFolder(atEnd)
    const database = await startEmbedded({ folder })
    atEnd(() => database.stop())
    const url = new URL(database.url)
    url.pathname = '/storeward'
    const env = { DATABASE_URL: url.href, SECRET: await readFile(join(folder, 'secret'), 'utf8') }
    const servers = await Promise.all([
      startServer(folder, env, atEnd),
      startServer(join(folder, 'second'), env, atEnd),
    ])
    const shop = await newShop(folder)
    const calls = servers.map((server) => clientOf(server, shop))
    const [call] = calls
    if (!call) throw new Error('There is no server.')
    await furnish(call, shop, servers[0].url)
    let [writes, refused] = [0, 0]
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      const line_items = [
        { product_id: 1, quantity: 3 },
        { product_id: 2, quantity: 2 },
      ]
      const { body } = await call('POST', '/carts', { line_items })
      const { lines } = viewIn(body)
      const begin = { ...EMPTY, lines }
      const done = await writeAll(calls, body.data.id, numbersFrom(seed), viewOf(begin))
      const end = judge(done, begin)
      const read = await call('GET', `/checkouts/${body.data.id}`)
      expect(read.status, `sequence ${seed}`).toBe(end.isGone ? 404 : 200)
      if (!end.isGone) expect(read.body.data.version, `sequence ${seed}`).toBe(end.version)
      writes += done.length
      refused += done.filter(({ reply }) => reply.status >= 300).length
    }
    figure(
      'C-137',
      `${SEQUENCES} sequences, ${writes} writes of ${CLIENTS} clients at two servers, ${refused} refused: all as the model`,
    )
  },
)
