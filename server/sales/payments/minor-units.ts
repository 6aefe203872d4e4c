import Big from 'big.js'

/**
 * Converts an amount to whole numbers of the smallest unit of its currency.
 * @param amount with at most four decimals, such as 10.5
 * @param decimals of the currency, 0 to 4; halves are rounded away from zero
 */
export const toMinor = (amount: number, decimals: number): number =>
  Number(new Big(amount).times(new Big(10).pow(decimals)).round(0, Big.roundHalfUp))

/** Converts a number of smallest units to an amount. */
export const fromMinor = (minor: number, decimals: number): number =>
  Number(new Big(minor).div(new Big(10).pow(decimals)))
