import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountOf, minorUnit, ratio } from '../../core/money/units.ts'
import type { GroupDiscount } from '../../customers/row/shoppers.ts'
import type { PricedProduct, PricedVariant } from '../../goods/catalog/product-row/priced.ts'
import { sized } from '../../test/document/sized.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { type PriceSources, priceFactsOf } from './calculation/facts.ts'
import { priceOf } from './calculation/price-of.ts'

// A second calculator of prices, which shares no code with the first: random stores must cost the same by both, to the cent.

const ITEMS = 25
const STORES = sized(4_000, 40)

interface Adjuster {
  adjuster: 'relative' | 'percentage'
  adjuster_value: number
}
interface Reduction {
  method: 'percent' | 'price' | 'fixed'
  amount: number
}
interface Prices {
  price: number | null
  sale_price: number | null
}
interface Item {
  product: { price: number; sale_price: number }
  /** The prices of two variants; undefined for a product without options. */
  variants: [Prices, Prices] | undefined
  variant: 0 | 1
  /** The adjusters of the values that the shopper chooses. */
  modifiers: (Adjuster | null)[]
  complexRule: { price: Adjuster; stop: boolean } | undefined
  inCategory: boolean
  ofProduct: Reduction | undefined
  record: { price: number; sale_price: number | null } | undefined
}
interface Store {
  /** The default currency, one that shoppers pay in, or one that they only see. */
  currency: { kind: 'default' | 'paid' | 'shown'; rate: string; decimals: number }
  /** The list of the group, of the channel, or none. */
  list: 'group' | 'channel' | 'none'
  /** Discounts of the group, if it has no list. */
  ofAll: Reduction | undefined
  ofCategory: Reduction | undefined
  /** Whether records are in the default currency in place of the one that is paid in. */
  recordsInDefault: boolean
  items: Item[]
}

const ten4 = (min: number, max: number) => fc.integer({ min, max }).map((units) => units / 10_000)
const amount = fc.oneof(
  ten4(0, 2_000_000),
  fc.integer({ min: 0, max: 20_000 }).map((cents) => cents / 100),
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const adjuster: fc.Arbitrary<Adjuster> = fc.oneof(
  fc.record({ adjuster: fc.constant('relative' as const), adjuster_value: ten4(-300_000, 300_000) }),
  fc.record({ adjuster: fc.constant('percentage' as const), adjuster_value: ten4(-500_000, 500_000) }),
)
const reduction: fc.Arbitrary<Reduction> = fc.oneof(
  fc.record({ method: fc.constant('percent' as const), amount: ten4(0, 1_000_000) }),
  fc.record({ method: fc.constantFrom('price' as const, 'fixed' as const), amount: ten4(0, 400_000) }),
)
const prices = fc.record({
  price: fc.option(amount, { nil: null }),
  sale_price: fc.option(amount, { nil: null }),
})
const item: fc.Arbitrary<Item> = fc.record({
  product: fc.record({ price: amount, sale_price: fc.oneof(fc.constant(0), amount) }),
  variants: maybe(fc.tuple(prices, prices)),
  variant: fc.constantFrom(0 as const, 1 as const),
  modifiers: fc.array(fc.option(adjuster, { nil: null }), { maxLength: 2 }),
  complexRule: maybe(fc.record({ price: adjuster, stop: fc.boolean() })),
  inCategory: fc.boolean(),
  ofProduct: maybe(reduction),
  record: maybe(fc.record({ price: amount, sale_price: fc.option(amount, { nil: null }) })),
})
const store: fc.Arbitrary<Store> = fc.record({
  currency: fc.record({
    kind: fc.constantFrom('default' as const, 'paid' as const, 'shown' as const),
    rate: fc.integer({ min: 1, max: 3_000_000_000 }).map((units) => new Big(units).div(1_000_000_000).toFixed(10)),
    decimals: fc.integer({ min: 0, max: 4 }),
  }),
  list: fc.constantFrom('group' as const, 'channel' as const, 'none' as const),
  ofAll: maybe(reduction),
  ofCategory: maybe(reduction),
  recordsInDefault: fc.boolean(),
  items: fc.array(item, { minLength: 1, maxLength: ITEMS }),
})

const HALF_UP = Big.roundHalfUp

/** The calculated price of an item, as somebody would work it out on paper. */
function onPaper(shop: Store, thing: Item): number {
  const { kind, rate, decimals } = shop.currency
  const places = kind === 'paid' ? decimals : 2
  const exchange = (value: number | Big) =>
    kind === 'paid' ? new Big(value).times(rate).round(4, HALF_UP) : new Big(value)
  const hasDiscounts = shop.list !== 'group' && groupRules(shop).length > 0
  const hasList = shop.list === 'group' || (shop.list === 'channel' && !hasDiscounts)
  const isInCurrency = kind !== 'paid' || !shop.recordsInDefault
  const record = hasList && isInCurrency ? thing.record : undefined

  let price: Big
  if (record) price = new Big(record.sale_price === null ? record.price : record.sale_price)
  else {
    const own = thing.variants ? thing.variants[thing.variant] : { price: null, sale_price: null }
    let value = own.price === null ? thing.product.price : own.price
    if (own.price === null && thing.product.sale_price > 0) value = thing.product.sale_price
    if (own.sale_price !== null) value = own.sale_price > 0 ? own.sale_price : (own.price ?? thing.product.price)
    price = exchange(value)
  }
  const steps = [
    ...thing.modifiers.filter((step) => step !== null),
    ...(thing.complexRule ? [thing.complexRule.price] : []),
  ]
  for (const { adjuster: how, adjuster_value: value } of steps) {
    const change = how === 'relative' ? exchange(value) : price.times(value).div(100).round(4, HALF_UP)
    price = price.plus(change)
  }
  if (!record && hasDiscounts) {
    const rule = thing.ofProduct ?? (thing.inCategory ? shop.ofCategory : undefined) ?? shop.ofAll
    if (rule?.method === 'percent') price = price.minus(price.times(rule.amount).div(100).round(places, HALF_UP))
    if (rule?.method === 'price') price = price.minus(exchange(rule.amount))
    if (rule?.method === 'fixed') price = exchange(rule.amount)
  }
  price = price.round(places, HALF_UP)
  if (price.lt(0)) price = new Big(0)
  if (kind === 'shown') price = price.times(rate).round(decimals, HALF_UP)
  return price.toNumber() + 0
}

/** All discount rules of the group, without the ids of their products and categories. */
const groupRules = ({ ofAll, ofCategory, items }: Store): Reduction[] => [
  ...(ofAll ? [ofAll] : []),
  ...(ofCategory ? [ofCategory] : []),
  ...items.flatMap(({ ofProduct }) => ofProduct ?? []),
]

/** Makes a store by requests. @returns the prices that REST pricing answers */
async function byRest(world: Store): Promise<number[]> {
  const shop = await openShop()
  const { kind, rate, decimals } = world.currency
  const code = kind === 'default' ? 'USD' : 'EUR'
  if (kind !== 'default') await makeCurrency(shop, rate, decimals, kind === 'paid')
  const category = (await shop.call('POST', '/catalog/categories', { name: 'Sale', parent_id: 0 })).body.data.id
  const below = (await shop.call('POST', '/catalog/categories', { name: 'Below', parent_id: category })).body.data.id
  const sold: Awaited<ReturnType<typeof makeProduct>>[] = []
  for (const [i, thing] of world.items.entries()) sold.push(await makeProduct(shop, thing, i, below))
  const rules =
    world.list === 'group'
      ? []
      : [
          ...(world.ofAll ? [{ type: 'all', ...world.ofAll }] : []),
          ...(world.ofCategory ? [{ type: 'category', category_id: category, ...world.ofCategory }] : []),
          ...world.items.flatMap(({ ofProduct }, i) =>
            ofProduct ? [{ type: 'product', product_id: sold[i]?.product_id, ...ofProduct }] : [],
          ),
        ]
  const group = await shop.call('POST', '/customer_groups', { name: 'Group', discount_rules: rules }, { version: 'v2' })
  if (world.list !== 'none') {
    await shop.call('POST', '/pricelists', { name: 'List' })
    const to = world.list === 'group' ? { customer_group_id: group.body.id } : { channel_id: 1 }
    await shop.call('POST', '/pricelists/assignments', [{ price_list_id: 1, ...to }])
    const currency = kind === 'paid' && !world.recordsInDefault ? 'EUR' : 'USD'
    const records = world.items.flatMap(({ record }, i) =>
      record ? [{ variant_id: sold[i]?.variant_id, currency, ...record }] : [],
    )
    if (records.length > 0) {
      const stored = await shop.call('PUT', '/pricelists/1/records', records)
      expect(stored.status, stored.text).toBe(200)
    }
  }
  const answer = await shop.call('POST', '/pricing/products', {
    channel_id: 1,
    currency_code: code,
    customer_group_id: group.body.id,
    items: sold,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.map(
    ({ calculated_price }: { calculated_price: { as_entered: number } }) => calculated_price.as_entered,
  )
}

const makeCurrency = (shop: Shop, rate: string, decimal_places: number, is_transactional: boolean) =>
  shop.call(
    'POST',
    '/currencies',
    {
      currency_code: 'EUR',
      currency_exchange_rate: rate,
      name: 'Euro',
      token_location: 'left',
      token: '€',
      decimal_token: ',',
      thousands_token: '.',
      decimal_places,
      is_transactional,
    },
    { version: 'v2' },
  )

/** @returns the item of the product that is priced */
async function makeProduct(shop: Shop, thing: Item, i: number, category: number) {
  const { body } = await shop.call('POST', '/catalog/products', {
    name: `Product ${i}`,
    type: 'physical',
    weight: 1,
    ...thing.product,
    ...(thing.inCategory ? { categories: [category] } : {}),
    ...(thing.variants
      ? {
          variants: thing.variants.map((own, n) => ({
            sku: `SKU-${i}-${n}`,
            ...own,
            option_values: [{ option_display_name: 'Size', label: `Size ${n}` }],
          })),
        }
      : {}),
  })
  const product_id: number = body.data.id
  const variant_id: number = thing.variants ? body.data.variants[thing.variant].id : body.data.base_variant_id
  const options = []
  for (const [n, price] of thing.modifiers.entries()) {
    const modifier = await shop.call('POST', `/catalog/products/${product_id}/modifiers`, {
      display_name: `Modifier ${n}`,
      type: 'dropdown',
      required: false,
      option_values: [
        { label: 'Other', sort_order: 0, adjusters: { price: { adjuster: 'relative', adjuster_value: 999 } } },
        { label: 'Chosen', sort_order: 1, ...(price ? { adjusters: { price } } : {}) },
      ],
    })
    const { id, option_values } = modifier.body.data
    options.push({ option_id: id, value_id: option_values[1].id })
  }
  if (thing.complexRule) {
    const { price, stop } = thing.complexRule
    const first = { sort_order: 0, stop, price_adjuster: price, conditions: [{ variant_id }] }
    await shop.call('POST', `/catalog/products/${product_id}/complex-rules`, first)
  }
  return { product_id, variant_id, options }
}

/** The prices of a store by the price function alone, from facts that no request has made. */
function byFunction(world: Store): number[] {
  const { kind, rate, decimals } = world.currency
  const [whole = '', fraction = ''] = rate.split('.')
  const own = { decimals, rate: BigInt(whole + fraction), one: 10n ** BigInt(fraction.length) }
  const currency = kind === 'paid' ? own : { decimals: 2, rate: 1n, one: 1n }
  const hasDiscounts = world.list !== 'group' && groupRules(world).length > 0
  const hasRecords = world.list !== 'none' && !hasDiscounts && (kind !== 'paid' || !world.recordsInDefault)
  const more = { retail_price: null, map_price: null }
  const reductions = (type: GroupDiscount['type'], one: Reduction | undefined, about: object): GroupDiscount[] =>
    one && hasDiscounts ? [{ type, ...one, product_id: null, categories: null, ...about }] : []
  return world.items.map((thing) => {
    const variants = (thing.variants ?? [thing.product, thing.product]).map(
      (prices, id): PricedVariant => ({ ...prices, ...more, id, purchasing_disabled: false, values: [] }),
    )
    const product: PricedProduct = {
      id: 1,
      ...thing.product,
      retail_price: 0,
      map_price: 0,
      tax_class_id: 0,
      base_variant_id: null,
      categories: thing.inCategory ? [7] : [],
      variants,
      optionValues: [],
      modifiers: [],
      rules: thing.complexRule ? [{ ...thing.complexRule, conditions: [] }] : [],
      bulkRules: [],
    }
    const sources: PriceSources = {
      currency,
      products: new Map(),
      records: new Map(thing.record && hasRecords ? [[thing.variant, { ...thing.record, ...more, tiers: [] }]] : []),
      discounts: [
        ...reductions('all', world.ofAll, {}),
        ...reductions('category', world.ofCategory, { categories: [7] }),
        ...reductions('product', thing.ofProduct, { product_id: 1 }),
      ],
    }
    const modifiers = thing.modifiers.map((price, id) => ({
      modifier: { id, type: 'dropdown', required: false, values: [] },
      value: { id, price, picked: null },
    }))
    const { calculated } = priceOf(
      currency,
      priceFactsOf(sources, product, { variant: variants[thing.variant], modifiers }),
    )
    return amountOf(kind === 'shown' ? ratio(calculated, own.rate, own.one, minorUnit(own.decimals)) : calculated)
  })
}

const PAPERS = sized(1_000_000, 20_000)

test('random stores cost the same by the price function and on paper', () => {
  fc.assert(
    fc.property(store, (world) => {
      expect(byFunction(world)).toEqual(world.items.map((thing) => onPaper(world, thing)))
    }),
    { numRuns: PAPERS, endOnFailure: true },
  )
}, 600_000)

test('random stores cost the same by REST pricing and on paper', async () => {
  await fc.assert(
    fc.asyncProperty(store, async (world) => {
      expect(await byRest(world)).toEqual(world.items.map((thing) => onPaper(world, thing)))
    }),
    { numRuns: STORES, endOnFailure: true },
  )
}, 600_000)
