import { minorUnit, ratio, share, sumOf, type Units } from '../../../core/money/units.ts'

/** A cost without tax and with tax. */
export interface Cost {
  ex: Units
  inc: Units
}

/** A line of an order: the price of a unit, and the number of units. */
interface BilledLine {
  price: Cost
  quantity: number
}

/** The input of the totals of an order. */
export interface Bill {
  lines: readonly BilledLine[]
  /** Shared by all lines; at most their price. */
  discount: Units
  /** Shipping, handling, wrapping, fees. */
  costs: readonly Cost[]
  /** Whether prices include tax: then the prices with tax are exact. */
  isInclusive: boolean
  /** Decimals of the currency. */
  decimals: number
}

/** The totals of a line. */
interface LineTotal {
  /** Without the discount. */
  ex: Units
  inc: Units
  /** Its share of the discount. */
  discount: Units
  /** The tax after the discount, in whole minor units of the currency. */
  tax: Units
}

export interface Totals {
  lines: LineTotal[]
  /** The sum of the lines before the discount. */
  subtotal: Cost
  total: Cost
}

/** Calculates the totals of an order (docs/contract/orders.md section 3). Pure. */
export function totalsOf({ lines, discount, costs, isInclusive, decimals }: Bill): Totals {
  const whole = lines.map(({ price, quantity }) => ({
    ex: price.ex * BigInt(quantity),
    inc: price.inc * BigInt(quantity),
  }))
  const subtotal = addUp(whole)
  const exact = (cost: Cost) => (isInclusive ? cost.inc : cost.ex)
  let before = 0n
  const billed = whole.map((line) => {
    const part = share(discount, before, exact(line), exact(subtotal))
    before += exact(line)
    return { ...line, discount: part, tax: taxOf(line, exact(line), part, decimals) }
  })
  const added = addUp(costs)
  const tax = sumOf(billed.map((line) => line.tax)) + added.inc - added.ex
  const exactTotal = exact(subtotal) - discount + exact(added)
  const total = isInclusive ? { ex: exactTotal - tax, inc: exactTotal } : { ex: exactTotal, inc: exactTotal + tax }
  return { lines: billed, subtotal, total }
}

/** The tax of a line decreases with the discount. Each line is rounded by itself. */
function taxOf({ ex, inc }: Cost, exact: Units, discount: Units, decimals: number): Units {
  const step = minorUnit(decimals)
  return exact === 0n ? ratio(inc - ex, 1n, 1n, step) : ratio(inc - ex, exact - discount, exact, step)
}

export const addUp = (costs: readonly Cost[]): Cost => ({
  ex: sumOf(costs.map(({ ex }) => ex)),
  inc: sumOf(costs.map(({ inc }) => inc)),
})
