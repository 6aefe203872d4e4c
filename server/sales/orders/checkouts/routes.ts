import t from 'typebox'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { uuidSegment } from '../../../shared/metafields/uuid-metafields.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { cartPartsOf, type QuotingParts } from '../../carts/changes/parts.ts'
import type { CheckoutTokenParts } from '../../carts/checkouts/tokens.ts'
import { countPaidOrders } from '../reading/paid-orders.ts'
import { createOrderOfCheckout } from './create.ts'
import { checkoutTokenRoute } from './token.ts'

/** The parts of other areas that evaluate carts. */
export type CheckoutOrderParts = Omit<QuotingParts, 'countOrders'> & CheckoutTokenParts

/** Creates orders from checkouts (docs/contract/orders.md section 10). */
export function checkoutOrderRoutes(api: Api, given: CheckoutOrderParts) {
  const parts = cartPartsOf({ ...given, countOrders: countPaidOrders })
  const { write } = access('checkouts')
  api.post(
    `/checkouts/${uuidSegment('checkout_id')}/orders`,
    {
      ...write,
      config: { ...write.config, isBodyOptional: true },
      schema: {
        summary: 'Create an order from a checkout',
        operationId: 'createCheckoutOrder',
        tag: 'Checkouts',
        description: 'The order is incomplete until it is paid. Each call creates another one from the cart as it is.',
        params: t.Object({ checkout_id: t.String() }),
        response: { 200: envelope(t.Object({ id: Id }, { title: 'CheckoutOrder' })) },
      },
    },
    async (request) => {
      const quotes = parts.quotesOf(request)
      const target = { id: request.params.checkout_id, quotes }
      const { id } = await request.db.transaction((tx) => createOrderOfCheckout(tx, parts, target))
      return new Answer({ data: { id }, meta: {} })
    },
  )
  checkoutTokenRoute(api, given)
}
