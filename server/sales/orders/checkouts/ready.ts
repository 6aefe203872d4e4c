import { hasPostalCodes } from '../../../core/geography/countries.ts'
import { statesOf } from '../../../core/geography/states.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { CartWithResult } from '../../carts/changes/change.ts'
import { notEnoughStock } from '../../carts/lines/quantities.ts'
import type { CartAddress } from '../../carts/row/document.ts'

// Checks whether a checkout can become an order (docs/contract/orders.md section 10). Pure.

/** A checkout with its result, of a locked cart. */
export type ReadyCheckout = Pick<CartWithResult, 'cart' | 'result' | 'facts' | 'isTaxUnavailable'>

/** @throws Problem 422 with all mistakes; 409 if too little is in stock; 503 if the tax is unknown */
export function refuseUnready(checkout: ReadyCheckout) {
  const mistakes: Mistakes = {}
  refuseBilling(checkout, mistakes)
  refuseUnassigned(checkout, mistakes)
  refuseConsignments(checkout, mistakes)
  refuseCoupons(checkout, mistakes)
  const [first] = Object.values(mistakes)
  if (first !== undefined) throw new Problem(422, first, mistakes)
  refuseShortage(checkout)
  if (checkout.isTaxUnavailable) throw new Problem(503, 'The tax provider does not answer. Try again later.')
}

function refuseBilling({ cart: { document } }: ReadyCheckout, mistakes: Mistakes) {
  if (!document.billing) mistakes.billing_address = 'The checkout has no billing address.'
  else if (missingIn(document.billing).length > 0) {
    mistakes.billing_address = `The billing address for this order is incomplete: ${missingIn(document.billing).join(', ')}.`
  }
}

function refuseUnassigned({ cart: { document }, result }: ReadyCheckout, mistakes: Mistakes) {
  const isUnassigned = result.lines.some(
    ({ isDigital, parts }) => !isDigital && parts.some(({ consignment_id }) => consignment_id === undefined),
  )
  if (isUnassigned) mistakes.consignments = 'Every physical item must be in a consignment.'
  if (result.lines.length + document.certificates.length === 0) mistakes.line_items = 'The cart is empty.'
}

function refuseConsignments({ cart: { document } }: ReadyCheckout, mistakes: Mistakes) {
  for (const [i, { address, pickup, option }] of document.consignments.entries()) {
    if (address) {
      const missing = missingIn(address)
      if (missing.length > 0) {
        mistakes[`consignments.${i}.address`] =
          `A shipping address for this order is incomplete: ${missing.join(', ')}.`
      }
      if (!option) mistakes[`consignments.${i}.shipping_option_id`] = 'The consignment has no shipping option.'
    } else if (!pickup) {
      mistakes[`consignments.${i}`] = 'The consignment has neither an address nor a pickup option.'
    }
  }
}

const REQUIRED = ['first_name', 'last_name', 'address1', 'city', 'email', 'country_code'] as const

/** The fields that an address lacks for an order. */
export function missingIn(address: CartAddress): string[] {
  const missing: string[] = REQUIRED.filter((field) => address[field].trim() === '')
  const { country_code, state_or_province, state_or_province_code, postal_code } = address
  if (
    (statesOf(country_code.toUpperCase()) ?? []).length > 0 &&
    state_or_province.trim() === '' &&
    state_or_province_code.trim() === ''
  ) {
    missing.push('state_or_province')
  }
  if (hasPostalCodes(country_code.toUpperCase()) && postal_code.trim() === '') missing.push('postal_code')
  return missing
}

function refuseCoupons({ result }: ReadyCheckout, mistakes: Mistakes) {
  for (const [i, { code, refusal }] of result.codes.entries()) {
    if (refusal !== undefined) mistakes[`coupons.${i}`] = `The coupon ${code} is not valid any more: ${refusal}.`
  }
}

/** The order takes no stock before it is paid: this check only looks. */
function refuseShortage({ result }: ReadyCheckout) {
  const sentence = shortageIn(result)
  if (sentence !== undefined) throw new Problem(409, sentence, { line_items: sentence })
}

/** The sentence about a product of which there are fewer in stock than the cart has; undefined if all are there. */
export function shortageIn({ lines }: Pick<ReadyCheckout['result'], 'lines'>): string | undefined {
  const ofProducts = new Map<number, number>()
  const ofVariants = new Map<number, number>()
  for (const { product_id, variant_id, quantity } of lines) {
    ofProducts.set(product_id, (ofProducts.get(product_id) ?? 0) + quantity)
    ofVariants.set(variant_id, (ofVariants.get(variant_id) ?? 0) + quantity)
  }
  for (const { item } of lines) {
    if (!item) continue
    const { name, product_stock, variant_stock } = item
    if (isShort(product_stock, ofProducts.get(item.product_id))) return notEnoughStock(name, product_stock ?? 0)
    if (isShort(variant_stock, ofVariants.get(item.variant_id))) return notEnoughStock(name, variant_stock ?? 0)
  }
  return undefined
}

const isShort = (stock: number | null, wanted = 0): boolean => stock !== null && wanted > stock
