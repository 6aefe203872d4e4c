import { minorUnit, ratio, type Units } from './units.ts'

/**
 * An amount in hundred-millionths: taxes that are not rounded keep eight places (docs/decisions/028-money-in-whole-numbers.md). Only
 * the calculation of tax has such amounts. Sums are rounded to `Units` before they are stored or shown.
 */
export type FineUnits = bigint

/** Fine units of one unit. */
export const FINE: FineUnits = 10_000n

export const toFine = (amount: Units): FineUnits => amount * FINE

/** Rounded to the decimals of a currency; halves go away from zero. @param decimals 0 to 4 */
export const roundFine = (amount: FineUnits, decimals: number): Units => {
  const step = minorUnit(decimals)
  return ratio(amount, 1n, FINE * step) * step
}
