import { expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'

// What an item costs is an amount of a price list, a percentage of a tax rate, and the rate of a shipping method.

const RATES = '/tax/rates'
const RECORDS = '/pricelists/1/records'
const METHODS = '/shipping/zones/1/methods'

async function openPricedShop() {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 9 })
  await shop.call('POST', '/pricelists', { name: 'Trade' })
  await shop.call('POST', '/pricelists/assignments', [{ price_list_id: 1, channel_id: 1 }])
  await shop.call('POST', '/shipping/zones', { name: 'Everywhere', type: 'global' }, { version: 'v2' })
  return shop
}

const send = (shop: Shop, method: string, path: string, payload: string) =>
  shop.call(method, path, undefined, {
    payload,
    headers: { 'content-type': 'application/json' },
    version: path === METHODS ? 'v2' : 'v3',
  })
const stored = async (shop: Shop) =>
  Promise.all([
    shop.call('GET', RATES).then(({ text }) => text),
    shop.call('GET', RECORDS).then(({ text }) => text),
    shop.call('GET', METHODS, undefined, { version: 'v2' }).then(({ text }) => text),
  ])

const recordOf = (price: string) => `[{"variant_id":1,"currency":"usd","price":${price}}]`
const rateOf = (rate: string) => `[{"name":"Rate","tax_zone_id":1,"class_rates":[{"rate":${rate},"tax_class_id":0}]}]`
const methodOf = (rate: string) => `{"name":"Flat","type":"perorder","settings":{"rate":${rate}}}`

test('C-081: prices, tax rates and shipping rates beyond their columns, and those that are no numbers, are refused', async () => {
  const shop = await openPricedShop()
  const before = await stored(shop)
  for (const value of ['1e400', '-1e400', '-0.01', '"NaN"', '"Infinity"', '"-Infinity"', '1e15', '"1e400"', '"0x10"']) {
    for (const [method, path, payload] of [
      ['PUT', RECORDS, recordOf(value)],
      ['POST', RATES, rateOf(value)],
      ['POST', METHODS, methodOf(value)],
    ] as const) {
      const { status, text } = await send(shop, method, path, payload)
      expect([400, 422], `${payload}: ${text}`).toContain(status)
    }
  }
  expect(await stored(shop)).toEqual(before)
})

test('C-081: amounts are exact in decimals', async () => {
  const shop = await openPricedShop()
  expect((await send(shop, 'PUT', RECORDS, recordOf('0.1'))).status).toBe(200)
  expect((await send(shop, 'POST', RATES, rateOf('7.7'))).status).toBe(200)
  expect((await send(shop, 'POST', METHODS, methodOf('0.3'))).body.settings.rate).toBe(0.3)
  expect((await shop.call('GET', RECORDS)).body.data).toMatchObject([{ price: 0.1, calculated_price: 0.1 }])
  // 0.1 + 0.2 and 1.005 * 100 are no decimals of binary numbers.
  for (const [price, tax] of [
    ['0.3', 0.02],
    ['1.01', 0.08],
    ['0.07', 0.01],
  ] as const) {
    await send(shop, 'PUT', RECORDS, recordOf(price))
    const { body } = await shop.call('POST', '/pricing/products', {
      channel_id: 1,
      currency_code: 'USD',
      items: [{ product_id: 1 }],
    })
    const { tax_exclusive, tax_inclusive } = body.data[0].calculated_price
    expect([tax_exclusive, tax_inclusive]).toEqual([Number(price), Number((Number(price) + tax).toFixed(2))])
  }
})
