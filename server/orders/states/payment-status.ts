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

const FIRST_PAYMENT: Moves = {
  'authorization approved': 'authorized',
  'purchase approved': 'captured',
  'paid without a gateway': 'paid',
  'answer pending': 'pending',
  held: 'held for review',
  declined: 'declined',
}
const REFUNDS: Moves = { 'refunded in part': 'partially refunded', refunded: 'refunded' }

/** Every pair that is allowed; all others are refused. */
const moves: Readonly<Record<PaymentStatus, Moves>> = {
  '': FIRST_PAYMENT,
  pending: { 'authorization approved': 'authorized', 'purchase approved': 'captured', declined: 'declined' },
  'held for review': { 'authorization approved': 'authorized', 'purchase approved': 'captured', rejected: 'void' },
  // The shopper tries again.
  declined: FIRST_PAYMENT,
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
  refunded: { 'refunded in part': 'partially refunded', 'refunds failed': 'captured' },
  void: {},
}

/** The payment status after an event; undefined where the event is not allowed. Pure. */
export const transition = (from: PaymentStatus, event: PaymentEvent): PaymentStatus | undefined => moves[from][event]

/** In these an order's money is there, so that it can be given back (docs/contract/refunds.md section 1). */
export const canBeRefunded = (status: PaymentStatus): boolean => moves[status].refunded !== undefined
