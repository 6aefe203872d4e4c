import { describe, expect, test } from 'vitest'
import { addExtraField } from '../../../../sales/b2b/extra-fields/definitions.ts'
import { ADMIN, askGraph, codeOf, dataOf, openBuyers, tokenAt } from '../../../../test/buyers.ts'
import { theHouse } from '../../../../test/fixtures/shop.ts'
import { dbOf } from '../../../../test/fixtures/webhooks.ts'

// docs/contract/b2b-graphql.md section 9.

const PROXY = '/api/v3/proxy/bc-storefront/graphql'
const CUSTOMER = '{ customer { entityId email firstName } }'

describe('the proxy of the storefront', () => {
  test('answers the customer of the token on every platform (first failures 1)', async () => {
    const { shop, customerId } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const { status, headers, body } = await askGraph(CUSTOMER, { token, path: PROXY })
    expect([status, headers['access-control-allow-origin'], headers['set-cookie']]).toEqual([200, '*', undefined])
    expect(body).toEqual({ data: { customer: { entityId: customerId, email: ADMIN, firstName: 'Ann' } } })
  })

  test('answers guests of a named store, and adds no right by any header (C-110)', async () => {
    const { shop } = await openBuyers()
    const headers = { 'store-hash': shop.store.hash, 'bc-channel-id': '1' }
    const guest = await askGraph('{ customer { entityId } site { settings { storeHash } } }', { path: PROXY, headers })
    expect(guest.body).toEqual({ data: { customer: null, site: { settings: { storeHash: shop.store.hash } } } })
    for (const name of ['x-bc-customer-id', 'x-customer-id', 'cookie']) {
      const other = await askGraph(CUSTOMER, { path: PROXY, headers: { ...headers, [name]: 'SHOP_TOKEN=1' } })
      expect(other.body).toEqual({ data: { customer: null } })
    }
    expect((await askGraph(CUSTOMER, { path: PROXY })).status).toBe(401)
    expect((await askGraph(CUSTOMER, { path: PROXY, headers: { 'store-hash': 'zzzzzz' } })).status).toBe(404)
  })

  test('reports an ended token as 40101', async () => {
    const { body } = await askGraph(CUSTOMER, { path: PROXY, token: 'a.b.c' })
    expect(body.errors[0].extensions).toEqual({ code: 40_101 })
  })

  test('allows pages of every origin', async () => {
    const { server } = await theHouse()
    for (const url of [PROXY, '/api/v2/media/upload', '/api/v2/store-configs/channel-storefront-type']) {
      const { statusCode, headers } = await server.inject({ method: 'OPTIONS', url: `/b2b${url}` })
      expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, '*'])
      expect(headers['access-control-allow-headers']).toContain('BC-Channel-Id')
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })
})

/** Sends a form with a file. */
async function upload(headers: Record<string, string>, { type = 'quoteAttachedFile', content = '%PDF-1.4 test' } = {}) {
  const { server } = await theHouse()
  const boundary = 'frontier'
  const payload = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="mediaFile"; filename="plan.pdf"',
    'Content-Type: application/pdf',
    '',
    content,
    `--${boundary}`,
    'Content-Disposition: form-data; name="requestType"',
    '',
    type,
    `--${boundary}--`,
    '',
  ].join('\r\n')
  const answer = await server.inject({
    method: 'POST',
    url: '/b2b/api/v2/media/upload',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
    payload,
  })
  return { status: answer.statusCode, body: answer.json() }
}

describe('an upload', () => {
  test('is stored for its owner and read by its address', async () => {
    const { shop } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const { status, body } = await upload({ authtoken: token })
    expect([status, body.code]).toEqual([200, 200])
    expect(body.data).toMatchObject({ fileName: 'plan.pdf', fileType: 'pdf', fileSize: 13 })
    const { server } = await theHouse()
    const file = await server.inject({ url: new URL(body.data.fileUrl).pathname })
    expect([file.statusCode, file.body, file.headers['content-disposition']]).toEqual([
      200,
      '%PDF-1.4 test',
      'attachment',
    ])
    const unknown = `/b2b/uploads/${shop.store.hash}/00000000-0000-4000-8000-000000000000`
    expect((await server.inject({ url: unknown })).statusCode).toBe(404)
  })

  test('is refused for other types, unknown callers and too many guests', async () => {
    const { shop } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    expect((await upload({ authtoken: token }, { content: '<html><script>' })).status).toBe(422)
    expect((await upload({ authtoken: token }, { type: 'other' })).status).toBe(422)
    expect((await upload({ authtoken: 'a.b.c' })).status).toBe(401)
    expect((await upload({})).status).toBe(401)
    expect((await upload({ origin: 'https://evil.example.com' })).status).toBe(401)
    const guest = { 'store-hash': shop.store.hash }
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await upload(guest)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
  })
})

describe('the other requests', () => {
  test('validate extra fields with the name of the first mistake', async () => {
    const { shop } = await openBuyers()
    const field = {
      kind: 'company',
      name: 'Tax id',
      type: 'number',
      isRequired: true,
      isUnique: false,
      isVisible: true,
    } as const
    const rest = { defaultValue: '', maximumLength: undefined, rows: undefined, maximumValue: undefined, values: [] }
    await addExtraField(await dbOf(shop), { ...field, ...rest })
    const validate = (fieldValue: string, fieldName = 'Tax id') =>
      askGraph('', {
        path: '/api/v2/extra-fields/company/validate',
        payload: JSON.stringify({ storeHash: shop.store.hash, extraFields: [{ fieldName, fieldValue }] }),
      })
    expect((await validate('12')).body).toMatchObject({ code: 200 })
    const wrong = await validate('twelve')
    expect([wrong.status, wrong.body.code]).toEqual([422, 422])
    expect(wrong.body.data.errMsg).toBe('Tax id:The extra field "Tax id" is a plain decimal number.')
    expect((await validate('')).body.data.errMsg).toMatch(/^Tax id:/)
    expect((await validate('1', 'Nothing')).body.data.errMsg).toMatch(/^Nothing:/)
  })

  test('accept the type of a storefront and store nothing, and translate nothing', async () => {
    const { shop } = await openBuyers()
    const { server } = await theHouse()
    const put = await server.inject({
      method: 'PUT',
      url: '/b2b/api/v2/store-configs/channel-storefront-type',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ bcChannelId: 1, storefrontType: 1, storeHash: shop.store.hash }),
    })
    expect([put.statusCode, put.json().data]).toEqual([200, {}])
    const words = await server.inject({ url: `/b2b/storefront/translation/${shop.store.hash}/1/orders` })
    expect(words.json()).toEqual({ message: {} })
  })
})

describe('tokens for the shop', () => {
  const MUTATION =
    'mutation ($d: CustomerStoreFrontTokenInputType!) { storeFrontToken(storeFrontTokenData: $d) { token } }'

  test('are issued for a week, also with a stale authToken (first failures 9)', async () => {
    const { shop } = await openBuyers()
    const { clock } = await theHouse()
    const now = Math.floor(clock.now().getTime() / 1_000)
    const input = {
      storeHash: shop.store.hash,
      channelId: 1,
      expiresAt: now + 7 * 86_400,
      allowedCorsOrigins: ['https://shop.example.com'],
    }
    const { storeFrontToken } = await dataOf(MUTATION, { token: 'a.b.c', variables: { d: input } })
    const { server } = await theHouse()
    const answer = await server.inject({
      method: 'POST',
      url: `/storefront/${shop.store.hash}/graphql`,
      headers: {
        'content-type': 'application/json',
        origin: 'https://shop.example.com',
        authorization: `Bearer ${storeFrontToken.token}`,
      },
      payload: JSON.stringify({ query: '{ site { settings { storeHash } } }' }),
    })
    expect(answer.json().data.site.settings).toEqual({ storeHash: shop.store.hash })
    for (const wrong of [
      { expiresAt: now },
      { expiresAt: now + 9 * 86_400 },
      { channelId: 99 },
      { allowedCorsOrigins: [] },
      { allowedCorsOrigins: ['https://*.example.com'] },
    ]) {
      expect(await codeOf(MUTATION, { variables: { d: { ...input, ...wrong } } })).toBe(422)
    }
    expect(await codeOf(MUTATION, { variables: { d: { ...input, storeHash: 'zzzzzz' } } })).toBe(404)
  })
})
