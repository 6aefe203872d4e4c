import { expect, test } from 'vitest'
import { overhear } from '../../test/overhear.ts'
import { openShop, type Shop } from '../../test/shop.ts'

/** A shop with as many products, each with two variants, a picture and a custom field. */
async function openMugs(count: number): Promise<Shop> {
  const shop = await openShop()
  const mug = (n: number) => ({
    name: `Mug ${n}`,
    type: 'physical',
    weight: 1,
    price: 10,
    variants: ['S', 'L'].map((label) => ({
      sku: `M-${n}-${label}`,
      option_values: [{ option_display_name: 'Size', label }],
    })),
    images: [{ image_url: 'https://cdn.example.com/mug.png' }],
    custom_fields: [{ name: 'Glaze', value: 'Sand' }],
  })
  await shop.call(
    'POST',
    '/catalog/products',
    Array.from({ length: count }, (_, i) => mug(i + 1)),
  )
  return shop
}

/** The statements that a request sends, once its account is known and its statements are prepared. */
async function statementsOf({ call }: Shop, path: string): Promise<string[]> {
  await call('GET', path)
  const heard = overhear()
  expect((await call('GET', path)).status).toBe(200)
  heard.stop()
  // Walls drop their rows.
  return heard.statements.filter(({ dropsRows, values }) => !dropsRows && values.length > 0).map(({ text }) => text)
}

test('a product with its variants, images and custom fields is read by four statements', async () => {
  const sent = await statementsOf(await openMugs(1), '/catalog/products/1?include=variants,images,custom_fields')
  expect(sent.map((text) => / from "?(\w+)"?/.exec(text)?.[1]).sort()).toEqual([
    'custom_fields',
    'product_images',
    'products',
    'variants',
  ])
})

test('a page of products with their parts takes as many statements as one product', async () => {
  const path = '/catalog/products?include=variants,images,custom_fields,bulk_pricing_rules,videos,reviews,channels'
  const [few, many] = [await statementsOf(await openMugs(1), path), await statementsOf(await openMugs(40), path)]
  expect([few.length, many.length]).toEqual([8, 8])
})
