import type { Units } from '../../../../core/money/units.ts'
import type { CompiledSelection } from '../compile.ts'
import { compareUnits, type Ledger, type LedgerLine, type Run } from './ledger.ts'

// The units that one rule may use, sorted once: an action takes them from the front, a condition from the back.

/** Units of a run that one rule may use. */
export interface PoolRun {
  line: LedgerLine
  run: Run
  /** The amount that the order of the pool and percentages depend on. */
  base: Units
  /** Not yet used by the rule. */
  free: number
  /** Used by the condition in this round, from the back. */
  reserved: number
  /** Whether the action may take it. */
  isOffered: boolean
  /** For each minimum of the condition with a quantity, whether it counts. */
  matches: readonly boolean[]
  /** Discounts of units that the rule took; undefined for none. */
  discounts: { count: number; each: Units }[] | undefined
}

export interface Taken {
  of: PoolRun
  count: number
}

export class UnitPool {
  readonly runs: readonly PoolRun[]
  readonly #selection: CompiledSelection | undefined
  /** The first run that may have free units. */
  #front = 0
  /** For each minimum, the last run that may have free units. */
  readonly #backs: number[] = []
  #reserved: PoolRun[] = []

  /** @param isSorted whether the order of the units matters */
  constructor(runs: PoolRun[], selection: CompiledSelection | undefined, isSorted: boolean) {
    this.runs = runs
    this.#selection = selection
    if (!isSorted) return
    const isDearestFirst = selection?.strategy.startsWith('MOST') ?? false
    runs.sort((one, other) => {
      const byBase = compareUnits(one.base, other.base)
      if (byBase !== 0) return isDearestFirst ? -byBase : byBase
      return one.line.position - other.line.position || compareUnits(other.run.left, one.run.left)
    })
  }

  /** Reserves units for a minimum of the condition. Several minimums may reserve the same units. */
  reserve(minimum: number, quantity: number) {
    let missing = quantity
    let back = this.#backs[minimum] ?? this.runs.length - 1
    for (let i = back; i >= 0 && missing > 0; i--) {
      const run = this.runs[i]
      if (!run) break
      if (!run.matches[minimum] || run.free === 0) {
        if (i === back) back--
        continue
      }
      const count = Math.min(missing, run.free)
      if (run.reserved === 0) this.#reserved.push(run)
      run.reserved = Math.max(run.reserved, count)
      missing -= count
    }
    this.#backs[minimum] = back
  }

  /** The units that the action takes in this round; fewer than its quantity if there are not enough. */
  take(quantity = Number.POSITIVE_INFINITY): Taken[] {
    const taken: Taken[] = []
    const { includesCondition, strategy } = this.#selection ?? { includesCondition: false, strategy: '' }
    const isExtremeOnly = strategy.endsWith('_ONLY')
    let missing = quantity
    for (let i = this.#front; i < this.runs.length && missing > 0; i++) {
      const of = this.runs[i]
      if (!of) break
      if (of.free === 0 || !of.isOffered) {
        if (i === this.#front) this.#front++
        continue
      }
      const available = includesCondition ? of.free : of.free - of.reserved
      if (available === 0) continue
      if (isExtremeOnly && taken[0] && taken[0].of.base !== of.base) break
      const count = Math.min(missing, available)
      taken.push({ of, count })
      missing -= count
    }
    return taken
  }

  /** Uses up the units of a round: those that were taken and those that were reserved. */
  use(taken: readonly Taken[], used: (run: PoolRun, count: number) => void) {
    for (const { of, count } of taken) {
      // Reserved units come from the other end: they overlap only if there are not enough of both.
      const both = Math.min(of.free, count + of.reserved)
      of.reserved = 0
      of.free -= both
      used(of, both)
    }
    for (const run of this.#reserved) {
      if (run.reserved === 0) continue
      const count = run.reserved
      run.reserved = 0
      run.free -= count
      used(run, count)
    }
    this.#reserved = []
  }

  /** Takes the discounts off the lines. @returns the sum */
  settle(ledger: Ledger, record: (line: LedgerLine, amount: Units) => void): Units {
    const byLine = new Map<LedgerLine, Units>()
    for (const { line, run, discounts } of this.runs) {
      if (!discounts) continue
      for (const { count, each } of discounts) {
        byLine.set(line, (byLine.get(line) ?? 0n) + ledger.discount(line, run, count, each))
      }
    }
    let sum = 0n
    for (const [line, amount] of byLine) {
      record(line, amount)
      sum += amount
    }
    return sum
  }
}

/** Adds a discount to units of a run, and joins it to an equal one before it. */
export function addDiscount(of: PoolRun, count: number, each: Units) {
  if (count === 0 || each === 0n) return
  of.discounts ??= []
  const last = of.discounts.at(-1)
  if (last?.each === each) last.count += count
  else of.discounts.push({ count, each })
}
