import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountOf, minorUnit, ratio } from '../../core/money/units.ts'
import type { GroupDiscount } from '../../customers/row/shoppers.ts'
import type { PricedProduct, PricedVariant } from '../../goods/catalog/product-row/priced.ts'
import { sized } from '../../test/document/sized.ts'
import {
  type Adjuster,
  drawnAdjuster,
  drawnAmount,
  drawnReduction,
  maybe,
  type Reduction,
} from '../../test/pricing/drawn-prices.ts'
import { type PriceSources, priceFactsOf } from './calculation/facts.ts'
import { priceOf } from './calculation/price-of.ts'

// A second calculator of prices, which shares no code with the first: random stores must cost the same by both, to the cent. A third one
// compares the answers of requests (server/sales/orders/v2/naive-orders.test.ts).

const ITEMS = 25

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

const prices = fc.record({
  price: fc.option(drawnAmount, { nil: null }),
  sale_price: fc.option(drawnAmount, { nil: null }),
})
const item: fc.Arbitrary<Item> = fc.record({
  product: fc.record({ price: drawnAmount, sale_price: fc.oneof(fc.constant(0), drawnAmount) }),
  variants: maybe(fc.tuple(prices, prices)),
  variant: fc.constantFrom(0 as const, 1 as const),
  modifiers: fc.array(fc.option(drawnAdjuster, { nil: null }), { maxLength: 2 }),
  complexRule: maybe(fc.record({ price: drawnAdjuster, stop: fc.boolean() })),
  inCategory: fc.boolean(),
  ofProduct: maybe(drawnReduction),
  record: maybe(fc.record({ price: drawnAmount, sale_price: fc.option(drawnAmount, { nil: null }) })),
})
const store: fc.Arbitrary<Store> = fc.record({
  currency: fc.record({
    kind: fc.constantFrom('default' as const, 'paid' as const, 'shown' as const),
    rate: fc.integer({ min: 1, max: 3_000_000_000 }).map((units) => new Big(units).div(1_000_000_000).toFixed(10)),
    decimals: fc.integer({ min: 0, max: 4 }),
  }),
  list: fc.constantFrom('group' as const, 'channel' as const, 'none' as const),
  ofAll: maybe(drawnReduction),
  ofCategory: maybe(drawnReduction),
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

test('C-129, C-121: random stores cost the same by the price function and on paper', () => {
  fc.assert(
    fc.property(store, (world) => {
      expect(byFunction(world)).toEqual(world.items.map((thing) => onPaper(world, thing)))
    }),
    { numRuns: PAPERS, endOnFailure: true },
  )
}, 600_000)
