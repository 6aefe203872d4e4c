import { readFile } from 'node:fs/promises'
import { buildSchema, Kind, type OperationDefinitionNode, parse, print, validate } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../test/fixtures/storefront.ts'

// Every field that the public Next.js shop and the public portal of buyers read is answered without an error.

const source = await readFile(new URL('public-clients.graphql', import.meta.url), 'utf8')
const schema = buildSchema(await readFile(new URL('../schema.graphql', import.meta.url), 'utf8'))
const operations = parse(source).definitions.filter(
  (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
)

let shop: Shop
let token: string
let customer: number
let wishlist: string
let cart: string

async function send(method: string, path: string, body: object, version?: 'v2') {
  const answer = await shop.call(method, path, body, version ? { version } : {})
  expect(answer.status, answer.text).toBeLessThan(300)
  return version ? answer.body : answer.body.data
}

beforeAll(async () => {
  shop = await openShop({ name: 'Public' })
  token = await makeToken(shop, 'impersonation')
  await send('POST', '/catalog/categories', { name: 'Cups', parent_id: 0 })
  for (const name of ['Mug', 'Cup', 'Bowl']) {
    await send('POST', '/catalog/products', {
      name,
      type: 'physical',
      sku: name,
      weight: 1,
      price: 10,
      sale_price: 8,
      brand_name: 'Ferm',
      categories: [1],
      is_featured: true,
      inventory_tracking: 'variant',
      custom_fields: [{ name: 'Glaze', value: 'Sand' }],
      images: [{ image_url: 'https://cdn.example.com/side.png', is_thumbnail: true }],
      variants: ['S', 'L'].map((label) => ({
        sku: `${name}-${label}`,
        inventory_level: 9,
        option_values: [{ option_display_name: 'Size', label }],
      })),
    })
  }
  for (const type of ['text', 'multi_line_text', 'numbers_only_text', 'date', 'checkbox', 'file']) {
    await send('POST', '/catalog/products/1/modifiers', { type, display_name: type, required: false })
  }
  const colours = [{ label: 'Red', sort_order: 0, value_data: { colors: ['#FF0000'] } }]
  const swatch = { type: 'swatch', display_name: 'Colour', required: false, option_values: colours }
  await send('POST', '/catalog/products/1/modifiers', swatch)
  await send('POST', '/catalog/products/1/reviews', {
    title: 'Good',
    text: 'Good',
    name: 'Ann',
    rating: 4,
    status: 'approved',
    date_reviewed: '2026-01-01T00:00:00Z',
  })
  await send('POST', '/content/pages', { name: 'About', type: 'page', body: '<p>About</p>' })
  const post = { title: 'News', body: '<p>News</p>', tags: ['a'], is_published: true, published_date: '2026-01-01' }
  await send('POST', '/blog/posts', post, 'v2')
  const person = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }
  customer = (await send('POST', '/customers', [person]))[0].id
  const place = { address1: '1', city: 'Berlin', country_code: 'DE', state_or_province: 'Berlin', postal_code: '10115' }
  await send('POST', '/customers/addresses', [{ customer_id: customer, first_name: 'Ann', last_name: 'Lee', ...place }])
  const items = [{ product_id: 1 }]
  wishlist = (await send('POST', '/wishlists', { customer_id: customer, name: 'W', is_public: true, items })).token
  const { data: variants } = (await shop.call('GET', '/catalog/variants?sku=Cup-S')).body
  const lines = [{ quantity: 1, product_id: 2, variant_id: variants[0].id }]
  cart = (await send('POST', '/carts', { customer_id: customer, line_items: lines })).id
})

/** The values of variables, by their names. */
const values = (): Record<string, unknown> => ({
  productId: 1,
  entityId: 1,
  entityIds: [1, 2],
  sku: 'Mug',
  path: '/mug/',
  id: Buffer.from('Product:1').toString('base64'),
  token: wishlist,
  first: 5,
  after: '',
  currencyCode: 'USD',
  cartId: cart,
  code: 'NONE',
  filter: { entityId: 1 },
  filters: {},
  useDefaultOptionSelections: true,
})

test.each(operations.map((operation) => [operation.name?.value ?? '', operation] as const))(
  '%s is answered to a customer and to a guest',
  async (name, operation) => {
    const document = { kind: Kind.DOCUMENT, definitions: [operation] } as const
    expect(validate(schema, document).map(({ message }) => message)).toEqual([])
    const declared = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
    const known = values()
    const own: Readonly<Record<string, object>> = {
      SiteSearch: { filters: { searchTerm: 'm' } },
      SiteCart: { entityId: cart },
    }
    const variables = Object.fromEntries(
      Object.entries({ ...known, ...own[name] }).filter(([key]) => declared.includes(key)),
    )
    for (const headers of [{ 'x-svc-customer-id': String(customer) }, {}] as Record<string, string>[]) {
      const { status, body } = await askStorefront(shop, { token, query: print(document), variables, headers })
      expect([status, body.errors], name).toEqual([200, undefined])
      if (!name.startsWith('Customer')) expect(JSON.stringify(body.data).length, name).toBeGreaterThan(20)
    }
  },
)
