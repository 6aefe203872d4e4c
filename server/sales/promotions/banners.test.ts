import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call: Shop['call'] = (method, path, body, options) => shop.call(method, path, body, { version: 'v2', ...options })
const banner = { name: 'Summer', content: '<p>20 % off</p>', page: 'home_page', location: 'top', date_type: 'always' }
const create = (fields: object = {}) => call('POST', '/banners', { ...banner, ...fields })
const custom = { date_type: 'custom', date_from: 1_700_000_000, date_to: 'Tue, 14 Nov 2028 22:13:20 +0000' }

describe('a banner', () => {
  test('is answered whole, with 200', async () => {
    const { status, body } = await create()
    expect(status).toBe(200)
    expect(body).toEqual({
      id: 1,
      ...banner,
      date_from: '0',
      date_to: '0',
      visible: '1',
      item_id: '0',
      date_created: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/),
    })
    expect((await call('GET', '/banners/1')).body).toEqual(body)
    expect((await call('GET', '/banners')).body).toEqual([body])
    expect((await call('GET', '/banners/count')).body).toEqual({ count: 1 })
  })

  test('shows its dates as seconds, and drops them when it is shown always', async () => {
    const { body } = await create({ ...custom, visible: 0 })
    expect(body).toMatchObject({ date_from: '1700000000', date_to: '1857852800', visible: '0' })
    const always = await call('PUT', '/banners/1', { date_type: 'always' })
    expect(always.body).toEqual({ ...body, date_type: 'always', date_from: '0', date_to: '0' })
  })

  test('belongs to an item on pages of categories and brands only', async () => {
    expect((await create({ page: 'category_page', item_id: 23 })).body.item_id).toBe('23')
    expect((await create({ page: 'search_page', item_id: '23' })).body.item_id).toBe('0')
    const moved = await call('PUT', '/banners/1', { page: 'home_page' })
    expect(moved.body).toMatchObject({ page: 'home_page', item_id: '0' })
  })

  test.each([
    ['lacks a name', { name: undefined }, ['name']],
    ['lacks a content', { content: undefined }, ['content']],
    ['has a content of 65,536 characters', { content: 'a'.repeat(65_536) }, ['content']],
    ['is on an unknown page', { page: 'cart_page' }, ['page']],
    ['has no dates', { date_type: 'custom' }, ['date_from', 'date_to']],
    ['has a malformed date', { ...custom, date_to: 'soon' }, ['date_to']],
    ['ends before it begins', { ...custom, date_to: 1_600_000_000 }, ['date_to']],
    ['lacks its category', { page: 'category_page' }, ['item_id']],
    ['has an item that is no id', { page: 'brand_page', item_id: 'x' }, ['item_id']],
    ['has an unknown visibility', { visible: 'yes' }, ['visible']],
  ])('is refused if it %s', async (_, fields, names) => {
    const { status, body } = await create(fields)
    expect([status, Object.keys(body[0].details)]).toEqual([400, names])
    expect((await call('GET', '/banners')).status).toBe(204)
  })

  test('is deleted alone or with all others', async () => {
    for (let i = 0; i < 3; i++) await create()
    expect((await call('DELETE', '/banners/2')).status).toBe(204)
    expect((await call('DELETE', '/banners/2')).status).toBe(404)
    expect((await call('GET', '/banners?min_id=2')).body).toMatchObject([{ id: 3 }])
    expect((await call('GET', '/banners?max_id=2&limit=1')).body).toMatchObject([{ id: 1 }])
    expect((await call('DELETE', '/banners')).status).toBe(204)
    expect((await call('GET', '/banners/count')).body).toEqual({ count: 0 })
  })

  test('is one of at most 1,000', async () => {
    for (let i = 0; i < 1_000; i++) expect((await create()).status).toBe(200)
    expect((await create()).status).toBe(403)
  })
})
