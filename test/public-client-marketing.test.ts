import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { oldClient, plainClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The old client and that of other-client-catalog.test.ts promote a shop's products.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

const tenPercent = { action: { cart_value: { discount: { percentage_amount: '10' } } } }

test('a client with a method for each verb creates promotions with codes, changes them and deletes them', async () => {
  const shop = await openShop()
  const client = oldClient(port, shop, 'v3')
  const automatic = { name: 'Summer', redemption_type: 'AUTOMATIC', rules: [tenPercent] }
  expect((await client.post('/promotions', automatic)).data).toMatchObject({
    id: 1,
    name: 'Summer',
    status: 'ENABLED',
  })
  await client.post('/promotions', {
    name: 'Mailing',
    redemption_type: 'COUPON',
    coupon_type: 'BULK',
    rules: [tenPercent],
  })
  const codes = '/promotions/2/codes'
  expect((await client.post(codes, { code: 'HELLO' })).data).toMatchObject({ code: 'HELLO', current_uses: 0 })
  const generated = await client.post('/promotions/2/codegen', { batch_size: 3, prefix: 'VIP', delimiter: '-' })
  expect(generated.data.codes).toHaveLength(3)
  expect((await client.get(`${codes}?limit=2`)).data).toHaveLength(2)
  expect((await client.get('/promotions/codes?code=hello')).data).toMatchObject([{ code: 'HELLO' }])
  expect((await client.put('/promotions/1', { name: 'Autumn' })).data).toMatchObject({ name: 'Autumn' })
  expect((await client.get('/promotions?redemption_type=coupon')).data).toMatchObject([{ id: 2 }])
  await client.delete('/promotions/1')
  expect((await client.get('/promotions')).data).toMatchObject([{ id: 2, name: 'Mailing' }])
  const settings = await client.get('/promotions/settings')
  expect(settings).not.toHaveProperty('data')
  await expect(client.delete('/promotions/2')).rejects.toThrow('422')
})

test('a client with a method for each operation creates coupons and banners', async () => {
  const { marketing } = plainClient(port, await openShop())
  const { banners, coupons } = marketing
  const wish = {
    name: 'Five off',
    code: 'FIVE',
    type: 'per_total_discount',
    amount: '5.0000',
    applies_to: { entity: 'categories', ids: [0] },
  }
  expect(await coupons.createCoupon(wish)).toMatchObject({ id: 1, ...wish, enabled: true, num_uses: 0 })
  expect(await coupons.updateCoupon(1, { enabled: false, applies_to: wish.applies_to })).toMatchObject({
    enabled: false,
    applies_to: wish.applies_to,
  })
  expect(await coupons.getAllCoupons({ code: 'FIVE' })).toHaveLength(1)
  expect(await coupons.getCouponsCount()).toEqual({ count: 1 })
  await coupons.deleteCoupon(1)
  expect(await coupons.getCouponsCount()).toEqual({ count: 0 })

  const sale = { name: 'Sale', content: '<b>Sale</b>', page: 'home_page', location: 'top', date_type: 'always' }
  expect(await banners.createBanner(sale)).toMatchObject({ id: 1, ...sale, visible: '1' })
  expect(await banners.updateBanner(1, { visible: '0' })).toMatchObject({ visible: '0' })
  expect(await banners.getAllBanners()).toHaveLength(1)
  expect(await banners.getBannersCount()).toEqual({ count: 1 })
  await banners.deleteBanners()
  expect(await banners.getBannersCount()).toEqual({ count: 0 })
})
