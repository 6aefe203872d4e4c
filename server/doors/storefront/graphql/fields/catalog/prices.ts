import { Load } from '../../../../../core/graphql/loads.ts'
import { gather } from '../../../../../sales/pricing/gather.ts'
import { pricesFrom, type pricesOf } from '../../../../../sales/pricing/products.ts'
import { productSettings } from '../../../../../shop/settings/families/families.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { moneyToAnswer } from '../money/money.ts'
import { rulesFor } from '../shop.ts'

// Prices of all products and variants that a request asks for with the same arguments are calculated together, by the function of
// POST /pricing/products.

type ItemPrice = Awaited<ReturnType<typeof pricesOf>>[number]
type TaxPrice = ItemPrice['price']

/** The configuration of a product whose price is asked for. */
export interface PricedItem {
  product_id: number
  /** Undefined for the base variant, or before a choice. */
  variant_id: number | undefined
  options: readonly { option_id: number; value_id: number }[]
}

/** The key of a configuration: the price of two equal ones is calculated once. */
const keyOf = (item: PricedItem) => JSON.stringify([item.product_id, item.variant_id ?? 0, item.options])

const itemOf = (key: string): PricedItem => {
  const [product_id, variant_id, options]: [number, number, PricedItem['options']] = JSON.parse(key)
  return { product_id, variant_id: variant_id === 0 ? undefined : variant_id, options }
}

/** The shopper who pays in a currency. */
interface Payer {
  currency_code: string
  customer_id: number
}
const shopperOf = (payer: Payer, { storefront: { channel } }: StorefrontCaller) => ({
  ...payer,
  channel_id: channel,
  customer_group_id: 0,
})

const priceLoad = new Load<StorefrontCaller, string, ItemPrice, Payer>(async (caller, keys, payer) => {
  const { db } = caller.storefront
  const shopper = shopperOf(payer, caller)
  const items = keys.map(itemOf)
  const found = await gather(
    db,
    shopper,
    items.map(({ product_id }) => product_id),
    { found: rulesFor(caller).then((rules) => rules.shopper) },
  )
  // Products and variants that were deleted meanwhile have no price.
  const present = items.filter(({ product_id, variant_id }) => {
    const product = found.gathered?.products.get(product_id)
    return product && (variant_id === undefined || product.variants.some(({ id }) => id === variant_id))
  })
  if (!found.gathered) return new Map()
  const prices = pricesFrom(found, {
    ...shopper,
    items: present.map(({ product_id, variant_id, options }) => ({
      product_id,
      ...(variant_id === undefined ? {} : { variant_id }),
      options: [...options],
    })),
  })
  return new Map(prices.flatMap((price, i) => (present[i] ? [[keyOf(present[i]), price] as const] : [])))
})

/** The prices of an item for the shopper; null if prices are hidden, or in a currency that the storefront doesn't have. */
export async function pricesFor(
  item: PricedItem,
  { includeTax, currencyCode }: { includeTax: boolean | null; currencyCode?: string | null },
  caller: StorefrontCaller,
) {
  const { currencies, settings } = await rulesFor(caller)
  const { enabled, standard } = currencies
  const { show_product_price, hide_price_from_guests } = settings.of(productSettings)
  if (!show_product_price || (hide_price_from_guests && !caller.customer)) return null
  const currency = currencyCode == null ? standard : enabled.find(({ currency_code }) => currency_code === currencyCode)
  if (!currency) return null
  const payer = { currency_code: currency.currency_code, customer_id: caller.customer?.id ?? 0 }
  const found = await priceLoad.find(caller, keyOf(item), payer)
  if (!found) return null
  const amountOf = (price: TaxPrice) => (includeTax ? price.tax_inclusive : price.tax_exclusive)
  const money = (price: TaxPrice) => moneyToAnswer(currency, amountOf(price))
  const some = (price: TaxPrice | undefined) => (price ? money(price) : null)
  const range = (prices: ItemPrice['price_range']) =>
    prices ? { min: money(prices.minimum), max: money(prices.maximum) } : null
  return {
    price: money(found.calculated_price),
    salePrice: some(found.sale_price),
    basePrice: money(found.price),
    retailPrice: some(found.retail_price),
    mapPrice: some(found.minimum_advertised_price),
    saved: some(found.saved),
    priceRange: range(found.price_range) ?? { min: money(found.calculated_price), max: money(found.calculated_price) },
    retailPriceRange: range(found.retail_price_range),
    bulkPricing: found.bulk_pricing.map((tier) => {
      const bounds = { minimumQuantity: tier.minimum, maximumQuantity: tier.maximum === 0 ? null : tier.maximum }
      const [taxed] = tier.tax_discount_amount
      const amount = taxed ? amountOf(taxed) : tier.discount_amount
      if (tier.discount_type === 'percent')
        return { __typename: 'BulkPricingPercentageDiscount' as const, percentOff: tier.discount_amount, ...bounds }
      return tier.discount_type === 'fixed'
        ? { __typename: 'BulkPricingFixedPriceDiscount' as const, price: amount, ...bounds }
        : { __typename: 'BulkPricingRelativePriceDiscount' as const, priceAdjustment: amount, ...bounds }
    }),
  }
}
