import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// docs/contract/product-parts.md section 4. The rules of all sub-resources are in sub-resources.test.ts.

const PRODUCT = '/catalog/products/1'
const RULES = `${PRODUCT}/bulk-pricing-rules`
const OVERLAP = 'The quantities overlap with those of another bulk pricing rule of this product.'
const overlapping = { status: 409, body: problem(409, OVERLAP, { quantity_min: OVERLAP }) }
const otherType = (type: string) => ({
  status: 422,
  body: invalid({ type: `All bulk pricing rules of a product have one type, which is ${type}.` }),
})

async function openProduct(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 })
  return shop
}

const answered = async ({ call }: Shop, method: string, path: string, body?: unknown) => {
  const { status, body: found } = await call(method, path, body)
  return { status, body: found }
}
const rule = (quantity_min: number, quantity_max: number, amount: unknown = 5, type = 'price') => ({
  quantity_min,
  quantity_max,
  type,
  amount,
})

test('a rule has its quantities, its type and its amount in every answer', async () => {
  const shop = await openProduct()
  const data = { id: 1, ...rule(10, 19, 12.5, 'percent') }
  const whole = { status: 200, body: { data, meta: {} } }
  expect(await answered(shop, 'POST', RULES, { ...rule(10, 19, 12.5, 'percent'), id: 9, product_id: 7 })).toEqual(whole)
  expect(await answered(shop, 'GET', `${RULES}/1`)).toEqual(whole)
  expect((await shop.call('GET', RULES)).body.data).toEqual([data])
  const changed = { status: 200, body: { data: { ...data, quantity_max: 0, amount: 20 }, meta: {} } }
  expect(await answered(shop, 'PUT', `${RULES}/1`, { quantity_max: 0, amount: '20' })).toEqual(changed)
  expect(await answered(shop, 'GET', `${RULES}/1`)).toEqual(changed)
})

test.each([
  [0, 0],
  ['0', 0],
  ['7.5', 7.5],
  [1.23456, 1.2346],
  ['0.00005', 0.0001],
  ['0.00004', 0],
  [99_999_999_999, 99_999_999_999],
])('an amount of %j is kept as %d', async (amount, kept) => {
  const shop = await openProduct()
  expect((await shop.call('POST', RULES, rule(2, 0, amount))).body.data.amount).toBe(kept)
  expect((await shop.call('GET', `${RULES}/1`)).body.data.amount).toBe(kept)
})

describe('the bounds of a rule', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openProduct()
    await shop.call('POST', RULES, rule(2, 3))
  })

  test.each([
    ['quantity_min', -1, 'quantity_min must be at least 0, not -1.'],
    ['quantity_min', 2_147_483_648, 'quantity_min must be at most 2147483647, not 2147483648.'],
    ['quantity_min', '10', 'error.expected.jsnumber'],
    ['quantity_min', 1.5, 'quantity_min must be a whole number, not 1.5.'],
    ['quantity_max', -1, 'quantity_max must be at least 0, not -1.'],
    ['quantity_max', null, 'error.expected.jsnumber'],
    ['type', 'free', 'type must be one of price, percent, fixed, not "free".'],
    ['amount', -0.01, 'amount must be at least 0, not -0.01.'],
    ['amount', '-5', 'amount must be at least 0, not -5.'],
    ['amount', 'five', 'error.expected.jsnumber'],
    ['amount', 100_000_000_000, 'amount must be at most 99999999999, not 100000000000.'],
    ['amount', null, 'error.expected.jsnumber'],
  ])('do not allow %s to be %j', async (field, value, sentence) => {
    for (const [method, path] of [
      ['POST', RULES],
      ['PUT', `${RULES}/1`],
    ] as const) {
      expect(await answered(shop, method, path, { ...rule(10, 20), [field]: value }), method).toEqual({
        status: 422,
        body: invalid({ [field]: sentence }),
      })
    }
    expect((await shop.call('GET', RULES)).body.data).toEqual([{ id: 1, ...rule(2, 3) }])
  })

  test('require all four fields of a new rule, and report all missing ones', async () => {
    const missing = 'error.path.missing'
    expect(await answered(shop, 'POST', RULES, {})).toEqual({
      status: 422,
      body: invalid({ quantity_min: missing, quantity_max: missing, type: missing, amount: missing }),
    })
  })
})

test('allow an upper bound of 0 or not below the lower one, and a percentage of at most 100', async () => {
  const shop = await openProduct()
  const wrong = {
    quantity_max: 'quantity_max must be 0, for no upper bound, or at least quantity_min, not 9.',
    amount: 'amount must be at most 100 percent, not 100.0001.',
  }
  expect(await answered(shop, 'POST', RULES, rule(10, 9, 100.0001, 'percent'))).toEqual({
    status: 422,
    body: invalid(wrong),
  })
  expect((await shop.call('POST', RULES, rule(10, 10, 100, 'percent'))).status).toBe(200)
  // A change of one half is checked with the other current half.
  expect(await answered(shop, 'PUT', `${RULES}/1`, { quantity_max: 9 })).toEqual({
    status: 422,
    body: invalid({ quantity_max: wrong.quantity_max }),
  })
  expect((await shop.call('PUT', `${RULES}/1`, { quantity_min: 11 })).status).toBe(422)
  expect((await shop.call('PUT', `${RULES}/1`, { amount: 101 })).status).toBe(422)
  expect((await shop.call('PUT', `${RULES}/1`, { amount: 101, type: 'price' })).status).toBe(200)
  expect((await shop.call('PUT', `${RULES}/1`, { type: 'percent' })).status).toBe(422)
})

describe('the quantities of two rules', () => {
  test.each([
    [rule(10, 19), rule(19, 30), 409],
    [rule(10, 19), rule(20, 30), 200],
    [rule(10, 19), rule(5, 10), 409],
    [rule(10, 19), rule(5, 9), 200],
    [rule(10, 19), rule(12, 13), 409],
    [rule(12, 13), rule(10, 19), 409],
    [rule(10, 19), rule(10, 19), 409],
    [rule(10, 0), rule(11, 12), 409],
    [rule(10, 0), rule(2, 9), 200],
    [rule(10, 0), rule(2, 0), 409],
    [rule(0, 0), rule(2_147_483_647, 2_147_483_647), 409],
    [rule(0, 0), rule(0, 0), 409],
  ])('%j and %j are answered %i', async (one, other, expected) => {
    const shop = await openProduct()
    await shop.call('POST', RULES, one)
    const second = await answered(shop, 'POST', RULES, other)
    if (expected === 409) expect(second).toEqual(overlapping)
    expect(second.status).toBe(expected)
    expect((await shop.call('GET', RULES)).body.meta.pagination.total).toBe(expected === 200 ? 2 : 1)
  })

  test('are compared with those of other rules in a change, not with their own', async () => {
    const shop = await openProduct()
    await shop.call('POST', RULES, rule(10, 19))
    await shop.call('POST', RULES, rule(20, 29))
    expect(await answered(shop, 'PUT', `${RULES}/1`, { quantity_max: 20 })).toEqual(overlapping)
    expect(await answered(shop, 'PUT', `${RULES}/1`, { quantity_max: 0 })).toEqual(overlapping)
    expect((await shop.call('PUT', `${RULES}/1`, { quantity_min: 12, quantity_max: 18 })).status).toBe(200)
    expect((await shop.call('PUT', `${RULES}/2`, { quantity_min: 19, quantity_max: 0 })).status).toBe(200)
  })

  test('never overlap after concurrent requests', async () => {
    const shop = await openProduct()
    const answers = await Promise.all([10, 12, 14, 16, 18].map((min) => shop.call('POST', RULES, rule(min, min + 5))))
    const stored = (await shop.call('GET', RULES)).body.data
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(stored.length)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    let end = 0
    for (const { quantity_min, quantity_max } of stored) {
      expect(quantity_min).toBeGreaterThan(end)
      end = quantity_max
    }
  })

  test('are free in another product', async () => {
    const shop = await openProduct()
    await shop.call('POST', '/catalog/products', { name: 'Bowl', type: 'physical', weight: 1, price: 2 })
    await shop.call('POST', RULES, rule(10, 19))
    const other = await shop.call('POST', '/catalog/products/2/bulk-pricing-rules', rule(10, 19, 5, 'percent'))
    expect(other.status).toBe(200)
  })
})

test('all rules of a product have one type, which only a single rule can change', async () => {
  const shop = await openProduct()
  await shop.call('POST', RULES, rule(10, 19))
  expect((await shop.call('PUT', `${RULES}/1`, { type: 'fixed' })).status).toBe(200)
  expect(await answered(shop, 'POST', RULES, rule(20, 0, 5, 'percent'))).toEqual(otherType('fixed'))
  expect((await shop.call('POST', RULES, rule(20, 0, 5, 'fixed'))).status).toBe(200)
  expect(await answered(shop, 'PUT', `${RULES}/1`, { type: 'price' })).toEqual(otherType('fixed'))
  await shop.call('DELETE', `${RULES}/2`)
  expect((await shop.call('PUT', `${RULES}/1`, { type: 'price' })).status).toBe(200)
})

test('rules are listed by their quantities', async () => {
  const shop = await openProduct()
  for (const min of [30, 10, 20]) await shop.call('POST', RULES, rule(min, min))
  const mins = (query: string) =>
    shop.call('GET', `${RULES}${query}`).then(({ body }) => body.data.map((row: { id: number }) => row.id))
  expect(await mins('')).toEqual([2, 3, 1])
  expect(await mins('?limit=1&page=3')).toEqual([1])
})

test('a product has at most 250 rules (403), also after concurrent requests', async () => {
  const shop = await openProduct()
  const list = (length: number) => Array.from({ length }, (_, i) => rule(i + 1, i + 1))
  expect(await answered(shop, 'PUT', PRODUCT, { bulk_pricing_rules: list(251) })).toEqual({
    status: 422,
    body: invalid({ bulk_pricing_rules: 'bulk_pricing_rules must hold at most 250.' }),
  })
  expect((await shop.call('PUT', PRODUCT, { bulk_pricing_rules: list(249) })).status).toBe(200)
  const answers = await Promise.all([501, 502, 503].map((n) => shop.call('POST', RULES, rule(n, n))))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  const [refused] = answers.filter(({ status }) => status === 403)
  expect(refused?.body).toEqual(problem(403, 'A product can have at most 250 bulk pricing rules.'))
  expect(await answered(shop, 'POST', RULES, rule(1, 1))).toEqual(overlapping)
})

test('a list in the body of a product replaces all rules, and is checked as a whole (422)', async () => {
  const shop = await openProduct()
  const put = (bulk_pricing_rules: unknown) => answered(shop, 'PUT', PRODUCT, { bulk_pricing_rules })
  expect((await put([rule(10, 19), rule(20, 29, '3.5')])).status).toBe(200)
  // Quantities and types of replaced rules are free.
  const moved = [
    { id: 1, ...rule(20, 29, 5, 'percent') },
    { id: 2, ...rule(10, 19, 6, 'percent') },
    rule(30, 0, 7, 'percent'),
  ]
  expect((await put(moved)).status).toBe(200)
  const rules = (await shop.call('GET', RULES)).body.data
  expect(rules).toEqual([
    { id: 2, ...rule(10, 19, 6, 'percent') },
    { id: 1, ...rule(20, 29, 5, 'percent') },
    { id: 3, ...rule(30, 0, 7, 'percent') },
  ])
  expect(await put([rule(4, 3), rule(5, 12, 1, 'fixed'), rule(12, 20, 101, 'percent'), rule(40, 0)])).toEqual({
    status: 422,
    body: invalid({
      'bulk_pricing_rules.0.quantity_max':
        'quantity_max must be 0, for no upper bound, or at least quantity_min, not 3.',
      'bulk_pricing_rules.1.type': 'All bulk pricing rules of a product have one type, which is price.',
      'bulk_pricing_rules.2.type': 'All bulk pricing rules of a product have one type, which is price.',
      'bulk_pricing_rules.2.amount': 'amount must be at most 100 percent, not 101.',
      'bulk_pricing_rules.2.quantity_min': OVERLAP,
    }),
  })
  expect((await shop.call('GET', RULES)).body.data).toEqual(rules)
})
