import { describe, expect, test } from 'vitest'
import { checkoutOf } from '../../../test/carts/checkouts.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// The worked examples M1 to M21 of docs/contract/promotions.md and of the coupons of docs/contract/marketing.md through the API: promotions, a cart
// and its codes are requests, and the checkout has the numbers.

/** A line of a cart: units of a product with a price, or of a custom item. */
interface ExampleLine {
  units: number
  price: number
  category?: number
  isCustom?: boolean
}
const line = (units: number, price: number, category?: number): ExampleLine => ({
  units,
  price,
  ...(category === undefined ? {} : { category }),
})

interface Example {
  promotions?: object[]
  /** The status of the code that the last promotion has, or the coupon, when it is applied. */
  code?: number
  coupon?: object
  lines: ExampleLine[]
  /** Whether percentages are of the rest that earlier promotions leave. */
  isOnRest?: boolean
  /** By line: discounts of items. Nothing is 0 everywhere. */
  items?: number[]
  coupons?: number[]
  order?: number
  subtotal: number
  grand: number
  gifts?: [units: number, price: number][]
}

const percent = (of: number) => ({ percentage_amount: String(of) })
const fixed = (of: number) => ({ fixed_amount: String(of) })
const offItems = (discount: object, more: object = {}) => ({ cart_items: { discount, ...more } })
const offOrder = (discount: object) => ({ cart_value: { discount } })
const automatic = (rules: object[], more: object = {}) => ({ redemption_type: 'AUTOMATIC', rules, ...more })
const byCode = (rules: object[], more: object = {}) => ({ redemption_type: 'COUPON', rules, ...more })
const one = (action: object, more: object = {}) => [automatic([{ action, ...more }])]
const from = (minimum_spend: number) => ({ cart: { minimum_spend: String(minimum_spend) } })
const least = (minimum_quantity: number, items: object) => ({ cart: { minimum_quantity, items } })
const X = 1

const tiers = (stop: boolean) => [
  automatic(
    [
      [45, 175],
      [30, 150],
      [15, 100],
    ].map(([off = 0, spend = 0]) => ({ action: offOrder(fixed(off)), stop, condition: from(spend) })),
  ),
]
const set = (strategy?: string) =>
  one({ fixed_price_set: { quantity: 3, fixed_price: '50', ...(strategy ? { strategy } : {}) } })
const threeOfFour = [line(2, 20), line(1, 18), line(1, 12)]
const tenTwice = [1, 2].map(() => automatic([{ action: offItems(percent(10)) }]))
const orderThenItem = [
  automatic([{ action: offOrder(percent(10)) }]),
  automatic([{ action: offItems(percent(20), { items: { products: [1] } }) }]),
]
const exclusive = (of: number, more: object) => [
  automatic([{ action: offOrder(fixed(5)) }]),
  byCode([{ action: offOrder(percent(of)) }], { can_be_used_with_other_promotions: false, ...more }),
]
const stopping = [
  automatic([{ action: offOrder(fixed(20)), condition: from(200) }], { stop: true }),
  automatic([{ action: offOrder(fixed(5)) }]),
  byCode([{ action: offOrder(fixed(3)) }]),
]
const perTotal = { type: 'per_total_discount', amount: '25', min_purchase: '50' }
const everything = { entity: 'categories', ids: [0] }

const EXAMPLES: Readonly<Record<string, Example>> = {
  'M1: a gift for each unit of a product': {
    promotions: one(
      { gift_item: { product_id: 1, quantity: 1 } },
      { apply_once: false, condition: least(1, { products: [1] }) },
    ),
    lines: [line(2, 20)],
    gifts: [[2, 20]],
    subtotal: 40,
    grand: 40,
  },
  'M2: one free unit for two of another product, as often as possible': {
    promotions: one(offItems(percent(100), { items: { products: [2] }, quantity: 1 }), {
      apply_once: false,
      condition: least(2, { products: [1] }),
    }),
    lines: [line(5, 15), line(3, 10)],
    items: [0, 20],
    subtotal: 85,
    grand: 85,
  },
  'M3: the unit that a condition counts is not discounted': {
    promotions: one(offItems(percent(20), { items: { categories: [X] }, quantity: 1 }), {
      condition: least(1, { categories: [X] }),
    }),
    lines: [line(1, 30, X)],
    subtotal: 30,
    grand: 30,
  },
  'M3: a second unit is': {
    promotions: one(offItems(percent(20), { items: { categories: [X] }, quantity: 1 }), {
      condition: least(1, { categories: [X] }),
    }),
    lines: [line(2, 30, X)],
    items: [6],
    subtotal: 54,
    grand: 54,
  },
  'M4: a fixed amount off each unit': {
    promotions: one(offItems(fixed(10), { quantity: 2, as_total: false })),
    lines: [line(2, 25)],
    items: [20],
    subtotal: 30,
    grand: 30,
  },
  'M4: a fixed amount off all units': {
    promotions: one(offItems(fixed(10), { quantity: 2, as_total: true })),
    lines: [line(1, 25), line(1, 25)],
    items: [5, 5],
    subtotal: 40,
    grand: 40,
  },
  'M5: a total is divided by value': {
    promotions: one(offItems(fixed(10), { as_total: true })),
    lines: [line(1, 30), line(1, 60)],
    items: [3.33, 6.67],
    subtotal: 80,
    grand: 80,
  },
  'M6: the most expensive unit': {
    promotions: one(offItems(percent(20), { strategy: 'MOST_EXPENSIVE', quantity: 1 })),
    lines: [line(1, 45), line(2, 30)],
    items: [9, 0],
    subtotal: 96,
    grand: 96,
  },
  'M7: the least expensive units': {
    promotions: one(offItems(percent(50), { strategy: 'LEAST_EXPENSIVE', quantity: 3 })),
    lines: [line(2, 10), line(1, 25)],
    items: [10, 12.5],
    subtotal: 22.5,
    grand: 22.5,
  },
  'M7: only units of the least price': {
    promotions: one(offItems(percent(50), { strategy: 'LEAST_EXPENSIVE_ONLY', quantity: 3 })),
    lines: [line(2, 10), line(1, 25)],
    items: [10, 0],
    subtotal: 35,
    grand: 35,
  },
  'M8: a set that costs as much as its least expensive units': {
    promotions: set(),
    lines: threeOfFour,
    subtotal: 70,
    grand: 70,
  },
  'M8: a set of the most expensive units': {
    promotions: set('MOST_EXPENSIVE'),
    lines: threeOfFour,
    items: [5.52, 2.48, 0],
    subtotal: 62,
    grand: 62,
  },
  'M9: the second tier of an order of 160': {
    promotions: tiers(true),
    lines: [line(1, 160)],
    order: 30,
    subtotal: 160,
    grand: 130,
  },
  'M9: the first tier of an order of 180': {
    promotions: tiers(true),
    lines: [line(1, 180)],
    order: 45,
    subtotal: 180,
    grand: 135,
  },
  'M9: all tiers without stop': {
    promotions: tiers(false),
    lines: [line(1, 180)],
    order: 90,
    subtotal: 180,
    grand: 90,
  },
  'M10: two promotions of the original price': {
    promotions: tenTwice,
    lines: [line(1, 100)],
    items: [20],
    subtotal: 80,
    grand: 80,
  },
  'M10: the second of the rest': {
    promotions: tenTwice,
    lines: [line(1, 100)],
    isOnRest: true,
    items: [19],
    subtotal: 81,
    grand: 81,
  },
  'M11: order and item, of the original price': {
    promotions: orderThenItem,
    lines: [line(1, 50), line(1, 50)],
    items: [10, 0],
    order: 10,
    subtotal: 90,
    grand: 80,
  },
  'M11: order and item, of the rest': {
    promotions: orderThenItem,
    lines: [line(1, 50), line(1, 50)],
    isOnRest: true,
    items: [10, 0],
    order: 9,
    subtotal: 90,
    grand: 81,
  },
  'M12: a maximum': {
    promotions: one(offItems(percent(50), { maximum_allowed_discount_amount: '30' })),
    lines: [line(2, 40)],
    items: [30],
    subtotal: 50,
    grand: 50,
  },
  'M13: an exclusive code beside an automatic promotion': {
    promotions: exclusive(8, {}),
    code: 422,
    lines: [line(1, 100)],
    order: 5,
    subtotal: 100,
    grand: 95,
  },
  'M13: an exclusive code that overrides others': {
    promotions: exclusive(8, { coupon_overrides_other_promotions: true }),
    code: 200,
    lines: [line(1, 100)],
    coupons: [8],
    subtotal: 100,
    grand: 92,
  },
  'M14: a code that would override only with a higher discount': {
    promotions: exclusive(4, { coupon_overrides_automatic_when_offering_higher_discounts: true }),
    code: 422,
    lines: [line(1, 100)],
    order: 5,
    subtotal: 100,
    grand: 95,
  },
  'M15: a promotion below its minimum stops nothing': {
    promotions: stopping,
    code: 200,
    lines: [line(1, 100)],
    order: 5,
    coupons: [3],
    subtotal: 100,
    grand: 92,
  },
  'M15: a promotion that stops later automatic ones, and no code': {
    promotions: stopping,
    code: 200,
    lines: [line(1, 250)],
    order: 20,
    coupons: [3],
    subtotal: 250,
    grand: 227,
  },
  'M16: all but a category, and no custom items': {
    promotions: one(offItems(percent(15), { items: { not: { categories: [X] } } })),
    lines: [line(1, 40, X), line(1, 60), { units: 1, price: 10, isCustom: true }],
    items: [0, 9, 0],
    subtotal: 101,
    grand: 101,
  },
  'M17: for each 100 that are spent': {
    promotions: one(offOrder(fixed(10)), { apply_once: false, condition: from(100) }),
    lines: [line(1, 250)],
    order: 20,
    subtotal: 250,
    grand: 230,
  },
  'M18: a coupon off each unit takes no more than its price': {
    coupon: { type: 'per_item_discount', amount: '5', applies_to: { entity: 'categories', ids: [X] } },
    code: 200,
    lines: [line(3, 4, X), line(2, 12, X)],
    coupons: [12, 10],
    subtotal: 36,
    grand: 14,
  },
  'M19: a coupon below its minimum': {
    coupon: { ...perTotal, applies_to: everything },
    code: 422,
    lines: [line(1, 48)],
    subtotal: 48,
    grand: 48,
  },
  'M19: a coupon off the total is divided by value': {
    coupon: { ...perTotal, applies_to: everything },
    code: 200,
    lines: [line(1, 40), line(1, 20)],
    coupons: [16.6667, 8.3333],
    subtotal: 60,
    grand: 35,
  },
}

/** Sends a request that must succeed. @param request method and path: `GET /promotions/settings` */
async function must(shop: Shop, request: string, body?: object, version: 'v2' | 'v3' = 'v3') {
  const [method = '', path = ''] = request.split(' ')
  const reply = await shop.call(method, path, body, { version })
  expect(reply.status, `${request} ${reply.text}`).toBeLessThan(300)
  return reply.body
}

/** Opens a store with a category, the products of an example, and its promotions. */
async function open({ lines, promotions = [], coupon, isOnRest = false }: Example) {
  const shop = await openShop()
  await must(shop, 'POST /catalog/categories', { name: 'X', parent_id: 0 })
  for (const [i, { price, category }] of lines.entries()) {
    const categories = category === undefined ? [] : [category]
    await must(shop, 'POST /catalog/products', { name: `P${i}`, type: 'physical', weight: 0, price, categories })
  }
  if (isOnRest) {
    const settings = await must(shop, 'GET /promotions/settings')
    const changed = { ...settings, promotions_applied_on_original_product_price: false }
    await must(shop, 'PUT /promotions/settings', changed)
  }
  for (const [i, promotion] of promotions.entries()) {
    const { data } = await must(shop, 'POST /promotions', { name: `Promotion ${i}`, ...promotion })
    if ('redemption_type' in promotion && promotion.redemption_type === 'COUPON')
      await must(shop, `POST /promotions/${data.id}/codes`, { code: 'CODE' })
  }
  if (coupon) await must(shop, 'POST /coupons', { name: 'C', code: 'CODE', ...coupon }, 'v2')
  return shop
}

interface Item {
  name: string
  quantity: number
  added_by_promotion?: boolean
  list_price: number
  extended_list_price: number
  /** Custom items have no discounts of items and no coupons of their own. */
  extended_sale_price?: number
  coupon_amount?: number
}

test.each(Object.entries(EXAMPLES))('%s', async (_, example) => {
  const shop = await open(example)
  const cart = await must(shop, 'POST /carts', {
    line_items: example.lines.flatMap(({ units, isCustom }, i) =>
      isCustom ? [] : [{ product_id: i + 1, quantity: units }],
    ),
    custom_items: example.lines.flatMap(({ units, price, isCustom }, i) =>
      isCustom ? [{ name: `P${i}`, quantity: units, list_price: price }] : [],
    ),
  })
  const checkout = checkoutOf(shop, cart.data.id)
  if (example.code !== undefined) {
    const { status, text } = await checkout.call('POST', '/coupons', { coupon_code: 'CODE' })
    expect(status, text).toBe(example.code)
  }
  const { cart: shown, subtotal_ex_tax, grand_total } = await checkout.get()
  const all: Item[] = [...shown.line_items.physical_items, ...shown.line_items.custom_items]
  const own = all
    .filter(({ added_by_promotion }) => !added_by_promotion)
    .toSorted((one, other) => one.name.localeCompare(other.name))
  const none = example.lines.map(() => 0)
  const cents = (amount: number) => Math.round(amount * 10_000) / 10_000
  expect({
    items: own.map((item) => cents(item.extended_list_price - (item.extended_sale_price ?? item.extended_list_price))),
    coupons: own.map(({ coupon_amount = 0 }) => coupon_amount),
    order: shown.discount_amount,
    gifts: all.filter((item) => item.added_by_promotion).map((item) => [item.quantity, item.list_price]),
    subtotal: subtotal_ex_tax,
    grand: grand_total,
  }).toEqual({
    items: example.items ?? none,
    coupons: example.coupons ?? none,
    order: example.order ?? 0,
    gifts: example.gifts ?? [],
    subtotal: example.subtotal,
    grand: example.grand,
  })
})

describe('bodies', () => {
  test('M20: generated codes have the form that the request names', async () => {
    const shop = await openShop()
    const rules = [{ action: offOrder(percent(10)) }]
    const bulk = { name: 'Bulk', redemption_type: 'COUPON', coupon_type: 'BULK', rules }
    const { data } = await must(shop, 'POST /promotions', bulk)
    await must(shop, `POST /promotions/${data.id}/codegen`, {
      batch_size: 5,
      prefix: 'VIP',
      delimiter: '-',
      code_length: 8,
      suffix: 'X',
    })
    const codes: { code: string }[] = (await must(shop, `GET /promotions/${data.id}/codes`)).data
    expect(codes).toHaveLength(5)
    for (const { code } of codes) {
      expect(code).toMatch(/^VIP-[A-Z0-9]{8}-X$/)
      expect(code).toHaveLength(14)
    }
  })

  test('M21: a fixed amount needs a currency', async () => {
    const shop = await openShop()
    const rules = [{ action: offOrder(fixed(10)) }]
    const { status } = await shop.call('POST', '/promotions', {
      name: 'All',
      redemption_type: 'AUTOMATIC',
      currency_code: '*',
      rules,
    })
    expect(status).toBe(422)
  })
})
