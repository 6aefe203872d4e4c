import { ratio, smaller, sumOf, type Units } from '../../../../core/money/units.ts'
import type { Ledger, LedgerLine } from './ledger.ts'
import type { OrderAmount } from './order.ts'
import type { EvaluatedLine } from './outcome.ts'

// Divides the amounts off an order among its lines. Shares have four places and add up (docs/contract/promotions.md section 5).

export interface SettledLine extends EvaluatedLine {
  of: LedgerLine
}

/** @param amounts of the order, by `orderAmounts` */
export function settleOrder(ledger: Ledger, amounts: readonly OrderAmount[]): SettledLine[] {
  const settled = ledger.lines.map((of): SettledLine => {
    const byPromotions = of.discounts.filter(({ code }) => code === undefined)
    return {
      of,
      promotions: byPromotions.map(({ promotion_id, amount }) => ({ promotion_id, amount })),
      orderShare: 0n,
      coupons: of.discounts.flatMap(({ code, amount }) => (code === undefined ? [] : { code, amount })),
      left: of.left,
    }
  })
  const ofOrder = ledger.orderLines.flatMap(({ position }) => settled[position] ?? [])
  const automatic = sumOf(amounts.filter(({ code }) => code === undefined).map(({ amount }) => amount))
  spread(ofOrder, ledger.manual + automatic, (line, share) => {
    line.orderShare = share
  })
  for (const { code, amount } of amounts) {
    if (code !== undefined) spread(ofOrder, amount, (line, share) => addCoupon(line, code, share))
  }
  return settled
}

/** Takes an amount off lines, by their amounts left. */
export function spread(
  lines: readonly SettledLine[],
  amount: Units,
  record: (line: SettledLine, share: Units) => void,
) {
  if (amount === 0n) return
  const whole = sumOf(lines.map(({ left }) => left))
  if (whole === 0n) return
  const divided = smaller(amount, whole)
  let before = 0n
  let given = 0n
  for (const line of lines) {
    before += line.left
    const share = ratio(divided, before, whole) - given
    given += share
    if (share === 0n) continue
    line.left -= share
    record(line, share)
  }
}

export function addCoupon(line: SettledLine, code: string, amount: Units) {
  const same = line.coupons.find((coupon) => coupon.code === code)
  if (same) same.amount += amount
  else line.coupons.push({ code, amount })
}
