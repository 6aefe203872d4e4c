import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { People } from '../people/people.ts'

const { server, installation, clock } = await theHouse()
const people = new People({ ...installation, database: installation.directory.database, clock })
const headers = { host: 'shop.test', 'x-console': '1' }

let cookie: string
let shop: Shop
beforeAll(async () => {
  const { token } = await people.invite({ email: `replay.${process.pid}@example.com`, role: 'admin' })
  const joined = await server.inject({
    method: 'PUT',
    url: '/operator/v1/invitation',
    headers,
    payload: { token, name: 'Ada', password: 'correct horse 7' },
  })
  cookie = String([joined.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
})
beforeEach(async () => {
  shop = await openShop({ isTest: true })
  await level('bodies')
})

const operator = (method: 'GET' | 'PUT' | 'POST', path: string, payload?: object) =>
  server.inject({
    method,
    url: `/operator/v1/stores/${shop.store.hash}${path}`,
    headers: { ...headers, cookie },
    ...(payload ? { payload } : {}),
  })
const level = (level: string) => operator('PUT', '/request-log', { level })

async function send(method: 'GET' | 'POST', path: string, payload?: object, token = shop.admin.access_token) {
  const { headers } = await server.inject({
    method,
    url: `/stores/${shop.store.hash}${path}`,
    headers: { 'x-auth-token': token },
    ...(payload ? { payload } : {}),
  })
  return String(headers['x-request-id'])
}

async function replay(id: string) {
  const answer = await operator('POST', `/requests/${id}/replay`)
  return { status: answer.statusCode, body: answer.json() }
}

const BRANDS = '/v3/catalog/brands'

test('a read is sent again as the same client, and its answer compared without ids and times', async () => {
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  const id = await send('GET', `${BRANDS}?include_fields=name`)
  const same = await replay(id)
  expect(same).toEqual({
    status: 200,
    body: {
      data: {
        request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        status: 200,
        former_status: 200,
        answer_body: expect.stringContaining('Ferm'),
        differences: [],
      },
      meta: {},
    },
  })
  const logged = (await operator('GET', `/requests/${same.body.data.request_id}`)).json().data
  expect(logged).toMatchObject({ client_id: shop.admin.client_id, path: `${BRANDS}?include_fields=name` })
  await shop.call('PUT', '/catalog/brands/1', { name: 'Farm' })
  expect((await replay(id)).body.data.differences).toEqual([{ at: 'data[0].name', left: 'Ferm', right: 'Farm' }])
})

test('a change of a test store is executed a second time', async () => {
  const id = await send('POST', BRANDS, { name: 'Once' })
  const { body } = await replay(id)
  expect(body.data).toMatchObject({ status: 409, former_status: 200 })
  expect(body.data.differences.length).toBeGreaterThan(0)
  await shop.call('DELETE', '/catalog/brands/1')
  expect((await replay(id)).body.data).toMatchObject({ status: 200, former_status: 200, differences: [] })
})

test("is refused for requests that can't be sent again", async () => {
  const refusals: [string, string][] = [
    [await send('GET', '/v2/time', undefined, 'wrong'), 'The request had no valid token.'],
    [
      await send('POST', '/v3/customers', [{ email: 'a@example.com', first_name: 'A', last_name: 'B' }]),
      'The log does not have the secrets of this request.',
    ],
    [
      await send('POST', BRANDS, { name: 'x'.repeat(9_000) }),
      'The log has only the beginning of the body of this request.',
    ],
  ]
  await level('lines')
  refusals.push([await send('POST', BRANDS, { name: 'B' }), 'The log does not have the body of this request.'])
  for (const [id, title] of refusals) {
    const { status, body } = await replay(id)
    expect([status, body.title]).toEqual([409, title])
  }
  expect((await replay('0'.repeat(32))).status).toBe(404)
})

test('a real store gets reads only', async () => {
  shop = await openShop()
  await level('bodies')
  const [read, change] = [await send('GET', BRANDS), await send('POST', BRANDS, { name: 'Real' })]
  expect((await replay(read)).status).toBe(200)
  const refused = await replay(change)
  expect([refused.status, refused.body.title]).toEqual([
    409,
    'This is a real store. Only requests that read can be sent again.',
  ])
})
