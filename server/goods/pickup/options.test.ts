import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { invalid } from '../../test/document/expected.ts'
import { openShop, openStaffedShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { distanceMm, type Point, UNITS } from './distance.ts'

// docs/contract/pickup.md section 3.

const LOCATIONS = '/inventory/locations'
const ITEMS = '/inventory/adjustments/absolute'

/** The center of the worked examples, and a latitude that is one kilometre further north. */
const center = { latitude: 30.2672, longitude: -97.7431 }
const KM = 180 / (Math.PI * 6371.0088)
const north = (km: number) => ({ ...center, latitude: center.latitude + km * KM })

const address = { address1: '1 Main Street', city: 'Austin', state: 'TX', zip: '78701', country_code: 'US' }
const locationAt = (geo_coordinates: object, fields: object = {}) => ({
  label: 'A shop',
  address: { ...address, email: 'shop@example.com', geo_coordinates },
  ...fields,
})
const radius = (value: number, unit = 'KM') => ({ value, unit })
const search = (items: unknown, { coordinates = center, within = radius(40) } = {}) => ({
  search_area: { coordinates, radius: within },
  items,
})
const want = (...pairs: [variant_id: number, quantity: number][]) =>
  pairs.map(([variant_id, quantity]) => ({ variant_id, quantity }))

const ask = async ({ call }: Shop, body: unknown) => {
  const { status, body: answered } = await call('POST', '/pickup/options', body)
  return { status, body: answered }
}
/** The found methods, location by location. */
async function found(shop: Shop, body: unknown): Promise<number[][]> {
  const { status, body: answered } = await ask(shop, body)
  expect([status, answered.errors]).toEqual([200, undefined])
  expect(answered.results).toEqual(answered.data)
  type Option = { pickup_method: { id: number } }
  return answered.data.map(({ pickup_options }: { pickup_options: Option[] }) =>
    pickup_options.map(({ pickup_method }) => pickup_method.id),
  )
}

/** Products 1 to 3 with the variants 1 to 3; the first two are tracked, the third is not. */
async function openShelves(): Promise<Shop> {
  const shop = await openShop()
  for (const inventory_tracking of ['product', 'variant', 'none']) {
    const name = `Tracked by ${inventory_tracking}`
    await shop.call('POST', '/catalog/products', { name, type: 'physical', weight: 1, price: 1, inventory_tracking })
  }
  return shop
}

const stock = (shop: Shop, ...rows: [location_id: number, product_id: number, quantity: number][]) =>
  succeeds(
    shop.call('PUT', ITEMS, {
      items: rows.map(([location_id, product_id, quantity]) => ({ location_id, product_id, quantity })),
    }),
  )
const settings = (shop: Shop, location: number, product_id: number, given: object) =>
  succeeds(shop.call('PUT', `${LOCATIONS}/${location}/items`, { settings: [{ identity: { product_id }, ...given }] }))
const methods = (shop: Shop, ...locationIds: number[]) =>
  succeeds(
    shop.call(
      'POST',
      '/pickup/methods',
      locationIds.map((location_id) => ({ location_id, name: `Counter of ${location_id}` })),
    ),
  )
async function succeeds(answer: ReturnType<Shop['call']>) {
  const { status, text } = await answer
  expect(status, text).toBe(200)
}

describe('the worked examples', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShelves()
    await shop.call('POST', LOCATIONS, [locationAt({ latitude: 30.4045, longitude: -97.84956 }), locationAt(north(3))])
    await methods(shop, 2, 3)
    await stock(shop, [2, 1, 5], [2, 2, 0], [3, 1, 1], [3, 2, 4])
  })
  const [two, three] = [[1], [2]]

  test('O1: only the location with all items', async () => {
    expect(await ask(shop, search(want([1, 1], [2, 2]), { within: radius(25, 'MI') }))).toEqual({
      status: 200,
      body: {
        data: [
          {
            pickup_options: [
              {
                pickup_method: {
                  id: 2,
                  location_id: 3,
                  name: 'Counter of 3',
                  display_name: 'Counter of 3',
                  collection_instructions: '',
                  collection_time_description: '',
                },
                available_items: want([1, 1], [2, 2]),
              },
            ],
          },
        ],
        results: [expect.anything()],
        meta: {},
      },
    })
    expect(await found(shop, search(want([1, 1], [2, 2])))).toEqual([three])
  })

  test.each([
    ['O2: only the location that has enough', want([1, 2]), {}, [two]],
    ['O3: at exactly the radius is inside', want([1, 1]), { within: radius(3) }, [three]],
    ['beyond the radius', want([1, 1]), { within: radius(2.999999) }, []],
    ['O5: what is not tracked is everywhere', want([3, 1_000]), {}, [three, two]],
    ['the nearest comes first', want([1, 1]), {}, [three, two]],
    ['18.370 km', want([1, 2]), { within: radius(18.371) }, [two]],
    ['but not less', want([1, 2]), { within: radius(18.369) }, []],
    ['11.415 miles', want([1, 2]), { within: radius(11.416, 'MI') }, [two]],
    ['and not less', want([1, 2]), { within: radius(11.414, 'MI') }, []],
    [
      'all the way round',
      want([1, 2]),
      { coordinates: { latitude: -90, longitude: 0 }, within: radius(20_038) },
      [two],
    ],
    ['nobody has it', want([2, 5]), {}, []],
    ['quantities of a variant add up', want([1, 3], [3, 1], [1, 2]), {}, [two]],
    ['and are too many together', want([1, 3], [1, 3]), {}, []],
    ['as many as can be said', want(...Array(250).fill([1, 2_147_483_647])), {}, []],
  ])('%s', async (_, items, area, expected) => {
    expect(await found(shop, search(items, area))).toEqual(expected)
  })

  test('a variant that is named twice is answered once', async () => {
    const { body } = await ask(shop, search(want([1, 3], [3, 1], [1, 2])))
    expect(body.data[0].pickup_options[0].available_items).toEqual(want([1, 5], [3, 1]))
  })

  test('O4: safety stock is not for sale', async () => {
    await settings(shop, 2, 1, { safety_stock: 5 })
    expect(await found(shop, search(want([1, 1])))).toEqual([three])
    await settings(shop, 2, 1, { safety_stock: 4 })
    expect(await found(shop, search(want([1, 1])))).toEqual([three, two])
  })

  test('O8: an item that is marked as out of stock is left out with any amount', async () => {
    await settings(shop, 3, 2, { is_in_stock: false })
    expect(await found(shop, search(want([2, 1])))).toEqual([])
    await settings(shop, 3, 2, { is_in_stock: true })
    expect(await found(shop, search(want([2, 1])))).toEqual([three])
  })

  test('O6: a disabled location offers nothing; one that is hidden on the storefront does', async () => {
    await shop.call('PUT', LOCATIONS, [
      { id: 3, enabled: false },
      { id: 2, storefront_visibility: false },
    ])
    expect(await found(shop, search(want([1, 1])))).toEqual([two])
    await shop.call('PUT', LOCATIONS, [{ id: 3, enabled: true }])
    expect(await found(shop, search(want([1, 1])))).toEqual([three, two])
  })
})

test('O7: at most ten methods, the nearest, by the ids of location and method if they are equally far', async () => {
  const shop = await openShelves()
  // The first two are at one address, the third is nearer, the fourth has no method, the fifth has no address.
  await shop.call('POST', LOCATIONS, [
    locationAt(north(2)),
    locationAt(north(2)),
    locationAt(north(1)),
    locationAt(center),
    { label: 'Supplier', type_id: 'VIRTUAL' },
  ])
  await methods(shop, 3, 2, 4, 3, 2, 4, 3, 2, 4, 3, 2, 4, 6, 1)
  expect(await found(shop, search(want([3, 1])))).toEqual([
    [3, 6, 9, 12],
    [2, 5, 8, 11],
    [1, 4],
  ])
})

describe('variants of one product', () => {
  const values = ['Sand', 'Sea'].map((label) => ({ option_values: [{ option_display_name: 'Glaze', label }] }))

  test.each([
    [
      'are taken from one heap where it is counted as a whole',
      'product',
      [
        [1, 2],
        [2, 2],
      ],
      [],
    ],
    [
      '... as long as that lasts',
      'product',
      [
        [1, 1],
        [2, 2],
      ],
      [[1]],
    ],
    [
      'have their own where they are counted',
      'variant',
      [
        [1, 2],
        [2, 3],
      ],
      [[1]],
    ],
    [
      '... and only that',
      'variant',
      [
        [1, 3],
        [2, 1],
      ],
      [],
    ],
  ] as const)('%s', async (_, inventory_tracking, wanted, expected) => {
    const shop = await openShop()
    const variants = values.map((value, i) => ({ ...value, sku: `S${i}`, inventory_level: i + 2 }))
    const mug = { name: 'Mug', type: 'physical', weight: 1, price: 1, inventory_tracking }
    const level = inventory_tracking === 'product' ? { inventory_level: 3 } : {}
    await succeeds(shop.call('POST', '/catalog/products', { ...mug, ...level, variants }))
    await succeeds(shop.call('PUT', LOCATIONS, [{ id: 1, ...locationAt(center) }]))
    await methods(shop, 1)
    expect(
      await found(shop, search(want(...wanted.map(([id, quantity]): [number, number] => [id, quantity])))),
    ).toEqual(expected)
  })
})

describe('a search is refused', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShelves()
  })
  const missing = 'error.path.missing'
  const items = want([1, 1])
  const area = search(items).search_area

  test.each([
    [{}, { search_area: missing, items: missing }],
    [
      { search_area: {}, items },
      { 'search_area.coordinates': missing, 'search_area.radius': missing },
    ],
    [
      { search_area: { coordinates: {}, radius: {} }, items: [{}] },
      {
        'search_area.coordinates.latitude': missing,
        'search_area.coordinates.longitude': missing,
        'search_area.radius.value': missing,
        'search_area.radius.unit': missing,
        'items.0.variant_id': missing,
        'items.0.quantity': missing,
      },
    ],
    [
      search(items, { coordinates: { latitude: 90.001, longitude: -180.001 }, within: radius(0, 'km') }),
      {
        'search_area.coordinates.latitude': 'latitude must be at most 90, not 90.001.',
        'search_area.coordinates.longitude': 'longitude must be at least -180, not -180.001.',
        'search_area.radius.value': 'value must be > 0, not 0.',
        'search_area.radius.unit': 'unit must be one of KM, MI, not "km".',
      },
    ],
    [
      search([...want([99, 1], [1, 1], [98, 1])], { within: radius(12_452, 'MI') }),
      {
        'items.0.variant_id': 'The variant 99 does not exist.',
        'items.2.variant_id': 'The variant 98 does not exist.',
        'search_area.radius.value': 'The radius must be at most 20038 km, not 12452 MI.',
      },
    ],
    [{ search_area: area, items: [] }, { items: 'items must hold at least 1.' }],
    [{ search_area: area, items: want(...Array(251).fill([1, 1])) }, { items: 'items must hold at most 250.' }],
    [
      { search_area: area, items: want([1, 0], [1, 1.5], [0, 2_147_483_648]) },
      {
        'items.0.quantity': 'quantity must be at least 1, not 0.',
        'items.1.quantity': 'quantity must be a whole number, not 1.5.',
        'items.2.quantity': 'quantity must be at most 2147483647, not 2147483648.',
        'items.2.variant_id': 'variant_id must be at least 1, not 0.',
      },
    ],
  ])('%.60j', async (body, errors) => {
    expect(await ask(shop, body)).toEqual({ status: 422, body: invalid(errors) })
  })
})

test('a scope that reads is enough', async () => {
  const { call, readonly } = await openStaffedShop()
  const { status } = await call('POST', '/pickup/options', search(want([1, 1])), { as: readonly })
  expect(status, 'the variant is not there').toBe(422)
})

describe('the distance', () => {
  const point = (latitude: number, longitude: number) => ({ latitude, longitude })
  let db: Db
  beforeAll(async () => {
    db = await dbOf(await openShop())
  })

  test.each<[string, [Point, Point], { km: number; miles: number }]>([
    ['the example of the page', [point(30.2672, -97.7431), point(30.4045, -97.84956)], { km: 18.37, miles: 11.415 }],
    ['one degree of latitude', [point(0, 0), point(1, 0)], { km: 111.195, miles: 69.093 }],
    ['one degree of latitude at the pole', [point(89, 17), point(90, -120)], { km: 111.195, miles: 69.093 }],
    ['one degree of longitude at 60 north', [point(60, 10), point(60, 11)], { km: 55.597, miles: 34.546 }],
    ['over the antimeridian', [point(0, 179.9), point(0, -179.9)], { km: 22.239, miles: 13.819 }],
    ['the antimeridian by both names', [point(20, 180), point(20, -180)], { km: 0, miles: 0 }],
    ['over the pole', [point(89.9, 0), point(89.9, 180)], { km: 22.239, miles: 13.819 }],
    ['the pole, from any side', [point(90, 0), point(90, 77)], { km: 0, miles: 0 }],
    ['half round the globe', [point(0, 0), point(0, 180)], { km: 20_015.114, miles: 12_436.816 }],
    ['from pole to pole', [point(90, 0), point(-90, 0)], { km: 20_015.114, miles: 12_436.816 }],
    [
      'antipodes that rounding moves past the end',
      [point(-30.2672, 82.2569), point(30.2672, -97.7431)],
      { km: 20_015.114, miles: 12_436.816 },
    ],
    ['nowhere', [point(55.6798, 12.5914), point(55.6798, 12.5914)], { km: 0, miles: 0 }],
  ])('%s', async (_, [from, to], { km, miles }) => {
    const { there, back } = await db.row<{ there: number; back: number }>(sql`
      select ${distanceMm(from, sql`${to.latitude}::float8`, sql`${to.longitude}::float8`)} as there,
        ${distanceMm(to, sql`${from.latitude}::float8`, sql`${from.longitude}::float8`)} as back
      from locations where store_id = ${db.store.id} and id = 1`)
    expect(Number((there / UNITS.KM).toFixed(3))).toBe(km)
    expect(Number((there / UNITS.MI).toFixed(3))).toBe(miles)
    expect(back).toBe(there)
  })
})
