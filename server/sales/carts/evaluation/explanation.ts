import type { Db } from '../../../core/db/database.ts'
import { type CartExplanation, explanationOf } from '../../promotions/evaluation/explanation.ts'
import { findCart } from '../row/cart.ts'
import { promotionsOfCart } from './evaluate.ts'
import { type CountOrders, factsOf, gatherFacts } from './gather-facts.ts'

/**
 * Explains the promotions of a stored cart to operators, as it would be evaluated now. Nothing is stored.
 * @throws Problem 404, 422 for a currency that is not available any more
 */
export async function explainCart(
  db: Db,
  { id, at, countOrders }: { id: string; at: Date; countOrders: CountOrders },
): Promise<CartExplanation> {
  const { cart, customer, stamps } = await findCart(db, id, at)
  const gathered = await gatherFacts(db, { ...cart, customer }, { at, promotionsStamp: stamps.promotions, countOrders })
  const facts = factsOf(gathered, cart.currency_code)
  return explanationOf({ promotions: facts.promotions, ...promotionsOfCart(cart.document, facts), at })
}
