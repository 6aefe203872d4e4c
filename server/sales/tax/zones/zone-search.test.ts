import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesZip, zipKey } from '../../../core/geography/postal-codes.ts'
import { type SearchedZone, type TaxPlace, ZoneSearch } from './zone-search.ts'

const zone = (
  id: number,
  {
    country_code,
    subdivision_codes = [],
    postal_codes = [],
  }: Partial<SearchedZone['shopper_target_settings']['locations'][0]>,
  customer_groups: number[] = [],
): SearchedZone => ({
  id,
  enabled: true,
  shopper_target_settings: {
    locations: [{ country_code: country_code ?? 'US', subdivision_codes, postal_codes }],
    customer_groups,
  },
})

const place = (postal_code: string, customer_group_id = 0): TaxPlace => ({
  country_code: 'US',
  subdivision_code: 'CA',
  postal_code,
  customer_group_id,
})

describe('the zone of a place', () => {
  const zones = [
    zone(2, {}),
    zone(3, { subdivision_codes: ['CA'] }),
    zone(4, { postal_codes: ['902*'] }),
    zone(5, {}, [7]),
  ]

  test.each([
    ['a guest', place('90210'), 4],
    ['a member of a group with a zone', place('90210', 7), 5],
    ['a member of another group', place('90210', 8), 4],
    ['another postal code', place('10001'), 3],
    ['no postal code', place(''), 3],
    ['a code in other letters', { ...place('9 02-10'), country_code: 'us', subdivision_code: 'ca' }, 4],
    ['another state', { ...place(''), subdivision_code: 'NY' }, 2],
    ['another country', { ...place('90210'), country_code: 'FR' }, undefined],
  ])('of %s is the one of X9', (_, where, expected) => {
    expect(new ZoneSearch(zones).find(where)).toBe(expected)
  })

  test('is not a disabled zone', () => {
    const disabled = zones.map((one) => (one.id === 4 ? { ...one, enabled: false } : one))
    expect(new ZoneSearch(disabled).find(place('90210'))).toBe(3)
  })

  test('is the one with the lowest id among equal ones, in any order', () => {
    expect(new ZoneSearch([zone(9, {}), zone(6, {}), zone(8, {})]).find(place(''))).toBe(6)
    expect(new ZoneSearch([zone(9, {}, [0]), zone(6, {}), zone(8, {}, [0])]).find(place(''))).toBe(8)
  })

  test('is the same that a look at every zone finds', () => {
    const some = (...values: string[]) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
    const location = fc.oneof(
      fc.record({ country_code: fc.constantFrom('US', 'DE') }),
      fc.record({ country_code: fc.constantFrom('US', 'DE'), subdivision_codes: some('CA', 'NY', '1') }),
      fc.record({
        country_code: fc.constantFrom('US', 'DE'),
        postal_codes: some('1', '12', '1?', '1*', '?', '*', '12?', '*2'),
      }),
    )
    const groups = fc.array(fc.constantFrom(0, 1, 2), { maxLength: 2 })
    const all = fc.array(fc.tuple(location, groups), { maxLength: 8 })
    const where = fc.record({
      country_code: fc.constantFrom('US', 'DE', 'FR'),
      subdivision_code: fc.constantFrom('', 'CA', 'NY', '1'),
      postal_code: fc.constantFrom('', '1', '12', '123', '2'),
      customer_group_id: fc.constantFrom(0, 1, 2, 3),
    })
    fc.assert(
      fc.property(all, where, (given, asked) => {
        const searched = given.map(([one, ofGroups], i) => zone(i + 2, one, ofGroups))
        expect(new ZoneSearch(searched).find(asked)).toBe(lookedUp(searched, asked))
      }),
      { numRuns: 1_000 },
    )
  })
})

/** The rule of docs/contract/tax.md section 5, zone by zone. */
function lookedUp(zones: readonly SearchedZone[], asked: TaxPlace): number | undefined {
  const ranked = zones.flatMap(({ id, shopper_target_settings: { locations, customer_groups } }) => {
    if (customer_groups.length > 0 && !customer_groups.includes(asked.customer_group_id)) return []
    const [location] = locations
    if (location?.country_code !== asked.country_code) return []
    const { subdivision_codes, postal_codes } = location
    const isForAll = customer_groups.length === 0 ? 1 : 0
    if (postal_codes.length > 0) {
      const fits = postal_codes.some((code) => asked.postal_code !== '' && matchesZip(zipKey(asked.postal_code), code))
      return fits ? [[isForAll, 0, id]] : []
    }
    if (subdivision_codes.length === 0) return [[isForAll, 2, id]]
    return subdivision_codes.includes(asked.subdivision_code) ? [[isForAll, 1, id]] : []
  })
  const [best] = ranked.sort((one, other) => compare(one, other))
  return best?.[2]
}

function compare(one: readonly number[], other: readonly number[]): number {
  const differing = one.findIndex((value, i) => value !== other[i])
  return (one[differing] ?? 0) - (other[differing] ?? 0)
}
