import type { Units } from '../../../core/money/units.ts'
import { unitsOfText } from './amounts.ts'
import { type CompiledMatcher, compileMatcher, type LineFacts } from './matchers.ts'
import type { CartCondition } from './promotion.ts'

/** Minimums of a cart. */
export interface CompiledMinimum {
  /** Undefined for all lines. */
  items: CompiledMatcher | undefined
  /** 0 for no minimum. A quantity without items has no effect. */
  quantity: number
  spend: Units
  /** Position in `CompiledCondition.minimums`. */
  position: number
}

type ConditionNode =
  | { kind: 'minimum'; minimum: CompiledMinimum }
  | { kind: 'and' | 'or'; nodes: readonly ConditionNode[] }
  | { kind: 'not'; node: ConditionNode }

/** A condition with its minimums in the order of their fields. */
export interface CompiledCondition {
  root: ConditionNode
  minimums: readonly CompiledMinimum[]
}

export function compileCondition(condition: CartCondition, facts: LineFacts): CompiledCondition {
  const minimums: CompiledMinimum[] = []
  const compileNode = ({ cart, and, or, not }: CartCondition): ConditionNode => {
    if (and) return { kind: 'and', nodes: and.map(compileNode) }
    if (or) return { kind: 'or', nodes: or.map(compileNode) }
    if (not) return { kind: 'not', node: compileNode(not) }
    const items = cart?.items && compileMatcher(cart.items, facts)
    const quantity = (items && cart?.minimum_quantity) ?? 0
    const spend = unitsOfText(cart?.minimum_spend ?? '0') ?? 0n
    const minimum = { items, quantity, spend, position: minimums.length }
    minimums.push(minimum)
    return { kind: 'minimum', minimum }
  }
  return { root: compileNode(condition), minimums }
}

/**
 * Returns the minimums that make a condition true, undefined if it is false. Only the first child of an `or` that is true counts, and a
 * `not` has none.
 */
export function minimumsMet(
  node: ConditionNode,
  isMet: (minimum: CompiledMinimum) => boolean,
): readonly CompiledMinimum[] | undefined {
  if (node.kind === 'minimum') return isMet(node.minimum) ? [node.minimum] : undefined
  if (node.kind === 'not') return minimumsMet(node.node, isMet) ? undefined : []
  if (node.kind === 'or') {
    for (const child of node.nodes) {
      const met = minimumsMet(child, isMet)
      if (met) return met
    }
    return undefined
  }
  const all: CompiledMinimum[] = []
  for (const child of node.nodes) {
    const met = minimumsMet(child, isMet)
    if (!met) return undefined
    all.push(...met)
  }
  return all
}
