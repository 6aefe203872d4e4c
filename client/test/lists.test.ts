import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openShop } from '../../server/test/fixtures/shop.ts'
import { openPort, type Port } from '../../test/port.ts'
import { List } from '../src/pages.ts'
import type { Row } from '../src/table.ts'
import { clientOf } from './clients.ts'

// Lists that are read while rows come and go: no row comes twice, and no row that stayed is missed.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

/** Rows of the list on the server: many by day, 30,000 in the full run. */
const MANY = process.env.RELIABILITY === 'full' ? 30_000 : 400

describe('a list of the server', () => {
  test('has rows, pages and a total', async () => {
    const store = clientOf(port, await openShop())
    for (const name of ['A', 'B', 'C']) await store.brands.create({ name })
    const names: string[] = []
    for await (const brand of store.brands.list({ limit: 2 })) names.push(brand.name)
    expect(names).toEqual(['A', 'B', 'C'])
    expect(await store.brands.list({ limit: 2 }).page(2)).toMatchObject({
      data: [{ name: 'C' }],
      meta: { pagination: { total: 3 } },
    })
    expect(await store.brands.list({ sort: 'name', direction: 'desc', limit: 1 }).all()).toMatchObject([
      { name: 'C' },
      { name: 'B' },
      { name: 'A' },
    ])
    expect(await store.brands.list({ 'name:like': 'b' }).total()).toBe(1)
    expect(await store.v2.brands.list().all()).toHaveLength(3)
    expect(await store.customers.list().all()).toEqual([])
    await expect(store.brands.list().page(0)).rejects.toThrow('pages count from 1')
  })

  test('that includes options has pages of ten, and is read completely', async () => {
    const store = clientOf(port, await openShop())
    await store.products.create(
      Array.from({ length: 25 }, (_, i) => ({ name: `Glass ${i}`, type: 'physical' as const, weight: 1, price: 1 })),
    )
    expect(await store.products.list({ include: ['options'] }).all()).toHaveLength(25)
    expect(await store.products.list({ include: ['options'], sort: 'name' }).all()).toHaveLength(25)
  })

  test.each(['by ids', 'by numbers of pages'])(
    'is read %s while rows come and go',
    { timeout: 600_000 },
    async (way) => {
      const store = clientOf(port, await openShop())
      const redirect = (i: number) => ({
        from_path: `/from/${i}`,
        site_id: 1000,
        to: { type: 'url' as const, url: `/to/${i}` },
      })
      const put = (from: number, to: number) =>
        store.storefront.redirects.upsertMany(Array.from({ length: to - from }, (_, i) => redirect(from + i)))
      for (let i = 0; i < MANY; i += 100) await put(i, i + 100)
      const before = await store.storefront.redirects.list().all()
      expect(before).toHaveLength(MANY)

      const removed = new Set<number>()
      let made = MANY
      const seen: number[] = []
      const list =
        way === 'by ids' ? store.storefront.redirects.list({ limit: 50 }) : store.v2.redirects.list({ limit: 50 })
      for await (const { id } of list) {
        seen.push(id)
        if (seen.length % 40 !== 0) continue
        // Rows that were read, that are under way and that are still to come go; others come.
        const places = [seen.length - 25, seen.length + 60, seen.length + 300]
        const gone = places.flatMap((i) => before[i]?.id ?? [])
        // New rows stay.
        if (gone.length > 0) await store.storefront.redirects.deleteMany({ 'id:in': gone })
        for (const one of gone) removed.add(one)
        if (seen.length < 2 * MANY) await put(made, made + 2)
        made += 2
      }
      expect(new Set(seen).size).toBe(seen.length)
      const read = new Set(seen)
      expect(before.filter(({ id }) => !read.has(id) && !removed.has(id))).toEqual([])
    },
  )
})

/** A server's list in memory, which may change before each page. */
class Server {
  rows: { id: number }[]
  next: number
  readonly changes: Iterator<Change>
  readonly removed = new Set<number>()

  constructor(count: number, changes: readonly Change[]) {
    this.rows = Array.from({ length: count }, (_, i) => ({ id: i + 1 }))
    this.next = count + 1
    this.changes = changes.values()
  }

  change(isNewestFirst: boolean) {
    const { value: change, done } = this.changes.next()
    if (done) return
    for (const share of change.removed) {
      const [gone] = this.rows.splice(Math.floor(share * this.rows.length), 1)
      if (gone) this.removed.add(gone.id)
    }
    for (let i = 0; i < change.added; i += 1) {
      const row = { id: this.next++ }
      if (isNewestFirst) this.rows.unshift(row)
      else this.rows.push(row)
    }
  }
}

interface Change {
  removed: readonly number[]
  added: number
}

/** A list in the table of operations. */
const rowOf = (pages: Row['pages'], limit: number): Row => ({
  name: 'things.list',
  verb: 'GET',
  path: '',
  params: 0,
  isWrapped: true,
  isEmpty: false,
  hasBody: false,
  hasQuery: true,
  isForm: false,
  media: 'json',
  pages,
  limit,
})

const sameRows = Array.from({ length: 20 }, (_, i) => ({ id: i + 1 }))

describe('a list in memory', () => {
  const changes = fc.array(
    fc.record({
      removed: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 30 }),
      added: fc.nat(30),
    }),
    { maxLength: 40 },
  )
  const ways = fc.constantFrom('k', 'c', 'p', 'o', 'm' as const)

  test('loses no row that stayed, and repeats none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          pages: ways,
          count: fc.nat(600),
          plan: changes,
          isCapped: fc.boolean(),
          limit: fc.integer({ min: 16, max: 60 }),
        }),
        async ({ pages, count, plan, isCapped, limit }) => {
          const isNewestFirst = pages === 'o'
          const server = new Server(count, plan)
          const stayed = new Set(server.rows.map(({ id }) => id))
          const list = new List(rowOf(pages, limit), {}, {}, async (query) => {
            server.change(isNewestFirst)
            const size = isCapped ? Math.min(20, Number(query.limit)) : Number(query.limit)
            const from = Number(query['id:min'] ?? query.min_id ?? Number(query.after ?? 0) + 1)
            const left = server.rows.filter(({ id }) => isNewestFirst || id >= from)
            const start = query.page !== undefined ? (Number(query.page) - 1) * size : Number(query.offset ?? 0)
            const data = left.slice(start, start + size)
            const hasNext = left.length > start + size
            const cursor = { end_cursor: String(data.at(-1)?.id ?? ''), links: hasNext ? { next: '?' } : {} }
            return {
              data,
              meta: {
                pagination: { total: left.length, per_page: size },
                ...(pages === 'c' ? { cursor_pagination: cursor } : {}),
              },
            }
          })
          const seen = (await list.all()).map((one) => Number(Reflect.get(Object(one), 'id')))
          expect(new Set(seen).size).toBe(seen.length)
          const read = new Set(seen)
          expect([...stayed].filter((id) => !read.has(id) && !server.removed.has(id))).toEqual([])
        },
      ),
      { numRuns: process.env.RELIABILITY === 'full' ? 5_000 : 200 },
    )
  })

  test.each<[string, Row['pages'], (query: Record<string, unknown>) => unknown]>([
    ['the same page for every number', 'p', () => ({ data: sameRows, meta: {} })],
    ['the same page for every offset', 'o', () => ({ data: sameRows, meta: {} })],
    ['the same page for every id', 'k', () => ({ data: sameRows, meta: {} })],
    [
      'the same cursor on every page',
      'c',
      () => ({ data: sameRows, meta: { cursor_pagination: { end_cursor: 'x', links: { next: '?' } } } }),
    ],
  ])('of a server that gives %s ends', async (_, pages, answer) => {
    let requests = 0
    const list = new List(rowOf(pages, 20), {}, {}, async (query) => {
      requests += 1
      return Object(answer(query))
    })
    const found = await list.all()
    expect(new Set(found).size).toBe(20)
    expect(requests).toBeLessThan(30)
  })

  test('of rows that have no id and differ each time ends', async () => {
    let time = 0
    const list = new List(rowOf('p', 20), {}, {}, async ({ page, limit }) => {
      const start = (Number(page) - 1) * Number(limit)
      const count = Math.max(0, Math.min(Number(limit), 50 - start))
      return { data: Array.from({ length: count }, () => ({ seen: ++time })), meta: { pagination: { total: 50 } } }
    })
    expect((await list.all()).length).toBeGreaterThanOrEqual(50)
  })

  test('of 10,000 pages is read', async () => {
    const list = new List(rowOf('p', 2), {}, {}, async ({ page }) => ({
      data: [{ id: 2 * Number(page) }, { id: 2 * Number(page) + 1 }],
      meta: { pagination: { total: 20_000, per_page: 2 } },
    }))
    expect(await list.all()).toHaveLength(20_000)
  })
})
