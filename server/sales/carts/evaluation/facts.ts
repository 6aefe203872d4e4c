import type { CartItem } from '../../../goods/catalog/product-row/cart-items.ts'
import type { PriceSources } from '../../pricing/calculation/facts.ts'
import type { CartCode } from '../../promotions/engine/cart.ts'
import type { ActivePromotions } from '../../promotions/evaluation/active-promotions.ts'
import type { TaxAddress } from '../../tax/calculation/shopper.ts'
import type { TaxTables } from '../../tax/calculation/tables.ts'
import type { ProvidedTaxes } from './provided-taxes.ts'

// The facts of an evaluation: everything besides the document that the result depends on.

export interface CartFacts {
  /** The id of the cart; '' for one that is not stored yet. */
  cart_id: string
  at: Date
  channel_id: number
  currency_code: string
  /** The group of the customer, or of guests in this channel; 0 for none. */
  group_id: number
  /** Prices of all products in the cart and of those that promotions may add, in the currency of the cart. */
  prices: PriceSources
  tax: TaxTables
  /** The taxes that the store's provider has calculated; undefined if rates apply. */
  provided?: ProvidedTaxes | undefined
  /** By variant. Lines of missing variants are left out of the result. */
  items: ReadonlyMap<number, CartItem>
  promotions: ActivePromotions
  /** The codes of the document, by `keyOfCode`. */
  codes: ReadonlyMap<string, CartCode>
  /** The segments and the number of paid orders of the customer, if a promotion asks for them. */
  segments: readonly string[]
  orders: number
  /** Promotions whose uses are used up by payments under way, or for this customer. */
  usedUp: ReadonlySet<number>
  /** The first address of the customer, which counts for tax until the cart has one. */
  customerAddress: TaxAddress | undefined
}
