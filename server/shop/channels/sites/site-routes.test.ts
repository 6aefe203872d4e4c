import { beforeEach, describe, expect, test } from 'vitest'
import { sized } from '../../../test/document/sized.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const LIST = '/sites/1000/routes'
const all = (type: string, route = `/${type}/{slug}`) => ({ type, matching: '*', route })
const post = (body: object) => shop.call('POST', LIST, body)
const put = (body: unknown) => shop.call('PUT', LIST, body)
const listed = async (query = '') => (await shop.call('GET', `${LIST}?${query}`)).body.data
const events = async () => (await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, data])
const updated = ['store/channel/1/settings/route/updated', '{"site_id":1000}']

test('a route is created, changed and deleted, and events tell of the site', async () => {
  const made = await post(all('product'))
  expect(made.status).toBe(201)
  expect(made.body).toEqual({ data: { id: 1, ...all('product') }, meta: {} })
  expect(made.headers.location).toBe(`/stores/${shop.store.hash}/v3${LIST}/1`)
  const changes = { type: 'product', matching: '5', route: '/best?id={id}&in={language}' }
  const changed = await shop.call('PUT', `${LIST}/1`, changes)
  expect(changed).toMatchObject({ status: 200, body: { data: { id: 1, ...changes }, meta: {} } })
  await shop.call('PUT', `${LIST}/1`, changes)
  expect((await shop.call('GET', `${LIST}/1`)).body).toEqual(changed.body)
  expect(await shop.call('DELETE', `${LIST}/1`)).toMatchObject({ status: 204, text: '' })
  expect((await shop.call('GET', `${LIST}/1`)).status).toBe(404)
  expect(await events()).toEqual([updated, updated, updated])
})

test('the list has pages, and a filter', async () => {
  await put([all('product'), all('brand'), { ...all('product'), matching: '7' }])
  expect(await listed('type=product')).toMatchObject([{ id: 1 }, { id: 3 }])
  expect(await listed('limit=2&page=2')).toMatchObject([{ id: 3 }])
  expect((await shop.call('GET', LIST)).body.meta.pagination.total).toBe(3)
  expect((await shop.call('GET', `${LIST}?matching=7`)).status).toBe(422)
})

test('many are created and changed at once, may change places, and one event tells of all', async () => {
  const made = await put([all('product'), all('brand')])
  expect({ status: made.status, data: made.body.data }).toEqual({
    status: 200,
    data: [
      { id: 1, ...all('product') },
      { id: 2, ...all('brand') },
    ],
  })
  expect(made.body.meta.pagination).toMatchObject({ total: 2, count: 2 })
  const swapped = [{ id: 2, ...all('product') }, { id: 1, ...all('brand') }, all('cart')]
  expect((await put(swapped)).body.data).toEqual([swapped[0], swapped[1], { id: 3, ...all('cart') }])
  await put(swapped.slice(0, 2))
  expect(await listed()).toEqual([
    { id: 1, ...all('brand') },
    { id: 2, ...all('product') },
    { id: 3, ...all('cart') },
  ])
  expect(await events()).toEqual([updated, updated])
})

describe('is refused:', () => {
  test.each([
    ['nothing', {}, ['type', 'matching', 'route']],
    ['another type', { ...all('product'), type: 'wish' }, ['type']],
    ['an id that is none', { ...all('product'), matching: '0' }, ['matching']],
    ['a number', { ...all('product'), matching: 7 }, ['matching']],
    ['a path without slash', all('product', 'product'), ['route']],
    ['a blank in the path', all('product', '/a b'), ['route']],
    ['another token', all('product', '/{name}'), ['route']],
    ['an open token', all('product', '/{slug'), ['route']],
    ['2,049 characters', all('product', `/${'a'.repeat(2_048)}`), ['route']],
  ])('%s', async (_, body, fields) => {
    const refused = await post(body)
    expect({ status: refused.status, fields: Object.keys(refused.body.errors) }).toEqual({ status: 422, fields })
    const placed = fields.map((field) => `1.${field}`)
    const { status, body: many } = await put([all('cart'), body])
    expect({ status, fields: Object.keys(many.errors), meta: many.meta }).toEqual({
      status: 422,
      fields: placed,
      meta: { saved_records: 0 },
    })
    expect(await listed()).toEqual([])
  })

  test('a second route for the same things, an unknown id, and an id twice', async () => {
    await put([all('product'), all('brand')])
    const sentence = 'The site has a route for product * already.'
    expect((await post(all('product', '/other'))).body.errors).toEqual({ 'matching.type': sentence })
    expect((await shop.call('PUT', `${LIST}/2`, all('product'))).body.errors).toEqual({ 'matching.type': sentence })
    const many = [all('product'), all('cart'), all('cart'), { id: 9, ...all('home') }, { id: 2, ...all('login') }]
    expect((await put([...many, { id: 2, ...all('blog') }])).body).toMatchObject({
      errors: {
        '0.matching.type': sentence,
        '2.matching.type': 'The site has a route for cart * already.',
        '3.id': 'The site has no route 9.',
        '5.id': 'Another item has this id.',
      },
      meta: { saved_records: 0 },
    })
    expect(await listed()).toHaveLength(2)
  })

  test('the 201st route', async () => {
    const items = Array.from({ length: 200 }, (_, i) => ({ type: 'product', matching: String(i + 1), route: '/{id}' }))
    expect((await put([...items, all('product')])).status).toBe(413)
    expect((await put([])).status).toBe(422)
    expect((await put(items)).status).toBe(200)
    expect((await post(all('product'))).status).toBe(403)
    expect((await shop.call('DELETE', `${LIST}/1`)).status).toBe(204)
    expect((await post(all('product'))).status).toBe(201)
  })

  test('a site or a route that is not there', async () => {
    await post(all('product'))
    for (const path of ['/sites/7/routes', '/sites/7/routes/1', `${LIST}/7`]) {
      expect((await shop.call('GET', path)).status).toBe(404)
    }
    expect((await shop.call('PUT', `${LIST}/7`, all('brand'))).status).toBe(404)
    expect((await shop.call('DELETE', `${LIST}/7`)).status).toBe(404)
    expect((await shop.call('POST', '/sites/7/routes', all('brand'))).status).toBe(404)
  })
})

test('with its site a route goes, however many more are made at the same time (C-012)', async () => {
  const made = await shop.call('POST', '/channels', { name: 'Outlet', type: 'storefront', platform: 'custom' })
  for (let round = 0; round < sized(1_000, 10); round++) {
    const url = `https://outlet-${round}-${shop.store.hash}.example.com`
    const { id } = (await shop.call('POST', '/sites', { url, channel_id: made.body.data.id })).body.data
    const answers = await Promise.all([
      ...['product', 'brand', 'cart'].map((type) => shop.call('POST', `/sites/${id}/routes`, all(type))),
      shop.call('DELETE', `/sites/${id}`),
      shop.call('PUT', `/sites/${id}/routes`, [all('blog'), all('login')]),
    ])
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status)
  }
  expect(await rowsOf(shop, 'site_routes')).toEqual([])
  expect(await rowsOf(shop, 'site_hosts')).toEqual([])
})
