import { describe, expect, test } from 'vitest'
import type { CartCondition, ItemMatcher, PromotionAction, PromotionCustomer, PromotionRule } from './promotion.ts'
import { promotionMistakes } from './refusals.ts'
import { repeatsWithoutEnd } from './repetition.ts'

const customer: PromotionCustomer = { group_ids: [], excluded_group_ids: [], minimum_order_count: 0 }
const selection = {
  strategy: 'LEAST_EXPENSIVE',
  exclude_items_on_sale: false,
  include_items_considered_by_condition: false,
} as const
const itemsAction = (more: Partial<NonNullable<PromotionAction['cart_items']>>): PromotionAction => ({
  cart_items: { ...selection, as_total: false, add_free_item: true, discount: { fixed_amount: '5' }, ...more },
})
const tenOff: PromotionAction = { cart_value: { discount: { fixed_amount: '10' } } }
const rule = (more: Partial<PromotionRule>): PromotionRule => ({
  action: tenOff,
  apply_once: true,
  stop: false,
  ...more,
})
const mistakesOf = (more: Partial<PromotionRule>, currency_code = 'USD') =>
  promotionMistakes({ currency_code, customer, rules: [rule(more)] })

const nested = (levels: number): ItemMatcher => (levels === 0 ? { products: [1] } : { not: nested(levels - 1) })
const nestedCondition = (levels: number): CartCondition =>
  levels === 0 ? { cart: { minimum_spend: '5' } } : { and: [nestedCondition(levels - 1)] }
const ids = (length: number) => Array.from({ length }, (_, i) => i + 1)
const setFor = (fixed_price: string): PromotionAction => ({
  fixed_price_set: { ...selection, quantity: 3, fixed_price },
})

describe('a promotion is refused', () => {
  const action = 'rules.0.action'
  test.each<[string, Partial<PromotionRule>, string, string]>([
    [
      'without an action',
      { action: {} },
      action,
      'Exactly one action is required: cart_items, cart_value, gift_item, fixed_price_set, shipping.',
    ],
    [
      'with two actions',
      { action: { ...tenOff, gift_item: { quantity: 1, product_id: 1 } } },
      action,
      'Exactly one action is required: cart_items, cart_value, gift_item, fixed_price_set, shipping.',
    ],
    [
      'with both amounts',
      { action: itemsAction({ discount: { fixed_amount: '1', percentage_amount: '1' } }) },
      `${action}.cart_items.discount`,
      'Exactly one of fixed_amount and percentage_amount is required.',
    ],
    [
      'without an amount',
      { action: { cart_value: { discount: {} } } },
      `${action}.cart_value.discount`,
      'Exactly one of fixed_amount and percentage_amount is required.',
    ],
    [
      'with an amount of 0',
      { action: itemsAction({ discount: { fixed_amount: '0.00001' } }) },
      `${action}.cart_items.discount.fixed_amount`,
      'This must be an amount above 0.',
    ],
    [
      'with more than 100 %',
      { action: itemsAction({ discount: { percentage_amount: '100.0001' } }) },
      `${action}.cart_items.discount.percentage_amount`,
      'This must be above 0 and at most 100.',
    ],
    [
      'with 0 %',
      { action: itemsAction({ discount: { percentage_amount: '0' } }) },
      `${action}.cart_items.discount.percentage_amount`,
      'This must be above 0 and at most 100.',
    ],
    [
      'with a maximum below 1',
      { action: itemsAction({ maximum_allowed_discount_amount: '0.99' }) },
      `${action}.cart_items.maximum_allowed_discount_amount`,
      'This must be 1 to 10000000.',
    ],
    [
      'with a maximum above 10000000',
      { action: { cart_value: { discount: { fixed_amount: '1' }, maximum_allowed_discount_amount: '10000000.01' } } },
      `${action}.cart_value.maximum_allowed_discount_amount`,
      'This must be 1 to 10000000.',
    ],
    [
      'with a price that is none',
      { action: setFor('x') },
      `${action}.fixed_price_set.fixed_price`,
      'This must be an amount.',
    ],
    [
      'with a gift of nothing',
      { action: { gift_item: { quantity: 1 } } },
      `${action}.gift_item`,
      'Exactly one of product_id and variant_id is required.',
    ],
    [
      'with a gift of both',
      { action: { gift_item: { quantity: 1, product_id: 1, variant_id: 1 } } },
      `${action}.gift_item`,
      'Exactly one of product_id and variant_id is required.',
    ],
    [
      'with shipping that is not free',
      { action: { shipping: { free_shipping: false, zone_ids: '*' } } },
      `${action}.shipping.free_shipping`,
      'This must be true.',
    ],
    [
      'with a matcher of two keys',
      { action: itemsAction({ items: { products: [1], brands: [1] } }) },
      `${action}.cart_items.items`,
      'Exactly one key is required: brands, categories, products, variants, product_option, product_custom_field, and, or, not.',
    ],
    [
      'with a matcher without a key',
      { action: itemsAction({ items: { and: [{}] } }) },
      `${action}.cart_items.items.and.0`,
      'Exactly one key is required: brands, categories, products, variants, product_option, product_custom_field, and, or, not.',
    ],
    [
      'with an operator without entries',
      { action: itemsAction({ items: { or: [] } }) },
      `${action}.cart_items.items.or`,
      'At least one entry is required.',
    ],
    [
      'with matchers four levels deep',
      { action: itemsAction({ items: nested(4) }) },
      `${action}.cart_items.items.not.not.not`,
      'At most 3 levels of and, or and not are allowed.',
    ],
    [
      'with conditions four levels deep',
      { condition: nestedCondition(4) },
      'rules.0.condition.and.0.and.0.and.0',
      'At most 3 levels of and, or and not are allowed.',
    ],
    [
      'with a condition of two keys',
      { condition: { cart: {}, not: { cart: {} } } },
      'rules.0.condition',
      'Exactly one key is required: cart, and, or, not.',
    ],
    [
      'with items without a minimum',
      { condition: { cart: { items: { products: [1] } } } },
      'rules.0.condition.cart',
      'Items require minimum_quantity or minimum_spend.',
    ],
    [
      'with a spend that is no amount',
      { condition: { cart: { minimum_spend: '1e400' } } },
      'rules.0.condition.cart.minimum_spend',
      'This must be an amount.',
    ],
    [
      'with 10,001 ids',
      {
        action: itemsAction({ items: { products: ids(5_000) } }),
        condition: { cart: { items: { brands: ids(5_001) }, minimum_quantity: 1 } },
      },
      'rules',
      'The matchers of a promotion name at most 10,000 ids and texts.',
    ],
  ])('%s', (_, more, path, sentence) => {
    expect(mistakesOf(more)).toEqual({ [path]: sentence })
  })

  // M21.
  test.each<[string, PromotionAction, string]>([
    ['amount off items', itemsAction({}), 'cart_items.discount.fixed_amount'],
    ['amount off the order', tenOff, 'cart_value.discount.fixed_amount'],
    ['price of a set', setFor('50'), 'fixed_price_set.fixed_price'],
  ])('for all currencies with a fixed %s', (_, one, path) => {
    const sentence = 'A promotion for all currencies can only have percentages.'
    expect(mistakesOf({ action: one }, '*')).toEqual({ [`${action}.${path}`]: sentence })
  })

  test('with segments of two keys', () => {
    const both: PromotionCustomer = { ...customer, segments: { id: ['a'], not: { id: ['b'] } } }
    expect(promotionMistakes({ currency_code: 'USD', customer: both, rules: [rule({})] })).toEqual({
      'customer.segments': 'Exactly one key is required: id, and, or, not.',
    })
  })
})

test('promotions at the bounds are accepted', () => {
  const percent = { percentage_amount: '100' }
  expect(mistakesOf({ action: itemsAction({ discount: percent, items: nested(3) }) }, '*')).toEqual({})
  expect(mistakesOf({ action: itemsAction({ maximum_allowed_discount_amount: '10000000' }) })).toEqual({})
  expect(mistakesOf({ condition: nestedCondition(3) })).toEqual({})
  expect(mistakesOf({ action: itemsAction({ items: { products: ids(10_000) } }) })).toEqual({})
  // A quantity without items has no effect, and is accepted.
  expect(mistakesOf({ condition: { cart: { minimum_quantity: 2 } } })).toEqual({})
})

describe('a repeated rule', () => {
  const quantity: CartCondition = { cart: { items: { products: [1] }, minimum_quantity: 1 } }
  const spend: CartCondition = { cart: { minimum_spend: '100' } }
  const gift: PromotionAction = { gift_item: { quantity: 1, product_id: 1 } }
  const shipping: PromotionAction = { shipping: { free_shipping: true, zone_ids: '*' } }
  test.each<[string, PromotionAction, CartCondition | null, boolean]>([
    ['without a condition, on the order', tenOff, null, true],
    ['without a condition, with a gift', gift, null, true],
    ['without a condition, with shipping', shipping, null, true],
    ['without a condition, on items', itemsAction({}), null, false],
    ['without a condition, on a set', setFor('5'), null, false],
    ['with a quantity without items', tenOff, { cart: { minimum_quantity: 2 } }, true],
    ['with a spend of 0', tenOff, { cart: { minimum_spend: '0.0' } }, true],
    ['with a quantity', tenOff, quantity, false],
    ['with a spend', gift, spend, false],
    ['with a negated quantity', gift, { not: quantity }, true],
    ['with a spend and a negation', gift, { and: [spend, { not: quantity }] }, false],
    ['with a spend or a negation', gift, { or: [spend, { not: quantity }] }, true],
    ['with a spend or a quantity', gift, { or: [spend, quantity] }, false],
  ])('%s repeats without end: %4$s', (_, action, condition, expected) => {
    expect(repeatsWithoutEnd(rule({ action, condition, apply_once: false }))).toBe(expected)
    expect(repeatsWithoutEnd(rule({ action, condition }))).toBe(false)
  })
})
