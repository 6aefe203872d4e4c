import { beforeEach, describe, expect, test } from 'vitest'
import { onlyPage } from '../../test/document/expected.ts'
import { sized } from '../../test/document/sized.ts'
import { openStaffedShop, type StaffedShop } from '../../test/fixtures/shop.ts'
import { activateTheme, uploadThemeWith } from '../../test/fixtures/themes.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { deleteAssociationsOfChannel } from './associations.ts'

let shop: StaffedShop
beforeEach(async () => {
  shop = await openStaffedShop()
})

const path = '/storefront/custom-template-associations'
const about = { channel_id: 1, entity_type: 'page', entity_id: 1, file_name: 'about.html' }
const put = (...items: object[]) => shop.call('PUT', path, items)
const listed = async (query = ''): Promise<{ id: number; is_valid: boolean }[]> =>
  (await shop.call('GET', `${path}${query}`)).body.data
const ids = async (query = '') => (await listed(query)).map(({ id }) => id)
const brand = async (name: string): Promise<number> =>
  (await shop.call('POST', '/catalog/brands', { name })).body.data.id
const storefront = async (): Promise<number> =>
  (await shop.call('POST', '/channels', { name: 'Second', type: 'storefront', platform: 'custom' })).body.data.id

const SECOND = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)

describe('a template association', () => {
  test('is created, listed, overwritten under its id and deleted', async () => {
    const created = await put(about)
    const row = { id: 1, ...about, is_valid: true, date_created: SECOND, date_modified: SECOND }
    expect([created.status, created.body]).toEqual([200, { data: [row], meta: {} }])
    expect((await shop.call('GET', path)).body).toEqual({
      data: [created.body.data[0]],
      meta: { pagination: onlyPage(1) },
    })
    const [changed] = (await put({ ...about, file_name: 'other.html' })).body.data
    expect(changed).toEqual({ ...row, file_name: 'other.html', is_valid: false })
    expect(await rowsOf(shop, 'custom_template_associations')).toHaveLength(1)
    expect((await shop.call('DELETE', `${path}?id:in=1`)).status).toBe(204)
    expect((await shop.call('DELETE', `${path}?id:in=1`)).status).toBe(204)
    expect(await listed()).toEqual([])
  })

  test.each([
    ['a missing channel', { channel_id: undefined }, '0.channel_id'],
    ['an unknown channel', { channel_id: 99 }, '0.channel_id'],
    ['a missing type', { entity_type: undefined }, '0.entity_type'],
    ['an unknown type', { entity_type: 'post' }, '0.entity_type'],
    ['a missing entity', { entity_id: undefined }, '0.entity_id'],
    ['an unknown page', { entity_id: 99 }, '0.entity_id'],
    ['an unknown product', { entity_type: 'product' }, '0.entity_id'],
    ['an unknown category', { entity_type: 'category' }, '0.entity_id'],
    ['an unknown brand', { entity_type: 'brand' }, '0.entity_id'],
    ['an empty file', { file_name: '' }, '0.file_name'],
    ['a file of 256 characters', { file_name: 'x'.repeat(256) }, '0.file_name'],
  ])('with %s is 422, and nothing is saved', async (_, fields, field) => {
    const { status, body } = await put({ ...about, ...fields }, about)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toContain(field)
    expect(await listed()).toEqual([])
  })

  test('has a file of 1 to 255 characters', async () => {
    expect((await put({ ...about, file_name: 'x' })).status).toBe(200)
    expect((await put({ ...about, file_name: 'x'.repeat(255) })).status).toBe(200)
  })

  test('comes once in a request of 1 to 100', async () => {
    const items: object[] = []
    for (let i = 0; i < 101; i++) items.push({ ...about, entity_type: 'brand', entity_id: await brand(`Brand ${i}`) })
    expect((await put(...items)).status).toBe(413)
    expect((await put(...items.slice(0, 100))).status).toBe(200)
    expect((await put()).status).toBe(422)
    const { status, body } = await put(about, { ...about, file_name: 'b.html' })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['1']])
  })
})

test('validity follows the active theme at every read', async () => {
  await put(about, { ...about, entity_type: 'brand', entity_id: await brand('Ferm'), file_name: 'dark.html' })
  expect((await listed()).map(({ is_valid }) => is_valid)).toEqual([true, false])
  const theme = await uploadThemeWith(shop, {
    'templates/pages/custom/brand/dark.html': 'x',
    'templates/pages/custom/page/about.html': null,
  })
  expect((await listed()).map(({ is_valid }) => is_valid)).toEqual([true, false])
  await activateTheme(shop, theme)
  expect((await listed()).map(({ is_valid }) => is_valid)).toEqual([false, true])
  expect(await ids('?is_valid=true')).toEqual([2])
  expect(await ids('?is_valid=false')).toEqual([1])
})

test('a list has filters, and entity_id:in needs type', async () => {
  const channel = await storefront()
  const id = await brand('Ferm')
  const other = await brand('Hay')
  await put(about, { ...about, entity_type: 'brand', entity_id: id })
  await put({ ...about, channel_id: channel, entity_type: 'brand', entity_id: id })
  await put({ ...about, entity_type: 'brand', entity_id: other })
  expect(await ids(`?channel_id=${channel}`)).toEqual([3])
  expect(await ids('?type=brand')).toEqual([2, 3, 4])
  expect(await ids(`?type=brand&entity_id:in=${id}&channel_id=1`)).toEqual([2])
  expect(await ids('?limit=2&page=2')).toEqual([3, 4])
  expect((await shop.call('GET', `${path}?entity_id:in=1`)).status).toBe(422)
  expect((await shop.call('GET', `${path}?colour=red`)).status).toBe(422)
  // Channels without a theme have no valid file.
  expect(await ids('?is_valid=false')).toEqual([2, 3, 4])
})

test('a DELETE needs a filter, and deletes the associations that match all', async () => {
  const channel = await storefront()
  const id = await brand('Ferm')
  await put(about, { ...about, entity_type: 'brand', entity_id: id })
  await put({ ...about, channel_id: channel, entity_type: 'brand', entity_id: id })
  expect((await shop.call('DELETE', path)).status).toBe(422)
  expect((await shop.call('DELETE', `${path}?is_valid=true`)).status).toBe(422)
  await shop.call('DELETE', `${path}?type=brand&channel_id=1`)
  expect(await ids()).toEqual([1, 3])
  await shop.call('DELETE', `${path}?entity_id:in=${id}&type=page`)
  expect(await ids()).toEqual(id === 1 ? [3] : [1, 3])
  await shop.call('DELETE', `${path}?channel_id=${channel}`)
  expect(await ids()).toEqual(id === 1 ? [] : [1])
})

describe('associations are deleted with', () => {
  const product = async (): Promise<number> =>
    (await shop.call('POST', '/catalog/products', { name: 'Cup', type: 'physical', weight: 1, price: 1 })).body.data.id
  const category = async (): Promise<number> =>
    (await shop.call('POST', '/catalog/categories', { name: 'Cups', parent_id: 0 })).body.data.id

  test.each([
    ['product', product, '/catalog/products'],
    ['category', category, '/catalog/categories'],
    ['brand', () => brand('Ferm'), '/catalog/brands'],
    ['page', async () => 1, '/content/pages'],
  ])('their %s', async (entity_type, make, place) => {
    const id = await make()
    await put({ ...about, entity_type, entity_id: id })
    expect(await listed()).toHaveLength(1)
    expect((await shop.call('DELETE', `${place}/${id}`)).status).toBe(204)
    expect(await rowsOf(shop, 'custom_template_associations')).toEqual([])
  })

  test('their brand or page, also if they are created meanwhile (C-012)', async () => {
    for (let race = 0; race < sized(1_000, 15); race++) {
      const { body } = await shop.call('POST', '/content/pages', { type: 'page', name: `Race ${race}` })
      const [entity_type, entity_id, place] =
        race % 2 === 0
          ? (['page', body.data.id, '/content/pages'] as const)
          : (['brand', await brand(`Race ${race}`), '/catalog/brands'] as const)
      const [stored, deleted] = await Promise.all([
        put({ ...about, entity_type, entity_id }),
        shop.call('DELETE', `${place}/${entity_id}`),
      ])
      expect([200, 422]).toContain(stored.status)
      expect(deleted.status).toBe(204)
    }
    expect(await rowsOf(shop, 'custom_template_associations')).toEqual([])
  })

  test('their channel, and are hidden before it ends', async () => {
    const channel = await storefront()
    await put(about, { ...about, channel_id: channel })
    await shop.call('PUT', `/channels/${channel}`, { status: 'deleted' })
    expect(await ids()).toEqual([1])
    expect((await shop.call('DELETE', `${path}?id:in=2`)).status).toBe(204)
    expect(await rowsOf(shop, 'custom_template_associations')).toHaveLength(2)
    await deleteAssociationsOfChannel(await dbOf(shop), channel)
    expect(await rowsOf(shop, 'custom_template_associations')).toHaveLength(1)
  })
})

test('associations need a scope of themes', async () => {
  expect((await shop.call('GET', path, undefined, { as: shop.noscope })).status).toBe(403)
  expect((await shop.call('GET', path, undefined, { as: shop.readonly })).status).toBe(200)
  expect((await shop.call('PUT', path, [about], { as: shop.readonly })).status).toBe(403)
})
