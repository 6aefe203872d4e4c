import { beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'

let shop: Shop
const v2 = async (method: string, path: string, body?: unknown) =>
  (await shop.call(method, path, body, { version: 'v2' })).body
const product = async (body: object): Promise<number> =>
  (await shop.call('POST', '/catalog/products', { type: 'physical', weight: 1, ...body })).body.data.id
const list = async (name: string): Promise<number> => (await shop.call('POST', '/pricelists', { name })).body.data.id
const assign = (...rows: object[]) => shop.call('POST', '/pricelists/assignments', rows)
const record = (price_list: number, variant: number, body: object, currency = 'usd') =>
  shop.call('PUT', `/pricelists/${price_list}/records/${variant}/${currency}`, body)
const currency = (currency_code: string, currency_exchange_rate: string, more: object = {}) =>
  v2('POST', '/currencies', {
    currency_code,
    currency_exchange_rate,
    name: currency_code,
    token_location: 'left',
    token: 'x',
    decimal_token: ',',
    thousands_token: '.',
    decimal_places: 2,
    is_transactional: true,
    ...more,
  })

const ask = (items: object[], more: object = {}) =>
  shop.call('POST', '/pricing/products', { channel_id: 1, currency_code: 'USD', items, ...more })
const priced = async (item: object, more: object = {}) => {
  const { status, body } = await ask([item], more)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data[0]
}
const costs = async (item: object, more: object = {}) => (await priced(item, more)).calculated_price.as_entered
const some = expect.any(String)

beforeAll(async () => {
  shop = await openShop()
})

describe('an item', () => {
  test('has the whole answer, with the prices of the catalog', async () => {
    const product_id = await product({ name: 'Mug', price: 100, sale_price: 80, retail_price: 120, map_price: 75 })
    const amount = (as_entered: number) => ({
      as_entered,
      entered_inclusive: false,
      tax_exclusive: as_entered,
      tax_inclusive: as_entered,
    })
    expect((await ask([{ product_id }])).body).toEqual({
      data: [
        {
          product_id,
          variant_id: 1,
          options: [],
          reference_request: { product_id },
          retail_price: amount(120),
          sale_price: amount(80),
          minimum_advertised_price: amount(75),
          saved: amount(40),
          price: amount(100),
          calculated_price: amount(80),
          bulk_pricing: [],
        },
      ],
      meta: {},
    })
  })

  test.each([
    [{ channel_id: 9 }, 'channel_id'],
    [{ customer_group_id: 99 }, 'customer_group_id'],
    [{ customer_id: 99 }, 'customer_id'],
    [{ currency_code: 'SEK' }, 'currency_code'],
    [{ items: [{ product_id: 999 }] }, 'items.0.product_id'],
    [{ items: [{ product_id: 1 }, { product_id: 1, variant_id: 999 }] }, 'items.1.variant_id'],
    [{ items: [{ product_id: 1, options: [{ option_id: 9, value_id: 1 }] }] }, 'items.0.options.0.option_id'],
    [{ items: [] }, 'items'],
    [{ country_code: 'USA' }, 'country_code'],
  ])('with %j is refused at %s', async (more, field) => {
    expect(await ask([{ product_id: 1 }], more)).toMatchObject({ status: 422, body: { errors: { [field]: some } } })
  })

  test('is one of 250 at most', async () => {
    const items = Array.from({ length: 251 }, () => ({ product_id: 1 }))
    expect((await ask(items)).status).toBe(413)
    expect((await ask(items.slice(1))).body.data).toHaveLength(250)
  })
})

describe('options and modifiers', () => {
  let shirt = 0
  let [small, large] = [0, 0]
  beforeAll(async () => {
    shirt = await product({
      name: 'Shirt',
      price: 20,
      variants: ['S', 'L'].map((label) => ({
        sku: `SHIRT-${label}`,
        price: label === 'L' ? 30 : null,
        retail_price: label === 'L' ? 40 : 25,
        option_values: [{ option_display_name: 'Size', label }],
      })),
    })
    const { data } = (await shop.call('GET', `/catalog/products/${shirt}/variants`)).body
    ;[small, large] = data.map(({ id }: { id: number }) => id)
    await shop.call('POST', `/catalog/products/${shirt}/modifiers`, {
      display_name: 'Print',
      type: 'dropdown',
      required: true,
      option_values: [
        { label: 'Name', sort_order: 0, adjusters: { price: { adjuster: 'relative', adjuster_value: 5 } } },
        { label: 'Picture', sort_order: 1, adjusters: { price: { adjuster: 'percentage', adjuster_value: 10 } } },
      ],
    })
    await shop.call('POST', `/catalog/products/${shirt}/modifiers`, {
      display_name: 'Day',
      type: 'date',
      required: false,
    })
  })

  test('lead to the variant and to the adjusters, and a partial choice is an estimate', async () => {
    const options = [{ option_id: 1, value_id: 2 }]
    const chosen = await priced({ product_id: shirt, options })
    expect(chosen).toMatchObject({ variant_id: large, calculated_price: { as_entered: 30 }, options })
    const both = [
      { option_id: 1, value_id: 2 },
      { option_id: 1, value_id: 1 },
    ]
    expect(await costs({ product_id: shirt, options: both })).toBe(35)
    expect(await costs({ product_id: shirt, variant_id: small, options: [{ option_id: 1, value_id: 2 }] })).toBe(22)
    const estimate = await priced({ product_id: shirt })
    expect(estimate.variant_id).toBeUndefined()
    expect(estimate.calculated_price.as_entered).toBe(20)
    const date = [4, 5, 2_030].map((value_id) => ({ option_id: 2, value_id }))
    expect(await costs({ product_id: shirt, variant_id: small, options: date })).toBe(20)
    const unknown = await ask([{ product_id: shirt, options: [{ option_id: 1, value_id: 9 }] }])
    expect(unknown.body.errors).toEqual({ 'items.0.options.0.value_id': some })
  })

  test('give the ranges over all variants that can be bought', async () => {
    const { price_range, retail_price_range } = await priced({ product_id: shirt })
    const ends = ({ minimum, maximum }: Record<string, { as_entered: number }>) => [
      minimum?.as_entered,
      maximum?.as_entered,
    ]
    expect(ends(price_range)).toEqual([22, 35])
    expect(ends(retail_price_range)).toEqual([25, 40])
    await shop.call('PUT', `/catalog/products/${shirt}/variants/${large}`, { purchasing_disabled: true })
    expect(ends((await priced({ product_id: shirt })).price_range)).toEqual([22, 25])
  })

  test('of complex rules count once their conditions are met', async () => {
    const id = await product({ name: 'Ring', price: 100 })
    const modifier = await shop.call('POST', `/catalog/products/${id}/modifiers`, {
      display_name: 'Stone',
      type: 'dropdown',
      required: false,
      option_values: [{ label: 'Ruby', sort_order: 0 }],
    })
    const { data } = modifier.body
    const value_id = data.option_values[0].id
    await shop.call('POST', `/catalog/products/${id}/complex-rules`, {
      price_adjuster: { adjuster: 'relative', adjuster_value: 50 },
      conditions: [{ modifier_id: data.id, modifier_value_id: value_id }],
    })
    expect(await costs({ product_id: id })).toBe(100)
    expect(await costs({ product_id: id, options: [{ option_id: data.id, value_id }] })).toBe(150)
  })

  test('M24: a picked product adds its own price', async () => {
    const cup = await product({ name: 'Cup', price: 30 })
    const id = await product({ name: 'Set', price: 100 })
    const { data } = (
      await shop.call('POST', `/catalog/products/${id}/modifiers`, {
        display_name: 'Cup',
        type: 'product_list',
        required: false,
        config: { product_list_adjusts_pricing: true },
        option_values: [{ label: 'A cup', sort_order: 0, value_data: { product_id: cup } }],
      })
    ).body
    await shop.call('POST', `/catalog/products/${id}/bulk-pricing-rules`, {
      quantity_min: 2,
      quantity_max: 0,
      type: 'percent',
      amount: 10,
    })
    const options = [{ option_id: data.id, value_id: data.option_values[0].id }]
    const { calculated_price, bulk_pricing } = await priced({ product_id: id, options })
    expect(calculated_price.as_entered).toBe(130)
    expect(bulk_pricing).toMatchObject([{ minimum: 2, maximum: 0, discount_type: 'fixed', discount_amount: 120 }])
  })
})

describe('the source of prices', () => {
  let item = { product_id: 0 }
  let [group, discounted, guests] = [0, 0, 0]
  let [trade, wide, everybody] = [0, 0, 0]
  let customer = 0
  beforeAll(async () => {
    item = { product_id: await product({ name: 'Lamp', price: 100, sale_price: 50 }) }
    const variant = (await priced(item)).variant_id
    const discount_rules = [{ type: 'all', method: 'percent', amount: 10 }]
    group = (await v2('POST', '/customer_groups', { name: 'Trade' })).id
    discounted = (await v2('POST', '/customer_groups', { name: 'Staff', discount_rules })).id
    guests = (await v2('POST', '/customer_groups', { name: 'Guests', is_group_for_guests: true })).id
    ;[trade, wide, everybody] = [await list('Trade'), await list('Wide'), await list('Everybody')]
    await record(wide, variant, { price: 70 })
    await record(everybody, variant, { price: 60 })
    await assign(
      { price_list_id: trade, customer_group_id: group, channel_id: 1 },
      { price_list_id: wide, customer_group_id: group },
      { price_list_id: everybody, channel_id: 1 },
    )
    const made = await shop.call('POST', '/customers', [
      { email: 'ann@x.test', first_name: 'Ann', last_name: 'Lee', customer_group_id: discounted },
    ])
    customer = made.body.data[0].id
  })

  test('is the list of group and channel, which no other list completes (M20)', async () => {
    expect(await costs(item, { customer_group_id: group })).toBe(50)
  })

  test('is the list of the group, if that of the channel is not active', async () => {
    await shop.call('PUT', `/pricelists/${trade}`, { active: false })
    expect(await costs(item, { customer_group_id: group })).toBe(70)
  })

  test('is the discount of the group rather than the list of the channel (M10)', async () => {
    expect(await costs(item, { customer_group_id: discounted })).toBe(45)
    expect(await costs(item, { customer_id: customer })).toBe(45)
    expect(await costs(item, { customer_id: customer, customer_group_id: group })).toBe(70)
  })

  test('is the list of the channel for everybody else, and the catalog without one', async () => {
    expect(await costs(item)).toBe(60)
    expect(await costs(item, { customer_group_id: guests })).toBe(60)
    await shop.call('PUT', `/pricelists/${everybody}`, { active: false })
    expect(await costs(item)).toBe(50)
  })

  test('of guests is that of the guest group of the channel, else of the store', async () => {
    await v2('PUT', `/customer_groups/${guests}`, { discount_rules: [{ type: 'all', method: 'price', amount: 1 }] })
    expect(await costs(item)).toBe(49)
    const own = { customer_group_settings: { guest_customer_group_id: discounted } }
    await shop.call('PUT', '/customers/settings/channels/1', own)
    expect(await costs(item)).toBe(45)
  })

  test('M23: the most specific discount of a group counts, of several categories the lowest price', async () => {
    const category = async (name: string, parent_id = 0) =>
      (await shop.call('POST', '/catalog/categories', { name, parent_id })).body.data.id
    const lights = await category('Lights')
    const lamps = await category('Lamps', lights)
    const gifts = await category('Gifts')
    await shop.call('PUT', `/catalog/products/${item.product_id}`, { categories: [lamps, gifts] })
    const rules = (...discount_rules: object[]) => v2('PUT', `/customer_groups/${discounted}`, { discount_rules })
    const all = { type: 'all', method: 'percent', amount: 50 }
    const ofLights = { type: 'category', category_id: lights, method: 'percent', amount: 20 }
    const ofGifts = { type: 'category', category_id: gifts, method: 'price', amount: 15 }
    const own = { type: 'product', product_id: item.product_id, method: 'percent', amount: 4 }
    await rules(all, ofLights)
    expect(await costs(item, { customer_group_id: discounted })).toBe(40)
    await rules(all, ofLights, ofGifts)
    expect(await costs(item, { customer_group_id: discounted })).toBe(35)
    await rules(all, ofLights, ofGifts, own)
    expect(await costs(item, { customer_group_id: discounted })).toBe(48)
  })
})

describe('other currencies', () => {
  test('M18 and M19: catalog prices are converted, and nobody pays in a currency that is only shown', async () => {
    await currency('EUR', '0.9')
    await currency('GBP', '0.9', { is_transactional: false })
    await currency('CHF', '0.9', { enabled: false })
    const product_id = await product({ name: 'Chair', price: 100 })
    const variant = (await priced({ product_id })).variant_id
    const priceList = await list('Chairs')
    const { id } = await v2('POST', '/customer_groups', { name: 'Chairs' })
    await assign({ price_list_id: priceList, customer_group_id: id })
    await record(priceList, variant, { price: 60 })
    const as = (currency_code: string) => costs({ product_id }, { currency_code, customer_group_id: id })
    expect([await as('usd'), await as('EUR'), await as('GBP')]).toEqual([60, 90, 54])
    await record(priceList, variant, { price: 55 }, 'eur')
    expect(await as('EUR')).toBe(55)
    expect((await ask([{ product_id }], { currency_code: 'CHF' })).status).toBe(422)
  })

  // The answer was rounded to four decimals first, and half a unit became a whole one: 10.001.
  test('a price that is only shown is rounded once', async () => {
    shop = await openShop()
    await currency('SEK', '1.00004999', { is_transactional: false, decimal_places: 3 })
    const product_id = await product({ name: 'Rug', price: 10 })
    expect(await costs({ product_id }, { currency_code: 'SEK' })).toBe(10)
  })
})

describe('tax', () => {
  test('is shown by the zone of the country and the group, with the amounts of the examples', async () => {
    shop = await openShop()
    const product_id = await product({ name: 'Cup', price: 10, retail_price: 15 })
    await shop.call('POST', '/tax/zones', [
      { name: 'DE', shopper_target_settings: { locations: [{ country_code: 'DE' }] } },
    ])
    const rate = { name: 'VAT', tax_zone_id: 2, class_rates: [{ rate: 20, tax_class_id: 0 }] }
    await shop.call('POST', '/tax/rates', [rate])
    const exclusive = await priced({ product_id }, { country_code: 'de' })
    expect(exclusive.calculated_price).toEqual({
      as_entered: 10,
      entered_inclusive: false,
      tax_exclusive: 10,
      tax_inclusive: 12,
    })
    expect((await priced({ product_id })).calculated_price.tax_inclusive).toBe(10)
    await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true, store_tax_zone_id: 2 })
    await shop.call('PUT', `/catalog/products/${product_id}`, { price: 12 })
    const inclusive = await priced({ product_id }, { country_code: 'DE' })
    expect(inclusive.calculated_price).toEqual({
      as_entered: 12,
      entered_inclusive: true,
      tax_exclusive: 10,
      tax_inclusive: 12,
    })
    expect(inclusive.saved.as_entered).toBe(3)
  })

  test('M15: a tier of a record with adjusters is sent as a fixed price, with its tax', async () => {
    const id = await product({ name: 'Frame', price: 100 })
    const { data } = (
      await shop.call('POST', `/catalog/products/${id}/modifiers`, {
        display_name: 'Glass',
        type: 'dropdown',
        required: false,
        option_values: [
          { label: 'Clear', sort_order: 0, adjusters: { price: { adjuster: 'relative', adjuster_value: 5 } } },
        ],
      })
    ).body
    const priceList = await list('Frames')
    const variant = (await priced({ product_id: id })).variant_id
    const tier = { quantity_min: 10, type: 'percent', amount: 10 }
    await record(priceList, variant, { price: 60, bulk_pricing_tiers: [tier] })
    await assign({ price_list_id: priceList, channel_id: 1 })
    const options = [{ option_id: data.id, value_id: data.option_values[0].id }]
    const { calculated_price, bulk_pricing } = await priced({ product_id: id, options })
    expect(calculated_price.as_entered).toBe(65)
    expect(bulk_pricing).toEqual([
      {
        minimum: 10,
        maximum: 0,
        discount_type: 'fixed',
        discount_amount: 59,
        tax_discount_amount: [expect.objectContaining({ as_entered: 59 })],
      },
    ])
    const plain = await priced({ product_id: id })
    expect(plain.bulk_pricing).toMatchObject([
      { discount_type: 'percent', discount_amount: 10, tax_discount_amount: [] },
    ])
  })
})
