import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { invalid, Problem, unknownId } from '../../../core/rest/problem.ts'
import { createCart } from '../../carts/carts.ts'
import type { CartParts } from '../../carts/changes/change.ts'
import { issueRedirectUrls, type RedirectParts } from '../../carts/views/redirect-urls.ts'
import { cartOfOrder, customerOfOrder } from '../../orders/row/rows.ts'
import { type CompanyCaller, isOfSeller, SELLER } from '../shared/caller.ts'
import { userOfCustomer } from '../users/user.ts'
import { lockQuote, type QuoteRow } from './quote.ts'
import { refusedDeed, saveQuote } from './quote-changes.ts'
import { isOpenQuote, quoteStatusAfter } from './states.ts'

/** Parts of other areas that carts of quotes need. */
export type QuoteCartParts = Omit<CartParts, 'quotesOf'> & RedirectParts

/**
 * Checks a quote out into a new cart at its offered prices, which no promotion, price list or coupon changes. The quote stays as it is.
 * @throws Problem 403, 404, 422 for a quote that is not open, a company that may not buy, and lines that can't be bought any more
 */
export function checkOutQuote(db: Db, caller: CompanyCaller, id: number, parts: QuoteCartParts) {
  return db.transaction(async (tx) => {
    const quote = await lockQuote(tx, caller, id, 'checkout_with_quote')
    return cartOfQuote(tx, quote, quote.customer_id, parts)
  })
}

/**
 * The cart of a locked quote.
 * @param customerId the customer of the cart; 0 for a guest
 * @throws Problem 422
 */
export async function cartOfQuote(tx: Tx, quote: QuoteRow, customerId: number, parts: QuoteCartParts) {
  if (!isOpenQuote(quote.status)) throw refusedDeed(quote.status)
  await refuseInactive(tx, quote)
  const body = {
    customer_id: customerId,
    channel_id: quote.channel_id,
    currency: { code: quote.currency_code },
    ...linesOf(quote),
  }
  const { cart } = await createCart(tx, parts, body, { quote_id: quote.id }).catch((error) => {
    // The quantity of a line breaks a bound of its product, or the stock is too low. This API answers mistakes with 422.
    if (!(error instanceof Problem) || ![400, 409].includes(error.status)) throw error
    throw new Problem(422, [error.message, error.detail].filter(Boolean).join(' '))
  })
  await tx.rows(sql`
    insert into b2b_quote_carts ${sql.rows([{ store_id: tx.store.id, cart_id: cart.id, quote_id: quote.id }])} returning cart_id`)
  const { cart_url, checkout_url } = await issueRedirectUrls(tx, cart, parts)
  return { checkoutUrl: checkout_url, cartUrl: cart_url, cartId: cart.id }
}

/** @throws Problem 422 for a company that is not approved */
async function refuseInactive(tx: Tx, { company_id }: QuoteRow) {
  if (company_id === 0) return
  const found = await tx.maybeRow<{ company_status: number }>(sql`
    select company_status from companies where store_id = ${tx.store.id} and id = ${company_id}`)
  if (found?.company_status !== APPROVED) throw new Problem(422, 'The company of the quote may not buy.')
}

const APPROVED = 1

const linesOf = ({ lines }: QuoteRow) => ({
  line_items: lines
    .filter(({ purchasedHandled }) => !purchasedHandled)
    .map((line) => ({
      product_id: line.productId,
      variant_id: line.variantId,
      quantity: line.quantity,
      list_price: line.offeredPrice,
      name: line.productName,
      option_selections: line.options.map(({ optionId, optionValue }) => ({
        option_id: optionId,
        option_value: optionValue,
      })),
    })),
  custom_items: lines
    .filter(({ purchasedHandled }) => purchasedHandled)
    .map((line) => ({
      name: line.productName,
      sku: line.sku,
      quantity: line.quantity,
      list_price: line.offeredPrice,
      image_url: line.imageUrl,
    })),
})

/**
 * Links a quote to an order, which ends it. An order is linked to one quote.
 * @throws Problem 403, 404, 422 for a quote that is not open, an unknown order, and one that is linked
 */
export async function markOrdered(db: Db, caller: CompanyCaller, id: number, orderId: string) {
  const order_id = /^[1-9]\d{0,8}$/.test(orderId) ? Number(orderId) : 0
  await db.transaction(async (tx) => {
    const quote = await lockQuote(tx, caller, id, 'checkout_with_quote')
    // The order has ended the quote before its buyer says so.
    if (!isOfSeller(caller) && order_id !== 0 && quote.order_id === order_id) return
    const status = quoteStatusAfter(quote.status, 'order')
    if (status === undefined) throw refusedDeed(quote.status)
    await refuseOrder(tx, caller, quote, order_id)
    await saveQuote(tx, quote, { status, order_id }).catch((error) => {
      if (!(error instanceof Problem) || error.status !== 409) throw error
      throw new Problem(422, error.message, error.errors)
    })
  })
}

/**
 * A representative links orders of the company of the quote, and a buyer those of its carts. Any other order is refused as an
 * unknown one.
 * @throws Problem 422
 */
async function refuseOrder(tx: Tx, caller: CompanyCaller, quote: QuoteRow, order_id: number) {
  const customer = order_id === 0 ? undefined : await customerOfOrder(tx, order_id)
  const isAllowed =
    caller.kind === 'seller' ||
    (caller.kind === 'staff'
      ? !!customer && (await userOfCustomer(tx, customer))?.company_id === quote.company_id
      : await isOrderOfCart(tx, quote, order_id))
  if (customer === undefined || !isAllowed) throw invalid({ orderId: unknownId('order', order_id) })
}

/** Whether an order was placed from a cart of a quote. */
async function isOrderOfCart(tx: Tx, { id }: QuoteRow, order_id: number): Promise<boolean> {
  const cart = await cartOfOrder(tx, order_id)
  if (cart === undefined) return false
  const found = await tx.rows(sql`
    select cart_id from b2b_quote_carts where store_id = ${tx.store.id} and quote_id = ${id} and cart_id = ${cart}`)
  return found.length > 0
}

/** Ends the quote of the cart that an order was placed from, unless the quote has ended before. */
export async function orderQuoteOfCart(tx: Tx, order: { id: number; cart_id: string | null }) {
  if (order.cart_id === null) return
  const found = await tx.maybeRow<{ quote_id: number }>(sql`
    select quote_id from b2b_quote_carts where store_id = ${tx.store.id} and cart_id = ${order.cart_id}`)
  if (!found) return
  const quote = await lockQuote(tx, SELLER, found.quote_id, 'checkout_with_quote')
  const status = quoteStatusAfter(quote.status, 'order')
  if (status !== undefined) await saveQuote(tx, quote, { status, order_id: order.id })
}
