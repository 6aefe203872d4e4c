import t from 'typebox'
import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { uuidSegment } from '../../../shared/metafields/uuid-metafields.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { type CheckoutTokenParts, issueCheckoutToken } from '../../carts/checkouts/tokens.ts'
import { lockCart } from '../../carts/row/cart.ts'
import { UNPLACED } from '../arithmetic/order-status.ts'

/** Most seconds until a token ends: 30 days. */
const TTL_MAX = 2_592_000

const NewToken = t.Object(
  {
    maxUses: t.Optional(t.Integer({ minimum: 1, maximum: ID_MAX, description: 'Uses, 1 if missing' })),
    ttl: t.Optional(t.Integer({ minimum: 1, maximum: TTL_MAX, description: 'Seconds until it ends, 3600 if missing' })),
  },
  { title: 'NewCheckoutToken', examples: [{ maxUses: 1, ttl: 3_600 }] },
)

/** Issues tokens of checkouts (docs/contract/checkouts.md section 11). */
export function checkoutTokenRoute(api: Api, parts: CheckoutTokenParts) {
  const { write } = access('checkouts')
  api.post(
    `/checkouts/${uuidSegment('checkout_id')}/token`,
    {
      ...write,
      config: { ...write.config, isBodyOptional: true },
      schema: {
        summary: 'Create a token of a checkout',
        operationId: 'createCheckoutToken',
        tag: 'Checkouts',
        description: 'Lets a shopper see the checkout, or the order that comes of it. The checkout keeps its version.',
        params: t.Object({ checkout_id: t.String() }),
        body: NewToken,
        response: { 200: t.Object({ checkoutToken: t.String(), meta: t.Object({}) }, { title: 'CheckoutToken' }) },
      },
    },
    async ({ db, params, body }) => {
      const checkoutToken = await db.transaction(async (tx) => {
        const { cart } = await lockCart(tx, params.checkout_id).catch(async (error) => {
          if (error instanceof Problem && error.status === 404) await refuseOrdered(tx, params.checkout_id)
          throw error
        })
        const { maxUses = 1, ttl = 3_600 } = body
        return issueCheckoutToken(tx, { cart_id: cart.id, maxUses, ttl }, parts)
      })
      return new Answer({ checkoutToken, meta: {} })
    },
  )
}

/** @throws Problem 422 for a checkout that ended because an order of it was placed */
async function refuseOrdered(tx: Tx, id: string) {
  const [placed] = await tx.rows<{ id: number }>(
    prepared(sql`
    select id from orders
    where store_id = ${tx.store.id} and cart_id = ${id.toLowerCase()} and status_id <> all(${UNPLACED}::int[]) limit 1`),
  )
  if (placed) throw new Problem(422, `The checkout has become the order ${placed.id}.`)
}
