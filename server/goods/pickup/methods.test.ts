import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { sized } from '../../test/document/sized.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'

// docs/contract/pickup.md section 2.

const PATH = '/pickup/methods'
const LOCATIONS = '/inventory/locations'
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const text = (length: number) => 'a'.repeat(length)
const counter = { location_id: 1, display_name: 'Counter' }
const blank = {
  location_id: 1,
  collection_instructions: '',
  collection_time_description: '',
  date_created: moment,
  date_modified: moment,
}
const named = (id: number, name: string) => ({ ...blank, id, name, display_name: name })

/** A store with the locations 1, 2 and 3; the third is disabled. */
async function openPlaces(): Promise<Shop> {
  const shop = await openShop()
  const place = { type_id: 'VIRTUAL' }
  await shop.call('POST', LOCATIONS, [
    { ...place, label: 'Two' },
    { ...place, label: 'Three', enabled: false },
  ])
  return shop
}

const asked = async ({ call }: Shop, method: string, path: string, sent?: unknown) => {
  const { status, body } = await call(method, path, sent)
  return { status, body }
}
const create = (shop: Shop, bodies: unknown) => asked(shop, 'POST', PATH, bodies)
const change = (shop: Shop, bodies: unknown) => asked(shop, 'PUT', PATH, bodies)
const list = async ({ call }: Shop, query = '') => (await call('GET', `${PATH}${query}`)).body.data
const ids = async (shop: Shop, query = '') => (await list(shop, query)).map(({ id }: { id: number }) => id)

describe('new pickup methods', () => {
  test('are answered as a whole, in the order of the request, and listed by their ids', async () => {
    const shop = await openPlaces()
    const whole = {
      location_id: 2,
      display_name: 'At the counter',
      collection_instructions: 'Bring the number of your order.',
      collection_time_description: 'From 9 to 18',
    }
    const data = [{ ...blank, ...whole, id: 1, name: 'At the counter' }, named(2, 'Counter')]
    expect(await create(shop, [whole, counter])).toEqual({ status: 200, body: { data, meta: {} } })
    const pagination = onlyPage(2)
    expect(await asked(shop, 'GET', PATH)).toEqual({ status: 200, body: { data, meta: { pagination } } })
  })

  test('have one name under both keys, and several may have the same (ruling 1)', async () => {
    const shop = await openPlaces()
    const bodies = [
      { location_id: 1, name: 'Kerb' },
      { location_id: 1, display_name: 'Kerb' },
      { location_id: 1, name: 'Kerb', display_name: 'Kerb' },
    ]
    expect((await create(shop, bodies)).body.data).toEqual([1, 2, 3].map((id) => named(id, 'Kerb')))
  })

  test('may be 100 at once, and in a store up to its maximum', async () => {
    const shop = await openShop()
    const hundred = Array.from({ length: 100 }, (_, i) => ({ location_id: 1, name: `Door ${i}` }))
    const created = await create(shop, hundred)
    expect(created.body.data.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual(
      hundred.map(({ name }, i) => [i + 1, name]),
    )
    expect(await create(shop, [...hundred, counter])).toEqual({
      status: 413,
      body: problem(413, 'At most 100 objects may be sent at once.'),
    })
    const db = await dbOf(shop)
    const count = (total: number) =>
      db.transaction((tx) =>
        tx.rows(
          sql`update counters set total = ${total} where store_id = ${db.store.id} and resource = 'pickup_methods'`,
        ),
      )
    // As if there were more.
    await count(9_900)
    expect((await create(shop, hundred)).status).toBe(200)
    expect(await create(shop, [counter])).toEqual({
      status: 403,
      body: problem(403, 'A store can hold at most 10000 pickup methods.'),
    })
    await count(200)
    expect(await ids(shop, '?limit=250')).toHaveLength(200)
  })
})

describe('a list', () => {
  let shop: Shop
  let days: string[]
  beforeAll(async () => {
    shop = await openPlaces()
    const { clock } = await theHouse()
    // Method 1 is changed last; 2 and 3 are created one and two days after it.
    for (const name of ['berry', 'Apple', 'cherry']) {
      await create(shop, [{ location_id: 1, name }])
      clock.move(86_400_000)
    }
    await change(shop, [{ id: 1, collection_instructions: 'Ring twice' }])
    days = (await list(shop)).map(({ date_modified }: { date_modified: string }) => date_modified)
    days.push((await list(shop))[0].date_created)
  })

  test.each([
    ['', [1, 2, 3]],
    ['id:in=3,1,99,9007199254740991', [1, 3]],
    ['date_created=D3', [1]],
    ['date_created:min=D1', [2, 3]],
    ['date_created:max=D1', [1, 2]],
    ['date_modified=D2', [3]],
    ['date_modified=T2', [3]],
    ['date_modified:min=D2', [1, 3]],
    ['date_modified:max=D1', [2]],
    ['date_modified:min=D1&date_modified:max=D2', [2, 3]],
    ['sort=name:asc', [2, 1, 3]],
    ['sort=name:desc', [3, 1, 2]],
    ['sort=date_modified:asc', [2, 3, 1]],
    ['sort=date_modified:desc', [1, 3, 2]],
    ['limit=250', [1, 2, 3]],
    ['limit=2&page=2', [3]],
    ['date_created:min=D1&limit=1&page=2', [3]],
  ])('of ?%s', async (query, expected) => {
    // D1: the moment of that position in `days`; T1: the day of it.
    const written = query.replaceAll(
      /=([DT])(\d)/g,
      (_, kind, i) => `=${kind === 'D' ? days[i] : days[i]?.slice(0, 10)}`,
    )
    expect(await ids(shop, `?${written}`)).toEqual(expected)
  })

  test.each([
    ['limit=251', 413, 'limit must be at most 250, not 251.'],
    ['id:in=', 422, 'id:in must hold at least 1.'],
    ['id:in=two', 422, 'id:in must be an integer, not "two".'],
    [`id:in=${Array.from({ length: 251 }, (_, i) => i + 1)}`, 413, 'id:in must hold at most 250.'],
    ['date_created=yesterday', 422, 'date_created must be a date-time, not "yesterday".'],
    ['sort=name', 422, 'sort must be one of date_modified:asc, date_modified:desc, name:asc, name:desc, not "name".'],
    ['name=Counter', 422, '"name" is not a parameter here.'],
  ])('of ?%.40s is refused', async (query, status, sentence) => {
    expect(await asked(shop, 'GET', `${PATH}?${query}`)).toMatchObject({
      status,
      body: problem(status, `The query is not valid: ${sentence}`),
    })
  })
})

describe('a change', () => {
  test('keeps fields that it leaves out, and keeps the time if it changes nothing', async () => {
    const shop = await openPlaces()
    const { clock } = await theHouse()
    const [one, two] = (await create(shop, [counter, { ...counter, collection_instructions: 'Ring' }])).body.data
    clock.move(60_000)
    const { status, body } = await change(shop, [
      { id: 2, location_id: 2, collection_time_description: 'Always' },
      { id: 1 },
    ])
    const changed = { ...two, location_id: 2, collection_time_description: 'Always', date_modified: moment }
    expect({ status, body }).toEqual({ status: 200, body: { data: [changed, one], meta: {} } })
    expect(Date.parse(body.data[0].date_modified)).toBeGreaterThanOrEqual(Date.parse(two.date_modified) + 60_000)
    clock.move(60_000)
    expect(await change(shop, [{ ...body.data[0], date_created: '2020-01-01T00:00:00Z' }])).toEqual({
      status: 200,
      body: { data: [body.data[0]], meta: {} },
    })
    expect(await list(shop)).toEqual([one, body.data[0]])
  })

  test('takes the name under either key', async () => {
    const shop = await openPlaces()
    await create(shop, [counter])
    for (const body of [{ name: 'A' }, { display_name: 'B' }, { name: 'C', display_name: 'C' }]) {
      const { display_name, name = display_name } = body
      expect((await change(shop, [{ id: 1, ...body }])).body.data).toEqual([named(1, name ?? '')])
    }
  })

  test('is of at most ten', async () => {
    const shop = await openPlaces()
    const eleven = Array.from({ length: 11 }, (_, i) => ({ id: i + 1, location_id: 1, name: `Door ${i}` }))
    await create(shop, eleven)
    expect((await change(shop, eleven.slice(1))).status).toBe(200)
    expect(await change(shop, eleven)).toEqual({
      status: 413,
      body: problem(413, 'At most 10 objects may be sent at once.'),
    })
  })
})

describe('all mistakes are reported together, and nothing is stored', () => {
  let shop: Shop
  let before: unknown
  beforeAll(async () => {
    shop = await openPlaces()
    await create(shop, [counter, { ...counter, location_id: 2 }])
    await shop.call('PUT', LOCATIONS, [{ id: 2, enabled: false }])
    before = await list(shop)
  })

  const missing = 'error.path.missing'
  const twoNames = 'display_name and name are one value: send one of them, or the same text in both.'

  test.each([
    ['POST', { ...counter }, { '': 'error.expected.jsarray' }],
    ['POST', [], { '': 'The body must hold at least 1.' }],
    ['PUT', [], { '': 'The body must hold at least 1.' }],
    ['POST', [counter, 4], { '1': 'error.expected.jsobject' }],
    ['POST', [{ display_name: 'Nowhere' }], { '0.location_id': missing }],
    ['POST', [counter, { location_id: 1 }], { '1.display_name': missing }],
    ['POST', [{ location_id: 1, name: 'A', display_name: 'B' }], { '0.display_name': twoNames }],
    [
      'POST',
      [
        { ...counter, location_id: 99 },
        counter,
        { ...counter, location_id: 3 },
        { location_id: 98, name: 'a', display_name: 'A' },
      ],
      {
        '0.location_id': 'The location 99 does not exist.',
        '2.location_id': 'The location 3 is disabled.',
        '3.location_id': 'The location 98 does not exist.',
        '3.display_name': twoNames,
      },
    ],
    [
      'POST',
      [
        { location_id: 1, display_name: '' },
        { location_id: 1, name: ' \t' },
        { location_id: 1, name: text(251) },
        { ...counter, collection_instructions: text(251) },
        { ...counter, collection_time_description: text(251) },
        { ...counter, location_id: 0 },
        { ...counter, location_id: '1', name: null },
      ],
      {
        '0.display_name': 'display_name must not be blank.',
        '1.name': 'name must not be blank.',
        '2.name': 'name must have at most 250 characters, not 251.',
        '3.collection_instructions': 'collection_instructions must have at most 250 characters, not 251.',
        '4.collection_time_description': 'collection_time_description must have at most 250 characters, not 251.',
        '5.location_id': 'location_id must be at least 1, not 0.',
        '6.location_id': 'error.expected.jsnumber',
        '6.name': 'error.expected.jsstring',
      },
    ],
    ['PUT', [{ name: 'A' }], { '0.id': missing }],
    [
      'PUT',
      [{ id: 1, name: 'A' }, { id: 99 }, { id: 98 }],
      {
        '1.id': 'The pickup method 99 does not exist.',
        '2.id': 'The pickup method 98 does not exist.',
      },
    ],
    ['PUT', [{ id: 1, name: 'A' }, { id: 1 }], { '1.id': 'Another item has this id.' }],
    [
      'PUT',
      [
        { id: 1, name: 'A' },
        { id: 2, display_name: '' },
      ],
      { '1.display_name': 'display_name must not be blank.' },
    ],
    [
      'PUT',
      [
        { id: 1, location_id: 2 },
        { id: 9_007_199_254_740_991, location_id: 99, name: 'A', display_name: 'B' },
      ],
      {
        '0.location_id': 'The location 2 is disabled.',
        '1.id': 'The pickup method 9007199254740991 does not exist.',
        '1.location_id': 'The location 99 does not exist.',
        '1.display_name': twoNames,
      },
    ],
    ['PUT', [{ id: 9_007_199_254_740_992 }], { '0.id': 'id must be at most 9007199254740991, not 9007199254740992.' }],
  ])('%s %j', async (method, body, errors) => {
    expect(await asked(shop, method, PATH, body)).toEqual({ status: 422, body: invalid(errors) })
    expect(await list(shop)).toEqual(before)
  })

  test('a method at a disabled location can be sent back as it was read', async () => {
    expect(await change(shop, [{ ...(await list(shop))[1] }])).toMatchObject({ status: 200 })
    expect(await list(shop)).toEqual(before)
  })
})

describe('a deletion', () => {
  test('needs ids, deletes the existing ones and ignores the others', async () => {
    const shop = await openPlaces()
    await create(shop, [counter, counter, counter])
    for (const query of ['', '?id:in=', '?id=1', '?id:in=1&name=Counter']) {
      expect((await asked(shop, 'DELETE', `${PATH}${query}`)).status, query).toBe(422)
    }
    expect(await ids(shop)).toEqual([1, 2, 3])
    for (let i = 0; i < 2; i++) {
      expect(await shop.call('DELETE', `${PATH}?id:in=3,99,1`)).toMatchObject({ status: 204, text: '' })
      expect(await ids(shop)).toEqual([2])
    }
    expect((await create(shop, [counter])).body.data).toEqual([named(4, 'Counter')])
  })

  test('of a location deletes its methods without events', async () => {
    const shop = await openPlaces()
    await create(shop, [counter, { ...counter, location_id: 2 }, counter, { ...counter, location_id: 2 }])
    const events = (await rowsOf(shop, 'events')).length
    expect((await shop.call('DELETE', `${LOCATIONS}?location_id:in=2,99`)).status).toBe(404)
    expect(await ids(shop)).toEqual([1, 2, 3, 4])
    expect((await shop.call('DELETE', `${LOCATIONS}?location_id:in=2`)).status).toBe(200)
    expect(await ids(shop)).toEqual([1, 3])
    expect(await rowsOf(shop, 'events')).toHaveLength(events)
  })
})

describe('concurrent requests', () => {
  test('in opposite order and deletions end one after another (C-024)', async () => {
    const shop = await openPlaces()
    const { retries } = (await theHouse()).installation.directory.cellOf(shop.store).api
    const before = retries.count
    const ten = Array.from({ length: 10 }, (_, i) => i + 1)
    await create(
      shop,
      ten.map(() => counter),
    )
    const rename = (order: number[], name: string) =>
      change(
        shop,
        order.map((id) => ({ id, name, location_id: 1 + (id % 2) })),
      )
    const answered = await Promise.all(
      Array.from({ length: 20 }, (_, i) => rename(i % 2 === 0 ? ten : ten.toReversed(), `Round ${i}`)),
    )
    expect(answered.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(retries.count, 'transactions that began again').toBe(before)
    // All have the name of one of the requests.
    expect(new Set((await list(shop)).map(({ name }: { name: string }) => name)).size).toBe(1)
  })

  test('leave no method at a deleted location (C-012)', async () => {
    const shop = await openShop()
    for (let round = 2; round < sized(1_002, 12); round++) {
      await shop.call('POST', LOCATIONS, [{ label: 'Stall', type_id: 'VIRTUAL' }])
      const stall = { ...counter, location_id: round }
      const made = (await create(shop, [counter, stall])).body.data
      const answers = await Promise.all([
        create(shop, [stall]),
        change(shop, [{ id: made[0].id, location_id: round }]),
        shop.call('DELETE', `${LOCATIONS}?location_id:in=${round}`),
        create(shop, [stall, counter]),
        shop.call('DELETE', `${PATH}?id:in=${made[1].id}`),
      ])
      for (const { status } of answers) expect([200, 204, 422]).toContain(status)
      expect((await rowsOf(shop, 'pickup_methods')).filter(({ location_id }) => location_id !== 1)).toEqual([])
    }
  })
})
