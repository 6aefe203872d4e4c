import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { onlyPage, problem } from '../../test/document/expected.ts'
import { copyProduct } from '../../test/fixtures/many/products.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { doJobs } from '../../test/harness/jobs.ts'
import { recountRunner } from './locations/stock-of-locations.ts'

// docs/contract/inventory.md sections 1, 2 and 5.

const transaction = { transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }
const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5, sku: 'MUG' }
const variants = (name: string, ...levels: (number | undefined)[]) =>
  levels.map((inventory_level, i) => ({
    sku: `${name}-${i + 1}`,
    option_values: [{ option_display_name: 'Size', label: `${i + 1}` }],
    ...(inventory_level === undefined ? {} : { inventory_level }),
  }))
const unsaid = { safety_stock: 0, is_in_stock: true, warning_level: 0, bin_picking_number: '' }

const change = async ({ call }: Shop, location: number, ...settings: object[]) => {
  const { status, body } = await call('PUT', `/inventory/locations/${location}/items`, { settings })
  return { status, body }
}
const set = ({ call }: Shop, ...items: object[]) => call('PUT', '/inventory/adjustments/absolute', { items })
const product = async ({ call }: Shop, path: string) => (await call('GET', `/catalog/products/${path}`)).body.data

/**
 * A store with three locations, the third disabled, and four products: 1 without options (base variant 1), 2 tracked by
 * variants 2 and 3, 3 tracked by itself (variants 4 and 5), 4 untracked (variant 6).
 */
async function openStocked(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/inventory/locations', [
    { label: 'Two', code: 'Two', type_id: 'VIRTUAL' },
    { label: 'Three', type_id: 'VIRTUAL' },
  ])
  await shop.call('POST', '/catalog/products', [
    { ...mug, inventory_tracking: 'product', inventory_level: 9, inventory_warning_level: 2, bin_picking_number: 'A' },
    { ...mug, name: 'Bowl', sku: 'BOWL', inventory_tracking: 'variant', variants: variants('B', 4, undefined) },
    { ...mug, name: 'Plate', sku: 'PLATE', inventory_tracking: 'product', variants: variants('P', undefined, 7) },
    { ...mug, name: 'Cup', sku: 'CUP', inventory_level: 5, variants: variants('C', 8) },
  ])
  await set(
    shop,
    { location_id: 2, product_id: 1, quantity: 3 },
    { location_id: 3, variant_id: 3, quantity: 6 },
    { location_id: 2, product_id: 3, quantity: 1 },
  )
  await shop.call('PUT', '/inventory/locations', [{ id: 3, enabled: false }])
  return shop
}

describe('lists', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openStocked()
    await change(shop, 2, { identity: { sku: 'MUG' }, safety_stock: 1, warning_level: 4, bin_picking_number: 'Z-1' })
  })

  const at = (location_id: number, on_hand: number, more: object = {}) => ({
    location_id,
    location_code: ['', 'SVC-LOCATION-1', 'Two', 'LOC-3'][location_id],
    location_name: ['', 'Default location', 'Two', 'Three'][location_id],
    available_to_sell: on_hand,
    total_inventory_onhand: on_hand,
    location_enabled: location_id < 3,
    settings: unsaid,
    ...more,
  })

  test('show items of tracked products, each with its locations', async () => {
    const { status, body } = await shop.call('GET', '/inventory/items')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: [
          {
            identity: { sku: 'MUG', product_id: 1, variant_id: 1 },
            locations: [
              at(1, 9, { settings: { ...unsaid, warning_level: 2, bin_picking_number: 'A' } }),
              at(2, 3, {
                available_to_sell: 2,
                settings: { safety_stock: 1, is_in_stock: true, warning_level: 4, bin_picking_number: 'Z-1' },
              }),
            ],
          },
          { identity: { sku: 'B-1', product_id: 2, variant_id: 2, sku_id: 2 }, locations: [at(1, 4)] },
          { identity: { sku: 'B-2', product_id: 2, variant_id: 3, sku_id: 3 }, locations: [at(3, 6)] },
          { identity: { sku: 'PLATE', product_id: 3 }, locations: [at(2, 1)] },
        ],
        meta: { pagination: onlyPage(4) },
      },
    })
  })

  const skus = async (path: string) =>
    (await shop.call('GET', path)).body.data.map(({ identity }: { identity: { sku: string } }) => identity.sku)

  test.each([
    ['sku:in=mug,B-2,P-2', ['MUG', 'B-2']],
    ['variant_id:in=1,3,99', ['MUG', 'B-2']],
    ['product_id:in=2,4', ['B-1', 'B-2']],
    ['product_id:in=2&sku:in=B-1,MUG', ['B-1']],
    ['location_id:in=2', ['MUG', 'PLATE']],
    ['location_code:in=two,loc-3', ['MUG', 'B-2', 'PLATE']],
    ['location_code:in=two&location_id:in=1', []],
    ['limit=2&page=2', ['B-2', 'PLATE']],
    ['page=9', []],
  ])('of all items by %s', async (query, expected) => {
    expect(await skus(`/inventory/items?${query}`)).toEqual(expected)
  })

  test('of all items by a location show no other location', async () => {
    const { body } = await shop.call('GET', '/inventory/items?location_code:in=TWO&variant_id:in=1')
    expect(body.data).toMatchObject([{ locations: [{ location_id: 2 }] }])
  })

  test('of a location show its items', async () => {
    const { body } = await shop.call('GET', '/inventory/locations/2/items')
    expect(body.data).toEqual([
      {
        identity: { sku: 'MUG', product_id: 1, variant_id: 1 },
        available_to_sell: 2,
        total_inventory_onhand: 3,
        settings: { safety_stock: 1, is_in_stock: true, warning_level: 4, bin_picking_number: 'Z-1' },
      },
      {
        identity: { sku: 'PLATE', product_id: 3 },
        available_to_sell: 1,
        total_inventory_onhand: 1,
        settings: unsaid,
      },
    ])
    expect(body.meta.pagination).toMatchObject({ total: 2, count: 2 })
  })

  test.each([
    ['1', 'sku:in=B-1', ['B-1']],
    ['1', 'variant_id:in=1', ['MUG']],
    ['1', 'product_id:in=1,2,4', ['MUG', 'B-1']],
    ['1', 'limit=1&page=2', ['B-1']],
    ['3', '', ['B-2']],
  ])('of location %s by %s', async (location, query, expected) => {
    expect(await skus(`/inventory/locations/${location}/items?${query}`)).toEqual(expected)
  })

  test('of an unknown location are 404', async () => {
    const missing = { status: 404, body: problem(404, 'The location 9 does not exist.') }
    expect(await shop.call('GET', '/inventory/locations/9/items')).toMatchObject(missing)
    const body = { settings: [{ identity: { sku: 'MUG' }, safety_stock: 1 }] }
    expect(await shop.call('PUT', '/inventory/locations/9/items', body)).toMatchObject(missing)
  })
})

describe('settings', () => {
  test('change the fields that they name, and the first one makes the item known at the location', async () => {
    const shop = await openStocked()
    const answered = await change(
      shop,
      2,
      { identity: { product_id: 1 }, is_in_stock: false, safety_stock: 5 },
      { identity: { variant_id: 3 }, warning_level: 7 },
    )
    expect(answered).toEqual({ status: 200, body: transaction })
    await change(shop, 2, { identity: { product_id: 1 }, bin_picking_number: 'B' })
    const { body } = await shop.call('GET', '/inventory/locations/2/items?product_id:in=1,2')
    expect(body.data).toMatchObject([
      {
        total_inventory_onhand: 3,
        available_to_sell: 0,
        settings: { safety_stock: 5, is_in_stock: false, warning_level: 0, bin_picking_number: 'B' },
      },
      { total_inventory_onhand: 0, settings: { ...unsaid, warning_level: 7 } },
    ])
    expect(await product(shop, '1')).toMatchObject({ inventory_level: 9, inventory_warning_level: 2 })
  })

  test('of the first location are those of the catalog, after a change on either side', async () => {
    const shop = await openStocked()
    await change(
      shop,
      1,
      { identity: { product_id: 1 }, warning_level: 6, bin_picking_number: 'B-9' },
      { identity: { variant_id: 2 }, warning_level: 3, safety_stock: 1 },
    )
    const base = { inventory_warning_level: 6, bin_picking_number: 'B-9' }
    expect(await product(shop, '1')).toMatchObject(base)
    expect(await product(shop, '1/variants/1')).toMatchObject(base)
    expect(await product(shop, '2/variants/2')).toMatchObject({ inventory_warning_level: 3, inventory_level: 3 })
    expect(await product(shop, '2')).toMatchObject({ inventory_level: 3, inventory_warning_level: 0 })

    await shop.call('PUT', '/catalog/products/1', { inventory_warning_level: 1, bin_picking_number: '' })
    await shop.call('PUT', '/catalog/products/2/variants/2', { inventory_warning_level: 8, bin_picking_number: 'Q' })
    const { body } = await shop.call('GET', '/inventory/locations/1/items?product_id:in=1,2')
    expect(body.data.map(({ settings }: { settings: object }) => settings)).toEqual([
      { ...unsaid, warning_level: 1 },
      { ...unsaid, safety_stock: 1, warning_level: 8, bin_picking_number: 'Q' },
    ])
  })

  const named = 'An item is named by one of sku, variant_id and product_id.'
  test.each<[number, object[], Record<string, string>]>([
    [2, [{ identity: { product_id: 1 } }], { 'setting.0.settings': 'This item has no settings.' }],
    [2, [{ identity: {}, safety_stock: 1 }], { 'settings.0': named }],
    [
      2,
      [
        { identity: { sku: 'MUG' }, safety_stock: 1 },
        { identity: { product_id: 1 }, safety_stock: 2 },
      ],
      { 'settings.1': 'Another item names the same stock.' },
    ],
    [2, [{ identity: { sku: 'none' }, safety_stock: 1 }], { 'settings.0': 'There is no sku none.' }],
    [3, [{ identity: { sku: 'MUG' }, safety_stock: 1 }], { 'settings.0.location_id': 'The location 3 is disabled.' }],
  ])('of location %i: %j is refused', async (location, list, errors) => {
    const shop = await openStocked()
    const [title] = Object.values(errors)
    expect(await change(shop, location, ...list)).toEqual({ status: 422, body: problem(422, title, errors) })
  })

  test('have bounds', async () => {
    const shop = await openStocked()
    const identity = { product_id: 1 }
    expect(
      await change(shop, 1, {
        identity,
        safety_stock: -1,
        warning_level: 2_147_483_648,
        bin_picking_number: 'x'.repeat(256),
      }),
    ).toMatchObject({
      status: 422,
      body: {
        errors: {
          'settings.0.safety_stock': 'safety_stock must be at least 0, not -1.',
          'settings.0.warning_level': 'warning_level must be at most 2147483647, not 2147483648.',
          'settings.0.bin_picking_number': 'bin_picking_number must have at most 255 characters, not 256.',
        },
      },
    })
    expect(await change(shop, 1, ...Array.from({ length: 2_001 }, () => ({ identity })))).toMatchObject({ status: 413 })
  })
})

describe('levels in the catalog', () => {
  test('change the first location, and change nothing if they are sent back as they were read', async () => {
    const shop = await openStocked()
    const levels = async () => (await product(shop, '1')).inventory_level
    expect(await levels()).toBe(12)
    const before = await rowsOf(shop, 'stock')
    await shop.call('PUT', '/catalog/products/1', { inventory_level: 12, inventory_warning_level: 2 })
    expect(await rowsOf(shop, 'stock')).toEqual(before)
    const { body } = await shop.call('PUT', '/catalog/products/1', { inventory_level: 20 })
    expect(body.data.inventory_level).toBe(23)
    expect(await levels()).toBe(23)
  })

  test('are the amount for sale at that location, without the safety stock', async () => {
    const shop = await openStocked()
    await change(shop, 1, { identity: { variant_id: 2 }, safety_stock: 3 })
    await shop.call('PUT', '/catalog/products/2/variants/2', { inventory_level: 5 })
    const { body } = await shop.call('GET', '/inventory/locations/1/items?variant_id:in=2')
    expect(body.data).toMatchObject([{ total_inventory_onhand: 8, available_to_sell: 5 }])
  })

  test('of null create no stock', async () => {
    const shop = await openStocked()
    await shop.call('PUT', '/catalog/products/2/variants/2', { inventory_level: null })
    await shop.call('PUT', '/catalog/products/2/variants/3', { inventory_level: null })
    expect(await product(shop, '2/variants')).toMatchObject([{ inventory_level: null }, { inventory_level: null }])
    await set(shop, { location_id: 2, variant_id: 2, quantity: 1 })
    expect(await product(shop, '2/variants/2')).toMatchObject({ inventory_level: 1 })
    await shop.call('PUT', '/catalog/products/2/variants/2', { inventory_level: null })
    expect(await product(shop, '2/variants/2')).toMatchObject({ inventory_level: 1 })
  })

  test('go with variants and products', async () => {
    const shop = await openStocked()
    await shop.call('DELETE', '/catalog/products/2/variants/2')
    await shop.call('DELETE', '/catalog/products/1')
    const left = (await rowsOf(shop, 'stock')).map((row) => [row.product_id, row.variant_id, row.location_id])
    expect(left).toEqual([
      [2, 3, 3],
      [3, 0, 2],
      [3, 5, 1],
      [4, 0, 1],
      [4, 6, 1],
    ])
    expect((await rowsOf(shop, 'stock_changes')).map(({ product_id }) => product_id)).toEqual([2, 3])
  })
})

describe('stock at a location', () => {
  test('is not for sale while the location is disabled', async () => {
    const shop = await openStocked()
    const levels = async () =>
      (await product(shop, '2/variants')).map(({ inventory_level }: { inventory_level: number }) => inventory_level)
    expect([(await product(shop, '2')).inventory_level, ...(await levels())]).toEqual([4, 4, 0])
    const count = (await rowsOf(shop, 'events')).length
    await shop.call('PUT', '/inventory/locations', [{ id: 3, enabled: true }])
    expect([(await product(shop, '2')).inventory_level, ...(await levels())]).toEqual([10, 4, 6])
    expect((await rowsOf(shop, 'events')).slice(count).map(({ scope }) => scope)).toEqual([
      'store/inventory/location/updated',
      'store/product/updated',
      'store/sku/inventory/updated',
    ])
  })

  test('goes with the location, and its history stays', async () => {
    const shop = await openStocked()
    const count = (await rowsOf(shop, 'events')).length
    expect((await shop.call('DELETE', '/inventory/locations?location_id:in=2,3')).status).toBe(200)
    expect([(await product(shop, '1')).inventory_level, (await product(shop, '3')).inventory_level]).toEqual([9, 0])
    expect((await rowsOf(shop, 'stock')).every(({ location_id }) => location_id === 1)).toBe(true)
    const { body } = await shop.call('GET', '/inventory/adjustments?product_id=1&location_id:in=2')
    expect(body.data).toMatchObject([
      { cause: 'location_delete', amount_before: 3, amount_after: 0 },
      { cause: 'absolute', amount_before: 0, amount_after: 3 },
    ])
    expect((await rowsOf(shop, 'events')).slice(count).map(({ scope }) => scope)).toEqual([
      'store/product/updated',
      'store/product/inventory/updated',
      'store/product/updated',
      'store/product/inventory/updated',
    ])
  })

  test('of very many items follows its location: the first items at once, the others by a job', async () => {
    const shop = await openShop()
    const MANY = 2_010
    await shop.call('POST', '/inventory/locations', [{ label: 'Two', type_id: 'VIRTUAL' }])
    await shop.call('POST', '/catalog/products', { ...mug, inventory_tracking: 'product' })
    const db = await dbOf(shop)
    await copyProduct(shop, MANY)
    await db.transaction((tx) =>
      tx.rows(sql`
        -- of a test
        insert into stock select ${shop.store.id}::int, nr, 0, 2, 3, 0, true, 0, '', true, true, 0
        from generate_series(1, ${MANY}::int) nr on conflict do nothing`),
    )
    await db.transaction((tx) =>
      tx.rows(sql`-- of a test
      update products set inventory_level = 3 where store_id = ${shop.store.id}`),
    )
    const empty = async () =>
      (
        await db.row<{ count: number }>(sql`
        select count(*)::int as count from products where store_id = ${shop.store.id} and inventory_level = 0`)
      ).count
    await shop.call('PUT', '/inventory/locations', [{ id: 2, enabled: false }])
    expect(await empty()).toBe(2_000)
    expect(await doJobs([recountRunner()])).toBe(1)
    expect(await empty()).toBe(MANY)
    await shop.call('PUT', '/inventory/locations', [{ id: 2, enabled: true }])
    await doJobs([recountRunner()])
    expect(await empty()).toBe(0)
    expect((await shop.call('DELETE', '/inventory/locations?location_id:in=2')).status).toBe(200)
    expect([await empty(), await rowsOf(shop, 'stock')]).toEqual([MANY, []])
  })
})
