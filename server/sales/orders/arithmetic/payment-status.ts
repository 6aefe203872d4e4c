/** How the money of an order stands (docs/contract/orders.md section 5). `''` before anything was paid by a gateway. */
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

/** What changes it: requests of clients, and what gateways answer. */
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

/** Every pair that is allowed; all others are refused. */
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
  // The shopper tries again.
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
  // A payment back may fail after it was told to be done.
  'partially refunded': { ...REFUNDS, 'refunds failed': 'captured' },
  refunded: { ...REFUNDS, 'refunds failed': 'captured' },
  // Part of the order may have been paid by other means.
  void: REFUNDS,
}

/** The payment status after an event; undefined where the event is not allowed. Pure. */
export const transition = (from: PaymentStatus, event: PaymentEvent): PaymentStatus | undefined => moves[from][event]

/**
 * Whether refunds are possible in a payment status: nothing is authorized, and no answer of a gateway is missing
 * (docs/contract/refunds.md section 1).
 */
export const canBeRefunded = (status: PaymentStatus): boolean => moves[status].refunded !== undefined
