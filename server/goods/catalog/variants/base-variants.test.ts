import { beforeEach, describe, expect, test } from 'vitest'
import { problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/products.md section 3 and docs/contract/catalog.md section 2, Cascades: the base variant, as which a product
// without options is sold.

const PRODUCTS = '/catalog/products'
const ONE = '/catalog/products/1'
const VARIANTS = '/catalog/products/1/variants'

const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }
const shared = {
  sku: 'MUG',
  upc: '0001',
  mpn: 'M-1',
  gtin: '0002',
  inventory_level: 5,
  inventory_warning_level: 2,
  bin_picking_number: 'A-7',
}
const others = {
  sku: 'CUP',
  upc: '0003',
  mpn: 'C-1',
  gtin: '0004',
  inventory_level: 6,
  inventory_warning_level: 3,
  bin_picking_number: 'B-8',
}
const size = { display_name: 'Size', type: 'dropdown', option_values: [{ label: 'S', sort_order: 0 }] }
const small = { sku: 'MUG-S', option_values: [{ option_display_name: 'Size', label: 'S' }] }

describe('a product without options', () => {
  let shop: Shop
  const get = async (path: string) => (await shop.call('GET', path)).body.data
  beforeEach(async () => {
    shop = await openShop()
    await shop.call('POST', PRODUCTS, { ...mug, ...shared, sale_price: 15 })
  })

  test('is sold as one variant, which has the values of the product', async () => {
    expect(await get(VARIANTS)).toEqual([
      {
        ...shared,
        id: 1,
        product_id: 1,
        sku_id: null,
        cost_price: 0,
        price: 18.5,
        sale_price: 15,
        retail_price: 0,
        map_price: 0,
        weight: 0.4,
        width: 0,
        height: 0,
        depth: 0,
        is_free_shipping: false,
        fixed_cost_shipping_price: 0,
        purchasing_disabled: false,
        purchasing_disabled_message: '',
        image_url: '',
        calculated_price: 15,
        calculated_weight: 0.4,
        option_values: [],
      },
    ])
    expect(await get(ONE)).toMatchObject({ base_variant_id: 1 })
  })

  test('passes its changes to the variant', async () => {
    await shop.call('PUT', ONE, { ...others, price: 20, sale_price: 0, weight: 2 })
    expect(await get(`${VARIANTS}/1`)).toMatchObject({ ...others, calculated_price: 20, calculated_weight: 2 })
    await shop.call('PUT', PRODUCTS, [{ id: 1, ...shared }])
    expect(await get(`${VARIANTS}/1`)).toMatchObject(shared)
    expect(await rowsOf(shop, 'skus')).toMatchObject([{ sku_key: 'mug', product_id: 1, variant_id: 0 }])
  })

  test('takes the changes of its variant', async () => {
    await shop.call('PUT', `${VARIANTS}/1`, others)
    expect(await get(ONE)).toMatchObject(others)
    await shop.call('PUT', '/catalog/variants', [{ id: 1, ...shared }])
    expect(await get(ONE)).toMatchObject(shared)
    await shop.call('PUT', `${VARIANTS}/1`, {
      ...Object.fromEntries(Object.keys(shared).map((field) => [field, null])),
      sku: '',
    })
    expect(await get(ONE)).toMatchObject({
      sku: '',
      upc: '',
      mpn: '',
      gtin: '',
      inventory_level: 0,
      inventory_warning_level: 0,
      bin_picking_number: '',
    })
    expect(await rowsOf(shop, 'skus')).toEqual([])
    expect(await get(`${PRODUCTS}?sku=`)).toHaveLength(1)
  })

  describe('shares prices and measures with its variant', () => {
    const charged = {
      cost_price: 8,
      price: 30,
      sale_price: 25,
      retail_price: 35,
      map_price: 20,
      weight: 3,
      width: 4,
      height: 5,
      depth: 6,
      is_free_shipping: true,
      fixed_cost_shipping_price: 2,
    }

    test('after a change of either', async () => {
      const { body } = await shop.call('PUT', `${VARIANTS}/1`, charged)
      expect(body.data).toMatchObject({ ...charged, calculated_price: 25, calculated_weight: 3 })
      expect(await get(ONE)).toMatchObject({ ...charged, calculated_price: 25 })
      await shop.call('PUT', ONE, { ...charged, sale_price: 0, price: 31, weight: 7, is_free_shipping: false })
      const now = { ...charged, sale_price: 0, price: 31, weight: 7, is_free_shipping: false, calculated_price: 31 }
      expect(await get(`${VARIANTS}/1`)).toMatchObject({ ...now, calculated_weight: 7 })
      await shop.call('PUT', '/catalog/variants', [{ id: 1, sale_price: 29.99999 }])
      expect(await get(ONE)).toMatchObject({ sale_price: 30, calculated_price: 30 })
    })

    test('and keeps them for null, with which other variants inherit', async () => {
      const before = [await get(ONE), await get(`${VARIANTS}/1`)]
      const { is_free_shipping: _, ...amounts } = charged
      const nothing = Object.fromEntries(Object.keys(amounts).map((field) => [field, null]))
      expect((await shop.call('PUT', `${VARIANTS}/1`, nothing)).body.data).toEqual(before[1])
      expect([await get(ONE), await get(`${VARIANTS}/1`)]).toEqual(before)
    })
  })

  test('counts its own stock, also if variants are tracked', async () => {
    await shop.call('PUT', ONE, { inventory_tracking: 'variant', inventory_level: 8 })
    expect(await get(`${VARIANTS}/1`)).toMatchObject({ inventory_level: 8 })
    await shop.call('PUT', `${VARIANTS}/1`, { inventory_level: 9 })
    expect(await get(ONE)).toMatchObject({ inventory_level: 9 })
  })

  test('keeps its variant (409)', async () => {
    const { status, body } = await shop.call('DELETE', `${VARIANTS}/1`)
    expect({ status, body }).toEqual({
      status: 409,
      body: problem(409, 'The base variant of a product cannot be deleted alone: delete the product.'),
    })
    expect(await get(VARIANTS)).toHaveLength(1)
  })

  test('keeps its SKU from all others (409)', async () => {
    await shop.call('POST', PRODUCTS, { ...mug, name: 'Bowl', sku: 'Bowl' })
    for (const [method, path, body] of [
      ['PUT', `${PRODUCTS}/2/variants/2`, { sku: 'mug' }],
      ['PUT', '/catalog/variants', [{ id: 2, sku: 'mug' }]],
      ['PUT', `${PRODUCTS}/2`, { sku: 'mug' }],
    ] as const) {
      expect((await shop.call(method, path, body)).status).toBe(409)
    }
    expect(await get(`${PRODUCTS}/2/variants`)).toMatchObject([{ sku: 'Bowl' }])
  })

  describe('a product that gets options', () => {
    const metafield = { key: 'a', value: 'b', namespace: 'c', permission_set: 'write' }
    beforeEach(async () => {
      await shop.call('POST', `${VARIANTS}/1/metafields`, metafield)
      await shop.call('POST', `${ONE}/complex-rules`, { stop: true, conditions: [{ variant_id: 1 }] })
      expect((await shop.call('POST', `${ONE}/options`, size)).status).toBe(200)
    })

    test('is sold as before until its first variant, which replaces the base variant', async () => {
      expect(await get(ONE)).toMatchObject({ base_variant_id: 1 })
      expect(await get(VARIANTS)).toMatchObject([{ id: 1, option_values: [] }])
      const { status, body } = await shop.call('POST', VARIANTS, small)
      expect({ status, id: body.data.id }).toEqual({ status: 200, id: 2 })
      expect(await get(ONE)).toMatchObject({ ...shared, base_variant_id: null })
      expect(await get(VARIANTS)).toMatchObject([{ id: 2, sku: 'MUG-S', inventory_level: 0 }])
      for (const table of ['metafields', 'complex_rules', 'complex_rule_conditions']) {
        expect(await rowsOf(shop, table), table).toEqual([])
      }
      expect((await shop.call('PUT', `${VARIANTS}/2`, { upc: '9' })).status).toBe(200)
      expect((await shop.call('PUT', ONE, { upc: '8' })).status).toBe(200)
      expect(await get(`${VARIANTS}/2`), 'they have nothing in common now').toMatchObject({ upc: '9' })
      expect(await get(ONE)).toMatchObject({ upc: '8' })
    })

    test('keeps its own SKU, which no variant of it can have (409)', async () => {
      expect((await shop.call('POST', VARIANTS, { ...small, sku: 'mug' })).status).toBe(409)
      expect(await get(VARIANTS)).toMatchObject([{ id: 1 }])
      expect(await get(ONE)).toMatchObject({ base_variant_id: 1 })
    })

    test('gets a new base variant when its last option is deleted', async () => {
      await shop.call('POST', VARIANTS, small)
      await shop.call('PUT', ONE, { ...others, sku: 'NEW' })
      expect((await shop.call('DELETE', `${ONE}/options/1`)).status).toBe(204)
      expect(await get(ONE)).toMatchObject({ base_variant_id: 3 })
      expect(await get(VARIANTS)).toMatchObject([
        { ...others, id: 3, sku: 'NEW', sku_id: null, calculated_price: 15, option_values: [] },
      ])
      expect(await rowsOf(shop, 'skus')).toMatchObject([{ sku_key: 'new', product_id: 1, variant_id: 0 }])
      await shop.call('PUT', ONE, { sku: 'AGAIN' })
      expect(await get(`${VARIANTS}/3`)).toMatchObject({ sku: 'AGAIN' })
    })

    test('has no stock left if its variants were tracked', async () => {
      await shop.call('POST', VARIANTS, { ...small, inventory_level: 4 })
      await shop.call('PUT', ONE, { inventory_tracking: 'variant' })
      expect(await get(ONE)).toMatchObject({ inventory_level: 4 })
      await shop.call('DELETE', `${ONE}/options/1`)
      expect(await get(ONE)).toMatchObject({ inventory_level: 0 })
      expect(await get(VARIANTS)).toMatchObject([{ inventory_level: 0 }])
    })

    test('has all variants with values of their own that are created at once', async () => {
      await shop.call('POST', `${ONE}/options/1/values`, { label: 'L', sort_order: 1 })
      const large = { sku: 'MUG-L', option_values: [{ option_display_name: 'Size', label: 'L' }] }
      const answers = await Promise.all([small, large, small, large].map((one) => shop.call('POST', VARIANTS, one)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409])
      expect((await get(VARIANTS)).map(({ sku }: { sku: string }) => sku).sort()).toEqual(['MUG-L', 'MUG-S'])
    })
  })
})
