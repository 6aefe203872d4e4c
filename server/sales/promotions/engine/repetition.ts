import { unitsOfText } from './amounts.ts'
import type { CartCondition, PromotionRule } from './promotion.ts'

/**
 * Whether a rule would repeat without end: neither its condition nor its action uses up units or spend. A promotion with such a
 * rule is stored as INVALID. The rule decides alone, never a cart.
 */
export const repeatsWithoutEnd = ({ apply_once, action, condition }: PromotionRule): boolean =>
  !apply_once && !action.cart_items && !action.fixed_price_set && !usesUp(condition ?? {})

/** Whether each way in which a condition can be true uses up units or spend. */
export function usesUp({ cart, and, or }: CartCondition): boolean {
  if (and) return and.some(usesUp)
  if (or) return or.every(usesUp)
  if (!cart) return false
  return (cart.items && (cart.minimum_quantity ?? 0) > 0) || (unitsOfText(cart.minimum_spend ?? '0') ?? 0n) > 0n
}
