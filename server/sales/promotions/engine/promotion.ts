// A promotion as it is stored and as the engine reads it. A promotion has rules; a rule has one action and may have a condition on
// the cart. Automatic promotions run for every cart, coupon promotions for carts with one of their codes. Keys are those of the
// wire, and missing keys have their defaults already (docs/contract/promotions.md sections 2 and 3). Amounts are texts.

/** Selects lines of a cart. Exactly one key is set; `and`, `or` and `not` stand in one another up to three times. */
export interface ItemMatcher {
  brands?: readonly number[]
  categories?: readonly number[]
  products?: readonly number[]
  variants?: readonly number[]
  product_option?: { type: 'string_match'; name: string; values: readonly string[] }
  product_custom_field?: { name: string; values: readonly string[] }
  and?: readonly ItemMatcher[]
  or?: readonly ItemMatcher[]
  not?: ItemMatcher
}

/** A condition on a cart. Exactly one key is set; `and`, `or` and `not` stand in one another up to three times. */
export interface CartCondition {
  cart?: CartMinimum
  and?: readonly CartCondition[]
  or?: readonly CartCondition[]
  not?: CartCondition
}

export interface CartMinimum {
  /** The lines that count; all lines without it. */
  items?: ItemMatcher
  minimum_spend?: string
  minimum_quantity?: number
}

/** Exactly one of both. */
export interface PromotionDiscount {
  fixed_amount?: string
  percentage_amount?: string
}

/** The order in which an action takes units. */
export type Strategy = 'LEAST_EXPENSIVE' | 'LEAST_EXPENSIVE_ONLY' | 'MOST_EXPENSIVE' | 'MOST_EXPENSIVE_ONLY'

/** The units that an action takes. */
interface UnitSelection {
  items?: ItemMatcher
  strategy: Strategy
  exclude_items_on_sale: boolean
  include_items_considered_by_condition: boolean
}

export interface CartItemsAction extends UnitSelection {
  discount: PromotionDiscount
  maximum_allowed_discount_amount?: string | null
  as_total: boolean
  /** All units without it. */
  quantity?: number
  add_free_item: boolean
}

export interface FixedPriceSetAction extends UnitSelection {
  quantity: number
  fixed_price: string
}

interface CartValueAction {
  discount: PromotionDiscount
  maximum_allowed_discount_amount?: string | null
}

/** Names exactly one of product and variant. */
interface GiftItemAction {
  quantity: number
  product_id?: number
  variant_id?: number
}

interface ShippingAction {
  free_shipping: boolean
  zone_ids: '*' | readonly number[]
}

/** Exactly one key is set. */
export interface PromotionAction {
  cart_items?: CartItemsAction
  cart_value?: CartValueAction
  gift_item?: GiftItemAction
  fixed_price_set?: FixedPriceSetAction
  shipping?: ShippingAction
}

export interface PromotionRule {
  action: PromotionAction
  /** One round; false repeats the rule until its condition fails. */
  apply_once: boolean
  /** The rules after this one are skipped if it was applied. */
  stop: boolean
  condition?: CartCondition | null
}

/** Customers by their segments. Exactly one key is set; `and`, `or` and `not` stand in one another up to three times. */
export interface SegmentMatcher {
  id?: readonly string[]
  and?: readonly SegmentMatcher[]
  or?: readonly SegmentMatcher[]
  not?: SegmentMatcher
}

export interface PromotionCustomer {
  /** 0 stands for guests and customers without a group. */
  group_ids: readonly number[]
  excluded_group_ids: readonly number[]
  minimum_order_count: number
  segments?: SegmentMatcher | null
}

interface CountryMatcher {
  countries: readonly { iso2_country_code: string }[]
}

/** Shipping addresses by their countries. */
export type AddressMatcher = CountryMatcher | { not: CountryMatcher }

export const WEEK_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Times of the store's time zone at which a promotion runs. */
export interface PromotionSchedule {
  /** Every n-th week, counted from the week of the start. */
  week_frequency: number
  week_days: readonly (typeof WEEK_DAYS)[number][]
  /** `HH:MM:SS`. An end before the start is on the next day. */
  daily_start_time: string
  daily_end_time: string
}

export type NotificationType = 'PROMOTION' | 'UPSELL' | 'ELIGIBLE' | 'APPLIED'

/** A banner about a promotion. */
export interface PromotionNotification {
  content: string
  type: NotificationType
  locations: readonly string[]
}

export interface Promotion {
  id: number
  redemption_type: 'AUTOMATIC' | 'COUPON'
  name: string
  status: 'ENABLED' | 'DISABLED' | 'INVALID'
  /** Milliseconds since 1970. Active from the start to the end, both included. */
  starts_at: number
  ends_at: number | null
  /** Null or 0 for no maximum. */
  max_uses: number | null
  current_uses: number
  /** `*` for all currencies. */
  currency_code: string
  /** Ids of channels; none for all channels. */
  channels: readonly number[]
  customer: PromotionCustomer
  shipping_address: AddressMatcher | null
  schedule: PromotionSchedule | null
  /** The later promotions of the same kind are skipped if it was applied. */
  stop: boolean
  can_be_used_with_other_promotions: boolean
  coupon_overrides_other_promotions: boolean
  coupon_overrides_automatic_when_offering_higher_discounts: boolean
  /** Position among the automatic promotions, the lowest first. */
  priority: number
  rules: readonly PromotionRule[]
  notifications: readonly PromotionNotification[]
}
