import type { CarrierDesk } from '../../shipping/carriers/quotes.ts'
import { shippingByRequest } from '../../shipping/parcels/shipping-quotes.ts'
import type { Estimates } from '../../tax/estimates/estimates.ts'
import { quotesByRequest } from '../../tax/estimates/quote.ts'
import type { CartParts } from './change.ts'

/** The systems outside that evaluations of carts ask. */
export interface AskedSystems {
  /** The carriers. */
  desk: CarrierDesk
  /** The tax providers. */
  estimates: Estimates
}

/** Makes the parts of an area that evaluates carts. */
export function cartPartsOf({
  desk,
  estimates,
  countOrders,
  sites,
}: AskedSystems & Omit<CartParts, 'quotesOf'>): CartParts {
  const shippingOf = shippingByRequest(desk)
  const taxOf = quotesByRequest(estimates)
  return { countOrders, sites, quotesOf: (request) => ({ shipping: shippingOf(request), tax: taxOf(request) }) }
}
