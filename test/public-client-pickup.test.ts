import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { typedClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The client of public-client.test.ts offers a store's stock for pickup and finds it again. Its types come from the
// public documentation, which lacks the key `name` of a method and has one id where a list is meant.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

const METHODS = '/pickup/methods'
const address = {
  address1: 'Nyhavn 12',
  city: 'Copenhagen',
  state: 'Hovedstaden',
  zip: '1051',
  email: 'harbour@example.com',
  country_code: 'DK',
}

test('it creates, lists, changes and deletes pickup methods, and finds pickup locations for a cart', async () => {
  const shop = await openShop()
  const { call } = shop
  const client = typedClient(port, shop)
  const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5, inventory_tracking: 'product' } as const
  await client.post('/catalog/products', { body: mug })
  await call('POST', '/inventory/locations', [
    { label: 'Harbour', address: { ...address, geo_coordinates: { latitude: 55.6798, longitude: 12.5914 } } },
    { label: 'Airport', address: { ...address, geo_coordinates: { latitude: 55.618, longitude: 12.656 } } },
  ])
  const items = [2, 3].map((location_id) => ({ location_id, product_id: 1, quantity: location_id }))
  await call('PUT', '/inventory/adjustments/absolute', { items })

  const made = await client.post(METHODS, {
    body: [
      { location_id: 2, display_name: 'Counter', collection_instructions: 'Bring your number' },
      { location_id: 3, display_name: 'Gate', collection_time_description: 'Day and night' },
      { location_id: 3, display_name: 'Taxi rank' },
    ],
  })
  expect(made?.map(({ id, display_name }) => [id, display_name])).toEqual([
    [1, 'Counter'],
    [2, 'Gate'],
    [3, 'Taxi rank'],
  ])
  const changed = await client.put(METHODS, { body: [{ id: 3, display_name: 'Bus stop' }] })
  const date_modified = expect.any(String)
  expect(changed).toEqual([{ ...made?.[2], name: 'Bus stop', display_name: 'Bus stop', date_modified }])
  expect(await client.get(METHODS, { query: { sort: 'name:asc' } })).toMatchObject([{ id: 3 }, { id: 1 }, { id: 2 }])

  const search = (quantity: number, value: number) =>
    client.post('/pickup/options', {
      body: {
        search_area: {
          coordinates: { latitude: 55.68, longitude: 12.58 },
          radius: { value, unit: 'KM' },
        },
        items: [{ variant_id: 1, quantity }],
      },
    })
  const found = await search(2, 25)
  expect(found).toMatchObject([
    {
      pickup_options: [
        {
          pickup_method: {
            id: 1,
            location_id: 2,
            display_name: 'Counter',
            collection_instructions: 'Bring your number',
          },
          available_items: [{ variant_id: 1, quantity: 2 }],
        },
      ],
    },
    { pickup_options: [{ pickup_method: { id: 2 } }, { pickup_method: { id: 3 } }] },
  ])
  expect(await search(3, 25)).toMatchObject([{ pickup_options: [{ pickup_method: { id: 2 } }, {}] }])
  expect(await search(3, 1)).toEqual([])

  await client.delete(METHODS, { query: { 'id:in': 2 } })
  expect(await client.get(METHODS, { query: { limit: 5 } })).toMatchObject([{ id: 1 }, { id: 3 }])
  expect(await client.get(METHODS, { query: { 'id:in': 3 } })).toMatchObject([{ id: 3 }])
  await expect(client.post(METHODS, { body: [{ location_id: 9, display_name: 'Nowhere' }] })).rejects.toThrow(
    /: 422 - .*"0\.location_id"/,
  )
})
