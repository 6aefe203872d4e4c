import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { bundleOf, uploadTheme } from '../../../test/fixtures/themes.ts'
import { dbOf, happen, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { callOperator, join } from '../../../test/servers/people.ts'
import { findSession, openSession } from '../../storefront/sessions/sessions.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const { installation, clock } = await theHouse()

let cookie: string
beforeAll(async () => {
  cookie = (await join('owner')).cookie
})

const call = (method: string, path: string, body?: object) =>
  callOperator(method, path, { cookie, ...(body ? { body } : {}) })

async function openWithCustomer() {
  const shop = await openShop()
  const ann = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }
  expect((await shop.call('POST', '/customers', [ann])).status).toBe(200)
  return shop
}

describe('the load of stores', () => {
  test('has requests and errors of the last hour, jobs and callbacks that wait', async () => {
    const [shop, idle] = [await openShop(), await openShop()]
    await shop.call('POST', '/hooks', { scope: 'store/category/created', destination: 'https://example.com/hooks' })
    await shop.call('GET', '/catalog/brands/99')
    await happen(shop, 'category 1', 'category 2')
    const read = () => call('GET', `/load?stores=${shop.store.hash},${idle.store.hash},nosuch`)
    // The log is written a moment after the answer.
    await expect.poll(async () => (await read()).body.data[0].requests, { timeout: 100_000 }).toBe(2)
    const { status, body } = await read()
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          {
            store_hash: shop.store.hash,
            cell: shop.store.cell,
            requests: 2,
            errors: 1,
            jobs_waiting: 0,
            callbacks_waiting: 2,
          },
          {
            store_hash: idle.store.hash,
            cell: idle.store.cell,
            requests: 0,
            errors: 0,
            jobs_waiting: 0,
            callbacks_waiting: 0,
          },
        ],
        meta: {},
      },
    })
  })

  test('has only stores of the person, and at most 50', async () => {
    const [own, other] = [await openShop(), await openShop()]
    const viewer = await join('viewer', [own.store.hash])
    const path = `/load?stores=${own.store.hash},${other.store.hash}`
    const { body } = await callOperator('GET', path, { cookie: viewer.cookie })
    expect(body.data.map(({ store_hash }: { store_hash: string }) => store_hash)).toEqual([own.store.hash])
    const many = (count: number) => Array.from({ length: count }, (_, i) => `store${i}`).join()
    expect((await call('GET', `/load?stores=${many(50)}`)).status).toBe(200)
    for (const stores of [many(51), '', 'A', 'abcde,']) {
      expect((await call('GET', `/load?stores=${stores}`)).status, stores).toBe(422)
    }
    expect((await call('GET', '/load')).status).toBe(422)
  })
})

describe('the events of a store', () => {
  const ids = (body: { data: { events: { resource: string }[] } }) => body.data.events.map(({ resource }) => resource)

  test('are found by scope, family and resource, in pages', async () => {
    const shop = await openShop()
    await happen(shop, 'category 1', 'category 2', 'category 1')
    await shop.call('POST', '/catalog/brands', { name: 'Ours' })
    const path = `/stores/${shop.store.hash}/events`
    const found = await call('GET', `${path}?scope=store/category/created&resource=category 2`)
    expect(found).toMatchObject({ status: 200 })
    expect(found.body).toEqual({
      data: {
        events: [
          {
            id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
            scope: 'store/category/created',
            resource: 'category 2',
            correlation_id: null,
            at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
            data: '{"type":"category","id":1}',
          },
        ],
        older: null,
      },
      meta: {},
    })
    const first = await call('GET', `${path}?scope=store/category/*&limit=2`)
    expect(ids(first.body)).toEqual(['category 1', 'category 2'])
    const second = await call('GET', `${path}?scope=store/category/*&limit=2&before=${first.body.data.older}`)
    expect([ids(second.body), second.body.data.older]).toEqual([['category 1'], null])
    expect(ids((await call('GET', `${path}?resource=category 3`)).body)).toEqual([])
    const other = await openShop()
    expect(ids((await call('GET', `/stores/${other.store.hash}/events`)).body)).toEqual([])
    for (const query of ['limit=0', 'before=0', 'before=x', 'scope=']) {
      expect((await call('GET', `${path}?${query}`)).status, query).toBe(422)
    }
    expect((await call('GET', '/stores/nosuch/events')).status).toBe(404)
  })

  test('have the body that their receivers get', async () => {
    const shop = await openShop()
    await happen(shop, 'category 1')
    const path = `/stores/${shop.store.hash}/events`
    const [{ id }] = (await call('GET', path)).body.data.events
    const { body } = await call('GET', `${path}/${id}`)
    expect(JSON.parse(body.data.payload)).toEqual({
      producer: `stores/${shop.store.hash}`,
      hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      created_at: expect.any(Number),
      store_id: String(shop.store.id),
      scope: 'store/category/created',
      data: { type: 'category', id: 1 },
    })
  })
})

describe('a customer', () => {
  const open = async (shop: Shop) => {
    const db = await dbOf(shop)
    const session = await db.transaction((tx) =>
      openSession(tx, installation.secrets, { customer: 1, channel: 1, kind: 'cookie' }),
    )
    const find = () => findSession(db, installation.secrets, { value: session.value, kind: 'cookie', now: clock.now() })
    return { session, find }
  }

  test('has sessions, which are listed without their values, and ended', async () => {
    const shop = await openWithCustomer()
    const { session, find } = await open(shop)
    const path = `/stores/${shop.store.hash}/customers/1/sessions`
    const { body } = await call('GET', path)
    expect(body.data).toEqual([
      { kind: 'cookie', channel_id: 1, created_at: expect.any(String), expires_at: expect.any(String) },
    ])
    expect(JSON.stringify(body)).not.toContain(session.value.slice(0, 64))
    expect(await find()).toMatchObject({ customer_id: 1 })
    expect((await call('DELETE', path)).status).toBe(204)
    expect(await find()).toBeUndefined()
    expect((await call('GET', path)).body.data).toEqual([])
    for (const method of ['GET', 'DELETE']) {
      expect((await call(method, path.replace('/1/', '/2/'))).status).toBe(404)
      expect((await call(method, path.replace('/1/', '/0/'))).status).toBe(404)
    }
    const other = await openShop()
    expect((await call('GET', `/stores/${other.store.hash}/customers/1/sessions`)).status).toBe(404)
  })

  test('is exported with an action in the audit, and erased', async () => {
    const shop = await openWithCustomer()
    const path = `/stores/${shop.store.hash}/customers/1`
    const { body } = await call('POST', `${path}/export`)
    expect(body.data).toMatchObject({ customer: { id: 1, email: 'ann@example.com' }, orders: [], carts: [] })
    expect((await call('POST', `${path.slice(0, -1)}2/export`)).status).toBe(404)
    const audit = await call('GET', `/audit?store_hash=${shop.store.hash}&words=EXPORT customers/1`)
    expect(audit.body.data).toEqual([expect.objectContaining({ object: `/operator/v1${path}/export`, status: 200 })])
    const one = await call('GET', `/audit?request_id=${audit.body.data[0].request_id}`)
    expect(one.body.data).toEqual(audit.body.data)

    const support = await join('support')
    expect((await callOperator('DELETE', path, { cookie: support.cookie })).status).toBe(403)
    const erased = await call('DELETE', path)
    expect(erased).toMatchObject({
      status: 200,
      body: { data: { id: 1, carts: 0, quotes: 0, kept: expect.any(Array) } },
    })
    expect((await shop.call('GET', '/customers')).body.data).toEqual([])
    expect((await call('DELETE', path)).status).toBe(404)
  })
})

describe('a template that is not stored', () => {
  const draft = { subject: 'For {{customer.first_name}}', body: "<p>{{lang 'hello'}} {{customer.first_name}}</p>" }
  const translations = [
    { locale: 'en', keys: { hello: 'Hello' } },
    { locale: 'de', keys: { hello: 'Hallo' } },
  ]

  test('is rendered with sample data, in any language', async () => {
    const shop = await openShop()
    const path = `/stores/${shop.store.hash}/email-templates/createaccount_email/preview`
    const { status, body } = await call('POST', path, { ...draft, translations })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: { subject: 'For Robin', html: '<p>Hello Robin</p>', text: expect.stringContaining('Hello Robin') },
        meta: {},
      },
    })
    const german = await call('POST', path, { ...draft, translations, locale: 'de', channel_id: 1 })
    expect(german.body.data.html).toBe('<p>Hallo Robin</p>')
    expect(await rowsOf(shop, 'email_templates')).toEqual([])
  })

  test('has mistakes with line and column', async () => {
    const shop = await openShop()
    const path = (type: string) => `/stores/${shop.store.hash}/email-templates/${type}/preview`
    const broken = { ...draft, translations, body: '<p>\n  {{#if customer}}\n</p>' }
    const { status, body } = await call('POST', path('createaccount_email'), broken)
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { body: expect.stringMatching(/^line 3, column \d+: block if is not closed$/) },
    })
    for (const changes of [{ subject: '' }, { locale: '1' }, { channel_id: -1 }, { translations: {} }, { more: 1 }]) {
      const sent = { ...draft, translations, ...changes }
      expect((await call('POST', path('createaccount_email'), sent)).status, JSON.stringify(changes)).toBe(422)
    }
    expect((await call('POST', path('unknown_email'), { ...draft, translations })).status).toBe(404)
  })

  test('is sent to one address as a test', async () => {
    const shop = await openShop()
    const path = `/stores/${shop.store.hash}/email-templates/createaccount_email/test`
    const sent = await call('POST', path, { ...draft, translations, to: 'me@example.com' })
    expect(sent).toMatchObject({ status: 202, body: { data: { to: 'me@example.com', subject: 'For Robin' } } })
    expect(await rowsOf(shop, 'mails')).toEqual([
      expect.objectContaining({ recipient: 'me@example.com', subject: 'For Robin', html: '<p>Hello Robin</p>' }),
    ])
    for (const to of ['', 'me', 'a@b c']) {
      expect((await call('POST', path, { ...draft, translations, to })).status, to).toBe(422)
    }
    const failing = { ...draft, translations, body: '{{/if}}', to: 'me@example.com' }
    expect((await call('POST', path, failing)).status).toBe(422)
    expect(await rowsOf(shop, 'mails')).toHaveLength(1)
    for (const role of ['developer', 'viewer'] as const) {
      const { cookie } = await join(role)
      expect((await callOperator('POST', path, { cookie, body: failing })).status).toBe(403)
    }
  })
})

describe('the files of a theme', () => {
  test('are listed, and read if they are texts', async () => {
    const shop = await openShop()
    const [stock] = (await shop.call('GET', '/themes')).body.data
    const { uuid: own } = await uploadTheme(shop)
    for (const uuid of [stock.uuid, own]) {
      const path = `/stores/${shop.store.hash}/themes/${uuid}/files`
      const { status, body } = await call('GET', path)
      expect(status).toBe(200)
      expect(body.data).toContainEqual({ path: 'config.json', size: uuid === own ? expect.any(Number) : null })
      const config = await call('GET', `${path}/text?path=config.json`)
      expect(JSON.parse(config.body.data.text)).toHaveProperty('variations')
      expect((await call('GET', `${path}/text?path=../config.json`)).status).toBe(404)
      expect((await call('GET', `${path}/text`)).status).toBe(422)
    }
    const other = await openShop()
    expect((await call('GET', `/stores/${other.store.hash}/themes/${own}/files`)).status).toBe(404)
    expect((await call('GET', `/stores/${shop.store.hash}/themes/x/files`)).status).toBe(404)
  })

  test('are read if they are pictures of at most 2 MiB', async () => {
    const shop = await openShop()
    const large = Buffer.concat([PIXEL, randomBytes(2 * 1024 * 1024)])
    const files = {
      'meta/shot.png': PIXEL,
      'meta/large.png': large,
      'meta/fitting.gif': large.subarray(0, 2 * 1024 * 1024),
    }
    const { uuid } = await uploadTheme(shop, await bundleOf(files))
    const path = `/stores/${shop.store.hash}/themes/${uuid}/files/picture`
    const picture = async (file: string) => {
      const { status, body } = await call('GET', `${path}?path=${file}`)
      return status === 200 ? body.data.picture : status
    }
    expect((await call('GET', `${path}?path=meta/shot.png`)).body).toEqual({
      data: { path: 'meta/shot.png', picture: { type: 'image/png', base64: PIXEL.toString('base64') } },
      meta: {},
    })
    expect(await picture('meta/fitting.gif')).toMatchObject({ type: 'image/gif' })
    for (const none of ['meta/large.png', 'config.json']) expect(await picture(none), none).toBeNull()
    expect(await picture('meta/other.png')).toBe(404)
    const other = await openShop()
    const foreign = `/stores/${other.store.hash}/themes/${uuid}/files/picture?path=meta/shot.png`
    expect((await call('GET', foreign)).status).toBe(404)
  })
})

test('an account has the time of its last request', async () => {
  const shop = await openShop()
  const path = `/stores/${shop.store.hash}/accounts`
  const other = await installation.accounts.create(shop.store.hash, 'idle', ['none'])
  await shop.call('GET', '/catalog/brands')
  const read = async () => (await call('GET', path)).body.data
  await expect.poll(async () => (await read())[0].last_request_at, { timeout: 100_000 }).not.toBeNull()
  const accounts = await read()
  expect(accounts.map(({ client_id }: { client_id: string }) => client_id)).toEqual([
    shop.admin.client_id,
    other.client_id,
  ])
  expect(accounts[0].last_request_at).toMatch(/^\d{4}-\d\d-\d\dT/)
  expect(accounts[1].last_request_at).toBeNull()
})

test('limits of a store are set one by one, and removed by null', async () => {
  const shop = await openShop()
  const path = `/stores/${shop.store.hash}`
  const limits = async (body: object) => {
    const { status } = await call('PUT', path, { limits: body })
    expect(status).toBe(200)
    return (await call('GET', path)).body.data.limits
  }
  expect(await limits({ brands: 7 })).toEqual({ brands: 7 })
  expect(await limits({ products: 0 })).toEqual({ brands: 7, products: 0 })
  expect(await limits({ brands: null })).toEqual({ products: 0 })
  for (const wrong of [{ brands: -1 }, { brands: 2_147_483_648 }, { brands: '7' }, { nothing: 1 }]) {
    expect((await call('PUT', path, { limits: wrong })).status, JSON.stringify(wrong)).toBe(422)
  }
})

test('an operation has a method of the client', async () => {
  expect(await call('GET', '/client-methods/listBrands')).toMatchObject({
    status: 200,
    body: { data: { name: 'brands.list', result: 'rows' }, meta: {} },
  })
  for (const unknown of ['listNothing', 'constructor']) {
    expect((await call('GET', `/client-methods/${unknown}`)).status, unknown).toBe(404)
  }
})

test('the plans of stores have their requests, and name what a store can limit', async () => {
  const { status, body } = await call('GET', '/plans')
  expect(status).toBe(200)
  expect(body.data.plans).toEqual([
    { name: 'standard', in_30_seconds: 150, in_an_hour: 20_000, is_shared: true },
    { name: 'plus', in_30_seconds: 150, in_an_hour: 20_000, is_shared: true },
    { name: 'pro', in_30_seconds: 450, in_an_hour: 60_000, is_shared: true },
    { name: 'enterprise', in_30_seconds: null, in_an_hour: null, is_shared: false },
    { name: 'unlimited', in_30_seconds: null, in_an_hour: null, is_shared: false },
    { name: 'sandbox', in_30_seconds: 1_500, in_an_hour: null, is_shared: false },
  ])
  expect(body.data.limitable).toContain('products')
  const shop = await openShop()
  const limits = Object.fromEntries(body.data.limitable.map((resource: string) => [resource, 1]))
  expect((await call('PUT', `/stores/${shop.store.hash}`, { limits })).status).toBe(200)
})
