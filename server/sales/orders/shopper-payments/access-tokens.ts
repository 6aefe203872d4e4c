import t from 'typebox'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { issuePaymentToken, type TokenParts } from '../../payments/tokens.ts'
import { orders } from '../row/rows.ts'
import { lockOrder } from '../writing/archive.ts'
import { planBalances } from './instruments/redemptions.ts'
import { dueOf, reasonNotPayable, reasonOfCart } from './payable.ts'

const NewAccessToken = t.Object(
  { order: t.Object({ id: Id, is_recurring: t.Optional(t.Boolean({ default: false })) }) },
  { title: 'NewPaymentAccessToken', examples: [{ order: { id: 1, is_recurring: false } }] },
)

/** Issues the tokens that shoppers pay with (docs/contract/payments.md section 2). */
export function accessTokenRoutes(api: Api, parts: TokenParts) {
  const { write } = access('paymentTokens')

  api.post(
    '/payments/access_tokens',
    {
      ...write,
      schema: {
        summary: 'Create a payment access token',
        description: 'The token pays one incomplete order. It is valid for an hour and for one successful payment.',
        body: NewAccessToken,
        response: {
          201: t.Object({ data: t.Object({ id: t.String({ description: 'The token' }) }), meta: t.Object({}) }),
        },
      },
    },
    ({ db, body: { order: wanted } }) =>
      db.transaction(async (tx) => {
        const order = await lockOrder(tx, wanted.id)
        if (order.is_deleted) throw notFound(orders.noun, order.id)
        const due = await dueOf(tx, order)
        const reason = reasonNotPayable(order, due) ?? (await reasonOfCart(tx, order))
        if (reason !== undefined) throw new Problem(409, reason)
        const { money } = await planBalances(tx, order, due, tx.now)
        // Balances that cover an order pay it when the checkout is completed.
        if (money.amountMinor === 0)
          throw new Problem(409, 'The balances of its checkout pay this order: complete the checkout.')
        const id = await issuePaymentToken(tx, { order_id: order.id, ...money }, parts)
        return new Answer({ data: { id }, meta: {} }, 201)
      }),
  )
}
