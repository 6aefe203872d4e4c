// The one way to whatever takes money (docs/contract/payments.md section 5). An adapter is an object of this interface; which there are is
// in `../gateways.ts`. Amounts are whole numbers of the currency's smallest unit.

export interface Money {
  /** 1050 for 10.50 USD. */
  amountMinor: number
  /** Three capital letters. */
  currency: string
  /** Of the currency as the order has it: 2 for USD. */
  decimals: number
}

/** What a gateway can do. Data, so that whoever plans a refund needs no call. */
export interface Capabilities {
  /** Can authorize first and capture later. */
  delayedCapture: boolean
  void: boolean
  refund: boolean
  /** A refund may be of less than what was paid. */
  partialRefund: boolean
  /** A payment may be refunded more than once. */
  multipleRefunds: boolean
  /** An answer may be `pending`. */
  asyncResults: boolean
  /** What a customer can pay with again. */
  storedInstruments: readonly InstrumentType[]
  /** All if undefined. */
  currencies: readonly string[] | undefined
  settlementDelaySeconds: number
}

/** What a shopper pays with (docs/contract/payments.md section 3). Numbers of cards are never stored nor logged. */
export type Instrument =
  | {
      type: 'card'
      number: string
      cardholder_name: string
      expiry_month: number
      expiry_year: number
      verification_value?: string
      issue_month?: number
      issue_year?: number
      issue_number?: number
    }
  /** `reference` is what the gateway calls what it keeps for the customer. */
  | {
      type: 'stored_card' | 'stored_paypal_account' | 'stored_bank_account'
      reference: string
      verification_value?: string
    }
  /** A token that the gateway itself gave to the shopper's browser. */
  | { type: 'tokenized_card'; token: string }
  /** What needs no card: an offline payment, or a test that the server makes itself. */
  | { type: 'none' }
export type InstrumentType = Instrument['type']

export interface PayerAddress {
  first_name: string
  last_name: string
  street_1: string
  street_2: string
  city: string
  state: string
  zip: string
  country_iso2: string
  email: string
  phone: string
}

interface Call extends Money {
  /** `{txn_id}:{operation}`: a gateway does what it was asked for under one key once. */
  idempotencyKey: string
  /** Ends the call. */
  signal: AbortSignal
}

/** A payment by a shopper. */
export interface PaymentCall extends Call {
  orderId: number
  instrument: Instrument
  billing: PayerAddress
  /** Whether the gateway should keep the instrument, so that `vaulted` of the result names it. */
  saves: boolean
}

/** What follows on a payment. */
export interface FollowUpCall extends Call {
  /** The gateway's id of the authorization that is captured or voided, or of the capture or purchase that is refunded. */
  reference: string
  /** Why a refund is made. */
  reason: string
}

/** What a gateway keeps of a card that it was asked to keep. */
export interface VaultedCard {
  /** What the gateway calls it. */
  reference: string
  brand: string
  expiry_month: number
  expiry_year: number
  issuer_identification_number: string
  last_4: string
}

/**
 * `declined` is final. `error` says that certainly nothing happened; it may be tried again where `retryable`. `pending` and `review` are
 * approved or declined later: ask `fetchStatus`, or wait for the callback.
 */
export type GatewayOutcome = 'approved' | 'declined' | 'pending' | 'review' | 'error'

export interface GatewayResult {
  outcome: GatewayOutcome
  /** What the gateway calls this payment, capture, void or refund; empty if it has no such thing. */
  gatewayTransactionId: string
  /** One of docs/contract/payments.md section 4; 0 where it was approved. */
  code: number
  /** For people; empty where it was approved. */
  message: string
  retryable: boolean
  avs?: Check
  cvv?: Check
  /** What was kept of the card, if that was asked for and succeeded. */
  vaulted?: VaultedCard
}

/** How an address or a verification value compared. */
interface Check {
  code: string
  message: string
}

/** What a gateway tells unasked. */
export interface GatewayEvent {
  /** Of the gateway: the same event may come more than once. */
  eventId: string
  /** Of the call that it is about, if the gateway tells it. */
  idempotencyKey?: string
  /** What the gateway calls what came of that call. */
  gatewayTransactionId: string
  outcome: GatewayOutcome
  code: number
  message: string
}

/**
 * A gateway of one store, set up with its credentials. Whatever a call throws means that nobody knows what became of it: a time-out
 * after sending, a connection that broke, an answer that can't be read. `fetchStatus` finds out.
 */
export interface Gateway {
  readonly id: string
  /** As people call it. */
  readonly name: string
  readonly capabilities: Capabilities
  /** Keeps the money for a later `capture`. */
  authorize(call: PaymentCall): Promise<GatewayResult>
  /** Takes the money. */
  purchase(call: PaymentCall): Promise<GatewayResult>
  capture(call: FollowUpCall): Promise<GatewayResult>
  void(call: FollowUpCall): Promise<GatewayResult>
  refund(call: FollowUpCall): Promise<GatewayResult>
  /**
   * What became of a call that was sent before.
   * @param query the key of the call; the gateway's id of it, or empty if the answer never came; what was asked
   * @returns undefined if the gateway never heard of it, so that it may be sent
   */
  fetchStatus(query: StatusQuery): Promise<GatewayResult | undefined>
  /**
   * Reads a callback.
   * @param headers with names in lower case
   * @returns undefined if its signature is not that of the gateway
   */
  parseCallback(
    headers: Readonly<Record<string, unknown>>,
    rawBody: Buffer,
  ): Promise<readonly GatewayEvent[] | undefined>
}

export type Operation = 'authorize' | 'purchase' | 'capture' | 'void' | 'refund'

export interface StatusQuery {
  idempotencyKey: string
  gatewayTransactionId: string
  operation: Operation
  /** As in `FollowUpCall`; empty for a payment. */
  reference: string
  signal: AbortSignal
}

export const approved = (gatewayTransactionId: string): GatewayResult => ({
  outcome: 'approved',
  gatewayTransactionId,
  code: 0,
  message: '',
  retryable: false,
})

export const declined = (code: number, message: string, gatewayTransactionId = ''): GatewayResult => ({
  outcome: 'declined',
  gatewayTransactionId,
  code,
  message,
  retryable: false,
})

/** Nothing happened, and nothing will, however often it is asked for. */
export const refused = (code: number, message: string): GatewayResult => ({
  outcome: 'error',
  gatewayTransactionId: '',
  code,
  message,
  retryable: false,
})

/** Nothing happened; it may be asked for again, under the same key. */
export const unavailable = (message: string): GatewayResult => ({
  outcome: 'error',
  gatewayTransactionId: '',
  code: PAYMENT_CODES.temporary,
  message,
  retryable: true,
})

/** Why a payment was not made (docs/contract/payments.md section 4). */
export const PAYMENT_CODES = {
  temporary: 10_000,
  invalid: 10_001,
  notConfigured: 30_000,
  misconfigured: 30_001,
  noVault: 30_002,
  orderNotFound: 30_003,
  amountsDiffer: 30_004,
  notSaved: 30_050,
  notStored: 30_051,
  noToken: 30_100,
  wrongStatus: 30_101,
  verificationFailed: 30_102,
  expiredCard: 30_103,
  issuerRefused: 30_104,
  duplicate: 30_105,
  insufficientFunds: 30_106,
  revoked: 30_107,
} as const
