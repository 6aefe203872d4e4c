import { AMOUNT_MAX } from '../rest/input/amounts.ts'

/**
 * An amount of money in ten-thousandths: amounts have four places (docs/contract/orders.md section 3). Whole numbers of any size are
 * exact in every step, and a quotient is rounded once, from its exact value (docs/decisions/028-money-in-whole-numbers.md).
 */
export type Units = bigint

const PLACES = 4

/** @param amount of at most four places and 15 digits, as rows and bodies have it */
export function unitsOf(amount: number): Units {
  // Ten times as fast as the text. Below this size the product is nearer to the whole number than to any other.
  if (Math.abs(amount) < EXACT_MAX) return BigInt(Math.round(amount * ONE))
  return BigInt(amount.toFixed(PLACES).replace('.', ''))
}

const ONE = 10 ** PLACES
const EXACT_MAX = 1e9

/** As much as an amount holds. */
export const UNITS_MAX: Units = unitsOf(AMOUNT_MAX)

/** The same as rows and bodies have it. */
export function amountOf(units: Units): number {
  const whole = Number(units)
  // A quotient of safe integers is rounded as the text of its decimals is.
  return Number.isSafeInteger(whole) ? whole / ONE : Number(textOf(units))
}

/** The same with four places, as the older family writes money: `68.5000`. @param units whole, and exact if they are a number */
export function textOf(units: Units | number): string {
  const digits = String(units < 0 ? -units : units).padStart(PLACES + 1, '0')
  return `${units < 0 ? '-' : ''}${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`
}

/** The smallest amount that a currency knows, in units: 100 for two decimals. @param decimals 0 to 4 */
export const minorUnit = (decimals: number): Units => MINOR_UNITS[decimals] ?? 10n ** BigInt(PLACES - decimals)

/** By decimals. Every rounding asks for one, and a power takes longer than the rounding. */
const MINOR_UNITS: readonly Units[] = [10_000n, 1_000n, 100n, 10n, 1n]

/**
 * `amount * part / whole`, rounded once; halves go away from zero.
 * @param whole not 0
 * @param step the result is a multiple of this: `minorUnit` of a currency, or 1 for four places
 */
export function ratio(amount: Units, part: bigint, whole: bigint, step: Units = 1n): Units {
  return divide(amount * part, whole * step) * step
}

/** Rounded to the decimals of a currency; halves go away from zero. */
export const roundTo = (amount: Units, decimals: number): Units => ratio(amount, 1n, 1n, minorUnit(decimals))

function divide(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n
  const [size, by] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor]
  const rounded = (2n * size + by) / (2n * by)
  return isNegative ? -rounded : rounded
}

/**
 * The share of the next ones, of an amount that is divided among a whole. Shares that follow each other always add up to the
 * amount.
 * @param before how many had their share
 * @param next how many get theirs now
 */
export const share = (amount: Units, before: bigint, next: bigint, whole: bigint): Units =>
  whole === 0n ? 0n : ratio(amount, before + next, whole) - ratio(amount, before, whole)

export const sumOf = (amounts: readonly Units[]): Units => amounts.reduce((sum, amount) => sum + amount, 0n)

/** `Math.min` knows no bigint. */
export const smaller = (one: Units, other: Units): Units => {
  if (one < other) return one
  return other
}

/** `Math.max` knows no bigint. */
export const larger = (one: Units, other: Units): Units => {
  if (one > other) return one
  return other
}
