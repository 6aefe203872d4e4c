import t from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { answer } from '../../../core/rest/answer.ts'
import { uuidSegment } from '../../../shared/metafields/uuid-metafields.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import {
  type CartParts,
  type CartQuotes,
  type CartWithResult,
  type ChangeContext,
  type ChangeRequest,
  changeCart,
} from '../changes/change.ts'
import { offersFor } from '../costs/shipping.ts'
import type { CartDocument } from '../row/document.ts'
import { CHECKOUT_INCLUDES, type CheckoutInclude, checkoutAnswer, type Offers, toCheckout } from './answer.ts'

// Shared by the routes of checkouts. Every write answers with the whole checkout.

export const { read, write } = access('checkouts')

export const CHECKOUT = `/checkouts/${uuidSegment('checkout_id')}`
export const ofCheckout = { checkout_id: t.String() }
const CheckoutQuery = t.Object(
  { include: t.Optional(t.Array(t.Enum([...CHECKOUT_INCLUDES]), { description: 'Further parts of the answer' })) },
  { examples: [{}] },
)
/** The version that a client has read. Another one of the checkout is a 409. */
export const CheckoutVersion = t.Optional(t.Integer({ minimum: 0, maximum: 2_147_483_647 }))

/** The schemas of a write. */
export const checkoutSchemas = { querystring: CheckoutQuery, response: checkoutAnswer }

/** Lets clients leave out a body whose fields are all optional. */
export const withOptionalBody = { ...write, config: { ...write.config, isBodyOptional: true } }

/** The parts that a write of a checkout needs of its request. */
interface CheckoutRequest {
  db: Db
  params: { checkout_id: string }
  query: { include?: CheckoutInclude[] }
}

/** A change of a checkout. It may read further rows, and refuses the request by a Problem. */
export type ChangeCheckout = (
  context: ChangeContext & { tx: Tx; quotes: CartQuotes },
) => CartDocument | Promise<CartDocument>

/** Changes a checkout, and answers with all of it. @throws Problem 404, 409, 422, 423 */
export async function changeCheckout(
  request: CheckoutRequest,
  parts: CartParts,
  options: Omit<ChangeRequest, 'id' | 'quotes'>,
  change: ChangeCheckout,
) {
  const { db, params, query } = request
  const quotes = parts.quotesOf(request)
  const { checkout, offers } = await db.transaction(async (tx) => {
    const id = params.checkout_id
    const changed = await changeCart(tx, parts, { ...options, id, quotes }, async (context) => ({
      document: await change({ ...context, tx, quotes }),
    }))
    if (!changed) throw new Error('A change of a checkout has deleted its cart.')
    return { checkout: changed, offers: await offersIn(tx, changed, query.include, quotes) }
  })
  return answerCheckout(checkout, query.include, offers)
}

/** @param offers undefined if the query does not include them */
export const answerCheckout = (
  checkout: CartWithResult,
  include: readonly CheckoutInclude[] = [],
  offers: Offers | undefined,
) => answer(toCheckout(checkout, include, offers), checkout.isTaxUnavailable ? { tax_unavailable: true } : {})

/** The options of all consignments, if the query includes them. @throws NeedsPreparation */
export async function offersIn(
  db: Db,
  { cart, result, facts }: CartWithResult,
  include: readonly CheckoutInclude[] = [],
  quotes: CartQuotes,
): Promise<Offers | undefined> {
  if (!include.includes('consignments.available_shipping_options')) return undefined
  const { customer_id, document } = cart
  return offersFor(db, { customer_id, document, result, facts }, document.consignments, quotes.shipping)
}
