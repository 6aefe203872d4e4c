import type { Stripe as StripeClient } from 'stripe'
import t, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { ComparedText } from '../../../core/rest/lists/filters.ts'
import { Problem } from '../../../core/rest/problem.ts'
import {
  approved,
  type Capabilities,
  declined,
  type FollowUpCall,
  type Gateway,
  type GatewayEvent,
  type GatewayResult,
  type Instrument,
  PAYMENT_CODES,
  type PaymentCall,
  refused,
  type StatusQuery,
  unavailable,
  type VaultedCard,
} from './gateway.ts'

// The adapter for Stripe, with its own client (docs/contract/payments.md section 7). A payment, its capture and its void are one payment
// intent at Stripe. The transfer group of a charge is the key of its request, so that the outcome of a key can be looked up.

export const STRIPE = 'stripe'

/** Credentials from the operator. */
export const StripeCredentials = t.Object(
  {
    /** Begins with sk_ or rk_. */
    secret_key: t.String({ minLength: 8, maxLength: 255 }),
    /** Signs callbacks; begins with whsec_. Without it callbacks are refused. */
    webhook_secret: t.Optional(t.String({ minLength: 8, maxLength: 255 })),
  },
  { additionalProperties: false },
)
type StripeCredentials = Static<typeof StripeCredentials>

const CAPABILITIES: Capabilities = {
  delayedCapture: true,
  void: true,
  refund: true,
  partialRefund: true,
  multipleRefunds: true,
  asyncResults: true,
  storedInstruments: ['stored_card'],
  currencies: undefined,
  settlementDelaySeconds: 0,
}

/** The store that an account serves, and the address of the service. */
interface StripeScope {
  /**
   * Identifies the store among all stores of all servers. Stores number captures, voids and refunds from 1, and one account may serve
   * several stores: without the mark the refund 5 of one store would be the refund 5 of another. It changes with the secret of the server.
   */
  mark: string
  /** The address of the service for tests; undefined for Stripe itself. */
  api: string | undefined
}

/** The name of our key in the metadata of objects at Stripe. */
const KEY = 'storeward_key'

type Sdk = typeof import('stripe').default
interface Intent {
  id: string
  status: string
  last_payment_error?: Reason | null | undefined
}
interface Refund {
  id: string
  status: string | null
  failure_reason?: string | null | undefined
}
type Method = Awaited<ReturnType<StripeClient['paymentMethods']['create']>>

/**
 * Opens Stripe for a store.
 * @throws Error with a sentence for the operator if the client is not installed
 */
export async function openStripe(credentials: StripeCredentials, { mark, api }: StripeScope): Promise<Gateway> {
  const { default: sdk } = await import('stripe').catch(() => {
    throw new Error('The provider stripe needs the package stripe: install it next to storeward.')
  })
  const { secret_key, webhook_secret } = credentials
  const url = api === undefined ? undefined : new URL(api)
  const client = new sdk(secret_key, {
    // An attempt is one request. Its outcome is stored before the next one.
    maxNetworkRetries: 0,
    // The default HTTP client repeats a request when the connection breaks.
    httpClient: sdk.createFetchHttpClient(),
    timeout: 24_000,
    telemetry: false,
    ...(url
      ? { host: url.hostname, port: url.port || portOf(url), protocol: url.protocol === 'http:' ? 'http' : 'https' }
      : {}),
  })
  return stripeGateway(sdk, client, { mark, webhookSecret: webhook_secret })
}

const portOf = ({ protocol }: URL) => (protocol === 'http:' ? '80' : '443')

function stripeGateway(
  sdk: Sdk,
  client: StripeClient,
  { mark, webhookSecret }: Pick<StripeScope, 'mark'> & { webhookSecret: string | undefined },
): Gateway {
  const marked = <Call extends { idempotencyKey: string }>(call: Call): Call => ({
    ...call,
    idempotencyKey: `${call.idempotencyKey}:${mark}`,
  })
  const caught = (work: () => Promise<GatewayResult>) => withErrorsAsResults(sdk, work)
  /** Stripe refuses an operation that is done already, for example the void of an authorization that has expired. */
  const unlessDone =
    ({ reference }: FollowUpCall, status: Intent['status']) =>
    async (result: GatewayResult): Promise<GatewayResult> => {
      if (result.code !== PAYMENT_CODES.invalid) return result
      const intent = await client.paymentIntents.retrieve(reference)
      return intent.status === status ? approved(intent.id) : result
    }
  const pay = (call: PaymentCall, capture_method: 'automatic' | 'manual') =>
    caught(async () => {
      const refusal = refuseDecimals(call)
      return refusal ?? payWith(client, call, capture_method)
    })
  return {
    id: STRIPE,
    name: 'Stripe',
    capabilities: CAPABILITIES,
    authorize: (call) => pay(call, 'manual'),
    purchase: (call) => pay(call, 'automatic'),
    capture: (call) => caught(() => capture(client, marked(call))).then(unlessDone(call, 'succeeded')),
    void: (call) => caught(() => cancel(client, marked(call))).then(unlessDone(call, 'canceled')),
    refund: (call) => caught(() => refund(client, marked(call))),
    fetchStatus: (query) => fetchStatus(sdk, client, query),
    async parseCallback(headers, rawBody) {
      const signature = headers['stripe-signature']
      if (webhookSecret === undefined || typeof signature !== 'string') return undefined
      let event: unknown
      try {
        event = await client.webhooks.constructEventAsync(rawBody, signature, webhookSecret)
      } catch (error) {
        if (error instanceof sdk.errors.StripeSignatureVerificationError) return undefined
        // The signature is valid and the body is not an event.
        throw unreadable()
      }
      return eventsIn(event, mark)
    },
  }
}

/** Stripe uses the decimals of ISO 4217. A store may have configured others. */
function refuseDecimals({ currency, decimals }: PaymentCall): GatewayResult | undefined {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  if (maximumFractionDigits === decimals) return undefined
  return refused(
    PAYMENT_CODES.misconfigured,
    `Stripe uses ${maximumFractionDigits} decimals for ${currency}, this store ${decimals}.`,
  )
}

async function payWith(
  client: StripeClient,
  call: PaymentCall,
  capture_method: 'automatic' | 'manual',
): Promise<GatewayResult> {
  const { idempotencyKey, amountMinor, currency, orderId, saves } = call
  const method = await methodOf(client, call)
  const customer = saves
    ? await client.customers.create({}, { idempotencyKey: `${idempotencyKey}:customer` })
    : undefined
  const intent = await client.paymentIntents.create(
    {
      amount: amountMinor,
      currency: currency.toLowerCase(),
      capture_method,
      confirm: true,
      allowed_payment_method_types: ['card'],
      transfer_group: idempotencyKey,
      metadata: { [KEY]: idempotencyKey, order_id: String(orderId) },
      ...method.params,
      ...(customer ? { customer: customer.id, setup_future_usage: 'off_session' } : {}),
    },
    { idempotencyKey },
  )
  const result = ofIntent(intent)
  if (!customer || !method.card || result.outcome !== 'approved') return result
  return { ...result, vaulted: vaultedCard(customer.id, method.card, call.instrument) }
}

/** The payment method of an intent. A card becomes a payment method of Stripe first. */
async function methodOf(client: StripeClient, { instrument, billing, idempotencyKey }: PaymentCall) {
  // The shopper can't answer a question of the bank here.
  const withoutAction = { error_on_requires_action: true }
  if (instrument.type === 'tokenized_card') return { params: { payment_method: instrument.token, ...withoutAction } }
  if (instrument.type === 'stored_card') {
    const [customer = '', payment_method = ''] = instrument.reference.split('/')
    return { params: { customer, payment_method, off_session: true } }
  }
  if (instrument.type !== 'card') throw new Error(`Stripe does not support ${instrument.type}.`)
  const { number, expiry_month, expiry_year, verification_value, cardholder_name } = instrument
  const card = await client.paymentMethods.create(
    {
      type: 'card',
      card: {
        number,
        exp_month: expiry_month,
        exp_year: expiry_year,
        ...(verification_value === undefined ? {} : { cvc: verification_value }),
      },
      billing_details: { name: cardholder_name, email: billing.email, address: addressOf(billing) },
    },
    { idempotencyKey: `${idempotencyKey}:method` },
  )
  return { params: { payment_method: card.id, ...withoutAction }, card }
}

const addressOf = ({ street_1, street_2, city, state, zip, country_iso2 }: PaymentCall['billing']) => ({
  line1: street_1,
  line2: street_2,
  city,
  state,
  postal_code: zip,
  ...(country_iso2 === '' ? {} : { country: country_iso2 }),
})

function vaultedCard(customer: string, { id, card }: Method, instrument: Instrument): VaultedCard {
  const number = instrument.type === 'card' ? instrument.number : ''
  return {
    reference: `${customer}/${id}`,
    brand: (card?.brand ?? '').toUpperCase(),
    expiry_month: card?.exp_month ?? 1,
    expiry_year: card?.exp_year ?? 2000,
    issuer_identification_number: number.slice(0, 6),
    last_4: card?.last4 ?? number.slice(-4),
  }
}

const capture = async (client: StripeClient, { reference, amountMinor, idempotencyKey }: FollowUpCall) =>
  ofIntent(await client.paymentIntents.capture(reference, { amount_to_capture: amountMinor }, { idempotencyKey }))

const cancel = async (client: StripeClient, { reference, idempotencyKey }: FollowUpCall) =>
  ofVoid(await client.paymentIntents.cancel(reference, {}, { idempotencyKey }))

async function refund(client: StripeClient, { reference, amountMinor, idempotencyKey }: FollowUpCall) {
  const made = await client.refunds.create(
    { payment_intent: reference, amount: amountMinor, metadata: { [KEY]: idempotencyKey } },
    { idempotencyKey },
  )
  return ofRefund(made)
}

const waiting = (id: string): GatewayResult => ({
  ...approved(id),
  outcome: 'pending',
  message: 'The answer comes later.',
})

/** The result of a payment or a capture. */
function ofIntent({ id, status, last_payment_error }: Intent): GatewayResult {
  if (status === 'succeeded' || status === 'requires_capture') return approved(id)
  if (status === 'processing') return waiting(id)
  const { code, message } = reasonOf(last_payment_error ?? {})
  return declined(code, message, id)
}

const ofVoid = ({ id, status }: Intent): GatewayResult =>
  status === 'canceled' ? approved(id) : declined(PAYMENT_CODES.revoked, `The payment is ${status} at Stripe.`, id)

function ofRefund({ id, status, failure_reason }: Refund): GatewayResult {
  if (status === 'succeeded') return approved(id)
  if (status === 'pending' || status === 'requires_action') return waiting(id)
  return declined(PAYMENT_CODES.issuerRefused, `Stripe declined the refund: ${failure_reason ?? status}.`, id)
}

const CODES: Readonly<Record<string, number>> = {
  expired_card: PAYMENT_CODES.expiredCard,
  insufficient_funds: PAYMENT_CODES.insufficientFunds,
  incorrect_cvc: PAYMENT_CODES.verificationFailed,
  invalid_cvc: PAYMENT_CODES.verificationFailed,
  incorrect_number: PAYMENT_CODES.verificationFailed,
  invalid_number: PAYMENT_CODES.verificationFailed,
  authentication_required: PAYMENT_CODES.verificationFailed,
  duplicate_transaction: PAYMENT_CODES.duplicate,
  revocation_of_authorization: PAYMENT_CODES.revoked,
}

interface Reason {
  code?: string | null | undefined
  decline_code?: string | null | undefined
  message?: string | null | undefined
}

/** The code and message of a decline. */
const reasonOf = ({ code, decline_code, message }: Reason) => ({
  code: CODES[decline_code ?? ''] ?? CODES[code ?? ''] ?? PAYMENT_CODES.issuerRefused,
  message: message ?? 'The card was declined.',
})

/**
 * Converts errors of the client to results. Errors after which the outcome is unknown are rethrown: broken connections, and failures
 * inside Stripe, after which the charge may exist.
 */
async function withErrorsAsResults(sdk: Sdk, work: () => Promise<GatewayResult>): Promise<GatewayResult> {
  const { errors } = sdk
  try {
    return await work()
  } catch (error) {
    if (error instanceof errors.StripeCardError) {
      const { code, message } = reasonOf(error)
      return declined(code, message, error.payment_intent?.id ?? '')
    }
    if (error instanceof errors.StripeRateLimitError)
      return unavailable('Stripe accepts no more requests at the moment.')
    if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError) {
      return refused(PAYMENT_CODES.misconfigured, 'Stripe does not accept the credentials of this store.')
    }
    // Another request with this key is in progress.
    if (error instanceof errors.StripeIdempotencyError || !(error instanceof errors.StripeInvalidRequestError))
      throw error
    if (error.statusCode === 409) throw error
    return declined(PAYMENT_CODES.invalid, error.message)
  }
}

/** @returns undefined if Stripe has no such object */
async function fetchStatus(sdk: Sdk, client: StripeClient, query: StatusQuery): Promise<GatewayResult | undefined> {
  const { operation, reference, idempotencyKey, gatewayTransactionId } = query
  if (operation === 'refund') {
    if (gatewayTransactionId !== '') return ofRefund(await client.refunds.retrieve(gatewayTransactionId))
    for await (const one of client.refunds.list({ payment_intent: reference, limit: 100 })) {
      // The payment is ours, so the refund is too, even with a mark from before the secret was replaced.
      if (one.metadata?.[KEY]?.startsWith(`${idempotencyKey}:`)) return ofRefund(one)
    }
    return undefined
  }
  if (operation === 'capture' || operation === 'void') {
    const intent = await client.paymentIntents.retrieve(reference)
    if (intent.status === 'requires_capture') return undefined
    return operation === 'capture' ? ofIntent(intent) : ofVoid(intent)
  }
  const id = gatewayTransactionId || (await intentOfKey(client, idempotencyKey))
  return id === undefined
    ? undefined
    : withErrorsAsResults(sdk, async () => ofIntent(await client.paymentIntents.retrieve(id)))
}

/** Finds an intent by the transfer group of its charge. A charge is listed as soon as it exists. */
async function intentOfKey(client: StripeClient, key: string): Promise<string | undefined> {
  const { data } = await client.charges.list({ transfer_group: key, limit: 1 })
  const intent = data[0]?.payment_intent
  return typeof intent === 'string' ? intent : intent?.id
}

const unreadable = () => new Problem(400, 'The body is not a readable event of Stripe.')

const optional = <S extends TSchema>(schema: S) => t.Optional(t.Union([schema, t.Null()]))
const ofPayment = { id: ComparedText, status: t.String(), metadata: optional(t.Record(t.String(), ComparedText)) }
const IntentObject = t.Object({
  ...ofPayment,
  last_payment_error: optional(
    t.Object({
      code: optional(t.String()),
      decline_code: optional(t.String()),
      message: optional(ComparedText),
    }),
  ),
})
const RefundObject = t.Object({
  ...ofPayment,
  status: t.Union([t.String(), t.Null()]),
  failure_reason: optional(ComparedText),
})
const SignedEvent = t.Object({ id: ComparedText, type: t.String(), data: t.Object({ object: t.Unknown() }) })

const INTENT_EVENTS: ReadonlySet<string> = new Set([
  'payment_intent.succeeded',
  'payment_intent.amount_capturable_updated',
  'payment_intent.processing',
  'payment_intent.payment_failed',
])
const REFUND_EVENTS: ReadonlySet<string> = new Set(['refund.updated', 'refund.failed'])

/**
 * Returns the events about objects of this store. The account may have others.
 * @throws Problem 400 for an event with missing fields
 */
function eventsIn(event: unknown, mark: string): GatewayEvent[] {
  if (!Value.Check(SignedEvent, event)) throw unreadable()
  const { id: eventId, type, data } = event
  const of = (id: string, key: string | undefined, { outcome, code, message }: GatewayResult) =>
    key === undefined ? [] : [{ eventId, idempotencyKey: key, gatewayTransactionId: id, outcome, code, message }]
  if (REFUND_EVENTS.has(type)) {
    if (!Value.Check(RefundObject, data.object)) throw unreadable()
    const { id, metadata } = data.object
    return of(id, withoutMark(metadata?.[KEY], mark), ofRefund(data.object))
  }
  if (INTENT_EVENTS.has(type)) {
    if (!Value.Check(IntentObject, data.object)) throw unreadable()
    const { id, metadata } = data.object
    return of(id, metadata?.[KEY], ofIntent(data.object))
  }
  return []
}

/** @returns undefined for a key with another mark, which belongs to another store */
const withoutMark = (key: string | undefined, mark: string) =>
  key?.endsWith(`:${mark}`) ? key.slice(0, -mark.length - 1) : undefined
