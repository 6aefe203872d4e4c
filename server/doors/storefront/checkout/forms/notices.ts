import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CartWithResult } from '../../../../sales/carts/changes/change.ts'
import type { CheckoutBalances } from '../../../../sales/carts/checkouts/balances.ts'
import { CUSTOM_SHIPPING } from '../../../../sales/carts/costs/shipping.ts'
import type { Cart } from '../../../../sales/carts/row/cart.ts'
import type { CartDocument } from '../../../../sales/carts/row/document.ts'
import { amountsToPay } from '../../../../sales/orders/checkouts/purchase.ts'
import { shortageIn } from '../../../../sales/orders/checkouts/ready.ts'
import { cookieIn, cookiePath } from '../../sessions/cookies.ts'
import type { CheckoutState } from '../state.ts'
import type { Texts } from '../texts/en.ts'

// Sentences about changes that the shopper has not asked for: nothing changes silently before money is asked for.

const COOKIE = 'SHOP_SEEN'
const SECONDS = 24 * 3_600

/** The parts of a checkout that decide about its amounts. */
interface CheckoutAmounts extends Pick<CartWithResult, 'cart' | 'result'> {
  balances: CheckoutBalances
}

const amountsOf = ({ cart, result, balances }: CheckoutAmounts): string =>
  `${cart.version}.${amountsToPay(result, balances).replace(' ', '.')}`

/** Lets the browser remember the amounts that it shows. They are no secret to a shopper, and prove nothing: the payment compares its own. */
export function rememberAmounts(
  { protocol, storefront }: Pick<FastifyRequest, 'protocol' | 'storefront'>,
  reply: FastifyReply,
  amounts: CheckoutAmounts,
) {
  const secure = protocol === 'https' ? '; Secure' : ''
  const path = cookiePath(storefront)
  reply.header(
    'set-cookie',
    `${COOKIE}=${amountsOf(amounts)}; Path=${path}; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  )
}

/** The amounts of this version of a cart that the browser has shown; undefined for none. */
function amountsIn({ headers }: Pick<FastifyRequest, 'headers'>, { version }: Pick<Cart, 'version'>) {
  const seen = cookieIn(headers.cookie, COOKIE)
  return seen?.split('.')[0] === String(version) ? seen : undefined
}

/** Whether the browser has shown amounts of this version of a cart. */
export const haveSeenAmounts = (request: Pick<FastifyRequest, 'headers'>, cart: Pick<Cart, 'version'>): boolean =>
  amountsIn(request, cart) !== undefined

/** Whether the amounts of the same cart differ from those that the browser has shown: prices, taxes or balances have changed. */
export function haveAmountsMoved(request: Pick<FastifyRequest, 'headers'>, amounts: CheckoutAmounts): boolean {
  const seen = amountsIn(request, amounts.cart)
  return seen !== undefined && seen !== amountsOf(amounts)
}

/** Things that keep this checkout from its order, whatever the shopper enters. */
export const troublesIn = ({ found: { result } }: CheckoutState): (keyof Texts)[] => [
  ...(shortageIn(result) === undefined ? [] : (['shortStock'] as const)),
  ...(result.codes.some(({ refusal }) => refusal !== undefined) ? (['couponGone'] as const) : []),
]

/** Whether a change has dropped a chosen shipping option, which is not offered any more. */
export const isOptionGone = (before: CartDocument, after: CartDocument): boolean =>
  after.consignments.some(
    ({ id, option }) => option === null && before.consignments.some((one) => one.id === id && one.option !== null),
  )

/** Whether an option that was chosen has another cost by now, or is not offered any more. */
export const haveOptionsMoved = ({ found: { cart }, offers }: CheckoutState): boolean =>
  cart.document.consignments.some(
    ({ id, option }) =>
      option !== null &&
      option.type !== CUSTOM_SHIPPING &&
      !(offers.get(id) ?? []).some((offered) => isDeepStrictEqual(offered, option)),
  )
