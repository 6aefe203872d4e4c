import { readFile } from 'node:fs/promises'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../test/fixtures/storefront.ts'
import { globalId } from './fields/global-ids.ts'
import { NOT_BUILT } from './not-built.ts'

// Every field that is answered is asked for: by its owner without an error, by another store, by another customer and by a guest. The
// operations follow from the schema, so a new field is covered without a change here.

const schema = buildSchema(await readFile(new URL('schema.graphql', import.meta.url), 'utf8'))
const notBuilt = new Set<string>(NOT_BUILT.flatMap(({ fields }): readonly string[] => fields))

/** Words that only the first store has, in the catalog and in the account of its first customer. */
const [ITS_OWN, PRIVATE] = ['Zanzibar', 'Quagga']

/** The values of arguments that a field needs, or without which it finds nothing. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  'Query.node': `id: "${globalId('Product', 1)}"`,
  'Site.product': 'entityId: 1',
  'SearchQueries.searchProducts': 'filters: {}',
  'Site.route': 'path: "/zanzibar-old/", redirectBehavior: FOLLOW',
  'Content.renderedRegionsByPageType': 'pageType: HOME',
  'Content.renderedRegionsByPageTypeAndEntityId': 'entityPageType: PRODUCT, entityId: 1',
  'Site.publicWishlist': 'token: "$TOKEN"',
  'Site.giftCertificate': 'code: "ZANZIBAR-10"',
  entityId: '1',
  categoryEntityId: '1',
  brandEntityId: '1',
  namespace: '"n"',
  depth: '5',
  width: '10',
  currencyCode: 'USD',
}

function argumentsOf(type: GraphQLObjectType, { name, args }: GraphQLField<unknown, unknown>): string {
  const known = ARGUMENTS[`${type.name}.${name}`]
  const given =
    known ??
    args
      .filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)
      .map(valueOfArgument)
      .join(', ')
  return given === '' ? '' : `(${given})`
}

function valueOfArgument({ name }: { name: string }): string {
  const value = ARGUMENTS[name]
  if (value === undefined) throw new Error(`The test has no value for the argument ${name}.`)
  return `${name}: ${value}`
}

/** An operation for each reachable object type, which asks for all of its fields. */
function operations(): Map<string, string> {
  const query = schema.getQueryType()
  if (!query) throw new Error('The schema has no queries.')
  const found = new Map<string, string>()
  const queue: { type: GraphQLObjectType; wrap(selection: string): string }[] = [
    { type: query, wrap: (selection) => `{ ${selection} }` },
  ]
  for (const { type, wrap } of queue) {
    if (found.has(type.name)) continue
    const fields = Object.values(type.getFields()).filter(({ name }) => !notBuilt.has(`${type.name}.${name}`))
    const selections = fields.map((field) => {
      const below = getNamedType(field.type)
      const begin = `${field.name}${argumentsOf(type, field)}`
      for (const each of isAbstractType(below) ? schema.getPossibleTypes(below) : isObjectType(below) ? [below] : []) {
        queue.push({
          type: each,
          wrap: (selection) => wrap(`${begin} { __typename ... on ${each.name} { ${selection} } }`),
        })
      }
      return isCompositeType(below) ? `${begin} { __typename }` : begin
    })
    found.set(type.name, wrap(['__typename', ...selections].join(' ')))
  }
  return found
}

let shop: Shop
let other: Shop
let token: string
const customers: number[] = []

async function send(to: Shop, method: string, path: string, body: object) {
  const answer = await to.call(method, path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

const choices = (type: string, more: object = {}) => ({
  type,
  display_name: `${ITS_OWN} ${type}`,
  required: false,
  ...more,
})

beforeAll(async () => {
  ;[shop, other] = [await openShop({ name: ITS_OWN }), await openShop({ name: 'Other' })]
  const post = (path: string, body: object) => send(shop, 'POST', path, body)
  await post('/catalog/categories', { name: ITS_OWN, parent_id: 0, description: ITS_OWN })
  const values = (...labels: string[]) => labels.map((label, i) => ({ label: `${ITS_OWN} ${label}`, sort_order: i }))
  await post('/catalog/products', {
    name: `${ITS_OWN} mug`,
    type: 'physical',
    weight: 1,
    price: 10,
    sale_price: 8,
    retail_price: 12,
    map_price: 7,
    description: ITS_OWN,
    warranty: ITS_OWN,
    brand_name: ITS_OWN,
    categories: [1],
    is_featured: true,
    inventory_tracking: 'variant',
    custom_fields: [{ name: ITS_OWN, value: ITS_OWN }],
    images: [{ image_url: 'https://cdn.example.com/zanzibar.png', description: ITS_OWN, is_thumbnail: true }],
    videos: [{ title: ITS_OWN, video_id: 'z3fRu9pkuXE' }],
    bulk_pricing_rules: [{ quantity_min: 2, quantity_max: 0, type: 'percent', amount: 10 }],
    variants: ['S', 'L'].map((label) => ({
      sku: `${ITS_OWN}-${label}`,
      inventory_level: 4,
      option_values: [{ option_display_name: `${ITS_OWN} size`, label }],
    })),
  })
  await post('/catalog/products', { name: `${ITS_OWN} plate`, type: 'physical', weight: 1, price: 3, categories: [1] })
  for (const modifier of [
    choices('text'),
    choices('multi_line_text'),
    choices('numbers_only_text'),
    choices('date'),
    choices('file'),
    choices('checkbox', {
      config: { checkbox_label: ITS_OWN },
      option_values: [
        { label: 'Yes', value_data: { checked_value: true } },
        { label: 'No', value_data: { checked_value: false } },
      ],
    }),
    choices('dropdown', { option_values: values('a', 'b') }),
    choices('swatch', {
      option_values: values('red').map((value) => ({ ...value, value_data: { colors: ['#FF0000'] } })),
    }),
    choices('product_list', {
      option_values: values('plate').map((value) => ({ ...value, value_data: { product_id: 2 } })),
    }),
  ]) {
    await post('/catalog/products/1/modifiers', modifier)
  }
  await post('/catalog/products/1/reviews', {
    title: ITS_OWN,
    text: ITS_OWN,
    name: ITS_OWN,
    rating: 4,
    status: 'approved',
    date_reviewed: '2026-01-01T00:00:00Z',
  })
  const about = await post('/content/pages', {
    name: `${ITS_OWN} page`,
    type: 'page',
    body: ITS_OWN,
    meta_title: ITS_OWN,
  })
  const below = { parent_id: about.id }
  await post('/content/pages', { name: `${ITS_OWN} data`, type: 'raw', body: ITS_OWN, ...below })
  await post('/content/pages', {
    name: `${ITS_OWN} form`,
    type: 'contact_form',
    body: ITS_OWN,
    contact_fields: 'rma',
    ...below,
  })
  await post('/content/pages', { name: `${ITS_OWN} link`, type: 'link', link: 'https://zanzibar.example/', ...below })
  await post('/content/scripts', {
    name: ITS_OWN,
    src: 'https://zanzibar.example/a.js',
    integrity_hashes: ['sha256-abc='],
  })
  await post('/content/scripts', { name: ITS_OWN, html: `<script>/*${ITS_OWN}*/</script>`, kind: 'script_tag' })
  for (const [page, item_id] of [
    ['home_page', '0'],
    ['search_page', '0'],
    ['category_page', '1'],
    ['brand_page', '1'],
  ]) {
    const banner = { name: ITS_OWN, content: ITS_OWN, page, item_id, location: 'top', date_type: 'always' }
    expect((await shop.call('POST', '/banners', banner, { version: 'v2' })).status).toBe(200)
  }
  const article = {
    title: ITS_OWN,
    body: ITS_OWN,
    tags: [ITS_OWN],
    author: ITS_OWN,
    is_published: true,
    published_date: '2020-01-01T00:00:00Z',
    thumbnail_path: 'https://cdn.example.com/zanzibar.png',
  }
  expect((await shop.call('POST', '/blog/posts', article, { version: 'v2' })).status).toBe(200)
  const metafield = { key: 'k', value: ITS_OWN, namespace: 'n', permission_set: 'read_and_sf_access' }
  const { data: variants } = (await shop.call('GET', '/catalog/variants')).body
  for (const path of ['products/1', 'brands/1', 'categories/1', `variants/${variants[0].id}`]) {
    if (path.startsWith('variants')) await post(`/catalog/products/1/${path}/metafields`, metafield)
    else await post(`/catalog/${path}/metafields`, metafield)
  }
  const coordinates = { latitude: 30.2672, longitude: -97.7431 }
  await post('/inventory/locations', [
    {
      code: 'zanzibar',
      label: `${ITS_OWN} depot`,
      description: ITS_OWN,
      address: {
        address1: ITS_OWN,
        city: 'Austin',
        state: 'TX',
        zip: '78701',
        email: 'a@example.com',
        geo_coordinates: coordinates,
        country_code: 'US',
      },
      special_hours: [{ label: ITS_OWN, date: '2026-12-25', open: false }],
    },
  ])
  const depots = await shop.call('GET', '/inventory/locations?location_code:in=zanzibar')
  await post(`/inventory/locations/${depots.body.data[0].id}/metafields`, metafield)
  await send(shop, 'PUT', '/storefront/redirects', [
    { from_path: '/zanzibar-old/', site_id: 1_000, to: { type: 'product', entity_id: 1 } },
  ])
  await send(shop, 'PUT', '/settings/form-fields', {
    customer: [
      { name: `${PRIVATE} pets`, type: 'checkboxes', options: [PRIVATE, 'Dog'] },
      { name: `${PRIVATE} text`, type: 'text' },
    ],
    address: [{ name: `${PRIVATE} gate`, type: 'text' }],
  })
  const certificate = {
    code: 'ZANZIBAR-10',
    amount: '10',
    status: 'active',
    to_name: ITS_OWN,
    to_email: 'a@example.com',
  }
  const from = { from_name: ITS_OWN, from_email: 'b@example.com' }
  const sold = await shop.call('POST', '/gift_certificates', { ...certificate, ...from }, { version: 'v2' })
  expect(sold.status, sold.text).toBeLessThan(300)
  const { id: attribute_id } = (await post('/customers/attributes', [{ name: 'Shoe size', type: 'string' }]))[0]
  for (const to of [shop, other]) {
    const people = await send(to, 'POST', '/customers', [
      { email: 'one@example.com', first_name: to === shop ? PRIVATE : 'One', last_name: 'Lee' },
      { email: 'two@example.com', first_name: 'Two', last_name: 'Lee' },
    ])
    if (to === shop) customers.push(...people.map(({ id }: { id: number }) => id))
  }
  const [customer_id] = customers
  const place = { country_code: 'DE', city: 'Berlin', state_or_province: 'Berlin', postal_code: '10115' }
  await post('/customers/addresses', [
    {
      customer_id,
      first_name: PRIVATE,
      last_name: 'L',
      address1: PRIVATE,
      ...place,
      form_fields: [{ name: `${PRIVATE} gate`, value: PRIVATE }],
    },
  ])
  await send(shop, 'PUT', '/customers/form-field-values', [
    { customer_id, name: `${PRIVATE} pets`, value: [PRIVATE] },
    { customer_id, name: `${PRIVATE} text`, value: PRIVATE },
  ])
  await send(shop, 'PUT', '/customers/attribute-values', [{ customer_id, attribute_id, value: PRIVATE }])
  await post(`/customers/${customer_id}/metafields`, { ...metafield, value: PRIVATE })
  const list = await post('/wishlists', {
    customer_id,
    name: PRIVATE,
    is_public: true,
    items: [{ product_id: 1, variant_id: variants[0].id }, { product_id: 2 }],
  })
  token = list.token
})

/** Sends an operation as a customer, by a server. @param customer undefined for a guest */
async function askAs(to: Shop, bearer: string, customer: number | undefined, query: string) {
  return askStorefront(to, {
    token: bearer,
    query: query.replace('$TOKEN', token),
    headers: customer === undefined ? {} : { 'x-svc-customer-id': String(customer) },
  })
}

test('each field that is built is answered without an error, and belongs to its store and its customer', async () => {
  const [bearer, foreign] = [await makeToken(shop, 'impersonation'), await makeToken(other, 'impersonation')]
  const [one, two] = customers
  const all = operations()
  const answers: string[] = []
  for (const [type, query] of all) {
    const own = await askAs(shop, bearer, one, query)
    expect([own.status, own.body.errors], `${type}: ${query}`).toEqual([200, undefined])
    answers.push(JSON.stringify(own.body.data))
    const abroad = await askAs(other, foreign, 1, query)
    expect([abroad.status, abroad.body.errors], `${type}: ${query}`).toEqual([200, undefined])
    expect(JSON.stringify(abroad.body.data), `${type} of another store: ${query}`).not.toMatch(/zanzibar|quagga/i)
    if (!query.startsWith('{ customer')) continue
    const stranger = await askAs(shop, bearer, two, query)
    expect([stranger.status, stranger.body.errors], `${type}: ${query}`).toEqual([200, undefined])
    expect(JSON.stringify(stranger.body.data), `${type} of another customer: ${query}`).not.toMatch(/quagga/i)
    expect((await askAs(shop, bearer, undefined, query)).body, `${type} of a guest: ${query}`).toEqual({
      data: { customer: null },
    })
  }
  // The words are in the answers of their owner, so their absence elsewhere means something.
  expect(answers.filter((answer) => answer.includes(ITS_OWN)).length).toBeGreaterThan(20)
  expect(answers.filter((answer) => answer.includes(PRIVATE)).length).toBeGreaterThan(4)
  expect(all.size).toBeGreaterThan(100)
})
