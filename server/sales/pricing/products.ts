import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { roundFine } from '../../core/money/fine.ts'
import { amountOf, minorUnit, ratio, roundTo, type Units } from '../../core/money/units.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { ID_MAX, Id } from '../../core/rest/input/fields.ts'
import { hasAny, type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { Meta } from '../../core/rest/lists/collection.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import type { PricedProduct } from '../../goods/catalog/product-row/priced.ts'
import { ChannelId } from '../../shop/channels/channels.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../stores/quotas/concurrency-limit.ts'
import { taxZonesOf } from '../tax/calculation/shopper.ts'
import { type TaxBasis, type TaxZones, taxBasis, taxOf } from '../tax/calculation/tax-of.ts'
import { type AmountRange, priceFactsOf, rangesOf } from './calculation/facts.ts'
import { type Price, priceOf, type QuantityPrice } from './calculation/price-of.ts'
import { type ItemSelection, selectionOf } from './calculation/selection.ts'
import { gather, type ShopperPrices } from './gather.ts'

// The request reads and changes nothing: the scope to read is enough.
const { read } = access('catalog')

const ITEMS_MAX = 250
const OptionalId = t.Integer({ minimum: 0, maximum: ID_MAX, description: '0 for none' })

const Option = t.Object(
  { option_id: Id, value_id: t.Integer({ minimum: 0, maximum: ID_MAX }) },
  { title: 'PricedOption' },
)
const Item = t.Object(
  { product_id: Id, variant_id: t.Optional(Id), options: t.Optional(t.Array(Option, { maxItems: 250 })) },
  { title: 'PricedItem' },
)
const Request = t.Object(
  {
    channel_id: ChannelId,
    currency_code: t.String({ minLength: 3, maxLength: 3 }),
    country_code: t.Optional(t.String({ pattern: '^([A-Za-z]{2})?$' })),
    customer_group_id: t.Optional(OptionalId),
    customer_id: t.Optional(OptionalId),
    items: t.Array(Item, { minItems: 1, description: `At most ${ITEMS_MAX}; more is 413` }),
  },
  {
    title: 'PricingRequest',
    examples: [{ channel_id: 1, currency_code: 'USD', items: [{ product_id: 1 }] }],
  },
)
type PricingRequest = Static<typeof Request>

const TaxPrice = t.Object(
  {
    as_entered: t.Number(),
    entered_inclusive: t.Boolean({ description: 'Whether as_entered contains tax' }),
    tax_exclusive: t.Number(),
    tax_inclusive: t.Number(),
  },
  { title: 'TaxPrice' },
)
const PriceRange = t.Object({ minimum: TaxPrice, maximum: TaxPrice }, { title: 'PriceRange' })
const BulkPrice = t.Object(
  {
    minimum: t.Integer(),
    maximum: t.Integer({ description: '0 for no end' }),
    discount_amount: t.Number(),
    discount_type: t.Enum(['price', 'percent', 'fixed']),
    tax_discount_amount: t.Array(TaxPrice, { description: 'Empty for a percentage' }),
  },
  { title: 'BulkPrice' },
)
const ItemPrice = t.Object(
  {
    product_id: Id,
    variant_id: t.Optional(Id),
    options: t.Array(Option),
    reference_request: Item,
    retail_price: t.Optional(TaxPrice),
    sale_price: t.Optional(TaxPrice),
    minimum_advertised_price: t.Optional(TaxPrice),
    saved: t.Optional(TaxPrice),
    price: TaxPrice,
    calculated_price: TaxPrice,
    price_range: t.Optional(PriceRange),
    retail_price_range: t.Optional(PriceRange),
    bulk_pricing: t.Array(BulkPrice),
  },
  { title: 'ItemPrice' },
)

/** The prices of items for a shopper (docs/contract/price-lists.md section 5). */
export function pricingProductRoutes(api: Api) {
  const requests = sharedLimit('prices of items', 50)
  api.post(
    '/pricing/products',
    {
      ...read,
      schema: {
        summary: 'Get the prices of items',
        operationId: 'getPrices',
        description: 'Answers in the order of the items. A faulty item refuses the request.',
        body: Request,
        response: { 200: t.Object({ data: t.Array(ItemPrice), meta: Meta }) },
      },
    },
    ({ db, body }) => requests.run(db.store, async () => answer(await pricesOf(db, body))),
  )
}

/** @throws Problem 422 for a shopper, an item or an option that is unknown */
export async function pricesOf(db: Db, body: PricingRequest): Promise<Static<typeof ItemPrice>[]> {
  const { channel_id, currency_code, customer_group_id = 0, customer_id = 0, items } = body
  if (items.length > ITEMS_MAX) throw new Problem(413, `At most ${ITEMS_MAX} items may be sent at once.`)
  const found = await gather(
    db,
    { channel_id, currency_code, customer_group_id, customer_id },
    items.map(({ product_id }) => product_id),
  )
  return pricesFrom(found, body)
}

/** The half of it that reads nothing. Pure. */
export function pricesFrom(
  { faults, gathered }: Awaited<ReturnType<typeof gather>>,
  { channel_id, currency_code, customer_group_id = 0, customer_id = 0, country_code = '', items }: PricingRequest,
): Static<typeof ItemPrice>[] {
  const mistakes: Mistakes = {}
  if (!faults.hasChannel) mistakes.channel_id = unknownId('channel', channel_id)
  if (!faults.hasGroup) mistakes.customer_group_id = unknownId('customer group', customer_group_id)
  if (!faults.hasCustomer) mistakes.customer_id = unknownId('customer', customer_id)
  if (!gathered) {
    mistakes.currency_code = `${currency_code} is not an enabled currency of the store.`
    refuse(mistakes)
    throw new Error('A currency is missing, and was not refused.')
  }
  const selected = items.flatMap((item, i) => {
    const at = (field: string) => `items.${i}.${field}`
    const product = gathered.products.get(item.product_id)
    if (!product) {
      mistakes[at('product_id')] = unknownId('product', item.product_id)
      return []
    }
    return [{ item, product, selection: selectionOf(item, product, mistakes, at) }]
  })
  if (hasAny(mistakes)) refuse(mistakes)
  const address = country_code === '' ? undefined : { country_code, state: '', postal_code: '' }
  const shown: Showing = {
    gathered,
    zones: taxZonesOf(gathered.tax, { address, customer_group_id: gathered.group }),
    basis: taxBasis(gathered.tax, gathered.shown.decimals),
    known: new Map(),
  }
  return selected.map((one) => toItemPrice(one, shown))
}

interface Selected {
  item: Static<typeof Item>
  product: PricedProduct
  selection: ItemSelection
}

/** The currency and the taxes in which amounts are shown. */
interface Showing {
  gathered: ShopperPrices
  zones: TaxZones
  basis: TaxBasis
  /** The amounts that were calculated before, by tax class: the prices of an item are mostly equal, and many items cost the same. */
  known: Map<number, Map<Units, Static<typeof TaxPrice>>>
}

function toItemPrice({ item, product, selection }: Selected, showing: Showing): Static<typeof ItemPrice> {
  const { gathered } = showing
  const price = priceOf(gathered.currency, priceFactsOf(gathered, product, selection))
  const show = (amount: Units) => taxPriceOf(amount, product.tax_class_id, showing)
  const shown = (amount: Units | undefined) => (amount === undefined ? undefined : show(amount))
  const ranges = product.base_variant_id === null ? rangesOf(gathered, product) : {}
  const { variant } = selection
  return {
    product_id: product.id,
    variant_id: variant?.id,
    options: item.options ?? [],
    reference_request: item,
    retail_price: shown(price.retail),
    sale_price: shown(price.sale),
    minimum_advertised_price: shown(price.minimumAdvertised),
    saved: shown(savedOf(price, gathered)),
    price: show(price.list),
    calculated_price: show(price.calculated),
    price_range: ranges.price && toRange(ranges.price, show),
    retail_price_range: ranges.retail && toRange(ranges.retail, show),
    bulk_pricing: price.quantityPrices.map((tier) => toBulkPrice(tier, show, showing)),
  }
}

/** The difference to the retail price; undefined without one, or if nothing is saved. */
function savedOf({ retail, calculated }: Price, { currency }: ShopperPrices): Units | undefined {
  const saved = retail === undefined ? 0n : roundTo(retail, currency.decimals) - calculated
  return saved > 0n ? saved : undefined
}

const toRange = ({ minimum, maximum }: AmountRange, show: (amount: Units) => Static<typeof TaxPrice>) => ({
  minimum: show(minimum),
  maximum: show(maximum),
})

function toBulkPrice(
  { quantity_min, quantity_max, type, amount }: QuantityPrice,
  show: (amount: Units) => Static<typeof TaxPrice>,
  { gathered }: Showing,
): Static<typeof BulkPrice> {
  const isPercent = type === 'percent'
  return {
    minimum: quantity_min,
    maximum: quantity_max,
    discount_amount: amountOf(isPercent ? amount : inShownCurrency(amount, gathered)),
    discount_type: type,
    tax_discount_amount: isPercent ? [] : [show(amount)],
  }
}

/** An amount in the currency that it is shown in, rounded once, to its decimals. */
function inShownCurrency(amount: Units, { currency, shown }: ShopperPrices): Units {
  if (shown === currency) return roundTo(amount, shown.decimals)
  return ratio(amount, shown.rate * currency.one, shown.one * currency.rate, minorUnit(shown.decimals))
}

function taxPriceOf(amount: Units, classId: number, showing: Showing): Static<typeof TaxPrice> {
  const ofClass = showing.known.get(classId) ?? new Map<Units, Static<typeof TaxPrice>>()
  showing.known.set(classId, ofClass)
  const price = ofClass.get(amount) ?? toTaxPrice(amount, classId, showing)
  ofClass.set(amount, price)
  return price
}

function toTaxPrice(amount: Units, classId: number, { gathered, zones, basis }: Showing): Static<typeof TaxPrice> {
  const entered = inShownCurrency(amount, gathered)
  const [tax] = taxOf([{ amount: entered, classId }], zones, basis)
  const rounded = (fine: bigint | undefined) => amountOf(roundFine(fine ?? 0n, basis.decimals))
  return {
    as_entered: amountOf(entered),
    entered_inclusive: basis.isInclusive,
    tax_exclusive: rounded(tax?.ex),
    tax_inclusive: rounded(tax?.inc),
  }
}
