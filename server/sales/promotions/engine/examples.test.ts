import { describe, expect, test } from 'vitest'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import {
  amountsOf,
  cartOf,
  codeOf,
  couponPromotion,
  couponV2,
  customLine,
  from,
  least,
  line,
  offItems,
  offOrder,
  onRest,
  promotion,
  rule,
  run,
  setOf,
} from '../../../test/promotions/carts.ts'
import type { EvaluatedCart } from './cart.ts'
import type { Promotion, PromotionRule } from './promotion.ts'

// The worked examples of docs/contract/promotions.md and of the totals of carts, with their numbers. M20 and M21 are about bodies.

const X = { categories: [7] }
const inX = { categories: [7] }
const repeated = { apply_once: false }
const one = (...rules: PromotionRule[]) => [promotion(1, rules)]
const only = { can_be_used_with_other_promotions: false }

/** The expected amounts; nothing where none are given. */
interface Expected {
  items?: number[]
  coupons?: number[]
  order?: number
  gifts?: [number, number][]
  shipping?: number
}

const expectAmounts = (promotions: readonly Promotion[], cart: EvaluatedCart, expected: Expected) => {
  const none = cart.lines.map(() => 0)
  expect(amountsOf(run(promotions, cart))).toEqual({
    items: none,
    coupons: none,
    order: 0,
    gifts: [],
    shipping: 0,
    ...expected,
  })
}

const threeOfFour = [line(1, 2, 20), line(2, 1, 18), line(3, 1, 12)]
const tiers = (stop: boolean) =>
  one(
    rule(offOrder({ fixed: 45 }), { stop, condition: from(175) }),
    rule(offOrder({ fixed: 30 }), { stop, condition: from(150) }),
    rule(offOrder({ fixed: 15 }), { stop, condition: from(100) }),
  )
const tenTwice = [1, 2].map((id) => promotion(id, [rule(offItems({ percent: 10 }))]))
const orderThenItem = [
  promotion(1, [rule(offOrder({ percent: 10 }))]),
  promotion(2, [rule(offItems({ percent: 20 }, { items: { products: [1] } }))]),
]
const fiftyFifty = cartOf([line(1, 1, 50), line(2, 1, 50)])
const hundred = (...codes: number[]) => cartOf([line(1, 1, 100)], { codes: codes.map(codeOf) })
const fiveOff = promotion(1, [rule(offOrder({ fixed: 5 }))])
const exclusiveCoupon = (percent: number, more: Partial<Promotion>) => [
  fiveOff,
  couponPromotion(2, [rule(offOrder({ percent }))], { ...only, ...more }),
]
const old = { coupon_overrides_automatic_when_offering_higher_discounts: true }
const stopping = [
  promotion(1, [rule(offOrder({ fixed: 20 }), { condition: from(200) })], { stop: true }),
  promotion(2, [rule(offOrder({ fixed: 5 }))]),
  couponPromotion(3, [rule(offOrder({ fixed: 3 }))]),
]

test.each<[string, readonly Promotion[], EvaluatedCart, Expected]>([
  [
    'M1',
    one(
      rule({ gift_item: { product_id: 174, quantity: 1 } }, { ...repeated, condition: least(1, { products: [174] }) }),
    ),
    cartOf([line(174, 2, 20)], { goods: new Map([['product 174', { price: unitsOf(20), available: 9 }]]) }),
    { gifts: [[2, 20]] },
  ],
  [
    'M2',
    one(
      rule(offItems({ percent: 100 }, { items: { products: [130] }, quantity: 1 }), {
        ...repeated,
        condition: least(2, { products: [129] }),
      }),
    ),
    cartOf([line(129, 5, 15), line(130, 3, 10)]),
    { items: [0, 20] },
  ],
  ...([1, 2] as const).map((quantity): [string, readonly Promotion[], EvaluatedCart, Expected] => [
    `M3 with ${quantity}`,
    one(rule(offItems({ percent: 20 }, { items: X, quantity: 1 }), { condition: least(1, X) })),
    cartOf([line(1, quantity, 30, inX)]),
    { items: [quantity === 1 ? 0 : 6] },
  ]),
  ['M4', one(rule(offItems({ fixed: 10 }, { quantity: 2 }))), cartOf([line(1, 2, 25)]), { items: [20] }],
  [
    'M4 as a total',
    one(rule(offItems({ fixed: 10 }, { quantity: 2, as_total: true }))),
    cartOf([line(1, 1, 25), line(2, 1, 25)]),
    { items: [5, 5] },
  ],
  [
    'M5',
    one(rule(offItems({ fixed: 10 }, { as_total: true }))),
    cartOf([line(1, 1, 30), line(2, 1, 60)]),
    { items: [3.33, 6.67] },
  ],
  [
    'M6',
    one(rule(offItems({ percent: 20 }, { strategy: 'MOST_EXPENSIVE', quantity: 1 }))),
    cartOf([line(1, 1, 45), line(2, 2, 30)]),
    { items: [9, 0] },
  ],
  [
    'M7',
    one(rule(offItems({ percent: 50 }, { quantity: 3 }))),
    cartOf([line(1, 2, 10), line(2, 1, 25)]),
    { items: [10, 12.5] },
  ],
  [
    'M7, the cheapest only',
    one(rule(offItems({ percent: 50 }, { strategy: 'LEAST_EXPENSIVE_ONLY', quantity: 3 }))),
    cartOf([line(1, 2, 10), line(2, 1, 25)]),
    { items: [10, 0] },
  ],
  ['M8', one(rule(setOf(3, 50))), cartOf(threeOfFour), {}],
  [
    'M8, the dearest',
    one(rule(setOf(3, 50, { strategy: 'MOST_EXPENSIVE' }))),
    cartOf(threeOfFour),
    { items: [5.52, 2.48, 0] },
  ],
  ['M9 at 160', tiers(true), cartOf([line(1, 1, 160)]), { order: 30 }],
  ['M9 at 180', tiers(true), cartOf([line(1, 1, 180)]), { order: 45 }],
  ['M9 without stop', tiers(false), cartOf([line(1, 1, 180)]), { order: 90 }],
  ['M10', tenTwice, hundred(), { items: [20] }],
  ['M10 on the rest', tenTwice, onRest(hundred()), { items: [19] }],
  ['M11', orderThenItem, fiftyFifty, { items: [10, 0], order: 10 }],
  ['M11 on the rest', orderThenItem, onRest(fiftyFifty), { items: [10, 0], order: 9 }],
  [
    'M12',
    one(rule(offItems({ percent: 50 }, { maximum_allowed_discount_amount: '30' }))),
    cartOf([line(1, 2, 40)]),
    { items: [30] },
  ],
  ['M13', exclusiveCoupon(8, {}), hundred(2), { order: 5 }],
  ['M13 with override', exclusiveCoupon(8, { coupon_overrides_other_promotions: true }), hundred(2), { coupons: [8] }],
  ['M14', exclusiveCoupon(4, old), hundred(2), { order: 5 }],
  ['M14 with more', exclusiveCoupon(8, old), hundred(2), { coupons: [8] }],
  ['M15 at 100', stopping, hundred(3), { order: 5, coupons: [3] }],
  ['M15 at 250', stopping, cartOf([line(1, 1, 250)], { codes: [codeOf(3)] }), { order: 20, coupons: [3] }],
  [
    'M16',
    one(rule(offItems({ percent: 15 }, { items: { not: { categories: [18] } } }))),
    cartOf([line(1, 1, 40, { categories: [18] }), line(2, 1, 60), customLine(1, 10)]),
    { items: [0, 9, 0] },
  ],
  [
    'M17',
    one(rule(offOrder({ fixed: 10 }), { ...repeated, condition: from(100) })),
    cartOf([line(1, 1, 250)]),
    { order: 20 },
  ],
])('%s', (_, promotions, cart, expected) => {
  expectAmounts(promotions, cart, expected)
})

const withCoupon = (
  lines: EvaluatedCart['lines'],
  coupon: ReturnType<typeof couponV2>,
  more: Partial<EvaluatedCart> = {},
) => cartOf(lines, { codes: [{ code: 'V2', of: coupon, isUsedUp: false }], ...more })

describe('of v2 coupons', () => {
  const perTotal = couponV2('per_total_discount', 25, { min_purchase: unitsOf(50) })
  const shippingCoupon = withCoupon([line(1, 1, 80)], couponV2('shipping_discount', 5), {
    consignments: [{ id: 'a', cost: unitsOf(12), method_id: 1 }],
  })
  test.each<[string, EvaluatedCart, Expected]>([
    [
      'M18',
      withCoupon(
        [line(1, 3, 4, inX), line(2, 2, 12, inX)],
        couponV2('per_item_discount', 5, { applies_to: { entity: 'categories', ids: [7] } }),
      ),
      { coupons: [12, 10] },
    ],
    ['M19 below the minimum', withCoupon([line(1, 1, 48)], perTotal), {}],
    ['M19', withCoupon([line(1, 1, 40), line(2, 1, 20)], perTotal), { coupons: [16.6667, 8.3333] }],
    ['C2', withCoupon([line(1, 1, 32), line(2, 1, 35)], couponV2('percentage_discount', 20)), { coupons: [6.4, 7] }],
    ['C5', withCoupon([line(1, 2, 24)], couponV2('percentage_discount', 10)), { coupons: [4.8] }],
    ['C10', shippingCoupon, { shipping: 5 }],
  ])('%s', (_, cart, expected) => {
    expectAmounts([], cart, expected)
  })

  test('C16', () => {
    const cart = withCoupon([line(1, 1, 50), line(2, 1, 30)], couponV2('percentage_discount', 10))
    const promotions = [promotion(1, [rule(offOrder({ fixed: 8 }))])]
    expectAmounts(promotions, cart, { order: 8, coupons: [4.5, 2.7] })
    const { lines } = run(promotions, cart)
    expect(lines.map(({ orderShare }) => amountOf(orderShare))).toEqual([5, 3])
    // The same amounts come from a coupon promotion, if percentages are of the rest.
    const codes = [codeOf(2)]
    const v3 = onRest(cartOf(cart.lines, { codes }))
    expectAmounts([...promotions, couponPromotion(2, [rule(offOrder({ percent: 10 }))])], v3, {
      order: 8,
      coupons: [4.5, 2.7],
    })
  })
})

describe('the outcomes of the codes', () => {
  const codesOf = (promotions: readonly Promotion[], cart: EvaluatedCart) =>
    run(promotions, cart).codes.map(({ reason, refusal, amount }) => [reason, refusal, amountOf(amount)])
  test.each<[string, readonly Promotion[], EvaluatedCart, unknown[]]>([
    ['M13', exclusiveCoupon(8, {}), hundred(2), ['exclusive', 'COUPON_INELIGIBLE', 0]],
    ['M14', exclusiveCoupon(4, old), hundred(2), ['lesser', 'COUPON_INELIGIBLE', 0]],
    ['M15', stopping, hundred(3), [undefined, undefined, 3]],
    [
      'M19',
      [],
      withCoupon([line(1, 1, 48)], couponV2('per_total_discount', 25, { min_purchase: unitsOf(50) })),
      ['spend', 'COUPON_MIN_PURCHASE', 0],
    ],
  ])('of %s', (_, promotions, cart, expected) => {
    expect(codesOf(promotions, cart)).toEqual([expected])
  })
})
