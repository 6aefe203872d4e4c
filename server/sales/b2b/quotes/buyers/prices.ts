import type { Db } from '../../../../core/db/database.ts'
import { amountOf, type Units, unitsOf } from '../../../../core/money/units.ts'
import type { Mistakes } from '../../../../core/rest/input/mistakes.ts'
import { priceFactsOf } from '../../../pricing/calculation/facts.ts'
import { type Price, priceOf, type Quantities } from '../../../pricing/calculation/price-of.ts'
import { selectionOf } from '../../../pricing/calculation/selection.ts'
import { gather, type ShopperPrices } from '../../../pricing/gather.ts'
import type { QuoteLine } from '../quote.ts'

// The prices at which buyers ask for a quote: those that the shop charges them now (docs/contract/b2b-quotes.md section 10).

/** The buyer whose prices count. */
export interface PricedBuyer {
  channelId: number
  currencyCode: string
  /** The group of a company; 0 for other buyers. */
  group: number
  /** The customer of a quote without a company; 0 for a guest. */
  customerId: number
}

/** A line before it has a price. */
type PricelessLine = Pick<QuoteLine, 'productId' | 'variantId' | 'quantity' | 'options'>

/**
 * The price of one unit of each line, in the same order. Units of all lines count for prices by quantity.
 * @param mistakes gets a sentence for options that the product does not have, and for a currency that nobody pays in
 */
export async function pricesOfLines(
  db: Db,
  { channelId, currencyCode, group, customerId }: PricedBuyer,
  lines: readonly PricelessLine[],
  mistakes: Mistakes,
): Promise<number[]> {
  const shopper = {
    channel_id: channelId,
    currency_code: currencyCode,
    customer_group_id: group,
    customer_id: group === 0 ? customerId : 0,
  }
  const { gathered } = await gather(
    db,
    shopper,
    lines.map(({ productId }) => productId),
  )
  if (gathered?.code !== currencyCode) {
    mistakes['currency.currencyCode'] = 'Nobody pays in this currency.'
    return []
  }
  const quantitiesOf = countUnits(lines, gathered)
  return lines.map((line, i) => {
    const price = priceOfLine(line, gathered, { quantities: quantitiesOf(line), mistakes, at: `productList.${i}` })
    return price === undefined ? 0 : amountOf(price.unit)
  })
}

interface LineContext {
  quantities: Quantities
  mistakes: Mistakes
  at: string
}

/** @returns undefined for a product that was deleted meanwhile */
function priceOfLine(
  { productId, variantId, options }: PricelessLine,
  gathered: ShopperPrices,
  { quantities, mistakes, at }: LineContext,
): Price | undefined {
  const product = gathered.products.get(productId)
  if (!product) return undefined
  const chosen = options.map(({ optionId, optionValue }) => ({
    option_id: optionId,
    value_id: /^[1-9]\d{0,8}$/.test(optionValue) ? Number(optionValue) : 0,
  }))
  const item = { product_id: productId, variant_id: variantId, options: chosen }
  const selection = selectionOf(item, product, mistakes, (field) => `${at}.${field}`)
  return priceOf(gathered.currency, priceFactsOf(gathered, product, selection), quantities)
}

/** Counts the units of all lines: by variant, and by product without the variants that have a record. */
function countUnits(lines: readonly PricelessLine[], { records }: ShopperPrices): (line: PricelessLine) => Quantities {
  const sumOf = (isCounted: (line: PricelessLine) => boolean) =>
    lines.filter(isCounted).reduce((sum, { quantity }) => sum + quantity, 0)
  const ofVariants = new Map(
    [...new Set(lines.map(({ variantId }) => variantId))].map((id) => [id, sumOf((line) => line.variantId === id)]),
  )
  const ofProducts = new Map(
    [...new Set(lines.map(({ productId }) => productId))].map((id) => [
      id,
      sumOf((line) => line.productId === id && !records.has(line.variantId)),
    ]),
  )
  return ({ variantId, productId }) => ({
    variant: ofVariants.get(variantId) ?? 0,
    product: ofProducts.get(productId) ?? 0,
  })
}

const TOLERANCE: Units = unitsOf(0.01)

/** Whether a price that a buyer has sent is the one that the shop charges, to within 0.01. */
export function isSamePrice(sent: number, price: number): boolean {
  const difference = unitsOf(sent) - unitsOf(price)
  return difference <= TOLERANCE && -difference <= TOLERANCE
}
