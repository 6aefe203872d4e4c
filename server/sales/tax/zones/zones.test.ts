import { beforeEach, describe, expect, test } from 'vitest'
import { invalid } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call = (method: string, query: string, body?: unknown) => shop.call(method, `/tax/zones${query}`, body)
const us = [{ country_code: 'US' }]
const zone = (name: string, locations: unknown = us, more: object = {}) => ({
  name,
  shopper_target_settings: { locations, ...more },
})
const create = (...zones: unknown[]) => call('POST', '', zones)
const ids = async (query = '') => (await call('GET', query)).body.data.map(({ id }: { id: number }) => id)

const noDisplay = { show_inclusive: false, show_both_on_detail_view: false, show_both_on_list_view: false }
const first = {
  id: 1,
  name: 'Default Tax Zone',
  enabled: true,
  price_display_settings: noDisplay,
  shopper_target_settings: { locations: [], customer_groups: [] },
}

describe('tax zones', () => {
  test('begin with the default zone, and are listed without pages', async () => {
    expect(await call('GET', '')).toMatchObject({ status: 200, body: { data: [first], meta: {} } })
    await create(zone('A'), zone('A'))
    expect(await ids()).toEqual([1, 2, 3])
    expect(await ids('?page=2&limit=1')).toEqual([1, 2, 3])
    expect(await ids('?id:in=3,1,9')).toEqual([1, 3])
    expect((await call('GET', '?include_fields=name&id:in=2')).body.data).toEqual([{ id: 2, name: 'A' }])
    expect((await call('GET', '?name=A')).status).toBe(422)
    expect((await call('GET', '?id:in=')).status).toBe(422)
    expect((await call('GET', '?limit=251')).status).toBe(413)
  })

  test('are answered with every location, group and display setting', async () => {
    const { body: group } = await shop.call('POST', '/customer_groups', { name: 'Trade' }, { version: 'v2' })
    const locations = [
      { country_code: 'us', subdivision_codes: ['ca', 'NY', 'CA'] },
      { country_code: 'CA', subdivision_codes: ['QC'] },
    ]
    const created = await create({
      ...zone('West', locations, { customer_groups: [0, group.id, 0] }),
      enabled: false,
      price_display_settings: { show_inclusive: true },
    })
    expect(created).toMatchObject({ status: 200, body: { meta: {} } })
    expect(created.body.data).toEqual([
      {
        id: 2,
        name: 'West',
        enabled: false,
        price_display_settings: { ...noDisplay, show_inclusive: true },
        shopper_target_settings: {
          locations: [
            { country_code: 'US', subdivision_codes: ['CA', 'NY'], postal_codes: [] },
            { country_code: 'CA', subdivision_codes: ['QC'], postal_codes: [] },
          ],
          customer_groups: [0, group.id],
        },
      },
    ])
    expect((await call('GET', '?id:in=2')).body.data).toEqual(created.body.data)
  })

  test('are changed in part, down to the inner fields, in the order of the body', async () => {
    const [before] = (await create(zone('US', [{ country_code: 'US', postal_codes: ['90210', '902*'] }]))).body.data
    const { body } = await call('PUT', '', [
      { id: 2, price_display_settings: { show_both_on_list_view: true } },
      { id: 2, shopper_target_settings: { customer_groups: [0] }, name: 'California' },
    ])
    const display = { ...noDisplay, show_both_on_list_view: true }
    const one = { ...before, price_display_settings: display }
    const { locations } = before.shopper_target_settings
    const other = { ...one, name: 'California', shopper_target_settings: { locations, customer_groups: [0] } }
    expect(body.data).toEqual([one, other])
    expect((await call('GET', '?id:in=2')).body.data).toEqual([other])
    const moved = await call('PUT', '', [{ id: 2, shopper_target_settings: { locations: us }, enabled: false }])
    expect(moved.body.data[0]).toMatchObject({
      enabled: false,
      shopper_target_settings: { locations: [{ country_code: 'US', postal_codes: [] }], customer_groups: [0] },
    })
  })

  test('are stored all or not at all', async () => {
    const answer = await create(zone('A'), zone('B', [{ country_code: 'XX' }]), zone(' '))
    expect(answer).toMatchObject({ status: 422 })
    const late = await create(zone('A'), zone('B', us, { customer_groups: [7] }))
    expect(late).toMatchObject({
      status: 422,
      body: invalid({ '1.shopper_target_settings.customer_groups.0': 'The customer group 7 does not exist.' }),
    })
    expect((await call('PUT', '', [{ id: 1, name: 'All' }, { id: 5 }])).body.errors).toEqual({
      '1.id': 'The tax zone 5 does not exist.',
    })
    expect((await call('GET', '')).body.data).toEqual([first])
  })

  const path = '0.shopper_target_settings.locations'
  test.each([
    ['no name', { shopper_target_settings: { locations: us } }, '0.name'],
    ['a name of 256 characters', zone('n'.repeat(256)), '0.name'],
    ['no target', { name: 'A' }, '0.shopper_target_settings'],
    ['no locations', { name: 'A', shopper_target_settings: {} }, path],
    ['an empty list of locations', zone('A', []), path],
    ['a location without a country', zone('A', [{}]), `${path}.0.country_code`],
    ['an unknown country', zone('A', [{ country_code: 'XX' }]), `${path}.0.country_code`],
    ['a country with three letters', zone('A', [{ country_code: 'USA' }]), `${path}.0.country_code`],
    [
      'a state with four letters',
      zone('A', [{ country_code: 'US', subdivision_codes: ['CALI'] }]),
      `${path}.0.subdivision_codes.0`,
    ],
    ['a blank postal code', zone('A', [{ country_code: 'US', postal_codes: [' '] }]), `${path}.0.postal_codes.0`],
    [
      'a postal code of 21 characters',
      zone('A', [{ country_code: 'US', postal_codes: ['9'.repeat(21)] }]),
      `${path}.0.postal_codes.0`,
    ],
    [
      'states and postal codes in one location',
      zone('A', [{ country_code: 'US', subdivision_codes: ['CA'], postal_codes: ['9'] }]),
      `${path}.0`,
    ],
    [
      'a country beside states',
      zone('A', [{ country_code: 'US', subdivision_codes: ['CA'] }, { country_code: 'CA' }]),
      `${path}.1`,
    ],
    [
      'postal codes of two countries',
      zone('A', [
        { country_code: 'US', postal_codes: ['9'] },
        { country_code: 'DE', postal_codes: ['1'] },
      ]),
      `${path}.1.country_code`,
    ],
    [
      'display settings without show_inclusive',
      { ...zone('A'), price_display_settings: {} },
      '0.price_display_settings.show_inclusive',
    ],
    ['null in place of a name', { ...zone('A'), name: null }, '0.name'],
    [
      '1,001 groups',
      zone('A', us, { customer_groups: Array(1_001).fill(0) }),
      '0.shopper_target_settings.customer_groups',
    ],
    ['a negative group', zone('A', us, { customer_groups: [-1] }), '0.shopper_target_settings.customer_groups.0'],
  ])('are refused with 422 for %s', async (_, body, field) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(String) } } })
  })

  test('with codes at the bounds of a zone are stored, and one more is 422', async () => {
    const codes = Array.from({ length: 10_001 }, (_, i) => String(i))
    const locations = (postal_codes: string[]) => [{ country_code: 'US', postal_codes }]
    expect((await create(zone('A', locations(codes)))).body.errors).toEqual({ [path]: expect.any(String) })
    expect((await create(zone('A', locations(codes.slice(1))))).status).toBe(200)
  })

  test('of a store have 50,000 codes at most: 403', async () => {
    const codes = Array.from({ length: 10_000 }, (_, i) => String(i))
    const full = zone('A', [{ country_code: 'US', postal_codes: codes }])
    for (let i = 0; i < 4; i++) expect((await create(full)).status).toBe(200)
    expect((await create(full, zone('B'))).status).toBe(403)
    expect((await create(full)).status).toBe(200)
    expect((await call('PUT', '', [{ id: 2, name: 'B' }])).status).toBe(200)
    expect((await create(zone('B'))).status).toBe(403)
    await call('PUT', '', [{ id: 2, shopper_target_settings: { locations: us } }])
    expect((await create(zone('B'))).status).toBe(200)
  })

  test('are 1,000 in a store with the default zone, and one more is 403', async () => {
    const some = (count: number) => create(...Array.from({ length: count }, (_, i) => zone(`Z${i}`)))
    for (let i = 0; i < 9; i++) await some(100)
    expect((await some(100)).status).toBe(403)
    expect((await some(99)).status).toBe(200)
    expect((await some(1)).status).toBe(403)
    expect((await some(101)).status).toBe(413)
    expect((await create()).status).toBe(422)
  })

  test('keep the default zone as it is, but for its name and display', async () => {
    const put = (changes: object) => call('PUT', '', [{ id: 1, ...changes }])
    expect((await put({ enabled: false })).body.errors).toEqual({ '0.enabled': expect.any(String) })
    for (const target of [{ locations: us }, { customer_groups: [0] }]) {
      const refused = await put({ shopper_target_settings: target })
      expect(refused).toMatchObject({
        status: 422,
        body: { errors: { '0.shopper_target_settings': expect.any(String) } },
      })
    }
    const same = { ...first, name: 'Elsewhere', price_display_settings: { show_inclusive: true } }
    expect((await put(same)).body.data).toEqual([
      { ...same, price_display_settings: { ...noDisplay, show_inclusive: true } },
    ])
  })

  test('are deleted with their rates, and settings that name them name zone 1: V2, V4, V5', async () => {
    await create(zone('A'), zone('B'))
    const rate = (tax_zone_id: number) => ({ name: 'State', tax_zone_id, class_rates: [{ rate: 5, tax_class_id: 0 }] })
    await shop.call('POST', '/tax/rates', [rate(2), rate(3), rate(1)])
    await shop.call('PUT', '/tax/settings', { store_tax_zone_id: 2, guest_shopper_tax_zone_id: 3 })
    for (const query of ['', '?id:in=', '?id:in=1', '?id:in=2,1', '?nam=A', '?id:in=two']) {
      expect((await call('DELETE', query)).status, query).toBe(422)
    }
    expect(await ids()).toEqual([1, 2, 3])
    expect((await call('DELETE', '?id:in=2,99')).status).toBe(204)
    expect(await ids()).toEqual([1, 3])
    const rates = (await shop.call('GET', '/tax/rates')).body.data
    expect(rates.map(({ tax_zone_id }: { tax_zone_id: number }) => tax_zone_id)).toEqual([3, 1])
    const settings = (await shop.call('GET', '/tax/settings')).body.data
    expect(settings).toMatchObject({ store_tax_zone_id: 1, guest_shopper_tax_zone_id: 3 })
  })

  test('lose a group that is deleted, and a zone of no other group serves nobody', async () => {
    const groups: number[] = []
    for (const name of ['Trade', 'Press']) {
      groups.push((await shop.call('POST', '/customer_groups', { name }, { version: 'v2' })).body.id)
    }
    const [trade = 0, press = 0] = groups
    await create(zone('Both', us, { customer_groups: groups }), zone('Trade', us, { customer_groups: [trade] }))
    expect((await shop.call('DELETE', `/customer_groups/${trade}`, undefined, { version: 'v2' })).status).toBe(204)
    expect((await call('GET', '?id:in=2,3')).body.data).toMatchObject([
      { enabled: true, shopper_target_settings: { customer_groups: [press] } },
      { enabled: false, shopper_target_settings: { customer_groups: [] } },
    ])
    const checked = await shop.call('POST', '/tax/zonecheck', [{ country_code: 'US' }])
    expect(checked.body.data[0].id).toBe(1)
  })
})

describe('the zone of an address', () => {
  const check = async (...places: object[]) => {
    const { status, body } = await shop.call('POST', '/tax/zonecheck', places)
    expect({ status, meta: body.meta }).toEqual({ status: 200, meta: {} })
    return body.data.map(({ id }: { id: number }) => id)
  }

  test('is the one of worked example X9, and follows a change at once', async () => {
    const groups = []
    for (let i = 1; i <= 7; i++) {
      groups.push((await shop.call('POST', '/customer_groups', { name: `G${i}` }, { version: 'v2' })).body.id)
    }
    await create(
      zone('US'),
      zone('US-CA', [{ country_code: 'US', subdivision_codes: ['CA'] }]),
      zone('US 902*', [{ country_code: 'US', postal_codes: ['902*'] }]),
      zone('US for 7', us, { customer_groups: [groups[6]] }),
    )
    const place = { country_code: 'US', subdivision_codes: 'CA', postal_code: '90210' }
    expect(await check(place, { ...place, customer_group_id: 7 }, { country_code: 'FR' })).toEqual([4, 5, 1])
    await call('PUT', '', [{ id: 4, enabled: false }])
    expect(await check(place)).toEqual([3])
    await call('DELETE', '?id:in=3')
    expect(await check(place)).toEqual([2])
  })

  test('is asked for by a reading scope, for 100 places at most', async () => {
    const places = (count: number) => Array.from({ length: count }, () => ({ country_code: 'us' }))
    expect(await check(...places(100))).toEqual(Array(100).fill(1))
    const post = (body: unknown) => shop.call('POST', '/tax/zonecheck', body)
    expect((await post(places(101))).status).toBe(413)
    expect((await post([])).status).toBe(422)
    expect((await post([{}])).body.errors).toEqual({ '0.country_code': 'error.path.missing' })
    expect((await post([{ country_code: 'U1' }])).status).toBe(422)
    expect((await post([{ country_code: 'US', customer_group_id: -1 }])).status).toBe(422)
  })
})
