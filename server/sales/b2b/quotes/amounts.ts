import { amountOf } from '../../../core/money/units.ts'
import { toAmount } from '../../../core/rest/input/amounts.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { readAmount } from '../shared/exact-money.ts'

/** Reads an amount of a body. @returns 0 with a mistake */
export type AmountReader = (value: number | string, field: string) => number

/**
 * Reads amounts that are 0 or more. A number of more than four decimals is rounded: clients add up binary fractions.
 * @param currency a code of ISO 4217
 */
export const amountsIn =
  (currency: string, mistakes: Mistakes): AmountReader =>
  (value, field) => {
    const plain = typeof value === 'number' ? toAmount(value) : value
    const units = readAmount(typeof plain === 'number' ? plain : String(plain), currency)
    if (typeof units === 'string') mistakes[field] = units
    else if (units < 0n) mistakes[field] = 'This amount must not be negative.'
    else return amountOf(units)
    return 0
  }
