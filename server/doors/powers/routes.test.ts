import { pino } from 'pino'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { listProviders } from '../../sales/payments/providers-command.ts'
import { Directory } from '../../stores/directory/directory.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { WATCH_TOKEN } from '../../test/harness/watch.ts'

const { server, installation, mounted, files, clock } = await theHouse()
const { directory, operatorKeys } = installation

let shop: Shop
let key: string
let keyId: number
beforeAll(async () => {
  shop = await openShop({ name: 'Bakery', isTest: true })
  const created = await operatorKeys.create('test kit')
  key = created.key
  keyId = created.id
})

async function call(path: string, authorization = `Bearer ${key}`, method = 'GET', payload?: object) {
  const answer = await server.inject({
    method: method as 'GET',
    url: `/operator/v1${path}`,
    headers: authorization === '' ? {} : { authorization },
    ...(payload ? { payload } : {}),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body === '' ? '' : answer.json() }
}

describe("the operator's API", () => {
  test('refuses every route without an operator key', async () => {
    const routes = mounted.filter(
      ({ url, method, config }) => url.startsWith('/operator/') && method !== 'HEAD' && !config?.isForStrangers,
    )
    expect(routes.length).toBeGreaterThan(3)
    const wrong = [
      '',
      `Bearer ${key.slice(1)}`,
      `Basic ${key}`,
      key,
      'Bearer',
      `Bearer ${WATCH_TOKEN}`,
      `Bearer ${shop.admin.access_token}`,
    ]
    for (const { url, method } of routes) {
      const path = url.replace('/operator/v1', '').replace(':store_hash', shop.store.hash)
      for (const authorization of wrong) {
        const { status, headers, body } = await call(path, authorization, String(method))
        expect(status, `${method} ${url} with ${authorization}`).toBe(401)
        expect(headers['www-authenticate']).toBe('Bearer')
        expect(body.title).toBe('Send an operator key as a bearer token.')
      }
    }
    // An unknown path reveals nothing without a key.
    expect((await call('/nothing', '')).status).toBe(401)
    expect((await call('/nothing')).status).toBe(404)
    expect((await call('/stores', undefined, 'PUT')).status).toBe(405)
  })

  test('opens no route of a store with an operator key', async () => {
    const answer = await server.inject({
      url: `/stores/${shop.store.hash}/v3/catalog/brands`,
      headers: { 'x-auth-token': key, authorization: `Bearer ${key}` },
    })
    expect(answer.statusCode).toBe(401)
  })

  test('returns stores', async () => {
    const store = {
      hash: shop.store.hash,
      name: 'Bakery',
      state: 'active',
      plan: 'unlimited',
      limits: {},
      is_test: true,
    }
    const { status, headers, body } = await call(`/stores/${shop.store.hash}`)
    expect({ status, body }).toEqual({ status: 200, body: { data: store, meta: {} } })
    expect(headers['cache-control']).toBe('no-store')
    expect((await call('/stores')).body.data).toContainEqual(store)
    for (const unknown of ['unknown1', 'A', '%00', 'x'.repeat(200)]) {
      expect((await call(`/stores/${unknown}`)).status, unknown).toBe(404)
    }
  })

  test('refuses a revoked key with the next request, and more than 50 keys', async () => {
    const { key: second, id } = await operatorKeys.create('second')
    expect((await call('/stores', `Bearer ${second}`)).status).toBe(200)
    expect(await operatorKeys.revoke(id)).toBe(true)
    expect(await operatorKeys.revoke(id)).toBe(false)
    expect((await call('/stores', `Bearer ${second}`)).status).toBe(401)
    const others: number[] = []
    for (let i = (await operatorKeys.list()).length; i < 50; i++) others.push((await operatorKeys.create('other')).id)
    await expect(operatorKeys.create('one more')).rejects.toThrow('at most 50 operator keys')
    for (const other of others) await operatorKeys.revoke(other)
    expect((await operatorKeys.list()).map(({ id }) => id)).toContain(keyId)
    expect(JSON.stringify(await operatorKeys.list())).not.toContain(key)
  })
})

describe('a test store', () => {
  test('is open only at a server with TEST_STORES', async () => {
    const closed = new Directory({
      database: directory.database,
      cells: directory.cells,
      clock,
      ids: installation.ids,
      furnish: async () => {},
      opensTestStores: false,
    })
    const parts = { ...installation, directory: closed, files, log: pino({ level: 'silent' }) }
    const app = await createApp(parts, readConfig({ SECRET }), 'http://shop.test')
    const real = await openShop()
    const status = async ({ store: { hash }, admin }: Shop, url: string) =>
      (
        await app.server.inject({
          url: url.replace('HASH', hash),
          headers: { 'x-auth-token': admin.access_token, 'x-store-hash': hash },
        })
      ).statusCode
    for (const url of ['/stores/HASH/v3/catalog/brands', '/stores/HASH/v2/time', '/storefront/HASH/cart.php']) {
      expect(await status(shop, url), url).toBe(503)
      expect(await status(real, url), url).not.toBe(503)
    }
    expect(await status(shop, '/b2b/api/v3/io/companies')).toBe(503)
    const { body } = await app.server.inject({
      url: `/stores/${shop.store.hash}/v3/catalog/brands`,
      headers: { 'x-auth-token': shop.admin.access_token },
    })
    expect(JSON.parse(body).title).toBe('The store is a test store, which this server does not open.')
    await app.server.close()
    expect((await shop.call('GET', '/catalog/brands')).status).toBe(200)
  })

  test('is one from its creation and permanently', async () => {
    expect(shop.store.is_test).toBe(true)
    expect((await directory.change(shop.store.hash, { name: 'Bakery' })).is_test).toBe(true)
    expect((await directory.create({ name: 'Real' })).is_test).toBe(false)
    // A crash left these without a profile. The second creation completes them only as what they are.
    const leave = (hash: string, isTest: boolean) =>
      directory.database.system({
        name: '',
        text: `insert into directory.stores (hash, state, cell, is_test, created_at) values ($1, 'upgrading', $2, $3, now()) returning id`,
        values: [hash, directory.cells[0]?.name, isTest],
      })
    for (const [hash, isTest] of [
      [`left${process.pid}a`, true],
      [`left${process.pid}b`, false],
    ] as const) {
      await leave(hash, isTest)
      await expect(directory.create({ name: 'x', hash, isTest: !isTest })).rejects.toThrow('is taken')
      expect((await directory.create({ name: 'x', hash, isTest })).is_test).toBe(isTest)
    }
  })
})

describe('test stores by the API', () => {
  const create = (body: object) => call('/stores', undefined, 'POST', body)
  const remove = (hash: string) => call(`/stores/${hash}`, undefined, 'DELETE')

  test('are created with an account and the test gateway, and deleted with all their data', async () => {
    const hash = `kit${process.pid}`
    const { status, headers, body } = await create({ name: 'Kit', hash, plan: 'sandbox' })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        data: {
          hash,
          name: 'Kit',
          state: 'active',
          plan: 'sandbox',
          limits: {},
          is_test: true,
          account: {
            client_id: expect.stringMatching(/^[a-z0-9]{31}$/),
            client_secret: expect.stringMatching(/^[a-z0-9]{64}$/),
            access_token: expect.stringMatching(/^[a-z0-9]{31}$/),
          },
        },
        meta: {},
      },
    })
    expect(headers['cache-control']).toBe('no-store')
    const token = { 'x-auth-token': body.data.account.access_token }
    const brands = () => server.inject({ url: `/stores/${hash}/v3/catalog/brands`, headers: token })
    expect((await brands()).statusCode).toBe(200)
    const store = await directory.find(hash)
    const db = store && (await directory.dbById(store.id))
    expect(db && (await listProviders(db))).toMatchObject([{ gateway: 'testgateway', is_test: true }])

    expect(await remove(hash)).toMatchObject({ status: 204, body: '' })
    expect((await remove(hash)).status).toBe(404)
    await vi.waitFor(async () => expect((await brands()).statusCode).toBe(401), { timeout: 60_000, interval: 50 })
    expect((await create({ name: 'Again', hash })).status).toBe(201)
    expect((await remove(hash)).status).toBe(204)
  })

  test('are refused for a taken hash and for malformed bodies', async () => {
    expect(await create({ name: 'x', hash: shop.store.hash })).toMatchObject({
      status: 409,
      body: { title: `The store hash "${shop.store.hash}" is taken.` },
    })
    const before = (await directory.list()).length
    for (const body of [
      {},
      [],
      { name: '' },
      { name: 'x'.repeat(256) },
      { name: 'a\u0000b' },
      { name: 'x', hash: 'four' },
      { name: 'x', hash: 'x'.repeat(17) },
      { name: 'x', hash: 'Upper' },
      { name: 'x', plan: 'free' },
      { name: 'x', is_test: false },
    ]) {
      expect((await create(body)).status, JSON.stringify(body)).toBe(422)
    }
    expect((await directory.list()).length).toBe(before)
    const longest = await create({ name: 'x'.repeat(255), hash: `k${String(process.pid).padStart(15, '0')}` })
    expect(longest.status).toBe(201)
    expect((await remove(longest.body.data.hash)).status).toBe(204)
  })

  test('are the only stores that the API deletes', async () => {
    const real = await openShop()
    expect(await remove(real.store.hash)).toMatchObject({
      status: 403,
      body: { title: 'This is a real store. Only a person or "storeward store delete" deletes it.' },
    })
    expect((await real.call('GET', '/catalog/brands')).status).toBe(200)
    const two = await create({ name: 'Twice' })
    const both = await Promise.all([remove(two.body.data.hash), remove(two.body.data.hash)])
    expect(both.map(({ status }) => status).every((status) => status === 204 || status === 404)).toBe(true)
    expect(await directory.find(two.body.data.hash)).toBeUndefined()
  })
})
