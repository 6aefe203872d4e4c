import { larger, minorUnit, ratio, roundTo, smaller, type Units, unitsOf } from '../../../core/money/units.ts'
import type { PriceAdjuster, QuantityDiscount, StoredPrices } from '../../../goods/catalog/product-row/priced.ts'

// Calculates the price of one unit of an item. Pure. Two sources have different orders of steps (docs/contract/price-lists.md section 6):
//   catalog  base, adjusters, group discount, bulk rule, picked products
//   record   base, tier, adjusters, picked products
// Each step keeps four decimals; the price of the unit has the decimals of the currency. Only the end is never below 0.

/** The currency that a shopper pays in. */
export interface PayingCurrency {
  decimals: number
  /** Amounts of the catalog are multiplied by `rate / one`. */
  rate: bigint
  one: bigint
}

/** A discount of a group or of a quantity. */
export type Discount = Pick<QuantityDiscount, 'type' | 'amount'>

/** Prices of a record, in the currency of the shopper. */
export interface RecordPrices {
  price: number
  sale_price: number | null
  retail_price: number | null
  map_price: number | null
  tiers: readonly QuantityDiscount[]
}

/** Everything that decides about the price of an item. */
export interface PriceFacts {
  product: { price: number; sale_price: number; retail_price: number; map_price: number }
  /** Undefined for an estimate, before the shopper has chosen. */
  variant: StoredPrices | undefined
  /** The record of the variant in the list that applies. */
  record: RecordPrices | undefined
  /** The adjusters of the chosen modifier values, then those of the complex rules that apply. */
  adjusters: readonly PriceAdjuster[]
  /** Prices of products that were picked by modifiers, in the currency of the shopper. */
  picked: readonly Units[]
  /** The group discounts of the most specific kind. */
  discounts: readonly Discount[]
  bulkRules: readonly QuantityDiscount[]
}

/** The quantities that tiers and bulk rules count. */
export interface Quantities {
  /** Units of the variant, over all lines. */
  variant: number
  /** Units of all variants of the product without a record, over all lines. */
  product: number
}

/** The price of one unit after each step. */
interface PriceSteps {
  base: Units
  tier: Units
  adjusters: Units
  discount: Units
  bulk: Units
  picked: Units
  /** Rounded. */
  unit: Units
}

/** A price for a quantity. */
export interface QuantityPrice {
  quantity_min: number
  /** 0 for no end. */
  quantity_max: number
  type: QuantityDiscount['type']
  /** A percentage in ten-thousandths, or an amount in the currency of the shopper. */
  amount: Units
}

export interface Price {
  source: 'catalog' | 'record'
  /** The prices of the source, in the currency of the shopper; undefined if not set. */
  list: Units
  sale: Units | undefined
  retail: Units | undefined
  minimumAdvertised: Units | undefined
  /** With the tier or bulk rule of the quantities. */
  steps: PriceSteps
  /** One unit without tiers and bulk rules. */
  calculated: Units
  /** One unit of the quantities. */
  unit: Units
  quantityPrices: QuantityPrice[]
}

const HUNDRED = unitsOf(100)
const NO_PRICES: StoredPrices = { price: null, sale_price: null, retail_price: null, map_price: null }

export function priceOf(
  currency: PayingCurrency,
  facts: PriceFacts,
  quantities: Quantities = { variant: 1, product: 1 },
): Price {
  const { record } = facts
  const convert = (amount: number) => converted(currency, unitsOf(amount))
  const own = record ? pricesOfRecord(record) : pricesOfCatalog(facts, convert)
  const [tiers, quantity] = record ? [record.tiers, quantities.variant] : [facts.bulkRules, quantities.product]
  const base = own.sale ?? own.list
  const plain = stepsFrom(base, facts, currency, undefined)
  const discount = discountFor(tiers, quantity)
  const steps = discount ? stepsFrom(base, facts, currency, discount) : plain
  const calculated = plain.unit
  // Clients subtract a tier from the calculated price. If that were wrong, they get the price itself.
  const isExact = facts.picked.length === 0 && (!record || facts.adjusters.length === 0)
  const quantityPrices = tiers.map(({ quantity_min, quantity_max, ...tier }) => ({
    quantity_min,
    quantity_max: quantity_max ?? 0,
    ...(isExact
      ? { type: tier.type, amount: tier.type === 'percent' || record ? unitsOf(tier.amount) : convert(tier.amount) }
      : { type: 'fixed' as const, amount: stepsFrom(base, facts, currency, tier).unit }),
  }))
  return { ...own, source: record ? 'record' : 'catalog', steps, calculated, unit: steps.unit, quantityPrices }
}

/** An amount of the catalog in the currency of a shopper. */
const converted = ({ rate, one }: PayingCurrency, amount: Units): Units =>
  rate === one ? amount : ratio(amount, rate, one)

interface SourcePrices {
  list: Units
  sale: Units | undefined
  retail: Units | undefined
  minimumAdvertised: Units | undefined
}

/** A record hides the prices of the catalog, also if its own are null. */
function pricesOfRecord({ price, sale_price, retail_price, map_price }: RecordPrices): SourcePrices {
  const set = (amount: number | null) => (amount === null ? undefined : unitsOf(amount))
  return {
    list: unitsOf(price),
    sale: set(sale_price),
    retail: set(retail_price),
    minimumAdvertised: set(map_price),
  }
}

/** The catalog has 0 for prices that are not set. A price of a variant hides the sale price of its product. */
function pricesOfCatalog(
  { product, variant = NO_PRICES }: Pick<PriceFacts, 'product' | 'variant'>,
  convert: (amount: number) => Units,
): SourcePrices {
  const set = (amount: number | null) => (amount ? convert(amount) : undefined)
  return {
    list: convert(variant.price ?? product.price),
    sale: set(variant.sale_price ?? (variant.price === null ? product.sale_price : 0)),
    retail: set(variant.retail_price ?? product.retail_price),
    minimumAdvertised: set(variant.map_price ?? product.map_price),
  }
}

function stepsFrom(
  base: Units,
  { record, adjusters, discounts, picked }: PriceFacts,
  currency: PayingCurrency,
  quantityDiscount: Discount | undefined,
): PriceSteps {
  const reduce = (price: Units, { type, amount }: Discount, convert = (units: Units) => units) => {
    if (type === 'fixed') return convert(unitsOf(amount))
    if (type === 'price') return price - convert(unitsOf(amount))
    return price - ratio(price, unitsOf(amount), HUNDRED, minorUnit(currency.decimals))
  }
  const inCurrency = (units: Units) => converted(currency, units)
  const tier = record && quantityDiscount ? reduce(base, quantityDiscount) : base
  const adjusted = adjusters.reduce((price, adjuster) => adjustedBy(price, adjuster, currency), tier)
  const reduced = discounts.map((discount) => reduce(adjusted, discount, inCurrency))
  const discount = record ? adjusted : lowest(reduced, adjusted)
  const bulk = !record && quantityDiscount ? reduce(discount, quantityDiscount, inCurrency) : discount
  const whole = picked.reduce((sum, price) => sum + price, bulk)
  const unit = larger(roundTo(whole, currency.decimals), 0n)
  return { base, tier, adjusters: adjusted, discount, bulk, picked: whole, unit }
}

/** A price after an adjuster. A relative one is an amount of the catalog. */
export const adjustedBy = (
  price: Units,
  { adjuster, adjuster_value }: PriceAdjuster,
  currency: PayingCurrency,
): Units =>
  price +
  (adjuster === 'relative'
    ? converted(currency, unitsOf(adjuster_value))
    : ratio(price, unitsOf(adjuster_value), HUNDRED))

const lowest = ([first, ...others]: readonly Units[], otherwise: Units): Units =>
  first === undefined ? otherwise : others.reduce(smaller, first)

/** The last tier or rule whose range has the quantity. */
const discountFor = (tiers: readonly QuantityDiscount[], quantity: number): QuantityDiscount | undefined =>
  tiers.findLast(
    ({ quantity_min, quantity_max }) => quantity >= quantity_min && (!quantity_max || quantity <= quantity_max),
  )
