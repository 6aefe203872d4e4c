import type { Problem } from '../../../../../../core/rest/problem.ts'
import type { CouponRefusal } from '../../../../../../sales/promotions/engine/calculation/outcome.ts'

// Refusals of whole checkouts as typed errors. All mistakes of a request are reported together (docs/contract/storefront-purchases.md
// sections 7 and 9).

interface Context {
  field: string
  value: string | null
}

type OfCart<Name extends string, Code extends string> = {
  __typename: Name
  code: Code
  message: string
  context: Context[]
}

type CartCode =
  | 'CART_ALREADY_EXISTS'
  | 'CART_CONFLICT'
  | 'CART_NOT_FOUND'
  | 'CART_CONSISTENCY_ERROR'
  | 'EMPTY_CART_CREATION'
  | 'CURRENCY_NOT_TRANSACTIONAL'
type LineCode =
  | 'INSUFFICIENT_STOCK'
  | 'INVALID_GIFT_CERTIFICATE_AMOUNT'
  | 'INVALID_ITEM_QUANTITY'
  | 'INVALID_PRODUCT'
  | 'ITEM_LIMIT_REACHED'
  | 'ITEM_NOT_FOUND'
  | 'MAXIMUM_QUANTITY_EXCEEDED'
  | 'MINIMUM_QUANTITY_NOT_MET'
  | 'MODIFIER_OPTIONS_REQUIRED'
  | 'OPTION_VALIDATION_FAILED'
  | 'PRODUCT_UNAVAILABLE'
  | 'SKU_NOT_FOUND'
  | 'VARIANT_ID_REQUIRED'
type ConsignmentCode =
  | 'CONSIGNMENT_LIMIT_EXCEEDED'
  | 'CONSIGNMENT_NOT_FOUND'
  | 'INCOMPLETE_SHIPPING_ADDRESS'
  | 'INVALID_SHIPPING_OPTION'
  | 'ITEM_MISSING_SHIPPING_ADDRESS'
  | 'MISSING_SHIPPING_ADDRESS'
  | 'SHIPPING_CONSIGNMENT_MISSING_ITEM'

type CouponCode = CouponRefusal | 'COUPON_MODIFICATION_NOT_ALLOWED'

export type CheckoutRefusal =
  | OfCart<'CartError', CartCode>
  | OfCart<'CartLineItemError', LineCode>
  | OfCart<'CheckoutShippingConsignmentError', ConsignmentCode>
  | OfCart<'CheckoutBillingAddressError', 'INCOMPLETE_BILLING_ADDRESS'>
  | OfCart<'CheckoutCouponError', CouponCode>
  | OfCart<'CheckoutTaxError', 'TAX_QUOTE_UNAVAILABLE'>

/** @param field the JSON path of the input that the refusal is about, and `value` its value */
export function toErrors(problem: Problem, field: string, value: string): CheckoutRefusal[] {
  const { status, message, errors } = problem
  const context = [{ field, value }]
  const ofCart = (code: CartCode): CheckoutRefusal[] => [{ __typename: 'CartError', code, message, context }]
  if (status === 503) return [{ __typename: 'CheckoutTaxError', code: 'TAX_QUOTE_UNAVAILABLE', message, context }]
  if (status === 404) return ofCart('CART_NOT_FOUND')
  if ('version' in errors) return ofCart('CART_CONFLICT')
  const found = Object.entries(errors).map(([path, sentence]) => errorAbout(path, sentence, context))
  return found.length > 0 ? found : ofCart('CART_CONSISTENCY_ERROR')
}

function errorAbout(path: string, message: string, context: Context[]): CheckoutRefusal {
  if (path === 'billing_address') {
    return { __typename: 'CheckoutBillingAddressError', code: 'INCOMPLETE_BILLING_ADDRESS', message, context }
  }
  if (path.startsWith('coupons')) {
    return { __typename: 'CheckoutCouponError', code: couponCodeIn(message), message, context }
  }
  if (path.startsWith('consignments')) {
    return { __typename: 'CheckoutShippingConsignmentError', code: consignmentCodeOf(path), message, context }
  }
  if (path === 'line_items' && message === 'The cart is empty.') {
    return { __typename: 'CartError', code: 'EMPTY_CART_CREATION', message, context }
  }
  return { __typename: 'CartLineItemError', code: lineCodeOf(message, path), message, context }
}

function consignmentCodeOf(path: string): ConsignmentCode {
  if (path.endsWith('.address')) return 'INCOMPLETE_SHIPPING_ADDRESS'
  if (path.endsWith('.shipping_option_id')) return 'INVALID_SHIPPING_OPTION'
  return path === 'consignments' ? 'ITEM_MISSING_SHIPPING_ADDRESS' : 'MISSING_SHIPPING_ADDRESS'
}

/** The codes of lines by words of their sentences. */
const LINE_SENTENCES: readonly (readonly [words: string, code: LineCode])[] = [
  ['Not enough stock:', 'INSUFFICIENT_STOCK'],
  ['purchase a maximum', 'MAXIMUM_QUANTITY_EXCEEDED'],
  ['purchase a minimum', 'MINIMUM_QUANTITY_NOT_MET'],
  ['variant ID is required', 'VARIANT_ID_REQUIRED'],
  ['with the SKU', 'SKU_NOT_FOUND'],
  ['is not available', 'PRODUCT_UNAVAILABLE'],
  ['The cart has no line', 'ITEM_NOT_FOUND'],
  ['can have at most', 'ITEM_LIMIT_REACHED'],
  ['gift certificate has an amount', 'INVALID_GIFT_CERTIFICATE_AMOUNT'],
  ['Please create some text', 'MODIFIER_OPTIONS_REQUIRED'],
  ['of this product is required', 'MODIFIER_OPTIONS_REQUIRED'],
]

/** @param field its path in the refusal */
export function lineCodeOf(message: string, field: string): LineCode {
  const found = LINE_SENTENCES.find(([words]) => message.includes(words))
  if (found) return found[1]
  // A payment could not reserve the stock of the order.
  if (field === 'products') return 'INSUFFICIENT_STOCK'
  if (field.includes('option_selections')) return 'OPTION_VALIDATION_FAILED'
  return field.endsWith('quantity') ? 'INVALID_ITEM_QUANTITY' : 'INVALID_PRODUCT'
}

const COUPON_CODES = [
  'COUPON_INVALID_LOCATION',
  'COUPON_INVALID',
  'COUPON_EXPIRED',
  'COUPON_INELIGIBLE',
  'COUPON_MIN_PURCHASE',
  'COUPON_NOT_APPLICABLE',
] as const satisfies readonly CouponRefusal[]

/** The sentence about a coupon that does not qualify any more ends with the code of its refusal. */
export const couponCodeIn = (message: string): CouponRefusal =>
  COUPON_CODES.find((code) => message.includes(code)) ?? 'COUPON_INELIGIBLE'
