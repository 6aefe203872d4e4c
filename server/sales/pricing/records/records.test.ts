import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { invalid } from '../../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { deletionRunner } from './sets.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  // Product 1 is sold as variant 1; product 2 as variants 2 and 3.
  await shop.call('POST', '/catalog/products', [
    { name: 'Mug', type: 'physical', weight: 1, price: 18.5, sku: 'MUG' },
    {
      name: 'Shirt',
      type: 'physical',
      weight: 1,
      price: 25,
      sku: 'SHIRT',
      variants: ['S', 'M'].map((label) => ({
        sku: `SHIRT-${label}`,
        option_values: [{ option_display_name: 'Size', label }],
      })),
    },
  ])
  await shop.call(
    'POST',
    '/currencies',
    {
      currency_code: 'EUR',
      currency_exchange_rate: '0.9',
      name: 'Euro',
      token_location: 'left',
      token: '€',
      decimal_token: ',',
      thousands_token: '.',
      decimal_places: 2,
      is_transactional: true,
    },
    { version: 'v2' },
  )
  await call('POST', '', { name: 'Trade' })
  await call('POST', '', { name: 'Net' })
})

const call = (method: string, path: string, body?: unknown) => shop.call(method, `/pricelists${path}`, body)
const published = async () =>
  (await rowsOf(shop, 'events'))
    .sort((one, other) => Number(one.seq) - Number(other.seq))
    .filter(({ scope }) => String(scope).startsWith('store/priceList/record'))
    .map(({ scope, data }) => [String(scope).replace('store/priceList/', ''), JSON.parse(String(data))])
const keys = async (query: string) =>
  (await call('GET', query)).body.data.map(
    ({ variant_id, currency }: { variant_id: number; currency: string }) => `${variant_id} ${currency}`,
  )
const event = (variant_id: number, currency = 'USD', price_list_id = 1) => ({
  price_list_id,
  variant_id,
  currency,
  currency_code: currency,
})
const some = expect.any(String)

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const mug = {
  calculated_price: 60,
  date_created: TIME,
  date_modified: TIME,
  product_id: 1,
  price_list_id: 1,
  variant_id: 1,
  currency: 'usd',
  price: 60,
  sale_price: null,
  retail_price: null,
  map_price: null,
}
const tiers = [
  { quantity_min: 5, quantity_max: 9, type: 'percent', amount: 5 },
  { quantity_min: 10, quantity_max: null, type: 'fixed', amount: 40 },
]

describe('a record', () => {
  test('is created, read, changed in part and deleted, with its events', async () => {
    const made = await call('PUT', '/1/records/1/usd', { price: '60.00004' })
    expect(made).toMatchObject({ status: 200 })
    expect(made.body).toEqual({ data: { ...mug, bulk_pricing_tiers: [] }, meta: {} })
    const { clock } = await theHouse()
    clock.move(60_000)
    const changed = await call('PUT', '/1/records/1/USD', {
      sale_price: 0,
      retail_price: 80,
      bulk_pricing_tiers: [tiers[0], { ...tiers[1], quantity_max: 0 }],
    })
    const stored = { ...mug, sale_price: 0, calculated_price: 0, retail_price: 80 }
    expect(changed.body.data).toEqual({ ...stored, bulk_pricing_tiers: tiers })
    expect(changed.body.data.date_modified).not.toBe(changed.body.data.date_created)
    expect((await call('PUT', '/1/records/1/USD', { retail_price: 80 })).body).toEqual(changed.body)
    expect((await call('GET', '/1/records/1/uSd')).body.data).toEqual(stored)
    const whole = await call('GET', '/1/records/1/usd?include=sku,bulk_pricing_tiers,colour')
    expect(whole.body.data).toEqual({ ...stored, sku: 'MUG', bulk_pricing_tiers: tiers })
    const cleared = await call('PUT', '/1/records/1/USD', { sale_price: null, bulk_pricing_tiers: [] })
    expect(cleared.body.data).toEqual({ ...mug, retail_price: 80, bulk_pricing_tiers: [] })
    expect(await call('DELETE', '/1/records/1/usd')).toMatchObject({ status: 204, text: '' })
    for (const method of ['GET', 'DELETE']) expect((await call(method, '/1/records/1/usd')).status).toBe(404)
    expect((await call('GET', '/1/records/1')).body.data).toEqual([])
    const one = event(1)
    expect(await published()).toEqual([
      ['record/created', one],
      ['record/updated', one],
      ['record/updated', one],
      ['record/deleted', one],
    ])
  })

  test.each([
    ['/9/records/1/usd', { price: 1 }, 404],
    ['/1/records/9/usd', { price: 1 }, 404],
    ['/1/records/1/SEK', { price: 1 }, 422],
    ['/1/records/1/usd', {}, 422],
    ['/1/records/1/usd', { price: null }, 422],
    ['/1/records/1/usd', { price: -1 }, 422],
    ['/1/records/1/usd', { price: 'NaN' }, 422],
    ['/1/records/1/usd', { price: 100_000_000_000 }, 422],
    ['/1/records/1/usd', { price: 1, sale_price: '1.5e3' }, 422],
    ['/1/records/1/dollars', { price: 1 }, 404],
  ])('at %s with %j is refused with %i', async (path, body, status) => {
    expect((await call('PUT', path, body)).status).toBe(status)
  })

  test('with 20 decimals and the largest amount is kept to 4 decimals', async () => {
    const body = { price: 99_999_999_999, map_price: '0.00005000000000000001' }
    const { data } = (await call('PUT', '/1/records/1/usd', body)).body
    expect(data).toMatchObject({ price: 99_999_999_999, map_price: 0.0001 })
  })

  test.each([
    [[{ quantity_min: 0, type: 'fixed', amount: 1 }], { 'bulk_pricing_tiers.0.quantity_min': some }],
    [[{ quantity_min: 5, quantity_max: 4, type: 'fixed', amount: 1 }], { 'bulk_pricing_tiers.0.quantity_max': some }],
    [[{ quantity_min: 5, type: 'percent', amount: 100.0001 }], { 'bulk_pricing_tiers.0.amount': some }],
    [[{ quantity_min: 5, type: 'half', amount: 1 }], { 'bulk_pricing_tiers.0.type': some }],
    [[{ quantity_min: 5, type: 'fixed' }], { 'bulk_pricing_tiers.0.amount': 'error.path.missing' }],
    [[tiers[0], { quantity_min: 8, type: 'price', amount: 4 }], { 'bulk_pricing_tiers.1.quantity_min': some }],
    [
      Array.from({ length: 51 }, (_, i) => ({ quantity_min: i + 1, quantity_max: i + 1, type: 'price', amount: 1 })),
      { bulk_pricing_tiers: some },
    ],
  ])('with the tiers %j is refused', async (bulk_pricing_tiers, errors) => {
    const answer = await call('PUT', '/1/records/1/EUR', { price: 54, bulk_pricing_tiers })
    expect(answer).toMatchObject({ status: 422, body: invalid(errors) })
  })

  test('with 50 tiers is stored', async () => {
    const many = Array.from({ length: 50 }, (_, i) => ({ ...tiers[1], quantity_min: i + 1, quantity_max: i + 1 }))
    const { body } = await call('PUT', '/1/records/1/EUR', { price: 54, bulk_pricing_tiers: many })
    expect(body.data.bulk_pricing_tiers).toEqual(many)
  })
})

describe('a batch of records', () => {
  test('saves the valid ones and names the others, in the order of the body', async () => {
    const sent = [
      { variant_id: 1, currency: 'USD', price: 60 },
      { sku: 'NOPE', currency: 'USD', price: 1 },
      { sku: 'SHIRT', currency: 'USD', price: 1 },
      { sku: 'shirt-m', currency: 'EUR', price: 2 },
      { variant_id: 2, sku: 'SHIRT-M', currency: 'USD', price: 1 },
      { variant_id: 1, currency: 'usd', price: 1 },
      { variant_id: 2, currency: 'SEK', price: 1 },
      { variant_id: 2, currency: 'USD' },
      { currency: 'USD', price: 1 },
      { variant_id: 'x', currency: 'US', price: 'NaN' },
      'text',
    ]
    const answer = await call('PUT', '/1/records', sent)
    expect(answer.status).toBe(422)
    expect(answer.body).toEqual({
      batch_errors: [
        { data: { sku: 'NOPE', currency: 'USD' }, field_errors: { sku: some } },
        { data: { sku: 'SHIRT', currency: 'USD' }, field_errors: { sku: some } },
        { data: { variant_id: 2, sku: 'SHIRT-M', currency: 'USD' }, field_errors: { sku: some } },
        { data: { variant_id: 1, currency: 'usd' }, field_errors: { variant_id: some } },
        { data: { variant_id: 2, currency: 'SEK' }, field_errors: { currency: some } },
        { data: { variant_id: 2, currency: 'USD' }, field_errors: { price: 'error.path.missing' } },
        { data: { currency: 'USD' }, field_errors: { variant_id: 'error.path.missing' } },
        { data: { variant_id: 'x', currency: 'US' }, field_errors: { variant_id: some, currency: some, price: some } },
        { data: {}, field_errors: { '': some } },
      ],
    })
    expect(await keys('/1/records')).toEqual(['1 usd', '3 eur'])
    expect(await published()).toEqual([['records/created', [event(1), event(3, 'EUR')]]])
  })

  test('takes variants without a SKU, and an empty SKU for none', async () => {
    const [one, other] = [{ name: 'Cup' }, { name: 'Pot' }].map((more) => ({
      type: 'physical',
      weight: 1,
      price: 1,
      ...more,
    }))
    await shop.call('POST', '/catalog/products', [one, other])
    const sent = [4, 5].map((variant_id) => ({ variant_id, sku: '', currency: 'USD', price: 1 }))
    expect((await call('PUT', '/1/records', sent)).status).toBe(200)
    const [unnamed] = (await call('PUT', '/1/records', [{ sku: ' ', currency: 'USD', price: 1 }])).body.batch_errors
    expect(unnamed.field_errors).toEqual({ variant_id: 'error.path.missing' })
  })

  test('creates with POST only, and with PUT also changes', async () => {
    const record = { variant_id: 1, currency: 'USD', price: 60 }
    expect(await call('POST', '/1/records', [record])).toMatchObject({ status: 200, body: { data: {}, meta: {} } })
    const again = await call('POST', '/1/records', [{ ...record, price: 1 }])
    expect(again).toMatchObject({ status: 422, body: { batch_errors: [{ field_errors: { variant_id: some } }] } })
    const both = [
      { ...record, sale_price: 50, price: undefined },
      { ...record, variant_id: 2 },
    ]
    expect((await call('PUT', '/1/records', both)).status).toBe(200)
    expect((await call('PUT', '/1/records', both)).status).toBe(200)
    expect((await call('GET', '/1/records/1/usd')).body.data).toEqual({ ...mug, sale_price: 50, calculated_price: 50 })
    expect((await published()).map(([scope, data]) => [scope, data.length])).toEqual([
      ['records/created', 1],
      ['records/created', 1],
      ['records/updated', 1],
    ])
  })

  test('for several lists names the list, and the first failure beside all of them', async () => {
    const record = { variant_id: 1, currency: 'USD', price: 60 }
    const answer = await call('POST', '/records', [
      { price_list_id: 1, ...record },
      { price_list_id: 2, ...record },
      { price_list_id: 9, ...record },
      record,
    ])
    const first = {
      data: { price_list_id: 9, variant_id: 1, currency: 'USD' },
      field_errors: { price_list_id: 'The price list 9 does not exist.' },
    }
    const second = { data: { variant_id: 1, currency: 'USD' }, field_errors: { price_list_id: 'error.path.missing' } }
    expect(answer).toMatchObject({ status: 422, body: { ...first, batch_errors: [first, second] } })
    expect([await keys('/1/records'), await keys('/2/records')]).toEqual([['1 usd'], ['1 usd']])
    expect(await published()).toEqual([['records/created', [event(1), event(1, 'USD', 2)]]])
    expect((await call('PUT', '/records', [{ price_list_id: 2, ...record, price: 5 }])).status).toBe(200)
  })

  test.each([
    ['POST', '/1/records', 101, 413],
    ['POST', '/1/records', 100, 422],
    ['PUT', '/1/records', 1_001, 413],
    ['PUT', '/1/records', 1_000, 422],
    ['POST', '/records', 101, 413],
    ['PUT', '/records', 1_001, 413],
    ['PUT', '/1/records', 0, 422],
    ['PUT', '/9/records', 1, 404],
  ])('by %s %s of %i items answers %i', async (method, path, count, status) => {
    const items = Array.from({ length: count }, () => ({ variant_id: 99, currency: 'USD', price: 1 }))
    expect((await call(method, path, items)).status).toBe(status)
  })

  test('that is no list is refused', async () => {
    expect(await call('PUT', '/1/records', {})).toMatchObject({ status: 422, body: invalid({ '': some }) })
  })
})

describe('the records of a list', () => {
  beforeEach(async () => {
    await call('PUT', '/1/records', [
      { variant_id: 1, currency: 'USD', price: 10, sale_price: 8, retail_price: 20, map_price: 9 },
      { variant_id: 1, currency: 'EUR', price: 9 },
      { variant_id: 2, currency: 'USD', price: 30 },
      { variant_id: 3, currency: 'USD', price: 40 },
    ])
    await call('PUT', '/2/records', [{ variant_id: 1, currency: 'USD', price: 1 }])
  })

  const all = ['1 eur', '1 usd', '2 usd', '3 usd']
  test.each([
    ['', all],
    ['?variant_id:in=1,3', ['1 eur', '1 usd', '3 usd']],
    ['?product_id:in=2', ['2 usd', '3 usd']],
    ['?sku=mug', ['1 eur', '1 usd']],
    ['?sku:in=SHIRT-S,mug', ['1 eur', '1 usd', '2 usd']],
    ['?currency=EUR', ['1 eur']],
    ['?currency:in=eur,SEK', ['1 eur']],
    ['?price=30', ['2 usd']],
    ['?price:min=10&price:max=30', ['1 usd', '2 usd']],
    ['?sale_price=8', ['1 usd']],
    ['?sale_price:min=9', []],
    ['?sale_price:max=8', ['1 usd']],
    ['?retail_price=20', ['1 usd']],
    ['?retail_price:min=21', []],
    ['?retail_price:max=20', ['1 usd']],
    ['?map_price=9', ['1 usd']],
    ['?map_price:min=10', []],
    ['?map_price:max=9', ['1 usd']],
    ['?calculated_price=8', ['1 usd']],
    ['?calculated_price:max=9', ['1 eur', '1 usd']],
    ['?calculated_price:min=40', ['3 usd']],
    ['?date_created:min=2020-01-01', all],
    ['?date_created:max=2020-01-01', []],
    ['?date_modified:min=2020-01-01', all],
    ['?date_modified:max=2020-01-01', []],
    ['?date_created=2020-01-01', []],
    ['?date_modified=2020-01-01', []],
  ])('are filtered by %s', async (query, found) => {
    expect(await keys(`/1/records${query}`)).toEqual(found)
    const { meta } = (await call('GET', `/1/records${query}`)).body
    expect(meta.pagination.total).toBe(found.length)
  })

  test('are paged by pages or cursors', async () => {
    const first = await call('GET', '/1/records?limit=3')
    expect(Object.keys(first.body.meta)).toEqual(['pagination', 'cursor_pagination'])
    const { end_cursor } = first.body.meta.cursor_pagination
    const next = await call('GET', `/1/records?limit=3&after=${end_cursor}`)
    expect(next.body.data.map(({ variant_id }: { variant_id: number }) => variant_id)).toEqual([3])
    const { start_cursor } = next.body.meta.cursor_pagination
    expect(await keys(`/1/records?limit=2&before=${start_cursor}`)).toEqual(['1 usd', '2 usd'])
    const paged = await call('GET', '/1/records?limit=3&page=2')
    expect(Object.keys(paged.body.meta)).toEqual(['pagination'])
    expect(paged.body.data).toHaveLength(1)
    expect((await call('GET', `/1/records?after=${end_cursor}&before=${end_cursor}`)).status).toBe(422)
    expect((await call('GET', '/1/records?after=x')).status).toBe(422)
    expect((await call('GET', '/1/records?colour=red')).status).toBe(422)
    expect((await call('GET', '/9/records')).status).toBe(404)
    expect(await keys('/1/records/1')).toEqual(['1 eur', '1 usd'])
    expect((await call('GET', '/9/records/1')).status).toBe(404)
    const [withParts] = (await call('GET', '/1/records?include=sku,bulk_pricing_tiers')).body.data
    expect(withParts).toMatchObject({ sku: 'MUG', bulk_pricing_tiers: [] })
  })

  test.each([
    ['?variant_id:in=1', ['2 usd', '3 usd']],
    ['?sku:in=shirt-s,nope', ['1 eur', '1 usd', '3 usd']],
    ['?sku:in=mug&variant_id:in=1,2&currency=EUR', ['1 usd', '2 usd', '3 usd']],
    ['?sku:in=mug&variant_id:in=2', all],
    ['?currency=usd', ['1 eur']],
    ['', []],
  ])('are deleted by %s', async (query, left) => {
    expect((await call('DELETE', `/1/records${query}`)).status).toBe(204)
    expect(await keys('/1/records')).toEqual(left)
    expect((await call('GET', '/1/records')).body.meta.pagination.total).toBe(left.length)
    expect(await keys('/2/records')).toEqual(['1 usd'])
    const deleted = (await published()).filter(([scope]) => scope === 'records/deleted')
    expect(deleted.flatMap(([, data]) => data)).toHaveLength(4 - left.length)
  })

  test('of an unknown list, or by a mistyped filter, are not deleted', async () => {
    expect((await call('DELETE', '/9/records')).status).toBe(404)
    expect((await call('DELETE', '/1/records?variant=1')).status).toBe(422)
    expect((await call('DELETE', '/1/records?currency=')).status).toBe(422)
    expect(await keys('/1/records')).toEqual(all)
  })

  test('are deleted without events with their variant, product, option and currency', async () => {
    const before = (await published()).length
    await shop.call('DELETE', '/catalog/products/2/variants/2')
    expect(await keys('/1/records')).toEqual(['1 eur', '1 usd', '3 usd'])
    await shop.call('DELETE', '/catalog/products/2/options/1')
    expect(await keys('/1/records')).toEqual(['1 eur', '1 usd'])
    await shop.call('DELETE', '/currencies/2', undefined, { version: 'v2' })
    expect(await keys('/1/records')).toEqual(['1 usd'])
    await shop.call('DELETE', '/catalog/products/1')
    expect(await keys('/1/records')).toEqual([])
    expect((await call('GET', '/1/records')).body.meta.pagination.total).toBe(0)
    expect(await published()).toHaveLength(before)
    expect(await rowsOf(shop, 'price_records')).toEqual([])
  })
})

describe('a large set of records', () => {
  const MANY = 2_500
  /** Records of variants that the catalog does not have: only their number matters here. */
  async function fill(list: number) {
    const db = await dbOf(shop)
    await call('PUT', `/${list}/records/1/usd`, { price: 1 })
    await db.transaction(async (tx) => {
      await tx.rows(sql`
        insert into price_records (store_id, price_list_id, variant_id, currency, generation, product_id, price,
          calculated_price, bulk_pricing_tiers, date_created, date_modified)
        select ${tx.store.id}, ${list}, n, 'usd', 1, 1, 5, 5, '[]', now(), now() from generate_series(2, ${MANY}) n
        returning variant_id`)
      await tx.rows(sql`
        update price_record_sets set total = ${MANY} where store_id = ${tx.store.id} and price_list_id = ${list}`)
    })
  }
  const left = async () => (await rowsOf(shop, 'price_records')).length
  test('is gone for readers at once, and its rows and events follow', async () => {
    await fill(1)
    await call('PUT', '/1/records/1/eur', { price: 3 })
    expect((await call('DELETE', '/1/records?currency=usd')).status).toBe(204)
    expect(await keys('/1/records')).toEqual(['1 eur'])
    expect((await call('GET', '/1/records/1/usd')).status).toBe(404)
    expect(await left()).toBe(MANY + 1)
    // A record that is written before its old row is deleted stays.
    expect((await call('PUT', '/1/records/1/usd', { price: 7 })).body.data.price).toBe(7)
    await doJobs([deletionRunner()])
    expect(await left()).toBe(2)
    expect(await keys('/1/records')).toEqual(['1 eur', '1 usd'])
    const deleted = (await published()).filter(([scope]) => scope === 'records/deleted')
    expect(deleted.map(([, data]) => data.length)).toEqual([1, 1_000, 1_000, MANY - 2_001])
  })

  test('goes with its list, without events', async () => {
    await fill(1)
    await fill(2)
    expect((await call('DELETE', '/1')).status).toBe(204)
    expect((await call('GET', '/1/records')).status).toBe(404)
    await doJobs([deletionRunner()])
    expect(await left()).toBe(MANY)
    expect((await call('GET', '/2/records')).body.meta.pagination.total).toBe(MANY)
    expect((await published()).filter(([scope]) => scope === 'records/deleted')).toEqual([])
  })
})
