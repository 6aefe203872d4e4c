import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../../core/db/database.ts'
import { Problem, problemBody, toProblem } from '../../../core/rest/problem.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { recordCallback } from '../../payments/attempts.ts'
import type { GatewayEvent } from '../../payments/gateways/gateway.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { type Provider, providersOf } from '../../payments/providers.ts'
import { followRefund } from '../refunds/repayments.ts'
import { paymentOfAttempt } from '../transactions/payment-rows.ts'
import { followReturn } from '../transactions/returns.ts'
import { type Settled, settlePayment } from './settle.ts'

// Receives the callbacks of gateways (docs/contract/payments.md section 5). Only a callback with a valid signature is processed. It advances an
// attempt or changes nothing, so callbacks may repeat and arrive in any order.

const BODY_MAX = 1024 * 1024

/** A callback as it was received. */
export interface GatewayCallback {
  /** The id of the gateway in its path. */
  gateway: string
  headers: Readonly<Record<string, unknown>>
  body: Buffer
}

type Log = Pick<FastifyBaseLogger, 'warn'>

/**
 * Reads a callback and applies its events.
 * @param log gets a line for each payment that was approved after it had been given up
 * @throws Problem 404 for a gateway that the store does not have, 401 for a signature that is not the gateway's
 */
export async function receiveCallback(
  db: Db,
  gateways: Gateways,
  { gateway: id, headers, body }: GatewayCallback,
  log: Log,
) {
  const providers = (await providersOf(db)).filter(({ gateway }) => gateway === id)
  if (providers.length === 0) throw new Problem(404, 'There is nothing at this path.')
  const read = { headers, body }
  for (const event of await eventsOf(db, gateways, gateways.accountsAmong(providers), read)) {
    const key = await recordCallback(db, id, event)
    if (key === undefined) continue
    const payment = await paymentOfAttempt(db, key)
    if (payment) reportLate(db, log, await settlePayment(db, gateways, payment.id))
    else {
      await followRefund(db, key)
      await followReturn(db, key)
    }
  }
}

/**
 * Reads a callback with each account of the store at the gateway until its signature matches one.
 * @throws Problem 401; Error if no signature is right and an account can't be opened
 */
async function eventsOf(
  db: Db,
  gateways: Gateways,
  accounts: readonly Provider[],
  { headers, body }: { headers: Readonly<Record<string, unknown>>; body: Buffer },
): Promise<readonly GatewayEvent[]> {
  let fault: unknown
  for (const account of accounts) {
    const gateway = await gateways.open(db, account).catch((error: unknown) => {
      fault = error
    })
    const events = await gateway?.parseCallback(headers, body)
    if (events) return events
  }
  throw fault ?? new Problem(401, 'The signature is not that of the gateway.')
}

function reportLate({ store }: Db, log: Log, { payment, isLate }: Settled) {
  if (!isLate) return
  const { id, order_id, amount, state } = payment
  log.warn(
    { store: store.id, order: order_id, payment: id, amount, state },
    state === 'returning'
      ? 'a payment was made after it had been given up: its order does not need it, so it is returned'
      : 'a payment was made after it had been given up: it was recorded and its order settled',
  )
}

interface CallbackParts {
  directory: Directory
  gateways: Gateways
}

type OfCallback = FastifyRequest<{ Params: { gateway: string; store_hash: string } }>

/** Keeps bodies as bytes, because signatures cover those, and answers errors as problems. */
export function speakCallbacks(server: FastifyInstance, docsBase: string) {
  server.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error)
    if (problem.status >= 500 && !(error instanceof Problem))
      request.log.error({ err: error, request_id: request.id }, 'request failed')
    return reply.status(problem.status).headers(problem.headers).send(problemBody(problem, docsBase))
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
    server.bodies.read(request, payload, { max: BODY_MAX, parse: (bytes) => bytes }),
  )
}

/** The path of callbacks: `/gateways/{id}/callbacks/{store_hash}`. */
export function callbackRoutes(server: FastifyInstance, { directory, gateways }: CallbackParts) {
  server.post('/:gateway/callbacks/:store_hash', async (request: OfCallback, reply) => {
    const { params, headers, body } = request
    const store = await directory.find(params.store_hash)
    const db = store && (await directory.dbById(store.id))
    if (!db) throw new Problem(404, 'There is nothing at this path.')
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    await receiveCallback(db, gateways, { gateway: params.gateway, headers, body: bytes }, request.log)
    return reply.send({})
  })
}
