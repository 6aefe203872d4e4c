import type { Db } from '../../../core/db/database.ts'
import { sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { findLocation } from '../../../goods/inventory/locations/location-shape.ts'
import { FIRST_LOCATION } from '../../../goods/stock/stock.ts'
import { DEFAULT_CLASS } from '../../tax/classes/classes.ts'
import { type SaleFacts, saleFacts } from '../../tax/estimates/facts.ts'
import type { TaxQuotes } from '../../tax/estimates/quote.ts'
import {
  digitalConsignment,
  NOWHERE,
  originOf,
  type Sale,
  type SaleAddress,
  type SaleConsignment,
  type SaleItem,
} from '../../tax/estimates/sale.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import { type ProvidedTax, type ProvidedTaxes, taxKeys } from '../evaluation/provided-taxes.ts'
import type { CartResult, LinePart, ResultConsignment, ResultLine } from '../evaluation/result.ts'
import type { Cart } from '../row/cart.ts'
import type { CartAddress, CartDocument, PickupChoice } from '../row/document.ts'

// The tax of a cart by the store's provider (docs/contract/tax.md section 10). The provider is asked as soon as the cart has an address, with the
// amounts of the result by rates: all discounts are in them already. Parts are named by their positions: a transaction that runs again gives new
// lines and consignments other ids, and must ask the same question.

/** The taxes of a cart by its provider. */
export interface CartTaxes {
  /** Undefined if the rates of the store apply. */
  provided: ProvidedTaxes | undefined
  /** Whether nobody knows the tax: the provider does not answer, and the store has no fall-back. All taxes are 0 then. */
  isUnavailable: boolean
}

/** A cart with its result by rates. */
interface CartToTax {
  cart: Pick<Cart, 'id' | 'customer_id' | 'created_at'>
  document: CartDocument
  result: CartResult
  facts: CartFacts
}

/** @throws NeedsPreparation */
export async function taxesByProvider(
  db: Db,
  { cart, document, result, facts }: CartToTax,
  quotes: TaxQuotes,
): Promise<CartTaxes> {
  const hasAddress = document.billing !== null || document.consignments.length > 0
  if (!facts.tax.provider || !hasAddress) return { provided: undefined, isUnavailable: false }
  const { sold, location } = await db.together(() => ({
    sold: saleFacts(db, {
      customerId: cart.customer_id,
      productIds: result.lines.flatMap(({ product_id }) => (product_id > 0 ? [product_id] : [])),
    }),
    location: findLocation(db, FIRST_LOCATION),
  }))
  const parts = partsOf(document, result, sold)
  const sale: Sale = {
    id: cart.id,
    currency_code: facts.currency_code,
    decimals: result.decimals,
    isInclusive: result.isInclusive,
    date: new Date(cart.created_at),
    customer: sold.customer,
    billing: document.billing ? saleAddressOf(document.billing) : NOWHERE,
    consignments: consignmentsOf(parts, { id: cart.id, document, origin: originOf(location?.address) }),
  }
  const asked = parts.flatMap(({ items, shipping, handling }) => [
    ...items.flatMap((item) => item.taxed),
    shipping,
    handling,
  ])
  try {
    const tax = quotes.taxOf(facts.tax, sale)
    if (!tax) return { provided: undefined, isUnavailable: false }
    const taxes = byKey(asked, (i, amount) => tax.lines[i] ?? untaxed(amount))
    return { provided: { taxes, provider: tax.provider }, isUnavailable: false }
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 503) throw error
    const taxes = byKey(asked, (_, amount) => untaxed(amount))
    return { provided: { taxes, provider: undefined }, isUnavailable: true }
  }
}

/** An amount that is taxed. Gift certificates have no key: their tax is always 0. */
interface TaxQuestion {
  key: string | undefined
  amount: Units
}

/** The items of a place, with the amounts that they are taxed by in the order of `linesOfSale`. */
interface PlaceParts {
  /** Undefined for downloads, fees and units without a consignment. */
  consignment: ResultConsignment | undefined
  items: { item: SaleItem; taxed: TaxQuestion[] }[]
  shipping: TaxQuestion
  handling: TaxQuestion
}

function byKey(
  asked: readonly TaxQuestion[],
  taxAt: (i: number, amount: Units) => ProvidedTax['tax'],
): ProvidedTaxes['taxes'] {
  return new Map(
    asked.flatMap(({ key, amount }, i) =>
      key === undefined ? [] : [[key, { amount, tax: taxAt(i, amount) }] as const],
    ),
  )
}

const untaxed = (amount: Units): ProvidedTax['tax'] => {
  const fine = amount * 10_000n
  return { ex: fine, inc: fine, tax: 0n, rates: [] }
}

/** The parts of the cart: each consignment, then everything that has none. Fees are in the first part. */
function partsOf(document: CartDocument, result: CartResult, sold: SaleFacts): PlaceParts[] {
  const places = [...result.consignments, undefined].map((consignment): PlaceParts => {
    const id = consignment?.input.id
    const ofLines = result.lines.flatMap((line, position) =>
      line.parts.flatMap((part, i) => {
        // A line that goes to several places is an item of each.
        const itemId = i === 0 ? `item-${position + 1}` : `item-${position + 1}-${i + 1}`
        return part.consignment_id === id ? [itemOf(line, part, itemId, sold)] : []
      }),
    )
    const shipping = consignment ? consignment.cost - sumOf(consignment.coupons.map(({ amount }) => amount)) : 0n
    return {
      consignment,
      items: consignment ? ofLines : [...ofLines, ...document.certificates.map(certificateItem)],
      shipping: { key: id && taxKeys.shipping(id), amount: shipping },
      handling: {
        key: id && taxKeys.handling(id),
        amount: unitsOf(consignment?.input.option?.handling_cost ?? 0),
      },
    }
  })
  const [first, ...others] = places.filter(({ consignment, items }) => consignment || items.length > 0)
  if (!first) return []
  return [{ ...first, items: [...first.items, ...result.fees.map(feeItem)] }, ...others]
}

function itemOf({ id, ...line }: ResultLine, part: LinePart, itemId: string, { productProperties }: SaleFacts) {
  const { consignment_id, quantity, amount, wrapping } = part
  const item: SaleItem = {
    id: itemId,
    type: 'item',
    name: line.name,
    upc: line.item?.upc ?? '',
    sku: line.item?.sku ?? '',
    amount,
    quantity,
    classId: line.classId,
    tax_properties: productProperties.get(line.product_id) ?? {},
    wrapping: wrapping && {
      id: `wrapping-${itemId}`,
      name: line.wrapping?.name ?? '',
      amount: wrapping.amount,
    },
  }
  const ofWrapping = wrapping ? [{ key: taxKeys.wrapping(id, consignment_id), amount: wrapping.amount }] : []
  return { item, taxed: [{ key: taxKeys.part(id, consignment_id), amount }, ...ofWrapping] }
}

const plainItem = (item: Pick<SaleItem, 'id' | 'type' | 'name' | 'amount' | 'classId'>): SaleItem => ({
  upc: '',
  sku: '',
  quantity: 1,
  tax_properties: {},
  wrapping: undefined,
  ...item,
})

function certificateItem({ name, amount: price }: CartDocument['certificates'][number], i: number) {
  const amount = unitsOf(price)
  const item = plainItem({ id: `certificate-${i + 1}`, type: 'item', name, amount, classId: undefined })
  return { item, taxed: [{ key: undefined, amount }] }
}

function feeItem({ input: { id, display_name, cost, tax_class_id } }: CartResult['fees'][number], i: number) {
  const amount = unitsOf(cost)
  const item = plainItem({
    id: `fee-${i + 1}`,
    type: 'fee',
    name: display_name,
    amount,
    classId: tax_class_id ?? DEFAULT_CLASS,
  })
  return { item, taxed: [{ key: taxKeys.fee(id), amount }] }
}

function consignmentsOf(
  parts: readonly PlaceParts[],
  { id, document, origin }: { id: string; document: CartDocument; origin: SaleAddress },
): SaleConsignment[] {
  const [first] = document.consignments
  const paid = document.billing ? saleAddressOf(document.billing) : ((first && placeOf(first)) ?? NOWHERE)
  return parts.map(({ consignment, items, shipping, handling }, i) => {
    const place = consignment ? placeOf(consignment.input) : paid
    return {
      id: consignment ? String(i + 1) : digitalConsignment({ id }),
      origin: consignment?.input.pickup ? place : origin,
      destination: place,
      items: items.map(({ item }) => item),
      shipping: shipping.amount,
      handling: handling.amount,
    }
  })
}

const placeOf = ({ address, pickup }: { address: CartAddress | null; pickup: PickupChoice | null }): SaleAddress =>
  address ? saleAddressOf(address) : pickup ? pickupAddressOf(pickup) : NOWHERE

const saleAddressOf = (address: CartAddress): SaleAddress => ({
  line1: address.address1,
  line2: address.address2,
  city: address.city,
  state: address.state_or_province_code || address.state_or_province,
  country_code: address.country_code,
  postal_code: address.postal_code,
  company_name: address.company,
})

const pickupAddressOf = ({
  address1,
  address2,
  city,
  state,
  country_code,
  postal_code,
}: PickupChoice): SaleAddress => ({
  line1: address1,
  line2: address2,
  city,
  state,
  country_code,
  postal_code,
  company_name: '',
})
