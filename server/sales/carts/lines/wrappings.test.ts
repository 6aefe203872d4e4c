import { expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import type { Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { addWrapping, removeWrapping } from '../wrappings.ts'

// docs/contract/carts.md section 4. The commands of the operator are tested in commands/sales/wrappings.test.ts.

/** A tax of 8 % on everything that goes to the United States. */
async function tax(shop: Shop) {
  const zone = {
    name: 'US',
    enabled: true,
    price_display_settings: { show_inclusive: false, show_both_on_detail_view: false, show_both_on_list_view: false },
    shopper_target_settings: {
      locations: [{ country_code: 'US', subdivision_codes: [], postal_codes: [] }],
      customer_groups: [],
    },
  }
  const zones = await shop.call('POST', '/tax/zones', [zone])
  const class_rates = [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate: 8 }))
  const rate = { tax_zone_id: zones.body.data[0].id, name: 'Sales tax', enabled: true, priority: 1, class_rates }
  expect((await shop.call('POST', '/tax/rates', [rate])).status).toBe(200)
}

const wrapped = (quantity: number, id: number) => ({
  product_id: 2,
  quantity,
  gift_wrapping: { wrap_together: true, wrap_details: [{ id, message: 'For you' }] },
})

test('C12: the price of a wrapping counts for each unit of its line and is taxed by its own class', async () => {
  const shop = await openWithShipping()
  await tax(shop)
  const { id } = await addWrapping(await dbOf(shop), { name: 'Paper', price: '2.50', isVisible: true })
  const checkout = checkoutOf(shop, await createCart(shop, {}, { line_items: [wrapped(3, id)] }))
  await checkout.call('POST', '/billing-address', ann)
  const fee = { type: 'custom_fee', name: 'service', display_name: 'Service', cost: 4, source: 'an app' }
  const { body } = await checkout.call('POST', '/fees', { fees: [fee] })
  expect(body.data).toMatchObject({
    cart: {
      cart_amount_ex_tax: 60,
      cart_amount_inc_tax: 64.8,
      line_items: {
        physical_items: [{ quantity: 3, gift_wrapping: { name: 'Paper', message: 'For you', amount: 7.5 } }],
      },
    },
    fees: [{ cost_ex_tax: 4, cost_inc_tax: 4.32 }],
    tax_total: 5.72,
    grand_total: 77.22,
  })
})

test('a cart keeps the wrapping that it has when the store removes it, and no other line can take it', async () => {
  const shop = await openWithShipping()
  const db = await dbOf(shop)
  const { id } = await addWrapping(db, { name: 'Paper', price: '2.50', isVisible: false })
  const cart = await createCart(shop, {}, { line_items: [wrapped(1, id)] })
  expect(await removeWrapping(db, id)).toBe(true)
  const { line_items } = (await shop.call('GET', `/carts/${cart}`)).body.data
  expect(line_items.physical_items).toMatchObject([{ gift_wrapping: { name: 'Paper', amount: 2.5 } }])
  expect(await shop.call('POST', `/carts/${cart}/items`, { line_items: [wrapped(1, id)] })).toMatchObject({
    status: 422,
    body: { errors: { 'line_items.0.gift_wrapping.wrap_details.0.id': expect.any(String) } },
  })
})
