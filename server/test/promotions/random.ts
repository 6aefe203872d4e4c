import type { CartLine, CouponV2, EvaluatedCart } from '../../sales/promotions/engine/cart.ts'
import type {
  CartCondition,
  CartMinimum,
  ItemMatcher,
  Promotion,
  PromotionAction,
  PromotionDiscount,
  Strategy,
} from '../../sales/promotions/engine/promotion.ts'
import { cartOf, couponPromotion, couponV2, line, promotion, rule } from './carts.ts'

// Random promotions and carts. A seed always makes the same ones.

/** A source of random numbers with a seed (mulberry32). */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Both bounds included. */
  whole = (from: number, to: number): number => from + Math.floor(this.next() * (to - from + 1))
  /** Small numbers are more likely. */
  small = (from: number, to: number): number => from + Math.floor(this.next() ** 2 * (to - from + 1))
  isLikely = (chance: number): boolean => this.next() < chance
  list<T>(length: number, make: (i: number) => T): T[] {
    return Array.from({ length }, (_, i) => make(i))
  }
  pick<T>(first: T, ...others: readonly T[]): T {
    return others[this.whole(0, others.length) - 1] ?? first
  }
}

const STRATEGIES = ['LEAST_EXPENSIVE', 'LEAST_EXPENSIVE_ONLY', 'MOST_EXPENSIVE', 'MOST_EXPENSIVE_ONLY'] as const

/** Few ids and prices, so that lines often match and tie. */
const price = (dice: Dice) =>
  dice.pick(0, 5, 10, 10, 12.5, 20, dice.whole(1, 20_000) / 100, dice.whole(1, 300_000) / 10_000)

function matcher(dice: Dice, levels = 3): ItemMatcher {
  if (levels > 0 && dice.isLikely(0.2)) {
    const inner = dice.list(dice.whole(1, 2), () => matcher(dice, levels - 1))
    return dice.pick<ItemMatcher>({ and: inner }, { or: inner }, { not: matcher(dice, levels - 1) })
  }
  const ids = dice.list(dice.whole(1, 3), () => dice.whole(1, 6))
  const texts = { name: dice.pick('Size', 'COLOR'), values: [dice.pick('small', 'Large', 'red')] }
  return dice.pick<ItemMatcher>(
    { products: ids },
    { products: ids.slice(0, 1) },
    { variants: ids },
    { brands: ids },
    { categories: ids },
    { categories: ids },
    { product_option: { type: 'string_match', ...texts } },
    { product_custom_field: texts },
  )
}

function condition(dice: Dice, levels = 3): CartCondition {
  if (levels > 0 && dice.isLikely(0.15)) {
    const inner = dice.list(dice.whole(1, 2), () => condition(dice, levels - 1))
    return dice.pick<CartCondition>({ and: inner }, { or: inner }, { not: condition(dice, levels - 1) })
  }
  const spend = { minimum_spend: String(dice.pick(10, 20, 50, 100, 33.33)) }
  const quantity = { minimum_quantity: dice.whole(1, 3) }
  const items = matcher(dice)
  const cart = dice.pick<CartMinimum>(
    spend,
    { ...spend, items },
    { ...quantity, items },
    { ...quantity, items },
    { ...spend, ...quantity, items },
  )
  return { cart }
}

const discount = (dice: Dice): PromotionDiscount =>
  dice.isLikely(0.4)
    ? { fixed_amount: String(dice.pick(1, 2.5, 5, 10, 0.333)) }
    : { percentage_amount: String(dice.pick(10, 33.33, 50, 100, 7.5)) }

const maximum = (dice: Dice) => (dice.isLikely(0.2) ? dice.pick('1', '7.5', '30') : null)

function action(dice: Dice): PromotionAction {
  const selection = {
    strategy: dice.pick<Strategy>(...STRATEGIES),
    exclude_items_on_sale: dice.isLikely(0.2),
    include_items_considered_by_condition: dice.isLikely(0.3),
    ...(dice.isLikely(0.8) ? { items: matcher(dice) } : {}),
  }
  const offItems = (): PromotionAction => ({
    cart_items: {
      ...selection,
      discount: discount(dice),
      maximum_allowed_discount_amount: maximum(dice),
      as_total: dice.isLikely(0.3),
      add_free_item: dice.isLikely(0.8),
      ...(dice.isLikely(0.7) ? { quantity: dice.whole(1, 4) } : {}),
    },
  })
  const id = dice.whole(1, 6)
  const gift = { quantity: dice.whole(1, 2), ...(dice.isLikely(0.5) ? { product_id: id } : { variant_id: id }) }
  const fixed_price = String(dice.pick(5, 10, 19.99, 30))
  const [first, ...others] = [
    offItems,
    offItems,
    offItems,
    offItems,
    () => ({ fixed_price_set: { ...selection, quantity: dice.whole(1, 4), fixed_price } }),
    () => ({ cart_value: { discount: discount(dice), maximum_allowed_discount_amount: maximum(dice) } }),
    () => ({ gift_item: gift }),
    () => ({ shipping: { free_shipping: true, zone_ids: '*' as const } }),
  ] satisfies [() => PromotionAction, ...(() => PromotionAction)[]]
  return dice.pick<() => PromotionAction>(first, ...others)()
}

function randomLine(dice: Dice): CartLine {
  const id = dice.whole(1, 6)
  const text = () => ({ name: dice.pick('size', 'Color'), value: dice.pick('SMALL', 'large', 'Red') })
  const kind = dice.pick('catalog', 'catalog', 'catalog', 'catalog', 'catalog', 'catalog', 'custom', 'certificate')
  return line(kind === 'catalog' ? id : 0, dice.small(1, 6), price(dice), {
    kind,
    isOnSale: dice.isLikely(0.2),
    isPriceOverridden: dice.isLikely(0.1),
    isAddedByPromotion: dice.isLikely(0.03),
    brand_id: dice.whole(1, 6),
    categories: dice.list(dice.whole(0, 2), () => dice.whole(1, 6)),
    options: dice.list(dice.whole(0, 1), text),
    customFields: dice.list(dice.whole(0, 1), text),
  })
}

function randomPromotion(dice: Dice, id: number): Promotion {
  const rules = dice.list(dice.small(1, 3), () =>
    rule(action(dice), {
      apply_once: dice.isLikely(0.6),
      stop: dice.isLikely(0.2),
      ...(dice.isLikely(0.6) ? { condition: condition(dice) } : {}),
    }),
  )
  const more = {
    priority: dice.whole(1, 9),
    stop: dice.isLikely(0.08),
    can_be_used_with_other_promotions: !dice.isLikely(0.1),
    coupon_overrides_other_promotions: dice.isLikely(0.3),
    coupon_overrides_automatic_when_offering_higher_discounts: dice.isLikely(0.3),
  }
  return dice.isLikely(0.75) ? promotion(id, rules, more) : couponPromotion(id, rules, more)
}

/** Carts of 1 to 50 lines, with 0 to 30 promotions and up to two v2 coupons. */
export function randomCase(seed: number): {
  promotions: Promotion[]
  cart: EvaluatedCart
  coupons: Map<string, CouponV2>
} {
  const dice = new Dice(seed)
  const promotions = dice.list(dice.small(0, 30), (i) => randomPromotion(dice, i + 1))
  const coupons = new Map(
    dice.list(dice.small(0, 2), (i) => [
      `V2-${i}`,
      couponV2(
        dice.pick(
          'per_item_discount',
          'percentage_discount',
          'per_total_discount',
          'shipping_discount',
          'free_shipping',
        ),
        dice.pick(5, 20, 3.3333),
        {
          min_purchase: dice.pick(0n, 500_000n),
          applies_to: {
            entity: dice.pick('products', 'categories'),
            ids: dice.list(dice.whole(1, 2), () => dice.whole(0, 6)),
          },
          shipping_methods: dice.list(dice.whole(0, 1), () => 1),
        },
      ),
    ]),
  )
  const good = () => ({ price: BigInt(dice.whole(0, 200_000)), available: dice.whole(0, 9) })
  const typed = promotions.filter(({ redemption_type }) => redemption_type === 'COUPON')
  const cart = cartOf(
    dice.list(dice.small(1, 50), () => randomLine(dice)),
    {
      settings: {
        promotions_apply_on_products_with_custom_product_price: dice.isLikely(0.3),
        promotions_triggered_by_products_with_zero_product_price: dice.isLikely(0.3),
        promotions_applied_on_original_product_price: dice.isLikely(0.5),
      },
      codes: [
        ...typed.map(({ id }) => ({ code: `CODE-${id}`, of: id, isUsedUp: false })),
        ...[...coupons].map(([code, of]) => ({ code, of, isUsedUp: false })),
      ],
      consignments: dice.list(dice.whole(0, 2), (i) => ({
        id: String(i),
        cost: BigInt(dice.whole(0, 200_000)),
        method_id: dice.pick(1, 2, null),
      })),
      goods: new Map(dice.list(8, () => [`${dice.pick('product', 'variant')} ${dice.whole(1, 6)}`, good()] as const)),
    },
  )
  const { currency } = cart.shopper
  currency.decimals = dice.pick(2, 2, 2, 0, 3)
  return { promotions, cart, coupons }
}
