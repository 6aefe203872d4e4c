import type { FastifyRequest } from 'fastify'
import t from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import type { Answer } from '../../../core/rest/answer.ts'
import type { Api, Grammar } from '../../../core/rest/api.ts'
import { SMALL_BODY_MAX } from '../../../core/rest/bodies/bodies.ts'
import { keyFault } from '../../../core/rest/idempotency.ts'
import { Problem, problemBody } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import type { FailedLogins } from '../../../stores/quotas/failed-logins.ts'
import { callGateway, findAttempt } from '../../payments/attempts.ts'
import { type GatewayResult, PAYMENT_CODES, type VaultedCard } from '../../payments/gateways/gateway.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { countPayment, noToken, type PaymentToken, readPaymentToken, type TokenParts } from '../../payments/tokens.ts'
import { storeCard } from '../../payments/vault.ts'
import type { PaymentRow } from '../transactions/payment-rows.ts'
import { missingFields, PaymentInstrument } from './instruments/instruments.ts'
import { pollLater } from './jobs.ts'
import { type NewPayment, paymentAnswer, planPayment } from './plan.ts'
import { codeOf, paymentProblem } from './refusals.ts'
import { settlePayment } from './settle.ts'

// The request of shoppers (docs/contract/payments.md section 3). It accepts payment access tokens only.

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

export interface ProcessParts extends TokenParts {
  secrets: TokenParts['secrets'] & Pick<Secrets, 'tokenHash'>
  directory: Directory
  gateways: Gateways
  failedLogins: FailedLogins
  requireHttps: boolean
  /** The base of https addresses, if it differs from the host of the request. */
  httpsBase: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The payment access token of the request. */
    paymentToken: PaymentToken
    idempotencyKey: string | undefined
  }
}

type OfStore = FastifyRequest<{ Params: { store_hash: string } }>

/** Admits requests with a payment access token of the store in their path. */
export function guardPayments(api: Api, parts: ProcessParts) {
  api.decorateRequest('db')
  api.decorateRequest('client')
  api.decorateRequest('paymentToken')
  api.decorateRequest('idempotencyKey')
  api.addHook('onRequest', async (request: OfStore, reply) => {
    reply.header('cache-control', 'no-store')
    if (parts.requireHttps && request.protocol === 'http') {
      return reply.redirect(`${parts.httpsBase ?? `https://${request.host}`}${request.url}`, 301)
    }
    adaptHeaders(request)
    await admit(request, parts)
  })
}

/** Returns the function that shapes the errors of payments: problems with the code of docs/contract/payments.md section 4. */
export const paymentRefusal =
  (docsBase: string): NonNullable<Grammar['refusal']> =>
  (problem) => {
    const code = codeOf(problem)
    const body = problemBody(problem, docsBase)
    return { status: problem.status, body: code === undefined ? body : { ...body, code } }
  }

/** `POST /stores/{store_hash}/payments`. */
export function processPaymentRoutes(api: Api, parts: ProcessParts) {
  api.post(
    '/',
    { config: { bodyMax: SMALL_BODY_MAX }, schema: { summary: 'Process a payment', body: Body } },
    ({ db, paymentToken, idempotencyKey, body: { payment } }) =>
      processPayment(db, parts, { token: paymentToken, input: payment, key: idempotencyKey }),
  )
}

/**
 * Accepts the media type of payment clients, which is JSON, and removes the Idempotency-Key: the grammar would keep a transaction open
 * during the call of the gateway.
 */
function adaptHeaders(request: FastifyRequest) {
  const { headers } = request
  if (/^application\/vnd\.[\w.-]+\+json$/i.test(headers.accept ?? '')) headers.accept = 'application/json'
  const key = headers['idempotency-key']
  request.idempotencyKey = key === undefined ? undefined : String(key)
  delete headers['idempotency-key']
}

/** @throws Problem 401 without a token of this store, 503 for a closed store, 429 past its payments */
async function admit(request: OfStore, parts: ProcessParts) {
  const { store_hash } = request.params
  const found = async () => {
    const store = await parts.directory.find(store_hash)
    const db = store && (await parts.directory.dbById(store.id))
    return { store, db }
  }
  const nowOf = async () => (await found()).db?.now ?? parts.clock.now()
  const { authorization } = request.headers
  const token = await readPaymentToken(authorization, { hash: store_hash, nowOf }, parts).catch((error: unknown) => {
    const isBarred = !parts.failedLogins.record(request.ip, performance.now())
    throw isBarred ? new Problem(429, 'Too many requests') : error
  })
  const { store, db } = await found()
  // The store was deleted after the token was issued.
  if (!store || !db || db.store.id !== token.store_id) throw noToken()
  if (store.state !== 'active') {
    throw new Problem(503, 'The store is closed.', {}, { headers: { 'retry-after': '60' } })
  }
  await countPayment(db)
  request.db = db
  request.paymentToken = token
}

/**
 * Makes a payment for a shopper (docs/contract/payments.md section 3). If the process dies during the call, a job looks up the outcome.
 * `key` is the `Idempotency-Key`.
 * @param db a store's database, not a transaction
 * @throws Problem with the codes of section 4
 */
export async function processPayment(
  db: Db,
  { gateways, secrets }: Pick<ProcessParts, 'gateways'> & { secrets: Pick<Secrets, 'tokenHash'> },
  { token, input, key }: { token: PaymentToken; input: NewPayment; key?: string | undefined },
): Promise<Answer> {
  refuseIncomplete(input)
  const fault = key === undefined ? undefined : keyFault(key)
  if (fault !== undefined) throw paymentProblem(PAYMENT_CODES.invalid, fault)
  const idempotency = key === undefined ? { key: '', hash: '' } : { key, hash: fingerprint(token, input, secrets) }
  const plan = await db.transaction((tx) => planPayment(tx, gateways, { token, input, ...idempotency }))
  if (plan.kind === 'answer') return plan.answer
  const { payment, attempt, customer } = plan
  const result = await callGateway(db, gateways, attempt)
  const { payment: settled } = await settlePayment(db, gateways, payment.id)
  if (settled.state === 'pending' || settled.state === 'review') await pollLater(db, payment.id)
  await refuseUnmade(db, settled, result)
  return paymentAnswer(
    settled,
    attempt.saves ? await saveCard(db, customer, attempt.gateway, result.vaulted) : undefined,
  )
}

function refuseIncomplete({ instrument }: NewPayment) {
  const fields = missingFields(instrument)
  if (fields.length === 0) return
  const errors = fields.map((field) => [`payment.instrument.${field}`, 'error.path.missing'])
  throw paymentProblem(PAYMENT_CODES.invalid, 'JSON data is missing or invalid', Object.fromEntries(errors))
}

/**
 * A digest of a request, with a key of this installation: from a plain digest the number of a card could be guessed, since most of its
 * digits are stored elsewhere.
 */
const fingerprint = ({ jti }: PaymentToken, input: NewPayment, { tokenHash }: Pick<Secrets, 'tokenHash'>) =>
  tokenHash(`${jti} ${JSON.stringify(input)}`)

const NOT_SAVED = 'The payment was made; the card could not be saved.'

/** Saves the card of a payment. A failure does not affect the payment. @returns a warning after a failure */
async function saveCard(db: Db, customer: number, gateway: string, card: VaultedCard | undefined) {
  if (!card) return NOT_SAVED
  try {
    await db.transaction((tx) => storeCard(tx, customer, gateway, card))
    return undefined
  } catch (error) {
    // The customer was deleted or has too many cards. Neither is a reason to undo the payment.
    if (error instanceof Problem) return NOT_SAVED
    throw error
  }
}

const TOO_LATE = 'The order no longer needs this payment: it is returned.'

/** @throws Problem with the code and message of the gateway if it did not make the payment */
async function refuseUnmade(db: Db, { attempt_key, state }: PaymentRow, result: GatewayResult) {
  if (state === 'returning' || state === 'returned') throw paymentProblem(PAYMENT_CODES.wrongStatus, TOO_LATE)
  if (state !== 'declined' && state !== 'failed') return
  const { code, message } = (await findAttempt(db, attempt_key)) ?? result
  throw paymentProblem(code === 0 ? PAYMENT_CODES.issuerRefused : code, message)
}
