// The interface of payment gateways (docs/contract/payments.md section 5). Each adapter is an object with this interface; `../gateways.ts` lists
// them. Amounts are whole numbers of the smallest unit of the currency.

export interface Money {
  /** 1050 for 10.50 USD. */
  amountMinor: number
  /** Three capital letters. */
  currency: string
  /** The decimals of the currency in the order: 2 for USD. */
  decimals: number
}

/** The capabilities of a gateway. They are data, so that planning a refund needs no call. */
export interface Capabilities {
  /** Can authorize first and capture later. */
  delayedCapture: boolean
  void: boolean
  refund: boolean
  /** A refund may be less than the payment. */
  partialRefund: boolean
  /** A payment may be refunded more than once. */
  multipleRefunds: boolean
  /** An answer may be `pending`. */
  asyncResults: boolean
  /** Instruments that it stores for customers. */
  storedInstruments: readonly InstrumentType[]
  /** All if undefined. */
  currencies: readonly string[] | undefined
  settlementDelaySeconds: number
}

/** The instrument of a shopper (docs/contract/payments.md section 3). Card numbers are never stored or logged. */
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
  /** `reference` is the gateway's id of the stored instrument. */
  | {
      type: 'stored_card' | 'stored_paypal_account' | 'stored_bank_account'
      reference: string
      verification_value?: string
    }
  /** A token that the gateway has issued to the shopper's browser. */
  | { type: 'tokenized_card'; token: string }
  /** No instrument: an offline payment, or a test payment of the server. */
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
  /** `{txn_id}:{operation}`: a gateway processes one request for each key. */
  idempotencyKey: string
  /** Ends the call. */
  signal: AbortSignal
}

/** A payment by a shopper. */
export interface PaymentCall extends Call {
  orderId: number
  instrument: Instrument
  billing: PayerAddress
  /** Whether the gateway should store the instrument and return it as `vaulted`. */
  saves: boolean
}

/** A call that follows a payment. */
export interface FollowUpCall extends Call {
  /** The gateway's id of the authorization that is captured or voided, or of the capture or purchase that is refunded. */
  reference: string
  /** The reason of a refund. */
  reason: string
}

/** A card that a gateway has stored. */
export interface VaultedCard {
  /** The gateway's id of the card. */
  reference: string
  brand: string
  expiry_month: number
  expiry_year: number
  issuer_identification_number: string
  last_4: string
}

/**
 * `declined` is final. `error` means that the call certainly had no effect; it may be repeated if `retryable`. `pending` and `review` are
 * approved or declined later: call `fetchStatus`, or wait for the callback.
 */
export type GatewayOutcome = 'approved' | 'declined' | 'pending' | 'review' | 'error'

export interface GatewayResult {
  outcome: GatewayOutcome
  /** The gateway's id of this payment, capture, void or refund; may be empty. */
  gatewayTransactionId: string
  /** A code of docs/contract/payments.md section 4; 0 if approved. */
  code: number
  /** A sentence for people; empty if approved. */
  message: string
  retryable: boolean
  avs?: Check
  cvv?: Check
  /** The stored card, if the call asked for it and storing succeeded. */
  vaulted?: VaultedCard
}

/** The result of comparing an address or a verification value. */
interface Check {
  code: string
  message: string
}

/** An event in a callback. */
export interface GatewayEvent {
  /** The gateway's id of the event. The same event may arrive more than once. */
  eventId: string
  /** The key of the call, if the gateway sends it. */
  idempotencyKey?: string
  /** The gateway's id of the result of the call. */
  gatewayTransactionId: string
  outcome: GatewayOutcome
  code: number
  message: string
}

/**
 * A gateway of one store, with its credentials. An error thrown by a call means that its outcome is unknown: a timeout after sending, a broken
 * connection, an unreadable answer. `fetchStatus` looks the outcome up.
 */
export interface Gateway {
  readonly id: string
  /** The display name. */
  readonly name: string
  readonly capabilities: Capabilities
  /** Reserves the money for a later `capture`. */
  authorize(call: PaymentCall): Promise<GatewayResult>
  /** Takes the money. */
  purchase(call: PaymentCall): Promise<GatewayResult>
  capture(call: FollowUpCall): Promise<GatewayResult>
  void(call: FollowUpCall): Promise<GatewayResult>
  refund(call: FollowUpCall): Promise<GatewayResult>
  /**
   * Looks up the outcome of an earlier call.
   * @param query the key and the operation of the call, and the gateway's id of it, or empty if no answer arrived
   * @returns undefined if the gateway doesn't know the call, so that it may be sent
   */
  fetchStatus(query: StatusQuery): Promise<GatewayResult | undefined>
  /**
   * Reads a callback.
   * @param headers with names in lower case
   * @returns undefined if the signature is invalid
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

/** A call that had no effect and would have none again. */
export const refused = (code: number, message: string): GatewayResult => ({
  outcome: 'error',
  gatewayTransactionId: '',
  code,
  message,
  retryable: false,
})

/** A call that had no effect and may be repeated with the same key. */
export const unavailable = (message: string): GatewayResult => ({
  outcome: 'error',
  gatewayTransactionId: '',
  code: PAYMENT_CODES.temporary,
  message,
  retryable: true,
})

/** The codes of refused payments (docs/contract/payments.md section 4). */
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
