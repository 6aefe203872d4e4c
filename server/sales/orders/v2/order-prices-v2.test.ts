import { expect, test } from 'vitest'
import { custom, goods, openWithGoods, speak, type V2 } from '../../../test/fixtures/goods.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// The prices of lines that name none: the same as those of POST /pricing/products (docs/contract/orders.md section 4).

async function openWithProducts(...prices: number[]) {
  const shop = await openShop()
  for (const [i, price] of prices.entries()) {
    await shop.call('POST', '/catalog/products', { name: `Product ${i}`, type: 'physical', weight: 1, price })
  }
  return { shop, v2: speak(shop) }
}

/** A customer of a group with discount rules. */
async function inGroup(shop: Shop, ...discount_rules: object[]) {
  const group = await shop.call('POST', '/customer_groups', { name: 'Trade', discount_rules }, { version: 'v2' })
  const trader = { email: 'tom@example.com', first_name: 'Tom', last_name: 'Trade', customer_group_id: group.body.id }
  return (await shop.call('POST', '/customers', [trader])).body.data[0].id
}

/** A choice of a product, with one value that changes the price. @returns the option of a line that chooses it */
async function addModifier(shop: Shop, product: number, adjuster: 'relative' | 'percentage', adjuster_value: number) {
  const { data } = (
    await shop.call('POST', `/catalog/products/${product}/modifiers`, {
      display_name: `${adjuster} ${adjuster_value}`,
      type: 'dropdown',
      required: false,
      option_values: [{ label: 'Yes', sort_order: 0, adjusters: { price: { adjuster, adjuster_value } } }],
    })
  ).body
  return { id: data.id, value: String(data.option_values[0].id) }
}

const addEuro = (shop: Shop, currency_exchange_rate: string) =>
  shop.call(
    'POST',
    '/currencies',
    {
      currency_code: 'EUR',
      currency_exchange_rate,
      name: 'Euro',
      token_location: 'left',
      token: '€',
      decimal_token: ',',
      thousands_token: '.',
      decimal_places: 2,
      is_transactional: true,
    },
    { version: 'v2' },
  )

const unitsOf = async (v2: V2, order = 1): Promise<string[]> =>
  (await v2('GET', `/orders/${order}/products`)).body.map(({ price_ex_tax }: { price_ex_tax: string }) => price_ex_tax)

test('the discount of a group is taken off', async () => {
  const { shop, v2 } = await openWithProducts(61.11)
  const customer_id = await inGroup(shop, { type: 'all', method: 'price', amount: '1.53' })
  const order = { ...goods({ product_id: 1, quantity: 4 }), customer_id }
  expect((await v2('POST', '/orders', order)).body.total_inc_tax).toBe('238.3200')
  // A guest has no group.
  expect((await v2('POST', '/orders', goods({ product_id: 1, quantity: 4 }))).body.total_inc_tax).toBe('244.4400')
})

test('a percentage leaves no parts of a cent', async () => {
  const { shop, v2 } = await openWithProducts(64.741)
  const choice = await addModifier(shop, 1, 'percentage', 10)
  const { body } = await v2('POST', '/orders', goods({ product_id: 1, quantity: 6, product_options: [choice] }))
  expect(body.total_inc_tax).toBe('427.3200')
  expect(await unitsOf(v2)).toEqual(['71.2200'])
})

test('percentages of modifiers are of the price so far, in the order of the modifiers', async () => {
  const { shop, v2 } = await openWithProducts(18.5)
  const glaze = await addModifier(shop, 1, 'relative', 5)
  const rush = await addModifier(shop, 1, 'percentage', 10)
  await v2('POST', '/orders', goods({ product_id: 1, product_options: [rush, glaze] }))
  expect(await unitsOf(v2)).toEqual(['25.8500'])
})

test('amounts in another currency are added before they are rounded', async () => {
  const { shop, v2 } = await openWithProducts(125.03)
  await addEuro(shop, '0.8')
  const choice = await addModifier(shop, 1, 'relative', 0.63)
  const line = { product_id: 1, quantity: 1, product_options: [choice] }
  const { body } = await v2('POST', '/orders', { ...goods(line), default_currency_code: 'EUR' })
  expect(body).toMatchObject({ currency_code: 'EUR', total_inc_tax: '100.5300' })
})

test('bulk rules count the units of a product over all lines', async () => {
  const { shop, v2 } = await openWithProducts(18.5, 10)
  const rule = { quantity_min: 5, quantity_max: 0, type: 'price', amount: 3.5 }
  await shop.call('POST', '/catalog/products/1/bulk-pricing-rules', rule)
  const choice = await addModifier(shop, 1, 'relative', 1)
  const lines = [
    { product_id: 1, quantity: 2 },
    { product_id: 1, quantity: 2, product_options: [choice] },
    { product_id: 2, quantity: 9 },
  ]
  await v2('POST', '/orders', goods(...lines))
  expect(await unitsOf(v2, 1)).toEqual(['18.5000', '19.5000', '10.0000'])
  // Units with a given price count too, and keep their price.
  const given = { product_id: 1, quantity: 1, price_ex_tax: 50, price_inc_tax: 50 }
  await v2('POST', '/orders', goods(...lines, given))
  expect(await unitsOf(v2, 2)).toEqual(['15.0000', '16.0000', '10.0000', '50.0000'])
})

test('records of a list and their tiers replace the prices of the catalog and its bulk rules', async () => {
  const { shop, v2 } = await openWithGoods()
  await shop.call('POST', '/catalog/products/2/bulk-pricing-rules', {
    quantity_min: 3,
    quantity_max: 0,
    type: 'price',
    amount: 2,
  })
  await shop.call('POST', '/pricelists', { name: 'Trade' })
  await shop.call('POST', '/pricelists/assignments', [{ price_list_id: 1, channel_id: 1 }])
  await shop.call('PUT', '/pricelists/1/records', [
    {
      variant_id: 2,
      currency: 'usd',
      price: 20,
      bulk_pricing_tiers: [{ quantity_min: 4, quantity_max: null, type: 'percent', amount: 10 }],
    },
  ])
  const shirt = (variant_id: number, quantity: number) => ({
    product_id: 2,
    variant_id,
    quantity,
    product_options: [{ id: 1, value: '1' }],
  })
  // The variant with a record doesn't count for the bulk rule, nor the other one for the tier.
  await v2('POST', '/orders', goods(shirt(2, 3), shirt(3, 2)))
  expect(await unitsOf(v2, 1)).toEqual(['20.0000', '25.0000'])
  await v2('POST', '/orders', goods(shirt(2, 2), shirt(3, 3), shirt(2, 2)))
  expect(await unitsOf(v2, 2)).toEqual(['18.0000', '23.0000', '18.0000'])
})

test('replaced and added lines have current prices, others stay', async () => {
  const { shop, v2 } = await openWithProducts(10, 20)
  await addEuro(shop, '0.5')
  await v2('POST', '/orders', { ...goods({ product_id: 1, quantity: 2 }), default_currency_code: 'EUR' })
  await shop.call('PUT', '/catalog/products/1', { price: 99 })
  const euro = (await v2('GET', '/currencies')).body.find(
    ({ currency_code }: { currency_code: string }) => currency_code === 'EUR',
  )
  await v2('PUT', `/currencies/${euro.id}`, { ...euro, currency_exchange_rate: '0.9' })
  await v2('PUT', '/orders/1', { products: [{ id: 1, quantity: 5 }] })
  expect(await unitsOf(v2)).toEqual(['5.0000'])
  // The order keeps its exchange rate, also after the currency is gone.
  expect((await v2('DELETE', `/currencies/${euro.id}`)).status).toBe(204)
  expect((await v2('PUT', '/orders/1', { products: [{ product_id: 2, quantity: 1 }] })).status).toBe(200)
  await v2('PUT', '/orders/1', { products: [{ id: 1, product_id: 2 }] })
  expect(await unitsOf(v2)).toEqual(['10.0000', '10.0000'])
  await v2('PUT', '/orders/1', { products: [custom(1, 1)] })
  expect((await v2('GET', '/orders/1')).body.total_inc_tax).toBe('61.0000')
})

test('a price above the bounds of an amount is refused', async () => {
  const { shop, v2 } = await openWithProducts(99_999_999_999)
  await addEuro(shop, '99999')
  const order = { ...goods({ product_id: 1, quantity: 1 }), default_currency_code: 'EUR' }
  expect(await v2('POST', '/orders', order)).toMatchObject({
    status: 400,
    body: [{ details: { total_inc_tax: 'An order can cost at most 99999999999.' } }],
  })
})
