import type { CarrierDesk } from '../../shipping/carriers/quotes.ts'
import { shippingByRequest } from '../../shipping/parcels/shipping-quotes.ts'
import type { Estimates } from '../../tax/estimates/estimates.ts'
import { quotesByRequest } from '../../tax/estimates/quote.ts'
import type { CartParts } from './change.ts'

/** The parts of other areas that evaluate carts. */
export interface QuotingParts extends Omit<CartParts, 'quotesOf'> {
  /** The carriers. */
  desk: CarrierDesk
  /** The tax providers. */
  estimates: Estimates
}

/** Makes the parts of carts. The quotes of a request are asked for once. */
export function cartPartsOf({ desk, estimates, ...others }: QuotingParts): CartParts {
  const shippingOf = shippingByRequest(desk)
  const taxOf = quotesByRequest(estimates)
  return { ...others, quotesOf: (request) => ({ shipping: shippingOf(request), tax: taxOf(request) }) }
}
