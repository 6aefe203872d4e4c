/** The payment status of an order (docs/contract/orders.md section 5). `''` before the first payment by a gateway. */
export const PAYMENT_STATUSES = [
  '',
  'authorized',
  'captured',
  'capture pending',
  'declined',
  'held for review',
  'paid',
  'partially refunded',
  'pending',
  'refunded',
  'void',
  'void pending',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** Events that change it: requests of clients and answers of gateways. */
export type PaymentEvent =
  | 'authorization approved'
  | 'purchase approved'
  | 'paid without a gateway'
  | 'paid in part'
  | 'answer pending'
  | 'held'
  | 'declined'
  | 'rejected'
  | 'capture requested'
  | 'capture approved'
  | 'capture failed'
  | 'void requested'
  | 'void approved'
  | 'void failed'
  | 'authorization expired'
  | 'refunded in part'
  | 'refunded'
  | 'refunds failed'

type Moves = Partial<Readonly<Record<PaymentEvent, PaymentStatus>>>

const REFUNDS: Moves = { 'refunded in part': 'partially refunded', refunded: 'refunded' }
/** An order can hold money before it is paid in full, for example store credit. That money can be refunded too. */
const FIRST_PAYMENT: Moves = {
  ...REFUNDS,
  'authorization approved': 'authorized',
  'purchase approved': 'captured',
  'paid without a gateway': 'paid',
  'answer pending': 'pending',
  held: 'held for review',
  declined: 'declined',
}

/** Every transition that is allowed. */
const moves: Readonly<Record<PaymentStatus, Moves>> = {
  '': { ...FIRST_PAYMENT, 'paid in part': '' },
  pending: {
    'authorization approved': 'authorized',
    'purchase approved': 'captured',
    'paid in part': '',
    declined: 'declined',
  },
  'held for review': {
    'authorization approved': 'authorized',
    'purchase approved': 'captured',
    'paid in part': '',
    rejected: 'void',
  },
  // The shopper can try again.
  declined: { ...FIRST_PAYMENT, 'paid in part': 'declined' },
  authorized: {
    'capture requested': 'capture pending',
    'void requested': 'void pending',
    'authorization expired': 'void',
  },
  'capture pending': { 'capture approved': 'captured', 'capture failed': 'authorized' },
  'void pending': { 'void approved': 'void', 'void failed': 'authorized' },
  captured: REFUNDS,
  paid: REFUNDS,
  // A gateway can report the failure of a refund that it had approved.
  'partially refunded': { ...REFUNDS, 'refunds failed': 'captured' },
  refunded: { ...REFUNDS, 'refunds failed': 'captured' },
  // The order may have received other payments.
  void: REFUNDS,
}

/** Returns the payment status after an event; undefined if the event is not allowed. Pure. */
export const transition = (from: PaymentStatus, event: PaymentEvent): PaymentStatus | undefined => moves[from][event]

/**
 * Whether orders of this payment status can be refunded: no authorization is open, and no gateway has still to answer
 * (docs/contract/refunds.md section 1).
 */
export const canBeRefunded = (status: PaymentStatus): boolean => moves[status].refunded !== undefined
