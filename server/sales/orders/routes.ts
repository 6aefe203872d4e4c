import type { Runner } from '../../core/jobs/task.ts'
import type { Api } from '../../core/rest/api.ts'
import { metafieldRoutes } from '../../shared/metafields/metafields.ts'
import type { TokenParts } from '../payments/tokens.ts'

import { quotesByRequest } from '../tax/estimates/quote.ts'
import { captureRoutes, captureRunner, type MoneyParts } from './captures/captures.ts'
import { type CheckoutOrderParts, checkoutOrderRoutes } from './checkouts/routes.ts'
import { orderPickupRoutes } from './fulfilment/pickups.ts'
import { shipmentRoutesV2 } from './fulfilment/shipments-v2.ts'
import { shippingQuoteRoutesV2 } from './fulfilment/shipping-quotes-v2.ts'
import { statusRoutesV2 } from './reading/statuses-v2.ts'
import { quoteRoutes } from './refunds/quotes.ts'
import { refundRoutes } from './refunds/refunds.ts'
import { refundRunner } from './refunds/repayments.ts'
import { orderMetafields } from './row/rows.ts'
import { orderSettingsRoutes } from './settings/settings.ts'
import { accessTokenRoutes } from './shopper-payments/access-tokens.ts'
import { type MethodParts, paymentMethodRoutes, paymentMethodRoutesV2 } from './shopper-payments/instruments/methods.ts'
import { paymentRunners } from './shopper-payments/jobs.ts'
import { transactionRoutes } from './transactions/transactions.ts'
import { orderCouponRoutesV2 } from './v2/coupons-v2.ts'
import { messageRoutesV2 } from './v2/messages-v2.ts'
import { type OrderParts, orderRoutesV2 } from './v2/orders-v2.ts'
import { partRoutesV2 } from './v2/parts-v2.ts'
import { archiveRunner } from './writing/archive.ts'

/** Routes of orders in the v3 API. */
export function orderRoutes(api: Api, parts: MoneyParts & TokenParts & CheckoutOrderParts) {
  const quotesOf = quotesByRequest(parts.estimates)
  metafieldRoutes(api, orderMetafields)
  orderPickupRoutes(api)
  transactionRoutes(api)
  captureRoutes(api, parts)
  accessTokenRoutes(api, parts)
  paymentMethodRoutes(api, parts)
  quoteRoutes(api, parts, quotesOf)
  refundRoutes(api, parts, quotesOf)
  orderSettingsRoutes(api)
  checkoutOrderRoutes(api, parts)
}

/** Routes of orders in the v2 API. */
export function orderFamilyV2(api: Api, parts: OrderParts & MethodParts) {
  orderRoutesV2(api, parts)
  partRoutesV2(api, parts)
  orderCouponRoutesV2(api)
  messageRoutesV2(api)
  shipmentRoutesV2(api)
  shippingQuoteRoutesV2(api)
  statusRoutesV2(api)
  paymentMethodRoutesV2(api, parts)
}

/** Jobs of orders. */
export const orderRunners = (parts: MoneyParts): readonly Runner[] => [
  captureRunner(parts),
  refundRunner(parts),
  ...paymentRunners(parts.gateways),
  archiveRunner(),
]
