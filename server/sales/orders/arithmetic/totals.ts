import { type FineUnits, roundFine, toFine } from '../../../core/money/fine.ts'
import { larger, minorUnit, ratio, share, smaller, sumOf, type Units } from '../../../core/money/units.ts'
import type { LineTax } from '../../tax/calculation/tax-of.ts'

/** A cost without tax and with tax. */
export interface Cost {
  ex: Units
  inc: Units
}

/** A line with given prices: the price of a unit, and the number of units. */
interface GivenLine {
  price: Cost
  quantity: number
  /** The discount of the line; undefined if it shares that of the order. */
  ownDiscount?: Units | undefined
}

/** A line that is taxed by rates: the price of all units as it was entered, and the tax of any part of it. */
interface RatedLine {
  entered: Units
  tax(amount: Units): LineTax
  ownDiscount?: Units | undefined
}

/** The input of the totals of an order. */
export interface Bill {
  lines: readonly (GivenLine | RatedLine)[]
  /** All discounts. Lines without discounts of their own share the rest of it; at most the price of all lines. */
  discount: Units
  /** Shipping, handling, wrapping, fees. */
  costs: readonly Cost[]
  /** Whether given prices include tax: then those with tax are exact. */
  isInclusive: boolean
  /** Decimals of the currency. */
  decimals: number
}

/** The totals of a line. */
export interface LineTotal {
  /** Without the discount. */
  ex: Units
  inc: Units
  /** Its share of the discount. */
  discount: Units
  /** After the discount. The tax is in whole minor units of the currency. */
  left: Cost
  /** The tax after the discount by rate, of a line that is taxed by rates. */
  rates: readonly Units[]
}

export interface Totals {
  lines: LineTotal[]
  /** The price of all lines as they were entered, before the discount. */
  entered: Units
  /** The sum of the lines before the discount. */
  subtotal: Cost
  total: Cost
}

/** Calculates the totals of an order (docs/contract/orders.md section 3). Pure. */
export function totalsOf({ lines, discount, costs, isInclusive, decimals }: Bill): Totals {
  const [whole, reduced] = [lineRounding(decimals), lineRounding(decimals)]
  const entered = sumOf(lines.map((line) => enteredOf(line, isInclusive)))
  const sharing = lines.filter(({ ownDiscount }) => ownDiscount === undefined)
  const enteredBySharing = sumOf(sharing.map((line) => enteredOf(line, isInclusive)))
  const shared = larger(0n, discount - sumOf(lines.map(({ ownDiscount = 0n }) => ownDiscount)))
  let before = 0n
  const billed = lines.map((line): LineTotal => {
    const amount = enteredOf(line, isInclusive)
    const part = line.ownDiscount ?? share(shared, before, amount, enteredBySharing)
    if (line.ownDiscount === undefined) before += amount
    if ('entered' in line) {
      const { ex, inc } = whole(amount, line.tax(amount))
      const { rates, ...left } = reduced(amount - part, line.tax(amount - part))
      return { ex, inc, discount: part, left, rates }
    }
    const cost = costOfGiven(line)
    const tax = taxOfGiven(cost, amount, part, decimals)
    const left = isInclusive
      ? { ex: amount - part - tax, inc: amount - part }
      : { ex: amount - part, inc: amount - part + tax }
    return { ...cost, discount: part, left, rates: [] }
  })
  return {
    lines: billed,
    entered,
    subtotal: addUp(billed),
    total: addUp([...billed.map(({ left }) => left), ...costs]),
  }
}

const enteredOf = (line: GivenLine | RatedLine, isInclusive: boolean): Units => {
  if ('entered' in line) return line.entered
  const { ex, inc } = costOfGiven(line)
  return isInclusive ? inc : ex
}

const costOfGiven = ({ price, quantity }: GivenLine): Cost => ({
  ex: price.ex * BigInt(quantity),
  inc: price.inc * BigInt(quantity),
})

/** The tax of a line decreases with the discount. Each line is rounded by itself. */
function taxOfGiven({ ex, inc }: Cost, exact: Units, discount: Units, decimals: number): Units {
  const step = minorUnit(decimals)
  return exact === 0n ? ratio(inc - ex, 1n, 1n, step) : ratio(inc - ex, exact - discount, exact, step)
}

/**
 * Rounds the taxes of lines to the currency, one line after another. Each rounding carries its rest to the next, so that the sum of all
 * taxes is rounded only once. Taxes that are whole already stay as they are.
 * @returns a function for one line after another
 */
function lineRounding(decimals: number): (amount: Units, tax: LineTax) => Cost & { rates: Units[] } {
  let exact: FineUnits = 0n
  let rounded: Units = 0n
  return (amount, { ex, inc, rates }) => {
    const isInside = inc === toFine(amount)
    let left = amount
    const taxes = rates.map((rate) => {
      exact += rate.amount
      const next = roundFine(exact, decimals) - rounded
      // Several rates that are all rounded up can exceed an amount of a few minor units that contains them.
      const tax = isInside ? smaller(next, left) : next
      rounded += tax
      left -= tax
      return tax
    })
    const tax = sumOf(taxes)
    if (ex === toFine(amount)) return { ex: amount, inc: amount + tax, rates: taxes }
    // Without the tax of the store, neither side is the amount that was entered. The side that is paid is rounded.
    const paid = isInside ? amount : larger(roundFine(inc, decimals), tax)
    return { ex: paid - tax, inc: paid, rates: taxes }
  }
}

export const addUp = (costs: readonly Cost[]): Cost => ({
  ex: sumOf(costs.map(({ ex }) => ex)),
  inc: sumOf(costs.map(({ inc }) => inc)),
})
