import { beforeEach, describe, expect, test } from 'vitest'
import { VERSION } from '../../../core/package.ts'
import { wholeBrand } from '../../../test/document/expected.ts'
import { openStaffedShop, type StaffedShop } from '../../../test/fixtures/shop.ts'

let shop: StaffedShop
beforeEach(async () => {
  shop = await openStaffedShop()
})

const call: StaffedShop['call'] = (method, path, body, options) =>
  shop.call(method, path, body, { version: 'v2', ...options })

const ferm = wholeBrand({ page_title: 'Ferm Living', meta_keywords: ['home'] })
const make = (name = 'Ferm') => call('POST', '/brands', { name, page_title: 'Ferm Living', meta_keywords: ['home'] })

describe('a brand of the older family', () => {
  test('is created with 201 and its path, without an envelope, and exists in both families', async () => {
    const made = await make()
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(`/stores/${shop.store.hash}/v2/brands/1`)
    expect(made.body).toEqual(ferm)
    expect((await call('GET', '/brands/1')).body).toEqual(ferm)
    expect((await shop.call('GET', '/catalog/brands/1')).body).toEqual({ data: ferm, meta: {} })
  })

  test('is changed and answered as a whole', async () => {
    await make()
    const changed = await call('PUT', '/brands/1', { name: 'Ferm Living' })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      ...ferm,
      name: 'Ferm Living',
      custom_url: { url: '/ferm-living/', is_customized: false },
    })
  })

  test('is deleted with an empty body', async () => {
    await make()
    expect(await call('DELETE', '/brands/1')).toMatchObject({ status: 204, text: '' })
    expect((await call('GET', '/brands/1')).status).toBe(404)
  })

  test('is saved and answered with another address if the requested one is taken', async () => {
    await make()
    const second = await call('POST', '/brands', { name: 'Second', custom_url: { url: '/ferm/' } })
    expect(second).toMatchObject({ status: 201, body: { custom_url: { url: '/second/', is_customized: false } } })
    const changed = await call('PUT', '/brands/2', { custom_url: { url: '/ferm/' } })
    expect(changed).toMatchObject({ status: 200, body: { custom_url: { url: '/second/' } } })
  })
})

describe('a list of the older family', () => {
  test('is an array, or a 204 without a body when it is empty', async () => {
    expect(await call('GET', '/brands')).toMatchObject({ status: 204, text: '' })
    await make()
    expect((await call('GET', '/brands')).body).toEqual([ferm])
  })

  test('has pages, and answers 204 after the last one', async () => {
    for (const name of ['a', 'b', 'c']) await make(name)
    const names = async (query: string) =>
      (await call('GET', `/brands?${query}`)).body?.map(({ name }: { name: string }) => name)
    expect(await names('limit=2')).toEqual(['a', 'b'])
    expect(await names('limit=2&page=2')).toEqual(['c'])
    expect((await call('GET', '/brands?limit=2&page=3')).status).toBe(204)
    expect((await call('GET', '/brands?limit=250')).status).toBe(200)
  })

  test('ignores unknown names in the query', async () => {
    await make()
    expect((await call('GET', '/brands?is_visible=true&min_id=7')).body).toEqual([ferm])
    expect((await call('GET', '/brands/1?fields=id')).body).toEqual(ferm)
  })

  test('answers HEAD with the headers of GET', async () => {
    await make()
    expect(await call('HEAD', '/brands')).toMatchObject({ status: 200, text: '' })
  })
})

interface Refusal {
  status: number
  message: string
  details?: object
}

describe('a refusal of the older family is an array:', () => {
  test.each<[string, [method: string, path: string, body?: object], Refusal[]]>([
    ['nothing there', ['GET', '/brands/7'], [{ status: 404, message: 'The brand 7 does not exist.' }]],
    ['no such path', ['GET', '/nothing'], [{ status: 404, message: 'There is nothing at this path.' }]],
    [
      'a body that is not valid, with all its fields',
      ['POST', '/brands', { page_title: 7 }],
      [
        {
          status: 400,
          message: 'JSON data is missing or invalid',
          details: { name: 'error.path.missing', page_title: 'error.expected.jsstring' },
        },
      ],
    ],
    [
      'a page that is none',
      ['GET', '/brands?page=0'],
      [{ status: 400, message: 'The query is not valid: page must be at least 1, not 0.' }],
    ],
    [
      'a limit that is too large',
      ['GET', '/brands?limit=251'],
      [{ status: 413, message: 'The query is not valid: limit must be at most 250, not 251.' }],
    ],
    [
      'a name that is taken',
      ['POST', '/brands', { name: 'FERM' }],
      [
        {
          status: 409,
          message: 'A brand with this name already exists.',
          details: { name: 'A brand with this name already exists.' },
        },
      ],
    ],
    [
      'a DELETE with a filter that it does not have',
      ['DELETE', '/brands/1?name=Ferm'],
      [{ status: 400, message: 'The query is not valid: "name" is not a parameter here.' }],
    ],
  ])('%s', async (_, [method, path, body], refusals) => {
    await make()
    const answer = await call(method, path, body)
    expect(answer.body).toEqual(refusals)
    expect(answer.status).toBe(refusals[0]?.status)
  })

  test('a token without access', async () => {
    const stranger = await call('GET', '/brands', undefined, { as: { access_token: 'nobody' } })
    expect(stranger).toMatchObject({
      status: 401,
      body: [{ status: 401, message: 'Unauthorized: client or token not valid for this store' }],
    })
    const reader = await call('POST', '/brands', { name: 'x' }, { as: shop.readonly })
    expect(reader).toMatchObject({ status: 403, body: [{ status: 403 }] })
  })
})

describe('every path of the older family has', () => {
  test('a suffix that changes nothing, and the path without it in the answer', async () => {
    await make()
    const path = `/stores/${shop.store.hash}/v2`
    const listed = await call('GET', '/brands.json?limit=1')
    expect(listed).toMatchObject({ status: 200, body: [ferm], headers: { 'content-location': `${path}/brands` } })
    const read = await call('GET', '/brands/1.json')
    expect(read).toMatchObject({ status: 200, body: ferm, headers: { 'content-location': `${path}/brands/1` } })
    expect((await call('PUT', '/brands/1.json', { page_title: 'New' })).body.page_title).toBe('New')
    expect((await call('GET', '/brands/1')).headers).not.toHaveProperty('content-location')
    expect((await call('DELETE', '/brands/1.json')).status).toBe(204)
    for (const none of ['/brands.xml', '/brands/.json', '/.json']) expect((await call('GET', none)).status).toBe(404)
    expect((await shop.call('GET', '/catalog/brands.json')).status).toBe(404)
  })

  test('the version of the product, also in refusals', async () => {
    for (const path of ['/brands', '/brands/7', '/nothing']) {
      expect((await call('GET', path)).headers['x-svc-store-version']).toBe(VERSION)
    }
    expect((await shop.call('GET', '/catalog/brands')).headers).not.toHaveProperty('x-svc-store-version')
  })

  test('one quota with the newer family', async () => {
    const counted = await openStaffedShop({ plan: 'standard' })
    const left = async (version: 'v2' | 'v3', path: string) =>
      Number((await counted.call('GET', path, undefined, { version })).headers['x-rate-limit-requests-left'])
    const first = await left('v3', '/catalog/brands')
    expect(await left('v2', '/brands')).toBe(first - 1)
  })

  test('idempotency keys', async () => {
    const headers = { 'idempotency-key': 'once' }
    const body = { name: 'Once' }
    const first = await call('POST', '/brands', body, { headers })
    const again = await call('POST', '/brands.json', body, { headers })
    expect(again).toMatchObject({ status: 201, body: first.body, headers: { 'idempotent-replayed': 'true' } })
    expect((await call('GET', '/brands')).body).toHaveLength(1)
  })
})
