import { describe, expect, test } from 'vitest'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import type { PriceAdjuster, QuantityDiscount } from '../../../goods/catalog/product-row/priced.ts'
import { type PayingCurrency, type PriceFacts, priceOf } from './price-of.ts'

// The worked examples of docs/contract/price-lists.md section 6, with their numbers.

const usd: PayingCurrency = { decimals: 2, rate: 1n, one: 1n }
const eur: PayingCurrency = { decimals: 2, rate: 9n, one: 10n }

const product = (price: number, sale_price = 0) => ({ price, sale_price, retail_price: 0, map_price: 0 })
const variant = (price: number | null, sale_price: number | null = null) => ({
  price,
  sale_price,
  retail_price: null,
  map_price: null,
})
const record = (price: number, sale_price: number | null = null, tiers: readonly QuantityDiscount[] = []) => ({
  price,
  sale_price,
  retail_price: null,
  map_price: null,
  tiers,
})
const from = (quantity_min: number, type: QuantityDiscount['type'], amount: number): QuantityDiscount => ({
  quantity_min,
  quantity_max: null,
  type,
  amount,
})
const plus = (adjuster_value: number): PriceAdjuster => ({ adjuster: 'relative', adjuster_value })
const percent = (adjuster_value: number): PriceAdjuster => ({ adjuster: 'percentage', adjuster_value })
const off = (amount: number) => ({ type: 'percent' as const, amount })

const facts = (some: Partial<PriceFacts>): PriceFacts => ({
  product: product(100),
  variant: undefined,
  record: undefined,
  adjusters: [],
  picked: [],
  discounts: [],
  bulkRules: [],
  ...some,
})

interface Example {
  of: Partial<PriceFacts>
  /** The quantities of the variant and of its product; 1 if not given. */
  quantity?: number
  currency?: PayingCurrency
  unit: number
  calculated?: number
}

test.each<[string, Example]>([
  ['M1', { of: { product: product(100, 80) }, unit: 80 }],
  ['M2', { of: { product: product(100, 80), variant: variant(95) }, unit: 95 }],
  ['M3', { of: { product: product(100, 80), variant: variant(95, 70) }, unit: 70 }],
  ['M4', { of: { product: product(100, 50), record: record(60) }, unit: 60 }],
  ['M5', { of: { record: record(60, 55, [from(10, 'percent', 10)]) }, quantity: 10, unit: 49.5, calculated: 55 }],
  ['M6', { of: { record: record(60), bulkRules: [from(5, 'price', 10)] }, quantity: 5, unit: 60 }],
  [
    'M7, the variant with a record',
    { of: { record: record(60), bulkRules: [from(5, 'price', 10)] }, quantity: 3, unit: 60 },
  ],
  ['M7, the other one', { of: { bulkRules: [from(5, 'price', 10)] }, quantity: 4, unit: 100 }],
  ['M8', { of: { bulkRules: [from(5, 'price', 10)] }, quantity: 5, unit: 90, calculated: 100 }],
  ['M9', { of: { product: product(100, 80), discounts: [off(10)] }, unit: 72 }],
  ['M10', { of: { discounts: [off(10)] }, unit: 90 }],
  ['M11', { of: { adjusters: [plus(5)], discounts: [off(10)] }, unit: 94.5 }],
  ['M12', { of: { adjusters: [plus(5), percent(10)] }, unit: 115.5 }],
  ['M12, swapped', { of: { adjusters: [percent(10), plus(5)] }, unit: 115 }],
  [
    'M13',
    {
      of: { product: product(20), adjusters: [plus(5)], bulkRules: [from(2, 'percent', 10)] },
      quantity: 2,
      unit: 22.5,
    },
  ],
  [
    'M14',
    { of: { product: product(20), adjusters: [plus(5)], bulkRules: [from(2, 'fixed', 15)] }, quantity: 2, unit: 15 },
  ],
  [
    'M15',
    {
      of: { record: record(60, null, [from(10, 'percent', 10)]), adjusters: [plus(5)] },
      quantity: 10,
      unit: 59,
      calculated: 65,
    },
  ],
  [
    'M16',
    {
      of: { record: record(60, null, [from(10, 'percent', 10)]), adjusters: [percent(10)] },
      quantity: 10,
      unit: 59.4,
      calculated: 66,
    },
  ],
  [
    'M17',
    {
      of: { product: product(80), adjusters: [plus(5)], discounts: [off(10)], bulkRules: [from(3, 'price', 3)] },
      quantity: 3,
      unit: 73.5,
      calculated: 76.5,
    },
  ],
  ['M18', { of: {}, currency: eur, unit: 90 }],
  ['M20', { of: { record: undefined }, unit: 100 }],
  ['M21', { of: { product: product(10.05), bulkRules: [from(1, 'percent', 50)] }, unit: 5.02 }],
  ['M22', { of: { product: product(20, 10), discounts: [{ type: 'fixed', amount: 12 }] }, unit: 12 }],
  ['M23', { of: { discounts: [off(5)] }, unit: 95 }],
  [
    'M24',
    { of: { bulkRules: [from(2, 'percent', 10)], picked: [unitsOf(30)] }, quantity: 2, unit: 120, calculated: 130 },
  ],
  ['M25', { of: { product: product(4), adjusters: [plus(-5)] }, unit: 0 }],
])('%s', (_, { of, quantity = 1, currency = usd, unit, calculated }) => {
  const price = priceOf(currency, facts(of), { variant: quantity, product: quantity })
  expect(amountOf(price.unit)).toBe(unit)
  if (calculated !== undefined) expect(amountOf(price.calculated)).toBe(calculated)
})

describe('a price', () => {
  const shown = (price: ReturnType<typeof priceOf>) =>
    price.quantityPrices.map(({ amount, ...tier }) => ({ ...tier, amount: amountOf(amount) }))

  test('has the lowest of several discounts for categories', () => {
    const discounts = [off(10), { type: 'price' as const, amount: 15 }, { type: 'fixed' as const, amount: 99 }]
    expect(amountOf(priceOf(usd, facts({ discounts })).unit)).toBe(85)
  })

  test('shows every step', () => {
    const of = facts({
      product: product(80),
      adjusters: [plus(5)],
      discounts: [off(10)],
      bulkRules: [from(3, 'price', 3)],
      picked: [unitsOf(1)],
    })
    const { steps } = priceOf(usd, of, { variant: 1, product: 3 })
    const amounts = Object.entries(steps).map(([step, units]) => [step, amountOf(units)])
    expect(Object.fromEntries(amounts)).toEqual({
      base: 80,
      tier: 80,
      adjusters: 85,
      discount: 76.5,
      bulk: 73.5,
      picked: 74.5,
      unit: 74.5,
    })
  })

  test('shows tiers that clients can subtract from it, else the price of each tier', () => {
    const tiers = [from(10, 'percent', 10)]
    const tier = { quantity_min: 10, quantity_max: 0 }
    expect(shown(priceOf(usd, facts({ record: record(60, null, tiers) })))).toEqual([
      { ...tier, type: 'percent', amount: 10 },
    ])
    expect(shown(priceOf(usd, facts({ record: record(60, null, tiers), adjusters: [plus(5)] })))).toEqual([
      { ...tier, type: 'fixed', amount: 59 },
    ])
    expect(shown(priceOf(usd, facts({ bulkRules: tiers, adjusters: [plus(5)] })))).toEqual([
      { ...tier, type: 'percent', amount: 10 },
    ])
    expect(shown(priceOf(usd, facts({ bulkRules: tiers, picked: [unitsOf(30)] })))).toEqual([
      { ...tier, type: 'fixed', amount: 120 },
    ])
  })

  test('of the catalog is converted with all its amounts, that of a record with its adjusters alone', () => {
    const bulkRules = [from(1, 'price', 10)]
    expect(amountOf(priceOf(eur, facts({ adjusters: [plus(5)], bulkRules })).unit)).toBe(85.5)
    expect(amountOf(priceOf(eur, facts({ record: record(60), adjusters: [plus(5)] })).unit)).toBe(64.5)
  })

  test('of a record can be free', () => {
    expect(amountOf(priceOf(usd, facts({ record: record(60, 0) })).unit)).toBe(0)
  })
})
