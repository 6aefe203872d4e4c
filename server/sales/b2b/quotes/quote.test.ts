import { describe, expect, test } from 'vitest'
import { unitsOf } from '../../../core/money/units.ts'
import { endOfDay, QUOTE_STATUSES, type QuoteDeed, quoteStatusAfter, quoteStatusAt } from './states.ts'
import { isGrandTotal, quoteTotal, sumOfLines } from './totals.ts'

// docs/contract/b2b-quotes.md sections 2 and 4.

describe('the states of a quote', () => {
  /** Every move that is allowed. All other pairs are refused. */
  const moves: Record<QuoteDeed, Partial<Record<(typeof QUOTE_STATUSES)[number], number>>> = {
    change: { 0: 2, 2: 2, 3: 2 },
    message: { 0: 3, 2: 3, 3: 3 },
    order: { 0: 4, 2: 4, 3: 4 },
    expire: { 0: 5, 2: 5, 3: 5 },
    renew: { 0: 2, 2: 2, 3: 2, 5: 2 },
    archive: { 0: 6, 2: 6, 3: 6, 5: 6 },
    publish: { 7: 2 },
  }
  test.each(
    Object.entries(moves).flatMap(([deed, to]) =>
      QUOTE_STATUSES.map((from) => [deed as QuoteDeed, from, to[from]] as const),
    ),
  )('%s moves %d to %s', (deed, from, to) => {
    expect(quoteStatusAfter(from, deed)).toBe(to)
  })

  test.each([
    [0, '2026-01-31T23:59:58Z', 0],
    [0, '2026-01-31T23:59:59.999Z', 0],
    [0, '2026-02-01T00:00:00Z', 5],
    [2, '2026-02-01T00:00:00Z', 5],
    [3, '2026-02-01T00:00:00Z', 5],
    [4, '2026-02-01T00:00:00Z', 4],
    [5, '2026-01-01T00:00:00Z', 5],
    [6, '2026-02-01T00:00:00Z', 6],
    [7, '2026-02-01T00:00:00Z', 7],
  ])('a quote of status %d that ends on January 31 has at %s the status %d', (status, now, expected) => {
    expect(quoteStatusAt({ status, expires_at: '2026-01-31T23:59:59+00:00' }, new Date(now))).toBe(expected)
  })

  test.each([
    ['1/31/2026', '2026-01-31T23:59:59.000Z'],
    ['01/05/2026', '2026-01-05T23:59:59.000Z'],
    ['02/29/2028', '2028-02-29T23:59:59.000Z'],
    ['02/29/2026', undefined],
    ['13/01/2026', undefined],
    ['0/1/2026', undefined],
    ['1/0/2026', undefined],
    ['2026-01-31', undefined],
    ['1/1/26', undefined],
    ['', undefined],
  ])('the day %j ends at %s', (text, end) => {
    expect(endOfDay(text)?.toISOString()).toBe(end)
  })
})

describe('the grand total of a quote', () => {
  const parts = {
    lines: [
      { offeredPrice: 19.99, quantity: 2 },
      { offeredPrice: 5, quantity: 1 },
    ],
    shipping: unitsOf(4),
    tax: unitsOf(3.1),
  }
  test.each([
    [44.98, true],
    [44.97, true],
    [44.96, false],
    [44.99, true],
    [45, false],
    [48.98, false],
    [48.08, false],
    [52.07, true],
    [52.08, true],
    [52.09, true],
    [52.1, false],
    [0, false],
  ])('may be %d: %s (M16, M17)', (total, expected) => {
    expect(isGrandTotal(unitsOf(total), parts)).toBe(expected)
  })

  test('is refused beyond the largest amount', () => {
    const lines = [{ offeredPrice: 99_999_999_999, quantity: 2 }]
    expect(sumOfLines(lines)).toBeUndefined()
    expect(
      quoteTotal({ lines: [{ offeredPrice: 99_999_999_999, quantity: 1 }], shipping: 1n, tax: 0n }),
    ).toBeUndefined()
  })
})
