import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, onlyPage, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { holdTable } from '../../../test/harness/administrator.ts'

// docs/contract/locations.md. Metafields of locations are like all others: server/shared/metafields/metafields.test.ts.

const PATH = '/inventory/locations'
const closed = { open: false, opening: '00:00', closing: '00:00' }
const week = {
  sunday: closed,
  monday: closed,
  tuesday: closed,
  wednesday: closed,
  thursday: closed,
  friday: closed,
  saturday: closed,
}
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const first = {
  id: 1,
  code: 'SVC-LOCATION-1',
  label: 'Default location',
  description: '',
  managed_by_external_source: false,
  type_id: 'PHYSICAL',
  enabled: true,
  operating_hours: week,
  time_zone: 'Etc/UTC',
  created_at: moment,
  updated_at: moment,
  address: null,
  storefront_visibility: true,
  special_hours: [],
}
const address = {
  address1: 'Nyhavn 12',
  city: 'Copenhagen',
  state: 'Hovedstaden',
  zip: '1051',
  email: 'harbour@example.com',
  geo_coordinates: { latitude: 55.6798, longitude: 12.5914 },
  country_code: 'DK',
}
const harbour = { label: 'Harbour', address }
const transaction = { transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }

const list = async ({ call }: Shop, query = '') => (await call('GET', `${PATH}${query}`)).body.data
const ids = async (shop: Shop, query: string) => (await list(shop, query)).map(({ id }: { id: number }) => id)
const asked = async ({ call }: Shop, method: string, body: unknown) => {
  const { status, body: answered } = await call(method, PATH, body)
  return { status, body: answered }
}
const made = { status: 200, body: transaction }
const eventsOf = async (shop: Shop) =>
  (await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, JSON.parse(String(data))])

describe('the locations of a store', () => {
  test('begin with one, which is the default', async () => {
    const shop = await openShop()
    const { status, body } = await shop.call('GET', PATH)
    const pagination = onlyPage(1)
    expect({ status, body }).toEqual({ status: 200, body: { data: [first], meta: { pagination } } })
    expect(await eventsOf(shop)).toEqual([])
  })

  test('are created without ids in the answer, and found by their code', async () => {
    const shop = await openShop()
    const whole = {
      code: 'Harbour',
      label: 'Shop at the harbour',
      description: 'Behind the blue door',
      managed_by_external_source: true,
      type_id: 'PHYSICAL',
      enabled: false,
      operating_hours: { ...week, monday: { open: true, opening: '09:00', closing: '24:00' } },
      time_zone: 'Europe/Copenhagen',
      address: { ...address, address2: 'Second floor', phone: '+45 33 11 22 33' },
      storefront_visibility: false,
      special_hours: [
        {
          label: 'Constitution day',
          date: '2026-06-05',
          open: true,
          opening: '10:00',
          closing: '12:00',
          all_day: false,
          annual: true,
        },
        {
          label: 'New year',
          date: '2026-01-01',
          open: false,
          opening: '00:00',
          closing: '00:00',
          all_day: true,
          annual: true,
        },
      ],
    }
    expect(await asked(shop, 'POST', [whole, harbour])).toEqual(made)
    expect(await list(shop, '?location_code:in=HARBOUR')).toEqual([
      { id: 2, ...whole, created_at: moment, updated_at: moment },
    ])
    expect(await list(shop, '?location_id:in=3')).toEqual([
      { ...first, id: 3, code: 'LOC-3', label: 'Harbour', address: { ...address, address2: '', phone: '' } },
    ])
    expect(await eventsOf(shop)).toEqual([
      ['store/inventory/location/created', { location_id: 2 }],
      ['store/inventory/location/created', { location_id: 3 }],
    ])
  })

  test('get unused codes', async () => {
    const shop = await openShop()
    await asked(shop, 'POST', [
      { ...harbour, code: 'loc-4' },
      { ...harbour, code: 'LOC-4-2' },
      harbour,
      { ...harbour, code: 'Loc-6' },
    ])
    await asked(shop, 'POST', [harbour])
    expect((await list(shop)).map(({ code }: { code: string }) => code)).toEqual([
      'SVC-LOCATION-1',
      'loc-4',
      'LOC-4-2',
      'LOC-4-3',
      'Loc-6',
      'LOC-6-2',
    ])
  })

  test('are sent back as they were read; only a virtual one can lose its address', async () => {
    const shop = await openShop()
    await asked(shop, 'POST', [harbour, { ...harbour, label: 'Supplier', type_id: 'VIRTUAL' }])
    const before = await list(shop)
    const events = await eventsOf(shop)
    expect(await asked(shop, 'PUT', before)).toEqual(made)
    expect([await list(shop), await eventsOf(shop)]).toEqual([before, events])
    const nowhere = (id: number) => ({ id, address: null })
    const { status, body } = await asked(shop, 'PUT', [
      nowhere(1),
      nowhere(2),
      { id: 3, type_id: 'PHYSICAL', address: null },
    ])
    expect([status, body.errors]).toEqual([
      422,
      { '1.address': 'error.path.missing', '2.address': 'error.path.missing' },
    ])
    expect(await asked(shop, 'PUT', [nowhere(3)])).toEqual(made)
    expect((await list(shop, '?location_id:in=3'))[0].address).toBeNull()
  })

  test('may be virtual and without an address', async () => {
    const shop = await openShop()
    expect(await asked(shop, 'POST', [{ label: 'Supplier', type_id: 'VIRTUAL' }])).toEqual(made)
    expect(await list(shop, '?type_id:in=VIRTUAL')).toEqual([
      { ...first, id: 2, code: 'LOC-2', label: 'Supplier', type_id: 'VIRTUAL' },
    ])
  })

  test('take either code of ISO 3166-1 for a country, and are answered with two letters', async () => {
    const shop = await openShop()
    const codes = ['dnk', 'DK', 'USA', 'gb']
    await asked(
      shop,
      'POST',
      codes.map((country_code) => ({ ...harbour, address: { ...address, country_code } })),
    )
    expect((await list(shop)).slice(1).map(({ address }: typeof harbour) => address.country_code)).toEqual([
      'DK',
      'DK',
      'US',
      'GB',
    ])
  })
})

describe('a list', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await asked(shop, 'POST', [
      { ...harbour, code: 'A', managed_by_external_source: true },
      { ...harbour, code: 'B', enabled: false },
      { label: 'C', code: 'C', type_id: 'VIRTUAL', storefront_visibility: false },
    ])
  })

  test.each([
    ['', [1, 2, 3, 4]],
    ['location_id:in=2,4,99', [2, 4]],
    ['location_code:in=a,c,none', [2, 4]],
    ['is_default=true', [1]],
    ['is_default=false', [2, 3, 4]],
    ['type_id:in=VIRTUAL', [4]],
    ['type_id:in=PHYSICAL,VIRTUAL', [1, 2, 3, 4]],
    ['managed_by_external_source=true', [2]],
    ['managed_by_external_source=false', [1, 3, 4]],
    ['is_active=true', [1, 2, 4]],
    ['is_active=false', [3]],
    ['storefront_visibility=false', [4]],
    ['storefront_visibility=true&is_active=true', [1, 2]],
    ['limit=1000', [1, 2, 3, 4]],
    ['limit=2&page=2', [3, 4]],
  ])('of ?%s', async (query, expected) => {
    expect(await ids(shop, `?${query}`)).toEqual(expected)
  })

  test.each([
    ['limit=1001', 413, 'The query is not valid: limit must be at most 1000, not 1001.'],
    ['type_id:in=BARN', 422, 'The query is not valid: type_id:in must be one of PHYSICAL, VIRTUAL, not "BARN".'],
    ['enabled=true', 422, 'The query is not valid: "enabled" is not a parameter here.'],
  ])('of ?%s is refused', async (query, status, title) => {
    expect(await shop.call('GET', `${PATH}?${query}`)).toMatchObject({ status, body: problem(status, title) })
  })
})

describe('a change', () => {
  test('keeps fields that it leaves out, replaces days that it names, and special days as a whole', async () => {
    const shop = await openShop()
    const monday = { open: true, opening: '08:00', closing: '16:00' }
    const special = [{ label: 'Fair', date: '2026-08-01', open: true, all_day: true }]
    await asked(shop, 'POST', [{ ...harbour, operating_hours: { monday, friday: monday }, special_hours: special }])
    const body = [
      {
        id: 2,
        label: 'Harbour, north',
        address: { city: 'Helsingør' },
        operating_hours: { monday: { open: true, closing: '12:00' } },
        special_hours: [],
      },
      { id: 1, time_zone: 'US/Pacific' },
    ]
    expect(await asked(shop, 'PUT', body)).toEqual(made)
    expect(await list(shop)).toEqual([
      { ...first, time_zone: 'US/Pacific' },
      {
        ...first,
        id: 2,
        code: 'LOC-2',
        label: 'Harbour, north',
        address: { ...address, address2: '', phone: '', city: 'Helsingør' },
        operating_hours: { ...week, monday: { open: true, opening: '00:00', closing: '12:00' }, friday: monday },
      },
    ])
    const updated = (location_id: number) => ['store/inventory/location/updated', { location_id }]
    expect((await eventsOf(shop)).slice(1)).toEqual([updated(2), updated(1)])

    await asked(shop, 'PUT', body)
    expect((await eventsOf(shop)).slice(3)).toEqual([])
  })

  test('gives the first location its address', async () => {
    const shop = await openShop()
    expect(await asked(shop, 'PUT', [{ id: 1, address: { city: 'Copenhagen' } }])).toMatchObject({
      status: 422,
      body: invalid({
        '0.address.address1': 'error.path.missing',
        '0.address.country_code': 'error.path.missing',
        '0.address.email': 'error.path.missing',
        '0.address.geo_coordinates': 'error.path.missing',
        '0.address.state': 'error.path.missing',
        '0.address.zip': 'error.path.missing',
      }),
    })
    expect(await asked(shop, 'PUT', [{ id: 1, address }])).toEqual(made)
    expect(await list(shop)).toMatchObject([{ id: 1, address }])
  })
})

describe('all mistakes are reported together, and nothing is stored', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await asked(shop, 'POST', [
      { ...harbour, code: 'Taken' },
      { label: 'V', code: 'V', type_id: 'VIRTUAL' },
    ])
  })

  const missing = 'error.path.missing'
  const early = 'closing must be later than opening; 24:00 is midnight.'
  const hours = (opening: string, closing: string) => ({ sunday: { open: true, opening, closing } })
  const fair = { label: 'Fair', date: '2026-08-01', open: false }

  test.each([
    ['POST', [{ address }], { '0.label': missing }],
    ['POST', [harbour, { label: 'Nowhere' }], { '1.address': missing }],
    ['POST', [{ label: 'N', address: { ...address, zip: undefined } }], { '0.address.zip': missing }],
    [
      'POST',
      [{ ...harbour, label: 'x'.repeat(256) }],
      { '0.label': 'label must have at most 255 characters, not 256.' },
    ],
    [
      'POST',
      [{ ...harbour, address: { ...address, geo_coordinates: { latitude: 90.1, longitude: -180.1 } } }],
      {
        '0.address.geo_coordinates.latitude': 'latitude must be at most 90, not 90.1.',
        '0.address.geo_coordinates.longitude': 'longitude must be at least -180, not -180.1.',
      },
    ],
    [
      'POST',
      [{ ...harbour, address: { ...address, country_code: 'XX' } }],
      { '0.address.country_code': 'XX is not a country of ISO 3166-1.' },
    ],
    [
      'POST',
      [
        { ...harbour, code: 'tAKEN' },
        { ...harbour, code: 'new' },
        { ...harbour, code: 'NEW' },
      ],
      { '0.code': 'The location 2 has the code tAKEN.', '2.code': 'Another item has this code.' },
    ],
    [
      'POST',
      [
        { ...harbour, time_zone: 'Mars/Olympus' },
        { ...harbour, time_zone: '+02:00' },
      ],
      {
        '0.time_zone': 'time_zone must be a name of the IANA database, not Mars/Olympus.',
        '1.time_zone': 'time_zone must be a name of the IANA database, not +02:00.',
      },
    ],
    ['POST', [{ ...harbour, operating_hours: hours('18:00', '02:00') }], { '0.operating_hours.sunday.closing': early }],
    ['POST', [{ ...harbour, operating_hours: hours('08:00', '08:00') }], { '0.operating_hours.sunday.closing': early }],
    [
      'POST',
      [{ ...harbour, operating_hours: hours('8:00', '24:01') }],
      {
        '0.operating_hours.sunday.opening': 'opening is not well formed: "8:00".',
        '0.operating_hours.sunday.closing': 'closing is not well formed: "24:01".',
      },
    ],
    [
      'POST',
      [{ ...harbour, special_hours: [fair, { ...fair, open: true }, { ...fair, date: '2026-02-29' }] }],
      { '0.special_hours.2.date': 'date must be a date, not "2026-02-29".' },
    ],
    [
      'POST',
      [{ ...harbour, special_hours: [fair, { ...fair, open: true }] }],
      { '0.special_hours.1.date': 'Another item has this date.', '0.special_hours.1.closing': early },
    ],
    ['PUT', [{ label: 'No id' }], { '0.id': missing }],
    ['PUT', [{ id: 99, label: 'Gone' }], { '0.id': 'The location 99 does not exist.' }],
    ['PUT', [{ id: 2 }, { id: 2 }], { '1.id': 'Another item has this id.' }],
    ['PUT', [{ id: 1, enabled: false }], { '0.enabled': 'The first location stays enabled.' }],
    ['PUT', [{ id: 3, code: 'TAKEN' }], { '0.code': 'The location 2 has the code TAKEN.' }],
    ['PUT', [{ id: 3, type_id: 'PHYSICAL' }], { '0.address': missing }],
  ])('%s %j', async (method, body, errors) => {
    const before = await list(shop)
    expect(await asked(shop, method, body)).toMatchObject({ status: 422, body: invalid(errors) })
    expect(await list(shop)).toEqual(before)
  })

  test('a list of more than 50, or an empty one', async () => {
    const many = Array.from({ length: 51 }, () => harbour)
    expect(await asked(shop, 'POST', many)).toMatchObject({ status: 413 })
    expect(
      await asked(
        shop,
        'PUT',
        many.map((_, i) => ({ id: i + 1 })),
      ),
    ).toMatchObject({ status: 413 })
    expect(await asked(shop, 'POST', [])).toMatchObject({ status: 422 })
  })

  test('a location may send its own code in other letters', async () => {
    expect(await asked(shop, 'PUT', [{ id: 2, code: 'TAKEN' }])).toEqual(made)
    expect(await ids(shop, '?location_code:in=taken')).toEqual([2])
  })
})

test('a store has at most 100 enabled locations, and any number of others', async () => {
  const shop = await openShop()
  const virtual = (enabled: boolean) => (_: unknown, i: number) => ({ label: `L${i}`, type_id: 'VIRTUAL', enabled })
  await asked(shop, 'POST', Array.from({ length: 50 }, virtual(true)))
  expect(await asked(shop, 'POST', Array.from({ length: 50 }, virtual(true)))).toMatchObject({
    status: 403,
    body: problem(403, 'A store can have at most 100 active locations.'),
  })
  expect(await asked(shop, 'POST', [...Array.from({ length: 49 }, virtual(true)), virtual(false)(0, 0)])).toEqual(made)
  expect(await asked(shop, 'PUT', [{ id: 101, enabled: true }])).toMatchObject({ status: 403 })
  expect(
    await asked(shop, 'PUT', [
      { id: 101, enabled: true },
      { id: 100, enabled: false },
    ]),
  ).toEqual(made)
  expect(await ids(shop, '?is_active=true&limit=1000')).toHaveLength(100)
})

describe('a deletion', () => {
  test('takes locations with their metafields, without events', async () => {
    const shop = await openShop()
    await asked(shop, 'POST', [harbour, harbour, harbour])
    const metafield = { namespace: 'n', key: 'k', value: 'v', permission_set: 'read' }
    await shop.call('POST', `${PATH}/3/metafields`, metafield)
    const before = await eventsOf(shop)
    const { status, body } = await shop.call('DELETE', `${PATH}?location_id:in=2,3`)
    expect({ status, body }).toEqual(made)
    expect(await ids(shop, '')).toEqual([1, 4])
    expect(await rowsOf(shop, 'metafields')).toEqual([])
    expect(await eventsOf(shop)).toEqual(before)
  })

  test.each([
    ['', 422, 'The query is not valid: location_id:in is missing.'],
    ['?location_id:in=2,99', 404, 'The location 99 does not exist.'],
    ['?location_id:in=2,1', 422, 'Default location sends the orders of the store: the location 1 cannot be deleted.'],
  ])('of %s is refused, and all stay', async (query, status, title) => {
    const shop = await openShop()
    await asked(shop, 'POST', [harbour])
    expect(await shop.call('DELETE', `${PATH}${query}`)).toMatchObject({ status, body: problem(status, title) })
    expect(await ids(shop, '')).toEqual([1, 2])
  })
})

test('50 requests run at once in a store; one more waits, and is refused after a second (429)', async () => {
  const shop = await openShop()
  const release = await holdTable(shop, 'locations')
  const answers = Array.from({ length: 51 }, () => shop.call('GET', PATH))
  expect(await Promise.race(answers)).toMatchObject({ status: 429, body: problem(429, 'Too many requests') })
  await release()
  expect((await Promise.all(answers)).filter(({ status }) => status === 200)).toHaveLength(50)
})
