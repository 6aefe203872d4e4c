import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Allocation, allocate, type Supply } from './allocations.ts'

// docs/contract/inventory.md section 4.

const allocated = (...places: [location_id: number, quantity: number, oversold?: number][]): Allocation[] =>
  places.map(([location_id, quantity, oversold = 0]) => ({ location_id, quantity, oversold }))
const supplies = (...places: [location_id: number, forSale: number, on_hand?: number][]): Supply[] =>
  places.map(([location_id, forSale, on_hand = forSale]) => ({ location_id, forSale, on_hand }))

test.each<[string, Parameters<typeof allocate>, Allocation[] | undefined]>([
  ['the first location has enough', [3, [], supplies([1, 5], [2, 5]), false], allocated([1, 3])],
  [
    'the next location has the units that the first lacks',
    [7, [], supplies([1, 5], [2, 5]), false],
    allocated([1, 5], [2, 2]),
  ],
  ['all together have too little', [11, [], supplies([1, 5], [2, 5]), false], undefined],
  ['more is needed than before', [5, allocated([1, 3]), supplies([1, 9]), false], allocated([1, 5])],
  [
    'as much is needed as before, though nothing is left',
    [3, allocated([1, 3]), supplies([1, 0]), false],
    allocated([1, 3]),
  ],
  [
    'less is needed: the units that came last go back',
    [6, allocated([1, 5], [2, 2]), supplies([1, 0]), false],
    allocated([1, 5], [2, 1]),
  ],
  ['nothing is needed', [0, allocated([1, 5], [2, 2, 1]), supplies([1, 0]), false], []],
  ['safety stock is taken if it must be', [5, [], supplies([1, 2, 4]), true], allocated([1, 4, 1])],
  [
    'missing units are recorded at the first location',
    [9, [], supplies([1, 2], [2, 3]), true],
    allocated([1, 2, 4], [2, 3]),
  ],
  ['missing units count as allocated', [5, allocated([1, 2, 3]), supplies([1, 9]), true], allocated([1, 2, 3])],
  ['missing units are given up first', [3, allocated([1, 2, 3]), supplies([1, 9]), true], allocated([1, 2, 1])],
])('%s', (_, input, after) => {
  expect(allocate(...input)).toEqual(after)
})

test('an order allocates the units that it needs, and going back and forth moves nothing in the end', () => {
  const supply = fc.tuple(fc.nat(9), fc.nat(3)).map(([forSale, kept]) => ({ forSale, on_hand: forSale + kept }))
  fc.assert(
    fc.property(
      fc.array(supply, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(20), { maxLength: 8 }),
      (start, needs) => {
        const there = start.map((one, i) => ({ ...one, location_id: i + 1 }))
        let before: Allocation[] = []
        for (const need of [...needs, 0]) {
          const after = allocate(need, before, there, true) ?? []
          expect(after.reduce((sum, { quantity, oversold }) => sum + quantity + oversold, 0)).toBe(need)
          for (const place of there) {
            const [was, is] = [before, after].map(
              (list) => list.find(({ location_id }) => location_id === place.location_id)?.quantity ?? 0,
            )
            const moved = (is ?? 0) - (was ?? 0)
            place.on_hand -= moved
            place.forSale = Math.max(0, place.forSale - moved)
            expect(place.on_hand).toBeGreaterThanOrEqual(0)
          }
          before = after
        }
        expect(before).toEqual([])
        expect(there.map(({ on_hand }) => on_hand)).toEqual(start.map(({ on_hand }) => on_hand))
      },
    ),
    { numRuns: 1_000 },
  )
})
