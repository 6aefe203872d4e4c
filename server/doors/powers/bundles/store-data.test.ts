import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleParts, contentOf, exportTo, made, png } from '../../../test/fixtures/content/bundles.ts'
import { form, openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { openBundle, type StoreBundle } from './bundle.ts'
import { importInto } from './store-bundles.ts'

// Bundles with data beside the catalog: promotions, shipping, contents, settings, e-mails and orders.

const parts = await bundleParts()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-store-data-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const exported = async (shop: Shop) => openBundle(await exportTo(folder, shop))

/** Imports into a shop whose ids differ from those of the bundle. */
async function imported(bundle: StoreBundle) {
  const shop = await openShop({ isTest: true })
  await made(shop, 'POST /catalog/products', { name: 'To shift ids', type: 'physical', weight: 1, price: 1 })
  await made(shop, 'POST /customers', [{ email: 'shift@example.com', first_name: 'To', last_name: 'Shift' }])
  const report = await importInto(parts, await dbOf(shop), bundle, { overData: true })
  await shop.call('DELETE', '/catalog/products?name=To shift ids')
  await shop.call('DELETE', '/customers?id:in=1')
  return { shop, report }
}

async function catalogOf(shop: Shop) {
  const brand = await made(shop, 'POST /catalog/brands', { name: 'Umbra' })
  const product = await made(shop, 'POST /catalog/products?include=variants', {
    name: 'Lamp',
    type: 'physical',
    weight: 1,
    price: 20,
    brand_id: brand.id,
    inventory_tracking: 'variant',
    variants: ['S', 'L'].map((label) => ({
      sku: `LAMP-${label}`,
      inventory_level: 10,
      option_values: [{ option_display_name: 'Size', label }],
    })),
  })
  const modifier = await made(shop, `POST /catalog/products/${product.id}/modifiers`, {
    display_name: 'Bulb',
    type: 'dropdown',
    required: true,
    option_values: [{ label: 'Warm', sort_order: 0 }],
  })
  const customers = await made(shop, 'POST /customers', [
    { email: 'bo@example.com', first_name: 'Bo', last_name: 'Ek' },
    { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' },
  ])
  return { brand, product, modifier, customer: customers[1] }
}

test('promotions, coupons, segments and shipping keep the rows that they name', async () => {
  const shop = await openShop({ isTest: true })
  const { brand, product, customer } = await catalogOf(shop)
  const group = await made(shop, 'POST /customer_groups', { name: 'Trade' }, 'v2')
  await made(shop, 'POST /segments', [{ name: 'Late' }])
  const [segment] = await made(shop, 'POST /segments', [{ name: 'Early', description: 'First in line' }])
  const [profile] = await made(shop, 'POST /shopper-profiles', [{ customer_id: customer.id }])
  await made(shop, `POST /segments/${segment.id}/shopper-profiles`, [profile.id])
  const zone = await made(
    shop,
    'POST /shipping/zones',
    {
      name: 'Denmark',
      type: 'country',
      locations: [{ country_iso2: 'DK' }],
      free_shipping: { enabled: true, minimum_sub_total: '50' },
      handling_fees: { percentage_surcharge: '5' },
    },
    'v2',
  )
  const method = await made(
    shop,
    `POST /shipping/zones/${zone.id}/methods`,
    {
      name: 'By weight',
      type: 'weight',
      settings: { default_cost: null, range: [{ lower_limit: 0, upper_limit: 5, shipping_cost: 7 }] },
      handling_fees: { fixed_surcharge: '1' },
      is_fallback: true,
    },
    'v2',
  )
  await made(shop, 'PUT /shipping/products/customs-information', [
    {
      product_id: product.id,
      country_of_origin: 'DK',
      commodity_description: 'A lamp',
      international_shipping: true,
      hs_codes: { ALL: '940520' },
    },
  ])
  const promotion = await made(shop, 'POST /promotions', {
    redemption_type: 'COUPON',
    name: 'Early lamps',
    rules: [
      {
        action: {
          cart_items: {
            discount: { percentage_amount: '10' },
            items: { and: [{ brands: [brand.id] }, { not: { variants: [product.variants[1].id] } }] },
          },
        },
        condition: { cart: { items: { products: [product.id] }, minimum_quantity: 2 } },
      },
      { action: { shipping: { free_shipping: true, zone_ids: [zone.id] } } },
      { action: { gift_item: { variant_id: product.variants[0].id, quantity: 1 } } },
    ],
    channels: [{ id: 1 }],
    customer: { group_ids: [group.id], segments: { and: [{ id: [segment.id] }] } },
    max_uses: 5,
    end_date: '2099-01-01T00:00:00+00:00',
    schedule: { week_frequency: 1, week_days: ['Monday'], daily_start_time: '08:00:00', daily_end_time: '20:00:00' },
  })
  await made(shop, `POST /promotions/${promotion.id}/codes`, { code: 'EARLY', max_uses_per_customer: 1 })
  await made(shop, 'POST /promotions', {
    redemption_type: 'AUTOMATIC',
    name: 'All zones',
    rules: [{ action: { shipping: { free_shipping: true, zone_ids: '*' } } }],
  })
  await made(
    shop,
    'POST /coupons',
    {
      name: 'Lamps',
      code: 'LAMPS',
      type: 'free_shipping',
      amount: '0',
      applies_to: { entity: 'products', ids: [product.id] },
      shipping_methods: [String(method.id)],
      expires: 'Tue, 14 Nov 2028 22:13:20 +0000',
    },
    'v2',
  )

  const bundle = await exported(shop)
  const content = await contentOf(bundle)
  expect(content.promotions?.[0]).toMatchObject({
    rules: [
      {
        action: { cart_items: { items: { and: [{ brands: ['brands 0'] }, { not: { variants: ['variants 0 1'] } }] } } },
      },
      {},
      {},
    ],
    customer: { group_ids: ['customer-groups 0'], segments: { and: [{ id: ['segments 1'] }] } },
  })
  const { shop: other, report } = await imported(bundle)
  expect(report).toMatchObject({
    refused: [],
    dropped: {},
    rows: { promotions: 2, 'promotion-codes': 1, coupons: 1, segments: 2, 'segment-members': 1, 'shipping-methods': 1 },
  })
  expect(await contentOf(await exported(other))).toEqual(content)

  // A promotion for some customers is never one for all.
  const alone = await openShop({ isTest: true })
  const some = await importInto(parts, await dbOf(alone), bundle, { areas: ['promotions'] })
  expect(some.rows).toMatchObject({ promotions: 1 })
  expect(some.refused).toContainEqual({
    kind: 'promotions',
    id: String(promotion.id),
    status: 0,
    reason: `It needs a row that is not in the store (channels[].id: 1).`,
  })
})

test('contents, settings and templates are those of the store and of its channels', async () => {
  const shop = await openShop({ isTest: true })
  const { product, brand } = await catalogOf(shop)
  const channel = await made(shop, 'POST /channels', {
    name: 'Second',
    type: 'storefront',
    platform: 'custom',
    status: 'active',
  })
  const template = await made(shop, 'POST /content/widget-templates', { name: 'Hi', template: '<p>{{name}}</p>' })
  const widget = await made(shop, 'POST /content/widgets', {
    name: 'Greeting',
    widget_template_uuid: template.uuid,
    widget_configuration: { name: 'Ann' },
  })
  await made(shop, 'POST /content/placements', {
    widget_uuid: widget.uuid,
    template_file: 'pages/product',
    entity_id: String(product.id),
    region: 'top',
    status: 'active',
  })
  await made(shop, 'PUT /storefront/redirects', [
    { from_path: '/old', site_id: 1_000, to: { type: 'product', entity_id: product.id } },
    { from_path: '/away', site_id: 1_000, to: { type: 'url', url: '/new' } },
  ])
  await made(shop, 'POST /sites/1000/routes', { type: 'brand', matching: String(brand.id), route: '/umbra' })
  await made(shop, 'PUT /storefront/custom-template-associations', [
    { channel_id: 1, entity_type: 'product', entity_id: product.id, file_name: 'lamp.html' },
  ])
  await made(shop, 'PUT /settings/storefront/seo', { page_title: 'Lamps', meta_keywords: 'light' })
  await made(shop, `PUT /settings/storefront/product?channel_id=${channel.id}`, {
    ...(await shop.call('GET', '/settings/storefront/product')).body.data,
    show_product_sku: false,
  })
  await made(shop, 'PUT /settings/search/filters', [
    { ...(await shop.call('GET', '/settings/search/filters')).body.data[1], display_name: 'Maker' },
  ])
  await made(shop, 'PUT /settings/analytics/1', { code: 'G-0123456789', enabled: true })
  const upload = form('LogoFile', 'logo.png', png(3))
  expect((await shop.call('POST', '/settings/logo/image', undefined, upload)).status).toBe(204)
  const favicon = form('FaviconFile', 'favicon.png', png(4))
  expect((await shop.call('POST', '/settings/favicon/image', undefined, favicon)).status).toBe(204)
  await made(shop, 'PUT /settings/logo', { type: 'image', logo_text: 'Lamps' })
  await shop.call('PUT', '/orders/settings', {
    notifications: { order_placed: { email_addresses: ['office@example.com'] } },
  })
  await made(shop, `PUT /carts/settings/channels/${channel.id}`, { allow_purchasing: false })
  await made(shop, 'PUT /marketing/email-templates/invoice_email', { body: '<p>Thanks</p>', subject: 'Thanks' })
  await made(shop, `PUT /marketing/email-templates/createaccount_email?channel_id=${channel.id}`, {
    body: '<p>Hello</p>',
    subject: 'Hello',
  })
  await made(shop, 'POST /store/metafields', [{ key: 'k', value: 'v', namespace: 'n', permission_set: 'read' }])

  const bundle = await exported(shop)
  const content = await contentOf(bundle)
  const { shop: other, report } = await imported(bundle)
  expect(report).toMatchObject({ refused: [], dropped: {} })
  expect(report.rows).toMatchObject({ widgets: 1, placements: 1, redirects: 2, 'site-routes': 1, templates: 12 })
  expect(await contentOf(await exported(other))).toEqual(content)
  const logo = (await other.call('GET', '/settings/logo')).body.data
  expect(logo).toMatchObject({ type: 'image', logo_text: 'Lamps', logo_image_url: expect.stringContaining('/files/') })
  expect(logo.favicon_url).toContain('/files/')
  // Templates that are those of the server follow it: only the changed one is stored.
  expect((await rowsOf(other, 'email_templates')).length).toBe((await rowsOf(shop, 'email_templates')).length)
})

test('orders keep their lines, totals, shipments and status, and move no stock', async () => {
  const shop = await openShop({ isTest: true })
  const { product, modifier, customer } = await catalogOf(shop)
  const [value] = modifier.option_values
  const billing_address = {
    first_name: 'Ann',
    last_name: 'Lee',
    zip: '1051',
    country_iso2: 'DK',
    email: 'ann@example.com',
  }
  const order = await made(
    shop,
    'POST /orders',
    {
      customer_id: customer.id,
      status_id: 11,
      date_created: '2026-01-02T03:04:05Z',
      staff_notes: 'Handle with care',
      discount_amount: 3,
      shipping_cost_ex_tax: 8,
      shipping_cost_inc_tax: 10,
      billing_address,
      shipping_addresses: [{ ...billing_address, street_1: 'Nyhavn 1', shipping_method: 'Courier' }],
      products: [
        {
          product_id: product.id,
          variant_id: product.variants[1].id,
          quantity: 2,
          price_ex_tax: 16,
          price_inc_tax: 20,
          product_options: [{ id: modifier.id, value: String(value.id) }],
        },
        { name: 'Engraving', quantity: 1, price_ex_tax: 4, price_inc_tax: 5 },
      ],
      fees: [{ display_name_customer: 'Gift box', cost_ex_tax: 4, cost_inc_tax: 5 }],
    },
    'v2',
  )
  const lines = (await shop.call('GET', `/orders/${order.id}/products`, undefined, { version: 'v2' })).body
  await made(
    shop,
    `POST /orders/${order.id}/shipments`,
    { tracking_number: '1Z', shipping_provider: 'ups', items: [{ order_product_id: lines[0].id, quantity: 1 }] },
    'v2',
  )
  await made(shop, `PUT /orders/${order.id}`, { status_id: 13 }, 'v2')
  // Its product is gone, and its options with it.
  const gone = await made(shop, 'POST /catalog/products', { name: 'Gone', type: 'physical', weight: 1, price: 9 })
  const line = { product_id: gone.id, quantity: 1, price_ex_tax: 9, price_inc_tax: 9 }
  await made(shop, 'POST /orders', { status_id: 10, billing_address, products: [line] }, 'v2')
  await shop.call('DELETE', `/catalog/products?id:in=${gone.id}`)
  const [location] = (await shop.call('GET', '/inventory/locations')).body.data
  const [pickup] = await made(shop, 'POST /pickup/methods', [
    {
      location_id: location.id,
      display_name: 'At the counter',
      collection_instructions: '',
      collection_time_description: '',
    },
  ])
  await made(
    shop,
    'POST /orders',
    {
      status_id: 8,
      billing_address,
      consignments: {
        pickups: [
          {
            pickup_method_id: pickup.id,
            line_items: [{ name: 'Poster', quantity: 3, price_ex_tax: 4, price_inc_tax: 5 }],
          },
        ],
      },
    },
    'v2',
  )
  await made(shop, `POST /orders/${order.id}/metafields`, {
    key: 'k',
    value: 'v',
    namespace: 'n',
    permission_set: 'read',
  })

  const bundle = await exported(shop)
  const content = await contentOf(bundle)
  const { shop: other, report } = await imported(bundle)
  expect(report).toMatchObject({ refused: [], rows: { orders: 3, shipments: 1, 'order-metafields': 1 } })
  expect(report.dropped).toEqual({ 'orders.products[].product_id': 1, 'orders.products[].variant_id': 1 })
  const again = await contentOf(await exported(other))
  const [first, second, third] = content.orders ?? []
  expect(again.orders).toEqual([
    first,
    { ...Object(second), products: [expect.objectContaining({ name: 'Gone' })] },
    third,
  ])
  expect(again).toEqual({ ...content, orders: again.orders })

  const [there] = (await other.call('GET', '/orders', undefined, { version: 'v2' })).body
  expect(there).toMatchObject({
    status_id: 13,
    external_source: 'M-MIG',
    date_created: 'Fri, 02 Jan 2026 03:04:05 +0000',
    items_shipped: 1,
    total_inc_tax: order.total_inc_tax,
    total_ex_tax: order.total_ex_tax,
  })
  const levels = async (of: Shop) =>
    (await of.call('GET', '/catalog/variants?include_fields=sku,inventory_level')).body.data.filter(
      ({ sku }: { sku: string }) => sku.startsWith('LAMP'),
    )
  const withoutIds = (rows: { sku: string; inventory_level: number }[]) =>
    rows.map(({ sku, inventory_level }) => [sku, inventory_level])
  expect(withoutIds(await levels(other))).toEqual(withoutIds(await levels(shop)))
  expect(await rowsOf(other, 'owed_emails')).toEqual([])
})
