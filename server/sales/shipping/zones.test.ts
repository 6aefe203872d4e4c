import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { zoneAt } from './parcels/matching.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call: Shop['call'] = (method, path, body, options) => shop.call(method, path, body, { version: 'v2', ...options })
const create = (fields: object = {}) => call('POST', '/shipping/zones', { name: 'States', type: 'country', ...fields })
const country = (country_iso2: string) => ({ locations: [{ country_iso2 }] })
const createGlobal = () => create({ name: 'World', type: 'global' })

/** The name of the zone that serves an address. */
async function zoneOf(country_iso2: string, state_iso2 = '', zip = ''): Promise<string | undefined> {
  const { directory } = (await theHouse()).installation
  const found = await zoneAt(directory.cellOf(shop.store).api.of(shop.store), { country_iso2, state_iso2, zip })
  const id = found?.zone.id
  return id === undefined ? undefined : (await call('GET', `/shipping/zones/${id}`)).body.name
}

describe('a shipping zone', () => {
  test('is answered whole', async () => {
    const { status, body } = await create({
      name: 'Manhattan',
      type: 'zip',
      locations: [{ zip: ' 100* ', country_iso2: 'us' }],
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: 1,
      name: 'Manhattan',
      type: 'zip',
      locations: [{ id: 1, zip: '100*', country_iso2: 'US' }],
      free_shipping: { enabled: false, minimum_sub_total: '0.0000', exclude_fixed_shipping_products: false },
      handling_fees: { fixed_surcharge: '0.0000', display_separately: true },
      enabled: true,
    })
    expect((await call('GET', '/shipping/zones/1')).body).toEqual(body)
    expect((await call('GET', '/shipping/zones')).body).toEqual([body])
  })

  test('keeps fees and free shipping as they were given', async () => {
    const { body } = await create({
      ...country('DK'),
      free_shipping: { enabled: true, minimum_sub_total: '49.9', exclude_fixed_shipping_products: true },
      handling_fees: { percentage_surcharge: '2.5', display_separately: false },
    })
    expect(body.free_shipping).toEqual({
      enabled: true,
      minimum_sub_total: '49.9000',
      exclude_fixed_shipping_products: true,
    })
    expect(body.handling_fees).toEqual({ percentage_surcharge: '2.5000', display_separately: false })
  })

  test('changes the given fields and gives new ids to replaced locations', async () => {
    await create({ ...country('DK'), handling_fees: { fixed_surcharge: 5 }, free_shipping: { enabled: true } })
    const { body } = await call('PUT', '/shipping/zones/1', {
      name: 'Nordic',
      locations: [{ country_iso2: 'SE' }, { country_iso2: 'NO' }],
      free_shipping: { minimum_sub_total: 20 },
      handling_fees: { display_separately: false },
    })
    expect(body).toMatchObject({
      name: 'Nordic',
      type: 'country',
      locations: [
        { id: 2, country_iso2: 'SE' },
        { id: 3, country_iso2: 'NO' },
      ],
      free_shipping: { enabled: true, minimum_sub_total: '20.0000' },
      handling_fees: { fixed_surcharge: '5.0000', display_separately: false },
    })
    const renamed = await call('PUT', '/shipping/zones/1', { name: 'North', enabled: false })
    expect(renamed.body).toEqual({ ...body, name: 'North', enabled: false })
  })

  test('is deleted with its methods', async () => {
    await create(country('DK'))
    await call('POST', '/shipping/zones/1/methods', { name: 'Flat', type: 'perorder', settings: { rate: 5 } })
    expect((await call('DELETE', '/shipping/zones/1')).status).toBe(204)
    expect((await call('GET', '/shipping/methods')).status).toBe(204)
    expect((await call('GET', '/shipping/zones')).status).toBe(204)
    expect((await call('DELETE', '/shipping/zones/1')).status).toBe(404)
  })

  test.each([
    ['has no name', { type: 'global' }, 'name'],
    ['has no type', { name: 'A' }, 'type'],
    ['has an unknown type', { name: 'A', type: 'moon' }, 'type'],
    ['has no locations', { name: 'A', type: 'country' }, 'locations'],
    ['is global and has locations', { name: 'A', type: 'global', ...country('DK') }, 'locations'],
    ['names an unknown country', { name: 'A', type: 'country', ...country('XX') }, 'locations.0.country_iso2'],
    [
      'names a state that the country does not have',
      { name: 'A', type: 'state', locations: [{ country_iso2: 'US', state_iso2: 'XX' }] },
      'locations.0.state_iso2',
    ],
    ['lacks a postal code', { name: 'A', type: 'zip', ...country('US') }, 'locations.0.zip'],
    [
      'has two handling fees',
      { name: 'A', type: 'global', handling_fees: { fixed_surcharge: 1, percentage_surcharge: 1 } },
      'handling_fees',
    ],
    [
      'charges more than everything',
      { name: 'A', type: 'global', handling_fees: { percentage_surcharge: 100.1 } },
      'handling_fees.percentage_surcharge',
    ],
    [
      'has a negative minimum',
      { name: 'A', type: 'global', free_shipping: { minimum_sub_total: -1 } },
      'free_shipping.minimum_sub_total',
    ],
  ])('is refused if it %s', async (_, body, field) => {
    const refused = await call('POST', '/shipping/zones', body)
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body[0].details)).toEqual([field])
    expect((await call('GET', '/shipping/zones')).status).toBe(204)
  })

  test('refuses a written id', async () => {
    const { status, body } = await create({ id: 7, ...country('DK') })
    expect([status, body[0].message]).toEqual([
      400,
      "The field 'id' cannot be written to. Please remove it from your request before trying again.",
    ])
  })

  test('is the only global one', async () => {
    await createGlobal()
    expect((await createGlobal()).status).toBe(409)
    await create(country('DK'))
    expect((await call('PUT', '/shipping/zones/2', { name: 'A', type: 'global' })).status).toBe(409)
  })

  test('needs new locations when its type changes', async () => {
    await create(country('US'))
    expect((await call('PUT', '/shipping/zones/1', { name: 'A', type: 'zip' })).status).toBe(400)
    const moved = await call('PUT', '/shipping/zones/1', {
      name: 'A',
      type: 'state',
      locations: [{ country_iso2: 'US', state_iso2: 'NY' }],
    })
    expect(moved.body.locations).toEqual([{ id: 2, country_iso2: 'US', state_iso2: 'NY' }])
  })
})

describe('the limits', () => {
  test('allow 40,000 postal codes in a store and no more', async () => {
    const zips = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({ zip: String(10_000 + from + i), country_iso2: 'US' }))
    expect((await create({ type: 'zip', locations: zips(0, 39_999) })).status).toBe(201)
    expect((await create({ type: 'zip', locations: zips(40_000, 2) })).status).toBe(403)
    expect((await create({ type: 'zip', locations: zips(40_000, 1) })).status).toBe(201)
    expect(await zoneOf('US', 'NY', '12345')).toBe('States')
    expect((await call('PUT', '/shipping/zones/2', { name: 'B', locations: zips(40_000, 2) })).status).toBe(403)
    expect((await call('GET', '/shipping/zones/2')).body.locations).toHaveLength(1)
  })

  test('allow 1,000 zones and no more', async () => {
    await create(country('DK'))
    await addToTotal(998)
    expect((await create(country('SE'))).status).toBe(201)
    expect((await create(country('NO'))).status).toBe(403)
    await addToTotal(-998)
  })
})

/** Makes the counter of zones say that there are more or less of them. */
async function addToTotal(count: number) {
  const { directory } = (await theHouse()).installation
  const db = directory.cellOf(shop.store).api.of(shop.store)
  await db.transaction((tx) =>
    tx.rows(sql`
      update counters set total = total + ${count} where store_id = ${tx.store.id} and resource = 'shipping_zones'
      returning total`),
  )
}

describe('an address is served by', () => {
  beforeEach(async () => {
    await createGlobal()
    await create({ name: 'US', ...country('US') })
    await create({ name: 'NY', type: 'state', locations: [{ country_iso2: 'US', state_iso2: 'NY' }] })
    await create({ name: '11103', type: 'zip', locations: [{ country_iso2: 'US', zip: '11103' }] })
  })

  // docs/contract/shipping.md section 8, S9.
  test.each([
    ['the zone of its postal code', ['US', 'NY', '11103'], '11103'],
    ['the zone of its state', ['US', 'NY', '10001'], 'NY'],
    ['the zone of its country', ['US', 'TX', '73301'], 'US'],
    ['the global zone', ['MX', '', '01000'], 'World'],
  ] as const)('%s', async (_, [of, state, zip], name) => {
    expect(await zoneOf(of, state, zip)).toBe(name)
  })

  test('an enabled zone only', async () => {
    await call('PUT', '/shipping/zones/4', { name: '11103', enabled: false })
    expect(await zoneOf('US', 'NY', '11103')).toBe('NY')
    await call('PUT', '/shipping/zones/1', { name: 'World', enabled: false })
    expect(await zoneOf('MX')).toBeUndefined()
  })

  test('the lowest id of several zones of one type', async () => {
    await create({ name: 'second', type: 'zip', locations: [{ country_iso2: 'US', zip: '111*' }] })
    expect(await zoneOf('US', 'NY', '11103')).toBe('11103')
    expect(await zoneOf('US', 'NY', '11104')).toBe('second')
  })

  test.each([
    ['*', 'XYZ'],
    ['SW1A 1AA', 'sw1a1aa'],
    ['sw1?', 'SW12'],
    ['?9*', '19-77'],
  ])('the pattern %s for the postal code %s', async (pattern, zip) => {
    await create({ name: 'pattern', type: 'zip', locations: [{ country_iso2: 'GB', zip: pattern }] })
    expect(await zoneOf('GB', '', zip)).toBe('pattern')
  })
})
