import { beforeEach, describe, expect, test } from 'vitest'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { type TaxShopper, taxZonesOf, zoneOfShopper } from './shopper.ts'
import { taxTables } from './tables.ts'
import { taxBasis, taxOf, totalTax } from './tax-of.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  const zone = (name: string, more: object) => ({ name, shopper_target_settings: more })
  const us = { country_code: 'US' }
  await shop.call('POST', '/customer_groups', { name: 'Trade' }, { version: 'v2' })
  await shop.call('POST', '/tax/zones', [
    zone('US', { locations: [us] }),
    zone('California', { locations: [{ ...us, subdivision_codes: ['CA'] }] }),
    zone('Trade in Germany', { locations: [{ country_code: 'DE' }], customer_groups: [1] }),
  ])
})

const address = (country_code: string, state = '', postal_code = '') => ({ country_code, state, postal_code })
const guest = (where?: TaxShopper['address']): TaxShopper => ({ address: where, customer_group_id: 0 })
const zoneOf = async (shopper: TaxShopper) => zoneOfShopper(await taxTables(await dbOf(shop)), shopper).zone.id

describe('the tax zone of a shopper', () => {
  test.each([
    ['by the code of a state', guest(address('US', 'CA')), 3],
    ['by the name of a state', guest(address('us', 'california')), 3],
    ['by the country', guest(address('US', 'New York')), 2],
    ['in a place without a zone', guest(address('FR')), 1],
    ['without an address', guest(), 1],
    ['without a country', guest(address('')), 1],
    ['of a group with a zone, without an address', { address: undefined, customer_group_id: 1 }, 4],
    ['of a group with a zone elsewhere', { address: address('US'), customer_group_id: 1 }, 2],
    ['of another group, without an address', { address: undefined, customer_group_id: 2 }, 1],
  ])('is found %s', async (_, shopper, expected) => {
    expect(await zoneOf(shopper)).toBe(expected)
  })

  test('without an address is that of the settings', async () => {
    await shop.call('PUT', '/tax/settings', { guest_shopper_tax_zone_id: 2 })
    expect(await zoneOf(guest())).toBe(2)
    await shop.call('PUT', '/tax/zones', [{ id: 4, enabled: false }])
    expect(await zoneOf({ address: undefined, customer_group_id: 1 })).toBe(2)
  })
})

describe('the tax data of a store', () => {
  const taxIn = async (state: string) => {
    const tables = await taxTables(await dbOf(shop))
    const zones = taxZonesOf(tables, guest(address('US', state)))
    const lines = [0, 1].map((classId) => ({ amount: unitsOf(100), classId }))
    const found = taxOf(lines, zones, taxBasis(tables, 2))
    return { names: found[0]?.rates.map(({ rate }) => rate.name), tax: amountOf(totalTax(found, 2)) }
  }

  test('follows every change at once', async () => {
    const rate = (name: string, percent: number, more: object) => ({
      name,
      tax_zone_id: 3,
      class_rates: [{ rate: percent, tax_class_id: 0 }],
      ...more,
    })
    expect(await taxIn('CA')).toEqual({ names: [], tax: 0 })
    await shop.call('POST', '/tax/rates', [rate('City', 2, { priority: 2 }), rate('State', 6.25, {})])
    expect(await taxIn('CA')).toEqual({ names: ['State', 'City'], tax: 8.38 })
    expect(await taxIn('NY')).toEqual({ names: [], tax: 0 })
    await shop.call('PUT', '/tax/rates', [{ id: 1, enabled: false }])
    expect(await taxIn('CA')).toEqual({ names: ['State'], tax: 6.25 })
    await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true, should_subtract_store_tax: false })
    expect(await taxIn('CA')).toEqual({ names: ['State'], tax: 5.88 })
    await shop.call('DELETE', '/tax/rates?id:in=2')
    expect(await taxIn('CA')).toEqual({ names: [], tax: 0 })
  })

  test('is not kept from a change that is rolled back', async () => {
    const db = await dbOf(shop)
    const refused = shop.call('POST', '/tax/zones', [
      { name: 'France', shopper_target_settings: { locations: [{ country_code: 'FR' }] } },
      { name: 'X', shopper_target_settings: { locations: [{ country_code: 'XX' }] } },
    ])
    expect((await refused).status).toBe(422)
    expect((await taxTables(db)).zones.size).toBe(4)
  })
})
