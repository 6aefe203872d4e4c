import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { Writable } from 'node:stream'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../core/db/sql.ts'
import { Files } from '../core/files/files.ts'
import { lock } from '../core/rest/lists/verbs.ts'
import { randomIds } from '../core/secrets/ids.ts'
import { createApp } from '../process/app.ts'
import { readConfig } from '../process/config.ts'
import { orders } from '../sales/orders/row/rows.ts'
import { askBare, enableCompanion } from './fixtures/companion.ts'
import { type Answered, form, openShop, openStaffedShop, type StaffedShop, theHouse } from './fixtures/shop.ts'
import { openUnpaid, pay } from './fixtures/shopper.ts'
import { askStorefront, CUSTOMER, makeToken, ORIGIN } from './fixtures/storefront.ts'
import { dbOf } from './fixtures/webhooks.ts'
import { SECRET } from './harness/postgres.ts'

// The founding document line by line. Every built row of docs/contract/service.md in the sections below, and every row
// of docs/contract/limits.md with the tag [spec], has a proof here with its name. A row without a proof fails. Further
// tests of each stand beside the code.

type Proofs = Record<string, () => unknown>

const BRANDS = '/catalog/brands'
const METAFIELDS = '/catalog/categories/1/metafields'
const FERM = `${BRANDS}/1`
const pin = { key: 'pin', value: '4', namespace: 'warehouse', permission_set: 'read' }
const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }
const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

let shop: StaffedShop
let call: StaffedShop['call']
beforeAll(async () => {
  shop = await openStaffedShop()
  call = shop.call
  for (const name of ['Ferm', 'Acme', 'Zeta']) await call('POST', BRANDS, { name })
  await call('POST', '/catalog/categories', { parent_id: 0, name: 'Mugs' })
  await call('POST', METAFIELDS, pin)
  await call('POST', '/catalog/products', { ...mug, categories: [1] })
})

const status = async (method: string, path: string, body?: unknown, more: Parameters<StaffedShop['call']>[3] = {}) =>
  (await call(method, path, body, more)).status
const namesOf = async (query: string) =>
  (await call('GET', `${BRANDS}?id:max=3&${query}`)).body.data.map(({ name }: { name: string }) => name)

let count = 0
/** A brand and a metafield with the unique fields that they need. */
const brandWith = (fields: object) => ({ name: `Brand ${++count}`, ...fields })
const pinWith = (fields: object) => ({ ...pin, key: `key ${++count}`, ...fields })

/** The first value is the longest or last that is accepted; the other is one past it. */
async function endsAt(path: string, field: string, taken: unknown, refused: unknown) {
  const made = path === BRANDS ? brandWith : pinWith
  const stored = await call('POST', path, made({ [field]: taken }))
  expect(stored).toMatchObject({ status: 200, body: { data: { [field]: taken } } })
  const { status, body } = await call('POST', path, made({ [field]: refused }))
  expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: [field] })
}

async function isNeeded(path: string, body: object, field: string) {
  const { [field]: _, ...rest } = body as Record<string, unknown>
  expect(await call('POST', path, rest)).toMatchObject({
    status: 422,
    body: { errors: { [field]: 'error.path.missing' } },
  })
}

/** The rights of another client to a metafield with this permission set. */
async function othersMay(permission_set: string, read: number, write: number) {
  const { body } = await call('POST', METAFIELDS, pinWith({ permission_set }))
  const one = `${METAFIELDS}/${body.data.id}`
  const other = { as: shop.otherclient }
  expect(await status('GET', one, undefined, other)).toBe(read)
  expect(await status('PUT', one, { value: 'theirs' }, other)).toBe(write)
}

/** A server of its own that listens and records its log. */
async function withServer(work: (server: { port: number; logged: () => Record<string, unknown>[] }) => Promise<void>) {
  const { installation, files } = await theHouse()
  const lines: Record<string, unknown>[] = []
  const log = pino(
    new Writable({
      write(line, _encoding, done) {
        lines.push(JSON.parse(String(line)))
        done()
      },
    }),
  )
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0' })
  const { server } = await createApp({ ...installation, files, log }, config, 'http://shop.test')
  const port = Number(new URL(await server.listen({ host: '127.0.0.1', port: 0 })).port)
  try {
    await work({ port, logged: () => lines.filter(({ request_id }) => request_id !== undefined) })
  } finally {
    await server.close()
  }
}

/** Sends a request with exactly this head on a connection of its own, and returns the answer. */
const exchange = (port: number, head: string[]) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`))
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
const pathOf = (path: string) => `/stores/${shop.store.hash}/v3${path}`

class FullDisk extends Files {
  override write(): Promise<string> {
    throw new Error('There is no space left.')
  }
}

/** Sends a request of this store to a server with other settings. */
async function askOtherwise({ files, ...settings }: { files?: Files; REQUIRE_HTTPS?: string }, request: InjectOptions) {
  const house = await theHouse()
  const { server } = await createApp(
    { ...house.installation, files: files ?? house.files, log: pino({ level: 'silent' }) },
    readConfig({ SECRET, FAILED_LOGINS_MAX: '0', ...settings }),
    'http://shop.test',
  )
  const answer = await server.inject(request)
  await server.close()
  return answer
}

/** The status of a request with a body but no Content-Type. */
async function statusUntyped() {
  const { server } = await theHouse()
  const headers = { 'x-auth-token': shop.admin.access_token }
  return (await server.inject({ method: 'POST', url: pathOf(BRANDS), headers, payload: '{"name":"x"}' })).statusCode
}

/** The number of answers within the quota of a store, and the first answer past it. */
async function pastTheQuota() {
  const { call } = await openStaffedShop({ plan: 'standard' })
  const answers = await Promise.all(Array.from({ length: 151 }, () => call('GET', BRANDS)))
  const [past] = answers.filter(({ status }) => status === 429)
  return { within: answers.filter(({ status }) => status === 200).length, past }
}

const header = ({ headers }: Answered, name: string) => Number(headers[name.toLowerCase()])

const general: Proofs = {
  answers: async () => {
    const one = await call('GET', FERM)
    expect(one.body).toEqual({ data: expect.objectContaining({ name: 'Ferm' }), meta: {} })
    const { data, meta } = (await call('GET', `${BRANDS}?id=1`)).body
    expect([Array.isArray(data), meta.pagination.total]).toEqual([true, 1])
  },
  bodies: async () => {
    const { body } = await call('POST', BRANDS, brandWith({ page_title: 'Žluťoučký 😀' }))
    expect(body.data.page_title).toBe('Žluťoučký 😀')
    expect(await statusUntyped()).toBe(400)
    expect(await status('GET', FERM, undefined, { headers: { accept: 'application/json' } })).toBe(200)
  },
  'filter operators': async () => {
    for (const [query, found] of [
      ['id=2', ['Acme']],
      ['id:min=2', ['Acme', 'Zeta']],
      ['id:greater=2', ['Zeta']],
      ['id:less=2', ['Ferm']],
      ['name:like=E', ['Ferm', 'Acme', 'Zeta']],
      ['name:like=er', ['Ferm']],
      ['id:in=1,3', ['Ferm', 'Zeta']],
      ['id:not_in=1,3', ['Acme']],
    ] as const) {
      expect(await namesOf(query), query).toEqual(found)
    }
    const { date_created: at } = (await call('GET', `${METAFIELDS}/1`)).body.data
    const dated = async (query: string) => (await call('GET', `${METAFIELDS}?id=1&${query}`)).body.data.length
    expect(await dated(`date_created:min=${at}&date_created:max=${at}`)).toBe(1)
    expect(await dated('date_created:min=2999-01-01')).toBe(0)
  },
  fields: async () => {
    expect((await call('GET', `${FERM}?include_fields=name`)).body.data).toEqual({ id: 1, name: 'Ferm' })
    const { body } = await call('GET', `${FERM}?exclude_fields=id,name`)
    expect([body.data.id, body.data.name, body.data.page_title]).toEqual([1, undefined, ''])
    const product = (await call('GET', '/catalog/products/1?include=variants,images')).body.data
    expect([product.variants.length, product.images]).toEqual([1, []])
  },
  paging: async () => {
    expect(await namesOf('page=2&limit=1')).toEqual(['Acme'])
  },
  'header names': () =>
    withServer(async ({ port }) => {
      const ask = (name: string) =>
        exchange(port, [`GET ${pathOf(FERM)} HTTP/1.1`, 'HOST: shop.test', `${name}: ${shop.admin.access_token}`])
      for (const name of ['X-Auth-Token', 'x-auth-token', 'X-AUTH-TOKEN']) {
        expect(await ask(name), name).toMatch(/^HTTP\/1.1 200 /)
      }
      expect(await ask('X-Auth-Tokens')).toMatch(/^HTTP\/1.1 401 /)
    }),
}

const authentication: Proofs = {
  credential: async () => {
    const { server } = await theHouse()
    const ask = async (headers: Record<string, string>) =>
      (await server.inject({ url: pathOf(FERM), headers })).statusCode
    const token = { 'x-auth-token': shop.admin.access_token }
    expect(await ask({})).toBe(401)
    expect(await ask({ 'x-auth-client': shop.admin.client_id })).toBe(401)
    expect(await ask(token)).toBe(200)
    expect(await ask({ ...token, 'x-auth-client': 'somebody else' })).toBe(200)
  },
  client: async () => {
    const { body } = await call('GET', `${METAFIELDS}/1`)
    expect(body.data.owner_client_id).toBe(shop.admin.client_id)
    await call('POST', '/hooks', {
      scope: 'store/product/*',
      destination: 'https://hooks.example.com/a',
      is_active: true,
    })
    const seen = async (as: StaffedShop['admin']) => (await call('GET', '/hooks', undefined, { as })).body.data.length
    expect([await seen(shop.admin), await seen(shop.otherclient)]).toEqual([1, 0])
  },
  'pickup methods and pickups': async () => {
    const { accounts } = (await theHouse()).installation
    const statuses = async (scope: string) => {
      const as = await accounts.create(shop.store.hash, scope, [scope])
      const ask = async (method: string, path: string) => (await call(method, path, undefined, { as })).status
      const asked = [METHODS, '/orders/pickups'].flatMap((path) => [ask('GET', path), ask('DELETE', `${path}?id:in=9`)])
      return Promise.all(asked)
    }
    expect(await statuses('store_order_fulfillment_read_only')).toEqual([200, 403, 200, 403])
    expect(await statuses('store_order_fulfillment_manage')).toEqual([200, 204, 200, 204])
    expect(await statuses('store_fulfillment_methods_read_only')).toEqual([200, 403, 403, 403])
    expect(await statuses('store_fulfillment_methods_manage')).toEqual([200, 204, 403, 403])
  },
  'capture, void, quote, refund': async () => {
    const { accounts } = (await theHouse()).installation
    const asked = ['capture', 'void', 'refund_quotes', 'refunds'].map(
      (action) => `/orders/99/payment_actions/${action}`,
    )
    const statuses = async (scope: string) => {
      const as = await accounts.create(shop.store.hash, scope, [scope])
      const items = [{ item_type: 'PRODUCT', item_id: 1, quantity: 1 }]
      return Promise.all(asked.map(async (path) => (await call('POST', path, { items }, { as })).status))
    }
    const found = [404, 404, 404, 404]
    expect([await statuses('store_v2_orders'), await statuses('store_v2_transactions')]).toEqual([found, found])
    expect(await statuses('store_v2_orders_read_only')).toEqual([403, 403, 403, 403])
  },
  'reading refunds': async () => {
    const { accounts } = (await theHouse()).installation
    for (const scope of ['store_v2_orders', 'store_v2_transactions']) {
      for (const name of [scope, `${scope}_read_only`]) {
        const as = await accounts.create(shop.store.hash, name, [name])
        expect((await call('GET', '/orders/payment_actions/refunds', undefined, { as })).status).toBe(200)
      }
    }
  },
  'storefront tokens': () => opensOnly('store_storefront_api', [200, 200, 403]),
  'impersonation tokens': () => opensOnly('store_storefront_api_customer_impersonation', [403, 403, 200]),
  'storefront GraphQL': async () => {
    const token = await makeToken(shop, 'storefront')
    expect((await askStorefront(shop, { token })).status).toBe(200)
    expect((await askStorefront(shop, { headers: { 'x-auth-token': shop.admin.access_token } })).status).toBe(401)
  },
  'payment processing': async () => {
    const { server } = await theHouse()
    const id = await openUnpaid(shop, 10)
    const url = `/stores/${shop.store.hash}/payments`
    const headers = { 'x-auth-token': shop.admin.access_token, 'content-type': 'application/json' }
    const refused = await server.inject({ method: 'POST', url, headers, payload: { payment: {} } })
    expect(refused.statusCode).toBe(401)
    expect((await pay(shop, id)).status).toBe(201)
  },
  'companion API': async () => {
    await enableCompanion(shop)
    const ask = async (headers: Record<string, string>) =>
      (await askBare('GET', '/v3/io/companies', undefined, headers)).status
    const token = { 'x-auth-token': shop.admin.access_token }
    expect(await ask({ ...token, 'x-store-hash': shop.store.hash })).toBe(200)
    expect(await ask({ 'x-store-hash': shop.store.hash })).toBe(401)
    expect(await ask(token)).toBe(500)
  },
}

/** The answers to a client with one scope that creates a storefront, a private and an impersonation token. */
async function opensOnly(scope: string, statuses: number[]) {
  const as = await (await theHouse()).installation.accounts.create(shop.store.hash, scope, [scope])
  const body = { channel_id: 1, expires_at: 4_102_444_800, allowed_cors_origins: [ORIGIN], scopes: ['Customer'] }
  const paths = ['api-token', 'api-token-private', 'api-token-customer-impersonation']
  expect(await Promise.all(paths.map((path) => status('POST', `/storefront/${path}`, body, { as })))).toEqual(statuses)
}

const revokes = async (path: string) => {
  const token = await makeToken(shop, 'storefront')
  const revoke = (headers: Record<string, string>) => call('DELETE', path, undefined, { headers })
  expect(await revoke({ 'Sf-Api-Token': token })).toMatchObject({ status: 200, body: { data: {}, meta: {} } })
  expect((await revoke({})).status).toBe(422)
  expect((await askStorefront(shop, { token })).message).toBe('Unknown JWT token.')
}

const storefrontTokens: Proofs = {
  'POST `/storefront/api-token`': async () => {
    const whole = { channel_id: 1, expires_at: 4_102_444_800, allowed_cors_origins: [ORIGIN] }
    const { body } = await call('POST', '/storefront/api-token', whole)
    expect((await askStorefront(shop, { token: body.token, headers: { origin: ORIGIN } })).status).toBe(200)
    for (const field of Object.keys(whole)) await isNeeded('/storefront/api-token', whole, field)
  },
  'POST `/storefront/api-token-customer-impersonation`': async () => {
    const headers = { 'X-Svc-Customer-Id': '1' }
    const path = '/storefront/api-token-customer-impersonation'
    expect((await call('POST', path, undefined, { headers })).body.data.token).toMatch(/^ey/)
  },
  'DELETE `/storefront/api-token`, DELETE `/storefront/api-token-customer-impersonation`': async () => {
    await revokes('/storefront/api-token')
    await revokes('/storefront/api-token-customer-impersonation')
  },
  answers: async () => {
    const body = { channel_id: 1, expires_at: 0, allowed_cors_origins: [ORIGIN] }
    const { token } = (await call('POST', '/storefront/api-token', body)).body
    expect(token).toMatch(/^ey/)
    const other = (await call('POST', '/storefront/api-token', body)).body
    expect(other).toEqual({ token: other.token, data: { token: other.token }, meta: {} })
  },
  'impersonation token': async () => {
    await call('POST', '/customers', [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }])
    const token = await makeToken(shop, 'impersonation')
    const headers = { 'X-Svc-Customer-Id': '1' }
    const { body } = await askStorefront(shop, { token, query: CUSTOMER, headers })
    expect(body.data.customer.email).toBe('ann@example.com')
    expect((await askStorefront(shop, { token, headers: { ...headers, origin: ORIGIN } })).status).toBe(403)
  },
  'private token': async () => {
    const token = await makeToken(shop, 'private', { scopes: ['Unauthenticated'] })
    const { body } = await askStorefront(shop, { token, query: CUSTOMER })
    expect(body.errors[0].extensions.code).toBe('INSUFFICIENT_ACCESS_SCOPE')
  },
}

const brands: Proofs = {
  '`id`': async () => {
    const { body } = await call('POST', BRANDS, brandWith({ id: 77_777 }))
    expect(body.data.id).toBeLessThan(77_777)
    expect((await call('PUT', FERM, { id: 5 })).body.data.id).toBe(1)
  },
  '`name`': async () => {
    await isNeeded(BRANDS, { name: 'x' }, 'name')
    await endsAt(BRANDS, 'name', 'n'.repeat(255), 'n'.repeat(256))
    await endsAt(BRANDS, 'name', 'n', '')
    expect(await status('POST', BRANDS, { name: 'Ferm' })).toBe(409)
    expect(await status('PUT', `${BRANDS}/2`, { name: 'Ferm' })).toBe(409)
  },
  '`page_title`': () => endsAt(BRANDS, 'page_title', 'p'.repeat(255), 'p'.repeat(256)),
  '`meta_keywords`': () => endsAt(BRANDS, 'meta_keywords', ['a', 'b'], 'a'),
  '`meta_description`': () => endsAt(BRANDS, 'meta_description', 'm'.repeat(65_535), 'm'.repeat(65_536)),
  '`search_keywords`': async () => {
    await endsAt(BRANDS, 'search_keywords', 's'.repeat(65_535), 's'.repeat(65_536))
    await endsAt(BRANDS, 'search_keywords', 'cups,mugs', ['cups', 'mugs'])
  },
  '`image_url`': async () => {
    const { body } = await call('POST', BRANDS, brandWith({ image_url: 'https://cdn.example.com/1.png' }))
    const image_url = 'https://cdn.example.com/2.png'
    await call('PUT', `${BRANDS}/${body.data.id}`, { image_url })
    expect((await call('GET', `${BRANDS}/${body.data.id}`)).body.data.image_url).toBe(image_url)
    await endsAt(BRANDS, 'image_url', image_url, 'picture.png')
  },
  '`custom_url`': async () => {
    const custom_url = { url: '/a-place/', is_customized: true }
    expect((await call('POST', BRANDS, brandWith({ custom_url }))).body.data.custom_url).toEqual(custom_url)
  },
  'GET `/catalog/brands`': async () => {
    await call('PUT', `${BRANDS}/3`, { page_title: 'The end' })
    for (const [query, found] of [
      ['id=1', ['Ferm']],
      ['id:in=1,2', ['Ferm', 'Acme']],
      ['id:not_in=1', ['Acme', 'Zeta']],
      ['name=Acme', ['Acme']],
      ['name:like=cm', ['Acme']],
      ['page_title=The%20end', ['Zeta']],
      ['sort=name', ['Acme', 'Ferm', 'Zeta']],
      ['page=2&limit=2', ['Zeta']],
      ['include_fields=name&exclude_fields=page_title', ['Ferm', 'Acme', 'Zeta']],
    ] as const) {
      expect(await namesOf(query), query).toEqual(found)
    }
    expect(await status('GET', `${BRANDS}?sort=page_title`)).toBe(422)
  },
  'POST `/catalog/brands`': async () => {
    expect(await call('POST', BRANDS, brandWith({ page_title: 'x' }))).toMatchObject({
      status: 200,
      body: { data: { page_title: 'x' }, meta: {} },
    })
  },
  'DELETE `/catalog/brands`': async () => {
    expect(await status('DELETE', BRANDS)).toBe(422)
    expect(await status('DELETE', `${BRANDS}?page_title=x`)).toBe(422)
    const { id, name } = (await call('POST', BRANDS, brandWith({ page_title: 'kept' }))).body.data
    await call('DELETE', `${BRANDS}?name=${name}&page_title=other`)
    expect(await status('GET', `${BRANDS}/${id}`)).toBe(200)
    expect(await call('DELETE', `${BRANDS}?name=${name}&page_title=kept`)).toMatchObject({ status: 204, text: '' })
    expect(await status('GET', `${BRANDS}/${id}`)).toBe(404)
  },
  'GET `/catalog/brands/{brand_id}`': async () => {
    const { body } = await call('GET', `${FERM}?include_fields=name,page_title&exclude_fields=page_title`)
    expect(body.data).toEqual({ id: 1, name: 'Ferm' })
  },
  'PUT `/catalog/brands/{brand_id}`': async () => {
    const { body } = await call('PUT', FERM, { meta_description: 'Changed' })
    expect(body.data).toMatchObject({ id: 1, name: 'Ferm', meta_description: 'Changed' })
  },
  'DELETE `/catalog/brands/{brand_id}`': async () => {
    const { body } = await call('POST', BRANDS, brandWith({}))
    const one = `${BRANDS}/${body.data.id}`
    expect(await call('DELETE', one)).toMatchObject({ status: 204, text: '' })
    expect(await status('GET', one)).toBe(404)
  },
  'POST `/catalog/brands/{brand_id}/image`': async () => {
    const { body } = await call('POST', `${FERM}/image`, undefined, form('image_file', 'a.gif', gif))
    expect(body.data.image_url).toMatch(/^http/)
    expect((await call('GET', FERM)).body.data.image_url).toBe(body.data.image_url)
  },
}

const metafields: Proofs = {
  '`id`': async () => {
    const { body } = await call('POST', METAFIELDS, pinWith({ id: 77_777 }))
    expect(body.data.id).toBeLessThan(77_777)
  },
  '`key`': async () => {
    await isNeeded(METAFIELDS, pin, 'key')
    await endsAt(METAFIELDS, 'key', 'k'.repeat(64), 'k'.repeat(65))
    await endsAt(METAFIELDS, 'key', 'k', '')
  },
  '`value`': async () => {
    await isNeeded(METAFIELDS, pin, 'value')
    await endsAt(METAFIELDS, 'value', 'v'.repeat(65_535), 'v'.repeat(65_536))
    await endsAt(METAFIELDS, 'value', 'v', '')
  },
  '`namespace`': async () => {
    await isNeeded(METAFIELDS, pin, 'namespace')
    await endsAt(METAFIELDS, 'namespace', 'n'.repeat(64), 'n'.repeat(65))
    await endsAt(METAFIELDS, 'namespace', 'n', '')
  },
  '`permission_set`': async () => {
    await isNeeded(METAFIELDS, pin, 'permission_set')
    for (const set of ['app_only', 'read', 'write', 'read_and_sf_access', 'write_and_sf_access']) {
      await endsAt(METAFIELDS, 'permission_set', set, 'everybody')
    }
  },
  '`description`': async () => {
    await endsAt(METAFIELDS, 'description', 'd'.repeat(255), 'd'.repeat(256))
    expect((await call('POST', METAFIELDS, pinWith({}))).body.data.description).toBe('')
  },
  '`app_only`': () => othersMay('app_only', 404, 404),
  '`read`': () => othersMay('read', 200, 403),
  '`write`': () => othersMay('write', 200, 200),
  '`read_and_sf_access`': () => othersMay('read_and_sf_access', 200, 403),
  '`write_and_sf_access`': () => othersMay('write_and_sf_access', 200, 200),
  'GET `/catalog/categories/{category_id}/metafields`': async () => {
    const { body } = await call('POST', METAFIELDS, pinWith({ namespace: 'listed' }))
    const { id, key } = body.data
    const found = async (query: string) =>
      (await call('GET', `${METAFIELDS}?${query}`)).body.data.map((field: { id: number }) => field.id)
    for (const query of [
      `id=${id}`,
      `id:in=${id}`,
      `id:min=${id}&id:max=${id}`,
      `id:greater=${id - 1}&id:less=${id + 1}`,
      `key=${key}`,
      'namespace=listed',
      `namespace=listed&id:not_in=1`,
      'namespace=listed&page=1&limit=1&include_fields=key&exclude_fields=value',
    ]) {
      expect(await found(query), query).toEqual([id])
    }
    expect(await found(`namespace=listed&id:not_in=${id}`)).toEqual([])
    expect(await found('namespace=listed&page=2')).toEqual([])
  },
  'POST same path': async () => {
    const field = pinWith({ description: 'Where it is' })
    expect(await call('POST', METAFIELDS, field)).toMatchObject({ status: 200, body: { data: field, meta: {} } })
  },
  'GET `…/metafields/{metafield_id}`': async () => {
    const { body } = await call('GET', `${METAFIELDS}/1?include_fields=key,value&exclude_fields=value`)
    expect(body.data).toEqual({ id: 1, key: 'pin' })
  },
  'PUT `…/metafields/{metafield_id}`': async () => {
    expect((await call('PUT', `${METAFIELDS}/1`, {})).body.data).toMatchObject(pin)
    const { body } = await call('PUT', `${METAFIELDS}/1`, { description: 'Changed' })
    expect(body.data).toMatchObject({ ...pin, description: 'Changed' })
  },
  'DELETE `…/metafields/{metafield_id}`': async () => {
    const { body } = await call('POST', METAFIELDS, pinWith({}))
    const one = `${METAFIELDS}/${body.data.id}`
    expect(await call('DELETE', one)).toMatchObject({ status: 204, text: '' })
    expect(await status('GET', one)).toBe(404)
  },
  identity: async () => {
    const { body } = await call('POST', METAFIELDS, pinWith({ permission_set: 'write' }))
    const one = `${METAFIELDS}/${body.data.id}`
    for (const change of [{ key: 'mine' }, { namespace: 'mine' }, { permission_set: 'read' }]) {
      expect(await status('PUT', one, change, { as: shop.otherclient }), JSON.stringify(change)).toBe(403)
    }
    expect(await status('PUT', one, { namespace: 'ours', permission_set: 'read' })).toBe(200)
  },
  'how many': () => metafieldsEndAt250(),
}

async function metafieldsEndAt250() {
  const { call, otherclient } = await openStaffedShop()
  await call('POST', '/catalog/categories', { parent_id: 0, name: 'Mugs' })
  for (let start = 0; start < 250; start += 10) {
    const some = Array.from({ length: 10 }, (_, i) => ({ ...pin, key: `key ${start + i}`, resource_id: 1 }))
    expect((await call('POST', '/catalog/categories/metafields', some)).status).toBe(200)
  }
  expect((await call('POST', METAFIELDS, pin)).status).toBe(403)
  expect((await call('POST', METAFIELDS, pin, { as: otherclient })).status, 'of another client').toBe(200)
}

/** An option of product 1, in a store of its own. */
async function openOption(type: string, value_data: object | null = null) {
  const { call } = await openStaffedShop()
  for (const name of ['Mug', 'Bowl']) await call('POST', '/catalog/products', { ...mug, name })
  const [path, kind] = type === 'checkbox' ? ['modifiers', { required: false }] : ['options', {}]
  const first = { label: 'First', sort_order: 0, ...(value_data ? { value_data } : {}) }
  const option_values = type === 'checkbox' ? undefined : [first]
  const list = `/catalog/products/1/${path}`
  const { status, body } = await call('POST', list, { display_name: 'Choice', type, option_values, ...kind })
  expect(status, JSON.stringify(body)).toBe(200)
  const values = `${list}/1/values`
  return { values, call, post: (value: object) => call('POST', values, value) }
}

const optionValues: Proofs = {
  '`id`': async () => {
    const { post } = await openOption('dropdown')
    const ids = []
    for (const label of ['Second', 'Third']) ids.push((await post({ id: 99, label, sort_order: 1 })).body.data.id)
    expect(ids).toEqual([2, 3])
  },
  '`label`': async () => {
    const { post } = await openOption('dropdown')
    expect((await post({ sort_order: 1 })).body.errors).toEqual({ label: 'error.path.missing' })
    expect((await post({ label: 'Second', sort_order: 1 })).body.data.label).toBe('Second')
  },
  '`sort_order`': async () => {
    const { post, call, values } = await openOption('dropdown')
    expect((await post({ label: 'Second' })).body.errors).toEqual({ sort_order: 'error.path.missing' })
    await post({ label: 'Before', sort_order: -1 })
    const { body } = await call('GET', values)
    expect(body.data.map(({ label }: { label: string }) => label)).toEqual(['Before', 'First'])
  },
  '`is_default`': async () => {
    const option = await openOption('dropdown')
    expect((await option.post({ label: 'Second', sort_order: 1, is_default: true })).body.data.is_default).toBe(true)
    const swatch = await openOption('swatch', { colors: ['#fff'] })
    const red = { label: 'Red', sort_order: 1, value_data: { colors: ['#f00'] } }
    expect((await swatch.post({ ...red, is_default: true })).status).toBe(422)
    expect((await swatch.post(red)).status).toBe(200)
  },
  '`value_data`': async () => {
    let label = 0
    const statusOf = async ({ post }: Awaited<ReturnType<typeof openOption>>, value_data: unknown) =>
      (await post({ label: `L${++label}`, sort_order: 1, value_data })).status
    const swatch = await openOption('swatch', { colors: ['#fff'] })
    expect(await statusOf(swatch, { colors: ['#123456', '#FFF', '#0a0'] })).toBe(200)
    expect(await statusOf(swatch, { colors: ['#123456', '#FFF', '#0a0', '#00a'] })).toBe(422)
    expect(await statusOf(swatch, { colors: ['red'] })).toBe(422)
    expect(await statusOf(swatch, { image_url: 'https://cdn.example.com/oak.png' })).toBe(200)
    expect(await statusOf(swatch, { image_url: 'cdn.example.com/oak.png' })).toBe(422)
    const list = await openOption('product_list', { product_id: 2 })
    expect(await statusOf(list, {})).toBe(422)
    const checkbox = await openOption('checkbox')
    const { body } = await checkbox.call('GET', checkbox.values)
    expect(body.data.map(({ value_data }: { value_data: object }) => value_data)).toEqual([
      { checked_value: true },
      { checked_value: false },
    ])
  },
}

const METHODS = '/pickup/methods'
const methodsNamed = (...names: string[]) => names.map((name) => ({ location_id: 1, name }))

const handed = {
  order_id: 1,
  pickup_method_id: 1,
  ready_at: '2026-05-04T09:00:00Z',
  pickup_items: [{ order_product_id: 1, quantity: 1 }],
}

/** A store with an order of ten engravings, two of them in pickups. */
async function withPickups() {
  const { call } = await openShop()
  await call('POST', METHODS, methodsNamed('Counter'))
  const products = [{ name: 'Engraving', quantity: 10, price_ex_tax: 1, price_inc_tax: 1 }]
  await call('POST', '/orders', { billing_address: { zip: '1051' }, products, status_id: 11 }, { version: 'v2' })
  const { body } = await call('POST', '/orders/pickups', [handed, handed])
  return { call, body }
}

const pickup: Proofs = {
  'GET `/pickup/methods`': async () => {
    const { call } = await openShop()
    await call('POST', METHODS, methodsNamed('Counter', 'Back door'))
    const { date_created } = (await call('GET', METHODS)).body.data[0]
    const sorts = ['name:asc', 'name:desc', 'date_modified:asc', 'date_modified:desc'].map((sort) => `sort=${sort}`)
    const dates = ['date_created', 'date_modified'].flatMap((name) =>
      ['', ':min', ':max'].map((bound) => `${name}${bound}=${date_created}`),
    )
    for (const query of [...sorts, ...dates, 'id:in=1,2', 'page=1&limit=2']) {
      const { status, body } = await call('GET', `${METHODS}?${query}`)
      expect([query, status, body.data.length]).toEqual([query, 200, 2])
    }
  },
  'POST `/pickup/methods`': async () => {
    const { call } = await openShop()
    const names = Array.from({ length: 101 }, (_, i) => `Door ${i}`)
    expect((await call('POST', METHODS, methodsNamed(...names))).status).toBe(413)
    const { status, body } = await call('POST', METHODS, methodsNamed(...names.slice(1)))
    expect([status, body.data.length]).toEqual([200, 100])
  },
  'PUT `/pickup/methods`': async () => {
    const { call } = await openShop()
    const { body } = await call('POST', METHODS, methodsNamed(...Array.from({ length: 11 }, () => 'Counter')))
    expect((await call('PUT', METHODS, body.data)).status).toBe(413)
    const onlyIds = body.data.slice(1).map(({ id }: { id: number }) => ({ id }))
    expect(await call('PUT', METHODS, onlyIds)).toMatchObject({ status: 200, body: { data: body.data.slice(1) } })
  },
  'DELETE `/pickup/methods`': async () => {
    const { call } = await openShop()
    await call('POST', METHODS, methodsNamed('Counter', 'Back door'))
    expect((await call('DELETE', METHODS)).status).toBe(422)
    expect((await call('DELETE', `${METHODS}?id:in=1,2`)).status).toBe(204)
    expect((await call('GET', METHODS)).body.data).toEqual([])
  },
  'GET `/orders/pickups`': async () => {
    const { call } = await withPickups()
    for (const [query, count] of [
      ['', 2],
      ['?order_id:in=1,9', 2],
      ['?pickup_id:in=2', 1],
    ] as const) {
      const { status, body } = await call('GET', `/orders/pickups${query}`)
      expect([query, status, body.data.length]).toEqual([query, 200, count])
    }
  },
  'POST `/orders/pickups`': async () => {
    const { call, body } = await withPickups()
    expect(body.data).toMatchObject([{ order_id: 1 }, { order_id: 1 }])
    const wrong = await call('POST', '/orders/pickups', [handed, {}, { ...handed, order_id: 'one' }])
    expect([wrong.status, Object.keys(wrong.body.errors).map((key) => key[0])]).toEqual([
      422,
      expect.arrayContaining(['1', '2']),
    ])
    expect((await call('POST', '/orders/pickups', Array(101).fill(handed))).status).toBe(413)
  },
  'PUT `/orders/pickups`': async () => {
    const { call } = await withPickups()
    const times = { ready_at: '2026-05-04T10:00:00Z', collected_at: '2026-05-04T11:00:00Z' }
    const { status, body } = await call('PUT', '/orders/pickups', [{ id: 1, pickup_id: 2, ...times }])
    expect([status, body.data]).toMatchObject([200, [{ pickup_id: 2, ready_at: times.ready_at }]])
    expect((await call('PUT', '/orders/pickups', [{ pickup_id: 9, ...times }])).status).toBe(422)
  },
  'DELETE `/orders/pickups`': async () => {
    const { call } = await withPickups()
    expect((await call('DELETE', '/orders/pickups')).status).toBe(422)
    expect((await call('DELETE', '/orders/pickups?id:in=1,2')).status).toBe(204)
    expect((await call('GET', '/orders/pickups')).body.data).toEqual([])
  },
  'POST `/pickup/options`': async () => {
    const { call } = await openShop()
    const coordinates = { latitude: 55.6798, longitude: 12.5914 }
    const address = { address1: 'Nyhavn 12', city: 'Copenhagen', state: '', zip: '1051', country_code: 'DK' }
    const located = { ...address, email: 'harbour@example.com', geo_coordinates: coordinates }
    await call('PUT', '/inventory/locations', [{ id: 1, address: located }])
    await call('POST', METHODS, methodsNamed(...Array.from({ length: 11 }, (_, i) => `Door ${i}`)))
    for (const name of ['One', 'Two'])
      await call('POST', '/catalog/products', { ...mug, name, inventory_tracking: 'product' })
    await call('PUT', '/inventory/adjustments/absolute', { items: [{ location_id: 1, product_id: 1, quantity: 1 }] })
    const search_area = { coordinates, radius: { value: 1, unit: 'KM' } }
    const find = async (...variants: number[]) => {
      const items = variants.map((variant_id) => ({ variant_id, quantity: 1 }))
      const { status, body } = await call('POST', '/pickup/options', { search_area, items })
      expect(status).toBe(200)
      return body.data.flatMap(({ pickup_options }: { pickup_options: unknown[] }) => pickup_options).length
    }
    expect([await find(1), await find(1, 2)]).toEqual([10, 0])
  },
}

const codes: Proofs = {
  '200, 201, 202, 204': async () => {
    expect(await status('GET', FERM)).toBe(200)
    expect(await status('PUT', FERM, {})).toBe(200)
    const made = await call('POST', '/brands', brandWith({}), { version: 'v2' })
    expect(made).toMatchObject({ status: 201, headers: { location: expect.stringMatching(/\/v2\/brands\/\d+$/) } })
    const category = (await call('POST', '/catalog/categories', { parent_id: 0, name: 'Going' })).body.data
    expect(await status('DELETE', `/catalog/trees/categories?category_id:in=${category.id}`)).toBe(202)
    expect(await call('DELETE', `${BRANDS}?name=nothing`)).toMatchObject({ status: 204, text: '' })
  },
  '207': async () => {
    const { status, body } = await call('POST', BRANDS, brandWith({ custom_url: { url: '/ferm/' } }))
    expect({ status, reason: body.errors.errors }).toEqual({
      status: 207,
      reason: { 'custom_url.url': 'The address /ferm/ is taken.' },
    })
  },
  '301': async () => {
    const headers = { host: 'shop.test' }
    const { statusCode, headers: sent } = await askOtherwise({ REQUIRE_HTTPS: 'true' }, { url: pathOf(FERM), headers })
    expect([statusCode, sent.location]).toEqual([301, `https://shop.test${pathOf(FERM)}`])
  },
  '304': async () => {
    const { headers } = await call('GET', '/catalog/products/1')
    const since = { headers: { 'if-modified-since': String(headers['last-modified']) } }
    expect(await call('GET', '/catalog/products/1', undefined, since)).toMatchObject({ status: 304, text: '' })
    const long = { headers: { 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' } }
    expect(await status('GET', '/catalog/products/1', undefined, long)).toBe(200)
  },
  '400': async () => {
    const headers = { 'content-type': 'application/json' }
    expect(await status('POST', BRANDS, undefined, { headers, payload: '{"name":' })).toBe(400)
    expect(await statusUntyped()).toBe(400)
  },
  '401': async () => {
    expect(await status('GET', FERM, undefined, { as: { access_token: 'x'.repeat(31) } })).toBe(401)
    expect(await status('GET', FERM, undefined, { as: (await openStaffedShop()).admin })).toBe(401)
  },
  '403': async () => {
    expect(await status('GET', FERM, undefined, { as: shop.noscope })).toBe(403)
    expect(await status('PUT', FERM, {}, { as: shop.readonly })).toBe(403)
    const { server } = await theHouse()
    const headers = { 'x-auth-token': shop.admin.access_token }
    expect((await server.inject({ url: `/stores/nosuchstore/v3${FERM}`, headers })).statusCode).toBe(403)
  },
  '404': async () => {
    for (const path of [`${BRANDS}/99999`, '/catalog/nothing', '/catalog/products/99999/images']) {
      expect(await status('GET', path), path).toBe(404)
    }
  },
  '405': async () => {
    const answered = await call('POST', FERM, {})
    expect(answered).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, PUT, DELETE, OPTIONS' } })
  },
  '406': async () => {
    expect(await status('GET', FERM, undefined, { headers: { accept: 'text/xml' } })).toBe(406)
  },
  '409': async () => {
    expect(await status('DELETE', '/catalog/categories/1'), 'a product has no other category').toBe(409)
    expect(await status('POST', BRANDS, { name: 'Ferm' })).toBe(409)
  },
  '413': async () => {
    expect(await status('GET', `${BRANDS}?limit=250`)).toBe(200)
    expect(await status('GET', `${BRANDS}?limit=251`)).toBe(413)
  },
  '415': async () => {
    const headers = { 'content-type': 'text/plain' }
    expect(await status('POST', BRANDS, undefined, { headers, payload: '{"name":"x"}' })).toBe(415)
  },
  '422': async () => {
    expect(await status('POST', BRANDS, {})).toBe(422)
    expect(await status('POST', BRANDS, { name: 5 })).toBe(422)
  },
  '429': async () => {
    const { within, past } = await pastTheQuota()
    expect([within, past?.status]).toEqual([150, 429])
  },
  '499': () =>
    withServer(async ({ port, logged }) => {
      // A client that is asked to continue with its body, and does.
      const socket = connect(port, '127.0.0.1')
      const head = [`POST ${pathOf(BRANDS)} HTTP/1.1`, 'Host: shop.test', `X-Auth-Token: ${shop.admin.access_token}`]
      const body = ['Content-Type: application/json', 'Content-Length: 100', 'Expect: 100-continue']
      socket.write([...head, ...body, '', ''].join('\r\n'))
      socket.once('data', () => socket.destroy())
      await expect.poll(() => logged().map(({ status }) => status)).toEqual([499])
    }),
  '500': async () => {
    const { payload, headers } = form('image_file', 'a.gif', gif)
    const files = new FullDisk(tmpdir(), 'http://shop.test', randomIds)
    const { statusCode, body } = await askOtherwise(
      { files },
      {
        method: 'POST',
        url: pathOf(`${FERM}/image`),
        payload,
        headers: { ...headers, 'x-auth-token': shop.admin.access_token },
      },
    )
    expect({ statusCode, title: JSON.parse(body).title }).toEqual({ statusCode: 500, title: 'Internal error' })
  },
  '501': async () => {
    for (const method of ['PATCH', 'TRACE']) expect(await status(method, FERM), method).toBe(501)
  },
  '423': async () => {
    const print = { name: 'Print', quantity: 1, price_ex_tax: 5, price_inc_tax: 5 }
    const order = { billing_address: { zip: '1051' }, products: [print], status_id: 11 }
    const { id } = (await call('POST', '/orders', order, { version: 'v2' })).body
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      await lock(tx, orders, id)
      const refund = {
        items: [{ item_type: 'ORDER', item_id: id, amount: 5 }],
        payments: [{ provider_id: 'custom', amount: 5, offline: true }],
      }
      const { status, headers } = await call('POST', `/orders/${id}/payment_actions/refunds`, refund)
      expect([status, headers['retry-after']]).toEqual([423, '10'])
    })
  },
  '503': async () => {
    const { directory } = (await theHouse()).installation
    for (const state of ['maintenance', 'upgrading', 'suspended'] as const) {
      const closed = await openStaffedShop()
      await directory.setState(closed.store.hash, state)
      expect((await closed.call('GET', BRANDS)).status, state).toBe(503)
    }
  },
  '507': async () => {
    const small = await openStaffedShop({ limits: { brands: 1 } })
    expect((await small.call('POST', BRANDS, { name: 'One' })).status).toBe(200)
    expect((await small.call('POST', BRANDS, { name: 'Two' })).status).toBe(507)
  },
}

const headers: Proofs = {
  '`X-Rate-Limit-Time-Window-Ms`': async () => {
    const { call } = await openStaffedShop({ plan: 'standard' })
    expect(header(await call('GET', BRANDS), 'X-Rate-Limit-Time-Window-Ms')).toBe(30_000)
  },
  '`X-Rate-Limit-Time-Reset-Ms`': async () => {
    const { call } = await openStaffedShop({ plan: 'standard' })
    const first = header(await call('GET', BRANDS), 'X-Rate-Limit-Time-Reset-Ms')
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThanOrEqual(30_000)
    const nextMs = () => call('GET', BRANDS).then((answered) => header(answered, 'X-Rate-Limit-Time-Reset-Ms'))
    await expect.poll(nextMs).toBeLessThan(first)
  },
  '`X-Rate-Limit-Requests-Quota`': async () => {
    const { call } = await openStaffedShop({ plan: 'pro' })
    expect(header(await call('GET', BRANDS), 'X-Rate-Limit-Requests-Quota')).toBe(450)
  },
  '`X-Rate-Limit-Requests-Left`': async () => {
    const { call } = await openStaffedShop({ plan: 'standard' })
    const left = async () => header(await call('GET', '/nothing'), 'X-Rate-Limit-Requests-Left')
    expect([await left(), await left()]).toEqual([149, 148])
  },
  '`X-Retry-After`': async () => {
    const { past } = await pastTheQuota()
    if (!past) throw new Error('Nothing was refused.')
    const reset = header(past, 'X-Rate-Limit-Time-Reset-Ms')
    expect(header(past, 'X-Retry-After')).toBe(Math.ceil(reset / 1_000))
    expect((await call('GET', FERM)).headers).not.toHaveProperty('x-retry-after')
  },
  '`X-Svc-ApiLimit-Remaining`': async () => {
    const { call } = await openStaffedShop({ plan: 'standard' })
    await call('GET', BRANDS)
    expect(header(await call('GET', BRANDS), 'X-Svc-ApiLimit-Remaining')).toBe(19_998)
  },
  '`X-Svc-Store-Version`': async () => {
    const { headers } = await call('GET', '/time', undefined, { version: 'v2' })
    expect(headers['x-svc-store-version']).toMatch(/^\d+\.\d+\.\d+$/)
  },
  '`X-Correlation-Id`': async () => {
    const id = '0b6ed0a4-2b1c-4b49-9a0e-3f1d5a6c7e8f'
    const { headers } = await call('GET', FERM, undefined, { headers: { 'x-correlation-id': id } })
    expect(headers['x-correlation-id']).toBe(id)
  },
  '`User-Agent`': () =>
    withServer(async ({ port, logged }) => {
      const head = [`GET ${pathOf(FERM)} HTTP/1.1`, 'Host: shop.test', `X-Auth-Token: ${shop.admin.access_token}`]
      await exchange(port, [...head, 'User-Agent: stock-sync/2.1'])
      expect(logged()).toMatchObject([{ agent: 'stock-sync/2.1', status: 200, client: shop.admin.client_id }])
    }),
}

const ASSIGNMENTS = '/channels/currency-assignments'
const OWN = '/channels/1/currency-assignments'
const dollars = { enabled_currencies: ['USD'], default_currency: 'USD' }

const currencyAssignments: Proofs = {
  '`channel_id`': () => isMissing(ASSIGNMENTS, [dollars], '0.channel_id'),
  '`enabled_currencies`': () => isMissing(OWN, { default_currency: 'USD' }, 'enabled_currencies'),
  '`default_currency`': () => isMissing(OWN, { enabled_currencies: ['USD'] }, 'default_currency'),
  'GET, POST, PUT `/channels/currency-assignments` (array of assignments)': async () => {
    const items = [{ channel_id: 1, ...dollars }]
    for (const method of ['POST', 'PUT']) expect((await call(method, ASSIGNMENTS, items)).body.data).toEqual(items)
    expect((await call('GET', ASSIGNMENTS)).body.data).toEqual(items)
  },
  'GET, POST, PUT `/channels/{channel_id}/currency-assignments` (without `channel_id`)': async () => {
    const one = { channel_id: 1, ...dollars }
    for (const method of ['POST', 'PUT']) expect((await call(method, OWN, dollars)).body.data).toEqual(one)
    expect((await call('GET', OWN)).body.data).toEqual(one)
  },
  'DELETE `/channels/{channel_id}/currency-assignments`': async () => {
    expect((await call('DELETE', OWN)).body).toEqual({ data: 1, meta: {} })
    expect((await call('GET', ASSIGNMENTS)).body.data).toEqual([])
  },
}

async function isMissing(path: string, body: unknown, field: string) {
  expect(await call('POST', path, body)).toMatchObject({
    status: 422,
    body: { errors: { [field]: 'error.path.missing' } },
  })
}

/** The site of a new channel, by the channel's path. */
async function siteOfNewChannel() {
  const name = `Channel-${++count}`
  const channel = (await call('POST', '/channels', { name, type: 'storefront', platform: 'custom' })).body.data
  const path = `/channels/${channel.id}/site`
  const url = `https://${name.toLowerCase()}-${shop.store.hash}.example.com`
  const made = await call('POST', path, { url, channel_id: channel.id })
  return { path, url, channel, made }
}

const channelSites: Proofs = {
  'GET (the same as GET `/sites?channel_id=`)': async () => {
    const { path, channel } = await siteOfNewChannel()
    const [site] = (await call('GET', `/sites?channel_id=${channel.id}`)).body.data
    expect((await call('GET', path)).body.data).toEqual(site)
  },
  'POST (the same as POST `/sites`)': async () => {
    const { url, channel, made } = await siteOfNewChannel()
    expect(made.body.data).toMatchObject({ url, channel_id: channel.id })
    expect(await status('POST', '/sites', { url: `${url}.org`, channel_id: channel.id })).toBe(409)
  },
  PUT: async () => {
    const { path, url } = await siteOfNewChannel()
    expect((await call('PUT', path, { url: `${url}/` })).body.data.url).toBe(`${url}/`)
  },
  DELETE: async () => {
    const { path } = await siteOfNewChannel()
    expect(await call('DELETE', path)).toMatchObject({ status: 204, text: '' })
  },
}

const LOCALE = '/settings/store/locale'
const STATUS = '/settings/storefront/status'
const messages = { down_for_maintenance_message: 'Soon', prelaunch_message: 'In May' }
const ofChannel = (path: string) => `${path}?channel_id=1`

const storeSettings: Proofs = {
  '`default_shopper_language`': async () => {
    expect((await call('GET', LOCALE)).body.data.default_shopper_language).toBe('en')
    expect((await call('PUT', LOCALE, {})).body.errors).toEqual({ default_shopper_language: 'error.path.missing' })
    expect(await status('PUT', LOCALE, { default_shopper_language: 'en-GB' })).toBe(200)
  },
  '`shopper_language_selection_method`': async () => {
    const { data } = (await call('GET', LOCALE)).body
    expect(data.shopper_language_selection_method).toBe('default_shopper_language')
    const with_ = (method: string) => status('PUT', LOCALE, { ...data, shopper_language_selection_method: method })
    expect([await with_('browser'), await with_('address')]).toEqual([200, 422])
  },
  '`store_country`': async () => {
    expect((await call('GET', LOCALE)).body.data.store_country).toBe('United States')
  },
  '`down_for_maintenance_message`, `prelaunch_message`': async () => {
    expect((await call('PUT', STATUS, messages)).body.data).toMatchObject(messages)
  },
  '`prelaunch_password`': async () => {
    const { prelaunch_password } = (await call('GET', STATUS)).body.data
    expect(prelaunch_password).toMatch(/^[a-z0-9]{10}$/)
    expect((await call('PUT', STATUS, { prelaunch_password: 'mine' })).body.data.prelaunch_password).toBe(
      prelaunch_password,
    )
  },
  GET: async () => {
    const { data } = (await call('GET', ofChannel(STATUS))).body
    expect(Object.values(data)).toEqual([null, null, null])
  },
  PUT: async () => {
    expect(await status('PUT', ofChannel(STATUS), { prelaunch_message: 'In May' })).toBe(422)
    expect((await call('PUT', ofChannel(STATUS), messages)).body.data).toMatchObject(messages)
    const nothing = { down_for_maintenance_message: null, prelaunch_message: null, prelaunch_password: null }
    expect((await call('PUT', ofChannel(STATUS), nothing)).body.data).toEqual(nothing)
  },
}

// By the subject of a row of docs/contract/limits.md and the limited thing.
const limits: Proofs = {
  '`limit` of a list': async () => {
    const { body } = await call('GET', '/catalog/products')
    expect(body.meta.pagination.per_page).toBe(50)
    expect(await status('GET', '/catalog/products?limit=250')).toBe(200)
    expect(await status('GET', '/catalog/products?limit=251')).toBe(413)
  },
  'brands in a store': async () => {
    const shop = await openStaffedShop()
    const db = await dbOf(shop)
    const count = (total: number) =>
      db.transaction((tx) =>
        tx.rows(sql`update counters set total = ${total} where store_id = ${db.store.id} and resource = 'brands'`),
      )
    await shop.call('POST', BRANDS, { name: 'One' })
    // Pretends that there are more. The brands' tests show that the rows themselves end there.
    await count(29_999)
    expect((await shop.call('POST', BRANDS, { name: 'The last' })).status).toBe(200)
    expect((await shop.call('POST', BRANDS, { name: 'One more' })).status).toBe(403)
    await count(2)
  },
  'metafields per client id and order, product, category, variant, brand or channel': metafieldsEndAt250,
  'options values of one option': async () => {
    const { call } = await openStaffedShop()
    const option_values = Array.from({ length: 250 }, (_, i) => ({ label: `L${i}`, sort_order: i }))
    const list = '/catalog/products/1/options'
    await call('POST', '/catalog/products', mug)
    expect((await call('POST', list, { display_name: 'Size', type: 'dropdown', option_values })).status).toBe(200)
    expect((await call('POST', `${list}/1/values`, { label: 'One more', sort_order: 250 })).status).toBe(403)
  },
}

const sections: Readonly<Record<string, Proofs>> = {
  '2. Rules for all areas': general,
  '3. Authentication': authentication,
  '4. Brands': brands,
  '5. Metafields': metafields,
  '6. Option values': optionValues,
  '7. Pickup': pickup,
  '9. Channel currency assignments': currencyAssignments,
  '10. Channel sites': channelSites,
  '11. Store settings': storeSettings,
  '15. Storefront tokens': storefrontTokens,
  '18. Status codes': codes,
  '19. Headers': headers,
}

const pageOf = (name: string) => readFileSync(new URL(`../../docs/contract/${name}.md`, import.meta.url), 'utf8')

/**
 * The cells of each row of the tables in a section, without the heading rows. The section is found by the beginning of
 * its heading.
 */
function rowsOf(page: string, heading: string): string[][] {
  const section = page.split('\n## ').find((part) => part.startsWith(heading)) ?? ''
  const lines = section.split('\n')
  return lines
    .filter((line, i) => /^\| /.test(line) && !/^\|-/.test(lines[i + 1] ?? ''))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

describe.each(Object.entries(sections))('docs/contract/service.md section %s', (heading, proofs) => {
  // Rows of planned parts have a star.
  const rows = rowsOf(pageOf('service'), heading)
    .map(([name = '']) => name)
    .filter((name) => !name.endsWith('*'))

  test('has exactly the rows that are proven here', () => {
    expect(rows.toSorted()).toEqual(Object.keys(proofs).toSorted())
  })

  test.each(rows)('%s', async (name) => {
    await proofs[name]?.()
  })
})

describe('docs/contract/limits.md, rows with the tag [spec]', () => {
  const page = pageOf('limits')
  const general = rowsOf(page, '1. All areas').map(([thing, , , tag]) => ({ name: thing, tag }))
  const catalog = rowsOf(page, '2. Catalogue').map(([area, thing, , , tag]) => ({ name: `${area} ${thing}`, tag }))
  const rows = [...general, ...catalog].flatMap(({ name, tag }) => (name && tag?.startsWith('[spec]') ? [name] : []))

  test('has exactly the rows that are proven here', () => {
    expect(rows.toSorted()).toEqual(Object.keys(limits).toSorted())
  })

  test.each(rows)('%s', async (name) => {
    await limits[name]?.()
  })
})
