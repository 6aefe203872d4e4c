import { larger, ratio, smaller, type Units, unitsOf } from '../../../../core/money/units.ts'
import type { CompiledDiscount } from '../compile.ts'
import { addDiscount, type Taken } from './pool.ts'

// The amounts that actions take off units (docs/contract/promotions.md section 5).

const HUNDRED = unitsOf(100)

/** A percentage of an amount. @param step the smallest amount of the currency */
export const percentOf = (amount: Units, percentage: Units, step: Units): Units =>
  ratio(amount, percentage, HUNDRED, step)

/** Takes a discount off each unit, up to the maximum in the order of the units. @returns the sum */
export function discountEach(
  taken: readonly Taken[],
  discount: CompiledDiscount,
  { step, maximum }: { step: Units; maximum: Units | undefined },
): Units {
  let sum = 0n
  for (const { of, count } of taken) {
    const { left } = of.run
    const each = smaller(
      left,
      discount.kind === 'fixed' ? discount.amount : percentOf(of.base, discount.percentage, step),
    )
    if (each === 0n) continue
    const whole = each * BigInt(count)
    if (maximum === undefined || sum + whole <= maximum) {
      addDiscount(of, count, each)
      sum += whole
      continue
    }
    const full = Number((maximum - sum) / each)
    addDiscount(of, full, each)
    sum += each * BigInt(full)
    addDiscount(of, 1, maximum - sum)
    return maximum
  }
  return sum
}

/**
 * Divides an amount among units by their amounts left, rounded to the currency: each unit gets the difference of two sums, so that
 * the parts add up. Equal units get one of two neighbouring parts. @returns the sum
 */
export function discountTogether(taken: readonly Taken[], wanted: Units, step: Units): Units {
  const whole = taken.reduce((all, { of, count }) => all + of.run.left * BigInt(count), 0n)
  const amount = ratio(larger(wanted, 0n), 1n, 1n, step)
  let sum = 0n
  let before = 0n
  for (const { of, count } of taken) {
    const { left } = of.run
    if (amount >= whole) {
      addDiscount(of, count, left)
      sum += left * BigInt(count)
      continue
    }
    const units = BigInt(count)
    const low = ((amount * left) / (whole * step)) * step
    const part = ratio(amount, before + left * units, whole, step) - ratio(amount, before, whole, step)
    const high = Number((part - low * units) / step)
    const each = { high: smaller(left, low + step), low: smaller(left, low) }
    addDiscount(of, high, each.high)
    addDiscount(of, count - high, each.low)
    sum += each.high * BigInt(high) + each.low * BigInt(count - high)
    before += left * units
  }
  return sum
}
