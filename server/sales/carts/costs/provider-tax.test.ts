import { afterAll, beforeEach, expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import type { Shop } from '../../../test/fixtures/shop.ts'
import { connectTaxProvider } from '../../../test/fixtures/tax.ts'
import { TaxServer } from '../../../test/servers/tax-server.ts'

// Checkouts of a store with a tax provider, which taxes everything by 8 % (docs/contract/tax.md section 10).

const server = await new TaxServer().open()
afterAll(() => server.close())

let shop: Shop
let checkout: ReturnType<typeof checkoutOf>
let lamp = ''
beforeEach(async () => {
  server.mode = undefined
  shop = await openWithShipping()
  await connectTaxProvider(shop, server.url)
  checkout = checkoutOf(shop, await createCart(shop, { 1: 2, 3: 1 }))
  lamp = (await checkout.lines())[1] ?? ''
  server.calls.length = 0
})

const fallback = (fallback_strategy: string) => shop.call('PUT', '/tax/settings', { fallback_strategy })
const ship = () =>
  checkout.call('POST', '/consignments', [{ address: ann, line_items: [{ item_id: lamp, quantity: 2 }] }])

test('a cart without an address asks nobody', async () => {
  expect((await checkout.get()).tax_total).toBe(0)
  await shop.call('GET', `/carts/${checkout.id}`)
  await shop.call('PUT', `/carts/${checkout.id}/items/${lamp}`, { line_item: { quantity: 3 } })
  expect(server.calls).toEqual([])
})

test('a checkout with an address has the tax of the provider, in each of its parts', async () => {
  const fee = { type: 'custom_fee', name: 'service', display_name: 'Service', cost: 4, source: 'an app' }
  await checkout.call('POST', '/fees', { fees: [fee] })
  const [{ id }] = (await ship()).body.data.consignments
  await checkout.call('PUT', `/consignments/${id}`, { custom_shipping: { price: 10, description: 'By bicycle' } })
  const { body } = await checkout.call('POST', '/billing-address', ann)
  // 8 % of 25.00, 5.00, 10.00 and 4.00.
  expect(body.data).toMatchObject({
    tax_total: 3.52,
    taxes: [{ name: 'State', amount: 3.52 }],
    subtotal_ex_tax: 30,
    subtotal_inc_tax: 32.4,
    shipping_cost_total_inc_tax: 10.8,
    fees: [{ cost_ex_tax: 4, cost_inc_tax: 4.32 }],
    grand_total: 47.52,
  })
  expect(server.calls.at(-1)?.document).toMatchObject({
    id: checkout.id,
    currency_code: 'USD',
    documents: [
      {
        id: '1',
        destination_address: { region_code: 'TX', postal_code: '78701' },
        items: [
          { id: 'item-1', quantity: 2, price: { amount: 25, tax_inclusive: false } },
          { id: 'fee-1', type: 'fee', price: { amount: 4 } },
        ],
        shipping: { price: { amount: 10 } },
      },
      { id: `DigitalDelivery_${checkout.id}`, items: [{ price: { amount: 5 } }] },
    ],
  })
  const count = server.calls.length
  expect((await checkout.get()).grand_total).toBe(47.52)
  expect((await checkout.call('PUT', '', { customer_message: 'x' })).body.data.tax_total).toBe(3.52)
  // The answer to the same document is kept.
  expect(server.calls).toHaveLength(count)
})

test('prices with tax contain that of the provider', async () => {
  await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true })
  const { body } = await ship()
  // 8 % in 25.00 and in 5.00.
  expect(body.data).toMatchObject({ grand_total: 30, tax_total: 2.22, subtotal_inc_tax: 30, subtotal_ex_tax: 27.78 })
})

test.each([
  ['FIXED', 3, {}],
  ['BASIC', 0, {}],
  ['DISABLE', 0, { tax_unavailable: true }],
])('without an answer the tax is that of %s', async (strategy, tax_total, meta) => {
  await fallback(strategy)
  server.mode = (response) => response.writeHead(500).end()
  const { status, body } = await ship()
  expect([status, body.data.tax_total, body.meta]).toEqual([200, tax_total, meta])
})
