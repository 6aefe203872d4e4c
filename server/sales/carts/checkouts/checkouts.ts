import t from 'typebox'
import type { Api } from '../../../core/rest/api.ts'
import { type CartParts, readCart } from '../changes/change.ts'
import { refuseField } from '../changes/refusal.ts'
import type { CartDocument } from '../row/document.ts'
import { billingRoutes } from './billing.ts'
import { consignmentRoutes } from './consignments.ts'
import { couponRoutes } from './coupons.ts'
import { discountRoutes } from './discounts.ts'
import { feeRoutes } from './fees.ts'
import {
  answerCheckout,
  CHECKOUT,
  CheckoutVersion,
  changeCheckout,
  checkoutSchemas,
  ofCheckout,
  offersIn,
  read,
  write,
} from './writes.ts'

// A checkout is a cart on its way to an order: the same row, with the addresses, the shipping, the fees and the totals of the purchase
// (docs/contract/checkouts.md). Its id is that of the cart, and both views share one version.

const MESSAGE_MAX = 2_000

const Changes = t.Object(
  { customer_message: t.String({ maxLength: MESSAGE_MAX }), version: CheckoutVersion },
  { title: 'CheckoutChanges', examples: [{ customer_message: 'Please ring twice.' }] },
)

/** Mounts the routes of checkouts. */
export function checkoutRoutes(api: Api, parts: CartParts) {
  const params = t.Object(ofCheckout)

  api.get(
    CHECKOUT,
    {
      ...read,
      schema: { summary: 'Get a checkout', operationId: 'getCheckout', params, ...checkoutSchemas },
    },
    async (request) => {
      const { db, params, query } = request
      const quotes = parts.quotesOf(request)
      const found = await readCart(db, parts, { id: params.checkout_id, quotes, at: db.now })
      return answerCheckout(found, query.include, await offersIn(db, found, query.include, quotes))
    },
  )

  api.put(
    CHECKOUT,
    {
      ...write,
      schema: {
        summary: 'Change a checkout',
        operationId: 'updateCheckout',
        description: "Sets the shopper's message to the shop.",
        params,
        body: Changes,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { customer_message: message, version } = request.body
      return changeCheckout(request, parts, { version }, ({ document }) => withMessage(document, message))
    },
  )

  billingRoutes(api, parts)
  consignmentRoutes(api, parts)
  couponRoutes(api, parts)
  discountRoutes(api, parts)
  feeRoutes(api, parts)
}

/** The document with a message to the shop. @throws Problem 422 */
export function withMessage(document: CartDocument, message: string): CartDocument {
  if (message.includes('\u0000')) refuseField('customer_message', 'A message has no NUL.')
  if (message.length > MESSAGE_MAX) {
    refuseField('customer_message', `A message has at most ${MESSAGE_MAX} characters.`)
  }
  return { ...document, message }
}
