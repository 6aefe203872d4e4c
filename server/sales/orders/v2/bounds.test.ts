import { expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// Values that columns can't hold are refused with a sentence, and no body is a failure of the server (docs/contract/orders.md section 4).

const billing_address = { zip: '1051', country_iso2: 'dk', email: 'ida@example.com' }
const speak = (shop: Shop) => (method: string, path: string, body?: unknown) =>
  shop.call(method, path, body, { version: 'v2' })

test('more than a row holds is refused at the field that says it', async () => {
  const v2 = speak(await openShop())
  const most = { name: 'Sand', quantity: 1_000_000_000, price_ex_tax: 0, price_inc_tax: 0 }
  const wrapped = {
    ...most,
    wrapping_id: 1,
    wrapping_cost_ex_tax: 99_999_999_999,
    wrapping_cost_inc_tax: 99_999_999_999,
  }
  const alone = { wrapping_cost_ex_tax: 0, wrapping_cost_inc_tax: 0 }
  const wrapping = { 'products.0.wrapping_cost_inc_tax': 'The wrapping of a product can cost at most 99999999999.' }
  const cases: [body: object, details: object][] = [
    [{ products: [most, most, most] }, { products: 'An order can have at most 2147483647 items.' }],
    [{ products: [wrapped] }, wrapping],
    [{ products: [wrapped], ...alone }, wrapping],
    [
      { products: Array.from({ length: 3 }, () => ({ ...wrapped, quantity: 1 })) },
      { total_inc_tax: 'An order can cost at most 99999999999.' },
    ],
  ]
  for (const [body, details] of cases) {
    const answer = await v2('POST', '/orders', { billing_address, ...body })
    expect([answer.status, answer.body[0].details]).toEqual([400, details])
  }
  await v2('POST', '/orders', { billing_address, products: [most, most] })
  const { status, body } = await v2('PUT', '/orders/1', { products: [most] })
  expect([status, body[0].details]).toEqual([400, { products: 'An order can have at most 2147483647 items.' }])
})

test('a line may become a digital one and back; a custom one is sent back as it was read', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  await shop.call('POST', '/catalog/products', [
    { name: 'Mug', type: 'physical', weight: 1, price: 3 },
    { name: 'Song', type: 'digital', weight: 0, price: 1 },
  ])
  await v2('POST', '/orders', { billing_address, products: [{ product_id: 1 }] })
  const into = async (product_id: number) => {
    const { status, text } = await v2('PUT', '/orders/1', { products: [{ id: 1, product_id }] })
    expect(status, text).toBe(200)
    const { body: order } = await v2('GET', '/orders/1?include=consignments')
    const { shipping, downloads } = order.consignments
    return [order.order_is_digital, shipping.length && shipping[0].items_total, downloads.length]
  }
  expect(await into(2)).toEqual([true, 0, 1])
  expect(await into(1)).toEqual([false, 1, 0])

  const custom = { name: 'Engraving', quantity: 1, price_ex_tax: 1, price_inc_tax: 1, product_options: [] }
  await v2('POST', '/orders', { billing_address, products: [custom] })
  const { body: lines } = await v2('GET', '/orders/2/products')
  const { product_id, variant_id, product_options } = lines[0]
  const again = { id: 2, quantity: 2, product_id, variant_id, product_options }
  expect((await v2('PUT', '/orders/2', { products: [again] })).body.items_total).toBe(2)
  const wrong = await v2('PUT', '/orders/2', { products: [{ id: 2, product_id: 9 }] })
  expect(wrong.body[0].details).toEqual({ 'products.0.product_id': 'The product 9 does not exist.' })
})

test('prices of the catalog are never below nothing, and are those of the currency that is paid in', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 3.35, cost_price: 2 })
  await shop.call('POST', '/catalog/products/1/modifiers', {
    display_name: 'Print',
    type: 'dropdown',
    required: false,
    option_values: [
      { label: 'None', sort_order: 0, adjusters: { price: { adjuster: 'relative', adjuster_value: -5 } } },
      { label: 'Name', sort_order: 1, adjusters: { price: { adjuster: 'relative', adjuster_value: 1 } } },
    ],
  })
  await v2('POST', '/currencies', {
    currency_code: 'JPY',
    currency_exchange_rate: '150.1',
    name: 'Yen',
    token: 'Y',
    token_location: 'left',
    decimal_token: '.',
    thousands_token: ',',
    decimal_places: 0,
    is_transactional: true,
  })
  const priceOf = async (choice: string, more: object = {}) => {
    const products = [{ product_id: 1, product_options: choice ? [{ id: 1, value: choice }] : [] }]
    const { status, body, text } = await v2('POST', '/orders', { billing_address, products, ...more })
    expect(status, text).toBe(200)
    const { body: lines } = await v2('GET', `/orders/${body.id}/products`)
    return [lines[0].price_ex_tax, lines[0].base_cost_price, body.total_inc_tax]
  }
  const inYen = { default_currency_code: 'JPY' }
  expect(await priceOf('1')).toEqual(['0.0000', '2.0000', '0.0000'])
  expect(await priceOf('', inYen)).toEqual(['503.0000', '300.0000', '503.0000'])
  expect(await priceOf('2', inYen)).toEqual(['653.0000', '300.0000', '653.0000'])
  await v2('POST', '/orders', { billing_address, products: [{ product_id: 1 }], ...inYen })
  const added = { products: [{ product_id: 1, quantity: 2 }] }
  expect((await v2('PUT', '/orders/4', added)).body.total_inc_tax).toBe('1509.0000')
})
