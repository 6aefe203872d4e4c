import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { openShop, type Shop } from '../../test/shop.ts'

afterEach(() => vi.restoreAllMocks())

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
  const sent: string[] = []
  const query = pg.Client.prototype.query
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [config] = given
    // Texts alone open and close transactions.
    if (typeof config === 'object' && config !== null && 'text' in config) sent.push(String(config.text))
    return Reflect.apply(query, this, given)
  })
  expect((await call('GET', path)).status).toBe(200)
  vi.restoreAllMocks()
  return sent
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
