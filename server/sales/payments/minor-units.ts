import Big from 'big.js'

/**
 * An amount in whole numbers of its currency's smallest unit, as gateways count.
 * @param amount of at most four places, such as 10.5
 * @param decimals of the currency, 0 to 4; halves go away from zero
 */
export const toMinor = (amount: number, decimals: number): number =>
  Number(new Big(amount).times(new Big(10).pow(decimals)).round(0, Big.roundHalfUp))

/** The amount that stands for so many of the smallest unit. */
export const fromMinor = (minor: number, decimals: number): number =>
  Number(new Big(minor).div(new Big(10).pow(decimals)))
