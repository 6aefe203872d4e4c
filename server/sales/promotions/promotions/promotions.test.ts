import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'

let shop: Shop
let call: Shop['call']
beforeEach(async () => {
  shop = await openShop()
  call = shop.call
})

const tenOff = { action: { cart_value: { discount: { fixed_amount: 10 } } } }
const promotion = { redemption_type: 'AUTOMATIC', name: 'Ten off', rules: [tenOff] }
const create = (fields: object = {}) => call('POST', '/promotions', { ...promotion, ...fields })
const coupon = (fields: object = {}) => create({ redemption_type: 'COUPON', ...fields })
const errorsOf = async (answer: Promise<{ status: number; body: { errors: object } }>) => {
  const { status, body } = await answer
  return [status, body.errors]
}

describe('an automatic promotion', () => {
  test('is answered whole with its defaults', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: 1,
        redemption_type: 'AUTOMATIC',
        name: 'Ten off',
        display_name: '',
        channels: [],
        customer: { group_ids: [], minimum_order_count: 0, excluded_group_ids: [], segments: null },
        rules: [{ action: { cart_value: { discount: { fixed_amount: '10' } } }, apply_once: true, stop: false }],
        current_uses: 0,
        max_uses: null,
        status: 'ENABLED',
        start_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        end_date: null,
        stop: false,
        can_be_used_with_other_promotions: true,
        currency_code: 'USD',
        notifications: [],
        shipping_address: null,
        schedule: null,
        created_from: 'api',
      },
      meta: {},
    })
    expect((await call('GET', '/promotions/1')).body).toEqual(body)
    expect((await call('GET', '/promotions')).body.data).toEqual([body.data])
  })
})

describe('a coupon promotion', () => {
  test('has the fields of coupons too, and says whether it has several codes', async () => {
    const { body } = await coupon({ can_be_used_with_other_promotions: false, coupon_overrides_other_promotions: true })
    expect(body.data).toMatchObject({
      redemption_type: 'COUPON',
      coupon_overrides_other_promotions: true,
      coupon_overrides_automatic_when_offering_higher_discounts: false,
      multiple_codes: { has_multiple_codes: false },
      coupon_type: 'SINGLE',
    })
    expect(Object.keys(body.data)).not.toContain('codes')
    for (const code of ['A', 'B']) await call('POST', '/promotions/1/codes', { code })
    expect((await call('GET', '/promotions/1')).body.data.multiple_codes).toEqual({ has_multiple_codes: true })
    expect((await coupon({ coupon_type: 'BULK' })).body.data.multiple_codes).toEqual({ has_multiple_codes: true })
  })

  test('ignores an override that is false', async () => {
    expect((await coupon({ coupon_overrides_other_promotions: false })).status).toBe(201)
  })
})

describe('rules', () => {
  test('return the defaults that the body left out, and amounts as text', async () => {
    const action = { cart_items: { discount: { percentage_amount: 20 }, items: { categories: [5] }, quantity: 1 } }
    const set = { fixed_price_set: { quantity: 3, fixed_price: 50 } }
    const condition = { cart: { items: { not: { or: [{ products: [1] }, { brands: [2] }] } }, minimum_spend: 30 } }
    const { body } = await create({
      rules: [
        { action, condition },
        { action: set, apply_once: false, currency_code: 'USD' },
      ],
    })
    expect(body.data.rules).toEqual([
      {
        action: {
          cart_items: {
            discount: { percentage_amount: '20' },
            items: { categories: [5] },
            quantity: 1,
            strategy: 'LEAST_EXPENSIVE',
            add_free_item: true,
            as_total: false,
            include_items_considered_by_condition: false,
            exclude_items_on_sale: false,
          },
        },
        apply_once: true,
        stop: false,
        condition: { cart: { items: { not: { or: [{ products: [1] }, { brands: [2] }] } }, minimum_spend: '30' } },
      },
      {
        action: {
          fixed_price_set: {
            quantity: 3,
            fixed_price: '50',
            strategy: 'LEAST_EXPENSIVE',
            include_items_considered_by_condition: true,
            exclude_items_on_sale: false,
          },
        },
        apply_once: false,
        stop: false,
      },
    ])
  })

  test('that would repeat without end make the promotion INVALID, until they are replaced', async () => {
    expect((await create({ rules: [{ ...tenOff, apply_once: false }] })).body.data.status).toBe('INVALID')
    expect((await call('PUT', '/promotions/1', { status: 'ENABLED' })).body.data.status).toBe('INVALID')
    expect((await call('PUT', '/promotions/1', { rules: [tenOff] })).body.data.status).toBe('ENABLED')
  })

  test('that give away deleted goods make the promotion INVALID, and other promotions stay', async () => {
    const product = async (name: string) => {
      const variants = [{ sku: `${name}-S`, option_values: [{ option_display_name: 'Size', label: 'S' }] }]
      const { body } = await call('POST', '/catalog/products', {
        name,
        type: 'physical',
        weight: 1,
        price: 5,
        variants,
      })
      return { id: body.data.id, variant: body.data.variants[0].id }
    }
    const [shirt, scarf] = [await product('Shirt'), await product('Scarf')]
    const mug = (await call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 5 })).body
      .data
    const gift = (fields: object) => create({ rules: [{ action: { gift_item: { quantity: 1, ...fields } } }] })
    await gift({ product_id: mug.id })
    await gift({ variant_id: shirt.variant })
    await gift({ variant_id: scarf.variant })
    const statuses = async () =>
      (await call('GET', '/promotions')).body.data.map(({ status }: { status: string }) => status)
    await call('DELETE', `/catalog/products/${mug.id}`)
    expect(await statuses()).toEqual(['INVALID', 'ENABLED', 'ENABLED'])
    await call('DELETE', `/catalog/products/${shirt.id}/variants/${shirt.variant}`)
    expect(await statuses()).toEqual(['INVALID', 'INVALID', 'ENABLED'])
    await call('DELETE', `/catalog/products?id:in=${scarf.id}`)
    expect(await statuses()).toEqual(['INVALID', 'INVALID', 'INVALID'])
  })

  test('may give away a variant of a product with options, but not the product (U7)', async () => {
    const variants = [{ sku: 'S', option_values: [{ option_display_name: 'Size', label: 'S' }] }]
    const product = { name: 'Shirt', type: 'physical', weight: 1, price: 5, variants }
    const { data } = (await call('POST', '/catalog/products', product)).body
    const gift = (fields: object) => create({ rules: [{ action: { gift_item: { quantity: 1, ...fields } } }] })
    const at = 'rules.0.action.gift_item'
    expect(await errorsOf(gift({ product_id: data.id }))).toEqual([
      422,
      { [`${at}.product_id`]: 'The product has options or required modifiers: use variant_id.' },
    ])
    expect((await gift({ variant_id: data.variants[0].id })).status).toBe(201)
    expect(await errorsOf(gift({ product_id: 999 }))).toEqual([
      422,
      { [`${at}.product_id`]: 'The product 999 does not exist.' },
    ])
    expect(await errorsOf(gift({ variant_id: 999 }))).toEqual([
      422,
      { [`${at}.variant_id`]: 'The variant 999 does not exist.' },
    ])
  })

  const nested = (levels: number): object => (levels === 0 ? { products: [1] } : { not: nested(levels - 1) })
  const items = (matcher: object) => [{ ...tenOff, condition: { cart: { items: matcher, minimum_quantity: 1 } } }]
  test.each<[string, object, string]>([
    [
      'both amounts',
      { rules: [{ action: { cart_value: { discount: { fixed_amount: '1', percentage_amount: '1' } } } }] },
      'rules.0.action.cart_value.discount',
    ],
    [
      'conditions of four levels',
      { rules: [{ ...tenOff, condition: { not: { not: { not: { not: { cart: {} } } } } } }] },
      'rules.0.condition.not.not.not',
    ],
    ['matchers of four levels', { rules: items(nested(4)) }, 'rules.0.condition.cart.items.not.not.not'],
    ['10,001 ids', { rules: items({ products: Array.from({ length: 10_001 }, (_, i) => i + 1) }) }, 'rules'],
    ['a matcher without a key', { rules: items({}) }, 'rules.0.condition.cart.items'],
    ['a matcher with two keys', { rules: items({ products: [1], brands: [1] }) }, 'rules.0.condition.cart.items'],
    [
      'a malformed matcher below another',
      { rules: items({ not: { products: ['x'] } }) },
      'rules.0.condition.cart.items.not.products.0',
    ],
    [
      'a spend of 1e400',
      { rules: [{ ...tenOff, condition: { cart: { minimum_spend: '1e400' } } }] },
      'rules.0.condition.cart.minimum_spend',
    ],
    [
      'items without a quantity or spend',
      { rules: [{ ...tenOff, condition: { cart: { items: { products: [1] } } } }] },
      'rules.0.condition.cart',
    ],
    [
      'a fixed amount for all currencies (M21)',
      { currency_code: '*' },
      'rules.0.action.cart_value.discount.fixed_amount',
    ],
    ['no action', { rules: [{ action: {} }] }, 'rules.0.action'],
    [
      'a malformed list of zones',
      { rules: [{ action: { shipping: { free_shipping: true, zone_ids: 'all' } } }] },
      'rules.0.action.shipping.zone_ids',
    ],
    ['no rules', { rules: [] }, 'rules'],
    ['51 rules', { rules: Array.from({ length: 51 }, () => tenOff) }, 'rules'],
    ['a bare number for a channel', { channels: [1] }, 'channels.0'],
    ['an unknown channel', { channels: [{ id: 77 }] }, 'channels.0.id'],
    [
      'groups and excluded groups',
      { customer: { group_ids: [1], excluded_group_ids: [2] } },
      'customer.excluded_group_ids',
    ],
    ['segments with two keys', { customer: { segments: { id: ['a'], not: { id: ['b'] } } } }, 'customer.segments'],
    ['an end before its start', { start_date: '2030-01-02T00:00:00Z', end_date: '2030-01-01T00:00:00Z' }, 'end_date'],
    ['an unknown currency', { currency_code: 'XTS' }, 'currency_code'],
    ['the status INVALID', { status: 'INVALID' }, 'status'],
    [
      'an unknown country',
      { shipping_address: { countries: [{ iso2_country_code: 'QQ' }] } },
      'shipping_address.countries.0.iso2_country_code',
    ],
    [
      'countries and others',
      {
        shipping_address: {
          countries: [{ iso2_country_code: 'US' }],
          not: { countries: [{ iso2_country_code: 'DE' }] },
        },
      },
      'shipping_address',
    ],
    [
      'an unknown type of banner',
      { notifications: [{ content: 'x', type: 'LOUD', locations: ['CART_PAGE'] }] },
      'notifications.0.type',
    ],
    [
      'an unknown place of a banner',
      { notifications: [{ content: 'x', type: 'APPLIED', locations: ['ATTIC'] }] },
      'notifications.0.locations.0',
    ],
    [
      'an override of automatic promotions',
      { coupon_overrides_automatic_when_offering_higher_discounts: true },
      'coupon_overrides_automatic_when_offering_higher_discounts',
    ],
    ['an unknown redemption', { redemption_type: 'MAGIC' }, 'redemption_type'],
  ])('are refused with %s', async (_, fields, field) => {
    const { status, body } = await create(fields)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    expect((await call('GET', '/promotions')).body.data).toEqual([])
  })

  test('are refused with a time of 24:00, and may end on the next day', async () => {
    const schedule = {
      week_frequency: 1,
      week_days: ['Monday'],
      daily_start_time: '22:00:00',
      daily_end_time: '04:00:00',
    }
    expect((await create({ schedule })).body.data.schedule).toEqual(schedule)
    const { status, body } = await create({ schedule: { ...schedule, daily_end_time: '24:00:00' } })
    expect(status).toBe(422)
    expect(body.errors).toHaveProperty(['schedule.daily_end_time'])
  })

  test('without their list are refused (U1)', async () => {
    const { status, body } = await create({ rules: undefined })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['rules']])
  })
})

describe('a change', () => {
  const banner = { content: 'Sale', type: 'applied', locations: ['cart_page'] }

  test('replaces lists as a whole and leaves other fields (U3)', async () => {
    const { data } = (await create({ notifications: [banner, banner, banner], display_name: 'Sale' })).body
    const { status, body } = await call('PUT', '/promotions/1', { notifications: [banner] })
    const stored = { content: 'Sale', type: 'APPLIED', locations: ['CART_PAGE'] }
    expect([status, body.data]).toEqual([200, { ...data, notifications: [stored] }])
  })

  test('of the redemption or of the kind of codes is refused (U2)', async () => {
    await create()
    await coupon()
    expect((await call('PUT', '/promotions/1', { redemption_type: 'COUPON' })).status).toBe(422)
    expect((await call('PUT', '/promotions/2', { coupon_type: 'BULK' })).status).toBe(422)
    expect((await call('PUT', '/promotions/2', { coupon_type: 'SINGLE', redemption_type: 'COUPON' })).status).toBe(200)
  })

  test('of an unknown promotion is 404', async () => {
    expect((await call('PUT', '/promotions/7', { name: 'x' })).status).toBe(404)
  })
})

describe('the list', () => {
  beforeEach(async () => {
    await create({ name: 'Zebra sale', start_date: '2030-01-01T00:00:00Z', channels: [{ id: 1 }] })
    await coupon({ name: 'Apple', status: 'DISABLED', start_date: '2029-01-01T00:00:00Z' })
    await create({
      name: 'Mango',
      rules: [{ action: { cart_value: { discount: { percentage_amount: 1 } } } }],
      currency_code: '*',
    })
    await call('POST', '/promotions/2/codes', { code: 'Summer-5' })
  })
  const ids = async (query: string) =>
    (await call('GET', `/promotions?${query}`)).body.data.map(({ id }: { id: number }) => id)

  test.each([
    ['id=2', [2]],
    ['name=apple', [2]],
    ['code=summer-5', [2]],
    ['code=summer', []],
    ['currency_code=usd', [1, 2]],
    ['redemption_type=automatic', [1, 3]],
    ['redemption_type=coupon', [2]],
    ['status=DISABLED', [2]],
    ['channels=1', [1, 2, 3]],
    ['channels=2', [2, 3]],
    ['query=mer', [2]],
    ['query=sale', [1]],
    ['sort=name', [2, 3, 1]],
    ['sort=start_date&direction=desc', [1, 2, 3]],
    ['sort=priority', [1, 3, 2]],
    ['sort=priority&direction=desc', [3, 1, 2]],
    ['sort=id&direction=desc', [3, 2, 1]],
    ['limit=1&page=2', [2]],
  ])('takes %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  test.each(['status=ACTIVE', 'sort=status', 'redemption_type=both', 'color=red', 'id=x'])(
    'refuses %s',
    async (query) => {
      expect((await call('GET', `/promotions?${query}`)).status).toBe(422)
    },
  )
})

describe('the bounds of a store', () => {
  /** Copies promotion 1, and counts the copies. */
  const copy = async (count: number) =>
    (await dbOf(shop)).transaction(async (tx) => {
      const here = sql`store_id = ${tx.store.id}`
      const columns = (
        await tx.rows<Record<string, unknown>>(sql`select * from promotions where ${here} limit 1`)
      ).flatMap((row) => Object.keys(row).filter((column) => column !== 'id'))
      const names = sql.join(columns.map((column) => sql.id(column)))
      await tx.rows(sql`
        insert into promotions (id, ${names})
        select nr, ${names} from promotions, generate_series(2, ${count + 1}::int) nr where ${here} and id = 1 returning id`)
      await tx.rows(sql`
        update counters set total = total + ${count}, last_id = last_id + ${count} where ${here} and resource = 'promotions' returning total`)
    })

  test('1,000 promotions may be enabled whose end is not past', async () => {
    await create()
    await copy(998)
    expect((await create()).status).toBe(201)
    expect((await create()).body.title).toBe('A store can have at most 1000 enabled promotions.')
    expect((await create({ start_date: '2020-01-01T00:00:00Z', end_date: '2020-01-02T00:00:00Z' })).status).toBe(201)
    expect((await create({ status: 'DISABLED' })).status).toBe(201)
    expect((await call('PUT', '/promotions/1002', { status: 'ENABLED' })).status).toBe(403)
    expect((await call('PUT', '/promotions/1', { status: 'DISABLED' })).status).toBe(200)
    expect((await call('PUT', '/promotions/1002', { status: 'ENABLED' })).status).toBe(200)
  })

  test('50,000 promotions may exist', async () => {
    const total = async (change: number) =>
      (await dbOf(shop)).transaction((tx) =>
        tx.rows(sql`
          update counters set total = total + ${change} where store_id = ${tx.store.id} and resource = 'promotions' returning total`),
      )
    await create({ status: 'DISABLED' })
    await total(49_998)
    expect((await create({ status: 'DISABLED' })).status).toBe(201)
    expect((await create({ status: 'DISABLED' })).status).toBe(403)
    await total(-49_998)
  })

  test('a page has at most 16 MiB of promotions', async () => {
    const notifications = Array.from({ length: 50 }, () => ({
      content: 'x'.repeat(65_535),
      type: 'PROMOTION',
      locations: ['CART_PAGE'],
    }))
    for (let i = 0; i < 6; i++) expect((await create({ notifications, status: 'DISABLED' })).status).toBe(201)
    expect((await call('GET', '/promotions?limit=5')).status).toBe(200)
    expect((await call('GET', '/promotions?limit=6')).status).toBe(413)
    expect((await call('GET', '/promotions?limit=5&page=2')).body.data).toHaveLength(1)
  })
})

describe('a deletion', () => {
  test('is 204 for unknown promotions too, and refused while there are codes', async () => {
    await coupon()
    await call('POST', '/promotions/1/codes', { code: 'A' })
    expect((await call('DELETE', '/promotions/1')).status).toBe(422)
    await call('DELETE', '/promotions/1/codes/1')
    expect((await call('DELETE', '/promotions/1')).status).toBe(204)
    expect((await call('DELETE', '/promotions/1')).status).toBe(204)
  })

  test('of several leaves those with codes and reports them (U4)', async () => {
    await create()
    await coupon()
    await call('POST', '/promotions/2/codes', { code: 'A' })
    const { status, body } = await call('DELETE', '/promotions?id:in=1,2')
    expect([status, body]).toEqual([
      422,
      {
        errors: [
          {
            status: 422,
            title: "The promotion 2 can't be deleted.",
            type: 'about:blank',
            errors: { '1.code': 'The promotion has coupon codes: delete them first.' },
          },
        ],
        meta: { total: 2, success: 1, failed: 1 },
      },
    ])
    expect((await call('GET', '/promotions/1')).status).toBe(404)
    expect((await call('GET', '/promotions/2')).status).toBe(200)
  })

  test.each([
    ['', 422],
    ['?id:in=', 422],
    ['?id:in=1,x', 422],
    [`?id:in=${Array.from({ length: 51 }, (_, i) => i + 1)}`, 413],
    ['?id:in=1,99', 204],
  ])('with the query "%s" is %i', async (query, status) => {
    await create()
    const answer = await call('DELETE', `/promotions${query}`)
    expect(answer.status).toBe(status)
    if (status === 422) expect(answer.body.title).toBe('Parameter id:in is required')
  })
})
