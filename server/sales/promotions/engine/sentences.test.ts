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
import type { CartLine, EvaluatedCart } from './cart.ts'
import { compilePromotions } from './compile.ts'
import type { ItemMatcher, Promotion, PromotionAction, PromotionNotification, PromotionRule } from './promotion.ts'

// One row for each sentence about promotions that no worked example covers (docs/contract/promotions.md sections 4 and 5).

const repeated = { apply_once: false }
const products = (...ids: number[]) => ({ products: ids })
const one = (...rules: PromotionRule[]) => [promotion(1, rules)]
const half = offItems({ percent: 50 })
const tenPercent = offItems({ percent: 10 })
const two = offItems({ fixed: 2 })
const A = (quantity: number, price = 10, more: Partial<CartLine> = {}) => line(1, quantity, price, more)
const B = (quantity: number, price = 20, more: Partial<CartLine> = {}) => line(2, quantity, price, more)
const certificate = (price: number) => line(0, 1, price, { kind: 'certificate' })
const inStock = (available: number, price = 10) =>
  new Map([1, 2, 3].map((id) => [`product ${id}`, { price: unitsOf(price), available }]))
const withSetting = (cart: EvaluatedCart, name: keyof EvaluatedCart['settings']): EvaluatedCart => ({
  ...cart,
  settings: { ...cart.settings, [name]: true },
})
const OVERRIDDEN = 'promotions_apply_on_products_with_custom_product_price'
const ZERO = 'promotions_triggered_by_products_with_zero_product_price'
const overridden = { isPriceOverridden: true }
const gift = (quantity = 1): PromotionAction => ({ gift_item: { product_id: 3, quantity } })

const takenIn = (promotions: readonly Promotion[], cart: EvaluatedCart) => {
  const { items, coupons, order } = amountsOf(run(promotions, cart))
  return [...items.map((amount, i) => amount + (coupons[i] ?? 0)), order]
}

describe('a condition', () => {
  // Each is on a promotion of 5 off the order.
  test.each<[string, PromotionRule['condition'], EvaluatedCart, boolean]>([
    ['of a quantity without items has no effect', { cart: { minimum_quantity: 9 } }, cartOf([A(1)]), true],
    ['counts units over all matching lines', least(3, products(1, 2)), cartOf([A(1), B(2)]), true],
    ['counts no other units', least(3, products(1)), cartOf([A(2), B(9)]), false],
    ['of a spend counts price times quantity', from(30), cartOf([A(3)]), true],
    ['of a spend is not met by less', from(30.01), cartOf([A(3)]), false],
    ['of a spend on items counts matching lines only', from(30, products(1)), cartOf([A(2), B(5)]), false],
    [
      'of both needs the spend',
      { cart: { ...least(1, products(1)).cart, minimum_spend: '11' } },
      cartOf([A(1)]),
      false,
    ],
    [
      'of both needs the quantity',
      { cart: { ...least(2, products(1)).cart, minimum_spend: '1' } },
      cartOf([A(1)]),
      false,
    ],
    ['of both is met by both', { cart: { ...least(2, products(1)).cart, minimum_spend: '20' } }, cartOf([A(2)]), true],
    ['with and needs all', { and: [least(1, products(1)), least(1, products(2))] }, cartOf([A(1)]), false],
    ['with and is met by all', { and: [least(1, products(1)), least(1, products(2))] }, cartOf([A(1), B(1)]), true],
    ['with or needs one', { or: [least(1, products(9)), least(1, products(1))] }, cartOf([A(1)]), true],
    ['with or is not met by none', { or: [least(1, products(9)), from(99)] }, cartOf([A(1)]), false],
    ['with not is the opposite', { not: least(1, products(2)) }, cartOf([A(1)]), true],
    ['with not is not met', { not: least(1, products(1)) }, cartOf([A(1)]), false],
    ['of a spend counts custom items', from(30), cartOf([A(1), customLine(1, 20)]), true],
    ['of a spend counts no certificates', from(30), cartOf([A(1), certificate(20)]), false],
    ['with not matches no custom items', least(2, { not: products(9) }), cartOf([A(1), customLine(1, 20)]), false],
    ['with not matches no certificates', least(2, { not: products(9) }), cartOf([A(1), certificate(20)]), false],
    ['counts no overridden lines', from(10), cartOf([A(1, 10, overridden), B(1, 5)]), false],
    [
      'counts overridden lines by setting',
      from(10),
      withSetting(cartOf([A(1, 10, overridden), B(1, 5)]), OVERRIDDEN),
      true,
    ],
    ['counts no lines of price zero', least(2, products(1, 2)), cartOf([A(1, 0), B(1)]), false],
    [
      'counts lines of price zero by setting',
      least(2, products(1, 2)),
      withSetting(cartOf([A(1, 0), B(1)]), ZERO),
      true,
    ],
    [
      'counts no lines that a promotion added',
      least(2, products(1)),
      cartOf([A(1), A(1, 10, { isAddedByPromotion: true })]),
      false,
    ],
  ])('%s', (_, condition, cart, isMet) => {
    const { order } = amountsOf(run(one(rule(offOrder({ fixed: 5 }), { condition: condition ?? null })), cart))
    expect(order).toBe(isMet ? 5 : 0)
  })

  test('of a spend is about the prices before discounts, or about the rest by setting', () => {
    const promotions = [
      promotion(1, [rule(half)]),
      promotion(2, [rule(offOrder({ fixed: 1 }), { condition: from(20) })]),
    ]
    expect(takenIn(promotions, cartOf([A(2)]))).toEqual([10, 1])
    expect(takenIn(promotions, onRest(cartOf([A(2)])))).toEqual([10, 0])
  })
})

describe('a matcher', () => {
  const facts: Partial<CartLine> = {
    variant_id: 11,
    brand_id: 5,
    categories: [7, 8],
    options: [{ name: 'Size', value: 'Large' }],
    customFields: [{ name: 'Fabric', value: 'Wool' }],
  }
  const option = (name: string, ...values: string[]): ItemMatcher => ({
    product_option: { type: 'string_match', name, values },
  })
  test.each<[string, ItemMatcher, boolean]>([
    ['products', products(9, 1), true],
    ['other products', products(9), false],
    ['variants', { variants: [11] }, true],
    ['other variants', { variants: [1] }, false],
    ['brands', { brands: [4, 5] }, true],
    ['other brands', { brands: [4] }, false],
    ['categories', { categories: [6, 8] }, true],
    ['other categories', { categories: [6] }, false],
    ['no ids', products(), false],
    ['more ids than are listed', products(...Array.from({ length: 20 }, (_, i) => i)), true],
    ['options in any case', option('SIZE', 'small', 'LARGE'), true],
    ['other values of options', option('Size', 'Small'), false],
    ['other options', option('Color', 'Large'), false],
    ['custom fields in any case', { product_custom_field: { name: 'fabric', values: ['WOOL'] } }, true],
    ['options that are custom fields', option('Fabric', 'Wool'), false],
    ['all of several', { and: [products(1), { brands: [5] }] }, true],
    ['not all of several', { and: [products(1), { brands: [4] }] }, false],
    ['one of several', { or: [products(9), { brands: [5] }] }, true],
    ['none of several', { or: [products(9), { brands: [4] }] }, false],
    ['the opposite', { not: products(9) }, true],
    ['three levels', { not: { and: [{ not: products(1) }, products(1)] } }, true],
  ])('of %s', (_, items, matches) => {
    expect(takenIn(one(rule(offItems({ percent: 50 }, { items }))), cartOf([A(1, 10, facts)]))).toEqual([
      matches ? 5 : 0,
      0,
    ])
  })

  test('needs the facts of its kinds only', () => {
    const needs = (items: ItemMatcher) => {
      const { lines } = compilePromotions(one(rule(tenPercent, { condition: least(1, { not: items }) }))).facts
      return Object.entries(lines).flatMap(([name, isNeeded]) => (isNeeded ? name : []))
    }
    expect(needs(products(1))).toEqual([])
    expect(needs({ brands: [1] })).toEqual(['brands'])
    expect(needs({ and: [{ categories: [1] }, option('Size', 'S')] })).toEqual(['categories', 'options'])
    expect(needs({ product_custom_field: { name: 'a', values: ['b'] } })).toEqual(['customFields'])
  })
})

describe('an action', () => {
  const seven = offItems({ percent: 50 }, { quantity: 1, items: products(1) })
  test.each<[string, readonly Promotion[], EvaluatedCart, number[]]>([
    ['rounds a percentage for each unit', one(rule(offItems({ percent: 33.33 }))), cartOf([A(3, 0.05)]), [0.06, 0]],
    ['takes at most the price', one(rule(offItems({ fixed: 15 }))), cartOf([A(2)]), [20, 0]],
    ['takes no more than is left', [1, 2, 3].map((id) => promotion(id, [rule(half)])), cartOf([A(1)]), [10, 0]],
    [
      'as a total takes at most the sum',
      one(rule(offItems({ fixed: 90 }, { as_total: true }))),
      cartOf([A(2), B(1)]),
      [20, 20, 0],
    ],
    [
      'of a percentage ignores as_total',
      one(rule(offItems({ percent: 50 }, { as_total: true, quantity: 1 }))),
      cartOf([A(1), B(1)]),
      [5, 0, 0],
    ],
    [
      'takes the cheapest first',
      one(rule(offItems({ percent: 50 }, { quantity: 3 }))),
      cartOf([B(5), A(2)]),
      [10, 10, 0],
    ],
    [
      'takes equal prices by line',
      one(rule(offItems({ percent: 50 }, { quantity: 2 }))),
      cartOf([B(1, 10), A(2)]),
      [5, 5, 0],
    ],
    [
      'takes equal prices by line, the dearest first',
      one(rule(offItems({ percent: 50 }, { quantity: 2, strategy: 'MOST_EXPENSIVE' }))),
      cartOf([B(1, 10), A(2)]),
      [5, 5, 0],
    ],
    [
      'takes the dearest only',
      one(rule(offItems({ percent: 50 }, { quantity: 3, strategy: 'MOST_EXPENSIVE_ONLY' }))),
      cartOf([A(2), B(1)]),
      [0, 10, 0],
    ],
    [
      'leaves out sale items',
      one(rule(offItems({ percent: 50 }, { exclude_items_on_sale: true }))),
      cartOf([A(1, 10, { isOnSale: true }), B(1)]),
      [0, 10, 0],
    ],
    ['leaves out overridden lines', one(rule(half)), cartOf([A(1, 10, overridden), B(1)]), [0, 10, 0]],
    [
      'has overridden lines by setting',
      one(rule(half)),
      withSetting(cartOf([A(1, 10, overridden), B(1)]), OVERRIDDEN),
      [5, 10, 0],
    ],
    [
      'leaves out lines of price zero',
      one(rule(offItems({ fixed: 5 }, { quantity: 1 }))),
      cartOf([A(1, 0), B(1)]),
      [0, 5, 0],
    ],
    [
      'leaves out custom items and certificates',
      one(rule(half)),
      cartOf([A(1), customLine(1, 10), certificate(10)]),
      [5, 0, 0, 0],
    ],
    ['leaves out added lines', one(rule(half)), cartOf([A(1), B(1, 20, { isAddedByPromotion: true })]), [5, 0, 0]],
    [
      'leaves the dearest units to the condition',
      one(rule(offItems({ percent: 50 }), { condition: least(1, products(1, 2)) })),
      cartOf([A(1), B(1)]),
      [5, 0, 0],
    ],
    [
      'leaves the cheapest units to the condition',
      one(rule(offItems({ percent: 50 }, { strategy: 'MOST_EXPENSIVE' }), { condition: least(1, products(1, 2)) })),
      cartOf([A(1), B(1)]),
      [0, 10, 0],
    ],
    [
      'takes units of the condition, if they are included',
      one(
        rule(offItems({ percent: 50 }, { include_items_considered_by_condition: true }), {
          condition: least(1, products(1, 2)),
        }),
      ),
      cartOf([A(1), B(1)]),
      [5, 10, 0],
    ],
    [
      'leaves all units to a condition on a spend',
      one(rule(half, { condition: from(30, products(1, 2)) })),
      cartOf([A(1), B(1)]),
      [5, 10, 0],
    ],
    ['has one round', one(rule(seven, { condition: least(1, products(2)) })), cartOf([A(3), B(3)]), [5, 0, 0]],
    [
      'is repeated until the condition fails',
      one(rule(seven, { ...repeated, condition: least(1, products(2)) })),
      cartOf([A(3), B(2)]),
      [10, 0, 0],
    ],
    [
      'is repeated until nothing is taken',
      one(rule(seven, { ...repeated, condition: least(1, products(2)) })),
      cartOf([A(1), B(3)]),
      [5, 0, 0],
    ],
    [
      'uses up the units that it takes',
      one(rule(offItems({ percent: 50 }, { quantity: 1 }), { ...repeated, condition: least(1, products(1)) })),
      cartOf([A(3)]),
      [5, 0],
    ],
    [
      'is repeated as often as the spend',
      one(rule(seven, { ...repeated, condition: from(20) })),
      cartOf([A(5)]),
      [10, 0],
    ],
    ['is repeated 1,000 times at most', one(rule(seven, repeated)), cartOf([A(5_000)]), [5_000, 0]],
    [
      'fills up its maximum over all rounds',
      one(rule(offItems({ percent: 50 }, { quantity: 1, maximum_allowed_discount_amount: '12' }), repeated)),
      cartOf([A(5)]),
      [12, 0],
    ],
    [
      'as a total has its maximum',
      one(rule(offItems({ fixed: 9 }, { as_total: true, maximum_allowed_discount_amount: '3' }))),
      cartOf([A(1), B(1)]),
      [1, 2, 0],
    ],
    ['of a set takes nothing from too few units', one(rule(setOf(3, 5))), cartOf([A(2)]), [0, 0]],
    ['of a set never makes it dearer', one(rule(setOf(2, 25))), cartOf([A(2)]), [0, 0]],
    ['of a set is repeated', one(rule(setOf(2, 15), repeated)), cartOf([A(5)]), [10, 0]],
    [
      'of a set has the price of what is left',
      [promotion(1, [rule(tenPercent)]), promotion(2, [rule(setOf(2, 15))])],
      cartOf([A(2)]),
      [5, 0],
    ],
    [
      'on the order leaves out certificates',
      one(rule(offOrder({ percent: 50 }))),
      cartOf([A(1), customLine(1, 10), certificate(50)]),
      [0, 0, 0, 10],
    ],
    ['on the order takes at most the rest', one(rule(offOrder({ fixed: 50 }))), cartOf([A(2)]), [0, 20]],
    [
      'on the order has its maximum over all rounds',
      one(rule(offOrder({ fixed: 5 }, '12'), { ...repeated, condition: from(5) })),
      cartOf([A(2)]),
      [0, 12],
    ],
    [
      'on the order comes after items',
      [promotion(1, [rule(offOrder({ fixed: 15 }))]), promotion(2, [rule(half)])],
      cartOf([A(2)]),
      [10, 10],
    ],
    [
      'of the price in each currency has its decimals',
      one(rule(offItems({ percent: 50 }))),
      { ...cartOf([A(1, 5)]), shopper: { ...cartOf([]).shopper, currency: { code: 'USD', decimals: 0 } } },
      [3, 0],
    ],
    [
      'of the rest is a percentage of what the earlier left',
      [1, 2].map((id) => promotion(id, [rule(half)])),
      onRest(cartOf([A(1)])),
      [7.5, 0],
    ],
  ])('%s', (_, promotions, cart, expected) => {
    expect(takenIn(promotions, cart)).toEqual(expected)
  })

  const free = (more = {}) => offItems({ percent: 100 }, { items: products(1), quantity: 2, ...more })
  test.each<[string, PromotionRule, EvaluatedCart, [number, number][], number]>([
    [
      'adds the free units that are missing',
      rule(free(), { condition: least(1, products(2)) }),
      cartOf([B(1), A(1)], { goods: inStock(9) }),
      [[1, 10]],
      10,
    ],
    [
      'adds them in each round',
      rule(free(), { ...repeated, condition: least(1, products(2)) }),
      cartOf([B(2)], { goods: inStock(9) }),
      [[4, 10]],
      0,
    ],
    [
      'adds them once, if nothing is used up',
      rule(free(), repeated),
      cartOf([B(2)], { goods: inStock(9) }),
      [[2, 10]],
      0,
    ],
    [
      'adds as many as are in stock',
      rule(free(), { condition: least(1, products(2)) }),
      cartOf([B(1)], { goods: inStock(1) }),
      [[1, 10]],
      0,
    ],
    [
      'discounts units of the cart, if it can add none',
      rule(free(), { condition: least(1, products(2)) }),
      cartOf([B(1), A(1)]),
      [],
      10,
    ],
    [
      'adds none below 100 %',
      rule(offItems({ percent: 99 }, { items: products(1), quantity: 2 })),
      cartOf([B(1)], { goods: inStock(9) }),
      [],
      0,
    ],
    [
      'adds none of several products',
      rule(free({ items: products(1, 3) })),
      cartOf([B(1)], { goods: inStock(9) }),
      [],
      0,
    ],
    [
      'adds none without add_free_item',
      rule(free({ add_free_item: false })),
      cartOf([B(1)], { goods: inStock(9) }),
      [],
      0,
    ],
    [
      'adds none beyond the maximum',
      rule(free({ maximum_allowed_discount_amount: '15' })),
      cartOf([B(1)], { goods: inStock(9) }),
      [[1, 10]],
      0,
    ],
    ['adds a gift', rule(gift(2)), cartOf([B(1)], { goods: inStock(2) }), [[2, 10]], 0],
    ['adds no gift that is not in stock', rule(gift(2)), cartOf([B(1)], { goods: inStock(1) }), [], 0],
    [
      'adds gifts while they are in stock',
      rule(gift(2), { ...repeated, condition: least(1, products(2)) }),
      cartOf([B(5)], { goods: inStock(5) }),
      [[4, 10]],
      0,
    ],
  ])('%s', (_, made, cart, ...[gifts, items]) => {
    const found = amountsOf(run(one(made), cart))
    expect([found.gifts, found.items.reduce((sum, amount) => sum + amount, 0)]).toEqual([gifts, items])
  })

  test('offers free shipping in its zones', () => {
    const shipping = (zone_ids: '*' | number[]): PromotionAction => ({ shipping: { free_shipping: true, zone_ids } })
    const promotions = [
      promotion(1, [rule(shipping('*'))]),
      promotion(2, [rule(shipping([1, 2]), { ...repeated, condition: from(1) })]),
    ]
    const { freeShipping, uses } = run(promotions, cartOf([A(9)]))
    expect(freeShipping.map(({ promotion_id, zones }) => [promotion_id, zones])).toEqual([
      [1, '*'],
      [2, [1, 2]],
    ])
    expect(uses.promotions).toEqual([1, 2])
  })
})

describe('promotions', () => {
  const only = { can_be_used_with_other_promotions: false }
  const reasons = (promotions: readonly Promotion[], cart: EvaluatedCart) =>
    run(promotions, cart).promotions.map(({ reason }) => reason)
  const minus = (id: number, more: Partial<Promotion> = {}) => promotion(id, [rule(two)], more)
  const coupon = (id: number, more: Partial<Promotion> = {}) => couponPromotion(id, [rule(two)], more)
  const codes = (...ids: number[]) => cartOf([A(1)], { codes: ids.map(codeOf) })
  test.each<[string, Promotion[], EvaluatedCart, unknown[]]>([
    [
      'run by priority, then id',
      [minus(2, { priority: 1 }), minus(1, { priority: 1, stop: true }), minus(3, { priority: 0 })],
      codes(),
      [undefined, undefined, 'stopped'],
    ],
    ['are skipped if they can only run alone', [minus(1), minus(2, only)], codes(), [undefined, 'exclusive']],
    [
      'end with one that runs alone',
      [minus(1, only), minus(2), coupon(3)],
      codes(3),
      [undefined, 'afterExclusive', 'afterExclusive'],
    ],
    [
      'go on after one that would run alone but did nothing',
      [promotion(1, [rule(two, { condition: from(99) })], only), minus(2)],
      codes(),
      ['spend', undefined],
    ],
    [
      'end with one that stops',
      [minus(1, { stop: true }), minus(2), coupon(3)],
      codes(3),
      [undefined, 'stopped', undefined],
    ],
    [
      'go on after one that stops but did nothing',
      [promotion(1, [rule(two, { condition: from(99) })], { stop: true }), minus(2)],
      codes(),
      ['spend', undefined],
    ],
    ['of coupons end with one that stops', [coupon(1), coupon(2, { stop: true })], codes(2, 1), ['stopped', undefined]],
    ['of coupons run for their codes only', [coupon(1), coupon(2)], codes(2), ['noCode', undefined]],
    [
      'are replaced by a coupon that overrides them',
      [minus(1), coupon(2), coupon(3, { ...only, coupon_overrides_other_promotions: true })],
      codes(2, 3),
      ['replaced', 'replaced', undefined],
    ],
    [
      'are not replaced by a coupon that does nothing',
      [
        minus(1),
        couponPromotion(2, [rule(two, { condition: from(99) })], { ...only, coupon_overrides_other_promotions: true }),
      ],
      codes(2),
      [undefined, 'spend'],
    ],
    [
      'of coupons are not replaced for a greater discount',
      [
        coupon(1),
        couponPromotion(2, [rule(half)], { ...only, coupon_overrides_automatic_when_offering_higher_discounts: true }),
      ],
      codes(1, 2),
      [undefined, 'exclusive'],
    ],
    [
      'are not replaced for an equal discount',
      [minus(1), coupon(2, { ...only, coupon_overrides_automatic_when_offering_higher_discounts: true })],
      codes(2),
      [undefined, 'lesser'],
    ],
    [
      'do nothing without items',
      [promotion(1, [rule(offItems({ fixed: 2 }, { items: products(9) }))])],
      codes(),
      ['noItems'],
    ],
    [
      'do nothing if nothing is left',
      [promotion(1, [rule(offItems({ percent: 100 }))]), minus(2), promotion(3, [rule(offOrder({ fixed: 1 }))])],
      codes(),
      [undefined, 'nothingLeft', 'nothingLeft'],
    ],
    [
      'do nothing on an order whose items are free later',
      [promotion(1, [rule(offOrder({ fixed: 1 }))]), promotion(2, [rule(offItems({ percent: 100 }))])],
      codes(),
      ['nothingLeft', undefined],
    ],
    [
      'do nothing without enough units',
      [promotion(1, [rule(two, { condition: least(2, products(1)) })])],
      codes(),
      ['quantity'],
    ],
    ['do nothing without stock', [promotion(1, [rule(gift())])], codes(), ['noStock']],
    ['stop after a rule that stops', [promotion(1, [rule(two, { stop: true }), rule(two)])], codes(), [undefined]],
  ])('%s', (_, promotions, cart, expected) => {
    expect(reasons(promotions, cart)).toEqual(expected)
  })

  const to = (...countries: string[]) => ({ countries: countries.map((iso2_country_code) => ({ iso2_country_code })) })
  const customer = (more: Partial<Promotion['customer']>) => ({
    customer: { group_ids: [], excluded_group_ids: [], minimum_order_count: 0, ...more },
  })
  const at = (more: Partial<EvaluatedCart['shopper']>): EvaluatedCart => {
    const cart = cartOf([A(1)])
    return { ...cart, shopper: { ...cart.shopper, ...more } }
  }
  const now = Date.parse('2026-03-04T12:00:00Z')
  const segments = (matcher: Promotion['customer']['segments']) => customer({ segments: matcher ?? null })
  test.each<[string, Partial<Promotion>, EvaluatedCart, unknown]>([
    ['that are disabled', { status: 'DISABLED' }, at({}), 'disabled'],
    ['that are invalid', { status: 'INVALID' }, at({}), 'invalid'],
    ['before their start', { starts_at: now + 1 }, at({}), 'notStarted'],
    ['at their start', { starts_at: now }, at({}), undefined],
    ['at their end', { ends_at: now }, at({}), undefined],
    ['after their end', { ends_at: now - 1 }, at({}), 'ended'],
    ['with all uses used up', { max_uses: 3, current_uses: 3 }, at({}), 'usedUp'],
    ['with a use left', { max_uses: 3, current_uses: 2 }, at({}), undefined],
    ['with a maximum of 0', { max_uses: 0, current_uses: 2 }, at({}), undefined],
    ['whose last uses are under way', {}, { ...at({}), usedUp: new Set([1]) }, 'usedUp'],
    ['in another channel', { channels: [2] }, at({}), 'channel'],
    ['in the channel', { channels: [2, 1] }, at({}), undefined],
    ['in another currency', { currency_code: 'EUR' }, at({}), 'currency'],
    ['in all currencies', { currency_code: '*' }, at({ currency: { code: 'EUR', decimals: 2 } }), undefined],
    ['of a group', customer({ group_ids: [4] }), at({ group_id: 4 }), undefined],
    ['of a group, for guests', customer({ group_ids: [4] }), at({}), 'group'],
    ['without a group', customer({ group_ids: [0] }), at({}), undefined],
    ['of all but a group', customer({ excluded_group_ids: [4] }), at({ group_id: 4 }), 'group'],
    ['of all but guests', customer({ excluded_group_ids: [0] }), at({}), 'group'],
    ['from a number of orders', customer({ minimum_order_count: 3 }), at({ orders: 3 }), undefined],
    ['below a number of orders', customer({ minimum_order_count: 3 }), at({ orders: 2 }), 'orders'],
    ['of a segment', segments({ id: ['a', 'b'] }), at({ segments: ['b'] }), undefined],
    ['of a segment, for guests', segments({ id: ['a'] }), at({}), 'segment'],
    ['of two segments', segments({ and: [{ id: ['a'] }, { id: ['b'] }] }), at({ segments: ['a'] }), 'segment'],
    ['of one of two segments', segments({ or: [{ id: ['a'] }, { id: ['b'] }] }), at({ segments: ['b'] }), undefined],
    ['outside a segment', segments({ not: { id: ['a'] } }), at({ segments: ['a'] }), 'segment'],
    ['to countries', { shipping_address: to('US', 'CA') }, at({ countries: ['ca', 'US'] }), undefined],
    [
      'to countries, for one address elsewhere',
      { shipping_address: to('US') },
      at({ countries: ['US', 'FR'] }),
      'address',
    ],
    ['to countries, without an address', { shipping_address: to('US') }, at({}), 'noAddress'],
    ['to other countries', { shipping_address: { not: to('US') } }, at({ countries: ['US'] }), 'address'],
  ])('%s', (_, more, cart, expected) => {
    expect(reasons([minus(1, more)], cart)).toEqual([expected])
  })

  test('show banners', () => {
    const notifications = (['PROMOTION', 'UPSELL', 'ELIGIBLE', 'APPLIED'] as const).map(
      (type): PromotionNotification => ({ type, content: type, locations: ['CART_PAGE'] }),
    )
    const shown = (made: PromotionRule, more: Partial<Promotion> = {}) =>
      run([promotion(1, [made], { notifications, ...more })], cartOf([A(1)])).banners.map(({ type }) => type)
    expect(shown(rule(two))).toEqual(['PROMOTION', 'APPLIED'])
    expect(shown(rule(two, { condition: least(2, products(1)) }))).toEqual(['PROMOTION', 'UPSELL'])
    expect(shown(rule(two, { condition: from(11) }))).toEqual(['PROMOTION', 'UPSELL'])
    expect(shown(rule(two, { condition: least(2, products(9)) }))).toEqual(['PROMOTION'])
    expect(shown(rule(gift()))).toEqual(['PROMOTION', 'ELIGIBLE'])
    expect(shown(rule(two), { redemption_type: 'COUPON' })).toEqual(['PROMOTION'])
    expect(shown(rule(two), { status: 'DISABLED' })).toEqual([])
  })

  test('C-134: of the worst cart are ended by the budget', () => {
    const lines = Array.from({ length: 500 }, (_, i) => line(i + 1, 1_000_000, 10 + i))
    const made = rule(offItems({ percent: 1 }, { quantity: 1 }), {
      ...repeated,
      condition: from(1, { not: products(9) }),
    })
    const promotions = Array.from({ length: 200 }, (_, i) =>
      promotion(
        i + 1,
        Array.from({ length: 50 }, () => made),
      ),
    )
    const { isCutShort, promotions: outcomes } = run(promotions, cartOf(lines))
    expect(isCutShort).toBe(true)
    expect(outcomes[0]?.reason).toBeUndefined()
    expect(outcomes.at(-1)?.reason).toBe('budget')
    expect(run(promotions.slice(0, 1), cartOf([A(1)])).isCutShort).toBe(false)
  })
})

describe('a code', () => {
  const cartWith = (of: EvaluatedCart['codes'][number]['of'], more: Partial<EvaluatedCart> = {}, isUsedUp = false) =>
    cartOf([A(2), B(1)], { codes: [{ code: 'X', of, isUsedUp }], ...more })
  const v2 = (more: Partial<ReturnType<typeof couponV2>>) => couponV2('per_item_discount', 3, more)
  const shopper = { ...cartOf([]).shopper }
  const paying = (code: string) => ({ shopper: { ...shopper, currency: { code, decimals: 2 } } })
  const sentTo = (...countries: string[]) => ({ shopper: { ...shopper, countries } })
  const address = { shipping_address: { countries: [{ iso2_country_code: 'US' }] } }
  test.each<[string, Partial<Promotion>, EvaluatedCart, unknown[]]>([
    ['of a promotion is applied', {}, cartWith(1), [6, undefined]],
    ['that was deleted', {}, cartWith(undefined), [0, 'COUPON_INVALID']],
    ['of a promotion that is not among those in force', {}, cartWith(9), [0, 'COUPON_EXPIRED']],
    ['that is used up', {}, cartWith(1, {}, true), [0, 'COUPON_EXPIRED']],
    ['of a disabled promotion', { status: 'DISABLED' }, cartWith(1), [0, 'COUPON_EXPIRED']],
    ['of another channel', { channels: [9] }, cartWith(1), [0, 'COUPON_INELIGIBLE']],
    ['without an address', address, cartWith(1), [0, undefined]],
    ['outside the address', address, cartWith(1, sentTo('FR')), [0, 'COUPON_INVALID_LOCATION']],
    ['below the spend', { rules: [rule(two, { condition: from(99) })] }, cartWith(1), [0, 'COUPON_MIN_PURCHASE']],
    [
      'below the quantity',
      { rules: [rule(two, { condition: least(9, products(1)) })] },
      cartWith(1),
      [0, 'COUPON_INELIGIBLE'],
    ],
    [
      'without items',
      { rules: [rule(offItems({ fixed: 1 }, { items: products(9) }))] },
      cartWith(1),
      [0, 'COUPON_NOT_APPLICABLE'],
    ],
    ['of a v2 coupon is applied', {}, cartWith(v2({})), [9, undefined]],
    ['of a v2 coupon for products', {}, cartWith(v2({ applies_to: { entity: 'products', ids: [2] } })), [3, undefined]],
    [
      'of a v2 coupon for other categories',
      {},
      cartWith(v2({ applies_to: { entity: 'categories', ids: [5] } })),
      [0, 'COUPON_NOT_APPLICABLE'],
    ],
    ['of a v2 coupon for nothing', {}, cartWith(v2({ applies_to: null })), [0, 'COUPON_NOT_APPLICABLE']],
    ['of a disabled v2 coupon', {}, cartWith(v2({ enabled: false })), [0, 'COUPON_EXPIRED']],
    ['of an expired v2 coupon', {}, cartWith(v2({ expires_at: 0 })), [0, 'COUPON_EXPIRED']],
    ['of a v2 coupon in another currency', {}, cartWith(v2({}), paying('EUR')), [0, 'COUPON_INELIGIBLE']],
    ['of a v2 coupon without an address', {}, cartWith(v2({ countries: ['US'] })), [0, undefined]],
    [
      'of a v2 coupon outside the address',
      {},
      cartWith(v2({ countries: ['US'] }), sentTo('FR')),
      [0, 'COUPON_INVALID_LOCATION'],
    ],
    [
      'of a v2 coupon below its minimum',
      {},
      cartWith(v2({ min_purchase: unitsOf(40.01) })),
      [0, 'COUPON_MIN_PURCHASE'],
    ],
    ['of a v2 coupon at its minimum', {}, cartWith(v2({ min_purchase: unitsOf(40) })), [9, undefined]],
  ])('%s', (_, more, cart, expected) => {
    const found = run([couponPromotion(1, [rule(two)], more)], cart)
    expect(found.codes.map(({ amount, refusal }) => [amountOf(amount), refusal])).toEqual([expected])
  })

  test('is the only one of its promotion', () => {
    const codes = ['A', 'B'].map((code) => ({ code, of: 1, isUsedUp: false }))
    const found = run([couponPromotion(1, [rule(two)])], cartOf([A(1)], { codes }))
    expect(found.codes.map(({ reason }) => reason)).toEqual([undefined, 'repeatedCode'])
    expect(found.uses).toEqual({ promotions: [1], codes: ['A'] })
  })

  test('of a v2 coupon makes the chosen shipping methods free, and takes shipping costs in turn', () => {
    const consignments = [12, 8].map((cost, i) => ({ id: `c${i}`, cost: unitsOf(cost), method_id: i + 1 }))
    const shippingOff = (coupon: ReturnType<typeof couponV2>) =>
      run([], cartWith(coupon, { consignments })).shipping.map(({ consignment_id, amount }) => [
        consignment_id,
        amountOf(amount),
      ])
    expect(shippingOff(couponV2('free_shipping', 0, { shipping_methods: [2] }))).toEqual([['c1', 8]])
    expect(shippingOff(couponV2('free_shipping', 0))).toEqual([
      ['c0', 12],
      ['c1', 8],
    ])
    expect(shippingOff(couponV2('shipping_discount', 15))).toEqual([
      ['c0', 12],
      ['c1', 3],
    ])
  })
})
