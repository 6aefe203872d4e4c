import { expect, test } from 'vitest'
import { openShop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// The calls that show how lists, records and assignments are used, one after another in one store (docs/contract/price-lists.md).

test('the calls of the page have the answers of the page', async () => {
  const shop = await openShop()
  const call = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await shop.call(method, `/pricelists${path}`, body)
    return { status, body: answer }
  }
  const currency = { name: 'Euro', token: '€', token_location: 'left', decimal_token: '.', thousands_token: ',' }
  const euro = { ...currency, currency_code: 'EUR', currency_exchange_rate: '0.9', decimal_places: 2, enabled: true }
  await shop.call('POST', '/currencies', { ...euro, is_transactional: true }, { version: 'v2' })
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 100 })
  await call('POST', '', { name: 'Retail' })

  expect(await call('POST', '', { name: 'Trade' })).toMatchObject({ status: 200, body: { data: { id: 2 } } })
  expect((await call('POST', '', { name: 'trade' })).status).toBe(409)

  const unknown = { sku: 'NOPE', currency: 'USD' }
  const batch = [
    { variant_id: 1, currency: 'USD', price: 60 },
    { ...unknown, price: 1 },
  ]
  const saved = await call('PUT', '/2/records', batch)
  expect(saved.status).toBe(422)
  expect(saved.body.batch_errors).toEqual([{ data: unknown, field_errors: { sku: expect.any(String) } }])
  const published = (await rowsOf(shop, 'events')).filter(({ scope }) => String(scope).includes('/records/'))
  expect(published.map(({ scope }) => scope)).toEqual(['store/priceList/records/created'])

  const exists = await call('POST', '/2/records', [{ variant_id: 1, currency: 'USD', price: 1 }])
  expect([exists.status, exists.body.batch_errors.length]).toEqual([422, 1])
  const read = await call('GET', '/2/records/1/usd')
  expect(read).toMatchObject({ status: 200, body: { data: { currency: 'usd', price: 60, calculated_price: 60 } } })

  const tiers = [
    { quantity_min: 5, quantity_max: 9, type: 'percent', amount: 5 },
    { quantity_min: 8, type: 'price', amount: 4 },
  ]
  const overlapping = await call('PUT', '/2/records/1/EUR', { price: 54, bulk_pricing_tiers: tiers })
  expect(overlapping.status).toBe(422)
  expect(overlapping.body.errors).toHaveProperty(['bulk_pricing_tiers.1.quantity_min'])

  const half = await call('PUT', '/2/assignments', { customer_group_id: 3 })
  expect([half.status, Object.keys(half.body.errors)]).toEqual([422, ['channel_id']])
  const alone = await call('POST', '/assignments', [{ price_list_id: 2 }])
  expect(alone).toMatchObject({ status: 422, body: { meta: { saved_records: 0 } } })
  expect((await call('DELETE', '/assignments')).status).toBe(422)
  expect((await call('DELETE', '/2/records')).status).toBe(204)
  expect((await call('GET', '/2/records')).body.data).toEqual([])
})
