import { beforeEach, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const PATH = '/settings/analytics'
const get = async (path = '') => (await shop.call('GET', `${PATH}${path}`)).body
const put = (path: string, body: unknown) => shop.call('PUT', `${PATH}${path}`, body)
const fresh = {
  id: 1,
  channel_id: 1,
  name: 'Google Analytics',
  code: '',
  enabled: false,
  data_tag_enabled: false,
  version: 1,
  api_secret: '',
}

test('the providers are listed in an envelope, and one is answered without', async () => {
  const { data, meta } = await get()
  expect(data.map(({ name }: { name: string }) => name)).toEqual([
    'Google Analytics',
    'Meta Pixel',
    'Pinterest Tag',
    'TikTok Pixel',
    'Site verification',
  ])
  expect(data[0]).toEqual(fresh)
  expect(meta).toEqual({})
  expect(await get('/1')).toEqual(fresh)
  expect((await shop.call('POST', PATH, {})).status).toBe(405)
  expect((await shop.call('DELETE', `${PATH}/1`)).status).toBe(405)
})

test('a provider changes in part, and only for its channel', async () => {
  const changes = { code: 'G-1', enabled: true, name: 'Counter', version: 4, data_tag_enabled: true }
  const { body } = await put('/1', { ...changes, is_oauth_connected: 7, api_secret: 'x', id: 9, channel_id: 9 })
  expect(body).toEqual({ ...fresh, ...changes })
  expect((await put('/1?channel_id=1', { enabled: false })).body).toEqual({ ...fresh, ...changes, enabled: false })
  expect((await put('/1?chanel_id=1', { enabled: true })).status).toBe(422)
  const second = (await shop.call('POST', '/channels', { name: 'Second', type: 'pos', platform: 'custom' })).body.data
    .id
  expect(await get(`/1?channel_id=${second}`)).toEqual({ ...fresh, channel_id: second })
  expect((await put(`/2?channel_id=${second}`, { code: 'G-1' })).status).toBe(200)
  expect((await get()).data[0]).toEqual({ ...fresh, ...changes, enabled: false })
})

test('name and code have their bounds', async () => {
  const longest = { name: 'n'.repeat(255), code: 'c'.repeat(65_535) }
  expect((await put('/1', longest)).body).toEqual({ ...fresh, ...longest })
})

test.each([
  ['/1', { code: '' }, 422, ['code']],
  ['/1', { name: '', version: -1, enabled: 'yes' }, 422, ['enabled', 'name', 'version']],
  ['/1', { name: null }, 422, ['name']],
  ['/1', { name: 'n'.repeat(256), code: 'c'.repeat(65_536) }, 422, ['code', 'name']],
  ['/1', { enabled: true }, 422, ['code']],
  ['/2', { code: 'G-1' }, 409, ['code']],
  ['/6', { code: 'G-2' }, 404, []],
  ['/1?channel_id=2', { code: 'G-2' }, 422, ['channel_id']],
])('%#: %s is validated', async (path, body, status, fields) => {
  await put('/3', { code: 'G-1' })
  const answer = await put(path, body)
  expect(answer.status).toBe(status)
  expect(Object.keys(answer.body.errors).toSorted()).toEqual(fields)
  expect((await get()).data[0]).toEqual(fresh)
})

test('the scopes of content and of information open them', async () => {
  const { accounts } = (await theHouse()).installation
  for (const [scope, reads, writes] of [
    ['store_v2_content', 200, 200],
    ['store_v2_information', 200, 200],
    ['store_v2_content_read_only', 200, 403],
    ['store_v2_information_read_only', 200, 403],
    ['store_v2_products', 403, 403],
  ] as const) {
    const as = await accounts.create(shop.store.hash, scope, [scope])
    expect((await shop.call('GET', PATH, undefined, { as })).status).toBe(reads)
    expect((await shop.call('PUT', `${PATH}/1`, { version: 2 }, { as })).status).toBe(writes)
  }
})
