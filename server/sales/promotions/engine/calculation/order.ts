import { smaller, sumOf, type Units } from '../../../../core/money/units.ts'
import type { Ledger, PendingAmount, Source } from './ledger.ts'
import { percentOf } from './units.ts'

export interface OrderAmount extends Source {
  amount: Units
}

/**
 * Calculates the amounts off the order, in the sequence of their promotions and on the lines after the discounts of items
 * (docs/contract/promotions.md section 5).
 */
export function orderAmounts(ledger: Ledger): OrderAmount[] {
  const original = sumOf(ledger.orderLines.map(({ total }) => total))
  let left = ledger.orderLeft - ledger.manual
  return ledger.pending.map(({ promotion_id, code, ...pending }) => {
    const amount = smaller(left, amountOf(pending, ledger.base(original, left), ledger.step))
    left -= amount
    return { promotion_id, code, amount }
  })
}

function amountOf({ discount, maximum, rounds }: Omit<PendingAmount, keyof Source>, base: Units, step: Units) {
  const once = discount.kind === 'fixed' ? discount.amount : percentOf(base, discount.percentage, step)
  const whole = once * BigInt(rounds)
  return maximum === undefined ? whole : smaller(whole, maximum)
}

/** The worth of all discounts so far, with that of the units that were added. */
export const worthOf = (ledger: Ledger): Units =>
  sumOf(ledger.lines.map(({ total, left }) => total - left)) +
  sumOf(orderAmounts(ledger).map(({ amount }) => amount)) +
  sumOf(ledger.gifts.map(({ price, quantity }) => price * BigInt(quantity)))
