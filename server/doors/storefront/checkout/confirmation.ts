import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { html, type Markup } from '../../../core/markup.ts'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { isSameSignature } from '../../../core/secrets/signature.ts'
import { useCheckoutToken } from '../../../sales/carts/checkouts/tokens.ts'
import { AWAITING_PAYMENT, isPaidStatus, UNPLACED } from '../../../sales/orders/arithmetic/order-status.ts'
import { type LineRow, lines, type OrderRow } from '../../../sales/orders/row/rows.ts'
import { rowsOfOrders } from '../../../sales/orders/row/sub-resources.ts'
import { findOrder } from '../../../sales/orders/writing/archive.ts'
import { offlineInstructions } from '../../../sales/payments/providers.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { moneyToAnswer } from '../graphql/fields/money/money.ts'
import { cookieIn, cookiePath } from '../sessions/cookies.ts'
import { readFace } from './face/face.ts'
import { sendCheckoutPage } from './face/shell.ts'
import type { PageParts } from './parts.ts'
import type { Texts } from './texts/en.ts'

// The confirmation of an order. A cookie names the order for an hour, so that a reload shows it again and nobody else can see it.

export const CONFIRMATION = '/checkout/order-confirmation'
const COOKIE = 'SHOP_ORDER'
const SECONDS = 3_600

/** Lets the browser see the confirmation of an order. */
export function confirmOrder(
  { protocol, storefront }: Pick<FastifyRequest, 'protocol' | 'storefront'>,
  reply: FastifyReply,
  order: number,
  { secrets }: Pick<PageParts, 'secrets'>,
) {
  const until = Math.floor(storefront.db.now.getTime() / 1_000) + SECONDS
  const value = `${order}.${until}.${secrets.linkSignature(textOf(storefront.db, order, until))}`
  const secure = protocol === 'https' ? '; Secure' : ''
  const path = cookiePath(storefront)
  reply.header('set-cookie', `${COOKIE}=${value}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure}`)
  return reply.redirect(storefront.path + CONFIRMATION, 303)
}

const textOf = ({ store }: Db, order: number, until: number) =>
  `confirmation of an order ${store.hash} ${order} ${until}`

/** The order whose confirmation a browser may see. */
function orderOf({ headers, storefront }: FastifyRequest, { secrets }: PageParts): number | undefined {
  const [order = '', until = '', signature = ''] = (cookieIn(headers.cookie, COOKIE) ?? '').split('.')
  if (!/^\d{1,9}$/.test(order) || !/^\d{1,12}$/.test(until)) return undefined
  if (Number(until) * 1_000 <= storefront.db.now.getTime()) return undefined
  const right = secrets.linkSignature(textOf(storefront.db, Number(order), Number(until)))
  return isSameSignature(signature, right) ? Number(order) : undefined
}

/** The order that a cart has become; undefined for none. */
export async function placedOrderOf(db: Db, cart_id: string): Promise<number | undefined> {
  const [placed] = await db.rows<{ id: number }>(
    prepared(sql`
    select id from orders
    where store_id = ${db.store.id} and cart_id = ${cart_id} and status_id <> all(${UNPLACED}::int[]) order by id limit 1`),
  )
  return placed?.id
}

/** Shows the confirmation. @throws Problem 404 without a valid cookie */
export async function showConfirmation(request: FastifyRequest, reply: FastifyReply, parts: PageParts) {
  const { storefront, params, query } = request
  const { db } = storefront
  const { order: named }: { order?: string } = params ?? {}
  const { t: token }: { t?: unknown } = query ?? {}
  if (named !== undefined && typeof token === 'string') {
    const { cart_id } = await db.transaction((tx) => useCheckoutToken(tx, token, parts))
    if (String(await placedOrderOf(db, cart_id)) !== named) throw new Problem(404, 'The token is for another order.')
    return confirmOrder(request, reply, Number(named), parts)
  }
  const id = orderOf(request, parts)
  if (id === undefined || (named !== undefined && named !== String(id)))
    throw new Problem(404, 'There is no order here.')
  const order = await findOrder(db, id)
  const { channel_id, currency_code: currency, payment_method: name } = order
  const [face, { wanted, standard }, ofLines, instructions] = await Promise.all([
    readFace(storefront, request.headers['accept-language'], order.customer_locale),
    currencyPair(db, currency),
    rowsOfOrders(db, lines, [id]),
    order.status_id === AWAITING_PAYMENT ? offlineInstructions(db, { channel_id, currency, name }) : '',
  ])
  const { texts } = face.language
  const money = (amount: number) => moneyToAnswer(wanted ?? standard, amount).formatted
  const listed = ofLines.map((line) => lineOf(line, { order, texts, money }))
  const content = html`<p>${texts.orderNumber} <strong id="orderNumber">${order.id}</strong>.</p>
<p>${sentenceOf(order, texts)}</p>${instructions ? html`<p class="instructions">${instructions}</p>` : ''}
<p>${texts.mailed} ${order.email}.</p>
<section class="summary" aria-label="${texts.summary}"><ul>${listed}</ul><dl><dt class="total">${texts.total}</dt><dd class="total">${money(order.total_inc_tax)}</dd></dl></section>`
  return sendCheckoutPage(reply, { storefront, face }, { title: texts.thanks, content })
}

/** A line with its choices, and the price of its units as the shop shows prices: with or without tax. */
function lineOf(
  { name_customer, quantity, product_options, total_ex_tax, total_inc_tax, price_ex_tax, price_inc_tax }: LineRow,
  { order, texts, money }: { order: OrderRow; texts: Texts; money: (amount: number) => string },
): Markup {
  const [total, price] = order.is_tax_inclusive_pricing ? [total_inc_tax, price_inc_tax] : [total_ex_tax, price_ex_tax]
  const amount = total ?? amountOf(unitsOf(price) * BigInt(quantity))
  const choices = product_options.map(
    (option) => html`<small>${option.display_name_customer}: ${option.display_value_customer}</small>`,
  )
  return html`<li><span class="what">${name_customer}<small>${texts.quantity}: ${quantity}</small>${choices}</span><span>${money(amount)}</span></li>`
}

function sentenceOf({ status_id, payment_method }: OrderRow, texts: Texts): string {
  if (isPaidStatus(status_id)) return texts.paid
  return status_id === AWAITING_PAYMENT ? `${texts.awaiting} ${payment_method}` : texts.review
}
