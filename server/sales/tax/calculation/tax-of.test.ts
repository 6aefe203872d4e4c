import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { roundFine, toFine } from '../../../core/money/fine.ts'
import { amountOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { type TaxBasis, type TaxedLine, taxOf, totalTax, type ZoneRates } from './tax-of.ts'

type Rate = readonly [percent: number, priority?: number]

const zone = (id: number, byClass: Record<number, readonly Rate[]>): ZoneRates => ({
  id,
  ratesOf: (classId) =>
    (byClass[classId] ?? []).map(([percent, priority = 1], i) => ({
      id: i + 1,
      name: `Rate ${i}`,
      percent: unitsOf(percent),
      priority,
    })),
})
const goods = (id: number, ...rates: Rate[]) => zone(id, { 0: rates })
const same = (one: ZoneRates) => ({ shopper: one, store: one })

const exclusive: TaxBasis = { isInclusive: false, subtractsStoreTax: true, roundsRates: true, decimals: 2 }
const inclusive = { ...exclusive, isInclusive: true }
const line = (amount: number, classId: number | undefined = 0): TaxedLine => ({ amount: unitsOf(amount), classId })

/** A result in numbers. */
function shown(lines: readonly TaxedLine[], zones: Parameters<typeof taxOf>[1], basis: TaxBasis) {
  const [result] = taxOf(lines, zones, basis)
  if (!result) throw new Error('There is no line.')
  const number = (fine: bigint) => Number(fine) / 1e8
  return {
    ex: number(result.ex),
    inc: number(result.inc),
    tax: number(result.tax),
    rates: result.rates.map(({ amount }) => number(amount)),
  }
}

describe('the worked examples of docs/contract/tax.md section 7', () => {
  test.each([
    ['equal priority', [[7], [5]], [7, 5], 112],
    ['a second priority', [[7], [5, 2]], [7, 5.35], 112.35],
  ] as const)('X1, %s', (_, given, rates, inc) => {
    const found = shown([line(100)], same(goods(2, ...given)), exclusive)
    expect(found).toEqual({ ex: 100, inc, tax: rates[0] + rates[1], rates })
  })

  test('X2: 112.35 with 7 % and then 5 % inside', () => {
    const found = shown([line(112.35)], same(goods(2, [7], [5, 2])), inclusive)
    expect(found).toEqual({ ex: 100, inc: 112.35, tax: 12.35, rates: [7, 5.35] })
  })

  test('X3: three rates of 19.99', () => {
    const found = shown([line(19.99)], same(goods(2, [6.25], [2.1], [0.5])), exclusive)
    expect(found).toEqual({ ex: 19.99, inc: 21.76, tax: 1.77, rates: [1.25, 0.42, 0.1] })
  })

  test.each([
    ['is taken out', true, { ex: 20, inc: 21.1, tax: 1.1, rates: [1.1] }],
    ['stays in', false, { ex: 22.75, inc: 24, tax: 1.25, rates: [1.25] }],
  ])('X4: the tax of the store %s', (_, subtractsStoreTax, expected) => {
    const zones = { shopper: goods(3, [5.5]), store: goods(2, [20]) }
    expect(shown([line(24)], zones, { ...inclusive, subtractsStoreTax })).toEqual(expected)
  })

  test('X5: three units of 19.99', () => {
    const zones = { shopper: goods(3, [10]), store: goods(2, [20]) }
    const [result] = taxOf([line(59.97)], zones, inclusive)
    expect(result).toMatchObject({ ex: toFine(unitsOf(49.975)), tax: toFine(unitsOf(5)) })
    expect(amountOf(roundFine(result?.ex ?? 0n, 2))).toBe(49.98)
    expect(amountOf(roundFine(result?.inc ?? 0n, 2))).toBe(54.98)
  })

  test.each([
    [1_080, 80],
    [999, 74],
  ])('X8: %d yen contain %d', (amount, tax) => {
    const found = shown([line(amount)], same(goods(2, [8])), { ...inclusive, decimals: 0 })
    expect(found).toEqual({ ex: amount - tax, inc: amount, tax, rates: [tax] })
  })

  test('X10: goods are taxed, and shipping of a class without a rate is not', () => {
    const found = taxOf([line(50, 0), line(9, 2)], same(goods(2, [8])), exclusive)
    expect(found.map(({ tax }) => tax)).toEqual([toFine(unitsOf(4)), 0n])
  })
})

describe('tax', () => {
  test('keeps eight decimals without rounding, and its sum is rounded once', () => {
    const basis = { ...exclusive, roundsRates: false }
    const zones = same(goods(2, [6.25], [2.1], [0.5]))
    expect(shown([line(19.99)], zones, basis).rates).toEqual([1.249375, 0.41979, 0.09995])
    const twice = taxOf([line(19.99), line(19.99)], zones, basis)
    expect(amountOf(totalTax(twice, 2))).toBe(3.54)
    expect(amountOf(totalTax(twice.slice(1), 2))).toBe(1.77)
    const inside = shown([line(10)], same(goods(2, [7])), { ...inclusive, roundsRates: false })
    expect(inside).toMatchObject({ tax: 0.65420561, inc: 10, ex: 9.34579439 })
  })

  test('is not charged for things without a class', () => {
    const free = { ...line(25), classId: undefined }
    for (const basis of [exclusive, inclusive]) {
      const zones = { shopper: goods(3, [5.5]), store: goods(2, [20]) }
      expect(shown([free], zones, basis)).toEqual({ ex: 25, inc: 25, tax: 0, rates: [] })
    }
  })

  test('of a priority counts the taxes of all lower ones, and none of its own', () => {
    const found = shown([line(100)], same(goods(2, [10], [10, 2], [10, 2], [10, 5])), exclusive)
    expect(found.rates).toEqual([10, 11, 11, 13.2])
  })

  test('adds up: with tax is without tax and the taxes of all rates, for any amounts and rates', () => {
    const rate = fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 10 }))
    const rates = fc.array(rate, { maxLength: 4 }).map((list) => {
      const sorted = list.toSorted(([, one], [, other]) => one - other)
      return sorted.map(([percent, priority]): Rate => [percent / 10_000, priority])
    })
    const basis = fc.record({
      isInclusive: fc.boolean(),
      subtractsStoreTax: fc.boolean(),
      roundsRates: fc.boolean(),
      decimals: fc.integer({ min: 0, max: 4 }),
    })
    const zones = fc.record({ shopper: rates, store: rates, isSame: fc.boolean() })
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), zones, basis, (amount: Units, asked, how) => {
        const store = goods(2, ...asked.store)
        const shopper = asked.isSame ? store : goods(3, ...asked.shopper)
        const [found] = taxOf([{ amount, classId: 0 }], { shopper, store }, how)
        if (!found) throw new Error('There is no line.')
        expect(found.inc).toBe(found.ex + found.tax)
        expect(found.tax).toBe(found.rates.reduce((sum, one) => sum + one.amount, 0n))
        const staysWith = how.isInclusive && (asked.isSame || !how.subtractsStoreTax)
        if (staysWith) expect(found.inc).toBe(toFine(amount))
        if (!how.isInclusive) expect(found.ex).toBe(toFine(amount))
        if (how.roundsRates) expect(toFine(roundFine(found.tax, how.decimals))).toBe(found.tax)
      }),
      { numRuns: 2_000 },
    )
  })
})
