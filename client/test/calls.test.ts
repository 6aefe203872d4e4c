import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openShop } from '../../server/test/fixtures/shop.ts'
import { openPort, type Port } from '../../test/port.ts'
import {
  AnswerError,
  ApiError,
  ConnectionError,
  InvalidError,
  NotFoundError,
  StorewardError,
  storeward,
  TimeoutError,
  UnauthorizedError,
} from '../src/index.ts'
import { clientOf, PIXEL } from './clients.ts'
import { json, losing, ownHeaders, type Reply, type StandIn, standIn } from './stand-in.ts'

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

/** A client of a stand-in, which is closed after the test. */
async function against(reply: Reply, options: Partial<Parameters<typeof storeward>[0]> = {}) {
  const server = await standIn(reply)
  closing.push(server)
  return { server, store: storeward({ url: server.origin, storeHash: 'abc123', token: 'secret', ...options }) }
}
const closing: StandIn[] = []
afterAll(() => {
  for (const server of closing) server.close()
})

const GLASS = { name: 'Glass', type: 'physical', weight: 0.2, price: 7 } as const

describe('a call', () => {
  test('resolves to the data; whole() has the answer around it', async () => {
    const store = clientOf(port, await openShop())
    const brand = await store.brands.create({ name: 'Ferm' })
    expect(brand).toMatchObject({ id: 1, name: 'Ferm' })
    expect(await store.brands.get(1).whole()).toMatchObject({
      data: brand,
      meta: {},
      status: 200,
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      isReplayed: false,
    })
    expect(await store.brands.delete(1)).toBeUndefined()
    expect(await store.brands.list().total()).toBe(0)
  })

  test('reaches all families: v3, v2 and the companion API', async () => {
    const store = clientOf(port, await openShop())
    const product = await store.products.create(GLASS, { query: { include_fields: ['name'] } })
    expect(product).toEqual({ id: 1, name: 'Glass' })
    const products = [{ product_id: 1, quantity: 2 }]
    const order = await store.v2.orders.create({ billing_address: { zip: '1051' }, products })
    expect([order.items_total, await store.v2.orders.count()]).toMatchObject([2, { count: 1 }])
    await expect(store.b2b.companies.list().total()).rejects.toBeInstanceOf(ApiError)
  })

  test('sends files as forms: blobs, bytes, and bytes with a name', async () => {
    const store = clientOf(port, await openShop())
    await store.products.create(GLASS)
    const bytes = new Uint8Array(await PIXEL.arrayBuffer())
    const first = await store.products.images.create(1, { image_file: PIXEL, description: 'Front', is_thumbnail: true })
    const second = await store.products.images.create(1, { image_file: { content: bytes, filename: 'back.png' } })
    expect([first.description, first.is_thumbnail, second.image_file]).toEqual([
      'Front',
      true,
      expect.stringMatching(/\.png$/),
    ])
    expect(await store.products.images.list(1).total()).toBe(2)
  })

  test('sends lists, times and ids as the API reads them', async () => {
    const { store, server } = await against((_, response) => json(response, 200, { data: [], meta: {} }))
    const since = new Date('2026-01-02T03:04:05Z')
    await store.products.list({ 'id:in': [1, 2], 'date_modified:min': since, 'name:like': 'a b&c', limit: 5 }).all()
    await store.v2.giftCertificates.list({ code: undefined }).all()
    await store.promotions.codes.find({ code: 'A/B' })
    await store.marketing.emailTemplates.get('a/b')
    const asked = server.received.map(({ url }) => url)
    expect(Object.fromEntries(new URL(`http://x${asked[0]}`).searchParams)).toEqual({
      'id:in': '1,2',
      'date_modified:min': '2026-01-02T03:04:05.000Z',
      'name:like': 'a b&c',
      limit: '5',
    })
    expect(asked.slice(1)).toEqual([
      '/stores/abc123/v2/gift_certificates?limit=250',
      '/stores/abc123/v3/promotions/codes?code=A%2FB',
      '/stores/abc123/v3/marketing/email-templates/a%2Fb',
    ])
    expect(() => store.products.get(Number.NaN)).not.toThrow()
    // @ts-expect-error: an id is missing
    await expect(store.products.get()).rejects.toThrow('products.get: argument 1 must be an id, and is undefined.')
  })

  test('with strict: true is refused for a misspelt field', async () => {
    const shop = await openShop()
    // @ts-expect-error: a brand has no such field
    const body: Parameters<ReturnType<typeof clientOf>['brands']['create']>[0] = { name: 'A', pagetitle: 'B' }
    const refused = clientOf(port, shop, { strict: true }).brands.create(body)
    await expect(refused).rejects.toMatchObject({ status: 422, errors: { pagetitle: expect.any(String) } })
    expect(await clientOf(port, shop).brands.create(body)).toMatchObject({ name: 'A' })
  })

  test('asks the storefront for GraphQL', async () => {
    const shop = await openShop()
    const { token } = await clientOf(port, shop).storefront.apiToken.create({
      channel_id: 1,
      expires_at: 0,
      allowed_cors_origins: ['https://shop.example.com'],
    })
    const storefront = storeward({ url: port.origin, storeHash: shop.store.hash, storefrontToken: token })
    const query = 'query one($id: Int!) { site { product(entityId: $id) { name } settings { storeName } } }'
    expect(await storefront.graphql(query, { id: 1 })).toEqual({
      site: { product: null, settings: { storeName: 'A shop' } },
    })
    await expect(storefront.graphql('{ nonsense }')).rejects.toMatchObject({
      name: 'GraphqlError',
      errors: [{ message: expect.any(String) }],
    })
  })

  test('asks it with headers that browsers may send, and again only for queries', async () => {
    let lost = 1
    const { store, server } = await against(
      (_, response) => (lost-- > 0 ? void response.destroy() : json(response, 200, { data: { site: null } })),
      { storefrontToken: 'public', strict: true },
    )
    expect(await store.graphql('{ site { settings { storeName } } }')).toEqual({ site: null })
    expect(server.received.map(ownHeaders)).toEqual([['authorization'], ['authorization']])
    lost = 1
    await expect(store.graphql('mutation { logout { result } }')).rejects.toBeInstanceOf(ConnectionError)
    expect(server.received).toHaveLength(3)
  })

  test('reports its requests to hooks, without secrets', async () => {
    const seen: unknown[] = []
    let refusals = 1
    const { store } = await against(
      (_, response) =>
        refusals-- > 0 ? json(response, 503, {}, { 'Retry-After': 0 }) : json(response, 200, { data: {}, meta: {} }),
      {
        hooks: {
          onRequest: (one) => seen.push(['sent', one.operation, one.attempt]),
          onAnswer: (one) => seen.push(['answered', one.status]),
          onRetry: (one) => seen.push(['again', one.reason]),
        },
      },
    )
    await store.summary.get()
    expect(seen).toEqual([
      ['sent', 'summary.get', 1],
      ['answered', 503],
      ['again', 'the status 503'],
      ['sent', 'summary.get', 2],
      ['answered', 200],
    ])
    expect(JSON.stringify(seen)).not.toContain('secret')
  })
})

describe('a refusal', () => {
  test('is an error of its status, with mistakes by field, the request and a way out', async () => {
    const store = clientOf(port, await openShop())
    const missing = store.products.get(7)
    await expect(missing).rejects.toBeInstanceOf(NotFoundError)
    await expect(store.products.get(7)).rejects.toMatchObject({
      operation: 'products.get',
      status: 404,
      fix: expect.stringContaining('ids'),
    })
    // @ts-expect-error: a weight is missing, and the price is no number
    const invalid = store.products.create({ name: 'Mug', type: 'physical', price: 'dear' })
    const error = await invalid.catch((refusal: unknown) => refusal)
    expect(error).toBeInstanceOf(InvalidError)
    expect(error).toMatchObject({
      errors: { weight: 'error.path.missing', price: 'error.expected.jsnumber' },
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/),
      message: expect.stringContaining('products.create: 422'),
    })
  })

  test('of a token of another store names both settings', async () => {
    const [mine, other] = [await openShop(), await openShop()]
    const store = clientOf(port, mine, { token: other.admin.access_token })
    const error: unknown = await store.brands
      .list()
      .all()
      .catch((refusal: unknown) => refusal)
    expect(error).toBeInstanceOf(UnauthorizedError)
    expect(error).toMatchObject({ status: 401, fix: expect.any(String) })
  })

  test.each([
    ['the older family', [{ status: 404, message: 'Gone.' }], 'Gone.', {}],
    ['the companion API', { code: 422, data: { errMsg: 'x' }, meta: { message: 'Wrong.' } }, 'Wrong.', {}],
    [
      'a batch',
      { data: [], errors: { status: 422, title: 'No.', errors: { '0.name': 'taken' } }, meta: {} },
      'No.',
      { '0.name': 'taken' },
    ],
    ['nobody', {}, 'The server gave no reason.', {}],
  ])('in the form of %s is read', async (_, body, title, errors) => {
    const { store } = await against((__, response) => json(response, 422, body))
    await expect(store.summary.get()).rejects.toMatchObject({ title, errors, body })
  })

  test('of a part is an error with the part that was stored (207)', async () => {
    const body = { data: { id: 1 }, errors: { status: 207, title: 'Partly', errors: { url: 'taken' } }, meta: {} }
    const { store } = await against((_, response) => json(response, 207, body))
    await expect(store.brands.create({ name: 'A' })).rejects.toMatchObject({
      name: 'PartialError',
      errors: { url: 'taken' },
      body,
    })
  })
})

describe('a repetition', () => {
  test('makes each of many writes once, although every tenth answer is lost', { timeout: 300_000 }, async () => {
    const shop = await openShop()
    const proxy = await losing(port.origin, 10)
    closing.push(proxy)
    const store = storeward({ url: proxy.origin, storeHash: shop.store.hash, token: shop.admin.access_token })
    const count = process.env.RELIABILITY === 'full' ? 1_000 : 50
    const names = Array.from({ length: count }, (_, i) => `Brand ${i}`)
    const waiting = [...names]
    const worker = async () => {
      for (let name = waiting.shift(); name; name = waiting.shift()) {
        const brand = await store.brands.create({ name })
        await store.brands.update(brand.id, { page_title: name })
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    const brands = await clientOf(port, shop).brands.list().all()
    expect(brands.map(({ name, page_title }) => [name, page_title]).sort()).toEqual(
      names.map((name) => [name, name]).sort(),
    )
    expect(proxy.received.length).toBeGreaterThan(2 * count)
    for (const { id } of brands) await store.brands.delete(id)
    expect(await store.brands.list().total()).toBe(0)
  })

  test('sends the same key, a given one too, and waits for an attempt that still runs', async () => {
    let left = 2
    const { store, server } = await against((_, response) => {
      left -= 1
      if (left === 1) return void response.destroy()
      if (left === 0) return json(response, 409, {}, { 'Retry-After': 0 })
      return json(response, 200, { data: { id: 1 }, meta: {} }, { 'Idempotent-Replayed': 'true' })
    })
    const answer = await store.brands.create({ name: 'A' }, { idempotencyKey: 'mine' }).whole()
    expect(answer.isReplayed).toBe(true)
    expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine', 'mine'])
  })

  test('ends after five, and never follows a plain refusal', { timeout: 60_000 }, async () => {
    const { store, server } = await against(({ url }, response) =>
      url.includes('brands') ? json(response, 429, {}, { 'X-Retry-After': 0 }) : json(response, 409, {}),
    )
    await expect(store.brands.create({ name: 'A' })).rejects.toMatchObject({ name: 'TooManyRequestsError' })
    expect(server.received.length).toBe(6)
    await expect(store.categories.create({ name: 'A', parent_id: 0 })).rejects.toMatchObject({ name: 'ConflictError' })
    expect(server.received.length).toBe(7)
  })

  test('of a deletion whose answer was lost finds nothing, and has succeeded', async () => {
    let isFirst = true
    const { store } = await against((_, response) => {
      if (!isFirst) return json(response, 404, {})
      isFirst = false
      response.destroy()
    })
    expect(await store.brands.delete(3)).toBeUndefined()
    await expect(store.brands.delete(3)).rejects.toBeInstanceOf(NotFoundError)
  })

  test('waits for the window of the quota before it would be refused', async () => {
    const times: number[] = []
    const { store } = await against((_, response) => {
      times.push(Date.now())
      const left = times.length === 1 ? 0 : 100
      json(
        response,
        200,
        { data: {}, meta: {} },
        {
          'X-Rate-Limit-Requests-Left': left,
          'X-Rate-Limit-Requests-Quota': 100,
          'X-Rate-Limit-Time-Window-Ms': 30_000,
          'X-Rate-Limit-Time-Reset-Ms': 300,
        },
      )
    })
    await store.summary.get()
    await Promise.all([store.summary.get(), store.summary.get()])
    expect(Math.min(Number(times[1]), Number(times[2])) - Number(times[0])).toBeGreaterThanOrEqual(290)
  })

  test('ends with the signal of the caller, also while it waits', async () => {
    const { store, server } = await against((_, response) => json(response, 503, {}, { 'Retry-After': 60 }))
    const controller = new AbortController()
    const call = store.summary.get({ signal: controller.signal })
    while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    controller.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
    await expect(store.summary.get({ signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before')
  })
})

describe('bad input', () => {
  test('a wrong base URL is refused at once, or named with the page that it answers', async () => {
    expect(() => storeward({ url: 'shop.example.com', storeHash: 'a' })).toThrow(
      '`url` must be the address of the server',
    )
    expect(() => storeward({ url: 'ftp://a.example', storeHash: 'a' })).toThrow(StorewardError)
    expect(() => storeward({ url: 'http://a.example', storeHash: 'a/b' })).toThrow(
      '`storeHash` must be the hash of a store',
    )
    expect(() => storeward({ url: 'http://a.example', storeHash: 'a', retries: 6 })).toThrow(
      '`retries` must be 0 to 5.',
    )
    const { store } = await against((_, response) => void response.writeHead(200).end('<!doctype html><p>Hello'))
    await expect(store.summary.get()).rejects.toThrow(/answered 200 with a page \(HTML\)\. Check that `url`/)
    await expect(store.brands.list().all()).rejects.toBeInstanceOf(AnswerError)
  })

  test('nobody at the address, and a server that is silent', async () => {
    const gone = await standIn(() => {})
    gone.close()
    const store = storeward({ url: gone.origin, storeHash: 'a', retries: 0 })
    await expect(store.summary.get()).rejects.toBeInstanceOf(ConnectionError)
    await expect(store.summary.get()).rejects.toThrow('ECONNREFUSED')
    const { store: silent } = await against(() => {}, { retries: 0, timeoutMs: 50 })
    await expect(silent.summary.get()).rejects.toBeInstanceOf(TimeoutError)
  })

  test('an answer that is cut in half is repeated', async () => {
    let isFirst = true
    const { store, server } = await against((_, response) => {
      if (!isFirst) return json(response, 200, { data: { inventory_count: 1 }, meta: {} })
      isFirst = false
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1_000 }).write('{"data":')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await store.summary.get()).toEqual({ inventory_count: 1 })
    expect(server.received.length).toBe(2)
  })

  test('a body that is a stream is refused, because it could not be sent twice', async () => {
    const { store, server } = await against((_, response) => json(response, 200, {}))
    const stream = new ReadableStream()
    // @ts-expect-error: a stream is no file
    await expect(store.themes.upload({ file: stream })).rejects.toThrow("A stream can't be sent twice")
    expect(server.received).toEqual([])
  })

  test('a token in a browser is refused', async () => {
    const { process } = globalThis
    Object.assign(globalThis, { document: {} })
    Reflect.set(globalThis, 'process', undefined)
    try {
      expect(() => storeward({ url: 'http://a.example', storeHash: 'a', token: 'x' })).toThrow(
        'A browser must not have the `token`',
      )
      expect(() => storeward({ url: 'http://a.example', storeHash: 'a', storefrontToken: 'x' })).not.toThrow()
    } finally {
      Reflect.set(globalThis, 'process', process)
      Reflect.deleteProperty(globalThis, 'document')
    }
  })
})

describe('the hosted service', () => {
  test('gets no header that it does not know', async () => {
    const { store, server } = await against((_, response) => json(response, 200, { data: [], meta: {} }), {
      service: 'hosted',
      strict: true,
    })
    await store.brands.create({ name: 'A' })
    await store.products.list().all()
    expect(new Set(server.received.flatMap(ownHeaders))).toEqual(new Set(['x-auth-token']))
  })

  test('is not sent a write again after a lost answer', async () => {
    const { store, server } = await against((_, response) => void response.destroy(), { service: 'hosted' })
    await expect(store.brands.create({ name: 'A' })).rejects.toBeInstanceOf(ConnectionError)
    expect(server.received.length).toBe(1)
  })

  test('may lack rate headers and cursors', async () => {
    const { store } = await against(
      ({ url }, response) => {
        const page = Number(new URL(`http://x${url}`).searchParams.get('page') ?? 1)
        json(response, 200, {
          data: page === 1 ? [{ id: 2 }, { id: 1 }] : [],
          meta: { pagination: { total: 2, per_page: 250 } },
        })
      },
      { service: 'hosted' },
    )
    expect(await store.products.metafields.list(1).all()).toEqual([{ id: 2 }, { id: 1 }])
    expect(await store.products.list().all()).toEqual([{ id: 2 }, { id: 1 }])
  })
})
