import { beforeEach, describe, expect, test } from 'vitest'
import { STEP_ROWS } from '../../core/db/steps.ts'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { copyCustomer } from '../../test/fixtures/many/customers.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

// docs/contract/customer-attributes.md

const ATTRIBUTES = '/customers/attributes'
const VALUES = '/customers/attribute-values'
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const dates = { date_created: MOMENT, date_modified: MOMENT }
const size = { name: 'Shoe size', type: 'number' }
const born = { name: 'Born', type: 'date' }
const motto = { name: 'Motto', type: 'string' }

let shop: Shop
let call: Shop['call']
const customers = (count: number, from = 0) =>
  call(
    'POST',
    '/customers',
    Array.from({ length: count }, (_, i) => ({ email: `c${from + i}@x.test`, first_name: 'C', last_name: 'D' })),
  )
const countOf = async (id: number) => (await call('GET', `/customers?id:in=${id}`)).body.data[0].attribute_count
const idsAt = async (path: string) => (await call('GET', path)).body.data.map(({ id }: { id: number }) => id)
const set = (...values: [customer_id: number, attribute_id: number, value: string][]) =>
  call(
    'PUT',
    VALUES,
    values.map(([customer_id, attribute_id, value]) => ({ customer_id, attribute_id, value })),
  )

beforeEach(async () => {
  shop = await openShop()
  call = shop.call
  await customers(2)
})

describe('an attribute', () => {
  test('is made, listed, renamed and deleted', async () => {
    const whole = { id: 1, ...size, ...dates }
    expect((await call('POST', ATTRIBUTES, [size, born])).body).toEqual({
      data: [whole, { id: 2, ...born, ...dates }],
      meta: {},
    })
    expect((await call('GET', `${ATTRIBUTES}?name=SHOE size`)).body).toEqual({
      data: [whole],
      meta: { pagination: { ...onlyPage(1), links: { current: '?name=SHOE%20size&page=1&limit=50' } } },
    })
    const renamed = await call('PUT', ATTRIBUTES, [
      { id: 2, name: 'Birthday', type: 'date' },
      { id: 1, name: 'Shoe Size' },
    ])
    expect(renamed.body).toEqual({
      data: [
        { id: 2, name: 'Birthday', type: 'date', ...dates },
        { ...whole, name: 'Shoe Size' },
      ],
      meta: {},
    })
    expect((await call('DELETE', `${ATTRIBUTES}?id:in=1,99`)).status).toBe(204)
    expect(await idsAt(ATTRIBUTES)).toEqual([2])
    // Its name is free again, and its id is not.
    expect((await call('POST', ATTRIBUTES, [size])).body.data[0].id).toBe(3)
  })

  test('moves its date only when its name changes', async () => {
    await call('POST', ATTRIBUTES, [size])
    const [before] = (await call('GET', ATTRIBUTES)).body.data
    ;(await theHouse()).clock.move(2_000)
    expect((await call('PUT', ATTRIBUTES, [{ id: 1, name: size.name }])).body.data).toEqual([before])
    const [after] = (await call('PUT', ATTRIBUTES, [{ id: 1, name: 'Size' }])).body.data
    expect(after.date_modified > before.date_modified).toBe(true)
    expect(after.date_created).toBe(before.date_created)
  })

  test('is found by every filter', async () => {
    await call('POST', ATTRIBUTES, [size, born, motto])
    const now = (await call('GET', ATTRIBUTES)).body.data[0].date_created
    const unix = Date.parse(now) / 1_000
    for (const [query, ids] of [
      ['name=born', [2]],
      ['name=bor', []],
      ['name:like=O', [1, 2, 3]],
      ['name:like=oT', [3]],
      ['type=date', [2]],
      ['type=Date', []],
      [`date_created=${now}`, [1, 2, 3]],
      [`date_created=${unix}`, [1, 2, 3]],
      ['date_created=2020-01-01', []],
      [`date_created:min=${now}&date_created:max=${unix}`, [1, 2, 3]],
      ['date_created:max=2020-01-01', []],
      ['date_modified:min=2020-01-01', [1, 2, 3]],
      [`date_modified:min=${unix + 10}`, []],
      [`date_modified:max=${unix - 10}`, []],
      [`date_modified=${now}`, [1, 2, 3]],
    ] as const) {
      expect([query, await idsAt(`${ATTRIBUTES}?${query}`)]).toEqual([query, ids])
    }
    for (const query of ['id=1', 'id:in=1', 'name:in=born', 'type:in=date', 'date_created=soon']) {
      const { status, body } = await call('GET', `${ATTRIBUTES}?${query}`)
      expect([query, status, body.errors]).toEqual([query, 422, {}])
    }
  })

  test('is refused with nothing saved where a name is taken or something else is wrong', async () => {
    await call('POST', ATTRIBUTES, [size, born])
    const refused = async (method: 'POST' | 'PUT', body: unknown) => (await call(method, ATTRIBUTES, body)).body.errors
    const sentence = expect.any(String)
    expect(await refused('POST', [motto, { ...motto, name: 'SHOE SIZE' }])).toEqual({
      '1.name': 'The attribute 1 has the name SHOE SIZE.',
    })
    expect(await refused('POST', [motto, { ...born, name: 'motto' }])).toEqual({
      '1.name': 'Another item has this name.',
    })
    expect(await refused('POST', [{}])).toEqual({ '0.name': 'error.path.missing', '0.type': 'error.path.missing' })
    expect(await refused('POST', motto)).toEqual({ '': 'error.expected.jsarray' })
    expect(await refused('POST', [])).toEqual({ '': sentence })
    expect(await refused('POST', [{ ...motto, type: 'text' }])).toEqual({ '0.type': sentence })
    for (const name of ['', ' ', 'x'.repeat(256)]) {
      expect(await refused('POST', [{ ...motto, name }])).toEqual({ '0.name': sentence })
    }
    expect(await refused('PUT', [{ id: 1 }])).toEqual({ '0.name': 'error.path.missing' })
    expect(await refused('PUT', [{ id: 9, name: 'X' }])).toEqual({ '0.id': 'The customer attribute 9 does not exist.' })
    expect(await refused('PUT', [{ id: 1, name: 'born' }])).toEqual({ '0.name': sentence })
    const twice = [
      { id: 1, name: 'X' },
      { id: 1, name: 'Y' },
    ]
    expect(await refused('PUT', twice)).toEqual({ '1.id': sentence })
    expect(await refused('PUT', [{ id: 1, name: 'X', type: 'string' }])).toEqual({ '0.type': 'The type stays number.' })
    expect((await call('DELETE', ATTRIBUTES)).status).toBe(422)
    expect(await idsAt(ATTRIBUTES)).toEqual([1, 2])
  })

  test('is one of at most 50, also where several are sent at once', async () => {
    const many = (count: number, from: number) =>
      Array.from({ length: count }, (_, i) => ({ name: `${'x'.repeat(250)} ${from + i}`, type: 'string' }))
    expect((await call('POST', ATTRIBUTES, many(51, 0))).status).toBe(413)
    expect((await call('POST', ATTRIBUTES, many(49, 0))).status).toBe(200)
    expect((await call('POST', ATTRIBUTES, many(2, 49))).status).toBe(403)
    const racing = await Promise.all([50, 60, 70].map((from) => call('POST', ATTRIBUTES, many(1, from))))
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    expect((await call('POST', ATTRIBUTES, many(1, 90))).body).toEqual(
      problem(403, 'A store can hold at most 50 customer attributes.'),
    )
    // A taken name is said before the limit.
    expect((await call('POST', ATTRIBUTES, many(1, 0))).status).toBe(422)
  })
})

describe('a value', () => {
  beforeEach(() => call('POST', ATTRIBUTES, [size, born, motto]))
  const value = (id: number, customer_id: number, attribute_id: number, attribute_value: string) => ({
    id,
    attribute_id,
    attribute_value,
    customer_id,
    ...dates,
  })

  test('is set, listed, set again and deleted; it is counted, and tells nothing', async () => {
    const before = (await rowsOf(shop, 'events')).length
    const first = await call('PUT', VALUES, [
      { customer_id: 2, attribute_id: 1, value: '42' },
      { customer_id: 1, attribute_id: 3, attribute_value: 'Onward' },
    ])
    expect(first.body).toEqual({ data: [value(1, 2, 1, '42'), value(2, 1, 3, 'Onward')], meta: {} })
    expect((await call('GET', VALUES)).body).toEqual({ ...first.body, meta: { pagination: onlyPage(2) } })
    expect([await countOf(1), await countOf(2)]).toEqual([1, 1])
    const again = await call('PUT', VALUES, [
      { id: 2, customer_id: 1, attribute_id: 3, value: 'Upward', attribute_value: 'Upward' },
      { customer_id: 1, attribute_id: 1, value: '1' },
      { customer_id: 1, attribute_id: 1, value: '40.5' },
      { customer_id: 2, attribute_id: 1, value: '42' },
    ])
    expect(again.body.data).toEqual([value(2, 1, 3, 'Upward'), value(3, 1, 1, '40.5'), value(1, 2, 1, '42')])
    expect([await countOf(1), await countOf(2)]).toEqual([2, 1])
    expect((await call('DELETE', `${VALUES}?id:in=3,1,99`)).status).toBe(204)
    expect([await countOf(1), await countOf(2)]).toEqual([1, 0])
    expect(await idsAt(VALUES)).toEqual([2])
    expect((await rowsOf(shop, 'events')).length).toBe(before)
  })

  test('moves its date only when it changes', async () => {
    await set([1, 3, 'a'], [2, 3, 'a'])
    ;(await theHouse()).clock.move(2_000)
    await set([1, 3, 'a'], [2, 3, 'b'])
    const [same, other] = (await call('GET', VALUES)).body.data
    expect(same.date_modified).toBe(same.date_created)
    expect(other.date_modified > other.date_created).toBe(true)
  })

  test('is found by every filter', async () => {
    await set([1, 1, '42'], [1, 2, '2000-01-02'], [2, 2, ''])
    const now = (await call('GET', VALUES)).body.data[0].date_created
    for (const [query, ids] of [
      ['customer_id:in=1', [1, 2]],
      ['customer_id:in=2,9', [3]],
      ['attribute_id:in=2', [2, 3]],
      ['attribute_id:in=2&customer_id:in=1', [2]],
      ['name=BORN', [2, 3]],
      ['name=nothing', []],
      [`date_created=${now}`, [1, 2, 3]],
      ['date_created:min=2020-01-01', [1, 2, 3]],
      ['date_created:max=2020-01-01', []],
      [`date_modified=${Date.parse(now) / 1_000}`, [1, 2, 3]],
      ['date_modified:min=2999-01-01', []],
      [`date_modified:max=${now}`, [1, 2, 3]],
      ['limit=1&page=3', [3]],
    ] as const) {
      expect([query, await idsAt(`${VALUES}?${query}`)]).toEqual([query, ids])
    }
    for (const query of ['customer_id=1', 'id:in=1', 'name:like=b', 'attribute_id=1', 'customer_id:in=x']) {
      expect([query, (await call('GET', `${VALUES}?${query}`)).status]).toEqual([query, 422])
    }
  })

  test.each([
    [1, ['', '0', '-12', '12.50', '+3', '.5'], ['1e5', 'x', '1,5', ' 1', 'Infinity', '0x1', '-', '.']],
    [
      2,
      ['', '2026-05-14', '2026-05-14T09:34:00Z', '2026-05-14T09:34:00+02:00'],
      ['14.5.2026', '2026-02-30', '5', 'Tue, 12 Jun 2018 14:41:56 +0000'],
    ],
    [3, ['', 'anything', 'x'.repeat(255)], []],
  ])('of the attribute %i is judged by its type', async (attribute, good, bad) => {
    for (const text of good) {
      expect([text, (await set([1, attribute, text])).body.data[0]?.attribute_value]).toEqual([text, text])
    }
    for (const text of bad) {
      expect([text, (await set([1, attribute, text])).body.errors]).toEqual([text, { '0.value': expect.any(String) }])
    }
  })

  test('is refused with nothing saved', async () => {
    await set([1, 1, '42'])
    const refused = async (...items: object[]) => (await call('PUT', VALUES, items)).body
    const good = { customer_id: 2, attribute_id: 3, value: 'x' }
    expect(await refused(good, { ...good, value: 12 })).toEqual(invalid({ '1.value': 'error.expected.jsstring' }))
    expect(await refused(good, { ...good, customer_id: 9, attribute_id: 8 })).toEqual(
      invalid({
        '1.customer_id': 'The customer 9 does not exist.',
        '1.attribute_id': 'The customer attribute 8 does not exist.',
      }),
    )
    expect(await refused({ customer_id: 2, attribute_id: 3 }, {})).toEqual(
      invalid({ '1.customer_id': 'error.path.missing', '1.attribute_id': 'error.path.missing' }),
    )
    expect(await refused({ customer_id: 2, attribute_id: 3 })).toEqual(invalid({ '0.value': 'error.path.missing' }))
    for (const [item, field] of [
      [{ ...good, attribute_value: 'y' }, 'attribute_value'],
      [{ ...good, id: 1 }, 'id'],
      [{ customer_id: 1, attribute_id: 1, value: '1', id: 7 }, 'id'],
      [{ ...good, value: 'x'.repeat(256) }, 'value'],
      [{ ...good, customer_id: '2' }, 'customer_id'],
    ] as const) {
      expect((await refused(good, item)).errors).toEqual({ [`1.${field}`]: expect.any(String) })
    }
    expect((await call('PUT', VALUES, [])).body.errors).toEqual({ '': expect.any(String) })
    expect((await call('DELETE', VALUES)).status).toBe(422)
    expect((await call('GET', VALUES)).body.data).toEqual([value(1, 1, 1, '42')])
  })

  test('is one of at most 500, of at most 10 customers', async () => {
    const ids = Array.from({ length: 11 }, (_, i) => i + 1)
    await customers(8, 2)
    await customers(1, 10)
    expect((await set(...ids.map((id): [number, number, string] => [id, 3, 'x']))).body).toEqual(
      problem(413, 'Values of at most 10 customers may be sent at once.'),
    )
    const entries = (count: number) =>
      Array.from({ length: count }, (_, i): [number, number, string] => [(i % 10) + 1, 3, `${i}`])
    expect((await set(...entries(501))).status).toBe(413)
    const { body } = await set(...entries(500))
    expect(body.data.map(({ attribute_value }: { attribute_value: string }) => attribute_value)).toEqual(
      Array.from({ length: 10 }, (_, i) => `${490 + i}`),
    )
  })

  test('set twice at once is one', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => set([1, 3, text])))
    for (const { status } of answers) expect([200, 429]).toContain(status)
    expect(await idsAt(VALUES)).toHaveLength(1)
    expect(await countOf(1)).toBe(1)
  })

  test('goes with its customer, also one that is set meanwhile', async () => {
    await set([1, 3, 'a'], [2, 3, 'a'])
    const [gone, ...others] = await Promise.all([
      call('DELETE', '/customers?id:in=1'),
      ...Array.from({ length: 5 }, (_, i) => set([1, 1, `${i}`])),
    ])
    expect(gone.status).toBe(204)
    for (const { status } of others) expect([200, 422, 429]).toContain(status)
    expect((await call('GET', VALUES)).body.data).toEqual([value(2, 2, 3, 'a')])
  })
})

test('a deleted attribute takes its values from all customers, in steps, also those that are set meanwhile', async () => {
  await call('POST', ATTRIBUTES, [size, motto])
  await set([1, 1, '42'], [1, 2, 'Onward'])
  const last = await copyCustomer(shop, STEP_ROWS + 5, {
    table: 'customer_attribute_values',
    count: 'attribute_count',
  })
  const [gone, late] = await Promise.all([call('DELETE', `${ATTRIBUTES}?id:in=1`), set([2, 1, '40'])])
  expect(gone.status).toBe(204)
  expect([200, 422]).toContain(late.status)
  expect(await idsAt(VALUES)).toEqual([2])
  expect(await idsAt(ATTRIBUTES)).toEqual([2])
  expect([await countOf(1), await countOf(2), await countOf(last)]).toEqual([1, 0, 0])
})
