import type { TaxSettings } from '../../tax/settings.ts'
import type { DocumentNeed } from '../../tax/submissions/next-call.ts'
import { isOnHold, isPaidStatus, isVoidStatus } from './order-status.ts'
import type { PaymentStatus } from './payment-status.ts'

interface Stated {
  status_id: number
  payment_status: PaymentStatus
}

type Strategy = TaxSettings['document_submission_strategy']

/** Payment statuses of orders whose money was received. */
const RECEIVED: readonly PaymentStatus[] = ['captured', 'paid', 'partially refunded']

/**
 * Whether an order needs a document at its tax provider (docs/contract/tax.md section 11). Cancelled, declined and refunded orders need
 * none. The strategy ON_ORDER_CREATION reads the order status, ON_PAYMENT_CAPTURE the payment status. Pure.
 */
export function documentNeed({ status_id, payment_status }: Stated, strategy: Strategy): DocumentNeed {
  if (isVoidStatus(status_id) || payment_status === 'refunded' || payment_status === 'void') return 'not needed'
  if (strategy === 'ON_PAYMENT_CAPTURE') return RECEIVED.includes(payment_status) ? 'needed' : 'not needed'
  if (isPaidStatus(status_id)) return 'needed'
  return isOnHold(status_id) ? 'as before' : 'not needed'
}

/** Whether an order may need a document by any strategy, or may have had one. Pure. */
export const mayHaveDocument = ({ status_id, payment_status }: Stated): boolean =>
  isPaidStatus(status_id) || isOnHold(status_id) || RECEIVED.includes(payment_status)
