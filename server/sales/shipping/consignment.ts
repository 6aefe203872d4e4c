import type { Units } from '../../core/money/units.ts'
import type { PayingCurrency } from '../pricing/calculation/price-of.ts'

// A consignment is the goods that go to one address. Its caller knows values, weights and addresses; shipping calculates with them and
// prices no goods. Amounts are in ten-thousandths of the store's default currency.

/** The physical lines of a consignment, as the costs of methods need them. */
export interface ParcelLine {
  quantity: number
  /** The weight of one unit, in the store's unit of weight. */
  weight: number
  /** The line after discounts and coupons, in the price basis of the store. */
  value: Units
  is_free_shipping: boolean
  /** The shipping price of one unit; 0 if the product has none. */
  fixed_cost: Units
}

/** Whether a line pays by the method: lines with free shipping and with a shipping price of their own don't. */
export const paysByMethod = ({ is_free_shipping, fixed_cost }: ParcelLine): boolean =>
  !is_free_shipping && fixed_cost === 0n

/** A physical line with all that carriers ask for. */
export interface ConsignmentItem extends ParcelLine {
  product_id: number
  variant_id: number
  sku: string
  name: string
  /** In the store's unit of length. */
  length: number
  width: number
  height: number
  /** The list price of one unit. */
  list_price: Units
}

/** An address as carriers get it. Wallets reveal only a part of it, and cut postal codes. */
interface ShippingAddress {
  street_1?: string
  street_2?: string
  zip: string
  city?: string
  /** `''` for none. */
  state_iso2: string
  country_iso2: string
  address_type?: 'RESIDENTIAL' | 'COMMERCIAL'
}

export interface Consignment {
  lines: readonly ConsignmentItem[]
  channel: number
  /** `''` for none. */
  cart_id: string
  origin: ShippingAddress
  destination: ShippingAddress & { form_fields?: Readonly<Record<string, string>> }
  customer: { id: number; group?: { id: number; name: string } }
  /** The code of the cart's currency. */
  currency: string
}

/** A consignment without the parts that only carriers ask for. */
export interface Parcel {
  lines: readonly ParcelLine[]
  channel: number
  /** The currency of the options. Amounts of the store are converted into it. */
  currency: PayingCurrency
}
