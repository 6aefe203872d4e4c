import { expect, test } from 'vitest'
import { openShop } from '../../test/fixtures/shop.ts'

// Lists with and without filters by a date without an operator, as in the public API.

const opening = { namespace: 'shop', key: 'opening', value: '9 to 5', permission_set: 'write' }

test('metafields of orders and of a channel are filtered by a moment or a day, and other lists refuse that', async () => {
  const shop = await openShop()
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: 1, price_inc_tax: 1 }]
  const order = await shop.call('POST', '/orders', { billing_address: { zip: '1' }, products }, { version: 'v2' })
  expect(order.body.id).toBe(1)
  for (const owner of ['/orders/1', '/channels/1']) {
    expect((await shop.call('POST', `${owner}/metafields`, opening)).status).toBe(200)
  }
  const found = async (path: string, query: string) => {
    const { status, body } = await shop.call('GET', `${path}?${query}`)
    return [status, body.data?.length]
  }
  for (const path of ['/orders/1/metafields', '/orders/metafields', '/channels/1/metafields']) {
    const { date_created, date_modified } = (await shop.call('GET', path)).body.data[0]
    expect(await found(path, `date_created=${encodeURIComponent(date_created)}`), path).toEqual([200, 1])
    expect(await found(path, `date_modified=${encodeURIComponent(date_modified)}`), path).toEqual([200, 1])
    expect(await found(path, `date_created=${date_created.slice(0, 10)}`), path).toEqual([200, 1])
    expect(await found(path, 'date_modified=2001-01-01'), path).toEqual([200, 0])
  }
  for (const path of ['/channels/metafields', '/catalog/products/metafields', '/store/metafields']) {
    expect(await found(path, 'date_created=2001-01-01'), path).toEqual([422, undefined])
  }
})
