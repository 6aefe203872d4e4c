import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/product-parts.md section 7. The rules of all sub-resources are in sub-resources.test.ts.

const text = (length: number) => 'a'.repeat(length)

const PRODUCT = '/catalog/products/1'
const RULES = `${PRODUCT}/complex-rules`
const TAKEN = 'This product already has a complex rule with these conditions.'
const taken = { status: 409, body: problem(409, TAKEN, { conditions: TAKEN }) }
const ONE_THING = 'A condition names a modifier_id and one of its modifier_value_id, or a variant_id.'

/** A mug in three sizes (variants 1 to 3), with a modifier of three values. */
async function openProduct(): Promise<Shop> {
  const shop = await openShop()
  const size = (label: string) => ({ sku: `MUG-${label}`, option_values: [{ option_display_name: 'Size', label }] })
  const product = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5, variants: ['S', 'M', 'L'].map(size) }
  expect((await shop.call('POST', '/catalog/products', product)).status).toBe(200)
  const option_values = ['None', 'Gold', 'Silver'].map((label, sort_order) => ({ label, sort_order }))
  const modifier = { display_name: 'Engraving', type: 'dropdown', required: false, option_values }
  expect((await shop.call('POST', `${PRODUCT}/modifiers`, modifier)).status).toBe(200)
  expect((await shop.call('POST', `${PRODUCT}/modifiers`, { ...modifier, display_name: 'Rim' })).status).toBe(200)
  return shop
}

const answered = async ({ call }: Shop, method: string, path: string, body?: unknown) => {
  const { status, body: found } = await call(method, path, body)
  return { status, body: found }
}
const value = (modifier_id: number, modifier_value_id: number) => ({ modifier_id, modifier_value_id })
const variant = (variant_id: number) => ({ variant_id })
const stored = (id: number, rule_id: number, named: object) => ({
  id,
  rule_id,
  modifier_id: null,
  modifier_value_id: null,
  variant_id: null,
  ...named,
})

const none = { adjuster: null, adjuster_value: 0 }
const blank = {
  id: 1,
  product_id: 1,
  sort_order: 0,
  enabled: true,
  stop: false,
  purchasing_disabled: false,
  purchasing_disabled_message: '',
  purchasing_hidden: false,
  image_url: '',
  price_adjuster: none,
  weight_adjuster: none,
  conditions: [],
}

describe('a complex rule', () => {
  test('has no effect and no conditions by default', async () => {
    const shop = await openProduct()
    const whole = { status: 200, body: { data: blank, meta: {} } }
    expect(await answered(shop, 'POST', RULES, { id: 8, product_id: 9, unknown: true })).toEqual(whole)
    expect(await answered(shop, 'GET', `${RULES}/1`)).toEqual(whole)
  })

  test('keeps every field as it was sent, in every answer', async () => {
    const shop = await openProduct()
    const rule = {
      sort_order: -4,
      enabled: false,
      stop: true,
      purchasing_disabled: true,
      purchasing_disabled_message: 'Not in gold.',
      purchasing_hidden: true,
      image_url: 'https://cdn.example.com/gold.png',
      price_adjuster: { adjuster: 'relative', adjuster_value: -1.5 },
      weight_adjuster: { adjuster: 'percentage', adjuster_value: 10 },
    }
    const conditions = [value(1, 2), variant(3), value(2, 6)]
    const data = {
      ...blank,
      ...rule,
      conditions: [stored(1, 1, value(1, 2)), stored(2, 1, variant(3)), stored(3, 1, value(2, 6))],
    }
    const whole = { status: 200, body: { data, meta: {} } }
    expect(await answered(shop, 'POST', RULES, { ...rule, conditions })).toEqual(whole)
    expect(await answered(shop, 'GET', `${RULES}/1`)).toEqual(whole)
    expect((await shop.call('GET', RULES)).body.data).toEqual([data])
    expect((await shop.call('GET', `${RULES}?include_fields=stop`)).body.data).toEqual([{ id: 1, stop: true }])
    expect((await shop.call('GET', `${RULES}/1?include_fields=conditions`)).body.data).toEqual({
      id: 1,
      conditions: data.conditions,
    })
    expect((await shop.call('GET', `${RULES}?exclude_fields=conditions`)).body.data[0]).not.toHaveProperty('conditions')
  })

  test('changes field by field, and an adjuster by halves', async () => {
    const shop = await openProduct()
    await shop.call('POST', RULES, {
      price_adjuster: { adjuster: 'relative', adjuster_value: 5 },
      conditions: [variant(1)],
    })
    const put = async (body: object) => (await shop.call('PUT', `${RULES}/1`, body)).body.data
    const rule = { ...blank, conditions: [stored(1, 1, variant(1))] }
    expect(await put({ price_adjuster: { adjuster_value: '7.00005' }, sort_order: 2 })).toEqual({
      ...rule,
      sort_order: 2,
      price_adjuster: { adjuster: 'relative', adjuster_value: 7.0001 },
    })
    expect(await put({ price_adjuster: { adjuster: null } })).toMatchObject({
      price_adjuster: { adjuster: null, adjuster_value: 7.0001 },
      conditions: rule.conditions,
    })
  })

  test('has new conditions after a change with others, and the same ones after a change with equal ones', async () => {
    const shop = await openProduct()
    await shop.call('POST', RULES, { conditions: [value(1, 1), variant(1)] })
    const put = async (conditions: object[]) =>
      (await shop.call('PUT', `${RULES}/1`, { conditions })).body.data.conditions
    const same = [stored(1, 1, value(1, 1)), stored(2, 1, variant(1))]
    expect(await put([{ ...variant(1), modifier_id: null, modifier_value_id: null }, value(1, 1)])).toEqual(same)
    expect(await put([variant(1), variant(2)])).toEqual([stored(3, 1, variant(1)), stored(4, 1, variant(2))])
    expect((await shop.call('GET', `${RULES}/1`)).body.data.conditions).toHaveLength(2)
    expect(await put([])).toEqual([])
    expect(await rowsOf(shop, 'complex_rule_conditions')).toEqual([])
  })

  test('goes with its conditions', async () => {
    const shop = await openProduct()
    await shop.call('POST', RULES, { conditions: [variant(1), variant(2)] })
    await shop.call('POST', RULES, { conditions: [variant(3)] })
    expect((await shop.call('DELETE', `${RULES}/1`)).status).toBe(204)
    expect(await rowsOf(shop, 'complex_rule_conditions')).toMatchObject([{ rule_id: 2, variant_id: 3 }])
  })
})

test('rules are listed by sort_order, then by id', async () => {
  const shop = await openProduct()
  for (const [i, sort_order] of [5, -1, 5].entries()) {
    await shop.call('POST', RULES, { sort_order, conditions: [variant(i + 1)] })
  }
  expect((await shop.call('GET', RULES)).body.data.map(({ id }: { id: number }) => id)).toEqual([2, 1, 3])
})

describe('the bounds of a rule', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openProduct()
    await shop.call('POST', RULES, { conditions: [variant(1)] })
  })

  test.each([
    ['sort_order', -2_147_483_648],
    ['sort_order', 2_147_483_647],
    ['purchasing_disabled_message', text(255)],
    ['image_url', ''],
    ['price_adjuster', { adjuster: 'relative', adjuster_value: -99_999_999_999 }],
    ['weight_adjuster', { adjuster: 'percentage', adjuster_value: 99_999_999_999 }],
  ])('allow %s at its bound', async (field, value) => {
    const { status, body } = await shop.call('PUT', `${RULES}/1`, { [field]: value })
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { [field]: value } })
  })

  test.each([
    ['sort_order', 2_147_483_648, 'sort_order'],
    ['sort_order', '1', 'sort_order'],
    ['enabled', 1, 'enabled'],
    ['stop', null, 'stop'],
    ['purchasing_disabled_message', text(256), 'purchasing_disabled_message'],
    ['image_url', 'gold.png', 'image_url'],
    ['price_adjuster', 'relative', 'price_adjuster'],
    ['price_adjuster', { adjuster: 'absolute' }, 'price_adjuster.adjuster'],
    ['price_adjuster', { adjuster_value: 'much' }, 'price_adjuster.adjuster_value'],
    ['weight_adjuster', { adjuster_value: 100_000_000_000 }, 'weight_adjuster.adjuster_value'],
    ['weight_adjuster', { adjuster_value: -100_000_000_000 }, 'weight_adjuster.adjuster_value'],
    ['weight_adjuster', { adjuster_value: null }, 'weight_adjuster.adjuster_value'],
    ['conditions', {}, 'conditions'],
    ['conditions', [1], 'conditions.0'],
    ['conditions', [{ variant_id: '1' }], 'conditions.0.variant_id'],
    ['conditions', [{ variant_id: 0 }], 'conditions.0.variant_id'],
    ['conditions', Array.from({ length: 51 }, (_, i) => ({ variant_id: i + 1 })), 'conditions'],
  ])('refuse %s past its bound in both writes: %j', async (field, value, path) => {
    for (const [method, place] of [
      ['POST', RULES],
      ['PUT', `${RULES}/1`],
    ] as const) {
      const { status, body } = await shop.call(method, place, { [field]: value })
      expect({ status, fields: Object.keys(body.errors) }, method).toEqual({ status: 422, fields: [path] })
    }
    expect((await shop.call('GET', RULES)).body.meta.pagination.total).toBe(1)
  })
})

describe('a condition', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openProduct()
    await shop.call('POST', '/catalog/products', { name: 'Bowl', type: 'physical', weight: 1, price: 2 })
    await shop.call('POST', RULES, { conditions: [variant(1)] })
  })

  test.each([
    ['nothing', [{}], { 'conditions.0': ONE_THING }],
    ['half of a value', [variant(2), { modifier_id: 1 }], { 'conditions.1': ONE_THING }],
    ['the other half', [{ modifier_value_id: 1 }], { 'conditions.0': ONE_THING }],
    ['two things', [{ ...value(1, 1), ...variant(1) }], { 'conditions.0': ONE_THING }],
    ['the same twice', [variant(2), value(1, 1), variant(2)], { 'conditions.2': 'This condition is repeated.' }],
    ['an unknown variant', [variant(9)], { 'conditions.0': 'This product has no variant 9.' }],
    ['the variant of another product', [variant(4)], { 'conditions.0': 'This product has no variant 4.' }],
    ['an unknown value', [value(1, 9)], { 'conditions.0': 'This product has no modifier 1 with a value 9.' }],
    [
      'the value of another modifier',
      [value(1, 4)],
      { 'conditions.0': 'This product has no modifier 1 with a value 4.' },
    ],
    ['an unknown modifier', [value(9, 1)], { 'conditions.0': 'This product has no modifier 9 with a value 1.' }],
    [
      'several strangers',
      [variant(1), variant(9), value(9, 9)],
      {
        'conditions.1': 'This product has no variant 9.',
        'conditions.2': 'This product has no modifier 9 with a value 9.',
      },
    ],
  ])('with %s is refused in both writes', async (_, conditions, errors) => {
    for (const [method, path] of [
      ['POST', RULES],
      ['PUT', `${RULES}/1`],
    ] as const) {
      const expected = { status: 422, body: invalid(errors) }
      expect(await answered(shop, method, path, { conditions }), method).toEqual(expected)
    }
    expect((await shop.call('GET', RULES)).body.data).toMatchObject([{ conditions: [{ id: 1, variant_id: 1 }] }])
  })

  test('on the variant of another product is accepted for that product', async () => {
    expect((await shop.call('POST', '/catalog/products/2/complex-rules', { conditions: [variant(4)] })).status).toBe(
      200,
    )
  })
})

describe('the conditions of a rule, as a set,', () => {
  test('belong to one rule of a product only', async () => {
    const shop = await openProduct()
    await shop.call('POST', RULES, { conditions: [value(1, 1), variant(2)] })
    expect(await answered(shop, 'POST', RULES, { conditions: [variant(2), value(1, 1)] })).toEqual(taken)
    expect((await shop.call('POST', RULES, { conditions: [variant(2)] })).status).toBe(200)
    expect(await answered(shop, 'PUT', `${RULES}/2`, { conditions: [variant(2), value(1, 1)] })).toEqual(taken)
    expect((await shop.call('POST', RULES, {})).status).toBe(200)
    expect(await answered(shop, 'POST', RULES, { conditions: [] })).toEqual(taken)
    expect((await shop.call('GET', RULES)).body.meta.pagination.total).toBe(3)
    expect(await rowsOf(shop, 'complex_rule_conditions')).toHaveLength(3)
  })

  test('go to one of several concurrent requests', async () => {
    const shop = await openProduct()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => shop.call('POST', RULES, { conditions: [variant(1), value(1, 2)] })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await rowsOf(shop, 'complex_rule_conditions')).toHaveLength(2)
  })

  test('are deleted with the rule when a row that they name is deleted', async () => {
    const shop = await openProduct()
    for (const conditions of [[variant(1)], [variant(2), value(1, 1)], [value(2, 5)], [value(1, 3)], []]) {
      expect((await shop.call('POST', RULES, { conditions })).status).toBe(200)
    }
    const left = async () => (await shop.call('GET', RULES)).body.data.map(({ id }: { id: number }) => id)
    expect((await shop.call('DELETE', `${PRODUCT}/variants/1`)).status).toBe(204)
    expect(await left()).toEqual([2, 3, 4, 5])
    expect((await shop.call('DELETE', `${PRODUCT}/modifiers/1/values/1`)).status).toBe(204)
    expect(await left()).toEqual([3, 4, 5])
    expect((await shop.call('DELETE', `${PRODUCT}/modifiers/2`)).status).toBe(204)
    expect(await left()).toEqual([4, 5])
    expect(await rowsOf(shop, 'complex_rule_conditions')).toMatchObject([{ rule_id: 4 }])
  })
})

test('a product has at most 1,000 rules (403)', async () => {
  const shop = await openProduct()
  const option_values = Array.from({ length: 250 }, (_, i) => ({ label: `Value ${i}`, sort_order: i }))
  const modifier = { type: 'dropdown', required: false, option_values }
  await shop.call('POST', `${PRODUCT}/modifiers`, { ...modifier, display_name: 'Many' })
  const first = 7
  const conditions = (n: number) => [value(3, first + (n % 250)), ...(n < 250 ? [] : [variant(Math.floor(n / 250))])]
  for (let n = 0; n < 998; n += 10) {
    const some = Array.from({ length: Math.min(10, 998 - n) }, (_, i) => n + i)
    const answers = await Promise.all(some.map((i) => shop.call('POST', RULES, { conditions: conditions(i) })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  const answers = await Promise.all(
    [998, 999, 0, 1].map((n) => shop.call('POST', RULES, { conditions: n < 2 ? [variant(n + 1)] : conditions(n) })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403])
  const [refused] = answers.filter(({ status }) => status === 403)
  expect(refused?.body).toEqual(problem(403, 'A product can have at most 1000 complex rules.'))
  expect(await answered(shop, 'POST', RULES, { conditions: conditions(0) })).toEqual(taken)
})

test('a plan may allow fewer rules in the store (507), and a refusal leaves none', async () => {
  const shop = await openShop({ limits: { complex_rules: 1, complex_rule_conditions: 2 } })
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 })
  expect((await shop.call('POST', RULES, { conditions: [variant(1)] })).status).toBe(200)
  expect(await answered(shop, 'POST', RULES, {})).toEqual({
    status: 507,
    body: problem(507, 'The plan of this store allows 1 complex rules.'),
  })
  expect((await shop.call('GET', RULES)).body.meta.pagination.total).toBe(1)
})
