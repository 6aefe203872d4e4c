import { beforeEach, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

// Differences of the metafields of a store (docs/contract/store.md section 3). metafields.test.ts has the shared rules.

const PATH = '/store/metafields'
const opening = { namespace: 'shop', key: 'opening', value: '9 to 5', permission_set: 'write' }

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})
const create = (...bodies: object[]) => shop.call('POST', PATH, bodies)

const whole = () => ({
  ...opening,
  id: '1',
  description: '',
  resource_type: 'store',
  resource_id: String(shop.store.id),
  date_created: expect.stringMatching(/Z$/),
  date_modified: expect.stringMatching(/Z$/),
  owner_client_id: shop.admin.client_id,
})

test('metafields are created as a list, and each valid item is stored', async () => {
  const { status, body } = await create(opening, opening, { ...opening, key: 'closing', description: 'x' })
  expect(status).toBe(422)
  expect(body).toEqual({
    data: [whole(), { ...whole(), id: expect.any(String), key: 'closing', description: 'x' }],
    errors: [expect.objectContaining({ status: 409, errors: { 1: 'duplicate' } })],
    meta: { total: 3, success: 2, failed: 1 },
  })
  expect((await create({ ...opening, key: 'other' })).status).toBe(200)
  expect((await shop.call('POST', PATH, opening)).status).toBe(422)
  expect((await create(...Array(11).fill(opening))).status).toBe(413)
  const missing = Object.fromEntries(Object.keys(opening).map((field) => [`0.${field}`, 'error.path.missing']))
  expect((await create({})).body.errors).toEqual(missing)
})

test('a metafield is answered complete and dated, with its ids as texts', async () => {
  await create(opening)
  const { body, headers } = await shop.call('GET', `${PATH}/1`)
  expect(body).toEqual({ data: whole(), meta: {} })
  const since = { 'if-modified-since': String(headers['last-modified']) }
  expect((await shop.call('GET', `${PATH}/1`, undefined, { headers: since })).status).toBe(304)
  expect((await shop.call('GET', `${PATH}/1?include_fields=key`)).body.data).toEqual({ id: '1', key: 'opening' })
  for (const id of ['2', '0', 'x', '99999999999']) expect((await shop.call('GET', `${PATH}/${id}`)).status).toBe(404)
})

test('the list has filters, pages, cursors and fields, and accepts one misprinted field', async () => {
  await create(opening, { ...opening, key: 'closing' }, { ...opening, namespace: 'till' })
  const ids = async (query: string) =>
    (await shop.call('GET', `${PATH}?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect((await shop.call('GET', PATH)).body).toMatchObject({
    data: [whole(), { id: '2' }, { id: '3' }],
    meta: { pagination: { total: 3 }, cursor_pagination: { count: 3 } },
  })
  expect(await ids('key=closing')).toEqual(['2'])
  expect(await ids('key:in=opening,closing&namespace=shop')).toEqual(['1', '2'])
  expect(await ids('namespace:in=till,nothing')).toEqual(['3'])
  expect(await ids('date_created:min=2200-01-01')).toEqual([])
  expect(
    await ids('date_created:max=2200-01-01&date_modified:min=2001-01-01&date_modified:max=2200-01-01'),
  ).toHaveLength(3)
  expect(await ids('direction=desc&limit=2')).toEqual(['3', '2'])
  const { cursor_pagination } = (await shop.call('GET', `${PATH}?limit=1`)).body.meta
  expect(await ids(`limit=1&after=${cursor_pagination.end_cursor}`)).toEqual(['2'])
  const [some] = (await shop.call('GET', `${PATH}?include_fields=date%20modified,resource_id`)).body.data
  expect(Object.keys(some)).toEqual(['id', 'resource_id', 'date_modified'])
  for (const query of ['resource_id=1', 'id=1', 'key:like=o']) {
    expect((await shop.call('GET', `${PATH}?${query}`)).status).toBe(422)
  }
})

test('metafields are changed by numbers and by texts of numbers, one by one and together', async () => {
  await create(opening, { ...opening, key: 'closing' })
  const changes = [
    { id: 1, value: 'a' },
    { id: '2', value: 'b' },
    { id: 7, value: 'c' },
    { id: '8', value: 'd' },
  ]
  const { status, body } = await shop.call('PUT', PATH, changes)
  expect(status).toBe(422)
  expect(body.data).toMatchObject([
    { id: '1', value: 'a' },
    { id: '2', value: 'b' },
  ])
  expect(body.errors).toMatchObject([{ errors: { 2: 'does not exist' } }, { errors: { 3: 'does not exist' } }])
  expect((await shop.call('PUT', `${PATH}/2`, { value: 'e' })).body.data).toMatchObject({ id: '2', value: 'e' })
  expect((await shop.call('PUT', `${PATH}/3`, { value: 'e' })).status).toBe(404)
  expect((await shop.call('PUT', PATH, [{ id: 'x' }])).status).toBe(422)
  expect((await shop.call('PUT', PATH, [{ id: '2147483648' }])).status).toBe(422)
})

test('metafields are deleted, and every change publishes two events', async () => {
  await create(opening, { ...opening, key: 'closing' }, { ...opening, key: 'third' })
  expect((await shop.call('DELETE', `${PATH}/1`)).status).toBe(204)
  expect((await shop.call('DELETE', PATH, ['2', 9])).body).toMatchObject({
    data: [2],
    errors: [{ status: 404, errors: { 1: 'does not exist' } }],
    meta: { total: 2, success: 1, failed: 1 },
  })
  expect((await shop.call('DELETE', `${PATH}/1`)).status).toBe(404)
  await shop.call('PUT', `${PATH}/3`, { value: 'x' })
  const events = await rowsOf(shop, 'events')
  const deeds = ['created', 'created', 'created', 'deleted', 'deleted', 'updated']
  expect(events.map(({ scope }) => scope)).toEqual(
    deeds.flatMap((deed) => [`store/store/metafield/${deed}`, `store/metafield/${deed}`]),
  )
  const data = { metafield_id: 1, resource_id: String(shop.store.id) }
  expect(events.slice(0, 2).map(({ data }) => JSON.parse(String(data)))).toEqual([
    data,
    { ...data, resource_type: 'store' },
  ])
})

test('metafields of the store do not appear on brands or channels', async () => {
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  await shop.call('POST', '/catalog/brands/1/metafields', opening)
  expect((await shop.call('GET', PATH)).body.data).toEqual([])
  expect((await shop.call('GET', `${PATH}/1`)).status).toBe(404)
  expect((await shop.call('DELETE', `${PATH}/1`)).status).toBe(404)
})

test('another client reads and changes within its permissions, and deletes nothing', async () => {
  await create({ ...opening, permission_set: 'app_only' }, opening, { ...opening, key: 'read', permission_set: 'read' })
  await create({ ...opening, key: 'fourth' })
  const { accounts } = (await theHouse()).installation
  const as = await accounts.create(shop.store.hash, 'other', ['all'])
  const listed = (await shop.call('GET', PATH, undefined, { as })).body.data
  expect(listed.map(({ key }: { key: string }) => key)).toEqual(['read', 'fourth'])
  expect((await shop.call('GET', `${PATH}/1`, undefined, { as })).status).toBe(404)
  const id = listed[1].id
  expect((await shop.call('PUT', `${PATH}/${id}`, { value: 'x' }, { as })).status).toBe(200)
  expect((await shop.call('PUT', `${PATH}/${id}`, { key: 'x' }, { as })).status).toBe(403)
  expect((await shop.call('DELETE', `${PATH}/${id}`, undefined, { as })).status).toBe(403)
})
