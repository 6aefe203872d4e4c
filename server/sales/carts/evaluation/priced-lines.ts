import { hash } from 'node:crypto'
import { larger, ratio, roundTo, type Units, unitsOf } from '../../../core/money/units.ts'
import type { PricedProduct } from '../../../goods/catalog/product-row/priced.ts'
import { priceFactsOf } from '../../pricing/calculation/facts.ts'
import { type Price, priceOf, type Quantities } from '../../pricing/calculation/price-of.ts'
import type { Gift } from '../../promotions/engine/calculation/ledger.ts'
import { type EvaluatedCart, type Good, goodKey } from '../../promotions/engine/cart.ts'
import { DEFAULT_CLASS, NON_TAXABLE_CLASS } from '../../tax/classes/classes.ts'
import type { CartDocument, CatalogLine, ChosenWrapping, CustomLine } from '../row/document.ts'
import type { CartFacts } from './facts.ts'
import type { LineWrapping, PricedLine } from './result.ts'

// The prices of the lines of a cart, before discounts. Pure.

/** The lines of the shopper and of the back end. Lines whose variant is missing are left out. */
export function priceCartLines(document: CartDocument, facts: CartFacts): PricedLine[] {
  const quantitiesOf = countUnits(document.lines, facts)
  return [
    ...document.lines.flatMap((line) => catalogLine(line, facts, quantitiesOf(line)) ?? []),
    ...document.custom.map((line) => customLine(line, facts, document.pays_invoices)),
  ]
}

function catalogLine(line: CatalogLine, facts: CartFacts, quantities: Quantities): PricedLine | undefined {
  const item = facts.items.get(line.variant_id)
  const product = facts.prices.products.get(line.product_id)
  if (!item || !product || item.product_id !== line.product_id) return undefined
  const price = priceOfLine(line, product, facts, quantities)
  if (!price) return undefined
  const isOverridden = line.list_price !== null
  const unit = line.list_price === null ? price.unit : unitsOf(line.list_price)
  return {
    id: line.id,
    kind: 'catalog',
    input: line,
    product_id: line.product_id,
    variant_id: line.variant_id,
    item,
    name: line.name ?? item.name,
    quantity: line.quantity,
    promotion_id: undefined,
    isDigital: item.type === 'digital',
    isOverridden,
    isOnSale: price.sale !== undefined && price.sale < price.list,
    price: unit,
    original: inCurrency(product.price, facts),
    comparison: larger(price.list, unit),
    classId: product.tax_class_id,
    wrapping: wrappingOf(line, facts),
  }
}

function priceOfLine(
  { variant_id, modifiers }: Pick<CatalogLine, 'variant_id' | 'modifiers'>,
  product: PricedProduct,
  { prices }: CartFacts,
  quantities?: Quantities,
): Price | undefined {
  const variant = product.variants.find(({ id }) => id === variant_id)
  if (!variant) return undefined
  const chosen = product.modifiers.flatMap((modifier) => {
    const choice = modifiers.find(({ option_id }) => option_id === modifier.id)
    const value = modifier.values.find(({ id }) => id === choice?.value_id)
    return value ? [{ modifier, value }] : []
  })
  return priceOf(prices.currency, priceFactsOf(prices, product, { variant, modifiers: chosen }), quantities)
}

/** Counts the units of all lines: by variant, and by product without the variants that have a record. */
function countUnits(
  lines: readonly CatalogLine[],
  { prices: { records } }: CartFacts,
): (line: CatalogLine) => Quantities {
  const ofVariants = new Map<number, number>()
  const ofProducts = new Map<number, number>()
  for (const { variant_id, product_id, quantity } of lines) {
    ofVariants.set(variant_id, (ofVariants.get(variant_id) ?? 0) + quantity)
    if (!records.has(variant_id)) ofProducts.set(product_id, (ofProducts.get(product_id) ?? 0) + quantity)
  }
  return ({ variant_id, product_id }) => ({
    variant: ofVariants.get(variant_id) ?? 0,
    product: ofProducts.get(product_id) ?? 0,
  })
}

function customLine(line: CustomLine, facts: CartFacts, isInvoice = false): PricedLine {
  const price = unitsOf(line.list_price)
  return {
    id: line.id,
    kind: 'custom',
    input: line,
    product_id: 0,
    variant_id: 0,
    item: undefined,
    name: line.name,
    quantity: line.quantity,
    promotion_id: undefined,
    isDigital: isInvoice,
    isOverridden: false,
    isOnSale: false,
    price,
    original: price,
    comparison: price,
    classId: isInvoice ? NON_TAXABLE_CLASS : DEFAULT_CLASS,
    wrapping: wrappingOf(line, facts),
  }
}

/** An amount of the store in the currency of the cart. */
const inCurrency = (amount: number, { prices: { currency } }: CartFacts): Units =>
  ratio(unitsOf(amount), currency.rate, currency.one)

function wrappingOf(
  { wrapping, quantity }: { wrapping: ChosenWrapping | null; quantity: number },
  facts: CartFacts,
): LineWrapping | undefined {
  const [first] = wrapping?.details ?? []
  if (!wrapping || !first) return undefined
  const { decimals } = facts.prices.currency
  const priceOfUnit = ({ price }: { price: number }) => roundTo(inCurrency(price, facts), decimals)
  const amount = wrapping.together
    ? priceOfUnit(first) * BigInt(quantity)
    : wrapping.details.slice(0, quantity).reduce((sum, detail) => sum + priceOfUnit(detail), 0n)
  return { name: first.name, message: first.message, amount }
}

/** The products and variants that promotions can add: those that can be bought without a choice. */
export function goodsOf(lines: readonly PricedLine[], facts: CartFacts): EvaluatedCart['goods'] {
  const goods = new Map<string, { price: Units; available: number }>()
  for (const good of facts.promotions.facts.goods) {
    const found = findGood(good, facts)
    if (!found) continue
    const { item, product } = found
    const price = priceOfLine({ variant_id: item.variant_id, modifiers: [] }, product, facts)
    if (!price || !item.is_available || product.modifiers.some(({ required }) => required)) continue
    goods.set(goodKey(good), { price: price.unit, available: stockLeft(item, lines) })
  }
  return goods
}

function findGood(good: Good, { items, prices: { products } }: CartFacts) {
  const variant = 'variant_id' in good ? good.variant_id : products.get(good.product_id)?.base_variant_id
  const item = items.get(variant ?? 0)
  const product = item && products.get(item.product_id)
  return item && product ? { item, product } : undefined
}

const UNLIMITED = 2_147_483_647

function stockLeft(item: NonNullable<PricedLine['item']>, lines: readonly PricedLine[]): number {
  const { variant_id, product_id, variant_stock, product_stock } = item
  const unitsOfLines = (isSame: (line: PricedLine) => boolean) =>
    lines.filter(isSame).reduce((sum, { quantity }) => sum + quantity, 0)
  if (variant_stock !== null) {
    return Math.max(0, variant_stock - unitsOfLines((line) => line.variant_id === variant_id))
  }
  if (product_stock === null) return UNLIMITED
  return Math.max(0, product_stock - unitsOfLines((line) => line.product_id === product_id))
}

/** The lines that promotions add. A promotion has one line for each product that it adds. */
export function addedLines(gifts: readonly Gift[], document: CartDocument, facts: CartFacts): PricedLine[] {
  const merged = new Map<string, Gift>()
  for (const gift of gifts) {
    const key = `${gift.promotion_id} ${goodKey(gift.good)}`
    const before = merged.get(key)
    merged.set(key, { ...gift, quantity: gift.quantity + (before?.quantity ?? 0) })
  }
  return [...merged].flatMap(([key, { promotion_id, good, quantity, price }]) => {
    const found = findGood(good, facts)
    if (!found) return []
    const { item, product } = found
    const line: PricedLine = {
      id: idOfAdded(`${facts.cart_id} ${key} ${document.removals}`),
      kind: 'catalog',
      input: undefined,
      product_id: item.product_id,
      variant_id: item.variant_id,
      item,
      name: item.name,
      quantity,
      promotion_id,
      isDigital: item.type === 'digital',
      isOverridden: false,
      isOnSale: false,
      price,
      original: inCurrency(product.price, facts),
      comparison: price,
      classId: product.tax_class_id,
      wrapping: undefined,
    }
    return line
  })
}

/** An id in the form of a UUID, the same in each evaluation: a read shows the line with the id that the next change stores. */
function idOfAdded(name: string): string {
  const digits = hash('sha256', name)
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
