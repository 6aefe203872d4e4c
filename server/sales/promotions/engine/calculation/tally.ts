import type { Units } from '../../../../core/money/units.ts'
import type { CompiledMinimum } from '../conditions.ts'
import type { Budget } from './budget.ts'
import type { Ledger } from './ledger.ts'

/** The units and the spend that count for a minimum. Rounds use them up. */
export interface Tally {
  minimum: CompiledMinimum
  /** Whether each line counts, by its position. Empty for a minimum without a quantity. */
  lines: readonly boolean[]
  units: number
  spend: Units
}

export function tallyOf(ledger: Ledger, minimum: CompiledMinimum, budget: Budget): Tally {
  const { items, quantity } = minimum
  const lines: boolean[] = []
  const tally: Tally = { minimum, lines, units: 0, spend: 0n }
  if (items) {
    let looks = 0
    for (const { position, line, matched, counts, total, left } of ledger.lines) {
      looks += matched.looks
      const isCounted = counts && items.matches(matched)
      if (quantity > 0) lines[position] = isCounted
      if (!isCounted) continue
      tally.units += line.quantity
      if (minimum.spend > 0n) tally.spend += ledger.base(total, left)
    }
    budget.spend(items.leaves * looks)
  } else if (minimum.spend > 0n) {
    budget.spend(ledger.orderLines.length)
    tally.spend = ledger.spend
  }
  return tally
}

/**
 * Whether a minimum is met in a round. Units that were used before don't count; for a spend alone each round needs the minimum once
 * more.
 * @param round 0 for the first
 */
export function isMet({ minimum, units, spend }: Tally, round: number): boolean {
  if (minimum.quantity > 0) return units >= minimum.quantity && spend >= minimum.spend
  return spend >= minimum.spend * BigInt(round + 1)
}

/** Whether a part of a minimum is met. */
export const hasProgress = ({ minimum, units, spend }: Tally): boolean =>
  (minimum.quantity > 0 && units > 0) || (minimum.spend > 0n && spend > 0n)
