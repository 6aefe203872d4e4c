import type { Units } from '../../../core/money/units.ts'
import { unitsOfText } from './amounts.ts'
import type { Good } from './cart.ts'
import { type CompiledCondition, compileCondition } from './conditions.ts'
import { type CompiledMatcher, compileMatcher, type LineFacts } from './matchers.ts'
import type {
  AddressMatcher,
  CartItemsAction,
  FixedPriceSetAction,
  ItemMatcher,
  Promotion,
  PromotionAction,
  PromotionDiscount,
  PromotionRule,
  SegmentMatcher,
  Strategy,
} from './promotion.ts'
import { usesUp } from './repetition.ts'

// Compiles promotions into the form that carts are evaluated with. This runs once for each stamp of a store's promotions.

export type CompiledDiscount = { kind: 'fixed'; amount: Units } | { kind: 'percentage'; percentage: Units }

/** The units that an action takes in a round. */
export interface CompiledSelection {
  items: CompiledMatcher | undefined
  /** Undefined for all units. */
  quantity: number | undefined
  strategy: Strategy
  excludesSale: boolean
  includesCondition: boolean
}

export type CompiledAction =
  | {
      kind: 'items'
      selection: CompiledSelection
      discount: CompiledDiscount
      asTotal: boolean
      maximum: Units | undefined
      /** Added if a round has not enough units of it. */
      freeItem: Good | undefined
    }
  | { kind: 'set'; selection: CompiledSelection; size: number; price: Units }
  | { kind: 'value'; discount: CompiledDiscount; maximum: Units | undefined }
  | { kind: 'gift'; good: Good; quantity: number }
  | { kind: 'shipping'; zones: '*' | readonly number[] }

export interface CompiledRule {
  action: CompiledAction
  condition: CompiledCondition | undefined
  /** Whether a round leaves less for the condition. */
  usesUp: boolean
  isRepeated: boolean
  stop: boolean
}

export interface CompiledPromotion {
  promotion: Promotion
  rules: readonly CompiledRule[]
  /** Undefined for everybody. */
  inSegments: ((ids: readonly string[]) => boolean) | undefined
  inCountry: ((code: string) => boolean) | undefined
}

/** The promotions of a store, and the facts that they need. */
export interface CompiledPromotions {
  /** By priority and id. */
  automatic: readonly CompiledPromotion[]
  /** By id. */
  coupons: ReadonlyMap<number, CompiledPromotion>
  facts: PromotionFacts
}

/** The facts that a caller has to read for an evaluation. */
interface PromotionFacts {
  lines: LineFacts
  /** Orders of the customer to count; 0 for none. */
  orders: number
  segments: boolean
  /** Products and variants that promotions may add. */
  goods: readonly Good[]
}

const EVERYTHING = unitsOfText('100')

/** Compiles promotions that were saved without mistakes; those that can't run now are included, so that they can be explained. */
export function compilePromotions(promotions: readonly Promotion[]): CompiledPromotions {
  const facts: PromotionFacts & { goods: Good[] } = {
    lines: { brands: false, categories: false, options: false, customFields: false },
    orders: 0,
    segments: false,
    goods: [],
  }
  const compiled = promotions.map((promotion) => compilePromotion(promotion, facts))
  const isAutomatic = ({ promotion }: CompiledPromotion) => promotion.redemption_type === 'AUTOMATIC'
  const automatic = compiled
    .filter(isAutomatic)
    .sort((one, other) => one.promotion.priority - other.promotion.priority || one.promotion.id - other.promotion.id)
  const coupons = new Map(compiled.filter((one) => !isAutomatic(one)).map((one) => [one.promotion.id, one]))
  return { automatic, coupons, facts }
}

function compilePromotion(promotion: Promotion, facts: PromotionFacts & { goods: Good[] }): CompiledPromotion {
  const { rules, customer, shipping_address } = promotion
  facts.orders = Math.max(facts.orders, customer.minimum_order_count)
  if (customer.segments) facts.segments = true
  return {
    promotion,
    rules: rules.map((rule) => compileRule(rule, facts)),
    inSegments: customer.segments ? compileSegments(customer.segments) : undefined,
    inCountry: shipping_address ? compileAddress(shipping_address) : undefined,
  }
}

function compileRule(
  { action, condition, apply_once, stop }: PromotionRule,
  facts: PromotionFacts & { goods: Good[] },
) {
  const compiled = {
    action: compileAction(action, facts.lines),
    condition: condition ? compileCondition(condition, facts.lines) : undefined,
    usesUp: condition ? usesUp(condition) : false,
    isRepeated: !apply_once,
    stop,
  }
  const good = addedBy(compiled.action)
  if (good) facts.goods.push(good)
  return compiled
}

const addedBy = (action: CompiledAction): Good | undefined => {
  if (action.kind === 'gift') return action.good
  return action.kind === 'items' ? action.freeItem : undefined
}

function compileAction(action: PromotionAction, facts: LineFacts): CompiledAction {
  const { cart_items, cart_value, gift_item, fixed_price_set, shipping } = action
  if (cart_items) {
    const discount = compileDiscount(cart_items.discount)
    return {
      kind: 'items',
      selection: compileSelection(cart_items, facts),
      discount,
      asTotal: cart_items.as_total && discount.kind === 'fixed',
      maximum: maximumOf(cart_items),
      freeItem: freeItemOf(cart_items, discount),
    }
  }
  if (fixed_price_set) {
    const selection = compileSelection(fixed_price_set, facts)
    return { kind: 'set', selection, size: fixed_price_set.quantity, price: amountIn(fixed_price_set.fixed_price) }
  }
  if (cart_value) {
    return { kind: 'value', discount: compileDiscount(cart_value.discount), maximum: maximumOf(cart_value) }
  }
  if (gift_item) {
    const { product_id, variant_id = 0, quantity } = gift_item
    return { kind: 'gift', good: product_id === undefined ? { variant_id } : { product_id }, quantity }
  }
  return { kind: 'shipping', zones: shipping?.zone_ids ?? [] }
}

const compileSelection = (
  action: Omit<CartItemsAction | FixedPriceSetAction, 'quantity'> & { quantity?: number },
  facts: LineFacts,
): CompiledSelection => ({
  items: action.items && compileMatcher(action.items, facts),
  quantity: action.quantity,
  strategy: action.strategy,
  excludesSale: action.exclude_items_on_sale,
  includesCondition: action.include_items_considered_by_condition,
})

/** An amount that was checked when it was saved. */
const amountIn = (text: string): Units => unitsOfText(text) ?? 0n

const compileDiscount = ({ fixed_amount, percentage_amount = '0' }: PromotionDiscount): CompiledDiscount =>
  fixed_amount === undefined
    ? { kind: 'percentage', percentage: amountIn(percentage_amount) }
    : { kind: 'fixed', amount: amountIn(fixed_amount) }

const maximumOf = ({ maximum_allowed_discount_amount: text }: { maximum_allowed_discount_amount?: string | null }) =>
  text === null || text === undefined ? undefined : amountIn(text)

/** Only a discount of 100 % on one product or variant adds units. */
function freeItemOf({ add_free_item, items, quantity }: CartItemsAction, discount: CompiledDiscount): Good | undefined {
  const isFree = discount.kind === 'percentage' && discount.percentage === EVERYTHING
  if (!add_free_item || !isFree || quantity === undefined) return undefined
  return onlyGood(items)
}

function onlyGood({ products, variants }: ItemMatcher = {}): Good | undefined {
  if (products) return only(products, (product_id) => ({ product_id }))
  return variants && only(variants, (variant_id) => ({ variant_id }))
}

const only = ([id, ...others]: readonly number[], toGood: (id: number) => Good): Good | undefined =>
  id === undefined || others.length > 0 ? undefined : toGood(id)

function compileSegments({ id = [], and, or, not }: SegmentMatcher): (ids: readonly string[]) => boolean {
  if (and) {
    const children = and.map(compileSegments)
    return (ids) => children.every((child) => child(ids))
  }
  if (or) {
    const children = or.map(compileSegments)
    return (ids) => children.some((child) => child(ids))
  }
  if (not) {
    const child = compileSegments(not)
    return (ids) => !child(ids)
  }
  const listed = new Set(id)
  return (ids) => ids.some((one) => listed.has(one))
}

function compileAddress(matcher: AddressMatcher): (code: string) => boolean {
  if ('not' in matcher) {
    const isListed = compileAddress(matcher.not)
    return (code) => !isListed(code)
  }
  const codes = new Set(matcher.countries.map(({ iso2_country_code }) => iso2_country_code.toUpperCase()))
  return (code) => codes.has(code.toUpperCase())
}
