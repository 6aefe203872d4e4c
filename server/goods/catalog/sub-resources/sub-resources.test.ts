import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { problem } from '../../../test/document/expected.ts'
import { sized } from '../../../test/document/sized.ts'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// The rules of all sub-resources of products: docs/contract/product-parts.md section 1. The rules of each are in a file of
// its own.

interface Part {
  path: string
  noun: string
  table: string
  /** The nth sub-resource of a product, which differs from the ones before it. */
  example(n: number): Record<string, unknown>
  /** A change, and one that changes nothing in the first example, `example(1)`. */
  change: Record<string, unknown>
}

const parts: Part[] = [
  {
    path: 'images',
    noun: 'image',
    table: 'product_images',
    example: (n) => ({ image_url: `https://cdn.example.com/${n}.png`, description: 'A mug', sort_order: 0 }),
    change: { description: 'Another' },
  },
  {
    path: 'videos',
    noun: 'video',
    table: 'product_videos',
    example: (n) => ({ video_id: `video-${n}`, title: 'The film' }),
    change: { title: 'Another' },
  },
  {
    path: 'custom-fields',
    noun: 'custom field',
    table: 'custom_fields',
    example: (n) => ({ name: 'Material', value: `Wood ${n}` }),
    change: { name: 'Another' },
  },
  {
    path: 'bulk-pricing-rules',
    noun: 'bulk pricing rule',
    table: 'bulk_pricing_rules',
    example: (n) => ({ quantity_min: 10 * n, quantity_max: 10 * n + 9, type: 'percent', amount: n }),
    change: { amount: 50 },
  },
  {
    path: 'complex-rules',
    noun: 'complex rule',
    table: 'complex_rules',
    // A product without options has one variant, so that only two rules can differ in their conditions.
    example: (n) => ({ stop: true, conditions: n % 2 === 1 ? [{ variant_id: 1 }] : [] }),
    change: { stop: false },
  },
  {
    path: 'reviews',
    noun: 'review',
    table: 'reviews',
    example: (n) => ({ title: `Review ${n}`, date_reviewed: '2026-11-01T12:00:00Z', status: 'approved', rating: 4 }),
    change: { title: 'Another' },
  },
]

const PRODUCTS = '/catalog/products'
const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }

async function openProduct(): Promise<Shop> {
  const shop = await openShop()
  expect((await shop.call('POST', PRODUCTS, mug)).status).toBe(200)
  return shop
}

const eventsOf = async (shop: Shop) =>
  (await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, JSON.parse(String(data))])
const updated = (id: number) => ['store/product/updated', { type: 'product', id }]
const modified = async ({ call }: Shop, id = 1) => (await call('GET', `${PRODUCTS}/${id}`)).body.data.date_modified

describe.each(parts)('the $path of a product', ({ path, noun, table, example, change }) => {
  const list = `${PRODUCTS}/1/${path}`
  const one = `${list}/1`

  describe('as a list', () => {
    let shop: Shop
    beforeAll(async () => {
      shop = await openProduct()
      expect((await shop.call('GET', list)).body.data).toEqual([])
      for (const n of [1, 2]) expect((await shop.call('POST', list, example(n))).status).toBe(200)
      await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl' })
    })

    test('are those of this product, page by page', async () => {
      const [first, second] = (await shop.call('GET', list)).body.data
      expect([first.id, second.id]).toEqual([1, 2])
      const { status, body } = await shop.call('GET', `${list}?limit=1&page=2`)
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          data: [second],
          meta: {
            pagination: {
              total: 2,
              count: 1,
              per_page: 1,
              current_page: 2,
              total_pages: 2,
              links: { previous: '?page=1&limit=1', current: '?page=2&limit=1' },
            },
          },
        },
      })
      expect((await shop.call('GET', one)).body).toEqual({ data: first, meta: {} })
      const empty = await shop.call('GET', `${PRODUCTS}/2/${path}`)
      expect({ status: empty.status, data: empty.body.data }).toEqual({ status: 200, data: [] })
    })

    test('show the requested fields, and always the id', async () => {
      const [field = ''] = Object.keys(change)
      const whole = (await shop.call('GET', one)).body.data
      const some = { id: 1, [field]: whole[field] }
      const { [field]: _, ...rest } = whole
      for (const [query, expected] of [
        [`include_fields=${field}`, some],
        [`include_fields=${field},unknown`, some],
        [`include_fields=id,${field}&exclude_fields=${field}`, { id: 1 }],
        [`exclude_fields=${field}`, rest],
      ] as const) {
        expect((await shop.call('GET', `${one}?${query}`)).body.data, query).toEqual(expected)
        expect((await shop.call('GET', `${list}?${query}`)).body.data[0], query).toEqual(expected)
      }
    })

    test('refuse unknown names in the query, and more than 250 on a page', async () => {
      expect((await shop.call('GET', `${list}?name=a`)).status).toBe(422)
      expect((await shop.call('GET', `${list}?limit=250`)).status).toBe(200)
      expect((await shop.call('GET', `${list}?limit=251`)).status).toBe(413)
    })
  })

  test('are found below their product only', async () => {
    const shop = await openProduct()
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl' })
    await shop.call('POST', list, example(1))
    const before = await rowsOf(shop, table)
    for (const place of [`${PRODUCTS}/2/${path}/1`, `${list}/2`]) {
      const id = place.endsWith('/2') ? 2 : 1
      for (const [method, body] of [['GET'], ['PUT', change], ['DELETE']] as const) {
        const answered = await shop.call(method, place, body)
        expect({ status: answered.status, body: answered.body }, `${method} ${place}`).toEqual({
          status: 404,
          body: problem(404, `The ${noun} ${id} does not exist.`),
        })
      }
    }
    for (const [method, place, body] of [
      ['GET', `${PRODUCTS}/3/${path}`],
      ['POST', `${PRODUCTS}/3/${path}`, example(1)],
      ['PUT', `${PRODUCTS}/3/${path}/1`, change],
      ['DELETE', `${PRODUCTS}/3/${path}/1`],
    ] as const) {
      const answered = await shop.call(method, place, body)
      expect({ status: answered.status, body: answered.body }, `${method} ${place}`).toEqual({
        status: 404,
        body: problem(404, 'The product 3 does not exist.'),
      })
    }
    expect(await rowsOf(shop, table)).toEqual(before)
  })

  test('publish a change of their product, and only if something changed', async () => {
    const shop = await openProduct()
    const { clock } = await theHouse()
    const before = await eventsOf(shop)
    const happens = async (method: string, place: string, body?: unknown) => {
      clock.move(2_000)
      const [events, date] = [await eventsOf(shop), await modified(shop)]
      const { status } = await shop.call(method, place, body)
      expect(status).toBe(method === 'DELETE' ? 204 : 200)
      return { isDated: (await modified(shop)) !== date, events: (await eventsOf(shop)).slice(events.length) }
    }
    const nothing = { isDated: false, events: [] }
    const change1 = { isDated: true, events: [updated(1)] }
    expect(await happens('POST', list, example(1))).toEqual(change1)
    expect(await happens('PUT', one, change)).toEqual(change1)
    expect(await happens('PUT', one, change)).toEqual(nothing)
    expect(await happens('PUT', one, {})).toEqual(nothing)
    expect(await happens('PUT', one, (await shop.call('GET', one)).body.data)).toEqual(nothing)
    expect(await happens('DELETE', one)).toEqual(change1)
    expect((await shop.call('POST', list, {})).status).toBe(path === 'complex-rules' ? 200 : 422)
    expect((await eventsOf(shop)).length - before.length).toBe(path === 'complex-rules' ? 4 : 3)
  })

  test('are 304 until they are changed, if they have a date (docs/contract/conventions.md section 8)', async () => {
    const { call } = await openProduct()
    await call('POST', list, example(1))
    const { body, headers } = await call('GET', one)
    const { date_modified } = body.data
    const since = date_modified === undefined ? undefined : new Date(date_modified).toUTCString()
    expect(headers['last-modified']).toBe(since)
    const isModified = { headers: { 'if-modified-since': since ?? new Date().toUTCString() } }
    const again = await call('GET', one, undefined, isModified)
    expect({ status: again.status, text: again.text === '' }).toEqual({
      status: since === undefined ? 200 : 304,
      text: since !== undefined,
    })
    const { clock } = await theHouse()
    clock.move(60_000)
    await call('PUT', one, change)
    expect((await call('GET', one, undefined, isModified)).status).toBe(200)
  })

  test('go with their product, without events', async () => {
    const shop = await openProduct()
    for (const n of [1, 2]) await shop.call('POST', list, example(n))
    const before = await eventsOf(shop)
    expect((await shop.call('DELETE', `${PRODUCTS}/1`)).status).toBe(204)
    expect(await rowsOf(shop, table)).toEqual([])
    expect((await eventsOf(shop)).slice(before.length).map(([scope]) => scope)).toEqual(['store/product/deleted'])
    const [counter] = (await rowsOf(shop, 'counters')).filter(({ resource }) => resource === table)
    expect(counter).toMatchObject({ total: 0, last_id: 2 })
  })

  test('never outlive a product that is deleted while they are created (C-012)', async () => {
    const shop = await openShop()
    for (let race = 1; race <= sized(1_000, 12); race++) {
      const { id } = (await shop.call('POST', PRODUCTS, { ...mug, name: `Mug ${race}` })).body.data
      // Rules name the variant of their product; in the race they name none.
      const body = (n: number) => ({ ...example(n), ...(path === 'complex-rules' ? { conditions: [] } : {}) })
      const answers = await Promise.all([
        shop.call('POST', `${PRODUCTS}/${id}/${path}`, body(1)),
        ...(race % 2 ? [shop.call('POST', `${PRODUCTS}/${id}/${path}`, body(2))] : []),
        shop.call('DELETE', `${PRODUCTS}/${id}`),
      ])
      const statuses = answers.map(({ status }) => status)
      expect(statuses.at(-1)).toBe(204)
      for (const status of statuses.slice(0, -1)) expect([200, 404, 409]).toContain(status)
    }
    expect(await rowsOf(shop, table)).toEqual([])
  })
})

test('all sub-resources of products go when several products are deleted at once, and the files with them', async () => {
  const shop = await openProduct()
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl' })
  await shop.call('POST', PRODUCTS, { ...mug, name: 'Plate' })
  for (const id of [1, 2, 3]) {
    for (const { path, example } of parts) {
      const body = path === 'complex-rules' ? { conditions: [{ variant_id: id }] } : example(1)
      expect((await shop.call('POST', `${PRODUCTS}/${id}/${path}`, body)).status, path).toBe(200)
    }
    await shop.call('POST', `${PRODUCTS}/${id}/images`, undefined, form('image_file', 'a.png', png))
  }
  const stored = async () => readdir(join((await theHouse()).files.folder, shop.store.hash))
  const [kept] = (await shop.call('GET', `${PRODUCTS}/2/images`)).body.data.slice(-1)
  expect(await stored()).toHaveLength(3)
  expect((await shop.call('DELETE', `${PRODUCTS}?id:in=1,3`)).status).toBe(204)
  for (const table of [...parts.map(({ table }) => table), 'complex_rule_conditions']) {
    const owners = (await rowsOf(shop, table)).map(({ product_id }) => product_id)
    expect([...new Set(owners)], table).toEqual([2])
  }
  expect(await stored()).toEqual([kept.image_file])
})
