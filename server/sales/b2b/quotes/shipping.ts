import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { stateByName } from '../../../core/geography/states.ts'
import { amountOf, ratio, type Units, unitsOf } from '../../../core/money/units.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import { findCartItems } from '../../../goods/catalog/product-row/cart-items.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { carrierParts } from '../../carts/costs/shipping.ts'
import { payingIn } from '../../pricing/gather.ts'
import { OWN_TYPES } from '../../shipping/methods-row.ts'
import type { ShippingOption } from '../../shipping/parcels/options.ts'
import type { SentConsignment, ShippingQuotes } from '../../shipping/parcels/shipping-quotes.ts'
import { countryByText } from '../addresses/places.ts'
import { TextOf } from '../companies/company.ts'
import type { CompanyCaller } from '../shared/caller.ts'
import { AmountText } from '../shared/exact-money.ts'
import { amountsIn } from './amounts.ts'
import { findQuote, lockQuoteOfSeller, type QuoteRow, type QuoteShipping } from './quote.ts'
import { refusedDeed, saveQuote } from './quote-changes.ts'
import { quoteSettingsOf } from './settings.ts'
import { quoteStatusAfter } from './states.ts'
import { quoteTotal } from './totals.ts'

// The shipping of a quote (docs/contract/b2b-quotes.md section 5).

/** A rate that the store or its carriers offer. */
export const ShippingRate = t.Object(
  { shippingMethodId: t.String(), type: t.String(), description: t.String(), cost: t.Number() },
  { title: 'QuoteShippingRate' },
)

export const ShippingChoice = t.Object(
  {
    shippingMethodId: t.Optional(TextOf(255)),
    customShippingMethodName: t.Optional(TextOf(255)),
    customShippingMethodCost: t.Optional(AmountText),
  },
  { title: 'QuoteShippingChoice', examples: [{ customShippingMethodName: 'Courier', customShippingMethodCost: 4 }] },
)

/** @throws Problem 403, 404; NeedsPreparation for carriers */
export async function shippingRatesOf(
  db: Db,
  caller: CompanyCaller,
  { id, now, shipping }: { id: number; now: Date; shipping: ShippingQuotes },
): Promise<Static<typeof ShippingRate>[]> {
  const offered = await optionsOf(db, await findQuote(db, caller, { id, now }), shipping)
  return offered.map(({ id: shippingMethodId, type, description, cost }) => ({
    shippingMethodId,
    type,
    description,
    cost,
  }))
}

/** The options for the lines and the address of a quote; none without a country. */
async function optionsOf(db: Db, quote: QuoteRow, shipping: ShippingQuotes): Promise<QuoteShipping[]> {
  const parcel = await parcelOf(db, quote)
  if (!parcel) return []
  const [offered] = await shipping.optionsOf(db, [parcel], async (outside) =>
    carrierParts(outside, quote.customer_id, await groupOf(outside, quote.company_id)),
  )
  return (offered?.options ?? []).map(toShipping)
}

async function groupOf(db: Db, companyId: number): Promise<number> {
  const found = await db.maybeRow<{ customer_group_id: number }>(sql`
    select customer_group_id from companies where store_id = ${db.store.id} and id = ${companyId}`)
  return found?.customer_group_id ?? 0
}

const toShipping = (option: ShippingOption): QuoteShipping => ({
  id: option.id,
  type: OWN_TYPES.some((own) => own === option.type) ? `shipping_${option.type}` : `provider_${option.type}`,
  isCustom: false,
  description: option.description,
  additionalDescription: option.additional_description,
  transitTime: option.transit_time,
  imageUrl: '',
  cost: amountOf(option.cost + option.handling_cost),
})

async function parcelOf(db: Db, quote: QuoteRow): Promise<SentConsignment | undefined> {
  const { address = '', apartment = '', city = '', zipCode = '', state = '' } = quote.shipping_address
  const { stateCode, countryCode = '', country = '' } = quote.shipping_address
  const code = countryByText(countryCode === '' ? country : countryCode)
  const { wanted } = await currencyPair(db, quote.currency_code)
  if (code === undefined || !wanted) return undefined
  const variants = quote.lines.map(({ variantId }) => variantId)
  const items = await findCartItems(db, { variants, products: [], customFields: false })
  const { rate, one } = payingIn(wanted)
  // Shipping calculates in the currency of the store.
  const ofStore = (units: Units) => ratio(units, one, rate)
  return {
    lines: quote.lines.flatMap((line) => {
      const item = items.get(line.variantId)
      if (!item || item.type === 'digital') return []
      const price = unitsOf(line.offeredPrice)
      return {
        product_id: line.productId,
        variant_id: line.variantId,
        sku: line.sku,
        name: line.productName,
        quantity: line.quantity,
        weight: item.weight,
        length: item.depth,
        width: item.width,
        height: item.height,
        value: ofStore(price * BigInt(line.quantity)),
        list_price: ofStore(price),
        is_free_shipping: item.is_free_shipping,
        fixed_cost: unitsOf(item.fixed_cost_shipping_price),
      }
    }),
    channel: quote.channel_id,
    cart_id: '',
    destination: {
      street_1: address,
      street_2: apartment,
      city,
      zip: zipCode,
      state_iso2: stateCode || (stateByName(code, state)?.code ?? ''),
      country_iso2: code,
    },
    currency: quote.currency_code,
  }
}

/**
 * Sets the shipping of a quote: a rate that is offered, or a custom one. The totals follow.
 * @throws Problem 403, 404, 422; NeedsPreparation for carriers
 */
export async function setShipping(
  tx: Tx,
  caller: CompanyCaller,
  id: number,
  { body, shipping }: { body: Static<typeof ShippingChoice>; shipping: ShippingQuotes },
) {
  const quote = await lockQuoteOfSeller(tx, caller, id)
  const { shippingMethodId, customShippingMethodName: name, customShippingMethodCost: cost } = body
  const isCustom = name !== undefined || cost !== undefined
  if (isCustom === (shippingMethodId !== undefined)) {
    throw new Problem(422, 'Send either shippingMethodId, or customShippingMethodName with customShippingMethodCost.')
  }
  const chosen = isCustom
    ? await customShipping(tx, quote, { name, cost })
    : (await optionsOf(tx, quote, shipping)).find((option) => option.id === shippingMethodId)
  if (!chosen) throw invalid({ shippingMethodId: 'This shipping method is not offered.' })
  await saveShipping(tx, quote, chosen)
}

async function customShipping(
  tx: Tx,
  quote: QuoteRow,
  { name = '', cost }: { name: string | undefined; cost: number | string | undefined },
): Promise<QuoteShipping> {
  const { takesCustomShipping } = await quoteSettingsOf(tx)
  if (!takesCustomShipping) throw new Problem(422, 'The store does not use custom shipping.')
  const mistakes: Record<string, string> = {}
  if (name.trim() === '') mistakes.customShippingMethodName = 'This field is required'
  if (cost === undefined) mistakes.customShippingMethodCost = 'This field is required'
  const read = amountsIn(quote.currency_code, mistakes)(cost ?? 0, 'customShippingMethodCost')
  refuse(mistakes)
  return {
    id: '',
    type: 'custom',
    isCustom: true,
    description: name,
    additionalDescription: '',
    transitTime: '',
    imageUrl: '',
    cost: read,
  }
}

/** Stores the shipping of a quote; the totals become those of the lines with shipping and tax. */
async function saveShipping(tx: Tx, quote: QuoteRow, shipping: QuoteShipping | null) {
  const status = quoteStatusAfter(quote.status, 'change')
  if (status === undefined) throw refusedDeed(quote.status)
  const shipping_total = shipping?.cost ?? 0
  const parts = { lines: quote.lines, shipping: unitsOf(shipping_total), tax: unitsOf(quote.tax_total) }
  const total = quoteTotal(parts)
  if (total === undefined) throw new Problem(422, 'The total is too large.')
  const grand_total = amountOf(total)
  const totals = { shipping_total, grand_total, total_amount: grand_total }
  await saveQuote(tx, quote, { ...totals, shipping_method: shipping, status })
}

/** @throws Problem 403, 404, 422 for a quote without shipping, or one that can't be changed */
export async function removeShipping(db: Db, caller: CompanyCaller, id: number) {
  await db.transaction(async (tx) => {
    const quote = await lockQuoteOfSeller(tx, caller, id)
    if (!quote.shipping_method) throw new Problem(422, 'The quote has no shipping.')
    await saveShipping(tx, quote, null)
  })
}

/** The names of the custom ways to ship. @throws Problem 422 for a store without custom shipping */
export async function customMethodsOf(db: Db): Promise<readonly string[]> {
  const { takesCustomShipping, shippingMethods } = await quoteSettingsOf(db)
  if (!takesCustomShipping) throw new Problem(422, 'The store does not use custom shipping.')
  return shippingMethods
}
