import type { Units } from '../../../core/money/units.ts'
import type { LocationAddress } from '../../../goods/inventory/locations/location-shape.ts'
import type { TaxedLine } from '../calculation/tax-of.ts'
import type { CostClasses } from '../classes/cost-classes.ts'

// A sale is an order, or later a cart, as far as tax is concerned: the amounts, classes and places that decide its tax. The area that
// owns the order builds it; this area neither reads nor writes orders. A sale has consignments, each from one place to one place, and
// a consignment has items, one shipping cost and one handling cost. Amounts are those of whole lines after discounts, as the store
// enters its prices: with tax or without. Everything here is in the currency of the sale.

/** An address of a sale. Every part may be empty: wallets send addresses in part. */
export interface SaleAddress {
  line1: string
  line2: string
  city: string
  /** A code of ISO 3166-2 without the country, or a name in English. */
  state: string
  /** Two letters. */
  country_code: string
  postal_code: string
  company_name: string
}

/** An address of which nothing is known. */
export const NOWHERE: SaleAddress = {
  line1: '',
  line2: '',
  city: '',
  state: '',
  country_code: '',
  postal_code: '',
  company_name: '',
}

/** The location that orders are sent from. @param address undefined if it has none */
export const originOf = (address: LocationAddress | null | undefined): SaleAddress => ({
  line1: address?.address1 ?? '',
  line2: address?.address2 ?? '',
  city: address?.city ?? '',
  state: address?.state ?? '',
  country_code: address?.country_code ?? '',
  postal_code: address?.zip ?? '',
  company_name: '',
})

/** The customer of a sale, with the values that tax providers ask for. */
interface SaleCustomer {
  /** 0 for a guest. */
  id: number
  /** 0 for guests and customers without a group. */
  group_id: number
  taxability_code: string
  tax_properties: Readonly<Record<string, string>>
}

/** The wrapping of an item. */
interface SaleWrapping {
  id: string
  name: string
  amount: Units
}

export interface SaleItem {
  /** Unique in the sale. */
  id: string
  type: 'item' | 'fee' | 'refund'
  name: string
  upc: string
  sku: string
  /** Negative for refunds of a whole order. */
  amount: Units
  quantity: number
  /** Undefined for things without tax: gift certificates, and refunds of a whole order. */
  classId: number | undefined
  tax_properties: Readonly<Record<string, string>>
  wrapping: SaleWrapping | undefined
}

export interface SaleConsignment {
  /** Unique in the sale. `digitalConsignment` for things that are not shipped. */
  id: string
  origin: SaleAddress
  destination: SaleAddress
  items: readonly SaleItem[]
  shipping: Units
  handling: Units
}

export interface Sale {
  /** The UUID of a cart, or the id of an order. */
  id: string
  currency_code: string
  /** The decimals of the currency. */
  decimals: number
  /** Whether amounts contain tax. */
  isInclusive: boolean
  date: Date
  customer: SaleCustomer
  billing: SaleAddress
  consignments: readonly SaleConsignment[]
}

/** The id of the consignment of things that are not shipped. */
export const digitalConsignment = (sale: Pick<Sale, 'id'>): string => `DigitalDelivery_${sale.id}`

/**
 * The taxed lines of a sale in the order of its consignments: for each item its own amount, then that of its wrapping; then shipping
 * and handling. Results of a sale, calculated by rates or by a provider, have this order.
 */
export const linesOfSale = ({ consignments }: Pick<Sale, 'consignments'>, classes: CostClasses): TaxedLine[] =>
  consignments.flatMap(({ items, shipping, handling }) => [
    ...items.flatMap(({ amount, classId, wrapping }) => [
      { amount, classId },
      ...(wrapping ? [{ amount: wrapping.amount, classId: classes.wrapping }] : []),
    ]),
    { amount: shipping, classId: classes.shipping },
    { amount: handling, classId: classes.handling },
  ])
