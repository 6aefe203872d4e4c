import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountOf, ratio, roundTo, sumOf, textOf, unitsOf } from '../../../core/money/units.ts'
import { type Bill, totalsOf } from './totals.ts'

// The worked examples of docs/contract/orders.md section 3, with the same numbers.

const cost = ([ex, inc]: readonly [number, number]) => ({ ex: unitsOf(ex), inc: unitsOf(inc) })
const blank = { discount: 0, costs: [] as [number, number][], isInclusive: false, decimals: 2 }

test.each([
  {
    name: 'T1: two kinds of things, a discount and four costs, 8 %',
    bill: {
      lines: [
        [12.5, 13.5, 2],
        [30, 32.4, 1],
      ],
      discount: 5.5,
      costs: [
        [10, 10.8],
        [2, 2.16],
        [3, 3.24],
        [4, 4.32],
      ],
    },
    discounts: ['2.5000', '3.0000'],
    taxes: ['1.8000', '2.1600'],
    subtotal: ['55.0000', '59.4000'],
    total: ['68.5000', '73.9800'],
  },
  {
    name: 'T2: half a cent of tax is a cent; shipping without tax',
    bill: { lines: [[10, 10.825, 1]], costs: [[10, 10]] },
    discounts: ['0.0000'],
    taxes: ['0.8300'],
    subtotal: ['10.0000', '10.8250'],
    total: ['20.0000', '20.8300'],
  },
  {
    name: 'T3: a discount that does not divide, 7 %',
    bill: {
      lines: [
        [33.33, 35.6631, 1],
        [33.33, 35.6631, 1],
        [33.34, 35.6738, 1],
      ],
      discount: 10,
    },
    discounts: ['3.3330', '3.3330', '3.3340'],
    taxes: ['2.1000', '2.1000', '2.1000'],
    subtotal: ['100.0000', '107.0000'],
    total: ['90.0000', '96.3000'],
  },
  {
    name: 'prices with tax are the exact ones: the tax is inside',
    bill: { lines: [[20, 24, 2]], costs: [[5, 6]], discount: 4.8, isInclusive: true },
    discounts: ['4.8000'],
    taxes: ['7.2000'],
    subtotal: ['40.0000', '48.0000'],
    total: ['41.0000', '49.2000'],
  },
  {
    name: 'a currency without decimals',
    bill: { lines: [[333, 366.3, 1]], decimals: 0 },
    discounts: ['0.0000'],
    taxes: ['33.0000'],
    subtotal: ['333.0000', '366.3000'],
    total: ['333.0000', '366.0000'],
  },
  {
    name: 'nothing costs nothing',
    bill: { lines: [[0, 0, 3]] },
    discounts: ['0.0000'],
    taxes: ['0.0000'],
    subtotal: ['0.0000', '0.0000'],
    total: ['0.0000', '0.0000'],
  },
])('$name', ({ bill: given, discounts, taxes, subtotal, total }) => {
  const { lines, discount, costs, ...bill } = { ...blank, ...given }
  const found = totalsOf({
    ...bill,
    lines: lines.map(([ex = 0, inc = 0, quantity = 0]) => ({ price: cost([ex, inc]), quantity })),
    discount: unitsOf(discount),
    costs: costs.map(([ex = 0, inc = 0]) => cost([ex, inc])),
  })
  expect(found.lines.map((line) => textOf(line.discount))).toEqual(discounts)
  expect(found.lines.map(({ left }) => textOf(left.inc - left.ex))).toEqual(taxes)
  expect([found.subtotal.ex, found.subtotal.inc].map(textOf)).toEqual(subtotal)
  expect([found.total.ex, found.total.inc].map(textOf)).toEqual(total)
})

test('parts of a discount add up to it, and no line gets more than it costs', () => {
  const line = fc.record({
    price: fc.bigInt(0n, 10_000_000n).map((ex) => ({ ex, inc: ex + ex / 5n })),
    quantity: fc.integer({ min: 1, max: 9 }),
  })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), fc.bigInt(0n, 1_000n), (lines, part) => {
      const bill: Bill = { lines, discount: 0n, costs: [], isInclusive: false, decimals: 2 }
      const discount = (totalsOf(bill).subtotal.ex * part) / 1_000n
      const { lines: billed, total, subtotal } = totalsOf({ ...bill, discount })
      expect(sumOf(billed.map((one) => one.discount))).toBe(subtotal.ex === 0n ? 0n : discount)
      for (const one of billed) expect(one.discount <= one.ex).toBe(true)
      expect(total.inc - total.ex).toBe(sumOf(billed.map(({ left }) => left.inc - left.ex)))
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  [0.825, 2, '0.8300'],
  [-0.825, 2, '-0.8300'],
  [0.8249, 2, '0.8200'],
  [366.6667, 0, '367.0000'],
  [1.0005, 3, '1.0010'],
  [1.0005, 4, '1.0005'],
])('%d has %i decimals as %s', (amount, decimals, text) => {
  expect(textOf(roundTo(unitsOf(amount), decimals))).toBe(text)
})

test('amounts are kept to the last digit', () => {
  for (const amount of [0, 0.1 + 0.2, 1.0005, 99_999_999_999.9999, -0.0001, 8.7]) {
    expect(amountOf(unitsOf(amount))).toBe(Number(amount.toFixed(4)))
  }
  expect(textOf(ratio(unitsOf(10), 1n, 3n))).toBe('3.3333')
  expect(textOf(ratio(unitsOf(10), 2n, 3n))).toBe('6.6667')
  expect(textOf(ratio(unitsOf(-10), 2n, 3n))).toBe('-6.6667')
})
