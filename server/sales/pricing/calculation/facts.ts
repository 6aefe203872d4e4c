import { larger, smaller, type Units } from '../../../core/money/units.ts'
import type { GroupDiscount } from '../../../customers/row/shoppers.ts'
import type {
  PriceAdjuster,
  PricedModifierValue,
  PricedProduct,
  PricedVariant,
  PriceRule,
} from '../../../goods/catalog/product-row/priced.ts'
import {
  adjustedBy,
  type Discount,
  type PayingCurrency,
  type PriceFacts,
  priceOf,
  type RecordPrices,
} from './price-of.ts'
import type { ChosenModifier, ItemSelection } from './selection.ts'

// Puts the facts of one price together from the facts that were gathered. Pure.

/** The facts of all prices of a request. */
export interface PriceSources {
  /** Amounts are calculated in this currency. */
  currency: PayingCurrency
  products: ReadonlyMap<number, PricedProduct>
  /** By variant. */
  records: ReadonlyMap<number, RecordPrices>
  discounts: readonly GroupDiscount[]
}

/** The facts of the price of a selection. */
export function priceFactsOf(
  gathered: PriceSources,
  product: PricedProduct,
  { variant, modifiers }: ItemSelection,
): PriceFacts {
  const plain = plainFacts(gathered, product, variant)
  if (modifiers.length === 0 && product.rules.length === 0) return plain
  const met = rulesMet(product.rules, variant, modifiers)
  return {
    ...plain,
    adjusters: [...modifiers.flatMap(({ value }) => value.price ?? []), ...met.flatMap(adjusterOf)],
    picked: modifiers.flatMap(({ value }) => pickedPrice(gathered, value) ?? []),
  }
}

function plainFacts(gathered: PriceSources, product: PricedProduct, variant: PricedVariant | undefined): PriceFacts {
  return {
    product,
    variant,
    record: variant && gathered.records.get(variant.id),
    adjusters: [],
    picked: [],
    discounts: discountsOf(gathered.discounts, product),
    bulkRules: product.bulkRules,
  }
}

/** A rule for the product comes before those for its categories, and these before the one for all. */
function discountsOf(rules: readonly GroupDiscount[], { id, categories }: PricedProduct): Discount[] {
  if (rules.length === 0) return []
  const kinds = [
    rules.filter(({ product_id }) => product_id === id),
    rules.filter((rule) => rule.categories?.some((category) => categories.includes(category))),
    rules.filter(({ type }) => type === 'all'),
  ]
  const found = kinds.find((kind) => kind.length > 0) ?? []
  return found.map(({ method, amount }) => ({ type: method, amount }))
}

/** The complex rules whose conditions a selection meets, up to the first one that stops. */
function rulesMet(
  rules: readonly PriceRule[],
  variant: PricedVariant | undefined,
  modifiers: readonly ChosenModifier[],
): PriceRule[] {
  const met: PriceRule[] = []
  for (const rule of rules) {
    const isMet = rule.conditions.every(({ variant_id, modifier_id, modifier_value_id }) =>
      variant_id === null
        ? modifiers.some(({ modifier, value }) => modifier.id === modifier_id && value.id === modifier_value_id)
        : variant_id === variant?.id,
    )
    if (!isMet) continue
    met.push(rule)
    if (rule.stop) break
  }
  return met
}

const adjusterOf = ({ price: { adjuster, adjuster_value } }: PriceRule): PriceAdjuster[] =>
  adjuster === null ? [] : [{ adjuster, adjuster_value }]

/** The price of a product that a shopper picks with a value: for the same shopper, without modifiers of its own. */
function pickedPrice(gathered: PriceSources, { picked }: PricedModifierValue): Units | undefined {
  const product = picked === null ? undefined : gathered.products.get(picked)
  if (!product) return undefined
  const base = product.variants.find(({ id }) => id === product.base_variant_id)
  return priceOf(gathered.currency, plainFacts(gathered, product, base)).calculated
}

/** The least and the most of something, undefined without anything. */
export interface AmountRange {
  minimum: Units
  maximum: Units
}

/**
 * The range of the prices of a product with options, over its variants that can be bought. Of each required modifier the cheapest and
 * the dearest value count, step by step: no combinations are tried, and complex rules are left out.
 */
export function rangesOf(
  gathered: PriceSources,
  product: PricedProduct,
): { price?: AmountRange; retail?: AmountRange } {
  const sold = product.variants.filter(({ purchasing_disabled }) => !purchasing_disabled)
  const required = product.modifiers.filter(({ required, values }) => required && values.length > 0)
  const prices: Units[] = []
  const retails: Units[] = []
  for (const variant of sold) {
    const plain = plainFacts(gathered, product, variant)
    const { steps, retail } = priceOf(gathered.currency, plain)
    if (retail !== undefined) retails.push(retail)
    for (const isBetter of [(one: Units, other: Units) => one < other, (one: Units, other: Units) => one > other]) {
      let running = { price: steps.base, picked: 0n }
      const chosen: PricedModifierValue[] = []
      for (const { values } of required) {
        const outcomes = values.map((value) => ({
          value,
          price: value.price ? adjustedBy(running.price, value.price, gathered.currency) : running.price,
          picked: running.picked + (pickedPrice(gathered, value) ?? 0n),
        }))
        const best = outcomes.reduce((one, other) =>
          isBetter(other.price + other.picked, one.price + one.picked) ? other : one,
        )
        chosen.push(best.value)
        running = best
      }
      prices.push(
        priceOf(gathered.currency, {
          ...plain,
          adjusters: chosen.flatMap(({ price }) => price ?? []),
          picked: chosen.flatMap((value) => pickedPrice(gathered, value) ?? []),
        }).calculated,
      )
    }
  }
  return { ...asRange('price', prices), ...asRange('retail', retails) }
}

function asRange<Name extends string>(name: Name, [first, ...others]: readonly Units[]) {
  if (first === undefined) return {}
  const minimum = others.reduce(smaller, first)
  const maximum = others.reduce(larger, first)
  return { [name]: { minimum, maximum } }
}
