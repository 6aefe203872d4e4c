import { type FineUnits, roundFine, toFine } from '../../../core/money/fine.ts'
import { amountOf, minorUnit, smaller, sumOf, UNITS_MAX, type Units, unitsOf } from '../../../core/money/units.ts'
import type { CartResult } from '../../carts/evaluation/result.ts'
import type { LineTax } from '../../tax/calculation/tax-of.ts'
import type { LineDraft } from '../calculation/lines.ts'

// A checkout rounds sums, and an order stores parts in whole units of the currency. The parts of an order add up to the sums of its
// checkout: the largest one takes the rest of the rounding (docs/contract/orders.md section 10). Pure.

/** Rounds amounts one after another, each with the rest of those before it, so that they add up to a total. */
function roundedParts(exact: readonly FineUnits[], total: Units, decimals: number): Units[] {
  let [sum, rounded]: [FineUnits, Units] = [0n, 0n]
  const parts = exact.map((amount) => {
    sum += amount
    const part = roundFine(sum, decimals) - rounded
    rounded += part
    return part
  })
  // The largest part takes the rest; among equal parts, the one with the largest exact amount.
  const largest = largestOf(parts.map((part, i) => toFine(part) * UNITS_MAX + (exact[i] ?? 0n)))
  return parts.map((part, i) => (i === largest ? part + total - rounded : part))
}

const largestOf = (amounts: readonly Units[]): number =>
  amounts.reduce((found, amount, i) => (found === -1 || amount > (amounts[found] ?? 0n) ? i : found), -1)

/** The rates of a cost with their amounts, which add up to its tax. */
export function roundedRates({ rates }: LineTax, tax: Units, decimals: number) {
  const amounts = roundedParts(
    rates.map(({ amount }) => amount),
    tax,
    decimals,
  )
  return rates.map(({ rate }, i) => ({ rate, amount: amounts[i] ?? 0n }))
}

/** The wrapping costs of all parts of lines, in their order; undefined for parts without wrapping. */
export function roundedWrappings({ lines, wrapping, decimals }: CartResult) {
  const parts = lines.flatMap((line) => line.parts)
  const wrapped = parts.flatMap((part) => part.wrapping?.tax ?? [])
  const taxes = roundedParts(
    wrapped.map(({ tax }) => tax),
    wrapping.inc - wrapping.ex,
    decimals,
  )
  const incs = roundedParts(
    wrapped.map(({ inc }) => inc),
    wrapping.inc,
    decimals,
  )
  let next = 0
  return parts.map((part) => {
    if (!part.wrapping) return undefined
    const inc = incs[next] ?? 0n
    const tax = smaller(taxes[next++] ?? 0n, inc)
    return { ex: inc - tax, inc }
  })
}

/**
 * The lines of an order, with taxes and prices that add up to those of its checkout. A rest of less than a unit of the currency stays:
 * prices may have more decimals.
 */
export function withRest<Line extends LineDraft>(lines: readonly Line[], result: CartResult): Line[] {
  const { cart, certificates, isInclusive, decimals } = result
  const ofTaxed = (amountIn: (line: Line) => number | null) =>
    lines.map((line) => (line.taxed_by ? unitsOf(amountIn(line) ?? 0) : 0n))
  const taxes = ofTaxed(({ discounted_tax }) => discounted_tax)
  const exs = ofTaxed(({ discounted_ex_tax }) => discounted_ex_tax)
  const sold = sumOf(certificates.map(({ amount }) => unitsOf(amount)))
  const tax = cart.inc - cart.ex - sumOf(taxes)
  const paid = isInclusive ? cart.inc - sold - sumOf([...exs, ...taxes]) : 0n
  // The line with most tax takes the rest; among equal ones, such as those without tax, the dearest line.
  const byTax = lines.map(({ taxed_by }, i) =>
    taxed_by?.rates.length ? (taxes[i] ?? 0n) * UNITS_MAX + (exs[i] ?? 0n) : -1n,
  )
  const [mostTaxed, dearest] = [largestOf(byTax), largestOf(exs)]
  return lines.map((line, i) => {
    const moreTax = i === mostTaxed ? tax : 0n
    // Prices with tax stay as they are when their tax changes.
    const more = (i === dearest ? paid - (paid % minorUnit(decimals)) : 0n) - (isInclusive ? moreTax : 0n)
    return more === 0n && moreTax === 0n ? line : withMore(line, more, moreTax)
  })
}

/** A line that is taxed by rates, with more without tax and more tax. */
function withMore<Line extends LineDraft>(line: Line, more: Units, moreTax: Units): Line {
  const { discounted_ex_tax, discounted_tax, taxed_by } = line
  const largest = largestOf((taxed_by?.rates ?? []).map(({ amount }) => unitsOf(amount)))
  const plus = (amount: number | null, other: Units) => amountOf(unitsOf(amount ?? 0) + other)
  return {
    ...line,
    discounted_ex_tax: plus(discounted_ex_tax, more),
    discounted_tax: plus(discounted_tax, moreTax),
    taxed_by: taxed_by && {
      ...taxed_by,
      rates: taxed_by.rates.map((rate, i) => (i === largest ? { ...rate, amount: plus(rate.amount, moreTax) } : rate)),
    },
  }
}
