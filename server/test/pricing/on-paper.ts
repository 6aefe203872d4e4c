import Big from 'big.js'
import fc from 'fast-check'
import { drawnAdjuster, drawnAmount, drawnReduction, maybe, type Reduction, ten4 } from './drawn-prices.ts'

// Prices, taxes and totals as somebody would work them out on paper. It shares no code with the server. Random shoppers have everything
// of their own: product, group with discounts or list, records with tiers, bulk rules, a tax zone with its rates. Those that are in one
// store share its tax settings and its currencies.

/** Shoppers of one store. */
export const SHOPPERS = 50
/** Currencies besides the default one. */
export const CODES = ['EUR', 'GBP', 'JPY']
const HALF_UP = Big.roundHalfUp

export interface Rate {
  priority: number
  rate: number
}
/** Discounts from a quantity on; each ends where the next begins. */
export type Steps = { quantity_min: number; amount: number; type: Reduction['method'] }[]

const steps: fc.Arbitrary<Steps> = fc
  .tuple(
    fc.constantFrom<Reduction['method'][]>('percent', 'price', 'fixed'),
    fc.array(ten4(0, 900_000), { maxLength: 2 }),
    fc.integer({ min: 2, max: 4 }),
  )
  .map(([type, amounts, first]) => amounts.map((off, i) => ({ quantity_min: first + 3 * i, amount: off, type })))
const prices = fc.record({
  price: fc.option(drawnAmount, { nil: null }),
  sale_price: fc.option(drawnAmount, { nil: null }),
})
const record = fc.record({ price: drawnAmount, sale_price: fc.option(drawnAmount, { nil: null }), tiers: steps })
const rates = fc.array(fc.record({ priority: fc.integer({ min: 1, max: 2 }), rate: ten4(0, 300_000) }), {
  maxLength: 3,
})

const shopper = fc.record({
  /** 3 is the default currency. */
  currency: fc.integer({ min: 0, max: 3 }),
  list: fc.constantFrom('pair', 'group', 'inactive', 'channel', 'channel', 'none'),
  recordsInDefault: fc.boolean(),
  ofAll: maybe(drawnReduction),
  ofCategory: maybe(drawnReduction),
  ofProduct: maybe(drawnReduction),
  inCategory: fc.boolean(),
  product: fc.record({ price: drawnAmount, sale_price: fc.oneof(fc.constant(0), drawnAmount) }),
  /** Undefined for a product without options. */
  variants: maybe(fc.tuple(prices, prices)),
  records: fc.tuple(maybe(record), maybe(record)),
  bulkRules: steps,
  modifiers: fc.array(drawnAdjuster, { maxLength: 1 }),
  /** For the first variant. */
  complexRule: fc.option(drawnAdjuster, { nil: undefined, freq: 1 }),
  rates,
  lines: fc.array(
    fc.record({
      variant: fc.integer({ min: 0, max: 1 }),
      isModified: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 6 }),
    }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
})
export type Shopper = typeof shopper extends fc.Arbitrary<infer Drawn> ? Drawn : never

export const world = fc.record({
  isInclusive: fc.boolean(),
  subtracts: fc.boolean(),
  roundsRates: fc.boolean(),
  storeRates: rates,
  currencies: fc.tuple(
    ...CODES.map(() =>
      fc.record({
        isPaid: fc.boolean(),
        rate: fc.integer({ min: 1, max: 3_000_000_000 }).map((units) => new Big(units).div(1_000_000_000).toFixed(10)),
        decimals: fc.integer({ min: 0, max: 4 }),
      }),
    ),
  ),
  shoppers: fc.array(shopper, { minLength: SHOPPERS, maxLength: SHOPPERS }),
})
export type World = typeof world extends fc.Arbitrary<infer Drawn> ? Drawn : never

/** The currency of a shopper: the one that amounts are shown in, and the one that is paid. */
export function moneyOf({ currencies }: World, { currency }: Shopper) {
  const standard = { rate: '1', decimals: 2, isPaid: true }
  const shown = currencies[currency] ?? standard
  return { shown, paid: shown.isPaid ? shown : standard }
}

export const hasOwnList = ({ list }: Shopper) => list === 'pair' || list === 'group' || list === 'inactive'
const discountsOf = (one: Shopper) =>
  hasOwnList(one) ? [] : [one.ofAll, one.ofCategory, one.ofProduct].filter((rule) => rule !== undefined)
/** The variant of a line: a product without options has one. */
export const variantOf = ({ variants }: Shopper, { variant }: { variant: number }) => (variants ? variant : 0)

/** The record of a variant that counts: in a list that applies, and in the currency that is paid. */
function recordOf(world: World, one: Shopper, variant: number) {
  const currency = one.recordsInDefault ? 3 : one.currency
  const paid = moneyOf(world, one).shown.isPaid ? one.currency : 3
  if (one.list === 'none' || one.list === 'inactive' || currency !== paid) return undefined
  return one.list === 'channel' && discountsOf(one).length > 0 ? undefined : one.records[variant]
}

/** The price of a unit; without quantities, the one that is shown. */
function unitOnPaper(world: World, one: Shopper, line: Shopper['lines'][number], isCounted: boolean): Big {
  const { rate, decimals } = moneyOf(world, one).paid
  const exchange = (value: Big.BigSource) => new Big(value).times(rate).round(4, HALF_UP)
  const reduce = (price: Big, how: string, off: number, convert: (value: number) => Big) => {
    if (how === 'fixed') return convert(off)
    if (how === 'price') return price.minus(convert(off))
    return price.minus(price.times(off).div(100).round(decimals, HALF_UP))
  }
  const inSteps = (price: Big, list: Steps, units: number, convert: (value: number) => Big) => {
    const last = list.filter(({ quantity_min }) => units >= quantity_min).at(-1)
    return last && isCounted ? reduce(price, last.type, last.amount, convert) : price
  }
  const variant = variantOf(one, line)
  const units = (counts: (other: number) => boolean) =>
    one.lines.filter((other) => counts(variantOf(one, other))).reduce((sum, { quantity }) => sum + quantity, 0)
  const found = recordOf(world, one, variant)
  let price: Big
  if (found) {
    price = new Big(found.sale_price === null ? found.price : found.sale_price)
    price = inSteps(
      price,
      found.tiers,
      units((other) => other === variant),
      (value) => new Big(value),
    )
  } else {
    const own = one.variants?.[variant] ?? { price: null, sale_price: null }
    let value = own.price ?? one.product.price
    if (own.price === null && one.product.sale_price > 0) value = one.product.sale_price
    if (own.sale_price !== null) value = own.sale_price > 0 ? own.sale_price : (own.price ?? one.product.price)
    price = exchange(value)
  }
  const adjusters = [
    ...(line.isModified ? one.modifiers : []),
    ...(one.complexRule && variant === 0 ? [one.complexRule] : []),
  ]
  for (const { adjuster: how, adjuster_value: value } of adjusters) {
    price = price.plus(how === 'relative' ? exchange(value) : price.times(value).div(100).round(4, HALF_UP))
  }
  if (!found) {
    const rule = hasOwnList(one)
      ? undefined
      : (one.ofProduct ?? (one.inCategory ? one.ofCategory : undefined) ?? one.ofAll)
    if (rule) price = reduce(price, rule.method, rule.amount, exchange)
    price = inSteps(
      price,
      one.bulkRules,
      units((other) => !recordOf(world, one, other)),
      exchange,
    )
  }
  price = price.round(decimals, HALF_UP)
  return price.lt(0) ? new Big(0) : price
}

const Exact = Big()
Exact.DP = 40

/** The product of all priorities: an amount with tax, as a multiple of the one without. */
const factorOf = (list: readonly Rate[]) =>
  [1, 2].reduce(
    (factor, level) =>
      factor.times(
        list
          .filter(({ priority }) => priority === level)
          .reduce((sum, { rate }) => sum.plus(new Exact(rate).div(100)), new Exact(1)),
      ),
    new Exact(1),
  )

/** The taxes of an amount by rate, and the amount without or with them; the other one is undefined. */
function taxOnPaper(
  { isInclusive, subtracts, roundsRates, storeRates }: World,
  one: Shopper,
  entered: Big,
  decimals: number,
) {
  const list = [1, 2].flatMap((level) => one.rates.filter(({ priority, rate }) => priority === level && rate > 0))
  const isSubtracted = isInclusive && subtracts
  const net = isSubtracted ? new Exact(entered).div(factorOf(storeRates)).round(4, HALF_UP) : new Exact(entered)
  const factor = isInclusive && !isSubtracted ? factorOf(list) : new Exact(1)
  const taxes: Big[] = []
  for (const { rate, priority } of list) {
    const below = taxes
      .filter((_, i) => (list[i]?.priority ?? 0) < priority)
      .reduce((sum, tax) => sum.plus(tax), new Exact(0))
    const base = net.plus(below.times(factor))
    taxes.push(
      base
        .times(rate)
        .div(factor.times(100))
        .round(roundsRates ? decimals : 8, HALF_UP),
    )
  }
  const tax = taxes.reduce((sum, one) => sum.plus(one), new Exact(0))
  return isInclusive && !isSubtracted ? { taxes, ex: net.minus(tax), inc: net } : { taxes, ex: net, inc: net.plus(tax) }
}

export function pricesOnPaper(world: World, one: Shopper) {
  const { shown } = moneyOf(world, one)
  return one.lines.map((line) => {
    const unit = unitOnPaper(world, one, line, false)
    const entered = shown.isPaid ? unit : unit.times(shown.rate).round(shown.decimals, HALF_UP)
    const { ex, inc } = taxOnPaper(world, one, entered, shown.decimals)
    return [entered, ex, inc].map((value) => value.round(shown.decimals, HALF_UP).toNumber() + 0)
  })
}

/** The unit, the line without tax and the line with tax, of each line; and the total. */
export function orderOnPaper(world: World, one: Shopper) {
  const { decimals } = moneyOf(world, one).paid
  let [exact, rounded, total] = [new Big(0), new Big(0), new Big(0)]
  const lines = one.lines.map((line) => {
    const unit = unitOnPaper(world, one, line, true)
    const entered = unit.times(line.quantity)
    const { taxes, ex, inc } = taxOnPaper(world, one, entered, decimals)
    let tax = new Big(0)
    for (const rate of taxes) {
      exact = exact.plus(rate)
      let next = exact.round(decimals, HALF_UP).minus(rounded)
      if (inc.eq(entered) && next.gt(entered.minus(tax))) next = entered.minus(tax)
      rounded = rounded.plus(next)
      tax = tax.plus(next)
    }
    let paid = inc.eq(entered) ? entered : inc.round(decimals, HALF_UP)
    if (paid.lt(tax)) paid = tax
    if (ex.eq(entered)) paid = entered.plus(tax)
    total = total.plus(paid)
    return [unit, paid.minus(tax), paid].map((value) => value.toFixed(4))
  })
  return { lines, total: total.toFixed(4) }
}
