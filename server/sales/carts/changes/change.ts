import { isDeepStrictEqual } from 'node:util'
import type { Db, Tx } from '../../../core/db/database.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import { urlOfSite } from '../../../shop/channels/sites/shape.ts'
import type { ShippingQuotes } from '../../shipping/parcels/shipping-quotes.ts'
import type { TaxQuotes } from '../../tax/estimates/quote.ts'
import { taxesByProvider } from '../costs/provider-tax.ts'
import { withShipping } from '../costs/shipping.ts'
import { evaluateCart } from '../evaluation/evaluate.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import { type CountOrders, factsOf, gatherFacts, type MoreFacts } from '../evaluation/gather-facts.ts'
import type { CartResult } from '../evaluation/result.ts'
import {
  type Cart,
  type CartViewer,
  deleteCart,
  type FoundCart,
  findCart,
  findSurroundings,
  lockCart,
  saveCart,
} from '../row/cart.ts'
import { type CartDocument, isEmptyDocument } from '../row/document.ts'
import { publishChange, publishEmptied } from './events.ts'
import { refuseField } from './refusal.ts'
import { withAddedLines, withoutMissing } from './tidy.ts'

/** Functions and settings that carts get from other areas. */
export interface CartParts {
  countOrders: CountOrders
  sites: AddressRules
  /** The answers of carriers and of the tax provider in a request. */
  quotesOf(request: object): CartQuotes
}

/** Answers of other systems, which are asked outside of transactions. */
export interface CartQuotes {
  shipping: ShippingQuotes
  tax: TaxQuotes
}

/** A cart with its result. */
export interface CartWithResult {
  cart: Cart
  result: CartResult
  facts: CartFacts
  /** The address of the pages of the channel, without a slash at the end. */
  siteUrl: string
  /** Whether the tax is unknown, and 0 in the result: the provider does not answer, and the store has no fall-back. */
  isTaxUnavailable: boolean
}

/**
 * Reads and evaluates a cart. Nothing is stored.
 * @throws Problem 404, 422 for a currency that is not available any more; NeedsPreparation for a tax provider
 */
export async function readCart(
  db: Db,
  { countOrders, sites }: CartParts,
  { id, quotes, at, viewer }: { id: string; quotes: CartQuotes; at: Date; viewer?: CartViewer },
): Promise<CartWithResult> {
  const { cart, customer, site, stamps } = await findCart(db, id, at, viewer)
  const gathered = await gatherFacts(db, { ...cart, customer }, { at, promotionsStamp: stamps.promotions, countOrders })
  const facts = factsOf(gathered, cart.currency_code)
  const taxed = await withTaxes(db, cart, { document: cart.document, facts }, quotes)
  return { cart, ...taxed, siteUrl: urlOfSite(db.store, site, sites) }
}

interface TaxedCart {
  document: CartDocument
  facts: CartFacts
  result?: CartResult | undefined
}

/**
 * Evaluates a document, by the tax provider if the store has one.
 * @param result of the document by rates; undefined if it is not evaluated yet
 * @throws NeedsPreparation
 */
export async function withTaxes(
  db: Db,
  cart: Pick<Cart, 'id' | 'customer_id' | 'created_at'>,
  { document, facts, result = evaluateCart(document, facts) }: TaxedCart,
  quotes: CartQuotes,
): Promise<Pick<CartWithResult, 'facts' | 'result' | 'isTaxUnavailable'>> {
  const { provided, isUnavailable } = await taxesByProvider(db, { cart, document, result, facts }, quotes.tax)
  if (!provided) return { facts, result, isTaxUnavailable: false }
  const known = { ...facts, provided }
  return { facts: known, result: evaluateCart(document, known), isTaxUnavailable: isUnavailable }
}

/** A change of a cart. */
export interface ChangeRequest {
  id: string
  quotes: CartQuotes
  /** The version that the caller has read. */
  version?: number | null | undefined
  /** The shopper who asks for the change; undefined for the back end. */
  viewer?: CartViewer | undefined
  /** The customer after the change, if it names one. */
  customer_id?: number | undefined
  /** The currency after the change, if it names one: an enabled one that shoppers pay in. */
  currency_code?: string | undefined
  /** Things that the change names, so that their facts are read. */
  more?: MoreFacts
  /** Whether `cart/updated` is published even if no line changes. */
  isUpdated?: boolean
  /** Whether the cart is deleted if the change leaves no line. */
  deletesEmpty?: boolean
}

/** The cart that a request changes, with the version that it has read. */
export type CartTarget = Pick<ChangeRequest, 'id' | 'quotes' | 'version' | 'viewer'>

/** A cart that the change can't have deleted. */
export function remaining(changed: CartWithResult | undefined): CartWithResult {
  if (!changed) throw new Error('The change does not delete a cart.')
  return changed
}

/** A locked cart, its document without lines of deleted products, and the facts of both states. */
export interface ChangeContext {
  cart: Cart
  document: CartDocument
  facts: CartFacts
}

/** A document after a change. It may be the same: every successful write adds one to the version. */
export interface ChangedDocument {
  document: CartDocument
  /** The facts, if the change has read more of them. */
  facts?: CartFacts
}

/**
 * Changes a cart: locks it, reads its facts, applies the change to its document, evaluates it, stores the next version and publishes its
 * events.
 * @param change returns the changed document; it throws a Problem to refuse the request
 * @returns undefined if the cart was deleted
 * @throws Problem 404, 409 for another version, 422, 423; NeedsPreparation for carriers and tax providers
 */
export async function changeCart(
  tx: Tx,
  { countOrders, sites }: CartParts,
  request: ChangeRequest,
  change: (context: ChangeContext) => ChangedDocument | Promise<ChangedDocument>,
): Promise<CartWithResult | undefined> {
  const { id, quotes, version, viewer, customer_id, more = {}, isUpdated = false, deletesEmpty = false } = request
  const found = await lockCart(tx, id, version, viewer)
  const { stamps, site } = found
  const { cart, customer } = await withCustomer(tx, inCurrency(found, request), customer_id)
  const gathered = await gatherFacts(
    tx,
    { ...cart, customer, more },
    { at: tx.now, promotionsStamp: stamps.promotions, countOrders },
  )
  const before = factsOf(gathered, cart.currency_code)
  const context = { cart, document: withoutMissing(cart.document, before), facts: before }
  const { document, facts = before } = await change(context)
  if (deletesEmpty && isEmptyDocument(document)) {
    await deleteCart(tx, cart)
    publishEmptied(tx, found.cart)
    return undefined
  }
  const priced = evaluateCart(document, facts)
  const stored = withAddedLines(document, priced)
  const { customer_id: shopper } = cart
  const shipped = await withShipping(
    tx,
    { customer_id: shopper, document: stored, result: priced, facts },
    quotes.shipping,
  )
  const result = costsTheSame(document, shipped) ? priced : undefined
  const taxed = await withTaxes(tx, cart, { document: shipped, facts, result }, quotes)
  const email = shipped.billing?.email || (customer?.email ?? '')
  const saved = await saveCart(tx, cart, { document: shipped, email })
  publishChange(tx, found.cart, saved, isUpdated)
  return { cart: saved, ...taxed, siteUrl: urlOfSite(tx.store, site, sites) }
}

/** Whether a document has kept its result, after added lines and costs of shipping were written into it. No evaluation reads added lines. */
const costsTheSame = (before: CartDocument, after: CartDocument): boolean =>
  isDeepStrictEqual([before.consignments, before.manual], [after.consignments, after.manual])

/**
 * Locks and evaluates a cart, for an order of it. Nothing is stored; lines of deleted products are left out.
 * @throws Problem 404, 422, 423; NeedsPreparation for tax providers
 */
export async function lockAndEvaluate(
  tx: Tx,
  { countOrders, sites }: CartParts,
  { id, quotes, version, viewer }: CartTarget,
): Promise<CartWithResult> {
  const { cart, customer, site, stamps } = await lockCart(tx, id, version, viewer)
  const options = { at: tx.now, promotionsStamp: stamps.promotions, countOrders }
  const facts = factsOf(await gatherFacts(tx, { ...cart, customer }, options), cart.currency_code)
  const document = withoutMissing(cart.document, facts)
  const taxed = await withTaxes(tx, cart, { document, facts }, quotes)
  return { cart: { ...cart, document }, ...taxed, siteUrl: urlOfSite(tx.store, site, sites) }
}

const inCurrency = (found: FoundCart, { currency_code = found.cart.currency_code }: ChangeRequest): FoundCart =>
  currency_code === found.cart.currency_code ? found : { ...found, cart: { ...found.cart, currency_code } }

/** The cart with another customer. @throws Problem 422 for an unknown one */
async function withCustomer(tx: Tx, found: FoundCart, customer_id: number | undefined) {
  const { cart, customer } = found
  if (customer_id === undefined || customer_id === cart.customer_id) return { cart, customer }
  const after = { ...cart, customer_id }
  const { customer: next } = await findSurroundings(tx, after)
  if (customer_id > 0 && !next) refuseField('customer_id', unknownId('customer', customer_id))
  return { cart: after, customer: next }
}
