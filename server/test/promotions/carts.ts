import { amountOf, type Units, unitsOf } from '../../core/money/units.ts'
import type { CartLine, CouponV2, EvaluatedCart } from '../../sales/promotions/engine/cart.ts'
import { compilePromotions } from '../../sales/promotions/engine/compile.ts'
import { evaluate } from '../../sales/promotions/engine/evaluate.ts'
import type {
  CartItemsAction,
  FixedPriceSetAction,
  ItemMatcher,
  Promotion,
  PromotionAction,
  PromotionRule,
} from '../../sales/promotions/engine/promotion.ts'

// Promotions and carts for tests of the engine.

const moment = { at: Date.parse('2026-03-04T12:00:00Z'), timeZone: 'UTC' }

const selection = {
  strategy: 'LEAST_EXPENSIVE',
  exclude_items_on_sale: false,
  include_items_considered_by_condition: false,
} as const

const off = (discount: { fixed?: number; percent?: number }) =>
  discount.fixed === undefined
    ? { percentage_amount: String(discount.percent) }
    : { fixed_amount: String(discount.fixed) }

type Off = Parameters<typeof off>[0]

/** An amount or percentage off items. */
export const offItems = (discount: Off, more: Partial<CartItemsAction> = {}): PromotionAction => ({
  cart_items: { ...selection, as_total: false, add_free_item: true, discount: off(discount), ...more },
})
export const offOrder = (discount: Off, maximum?: string): PromotionAction => ({
  cart_value: { discount: off(discount), maximum_allowed_discount_amount: maximum ?? null },
})
export const setOf = (
  quantity: number,
  fixed_price: number,
  more: Partial<FixedPriceSetAction> = {},
): PromotionAction => ({
  fixed_price_set: {
    ...selection,
    include_items_considered_by_condition: true,
    quantity,
    fixed_price: String(fixed_price),
    ...more,
  },
})

export const rule = (action: PromotionAction, more: Partial<PromotionRule> = {}): PromotionRule => ({
  action,
  apply_once: true,
  stop: false,
  ...more,
})
export const from = (minimum_spend: number, items?: ItemMatcher) => ({
  cart: { minimum_spend: String(minimum_spend), ...(items && { items }) },
})
export const least = (minimum_quantity: number, items: ItemMatcher) => ({ cart: { minimum_quantity, items } })

/** An automatic promotion of any number of rules; its priority is its id. */
export const promotion = (id: number, rules: readonly PromotionRule[], more: Partial<Promotion> = {}): Promotion => ({
  id,
  redemption_type: 'AUTOMATIC',
  name: `Promotion ${id}`,
  status: 'ENABLED',
  starts_at: 0,
  ends_at: null,
  max_uses: null,
  current_uses: 0,
  currency_code: 'USD',
  channels: [],
  customer: { group_ids: [], excluded_group_ids: [], minimum_order_count: 0 },
  shipping_address: null,
  schedule: null,
  stop: false,
  can_be_used_with_other_promotions: true,
  coupon_overrides_other_promotions: false,
  coupon_overrides_automatic_when_offering_higher_discounts: false,
  priority: id,
  rules,
  notifications: [],
  ...more,
})
export const couponPromotion = (
  id: number,
  rules: readonly PromotionRule[],
  more: Partial<Promotion> = {},
): Promotion => promotion(id, rules, { redemption_type: 'COUPON', ...more })

/** A line of a product in the catalog, whose variant has the same id. */
export const line = (product_id: number, quantity: number, price: number, more: Partial<CartLine> = {}): CartLine => ({
  kind: 'catalog',
  product_id,
  variant_id: product_id,
  quantity,
  price: unitsOf(price),
  isOnSale: false,
  isPriceOverridden: false,
  isAddedByPromotion: false,
  ...more,
})
export const customLine = (quantity: number, price: number): CartLine => line(0, quantity, price, { kind: 'custom' })

export const cartOf = (lines: readonly CartLine[], more: Partial<EvaluatedCart> = {}): EvaluatedCart => ({
  lines,
  shopper: {
    channel_id: 1,
    currency: { code: 'USD', decimals: 2 },
    group_id: 0,
    segments: [],
    orders: 0,
    countries: [],
  },
  settings: {
    promotions_apply_on_products_with_custom_product_price: false,
    promotions_triggered_by_products_with_zero_product_price: false,
    promotions_applied_on_original_product_price: true,
  },
  codes: [],
  consignments: [],
  goods: new Map(),
  usedUp: new Set(),
  ...more,
})

/** The same cart under the other setting: each percentage is of the amount that the earlier ones left. */
export const onRest = (cart: EvaluatedCart): EvaluatedCart => ({
  ...cart,
  settings: { ...cart.settings, promotions_applied_on_original_product_price: false },
})

/** A code of a promotion. */
export const codeOf = (id: number) => ({ code: `CODE-${id}`, of: id, isUsedUp: false })

export const couponV2 = (type: CouponV2['type'], amount: number, more: Partial<CouponV2> = {}): CouponV2 => ({
  id: 1,
  name: 'Coupon',
  type,
  amount: unitsOf(amount),
  min_purchase: 0n,
  enabled: true,
  expires_at: null,
  currency_code: 'USD',
  applies_to: { entity: 'categories', ids: [0] },
  countries: [],
  shipping_methods: [],
  ...more,
})

export const run = (promotions: readonly Promotion[], cart: EvaluatedCart, at = moment) =>
  evaluate(compilePromotions(promotions), cart, at)

const sum = (amounts: readonly { amount: Units }[]) => amounts.reduce((all, { amount }) => all + amount, 0n)

/** The amounts of an evaluation as numbers: discounts of each line, off the order, by coupons, and gifts. */
export function amountsOf({ lines, order, gifts, shipping }: ReturnType<typeof evaluate>) {
  return {
    items: lines.map(({ promotions }) => amountOf(sum(promotions))),
    coupons: lines.map(({ coupons }) => amountOf(sum(coupons))),
    order: amountOf(sum(order)),
    gifts: gifts.map(({ quantity, price }) => [quantity, amountOf(price)]),
    shipping: amountOf(sum(shipping)),
  }
}
