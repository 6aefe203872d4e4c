import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { plainClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// Locations, items and adjustments with the requests of the client of other-client-catalog.test.ts. It has no methods
// for inventory, so the test sends the requests of which its methods consist.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

/** A shop with a mug whose stock is tracked by product. */
async function openStocked() {
  const shop = await openShop()
  const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5, sku: 'MUG', inventory_tracking: 'product' }
  await shop.call('POST', '/catalog/products', mug)
  return shop
}

const harbour = {
  code: 'HARBOUR',
  label: 'Shop at the harbour',
  managed_by_external_source: false,
  type_id: 'PHYSICAL',
  time_zone: 'Europe/Copenhagen',
  address: {
    address1: 'Nyhavn 12',
    city: 'Copenhagen',
    state: 'Hovedstaden',
    zip: '1051',
    email: 'harbour@example.com',
    geo_coordinates: { latitude: 55.6798, longitude: 12.5914 },
    country_code: 'DK',
  },
  operating_hours: { monday: { open: true, opening: '09:00', closing: '18:00' } },
  special_hours: [{ label: 'Fair', date: '2026-08-01', open: true, opening: '09:00', closing: '22:00' }],
}
const transaction = { transaction_id: expect.any(String) }

async function connect() {
  const shop = await openStocked()
  const { apiClient } = plainClient(port, shop)
  apiClient.axiosInstance.defaults.baseURL += '/v3'
  return apiClient
}

test('it creates a location, counts stock there, sets the safety stock and deletes the location', async () => {
  const client = await connect()
  expect((await client.post('/inventory/locations', [harbour])).data).toEqual(transaction)
  const { data: found } = await client.get('/inventory/locations?location_code:in=harbour')
  expect(found.data).toMatchObject([{ id: 2, ...harbour }])
  await client.put('/inventory/locations', [{ id: 2, label: 'Harbour' }])

  const counted = { reason: 'Stock take', items: [{ location_id: 2, sku: 'MUG', quantity: 12 }] }
  expect((await client.put('/inventory/adjustments/absolute', counted)).data).toEqual(transaction)
  await client.post('/inventory/adjustments/relative', { items: [{ location_id: 2, variant_id: 1, quantity: -2 }] })
  const said = { settings: [{ identity: { product_id: 1 }, safety_stock: 3, warning_level: 5 }] }
  expect((await client.put('/inventory/locations/2/items', said)).data).toEqual(transaction)
  expect((await client.get('/inventory/locations/2/items')).data.data).toMatchObject([
    { identity: { sku: 'MUG' }, available_to_sell: 7, total_inventory_onhand: 10, settings: { warning_level: 5 } },
  ])
  expect((await client.get('/inventory/items?location_id:in=2')).data.data).toMatchObject([
    { identity: { product_id: 1 }, locations: [{ location_name: 'Harbour', available_to_sell: 7 }] },
  ])
  const metafield = { namespace: 'till', key: 'number', value: '4', permission_set: 'read' }
  expect((await client.post('/inventory/locations/2/metafields', metafield)).data.data).toMatchObject({
    id: 1,
    resource_type: 'location',
    resource_id: 2,
  })
  await client.delete('/inventory/locations?location_id:in=2')
  expect((await client.get('/inventory/items')).data.data).toEqual([])
})

test('it reads page by page, moves stock between locations and gets an error for each mistake', async () => {
  const apiClient = await connect()
  await apiClient.post('/inventory/locations', [harbour, { ...harbour, code: 'NORTH', label: 'North' }])
  const { data } = await apiClient.get('/inventory/locations', 1, 2)
  expect(data.meta.pagination).toMatchObject({ total: 3, count: 2, total_pages: 2 })
  const items = [1, 2, 3].map((location_id) => ({ location_id, product_id: 1, quantity: location_id * 10 }))
  await apiClient.put('/inventory/adjustments/absolute', { items })
  const moved = [
    { location_id: 1, product_id: 1, quantity: -4 },
    { location_id: 3, product_id: 1, quantity: 4 },
  ]
  expect((await apiClient.post('/inventory/adjustments/relative', { items: moved })).data).toEqual(transaction)
  const { data: stock } = await apiClient.get('/inventory/items', 1, 1)
  expect(stock.data[0].locations.map(({ total_inventory_onhand }: Amount) => total_inventory_onhand)).toEqual([
    6, 20, 34,
  ])
  expect((await apiClient.get('/catalog/products/1')).data.data.inventory_level).toBe(60)

  const tooMuch = { items: [{ location_id: 1, product_id: 1, quantity: -7 }] }
  await expect(apiClient.post('/inventory/adjustments/relative', tooMuch)).rejects.toThrow(/422/)
  await apiClient.delete('/inventory/locations?location_id:in=2,3')
  expect((await apiClient.get('/catalog/products/1')).data.data.inventory_level).toBe(6)
})

interface Amount {
  total_inventory_onhand: number
}
