import { smaller, type Units } from '../../../../core/money/units.ts'
import type { CompiledAction, CompiledRule, CompiledSelection } from '../compile.ts'
import { minimumsMet } from '../conditions.ts'
import type { Budget } from './budget.ts'
import type { Ledger, Source } from './ledger.ts'
import { type PoolRun, type Taken, UnitPool } from './pool.ts'
import { hasProgress, isMet, type Tally, tallyOf } from './tally.ts'
import { discountEach, discountTogether } from './units.ts'

// Applies one rule of a promotion to a cart, round by round (docs/contract/promotions.md section 5):
//   C     units that the condition needs, from the end that the strategy does not want
//   taken units of the pool that the action takes
//   used  C and taken, for the later rounds

const ROUNDS_MAX = 1_000
/** Looks that a round, and each run of units that it takes, cost. */
const LOOKS_OF_ROUND = 20
/** Looks that a run of units costs in the pool of a rule. */
const LOOKS_OF_RUN = 8
const NO_MATCHES: readonly boolean[] = []
const ONE_MATCH: readonly boolean[] = [true]

/** The outcome of a rule: applied, or the reason it did nothing. */
export type RuleOutcome = 'applied' | 'quantity' | 'spend' | 'noItems' | 'nothingLeft' | 'noStock' | 'budget'

export interface AppliedRule {
  outcome: RuleOutcome
  /** Whether a part of the condition was met. */
  hasProgress: boolean
}

export interface RuleContext {
  ledger: Ledger
  source: Source
  budget: Budget
}

/** The outcome of the rounds of an action so far. */
interface Rounds {
  count: number
  /** Money off items. */
  sum: Units
  /** Units that were added. */
  added: number
  hasTaken: boolean
}

export function applyRule(context: RuleContext, rule: CompiledRule): AppliedRule {
  const { ledger, budget } = context
  const tallies = (rule.condition?.minimums ?? []).map((minimum) => tallyOf(ledger, minimum, budget))
  const progress = tallies.some(hasProgress)
  if (budget.isSpent) return { outcome: 'budget', hasProgress: progress }
  const met = metIn(rule, tallies, 0)
  if (!met) {
    const isShortOfUnits = tallies.some(({ minimum, units }) => units < minimum.quantity)
    return { outcome: isShortOfUnits || !tallies.some(isShortOfSpend) ? 'quantity' : 'spend', hasProgress: progress }
  }
  const { action } = rule
  const selection = selectionOf(action)
  const needsUnits = selection !== undefined || (rule.isRepeated && tallies.some(({ minimum }) => minimum.quantity > 0))
  const pool = needsUnits ? makePool(context, action, tallies) : undefined
  const rounds = runRounds(context, rule, tallies, pool)
  pool?.settle(ledger, (line, amount) => ledger.record(line, context.source, amount))
  return { outcome: outcomeOf(context, action, rounds), hasProgress: progress }
}

const isShortOfSpend = ({ minimum, spend }: Tally) => spend < minimum.spend

/** The positions of the minimums that make the condition true, undefined if it is false. */
function metIn({ condition }: CompiledRule, tallies: readonly Tally[], round: number) {
  if (!condition) return []
  return minimumsMet(condition.root, ({ position }) => {
    const tally = tallies[position]
    return tally !== undefined && isMet(tally, round)
  })
}

const selectionOf = (action: CompiledAction): CompiledSelection | undefined =>
  action.kind === 'items' || action.kind === 'set' ? action.selection : undefined

function makePool({ ledger, budget }: RuleContext, action: CompiledAction, tallies: readonly Tally[]) {
  const selection = selectionOf(action)
  const items = selection?.items
  const runs: PoolRun[] = []
  const withQuantity = tallies.some(({ minimum }) => minimum.quantity > 0)
  let looks = 0
  for (const line of ledger.lines) {
    const matches = withQuantity ? matchesOf(tallies, line.position) : NO_MATCHES
    const isOffered = selection !== undefined && line.isInPool && !(selection.excludesSale && line.line.isOnSale)
    if (isOffered && items) looks += items.leaves * line.matched.looks
    const isTaken = isOffered && (items === undefined || items.matches(line.matched))
    if (!isTaken && !matches.includes(true)) continue
    looks += LOOKS_OF_RUN * line.runs.length
    for (const run of line.runs) {
      const base = ledger.base(line.line.price, run.left)
      runs.push({ line, run, base, free: run.count, reserved: 0, isOffered: isTaken, matches, discounts: undefined })
    }
  }
  budget.spend(looks)
  return new UnitPool(runs, selection, withQuantity || hasOrder(action))
}

/** Whether a line counts for each minimum. Most conditions have one. */
function matchesOf(tallies: readonly Tally[], position: number): readonly boolean[] {
  if (tallies.length === 1) return tallies[0]?.lines[position] ? ONE_MATCH : NO_MATCHES
  return tallies.map(({ lines }) => lines[position] ?? false)
}

/** Whether the order of the units matters to an action. */
const hasOrder = (action: CompiledAction): boolean => {
  if (action.kind !== 'items') return action.kind === 'set'
  const { selection, asTotal, maximum } = action
  return asTotal || maximum !== undefined || selection.quantity !== undefined || selection.strategy.endsWith('_ONLY')
}

function runRounds(
  context: RuleContext,
  rule: CompiledRule,
  tallies: readonly Tally[],
  pool: UnitPool | undefined,
): Rounds {
  const rounds: Rounds = { count: 0, sum: 0n, added: 0, hasTaken: false }
  const withQuantity = tallies.filter(({ minimum }) => minimum.quantity > 0)
  const useUp = ({ base, matches }: PoolRun, count: number) => {
    for (const tally of withQuantity) {
      if (!matches[tally.minimum.position]) continue
      tally.units -= count
      if (tally.minimum.spend > 0n) tally.spend -= base * BigInt(count)
    }
  }
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const met = metIn(rule, tallies, round)
    if (!met) break
    context.budget.spend(1)
    if (context.budget.isSpent) break
    for (const { quantity, position } of met) if (quantity > 0) pool?.reserve(position, quantity)
    const taken = act(context, rule, pool, rounds)
    if (!taken) break
    rounds.count++
    context.budget.spend(LOOKS_OF_ROUND * (1 + taken.length))
    pool?.use(taken, useUp)
    if (!rule.isRepeated || rule.action.kind === 'shipping') break
  }
  if (rule.action.kind === 'value' && rounds.count > 0) {
    const { discount, maximum } = rule.action
    context.ledger.pending.push({ ...context.source, discount, maximum, rounds: rounds.count })
  }
  return rounds
}

/** One round of an action. @returns the units that it took, undefined if it could not act */
function act(
  context: RuleContext,
  rule: CompiledRule,
  pool: UnitPool | undefined,
  rounds: Rounds,
): Taken[] | undefined {
  const { ledger, source } = context
  const { action } = rule
  if (action.kind === 'value') return []
  if (action.kind === 'shipping') {
    ledger.offers.push({ ...source, zones: action.zones })
    return []
  }
  if (action.kind === 'gift') {
    if ((ledger.stockOf(action.good)?.available ?? 0) < action.quantity) return undefined
    ledger.give(source, action.good, action.quantity)
    rounds.added += action.quantity
    return []
  }
  const taken = pool?.take(action.selection.quantity) ?? []
  if (action.kind === 'set') return takeSet(ledger, action, taken, rounds)
  const mayAdd = rounds.count === 0 || rule.usesUp
  const added = mayAdd ? addMissing(context, action, taken, rounds) : 0
  if (taken.length === 0 && added === 0) return undefined
  rounds.hasTaken = true
  rounds.sum += discountItems(ledger, action, taken, rounds.sum)
  return taken
}

type SetAction = Extract<CompiledAction, { kind: 'set' }>
type ItemsAction = Extract<CompiledAction, { kind: 'items' }>

function takeSet(ledger: Ledger, { size, price }: SetAction, taken: Taken[], rounds: Rounds): Taken[] | undefined {
  if (taken.reduce((all, { count }) => all + count, 0) < size) return undefined
  rounds.hasTaken = true
  const whole = taken.reduce((all, { of, count }) => all + of.run.left * BigInt(count), 0n)
  rounds.sum += discountTogether(taken, whole - price, ledger.step)
  return taken
}

function discountItems(ledger: Ledger, action: ItemsAction, taken: readonly Taken[], before: Units): Units {
  const { discount, asTotal } = action
  const maximum = action.maximum === undefined ? undefined : action.maximum - before
  const { step } = ledger
  if (!asTotal || discount.kind !== 'fixed') return discountEach(taken, discount, { step, maximum })
  return discountTogether(taken, maximum === undefined ? discount.amount : smaller(discount.amount, maximum), step)
}

/** Adds the units that the cart has not enough of. @returns their number */
function addMissing({ ledger, source }: RuleContext, action: ItemsAction, taken: Taken[], rounds: Rounds): number {
  const { freeItem, maximum, selection } = action
  const stock = freeItem && ledger.stockOf(freeItem)
  if (!freeItem || !stock) return 0
  const found = taken.reduce((all, { count }) => all + count, 0)
  let missing = Math.min((selection.quantity ?? 0) - found, stock.available)
  if (maximum !== undefined && stock.price > 0n) {
    missing = Math.min(missing, Number((maximum - rounds.sum) / stock.price))
  }
  if (missing <= 0) return 0
  ledger.give(source, freeItem, missing)
  rounds.added += missing
  rounds.sum += stock.price * BigInt(missing)
  return missing
}

function outcomeOf({ ledger, budget }: RuleContext, action: CompiledAction, rounds: Rounds): RuleOutcome {
  if (action.kind === 'value') {
    if (rounds.count > 0 && ledger.orderLeft > 0n) return 'applied'
  } else if (action.kind === 'shipping') {
    if (rounds.count > 0) return 'applied'
  } else if (rounds.sum > 0n || rounds.added > 0) return 'applied'
  if (budget.isSpent) return 'budget'
  if (action.kind === 'gift') return 'noStock'
  if (action.kind === 'value') return 'nothingLeft'
  return rounds.hasTaken ? 'nothingLeft' : 'noItems'
}
