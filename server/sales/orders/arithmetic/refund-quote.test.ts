import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountOf, minorUnit, roundTo, sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import {
  type Component,
  type ComponentType,
  overchargedTax,
  type Quote,
  quoteRefund,
  type RefundableOrder,
  type RefundItem,
  remainingOf,
} from './refund-quote.ts'

// The worked examples of docs/contract/refunds.md section 6, with the same numbers: each row is one order and its refunds, one after
// another. An answer is total, tax, rounding, adjustment.

const ORDER = 100
type Part = readonly [type: ComponentType, basis: number, tax: number, count?: number]

/** Components have the ids 1, 2 and so on. */
function orderOf(
  parts: readonly Part[],
  more: Partial<{ captured: number; decimals: number; isInclusive: boolean }> = {},
) {
  const { decimals = 2, isInclusive = false } = more
  const components = parts.map(([type, basis, tax, count], i): Component => {
    const size = count === undefined ? unitsOf(basis) : BigInt(count)
    return { type, id: i + 1, basis: unitsOf(basis), tax: unitsOf(tax), size, done: 0n }
  })
  const paid = sumOf(components.map(({ basis, tax }) => (isInclusive ? basis : basis + tax)))
  const captured = more.captured === undefined ? roundTo(paid, decimals) : unitsOf(more.captured)
  return { id: ORDER, decimals, isInclusive, captured, components, refunds: [] } satisfies RefundableOrder
}

/** The order after a refund. */
const after = (order: RefundableOrder, quote: Quote): RefundableOrder => ({
  ...order,
  components: order.components.map((component) => ({
    ...component,
    done: component.done + sumOf(quote.moves.filter((move) => move.component === component).map(({ by }) => by)),
  })),
  refunds: [...order.refunds, quote],
})

/** `p 2`: two of the first component; `1 SHIPPING 3.5`: so much of the component with the id 1. */
const unit = (id: number, quantity: number, item_type: ComponentType = 'PRODUCT'): RefundItem => ({
  item_type,
  item_id: id,
  quantity,
})
const part = (item_type: ComponentType, id: number, amount: number): RefundItem => ({ item_type, item_id: id, amount })
const ofOrder = (amount: number): RefundItem => ({ item_type: 'ORDER', item_id: ORDER, amount })
const ofTax = (amount: number): RefundItem => ({ item_type: 'TAX', item_id: ORDER, amount })

type Answer = readonly [total: number, tax: number, rounding: number, adjustment: number]
type Step = { items: RefundItem[]; answer: Answer; left: number } | { items: RefundItem[]; refused: string }
const step = (items: RefundItem[], answer: Answer, left: number): Step => ({ items, answer, left })
const refused = (items: RefundItem[], field: string): Step => ({ items, refused: field })

const p = (quantity: number) => unit(1, quantity)
const product = (basis: number, tax: number, count: number): Part => ['PRODUCT', basis, tax, count]

test.each<[string, RefundableOrder, Step[]]>([
  [
    'R1: a product and its shipping',
    orderOf([product(10, 0.83, 1), ['SHIPPING', 10, 0]]),
    [step([p(1), part('SHIPPING', 2, 10)], [20.83, 0.83, 0, 0], 0)],
  ],
  [
    'R2: one of three, then two; R16: more than there are',
    orderOf([product(59.97, 4.8, 3)]),
    [refused([p(4)], 'items.0.quantity'), step([p(1)], [21.59, 1.6, 0, 0], 43.18), step([p(2)], [43.18, 3.2, 0, 0], 0)],
  ],
  [
    'R3: thirds add up',
    orderOf([product(10, 0, 3)]),
    [
      step([p(1)], [3.33, 0, -0.0033, 0], 6.67),
      step([p(1)], [3.34, 0, -0.0034, 0.01], 3.33),
      step([p(1)], [3.33, 0, -0.0033, 0], 0),
    ],
  ],
  [
    'R4: an order discount is in the lines',
    orderOf([product(54, 5.4, 2), product(36, 3.6, 1), ['SHIPPING', 5, 0.5]]),
    [
      step([p(1)], [29.7, 2.7, 0, 0], 74.8),
      step([unit(2, 1), part('SHIPPING', 3, 5)], [45.1, 4.1, 0, 0], 29.7),
      step([p(1)], [29.7, 2.7, 0, 0], 0),
    ],
  ],
  [
    'R5: prices with tax',
    orderOf([product(24, 4, 2), ['SHIPPING', 6, 1]], { isInclusive: true }),
    [
      step([p(1)], [12, 2, 0, 0], 18),
      step([part('SHIPPING', 2, 2.5)], [2.5, 0.42, 0, 0], 15.5),
      step([p(1), part('SHIPPING', 2, 3.5)], [15.5, 2.58, 0, 0], 0),
    ],
  ],
  [
    'R6: an amount of the order; R17: more than remains',
    orderOf([product(100, 8, 1)]),
    [
      refused([ofOrder(108.01)], 'items.0.amount'),
      step([ofOrder(15)], [15, 0, 0, 0], 93),
      step([p(1)], [93, 8, 0, -15], 0),
      refused([ofOrder(0.01)], 'items.0.amount'),
    ],
  ],
  [
    'R7: gift wrapping',
    orderOf([product(50, 2.5, 2), ['GIFT_WRAPPING', 5.52, 0.28, 2]]),
    [
      step([p(1), unit(2, 1, 'GIFT_WRAPPING')], [29.15, 1.39, 0, 0], 29.15),
      step([p(1), unit(2, 1, 'GIFT_WRAPPING')], [29.15, 1.39, 0, 0], 0),
    ],
  ],
  [
    'R8: something is kept back',
    orderOf([product(100, 10, 1)]),
    [
      refused([{ ...p(1), adjustments: [{ amount: -100.01 }] }], 'items.0.adjustments'),
      refused([{ ...p(1), adjustments: [{ amount: 1 }] }], 'items.0.adjustments.0.amount'),
      step([{ ...p(1), adjustments: [{ amount: -10.2 }] }], [98.78, 8.98, 0, 0], 11.22),
      refused([p(1)], 'items.0.quantity'),
      step([ofOrder(11.22)], [11.22, 0, 0, 0], 0),
    ],
  ],
  [
    'R9: a fee and handling',
    orderOf([product(30, 3, 1), ['FEE', 4, 0.4], ['HANDLING', 2.5, 0.2]]),
    [
      step([part('FEE', 2, 4), part('HANDLING', 3, 1)], [5.48, 0.48, 0, 0], 34.62),
      step([p(1), part('HANDLING', 3, 1.5)], [34.62, 3.12, 0, 0], 0),
    ],
  ],
  [
    'R10: tax alone',
    orderOf([product(50, 4, 1)]),
    [refused([ofTax(4.01)], 'items.0.amount'), step([ofTax(4)], [4, 4, 0, 0], 50), step([p(1)], [50, 0, 0, -4], 0)],
  ],
  [
    'R11: a currency without decimals',
    orderOf([product(1000, 100, 3)], { decimals: 0 }),
    [
      refused([ofOrder(0.5)], 'items.0.amount'),
      step([p(1)], [367, 33, 0.3334, 0], 733),
      step([p(1)], [366, 34, 0.3332, -1], 367),
      step([p(1)], [367, 33, 0.3334, 0], 0),
    ],
  ],
  [
    'R12: prices of four places',
    orderOf([product(2.3331, 0, 7)]),
    [step([p(3)], [1, 0, 0.0001, 0], 1.33), step([p(4)], [1.33, 0, -0.0032, 0], 0)],
  ],
  [
    'R13: shipping in three pieces',
    orderOf([product(100, 8, 1), ['SHIPPING', 10, 0.8]]),
    [
      step([part('SHIPPING', 2, 3.33)], [3.6, 0.27, 0.0036, 0], 115.2),
      step([part('SHIPPING', 2, 3.33)], [3.59, 0.26, 0.0036, -0.01], 111.61),
      step([part('SHIPPING', 2, 3.34)], [3.61, 0.27, 0.0028, 0], 108),
      refused([part('SHIPPING', 2, 0.01)], 'items.0.amount'),
      step([p(1)], [108, 8, 0, 0], 0),
    ],
  ],
  [
    'R14: lines whose discounts did not divide',
    orderOf([product(29.997, 2.1, 1), product(29.997, 2.1, 1), product(30.006, 2.1, 1)]),
    [
      step([unit(1, 1)], [32.1, 2.1, 0.003, 0], 64.2),
      step([unit(2, 1)], [32.09, 2.1, 0.003, -0.01], 32.11),
      step([unit(3, 1)], [32.11, 2.1, 0.004, 0], 0),
    ],
  ],
  [
    'R15: a coupon, two rates, prices with tax',
    orderOf([product(27, 4.5, 3), product(13.5, 0.64, 1)], { isInclusive: true }),
    [step([p(2)], [18, 3, 0, 0], 22.5), step([unit(2, 1)], [13.5, 0.64, 0, 0], 9), step([p(1)], [9, 1.5, 0, 0], 0)],
  ],
  [
    'R15b: what rounding took comes back',
    orderOf([product(9.99, 0.8, 3)]),
    [
      step([p(1)], [3.6, 0.27, 0.0033, 0], 7.19),
      step([p(1)], [3.59, 0.26, 0.0034, -0.01], 3.6),
      step([p(1)], [3.6, 0.27, 0.0033, 0], 0),
    ],
  ],
  [
    'R15c: the total was set by hand',
    orderOf([product(60, 0, 2), product(40, 0, 1)], { captured: 100.02 }),
    [step([p(1)], [30, 0, 0, 0], 70.02), step([p(1), unit(2, 1)], [70.02, 0, 0, 0.02], 0)],
  ],
])('%s', (_, start, steps) => {
  let order = start
  for (const { items, ...expected } of steps) {
    const outcome = quoteRefund(order, items)
    if ('refused' in expected) {
      expect('mistakes' in outcome && Object.keys(outcome.mistakes)).toContain(expected.refused)
      continue
    }
    if (!('quote' in outcome)) throw new Error(JSON.stringify(outcome))
    const { quote } = outcome
    expect([quote.total, quote.tax, quote.rounding, quote.adjustment].map(amountOf)).toEqual(expected.answer)
    order = after(order, quote)
    expect(amountOf(remainingOf(order))).toBe(expected.left)
  }
})

test('amounts of the order and of tax are reported separately', () => {
  const outcome = quoteRefund(orderOf([product(100, 8, 2)]), [ofOrder(15), { ...p(1), adjustments: [] }])
  expect(outcome).toMatchObject({ quote: { orderLevel: unitsOf(15), isPlain: false } })
})

describe('amounts from outside', () => {
  const whole = orderOf([product(100, 8, 1)])
  const outcome = quoteRefund(whole, [p(1)])
  const moves = 'quote' in outcome ? outcome.quote.moves : []
  // R24: the merchant says what is given back; the product counts as given back all the same.
  const override = { precise: 0n, preciseTax: 0n, itemPart: 0n, itemTax: 0n, correction: 0n, isPlain: false }
  const given: Quote = {
    ...override,
    total: unitsOf(100),
    tax: 0n,
    orderLevel: 0n,
    rounding: 0n,
    adjustment: 0n,
    moves,
  }

  test('R25, R26: tax that was charged for items that are no longer sold', () => {
    expect(overchargedTax(whole)).toBe(0n)
    const left = after(whole, given)
    expect(remainingOf(left)).toBe(unitsOf(8))
    expect(overchargedTax(left)).toBe(unitsOf(8))
  })

  test.each<[tax: number, done: bigint, taken: number, overcharged: number]>([
    [1, 1n, 0, 0.33],
    [1, 2n, 0, 0.67],
    [0.0993, 3n, 0, 0.09],
    [0.004, 3n, 0, 0],
    [1, 1n, 0.9, 0],
  ])(
    'of %d tax, with %d of three units and %d of it given back: as much as can be paid',
    (tax, done, taken, expected) => {
      const order = orderOf([product(30, tax, 3)])
      const components = order.components.map((component) => ({ ...component, done }))
      const refunds = [{ ...override, total: 0n, tax: unitsOf(taken) }]
      expect(overchargedTax({ ...order, components, refunds })).toBe(unitsOf(expected))
    },
  )

  test('of an order that has less tax now than was given back, a refund has none', () => {
    const order = orderOf([product(30, 1, 3)])
    const refunds = [{ ...override, total: unitsOf(2), tax: unitsOf(2) }]
    expect(quoteRefund({ ...order, refunds }, [p(1)])).toMatchObject({ quote: { total: unitsOf(10.33), tax: 0n } })
  })

  test('refunded items are not refundable again', () => {
    expect(quoteRefund(after(whole, given), [p(1)])).toEqual({
      mistakes: { 'items.0.quantity': 'Only 0 can still be refunded.' },
    })
  })
})

test('all that is wrong with the items is told at once', () => {
  const order = orderOf([product(10, 0, 3), ['SHIPPING', 5, 0]])
  const outcome = quoteRefund(order, [
    { item_type: 'PRODUCT', item_id: 9, quantity: 1 },
    unit(1, 0),
    unit(1, 1),
    { ...part('SHIPPING', 2, 1.005), adjustments: [{ amount: -1 }] },
    { item_type: 'ORDER', item_id: 7, amount: 1e-7 },
    { ...part('FEE', 2, 1) },
    { item_type: 'TAX', item_id: ORDER, amount: 1e300 },
  ])
  expect('mistakes' in outcome && Object.keys(outcome.mistakes).sort()).toEqual([
    'items.0.item_id',
    'items.1.quantity',
    'items.2.item_id',
    'items.3.adjustments',
    'items.3.amount',
    'items.4.amount',
    'items.4.item_id',
    'items.5.item_id',
    'items.6.amount',
  ])
})

// docs/contract/refunds.md section 6, the invariants. RELIABILITY=full asks for them a hundred times as often.
const numRuns = process.env.RELIABILITY === 'full' ? 100_000 : 1_000

const arbitraryOrder = fc
  .record({
    decimals: fc.constantFrom(0, 2, 3),
    isInclusive: fc.boolean(),
    parts: fc.array(
      fc.record({
        cents: fc.integer({ min: 1, max: 500_000 }),
        rate: fc.integer({ min: 0, max: 30 }),
        count: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    shipping: fc.integer({ min: 0, max: 5_000 }),
  })
  .map(({ decimals, isInclusive, parts, shipping }) => {
    const step = minorUnit(decimals)
    const rounded = (units: Units) => roundTo(units, decimals)
    const components: Component[] = parts.map(({ cents, rate, count }, i) => {
      const basis = BigInt(cents) * 7n
      return {
        type: 'PRODUCT',
        id: i + 1,
        basis,
        tax: rounded((basis * BigInt(rate)) / 100n),
        size: BigInt(count),
        done: 0n,
      }
    })
    const amount = BigInt(shipping) * step
    if (amount > 0n) {
      components.push({ type: 'SHIPPING', id: 99, basis: amount, tax: rounded(amount / 10n), size: amount, done: 0n })
    }
    const paid = sumOf(components.map(({ basis, tax }) => (isInclusive ? basis : basis + tax)))
    return { id: ORDER, decimals, isInclusive, captured: rounded(paid), components, refunds: [] }
  })
  .filter(({ captured }) => captured > 0n)

test('refunding everything, in any order and any split, returns the received amount and its tax', () => {
  fc.assert(
    fc.property(arbitraryOrder, fc.array(fc.nat(), { minLength: 60, maxLength: 60 }), (start, choices) => {
      let order: RefundableOrder = start
      const step = minorUnit(order.decimals)
      for (const choice of choices) {
        const open = order.components.filter(({ done, size }) => done < size)
        const component = open[choice % open.length]
        if (!component || remainingOf(order) <= 0n) break
        const left = component.size - component.done
        // In the end all that is left goes at once.
        const isLast = choice === choices.at(-1)
        const some =
          component.type === 'SHIPPING' ? ((BigInt(choice) % (left / step)) + 1n) * step : (BigInt(choice) % left) + 1n
        const items = (isLast ? open : [component]).map((one): RefundItem => {
          const by = isLast ? one.size - one.done : some
          return one.type === 'SHIPPING'
            ? part('SHIPPING', one.id, amountOf(by))
            : { item_type: 'PRODUCT', item_id: one.id, quantity: Number(by) }
        })
        const outcome = quoteRefund(order, items)
        if (!('quote' in outcome)) throw new Error(JSON.stringify(outcome.mistakes))
        const { quote } = outcome
        expect(2n * (quote.rounding < 0n ? -quote.rounding : quote.rounding) <= step).toBe(true)
        const isClamped = quote.total === remainingOf(order)
        expect(isClamped || (quote.adjustment >= -step && quote.adjustment <= step)).toBe(true)
        order = after(order, quote)
        expect(remainingOf(order) >= 0n).toBe(true)
      }
      const isAll = order.components.every(({ done, size }) => done === size)
      if (!isAll) return
      expect(remainingOf(order)).toBe(0n)
      expect(sumOf(order.refunds.map(({ tax }) => tax))).toBe(sumOf(order.components.map(({ tax }) => tax)))
    }),
    { numRuns },
  )
})

test('no refund returns more than was received, or more tax than was recorded', () => {
  const request = fc.record({
    kind: fc.constantFrom('unit', 'order', 'tax', 'kept'),
    at: fc.nat(9),
    amount: fc.integer({ min: 1, max: 300_000 }),
  })
  fc.assert(
    fc.property(arbitraryOrder, fc.array(request, { maxLength: 12 }), (start, requests) => {
      let order: RefundableOrder = start
      for (const { kind, at, amount } of requests) {
        const component = order.components[at % order.components.length]
        if (!component) continue
        const money = amountOf(BigInt(amount) * minorUnit(order.decimals))
        const item: RefundItem =
          kind === 'order'
            ? ofOrder(money)
            : kind === 'tax'
              ? ofTax(money)
              : component.type === 'SHIPPING'
                ? part('SHIPPING', component.id, money)
                : {
                    ...unit(component.id, (amount % 9) + 1),
                    ...(kind === 'kept' ? { adjustments: [{ amount: -money / 1_000 }] } : {}),
                  }
        const outcome = quoteRefund(order, [item])
        if (!('quote' in outcome)) continue
        expect(outcome.quote.total <= remainingOf(order)).toBe(true)
        order = after(order, outcome.quote)
        expect(sumOf(order.refunds.map(({ total }) => total)) <= order.captured).toBe(true)
        expect(sumOf(order.refunds.map(({ tax }) => tax)) <= sumOf(order.components.map(({ tax }) => tax))).toBe(true)
      }
    }),
    { numRuns },
  )
})
