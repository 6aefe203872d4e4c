import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { emptyStore, type Fork, fork, plant, type StartedServer, startServer } from '../src/index.ts'
import { milliseconds } from '../src/times.ts'

// The kit against the server that it starts itself.

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

let server: StartedServer
let kept: Fork
beforeAll(async () => {
  server = await startServer({ command: [process.execPath, join(root, 'server/bin/storeward.js')] })
  kept = await fork('tiny', server)
}, 600_000)
afterAll(() => server.stop(), 240_000)

describe('a fork', () => {
  test('has the data and the ids of its source, and changes nothing there', async () => {
    const other = await fork('tiny', server)
    const products = await kept.store.products.list().all()
    expect(products.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    expect(await other.store.products.list().all()).toEqual(products)
    await other.store.products.delete(1)
    expect(await kept.store.products.list().total()).toBe(12)
    await other.free()
    await expect(other.store.products.get(2)).rejects.toMatchObject({ status: expect.any(Number) })
    await other.free()
  })

  test('with a seed answers the same in each run', async () => {
    const answers = async () => {
      const seeded = await fork('tiny', server, { seed: '7' })
      const cart = await seeded.store.carts.create({ line_items: [{ product_id: 1, quantity: 2 }] })
      const lamp = await seeded.store.products.create({ name: 'Lamp', type: 'physical', weight: 1, price: 20 })
      await seeded.free()
      return JSON.stringify([cart, lamp]).replaceAll(seeded.storeHash, 'HASH')
    }
    const first = await answers()
    expect(first).toContain('2035-01-01T12:00:00')
    expect(await answers()).toBe(first)
  })

  test('of an unknown store is refused', async () => {
    await expect(fork('nowhere', server)).rejects.toThrow('The server has no store "nowhere" to fork.')
  })

  test('shows its last requests', async () => {
    await kept.store.brands.list({ limit: 1 }).page(1)
    expect(kept.requests.at(-1)).toMatch(
      /^GET \/stores\/\w+\/v3\/catalog\/brands\?limit=1&page=1 200 \d+ ms [0-9a-f]{32}$/,
    )
  })
})

describe('the receiver', () => {
  test('waits for an event that follows, verified and with its data', { timeout: 120_000 }, async () => {
    const seen = kept.receiver.waitFor('store/product/updated', { within: '60 s' })
    await kept.store.products.update(3, { price: 12 })
    expect(await seen).toMatchObject({ scope: 'store/product/updated', data: { type: 'product', id: 3 } })
    const second = kept.receiver.waitFor('store/product/updated', {
      within: '60 s',
      where: ({ data }) => Reflect.get(data, 'id') === 5,
    })
    await kept.store.products.update(4, { price: 12 })
    await kept.store.products.update(5, { price: 12 })
    expect((await second).data.id).toBe(5)
  })

  test('names the events that arrived instead', { timeout: 120_000 }, async () => {
    const missing = kept.receiver.waitFor('store/order/created', { within: '50 ms' })
    await expect(missing).rejects.toThrow(
      /^No store\/order\/created arrived within 50 ms\.\n.*\nIts hook had nothing to deliver/,
    )
    const other = kept.receiver.waitFor('store/product/updated', { within: '60 s' })
    const never = kept.receiver.waitFor('store/order/created', { within: '5 s' })
    await kept.store.products.update(6, { price: 13 })
    await other
    await expect(never).rejects.toThrow(
      /These events arrived:\n {2}store\/product\/updated \{.*\n(?:.*\n)* {2}store\/product\/updated at the hook for store\/product\/updated: [A-Z]/,
    )
  })
})

test('the mailbox has the e-mails of the store', async () => {
  await expect(kept.mailbox.waitFor({ to: 'nobody@example.com', within: '10 ms' })).rejects.toThrow(
    /No such e-mail within 10 ms/,
  )
})

describe('faults', () => {
  test('make the next request fail, which the client repeats', async () => {
    await kept.faults.next('POST /v3/catalog/brands', 503)
    await expect(kept.store.brands.create({ name: 'After a fault' })).resolves.toMatchObject({ name: 'After a fault' })
    const fault = await kept.faults.next('POST /v3/catalog/brands', 'answer lost')
    expect(await fault.seen()).toBe(0)
    await expect(kept.store.brands.create({ name: 'After a lost answer' })).resolves.toMatchObject({
      name: 'After a lost answer',
    })
    expect(await fault.seen()).toBeGreaterThan(0)
    expect(await kept.store.brands.list({ 'name:like': 'After a' }).total()).toBe(2)
    await kept.faults.clear()
  })

  test('that nothing can have are refused', async () => {
    await expect(kept.faults.next('delivery', 'declined')).rejects.toThrow('"delivery" is no operation and no port')
    await expect(kept.faults.next('mail', 'declined')).rejects.toThrow(
      '"mail" has "fails", "timed out", and not "declined".',
    )
    // @ts-expect-error: no outcome
    await expect(kept.faults.next('GET /v3/catalog/brands', 'sad')).rejects.toThrow(
      'A request has a status such as 503, or "connection lost before"',
    )
  })
})

describe('a fixture', () => {
  const lamp = { name: 'Planted lamp', type: 'physical', weight: 1, price: 20 }

  test('creates its resources by names, in the order of their references', async () => {
    const { store, free } = await emptyStore(server)
    const ids = await plant(store, {
      products: { lamp: { ...lamp, brand_id: '@halden', description: '@@home' } },
      brands: { halden: { name: 'Halden' } },
    })
    expect(await store.products.get(Number(ids.lamp))).toMatchObject({ brand_id: ids.halden, description: '@home' })
    await free()
  })

  test('that is refused leaves a fork as it was', { timeout: 120_000 }, async () => {
    const empty = await emptyStore(server)
    const refused = plant(empty, {
      brands: { halden: { name: 'Halden' } },
      products: { odd: { name: 'Odd', colour: 'red' } },
    })
    await expect(refused).rejects.toThrow(/products\.create: 422/)
    await expect.poll(() => empty.store.brands.list().total()).toBe(0)
    expect(await plant(empty, { brands: { halden: { name: 'Halden' } } })).toEqual({ halden: expect.any(Number) })
    expect(await empty.store.brands.list().total()).toBe(1)
    await empty.free()
  })

  test.each([
    [
      'a circle',
      { products: { a: { ...lamp, brand_id: '@b' } }, brands: { b: { name: '@a' } } },
      'The fixture has a circle: a -> b -> a.',
    ],
    [
      'an unknown name',
      { products: { a: { ...lamp, brand_id: '@b' } } },
      '"a" names "@b", which the fixture doesn\'t have.',
    ],
    ['an unknown group', { lamps: { a: {} } }, '"lamps" is no group of the client with a method create.'],
    ['a name twice', { products: { a: lamp }, brands: { a: { name: 'A' } } }, 'Two resources are named "a".'],
    ['an unknown field', { brands: { odd: { name: 'Odd', colour: 'red' } } }, /brands\.create: 422[\s\S]*colour/],
  ])('with %s is refused', async (_, fixture, sentence) => {
    await expect(plant(kept.store, fixture)).rejects.toThrow(sentence)
  })
})

test.each([
  ['5 s', 5_000],
  ['500 ms', 500],
  ['1.5 min', 90_000],
  ['2h', 7_200_000],
  ['90 d', 7_776_000_000],
])('%s is a time', (text, expected) => {
  expect(milliseconds(text)).toBe(expected)
})

test('another text is no time', () => {
  expect(() => milliseconds('soon')).toThrow('"soon" is no time: write a number and ms, s, min, h or d')
})

test('the examples of the page run as written', { timeout: 600_000 }, async () => {
  const page = readFileSync(join(root, 'docs/testing.md'), 'utf8')
  const examples = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)]
  expect(examples).toHaveLength(2)
  // Below this folder, so that its imports are found.
  const folder = mkdtempSync(join(import.meta.dirname, '.page-'))
  try {
    for (const [i, [, example = '']] of examples.entries()) writeFileSync(join(folder, `${i}.test.mjs`), example)
    const env = {
      ...process.env,
      STOREWARD_URL: server.url,
      STOREWARD_OPERATOR_KEY: server.operatorKey,
      NODE_OPTIONS: '',
    }
    const { stdout } = await run(process.execPath, ['--test', `${folder}/*.test.mjs`], { env })
    expect(stdout).toMatch(/pass 2/)
    expect(stdout).toMatch(/fail 0/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a process that starts a server ends by itself, and the server with it', { timeout: 600_000 }, async () => {
  const script = `
    import { fork, startServer } from ${JSON.stringify(join(root, 'testing/src/index.ts'))}
    const server = await startServer({ command: [process.execPath, ${JSON.stringify(join(root, 'server/bin/storeward.js'))}] })
    const { store } = await fork('tiny', server)
    console.log(JSON.stringify({ url: server.url, total: await store.products.list().total() }))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
  const { url, total } = JSON.parse(stdout)
  expect(total).toBe(12)
  await vi.waitFor(() => expect(fetch(url)).rejects.toThrow('fetch failed'), { timeout: 100_000 })
})

test('a server ends with the process that started it, and leaves nothing', async () => {
  const data = join(mkdtempSync(join(tmpdir(), 'storeward-watcher-')), 'data')
  mkdirSync(data)
  const program = ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)']
  const watcher = spawn(process.execPath, [join(root, 'testing/src/watcher.ts'), data, process.execPath, ...program])
  const [line] = await once(watcher.stdout.setEncoding('utf8'), 'data')
  watcher.stdin.destroy()
  await once(watcher, 'close')
  expect(existsSync(data)).toBe(false)
  expect(() => process.kill(Number(line), 0)).toThrow('ESRCH')
})
