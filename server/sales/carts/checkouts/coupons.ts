import t from 'typebox'
import { publish } from '../../../core/events/publish.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { CouponRefusal } from '../../promotions/engine/calculation/outcome.ts'
import { keyOfCode } from '../../promotions/evaluation/cart-codes.ts'
import type { CartParts } from '../changes/change.ts'
import { evaluateCart } from '../evaluation/evaluate.ts'
import type { ResultCode } from '../evaluation/result.ts'
import type { CartDocument } from '../row/document.ts'
import { A_COUPON } from './examples.ts'
import {
  CHECKOUT,
  type ChangeCheckout,
  CheckoutVersion,
  changeCheckout,
  checkoutSchemas,
  ofCheckout,
  withOptionalBody,
  write,
} from './writes.ts'

// Codes of coupons on a checkout (docs/contract/checkouts.md section 7). A code that stops to qualify remains, discounts nothing, and works again
// later.

const CODE_MAX = 50

const Coupon = t.Object(
  { coupon_code: t.Optional(t.String({ maxLength: 65_535 })), version: CheckoutVersion },
  { title: 'CheckoutCouponCode', examples: [{ coupon_code: A_COUPON }] },
)
const Deletion = t.Object({ version: CheckoutVersion }, { title: 'CheckoutCouponDeletion', examples: [{}] })

export function couponRoutes(api: Api, parts: CartParts) {
  const path = `${CHECKOUT}/coupons`

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Apply a coupon to a checkout',
        operationId: 'createCheckoutCoupon',
        params: t.Object(ofCheckout),
        body: Coupon,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { coupon_code = '', version } = request.body
      const code = readCode(coupon_code)
      return changeCheckout(request, parts, { version, more: { codes: [code] } }, (context) =>
        applyCoupon(context, code),
      )
    },
  )

  api.delete(
    `${path}/:coupon_code`,
    {
      ...withOptionalBody,
      schema: {
        summary: 'Remove a coupon from a checkout',
        operationId: 'deleteCheckoutCoupon',
        params: t.Object({ ...ofCheckout, coupon_code: t.String() }),
        body: Deletion,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { coupon_code } = request.params
      return changeCheckout(request, parts, { version: request.body.version }, ({ document }) =>
        unapplyCoupon(document, coupon_code),
      )
    },
  )
}

/** The code of a request, without surrounding blanks. @throws Problem 422 */
function readCode(text: string): string {
  const code = text.trim()
  if (code === '' || code.length > CODE_MAX || code.includes('\u0000')) throw refusedCoupon('COUPON_INVALID')
  return code
}

/**
 * Applies a code, and publishes it. A code that is applied already changes nothing.
 * @param context with the facts of the code
 * @throws Problem 422 with the code of the refusal as its detail
 */
export function applyCoupon({ tx, cart, document, facts }: Parameters<ChangeCheckout>[0], named: string): CartDocument {
  const code = readCode(named)
  if (document.codes.some((one) => keyOfCode(one) === keyOfCode(code))) return document
  if (document.manual || document.quote_id !== undefined) throw refusedCoupon('COUPON_MODIFICATION_NOT_ALLOWED')
  if (document.codes.length >= facts.promotions.settings.number_of_coupons_allowed_at_checkout) {
    throw refusedCoupon('COUPON_INELIGIBLE', 'This checkout has as many coupons as it can have.')
  }
  const after = { ...document, codes: [...document.codes, code] }
  const outcome = evaluateCart(after, facts).codes.at(-1)
  if (outcome?.refusal) throw refusedCoupon(outcome.refusal, sentenceOf(outcome, cart.currency_code))
  const couponId = outcome?.id ?? 0
  publish(tx, 'store/cart/couponApplied', `cart ${cart.id}`, { type: 'cart', id: cart.id, couponId })
  publish(tx, `store/channel/${cart.channel_id}/cart/couponApplied`, `cart ${cart.id}`, { cart_id: cart.id })
  return after
}

/** Removes a code. @throws Problem 404 */
export function unapplyCoupon(document: CartDocument, code: string): CartDocument {
  const codes = document.codes.filter((one) => keyOfCode(one) !== keyOfCode(code))
  if (codes.length === document.codes.length) throw new Problem(404, `This checkout has no coupon ${code}.`)
  return { ...document, codes }
}

type Refusal = CouponRefusal | 'COUPON_MODIFICATION_NOT_ALLOWED'

const SENTENCES: Readonly<Record<Refusal, string>> = {
  COUPON_INVALID: 'There is no such coupon code.',
  COUPON_EXPIRED: 'This coupon is not valid at present, or was used up.',
  COUPON_INELIGIBLE: 'This coupon does not apply to this checkout.',
  COUPON_INVALID_LOCATION: 'This coupon does not apply to the shipping address.',
  COUPON_MIN_PURCHASE: 'The checkout is below the minimum purchase of this coupon.',
  COUPON_NOT_APPLICABLE: 'This coupon applies to none of the items.',
  COUPON_MODIFICATION_NOT_ALLOWED: 'A checkout with discounts by hand or with the prices of a quote takes no coupons.',
}

/** The refusal of a code: `detail` has the name that clients compare. */
const refusedCoupon = (refusal: Refusal, sentence = SENTENCES[refusal]): Problem =>
  new Problem(422, sentence, { coupon_code: sentence }, { detail: refusal })

/** Coupons of the older family count in the default currency only. */
function sentenceOf({ of, reason }: ResultCode, currency: string): string | undefined {
  const isOlder = typeof of === 'object' && reason === 'currency' && of.currency_code !== currency
  return isOlder ? 'Coupons only apply to default currency.' : undefined
}
