import { UNITS_MAX } from '../../../core/money/units.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { priceFactsOf } from '../../pricing/calculation/facts.ts'
import { type PayingCurrency, priceOf, type Quantities } from '../../pricing/calculation/price-of.ts'
import type { ShopperPrices } from '../../pricing/gather.ts'
import { type TaxAddress, taxZonesOf } from '../../tax/calculation/shopper.ts'
import type { OrderBillingAddress, PostalAddress } from '../row/rows.ts'
import { TOO_EXPENSIVE } from './bill.ts'
import type { CheckedLine, LineDraft } from './lines.ts'
import { ratesInForce, unitPrices } from './taxed-by.ts'

// Prices the lines of an order that have no given prices (docs/contract/orders.md section 4). Pure. All lines are selected first: tiers
// and bulk rules count the units of a variant, or of a product, over all lines.

/** The facts of the prices of an order. */
export interface OrderPrices {
  /** Undefined if all prices are given. */
  gathered: Pick<ShopperPrices, 'products' | 'records' | 'discounts' | 'tax' | 'group'> | undefined
  currency: PayingCurrency
  /** Lines are taxed where they go. */
  places: TaxPlaces
}

/** The addresses that decide about the tax of lines. */
export interface TaxPlaces {
  /** The address that goods are sent to or collected at. */
  goods: TaxAddress
  /** The address of the payment, for downloads. */
  billing: TaxAddress
}

/** @param shipping of an order that is shipped elsewhere than to the billing address */
export function taxPlaces(
  billing: OrderBillingAddress,
  shipping: PostalAddress | undefined,
  collected: { country_alpha2: string; state: string; postal_code: string } | undefined,
): TaxPlaces {
  const ofBilling = placeOf(billing)
  const goods = collected
    ? { country_code: collected.country_alpha2, state: collected.state, postal_code: collected.postal_code }
    : shipping
      ? placeOf(shipping)
      : ofBilling
  return { goods: orElse(goods, ofBilling), billing: orElse(ofBilling, goods) }
}

const placeOf = ({ country_iso2, state, zip }: PostalAddress): TaxAddress => ({
  country_code: country_iso2,
  state,
  postal_code: zip,
})

const orElse = (place: TaxAddress, other: TaxAddress): TaxAddress => (place.country_code === '' ? other : place)

/**
 * Calculates the prices of the lines that have a selection, and the rates that they are taxed with.
 * @param mistakes gets a sentence if a price is out of bounds, or a product was deleted meanwhile
 */
export function pricedLines(
  checked: readonly CheckedLine[],
  { gathered, places, currency }: OrderPrices,
  mistakes: Mistakes,
): LineDraft[] {
  if (!gathered) return checked.map(({ line }) => line)
  const sources = { ...gathered, currency }
  const zonesAt = (address: TaxAddress) => taxZonesOf(gathered.tax, { address, customer_group_id: gathered.group })
  const [ofGoods, ofDownloads] = [zonesAt(places.goods), zonesAt(places.billing)]
  const quantitiesOf = countUnits(checked, gathered.records)
  return checked.map(({ line, selection }) => {
    if (!selection) return line
    const product = gathered.products.get(line.product_id)
    const variant = product?.variants.find(({ id }) => id === selection.variantId)
    if (!product || !variant) {
      mistakes.products ??= unknownId('product', line.product_id)
      return line
    }
    const modifiers = product.modifiers.flatMap((modifier) => {
      const value = modifier.values.find(({ id }) => id === selection.values.get(modifier.id))
      return value ? [{ modifier, value }] : []
    })
    const { unit } = priceOf(currency, priceFactsOf(sources, product, { variant, modifiers }), quantitiesOf(line))
    if (unit > UNITS_MAX) {
      mistakes.total_inc_tax = TOO_EXPENSIVE
      return line
    }
    const zones = line.type === 'digital' ? ofDownloads : ofGoods
    const taxed_by = ratesInForce(gathered.tax, zones, product.tax_class_id)
    return { ...line, ...unitPrices(unit, taxed_by), taxed_by }
  })
}

/** Counts the units of all lines, also of those with given prices: by variant, and by product without variants that have a record. */
function countUnits(
  checked: readonly CheckedLine[],
  records: ReadonlyMap<number, unknown>,
): (line: LineDraft) => Quantities {
  const ofVariants = new Map<number, number>()
  const ofProducts = new Map<number, number>()
  for (const { line } of checked) {
    const { variant_id, product_id, quantity } = line
    ofVariants.set(variant_id, (ofVariants.get(variant_id) ?? 0) + quantity)
    if (!records.has(variant_id)) ofProducts.set(product_id, (ofProducts.get(product_id) ?? 0) + quantity)
  }
  return ({ variant_id, product_id }) => ({
    variant: ofVariants.get(variant_id) ?? 0,
    product: ofProducts.get(product_id) ?? 0,
  })
}
