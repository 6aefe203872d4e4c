import { lock } from '../../../../../../core/rest/lists/verbs.ts'
import { withPreparations } from '../../../../../../core/rest/preparation.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import { createOrderOfCheckout } from '../../../../../../sales/orders/checkouts/create.ts'
import { issueOrderToken, placeWithoutPayment } from '../../../../../../sales/orders/checkouts/purchase.ts'
import { orders } from '../../../../../../sales/orders/row/rows.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import { viewerOf } from '../carts/cart.ts'
import { refuseSellingNothing } from '../carts/mutations.ts'
import { withSentences } from '../refusals.ts'
import { type CheckoutRefusal, toErrors } from './errors.ts'

interface Completion {
  orderEntityId: number | null
  paymentAccessToken: string | null
  errors: CheckoutRefusal[]
}

/**
 * Creates the order of a checkout, and issues the token that pays it (docs/contract/storefront-purchases.md section 9). The order is
 * incomplete until it is paid. If nothing is left to pay, it is placed, and there is no token.
 */
export async function completeCheckout(caller: StorefrontCaller, id: string): Promise<Completion> {
  await refuseSellingNothing(caller)
  const { selling, storefront, address } = caller
  const target = { id, quotes: selling.carts.quotesOf(caller), viewer: viewerOf(caller) }
  try {
    const made = await withSentences(id, () =>
      withPreparations(storefront.db, () =>
        storefront.db.transaction(async (tx) => {
          const { id: orderEntityId } = await createOrderOfCheckout(tx, selling.carts, target, address)
          const order = await lock(tx, orders, orderEntityId)
          const paymentAccessToken = (await issueOrderToken(tx, order, selling.tokens)) ?? null
          if (paymentAccessToken === null) await placeWithoutPayment(tx, orderEntityId, 'nothing left')
          return { orderEntityId, paymentAccessToken }
        }),
      ),
    )
    return { ...made, errors: [] }
  } catch (error) {
    if (!(error instanceof Problem) || (error.status >= 500 && error.status !== 503)) throw error
    return { orderEntityId: null, paymentAccessToken: null, errors: toErrors(error, '$.checkoutEntityId', id) }
  }
}
