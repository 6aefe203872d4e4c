import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Answer } from '../../core/rest/answer.ts'
import { type Api, type Grammar, speakContract } from '../../core/rest/api.ts'
import { Problem, problemBody } from '../../core/rest/problem.ts'
import { lock } from '../../core/rest/verbs.ts'
import type { Secrets } from '../../core/secrets.ts'
import { moveCredit } from '../../customers/store-credit.ts'
import { callGateway, findAttempt, type PaymentAttempt } from '../../payments/attempts.ts'
import {
  type GatewayResult,
  type Instrument,
  PAYMENT_CODES,
  type VaultedCard,
} from '../../payments/gateways/gateway.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { type Provider, providersAt } from '../../payments/providers.ts'
import {
  countPayment,
  type PaymentToken,
  readToken,
  spendTokens,
  type TokenParts,
  useToken,
} from '../../payments/tokens.ts'
import { instrumentsAt, keepCard } from '../../payments/vault.ts'
import type { Directory } from '../../stores/directory.ts'
import type { FailedLogins } from '../../stores/failed-logins.ts'
import { amountOf, minorUnit, smaller, textOf, unitsOf } from '../money/units.ts'
import { recordPayment } from '../payment-record.ts'
import { type OrderRow, orders } from '../rows.ts'
import { billingOf, factsOf, lacking, newInstrument, PaymentInstrument } from './instruments.ts'
import { pollLater, rescueLater } from './jobs.ts'
import { GIFT_CERTIFICATE, STORE_CREDIT } from './methods.ts'
import { type Due, dueOf, hindrance } from './payable.ts'
import {
  findPayment,
  type InstrumentFacts,
  type PaymentRow,
  type PaymentState,
  paymentOfRequest,
  settlePayment,
} from './settle.ts'

// The one request of shoppers (docs/contract/payments.md section 3): it takes a payment access token and no other.

const Body = t.Object(
  {
    payment: t.Object({
      instrument: PaymentInstrument,
      payment_method_id: t.String({ minLength: 1, maxLength: 255 }),
      save_instrument: t.Optional(t.Boolean()),
    }),
  },
  { title: 'NewPayment' },
)
type NewPayment = Static<typeof Body>['payment']

/** A refusal of a payment, with its code (docs/contract/payments.md section 4). */
class PaymentProblem extends Problem {
  readonly code: number

  constructor(status: number, code: number, title: string, errors: Record<string, string> = {}) {
    super(status, title, errors)
    this.code = code
  }
}

const refusal = (code: number, title: string, errors: Record<string, string> = {}) =>
  new PaymentProblem(STATUSES[code] ?? 422, code, title, errors)

/** Those that are not 422. */
const STATUSES: Readonly<Record<number, number>> = {
  [PAYMENT_CODES.temporary]: 503,
  [PAYMENT_CODES.orderNotFound]: 404,
  [PAYMENT_CODES.noToken]: 500,
  [PAYMENT_CODES.duplicate]: 409,
}

/** The code of a refusal that has none of its own. */
function codeOf(problem: Problem): number | undefined {
  if (problem instanceof PaymentProblem) return problem.code
  if (problem.status === 503) return PAYMENT_CODES.temporary
  return problem.status === 400 || problem.status === 422 ? PAYMENT_CODES.invalid : undefined
}

export interface ProcessParts extends TokenParts {
  secrets: TokenParts['secrets'] & Pick<Secrets, 'tokenHash'>
  directory: Directory
  gateways: Gateways
  failedLogins: FailedLogins
  requireHttps: boolean
  /** Where https leads to, if it is not the host that was asked for. */
  httpsBase: string | undefined
  /** Why no request is taken at the moment. */
  refusal(): Problem | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the shopper's token is for. */
    paymentToken: PaymentToken
    idempotencyKey: string | undefined
  }
}

type OfStore = FastifyRequest<{ Params: { store_hash: string } }>

/** `POST /stores/{store_hash}/payments`. */
export function processPaymentRoutes(server: FastifyInstance, parts: ProcessParts, grammar: Grammar) {
  const routes = async (api: Api) => {
    api.decorateRequest('db')
    api.decorateRequest('client')
    api.decorateRequest('paymentToken')
    api.decorateRequest('idempotencyKey')
    api.addHook('onRequest', async (request: OfStore, reply) => {
      reply.header('cache-control', 'no-store')
      const closed = parts.refusal()
      if (closed) throw closed
      if (parts.requireHttps && request.protocol === 'http') {
        return reply.redirect(`${parts.httpsBase ?? `https://${request.host}`}${request.url}`, 301)
      }
      takeOwnHeaders(request)
      await letIn(request, parts)
    })
    speakContract(api, {
      ...grammar,
      refusal(problem) {
        const code = codeOf(problem)
        const body = problemBody(problem, grammar.docsBase)
        return { status: problem.status, body: code === undefined ? body : { ...body, code } }
      },
    })
    api.post(
      '/',
      { schema: { summary: 'Process a payment', body: Body } },
      ({ db, paymentToken, idempotencyKey, body: { payment } }) =>
        processPayment(db, parts, paymentToken, payment, idempotencyKey),
    )
  }
  server.register(routes, { prefix: '/stores/:store_hash/payments' })
}

/**
 * Clients ask for a media type of their own, which is JSON. Their Idempotency-Key is ours to keep: the grammar would hold a transaction
 * while the gateway is asked.
 */
function takeOwnHeaders(request: FastifyRequest) {
  const { headers } = request
  if (/^application\/vnd\.[\w.-]+\+json$/i.test(headers.accept ?? '')) headers.accept = 'application/json'
  const key = headers['idempotency-key']
  request.idempotencyKey = key === undefined ? undefined : String(key)
  delete headers['idempotency-key']
}

/** @throws Problem 401 without a token of this store, 503 for a closed store, 429 past its payments */
async function letIn(request: OfStore, parts: ProcessParts) {
  const { store_hash } = request.params
  const token = await readToken(request.headers.authorization, store_hash, parts).catch((error: unknown) => {
    const isBarred = !parts.failedLogins.note(request.ip, performance.now())
    throw isBarred ? new Problem(429, 'Too many requests') : error
  })
  const store = await parts.directory.find(store_hash)
  const db = store && (await parts.directory.dbById(store.id))
  if (!db || db.store.id !== token.store_id) throw new Error('A token was issued for a store that is not there.')
  if (store.state !== 'active') {
    throw new Problem(503, 'The store is closed.', {}, { headers: { 'retry-after': '60' } })
  }
  await countPayment(db)
  request.db = db
  request.paymentToken = token
}

/** A payment that may be sent: the row that says so is stored. */
interface Planned {
  payment: PaymentRow
  attempt: PaymentAttempt
  customer: number
}

/** What a request has led to so far, or has to be done yet. */
type Plan = { kind: 'made'; answer: Answer } | { kind: 'send'; planned: Planned }

/**
 * Makes a payment that a shopper asks for (docs/contract/payments.md section 3). Whatever ends it in between, a job finds out what became of it.
 * @param db a store's database, not a transaction
 * @param key the `Idempotency-Key` of the request
 * @throws Problem with the codes of section 4
 */
export async function processPayment(
  db: Db,
  { gateways, secrets }: Pick<ProcessParts, 'gateways'> & { secrets: Pick<Secrets, 'tokenHash'> },
  token: PaymentToken,
  given: NewPayment,
  key: string | undefined,
): Promise<Answer> {
  refuseLacking(given)
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw refusal(PAYMENT_CODES.invalid, 'Idempotency-Key must have 1 to 255 printable ASCII characters.')
  }
  const request = key === undefined ? { key: '', hash: '' } : { key, hash: fingerprint(token, given, secrets) }
  const plan = await db.transaction((tx) => planPayment(tx, gateways, token, given, request))
  if (plan.kind === 'made') return plan.answer
  const { payment, attempt, customer } = plan.planned
  const result = await callGateway(db, gateways, attempt)
  const settled = await settlePayment(db, gateways, payment.id)
  if (settled.state === 'pending' || settled.state === 'review') await pollLater(db, payment.id)
  await refuseUnmade(db, settled, result)
  return answerTo(settled, attempt.saves ? await keep(db, customer, attempt.gateway, result.vaulted) : undefined)
}

function refuseLacking({ instrument }: NewPayment) {
  const fields = lacking(instrument)
  if (fields.length === 0) return
  const errors = fields.map((field) => [`payment.instrument.${field}`, 'error.path.missing'])
  throw refusal(PAYMENT_CODES.invalid, 'JSON data is missing or invalid', Object.fromEntries(errors))
}

/**
 * What a request asks for, without what it is paid with being readable. It is keyed: of a card number so few digits are not stored
 * elsewhere that a plain digest would tell them to whoever tries them all.
 */
const fingerprint = ({ jti }: PaymentToken, given: NewPayment, { tokenHash }: Pick<Secrets, 'tokenHash'>) =>
  tokenHash(`${jti} ${JSON.stringify(given)}`)

const KEPT_MS = 24 * 3_600_000

/** Looks whether a payment may be made, with its order locked, and writes down that it is about to be. */
async function planPayment(
  tx: Tx,
  gateways: Gateways,
  token: PaymentToken,
  given: NewPayment,
  request: { key: string; hash: string },
): Promise<Plan> {
  const order = await lock(tx, orders, token.order_id).catch((error: unknown) => {
    if (error instanceof Problem) throw orderNotFound(token)
    throw error
  })
  if (order.is_deleted) throw orderNotFound(token)
  const before = await madeBefore(tx, order.id, request)
  if (before) return { kind: 'made', answer: before }
  await useToken(tx, token)
  await refuseParallel(tx, order.id)
  const due = await dueOf(tx, order)
  const reason = hindrance(order, due)
  if (reason !== undefined) throw refusal(PAYMENT_CODES.wrongStatus, reason)
  if (due.money.amountMinor !== token.amount || due.money.currency !== token.currency) {
    throw refusal(PAYMENT_CODES.amountsDiffer, 'The order has changed since the token was made: ask for a new one.')
  }
  const { type } = given.instrument
  if (type === 'gift_certificate' || given.payment_method_id === GIFT_CERTIFICATE) throw noCertificate(given)
  if (type === 'store_credit' || given.payment_method_id === STORE_CREDIT) {
    return { kind: 'made', answer: await payByCredit(tx, order, due, token, given, request) }
  }
  const planned = await planCall(tx, gateways, order, due, token, given)
  const payment = await store(tx, { ...planned.payment, idempotency_key: request.key, request_hash: request.hash })
  await rescueLater(tx, payment.id)
  return { kind: 'send', planned: { ...planned, payment } }
}

const orderNotFound = ({ order_id }: PaymentToken) =>
  refusal(PAYMENT_CODES.orderNotFound, `The order ${order_id} does not exist.`)

/** There are none in this server, so no code is one. */
const noCertificate = ({ instrument }: NewPayment) =>
  refusal(PAYMENT_CODES.invalid, 'JSON data is missing or invalid', {
    'payment.instrument.gift_certificate_code': `There is no gift certificate ${instrument.gift_certificate_code ?? ''}.`,
  })

/** The answer to a request that was made before under the same Idempotency-Key. */
async function madeBefore(tx: Tx, order_id: number, { key, hash }: { key: string; hash: string }) {
  const since = new Date(tx.now.getTime() - KEPT_MS)
  const before = key === '' ? undefined : await paymentOfRequest(tx, order_id, key, since)
  if (!before) return undefined
  if (before.request_hash !== hash) {
    throw refusal(PAYMENT_CODES.invalid, 'This Idempotency-Key was used for another request: use a new key.')
  }
  if (before.state === 'open') throw stillRunning()
  const { body, status, headers } = answerTo(before)
  return new Answer(body, status, { ...headers, 'idempotent-replayed': 'true' })
}

const stillRunning = () =>
  refusal(PAYMENT_CODES.duplicate, 'A payment of this order is under way: wait for its outcome.')

/** One payment of an order at a time: how it ends decides what is left to pay. */
async function refuseParallel(tx: Tx, order_id: number) {
  const [open] = await tx.rows(
    sql`select id from payments where store_id = ${tx.store.id} and order_id = ${order_id} and state = 'open'`,
  )
  if (open) throw stillRunning()
}

async function store(tx: Tx, payment: Omit<PaymentRow, 'created_at'>): Promise<PaymentRow> {
  const { instrument, ...row } = payment
  await tx.rows(
    sql`insert into payments ${sql.rows([
      { store_id: tx.store.id, ...row, instrument: JSON.stringify(instrument), created_at: tx.now },
    ])}`,
  )
  const stored = await findPayment(tx, payment.id)
  if (!stored) throw new Error('A payment was not stored.')
  return stored
}

const newPayment = (
  order: OrderRow,
  { jti }: PaymentToken,
  given: NewPayment,
  instrument: InstrumentFacts,
  amount: number,
) => ({
  id: randomUUID(),
  order_id: order.id,
  jti,
  attempt_key: '',
  payment_method_id: given.payment_method_id,
  operation: 'purchase' as 'authorize' | 'purchase',
  amount,
  instrument,
  state: 'open' as PaymentState,
  transaction_id: null,
  idempotency_key: '',
  request_hash: '',
})

/** Pays with store credit, as much as there is: what it does not cover is paid by the next request. */
async function payByCredit(
  tx: Tx,
  order: OrderRow,
  due: Due,
  token: PaymentToken,
  given: NewPayment,
  request: { key: string; hash: string },
): Promise<Answer> {
  if (order.customer_id === 0) throw noCredit('A guest has no store credit.')
  if (order.currency_code !== order.default_currency_code) {
    throw noCredit(`Store credit pays orders in ${order.default_currency_code}.`)
  }
  const balance = await moveCredit(tx, order.customer_id, '0.0000', 'payment')
  // A balance has four places; what is smaller than the smallest unit of the currency stays, so that a card can pay the rest.
  const most = unitsOf(balance ?? 0)
  const paid = smaller(most - (most % minorUnit(order.currency_decimals)), due.units)
  if (paid <= 0n) throw noCredit('The customer has no store credit.')
  const left = await moveCredit(tx, order.customer_id, textOf(-paid), 'payment')
  const amount = amountOf(paid)
  await recordPayment(tx, order, 'paid without a gateway', {
    event: 'purchase',
    method: 'store_credit',
    amount,
    gateway: 'storecredit',
    payment_method_id: STORE_CREDIT,
    details: { store_credit: { remaining_balance: left ?? 0 } },
  })
  await spendTokens(tx, order.id)
  const payment = { ...newPayment(order, token, given, { method: 'store_credit' }, amount), state: 'approved' as const }
  return answerTo(await store(tx, { ...payment, idempotency_key: request.key, request_hash: request.hash }))
}

const noCredit = (reason: string) =>
  refusal(PAYMENT_CODES.invalid, 'JSON data is missing or invalid', { 'payment.instrument.type': reason })

/** What is to be sent to the gateway that the method names. */
async function planCall(
  tx: Tx,
  gateways: Gateways,
  order: OrderRow,
  due: Due,
  token: PaymentToken,
  given: NewPayment,
): Promise<Planned> {
  const provider = await providerOf(tx, gateways, order, given)
  const operation = provider.mode
  const { instrument, facts } = await instrumentOf(tx, order, provider, given)
  const saves = given.save_instrument === true && given.instrument.type === 'card'
  if (saves) await refuseNoVault(tx, gateways, order, provider)
  const payment = { ...newPayment(order, token, given, facts, due.amount), operation }
  const attempt: PaymentAttempt = {
    ...due.money,
    key: `${payment.id}:${operation}`,
    orderId: order.id,
    gateway: provider.gateway,
    channel_id: order.channel_id,
    operation,
    instrument,
    billing: billingOf(order),
    saves,
  }
  const row = { ...payment, attempt_key: attempt.key, created_at: '' }
  return { payment: row, attempt, customer: order.customer_id }
}

/** `testgateway.card` is the gateway testgateway. */
async function providerOf(tx: Tx, gateways: Gateways, order: OrderRow, { payment_method_id }: NewPayment) {
  const [, gateway] = /^([a-z0-9_]+)\.card$/.exec(payment_method_id) ?? []
  const place = { channel_id: order.channel_id, currency: order.currency_code }
  const provider = (await providersAt(tx, place)).find((one) => one.gateway === gateway)
  if (!provider || !gateways.takesCards(provider.gateway)) {
    throw refusal(
      PAYMENT_CODES.notConfigured,
      `The payment method ${payment_method_id} is not configured for this order.`,
    )
  }
  return provider
}

/** @throws Problem 422 for a stored instrument that the customer has not, or another gateway keeps */
async function instrumentOf(
  tx: Tx,
  order: OrderRow,
  { gateway }: Provider,
  { instrument: given }: NewPayment,
): Promise<{ instrument: Instrument; facts: InstrumentFacts }> {
  const { type, token, verification_value } = given
  if (type !== 'stored_card' && type !== 'stored_paypal_account' && type !== 'stored_bank_account') {
    return { instrument: newInstrument(given), facts: factsOf(given) }
  }
  const known = await instrumentsAt(tx, order.customer_id)
  const stored = known.find((one) => one.token === token && one.type === type && one.gateway === gateway)
  if (!stored) throw refusal(PAYMENT_CODES.notStored, "The order's customer has no such stored instrument.")
  const { reference, details } = stored
  const verification = verification_value === undefined ? {} : { verification_value }
  return { instrument: { type, reference, ...verification }, facts: factsOf(given, details) }
}

async function refuseNoVault(tx: Tx, gateways: Gateways, order: OrderRow, provider: Provider) {
  const { capabilities } = await gateways.open(tx, provider)
  if (order.customer_id > 0 && capabilities.storedInstruments.includes('stored_card')) return
  throw refusal(
    PAYMENT_CODES.noVault,
    'Cards can not be saved here: the method keeps none, or the order is of a guest.',
  )
}

const NOT_KEPT = 'The payment was made; the card could not be saved.'

/** Keeps a card that was paid with. The payment is made whatever comes of that. @returns a warning if it failed */
async function keep(db: Db, customer: number, gateway: string, card: VaultedCard | undefined) {
  if (!card) return NOT_KEPT
  try {
    await db.transaction((tx) => keepCard(tx, customer, gateway, card))
    return undefined
  } catch (error) {
    // The customer is gone, or has as many as one can have: nothing that the payment could be undone for.
    if (error instanceof Problem) return NOT_KEPT
    throw error
  }
}

/** @throws Problem with what the gateway said of a payment that it did not make */
async function refuseUnmade(db: Db, { attempt_key, state }: PaymentRow, result: GatewayResult) {
  if (state !== 'declined' && state !== 'failed') return
  const { code, message } = (await findAttempt(db, attempt_key)) ?? result
  throw refusal(code === 0 ? PAYMENT_CODES.issuerRefused : code, message)
}

function answerTo({ id, operation, state }: PaymentRow, warning?: string): Answer {
  if (state === 'open') {
    throw refusal(
      PAYMENT_CODES.temporary,
      'The gateway has not answered. Whether the payment was made will be asked for.',
    )
  }
  const data = {
    id,
    transaction_type: operation === 'purchase' ? 'purchase' : 'authorization',
    status: state === 'approved' ? 'success' : 'pending',
  }
  return new Answer({ data, meta: warning === undefined ? {} : { warning } }, 201)
}
