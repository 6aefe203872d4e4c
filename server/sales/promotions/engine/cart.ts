import type { Units } from '../../../core/money/units.ts'

// The input of an evaluation: lines, shopper and time. The engine reads nothing else.

export interface NamedText {
  name: string
  value: string
}

export interface CartLine {
  kind: 'catalog' | 'custom' | 'certificate'
  /** 0 for lines that are not in the catalog, as the variant. */
  product_id: number
  variant_id: number
  quantity: number
  /** One unit, before all discounts. */
  price: Units
  isOnSale: boolean
  isPriceOverridden: boolean
  /** Lines that promotions added are left alone. */
  isAddedByPromotion: boolean
  /** Taken off the line by hand, before all promotions. More than its price counts as its price. */
  manualDiscount?: Units
  /** The facts below are read only if a promotion needs them (`LineFacts`). */
  brand_id?: number
  categories?: readonly number[]
  options?: readonly NamedText[]
  customFields?: readonly NamedText[]
}

interface PromotionShopper {
  channel_id: number
  /** The currency in which the cart is paid. */
  currency: { code: string; decimals: number }
  /** 0 for guests and customers without a group. */
  group_id: number
  segments: readonly string[]
  /** Paid orders; at least as many as promotions ask for. */
  orders: number
  /** ISO codes of the countries of all shipping addresses; none before there is an address. */
  countries: readonly string[]
}

/** The settings of a store, with the keys of the wire (docs/contract/promotions.md section 7). */
export interface PromotionSettings {
  promotions_apply_on_products_with_custom_product_price: boolean
  promotions_triggered_by_products_with_zero_product_price: boolean
  promotions_applied_on_original_product_price: boolean
}

/** A v2 coupon as the engine reads it. Amounts are units, and percentages ten-thousandths of a per cent. */
export interface CouponV2 {
  id: number
  name: string
  type: 'per_item_discount' | 'percentage_discount' | 'per_total_discount' | 'shipping_discount' | 'free_shipping'
  amount: Units
  min_purchase: Units
  enabled: boolean
  /** Milliseconds since 1970; null for never. */
  expires_at: number | null
  /** The default currency of the store. */
  currency_code: string
  /** The category 0 stands for every product; null for none. */
  applies_to: { entity: 'products' | 'categories'; ids: readonly number[] } | null
  /** ISO codes of countries; none for all. */
  countries: readonly string[]
  /** Ids of shipping methods; none for all. */
  shipping_methods: readonly number[]
}

/** A code on a cart: that of a promotion, or a v2 coupon. */
export interface CartCode {
  code: string
  /** The id of the code; undefined for a code that doesn't exist. */
  id?: number
  /** The promotion's id or the coupon; undefined for a code that doesn't exist. */
  of: number | CouponV2 | undefined
  /** Whether the uses of the code are used up, for everybody or for this customer. */
  isUsedUp: boolean
}

export interface PromotionConsignment {
  id: string
  cost: Units
  /** Null before the shopper has selected one. */
  method_id: number | null
}

/** A product or variant that can be added to the cart without choices. */
interface OfferedGood {
  price: Units
  /** Units in stock beyond those in the cart. */
  available: number
}

/** Everything that an evaluation depends on, besides the promotions. */
export interface EvaluatedCart {
  lines: readonly CartLine[]
  shopper: PromotionShopper
  settings: PromotionSettings
  /** In the order in which they were applied. */
  codes: readonly CartCode[]
  consignments: readonly PromotionConsignment[]
  /** By `goodKey`. */
  goods: ReadonlyMap<string, OfferedGood>
  /** Ids of promotions whose uses are used up by payments under way, or for this customer. */
  usedUp: ReadonlySet<number>
  /** Taken off the order by hand: after the discounts of items, and before those of the order. */
  manualDiscount?: Units
}

/** A product or variant that promotions add to carts. */
export type Good = { product_id: number } | { variant_id: number }

export const goodKey = (good: Good): string =>
  'product_id' in good ? `product ${good.product_id}` : `variant ${good.variant_id}`
