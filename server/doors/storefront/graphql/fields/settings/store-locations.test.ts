import { beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'

let shop: Shop
let token: string
const ask = async (query: string) => (await askStorefront(shop, { token, query })).body
const codesFor = async (args: string) => {
  const { data, errors } = await ask(`{ inventory { locations${args} { edges { node { code } } } } }`)
  expect(errors, args).toBeUndefined()
  return data.inventory.locations.edges.map(({ node }: { node: { code: string } }) => node.code)
}

const placeIn = (city: string, state: string, country_code: string, [latitude, longitude]: [number, number]) => ({
  address1: '1 Main Street',
  city,
  state,
  zip: '1000',
  email: 'shop@example.com',
  geo_coordinates: { latitude, longitude },
  country_code,
})

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'storefront')
  const locations = [
    {
      code: 'AUSTIN',
      label: 'Austin',
      description: 'By the river',
      address: placeIn('Austin', 'TX', 'US', [30.2672, -97.7431]),
      time_zone: 'America/Chicago',
      operating_hours: { monday: { open: true, opening: '09:00', closing: '17:30' } },
      special_hours: [
        { label: 'Fair', date: '2026-07-04', open: true, opening: '10:00', closing: '24:00' },
        { label: 'Christmas', date: '2020-12-25', open: false, annual: true },
        { label: 'Inventory', date: '2026-03-08', open: true, all_day: true },
      ],
    },
    { code: 'DALLAS', label: 'Dallas', address: placeIn('Dallas', 'TX', 'US', [32.7767, -96.797]) },
    { code: 'WIEN', label: 'Wien', address: placeIn('Wien', '', 'AT', [48.2082, 16.3738]) },
    { code: 'HIDDEN', label: 'Hidden', address: placeIn('Wien', '', 'AT', [48.2, 16.4]), storefront_visibility: false },
    { code: 'OFF', label: 'Off', address: placeIn('Wien', '', 'AT', [48.2, 16.4]), enabled: false },
  ]
  const made = await shop.call('POST', '/inventory/locations', locations)
  expect(made.status, made.text).toBe(200)
  const { body } = await shop.call('GET', '/inventory/locations?location_code:in=AUSTIN')
  const noted = await shop.call('POST', `/inventory/locations/${body.data[0].id}/metafields`, {
    key: 'floor',
    value: '2',
    namespace: 'house',
    permission_set: 'read_and_sf_access',
  })
  expect(noted.status, noted.text).toBe(200)
})

describe('the locations of a store', () => {
  test('have their address, hours and metafields; special days are moments by the clock of the place', async () => {
    const { data } = await ask(`{ inventory { locations(codes: ["AUSTIN"]) { edges { node {
      code label description typeId serviceTypeIds timeZone distance { value }
      address { code label description address1 address2 city stateOrProvince countryCode postalCode phone email latitude longitude }
      operatingHours { monday { open opening closing } sunday { open opening closing } }
      specialHours { label open opening closing } blackoutHours { label open opening closing }
      metafields(namespace: "house") { edges { node { key value } } } } } } } }`)
    const closed = { label: 'Christmas', open: false, opening: null, closing: null }
    expect(data.inventory.locations.edges.map(({ node }: { node: object }) => node)).toEqual([
      {
        code: 'AUSTIN',
        label: 'Austin',
        description: 'By the river',
        typeId: 'PHYSICAL',
        serviceTypeIds: [],
        timeZone: 'America/Chicago',
        distance: null,
        address: {
          code: 'AUSTIN',
          label: 'Austin',
          description: 'By the river',
          address1: '1 Main Street',
          address2: '',
          city: 'Austin',
          stateOrProvince: 'TX',
          countryCode: 'US',
          postalCode: '1000',
          phone: '',
          email: 'shop@example.com',
          latitude: 30.2672,
          longitude: -97.7431,
        },
        operatingHours: {
          monday: { open: true, opening: '09:00', closing: '17:30' },
          sunday: { open: false, opening: '00:00', closing: '00:00' },
        },
        specialHours: [
          { label: 'Fair', open: true, opening: '2026-07-04T15:00:00.000Z', closing: '2026-07-05T05:00:00.000Z' },
          closed,
          // The clocks change on this day: it has 23 hours.
          { label: 'Inventory', open: true, opening: '2026-03-08T06:00:00.000Z', closing: '2026-03-09T05:00:00.000Z' },
        ],
        blackoutHours: [closed],
        metafields: { edges: [{ node: { key: 'floor', value: '2' } }] },
      },
    ])
  })

  test.each([
    ['', ['SVC-LOCATION-1', 'AUSTIN', 'DALLAS', 'WIEN']],
    ['(first: 2)', ['SVC-LOCATION-1', 'AUSTIN']],
    ['(entityIds: [1, 99])', ['SVC-LOCATION-1']],
    ['(codes: ["WIEN", "HIDDEN", "OFF"])', ['WIEN']],
    ['(typeIds: ["VIRTUAL"])', []],
    ['(serviceTypeIds: ["x"])', []],
    ['(countryCodes: [AT])', ['WIEN']],
    ['(states: ["tx"])', ['AUSTIN', 'DALLAS']],
    ['(states: ["TX"], cities: ["dallas"])', ['DALLAS']],
    [
      '(distanceFilter: { latitude: 32.7, longitude: -96.8, radius: 400, lengthUnit: Kilometres })',
      ['DALLAS', 'AUSTIN'],
    ],
    ['(distanceFilter: { latitude: 32.7, longitude: -96.8, radius: 100, lengthUnit: Miles })', ['DALLAS']],
  ])('are chosen by %s', async (args, codes) => {
    expect(await codesFor(args)).toEqual(codes)
  })

  test('are at a distance of the point in its unit', async () => {
    const { data } = await ask(`{ inventory { locations(
      distanceFilter: { latitude: 30.2672, longitude: -97.7431, radius: 400, lengthUnit: Miles }
    ) { edges { node { code distance { value lengthUnit } } } } } }`)
    expect(data.inventory.locations.edges.map(({ node }: { node: object }) => node)).toEqual([
      { code: 'AUSTIN', distance: { value: 0, lengthUnit: 'Miles' } },
      { code: 'DALLAS', distance: { value: expect.closeTo(182, 0), lengthUnit: 'Miles' } },
    ])
  })

  test.each([
    ['radius: -1, latitude: 0, longitude: 0', 'radius must not be negative.'],
    ['radius: 1, latitude: 91, longitude: 0', 'latitude must be -90 to 90.'],
    ['radius: 1, latitude: 0, longitude: -181', 'longitude must be -180 to 180.'],
  ])('a point that is nowhere is refused: %s', async (point, message) => {
    const { errors } = await ask(
      `{ inventory { locations(distanceFilter: { ${point}, lengthUnit: Miles }) { edges { cursor } } } }`,
    )
    expect(errors).toMatchObject([{ message }])
  })
})
