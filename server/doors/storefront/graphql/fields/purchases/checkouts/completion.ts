import { withPreparations } from '../../../../../../core/rest/preparation.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import { createOrderOfCheckout } from '../../../../../../sales/orders/checkouts/create.ts'
import { dueOf } from '../../../../../../sales/orders/shopper-payments/payable.ts'
import { issuePaymentToken } from '../../../../../../sales/payments/tokens.ts'
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
 * Creates the order of a checkout, and issues the token that pays it (docs/contract/storefront-purchases.md section 7). The order is
 * incomplete until it is paid. An order that owes nothing has no token.
 */
export async function completeCheckout(caller: StorefrontCaller, id: string): Promise<Completion> {
  await refuseSellingNothing(caller)
  const { selling, storefront } = caller
  const target = { id, quotes: selling.carts.quotesOf(caller), viewer: viewerOf(caller) }
  try {
    const made = await withSentences(id, () =>
      withPreparations(storefront.db, () =>
        storefront.db.transaction(async (tx) => {
          const order = await createOrderOfCheckout(tx, selling.carts, target)
          const { money } = await dueOf(tx, order)
          const token =
            money.amountMinor > 0 ? await issuePaymentToken(tx, { order_id: order.id, ...money }, selling.tokens) : null
          return { orderEntityId: order.id, paymentAccessToken: token }
        }),
      ),
    )
    return { ...made, errors: [] }
  } catch (error) {
    if (!(error instanceof Problem) || (error.status >= 500 && error.status !== 503)) throw error
    return { orderEntityId: null, paymentAccessToken: null, errors: toErrors(error, '$.checkoutEntityId', id) }
  }
}
