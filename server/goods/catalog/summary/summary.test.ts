import { expect, test } from 'vitest'
import { openShop } from '../../../test/fixtures/shop.ts'

test('the summary of a store without products is all zeros and blanks', async () => {
  const { call } = await openShop()
  expect((await call('GET', '/catalog/summary')).body).toEqual({
    data: {
      inventory_count: 0,
      inventory_value: 0,
      primary_category_id: 0,
      primary_category_name: '',
      variant_count: 0,
      highest_variant_price: 0,
      average_variant_price: 0,
      lowest_variant_price: '0',
      oldest_variant_date: '',
      newest_variant_date: '',
    },
    meta: {},
  })
})

test('the summary counts variants, their stock and its value, and names the category with most products', async () => {
  const { call } = await openShop()
  const [cups, mugs] = [
    await call('POST', '/catalog/categories', { parent_id: 0, name: 'Cups' }),
    await call('POST', '/catalog/categories', { parent_id: 0, name: 'Mugs' }),
  ].map(({ body }) => body.data.id)
  const product = { type: 'physical', weight: 1 }
  await call('POST', '/catalog/products', [
    { ...product, name: 'Cup', price: 10, inventory_level: 3, categories: [cups, mugs] },
    {
      ...product,
      name: 'Mug',
      price: 20,
      categories: [mugs],
      variants: [
        { sku: 'M-S', price: 17.5, inventory_level: 2, option_values: [{ option_display_name: 'Size', label: 'S' }] },
        { sku: 'M-L', option_values: [{ option_display_name: 'Size', label: 'L' }] },
      ],
    },
  ])
  const { body } = await call('GET', '/catalog/products/1')
  const day = body.data.date_created.slice(0, 10)
  expect((await call('GET', '/catalog/summary')).body.data).toEqual({
    inventory_count: 5,
    inventory_value: 65,
    primary_category_id: mugs,
    primary_category_name: 'Mugs',
    variant_count: 3,
    highest_variant_price: 20,
    average_variant_price: 15.8333,
    lowest_variant_price: '10',
    oldest_variant_date: day,
    newest_variant_date: day,
  })
})
