import { afterAll, beforeAll, expect, test } from 'vitest'
import { wholeBrand } from '../server/test/document/expected.ts'
import { openStaffedShop } from '../server/test/fixtures/shop.ts'
import { typedClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// A public client of the hosted API with its types. Nothing of it is changed except the address. Its types are
// generated from the public documentation, which so checks this file too.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

test('it creates, reads, changes and deletes brands', async () => {
  const shop = await openStaffedShop()
  const client = typedClient(port, shop)

  const brand = await client.post('/catalog/brands', {
    body: {
      name: 'Ferm',
      page_title: 'Ferm | Home',
      meta_keywords: ['home'],
      custom_url: { url: '/ferm/', is_customized: true },
    },
  })
  expect(brand).toEqual(
    wholeBrand({
      page_title: 'Ferm | Home',
      meta_keywords: ['home'],
      custom_url: { url: '/ferm/', is_customized: true },
    }),
  )
  const path = { brand_id: 1 }
  expect(await client.get('/catalog/brands/{brand_id}', { path })).toEqual(brand)
  expect(await client.put('/catalog/brands/{brand_id}', { path, body: { name: 'Ferm Living' } })).toEqual({
    ...brand,
    name: 'Ferm Living',
  })
  expect(await client.delete('/catalog/brands/{brand_id}', { path })).toBeNull()
  expect(await client.get('/catalog/brands/{brand_id}', { path })).toBeNull()

  await client.post('/catalog/brands', { body: { name: 'Muuto' } })
  expect(await client.delete('/catalog/brands', { query: { name: 'muuto' } })).toBeNull()
  expect(await client.get('/catalog/brands')).toEqual([])
})

test('it lists brands with filters, and reads pages to the end', async () => {
  const shop = await openStaffedShop()
  const client = typedClient(port, shop)
  const names = Array.from({ length: 23 }, (_, i) => `${i % 2 ? 'Oak' : 'Elm'} ${String(i).padStart(2, '0')}`)
  for (const name of names) await client.post('/catalog/brands', { body: { name, page_title: 'Wood' } })

  const everything = await all(client.list('/catalog/brands', { query: { limit: 10 } }))
  expect(everything.map(({ name }) => name)).toEqual(names)
  const oaks = await all(client.list('/catalog/brands', { query: { 'name:like': 'oak', limit: 5 } }))
  expect(oaks.map(({ name }) => name)).toEqual(names.filter((name) => name.startsWith('Oak')))
  const some = await client.get('/catalog/brands', {
    query: { 'id:in': [3, 5, 99], include_fields: ['name'], sort: 'name', direction: 'desc' },
  })
  expect(some).toEqual([
    { id: 5, name: 'Elm 04' },
    { id: 3, name: 'Elm 02' },
  ])
  expect(await client.get('/catalog/brands', { query: { name: 'elm 00', page_title: 'wood' } })).toHaveLength(1)
})

test('it creates, lists with filters, changes and deletes metafields, one by one and in batches', async () => {
  const shop = await openStaffedShop()
  const client = typedClient(port, shop)
  await client.post('/catalog/brands', { body: { name: 'Ferm' } })
  const path = { brand_id: 1 }
  const metafield = { namespace: 'warehouse', key: 'bin', value: '4', permission_set: 'write' } as const

  const created = await client.post('/catalog/brands/{brand_id}/metafields', { path, body: metafield })
  expect(created).toMatchObject({ id: 1, ...metafield, resource_type: 'brand', resource_id: 1 })
  const one = { brand_id: 1, metafield_id: 1 }
  expect(await client.get('/catalog/brands/{brand_id}/metafields/{metafield_id}', { path: one })).toEqual(created)
  expect(
    await client.put('/catalog/brands/{brand_id}/metafields/{metafield_id}', { path: one, body: { value: '5' } }),
  ).toMatchObject({ ...metafield, value: '5' })

  const batch = ['shelf', 'row', 'level'].map((key) => ({ ...metafield, key, resource_id: 1 }))
  expect(await client.post('/catalog/brands/metafields', { body: batch })).toHaveLength(3)
  expect(await client.put('/catalog/brands/metafields', { body: [{ id: 2, value: '6' }] })).toMatchObject([
    { id: 2, value: '6' },
  ])
  const listed = await all(
    client.list('/catalog/brands/{brand_id}/metafields', { path, query: { namespace: 'warehouse', limit: 3 } }),
  )
  expect(listed.map(({ key }) => key)).toEqual(['bin', 'shelf', 'row', 'level'])
  expect(await client.get('/catalog/brands/metafields', { query: { 'key:in': ['row', 'bin'] } })).toHaveLength(2)

  expect(await client.delete('/catalog/brands/metafields', { body: [2, 3] })).toEqual([2, 3])
  expect(await client.delete('/catalog/brands/{brand_id}/metafields/{metafield_id}', { path: one })).toBeNull()
  expect(await all(client.list('/catalog/brands/{brand_id}/metafields', { path }))).toMatchObject([{ id: 4 }])
})

test('it reads and writes metafields of categories', async () => {
  const shop = await openStaffedShop()
  const client = typedClient(port, shop)
  await client.post('/catalog/categories', { body: { name: 'Mugs', parent_id: 0 } })
  const path = { category_id: 1 }
  const body = { namespace: 'page', key: 'banner', value: 'New', permission_set: 'app_only' } as const
  expect(await client.post('/catalog/categories/{category_id}/metafields', { path, body })).toMatchObject(body)
  const stranger = typedClient(port, shop, shop.otherclient)
  expect(await client.get('/catalog/categories/{category_id}/metafields', { path })).toHaveLength(1)
  expect(await stranger.get('/catalog/categories/{category_id}/metafields', { path })).toEqual([])
})

test("a refusal reaches the caller as the client's error", async () => {
  const shop = await openStaffedShop()
  const client = typedClient(port, shop)
  await client.post('/catalog/brands', { body: { name: 'Ferm' } })
  const missing = { brand_id: 99 }

  // A 404 is null for reads and an error for writes.
  expect(await client.get('/catalog/brands/{brand_id}', { path: missing })).toBeNull()
  await expect(client.put('/catalog/brands/{brand_id}', { path: missing, body: { name: 'A' } })).rejects.toThrow(
    /^ERROR DURING PUT \/catalog\/brands\/\{brand_id\}: 404 - \{"status":404,/,
  )
  await expect(client.post('/catalog/brands', { body: { name: 'ferm' } })).rejects.toThrow(
    /: 409 - .*"errors":\{"name":/,
  )
  await expect(client.post('/catalog/brands', { body: { name: '' } })).rejects.toThrow(/: 422 - .*"errors":\{"name":/)
  await expect(typedClient(port, shop, shop.readonly).post('/catalog/brands', { body: { name: 'B' } })).rejects.toThrow(
    /: 403 - /,
  )
  await expect(
    typedClient(port, shop, { ...shop.admin, access_token: 'wrong' }).get('/catalog/brands'),
  ).rejects.toThrow(/: 401 - /)

  // A 207 means saved with another address. For this client it is no error; the whole answer gives the reason.
  const answer = await client.send('POST /catalog/brands', { body: { name: 'Ferm 2', custom_url: { url: '/ferm/' } } })
  expect(answer).toMatchObject({
    status: 207,
    body: { data: { custom_url: { url: '/ferm-2/' } }, errors: { status: 409 } },
  })
})

test('it waits as long as a 429 says, and retries', async () => {
  const shop = await openStaffedShop({ plan: 'standard' })
  const waits: number[] = []
  const client = typedClient(port, shop, shop.admin, {
    shouldRetry: (attempt, { status }) => status === 429 && attempt < 3,
    // A client that obeys the header would wait until the window ends.
    backoffTime: (_failures, { headers }) => {
      waits.push(Number(headers.get('x-rate-limit-time-reset-ms')))
      return 0
    },
  })
  await Promise.all(Array.from({ length: 150 }, () => client.get('/catalog/brands')))
  expect(waits).toEqual([])
  await expect(client.get('/catalog/brands')).rejects.toThrow(/: 429 - /)
  expect(waits).toHaveLength(2)
  for (const wait of waits) {
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(30_000)
  }
})
