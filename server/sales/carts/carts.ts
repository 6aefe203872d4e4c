import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { Answer, answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { ID_MAX } from '../../core/rest/input/fields.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import { ChannelId, FIRST_CHANNEL } from '../../shop/channels/channels.ts'
import { urlOfSite } from '../../shop/channels/sites/shape.ts'
import { access } from '../../stores/accounts/scopes.ts'
import {
  type CartParts,
  type CartTarget,
  type CartWithResult,
  changeCart,
  readCart,
  remaining,
} from './changes/change.ts'
import { publishCart, publishCreation } from './changes/events.ts'
import { refuseField } from './changes/refusal.ts'
import { withAddedLines } from './changes/tidy.ts'
import { withoutBalances } from './checkouts/changes/redemptions.ts'
import { currencyOfCart } from './currency.ts'
import { evaluateCart } from './evaluation/evaluate.ts'
import { factsOf, gatherFacts } from './evaluation/gather-facts.ts'
import { addLines, moreFactsOf } from './lines/add-lines.ts'
import { newLines, Version } from './lines/bodies.ts'
import { type CartViewer, deleteCart, findSurroundings, insertCart, lockCart, newCartId } from './row/cart.ts'
import { type CartDocument, emptyDocument } from './row/document.ts'
import { CartQuery, CartResource, toCart } from './views/cart.ts'
import { issueRedirectUrls, NewRedirectUrls, type RedirectParts, RedirectUrls } from './views/redirect-urls.ts'

const { read, write } = access('carts')

/** The path of a cart, and its parameter. Any text may follow: an id that is no UUID is a cart that doesn't exist. */
export const CART_PATH = '/carts/:cart_id'
export const CartParams = t.Object({ cart_id: t.String() })

const CustomerId = t.Integer({ minimum: 0, maximum: ID_MAX, description: '0 for a guest' })

const NewCart = t.Object(
  {
    customer_id: t.Optional(CustomerId),
    ...newLines,
    channel_id: t.Optional(ChannelId),
    currency: t.Optional(
      t.Object({ code: t.Optional(t.String({ minLength: 3, maxLength: 3 })) }, { title: 'NewCartCurrency' }),
    ),
    locale: t.Optional(t.String({ pattern: '^([A-Za-z]{2}(-[A-Za-z]{2})?)?$' })),
  },
  { title: 'NewCart', examples: [{ customer_id: 0, line_items: [{ product_id: 1, variant_id: 1, quantity: 2 }] }] },
)
type NewCart = Static<typeof NewCart>

const CartChanges = t.Object(
  { customer_id: t.Optional(CustomerId), ...Version.properties },
  { title: 'CartChanges', examples: [{ customer_id: 0 }] },
)

/** Routes of carts (docs/contract/carts.md section 1). */
export function cartResourceRoutes(api: Api, parts: CartParts & RedirectParts) {
  api.post(
    '/carts',
    {
      ...write,
      schema: {
        summary: 'Create a cart',
        description: 'Needs at least one entry in line_items, custom_items or gift_certificates.',
        querystring: CartQuery,
        body: NewCart,
        response: { 201: envelope(CartResource) },
      },
    },
    ({ db, body, query }) =>
      db.transaction(async (tx) => {
        const made = await createCart(tx, parts, body)
        const hasUrls = query.include?.includes('redirect_urls') ?? false
        const urls = hasUrls ? { redirect_urls: await issueRedirectUrls(tx, made.cart, parts) } : {}
        return created({ ...toCart(made, query), ...urls })
      }),
  )

  api.get(
    CART_PATH,
    {
      ...read,
      schema: {
        summary: 'Get a cart',
        description: 'Shows current prices, promotions and taxes, and changes nothing.',
        params: CartParams,
        querystring: CartQuery,
        response: { 200: envelope(CartResource) },
      },
    },
    async (request) => {
      const { db, params, query } = request
      const wanted = { id: params.cart_id, quotes: parts.quotesOf(request), at: db.now }
      return answer(toCart(await readCart(db, parts, wanted), query))
    },
  )

  api.put(
    CART_PATH,
    {
      ...write,
      schema: {
        summary: 'Change the customer of a cart',
        description: 'Removes coupons and consignments, and applies the prices and promotions of the new customer.',
        params: CartParams,
        querystring: CartQuery,
        body: CartChanges,
        response: { 201: envelope(CartResource) },
      },
    },
    async (request) => {
      const { body, db, params, query } = request
      const target = { id: params.cart_id, quotes: parts.quotesOf(request), version: body.version }
      return created(toCart(await db.transaction((tx) => changeCustomer(tx, parts, target, body.customer_id)), query))
    },
  )

  api.delete(
    CART_PATH,
    { ...write, schema: { summary: 'Delete a cart', params: CartParams, response: { 204: t.Null() } } },
    async ({ db, params }) => {
      await db.transaction((tx) => endCart(tx, params.cart_id))
      return noContent()
    },
  )

  api.post(
    `${CART_PATH}/redirect_urls`,
    {
      ...write,
      config: { ...write.config, isBodyOptional: true },
      schema: {
        summary: 'Create redirect URLs of a cart',
        operationId: 'createCartRedirectUrls',
        description: 'Each request makes a new token. The cart keeps its version.',
        params: CartParams,
        body: NewRedirectUrls,
        response: { 201: envelope(RedirectUrls) },
      },
    },
    ({ db, params, body }) =>
      db.transaction(async (tx) => {
        const { cart } = await lockCart(tx, params.cart_id)
        return created(await issueRedirectUrls(tx, cart, parts, { query_params: body.query_params }))
      }),
  )
}

/** 201 with a cart, or with its addresses. */
export const created = (data: object) => new Answer({ data, meta: {} }, 201)

/** Deletes a cart on request. @throws Problem 404 */
export async function endCart(tx: Tx, id: string, viewer?: CartViewer) {
  const { cart } = await lockCart(tx, id, undefined, viewer)
  await deleteCart(tx, cart)
  publishCart(tx, cart, 'deleted')
}

/** The quote whose prices a cart has, the discounts that stand in place of promotions, or whether its custom lines are invoices. */
type CartOrigin = Partial<Pick<CartDocument, 'quote_id' | 'manual' | 'pays_invoices'>>

/** Creates a cart. @throws Problem 400 for the currency, 409 for quantities, 422 */
export async function createCart(
  tx: Tx,
  parts: Omit<CartParts, 'quotesOf'>,
  body: NewCart,
  origin: CartOrigin = {},
): Promise<CartWithResult> {
  const { line_items = [], custom_items = [], gift_certificates = [] } = body
  if (line_items.length + custom_items.length + gift_certificates.length === 0) {
    const title = 'Missing line_items in request body'
    throw new Problem(422, title, { line_items: title })
  }
  const { channel_id = FIRST_CHANNEL, customer_id = 0, locale = '' } = body
  const currency_code = await currencyOfCart(tx, channel_id, body.currency?.code)
  const { customer, site } = await findSurroundings(tx, { channel_id, customer_id })
  const empty = { ...emptyDocument(), ...origin, locale }
  const shopper = { channel_id, currency_code, customer_id }
  const gathered = await gatherFacts(
    tx,
    { id: '', ...shopper, email: customer?.email ?? '', customer, document: empty, more: moreFactsOf(body) },
    { at: tx.now, promotionsStamp: undefined, countOrders: parts.countOrders },
  )
  if (!gathered.faults.hasChannel) refuseField('channel_id', unknownId('channel', channel_id))
  if (!gathered.faults.hasCustomer) refuseField('customer_id', unknownId('customer', customer_id))
  const { document, facts } = await addLines(tx, empty, body, factsOf(gathered, currency_code))
  const id = newCartId()
  const known = { ...facts, cart_id: id }
  const result = evaluateCart(document, known)
  const stored = withAddedLines(document, result)
  const cart = await insertCart(tx, { id, ...shopper, email: customer?.email ?? '', document: stored })
  publishCreation(tx, cart)
  return { cart, facts: known, result, siteUrl: urlOfSite(tx.store, site, parts.sites), isTaxUnavailable: false }
}

/**
 * Gives a cart to another customer, or to guests with 0. Its coupons and consignments are removed.
 * @throws Problem 404, 409, 422
 */
export async function changeCustomer(
  tx: Tx,
  parts: CartParts,
  target: CartTarget,
  customer_id: number | undefined,
): Promise<CartWithResult> {
  const how = { ...target, customer_id, isUpdated: true }
  const changed = await changeCart(tx, parts, how, ({ document }) => ({
    document: customer_id === undefined ? document : { ...withoutBalances(document), codes: [], consignments: [] },
  }))
  return remaining(changed)
}
