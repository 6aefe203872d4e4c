import { sumOf, UNITS_MAX, type Units, unitsOf } from '../../../core/money/units.ts'

// The totals of a quote (docs/contract/b2b-quotes.md section 4). Pure.

/** The parts of a total. */
export interface TotalParts {
  lines: readonly { offeredPrice: number; quantity: number }[]
  shipping: Units
  tax: Units
}

const TOLERANCE: Units = unitsOf(0.01)

/** @returns the sum of the lines at their offered prices; undefined for one that is too large */
export function sumOfLines(lines: TotalParts['lines']): Units | undefined {
  const sum = sumOf(lines.map(({ offeredPrice, quantity }) => unitsOf(offeredPrice) * BigInt(quantity)))
  return sum > UNITS_MAX ? undefined : sum
}

/** The total with shipping and tax; undefined for one that is too large. */
export function quoteTotal({ lines, shipping, tax }: TotalParts): Units | undefined {
  const sum = sumOfLines(lines)
  const total = sum === undefined ? undefined : sum + shipping + tax
  return total !== undefined && total > UNITS_MAX ? undefined : total
}

/** Whether a total is that of the lines, or that with shipping and tax. */
export function isGrandTotal(total: Units, parts: TotalParts): boolean {
  const isNear = (other: Units | undefined) =>
    other !== undefined && total - other <= TOLERANCE && other - total <= TOLERANCE
  return isNear(sumOfLines(parts.lines)) || isNear(quoteTotal(parts))
}
