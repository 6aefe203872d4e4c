import type { Units } from '../../../../core/money/units.ts'
import type { CompiledMinimum } from '../conditions.ts'
import type { Budget } from './budget.ts'
import type { Ledger, LedgerLine } from './ledger.ts'

/** The units and the spend that count for a minimum. Rounds use them up. */
export interface Tally {
  minimum: CompiledMinimum
  /** Positions of the lines that count. */
  lines: ReadonlySet<number>
  units: number
  spend: Units
}

export function tallyOf(ledger: Ledger, minimum: CompiledMinimum, budget: Budget): Tally {
  const tally: Tally & { lines: Set<number> } = { minimum, lines: new Set(), units: 0, spend: 0n }
  const { items, quantity } = minimum
  const count = ({ position, line, total, left }: LedgerLine) => {
    if (quantity > 0) tally.lines.add(position)
    tally.units += line.quantity
    if (minimum.spend > 0n) tally.spend += ledger.base(total, left)
  }
  if (items) {
    for (const line of ledger.lines) {
      budget.spend(items.leaves * line.matched.looks)
      if (line.counts && items.matches(line.matched)) count(line)
    }
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
