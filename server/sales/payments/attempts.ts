import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import {
  declined,
  type Gateway,
  type GatewayEvent,
  type GatewayOutcome,
  type GatewayResult,
  type Instrument,
  type Money,
  type Operation,
  PAYMENT_CODES,
  type PayerAddress,
  refused,
  unavailable,
} from './gateways/gateway.ts'
import type { Gateways } from './gateways.ts'
import { type PaymentPlace, providerAt } from './providers.ts'

// Every call that moves money is an attempt: a row that is there before anything is sent, under the key that the gateway gets
// (docs/contract/payments.md section 5). Whatever a process forgets when it dies, the row and the gateway still know.

/** The longest that a gateway may take. */
const CALL_MS = 25_000

/** What is asked of a gateway, whatever the operation. */
interface GatewayRequest extends Money, PaymentPlace {
  /** `{txn_id}:{operation}`: made and stored before the first call, and the same in every later one. At most 200 characters. */
  key: string
  orderId: number
  /** The id of the gateway, such as `testgateway`. */
  gateway: string
}

/** A payment. What it is paid with is not stored. */
export interface PaymentAttempt extends GatewayRequest {
  operation: 'authorize' | 'purchase'
  instrument: Instrument
  billing: PayerAddress
  /** Whether the gateway should keep the instrument for the customer. */
  saves: boolean
}

/** What follows on a payment. */
export interface FollowUpAttempt extends GatewayRequest {
  operation: 'capture' | 'void' | 'refund'
  /** The gateway's id of what is captured, voided or refunded. */
  reference: string
  /** Why a refund is made; else empty. */
  reason: string
}

export type GatewayAttempt = PaymentAttempt | FollowUpAttempt

/** An attempt as it is stored. */
export interface AttemptRow {
  key: string
  order_id: number
  operation: Operation
  gateway: string
  channel_id: number
  amount_minor: number
  currency: string
  decimals: number
  reference: string
  /** Null while nobody knows what became of it. */
  outcome: GatewayOutcome | null
  gateway_transaction_id: string
  code: number
  message: string
  checks: Pick<GatewayResult, 'avs' | 'cvv'>
  is_retryable: boolean
}

/**
 * Asks a gateway for something and tells what came of it. It may be called again with the same attempt, by any process and at any time,
 * and moves the money once: an attempt that has ended gives its result again; one whose outcome is unknown, or pending, is asked for
 * before anything is sent; one that certainly did nothing (`error`, retryable) is sent again under the same key.
 *
 * Call it outside of transactions: it waits for the network, up to twice `CALL_MS`. What the result means for the order is the caller's
 * to store, in a transaction of its own, after looking whether that was done.
 *
 * @param db a store's database, not a transaction
 * @param signal ends the call early, such as the one of a job
 * @returns `error` and retryable if the outcome is unknown still: call again later
 */
export async function callGateway(
  db: Db,
  gateways: Gateways,
  attempt: GatewayAttempt,
  signal: AbortSignal = new AbortController().signal,
): Promise<GatewayResult> {
  const before = await db.transaction((tx) => record(tx, attempt))
  if (before && isFinal(before)) return resultOf(before)
  const gateway = await openFor(db, gateways, attempt)
  const mustAsk = before !== undefined && before.outcome !== 'error'
  // Without its gateway nobody can say what became of an attempt that was sent; any other one has done nothing.
  if ('outcome' in gateway && mustAsk) return unknownYet()
  const result =
    'outcome' in gateway ? gateway : await askOrSend(gateway, attempt, mustAsk ? before : undefined, signal)
  if (result === 'unknown') return unknownYet()
  await db.transaction((tx) => settleAttempt(tx, attempt.key, result))
  return result
}

/** The gateway of an attempt, or why there is none. */
async function openFor(db: Db, gateways: Gateways, attempt: GatewayAttempt): Promise<Gateway | GatewayResult> {
  const provider = await providerAt(db, attempt.gateway, attempt)
  if (!provider) {
    return refused(PAYMENT_CODES.notConfigured, `The provider ${attempt.gateway} is not configured for this order.`)
  }
  try {
    return await gateways.open(db, provider)
  } catch (error) {
    return refused(PAYMENT_CODES.misconfigured, error instanceof Error ? error.message : String(error))
  }
}

/** @param before an attempt that was sent, and must be asked for first */
async function askOrSend(
  gateway: Gateway,
  attempt: GatewayAttempt,
  before: AttemptRow | undefined,
  signal: AbortSignal,
) {
  const known = before && (await ask(gateway, before, signal))
  return known ?? send(gateway, attempt, signal)
}

const unknownYet = () => unavailable('The gateway has not told what became of this.')

/** Whether nothing more can come of an attempt. */
const isFinal = ({ outcome, is_retryable }: AttemptRow) =>
  outcome === 'approved' || outcome === 'declined' || (outcome === 'error' && !is_retryable)

const resultOf = (row: AttemptRow): GatewayResult => ({
  outcome: row.outcome ?? 'error',
  gatewayTransactionId: row.gateway_transaction_id,
  code: row.code,
  message: row.message,
  retryable: row.is_retryable,
  ...row.checks,
})

/** Stores an attempt that is about to be sent. @returns how it stood, if it was there before */
async function record(tx: Tx, attempt: GatewayAttempt): Promise<AttemptRow | undefined> {
  const [isNew] = await tx.rows(
    prepared(sql`
      insert into payment_attempts (store_id, key, order_id, operation, gateway, channel_id, amount_minor, currency, decimals,
        reference, outcome, gateway_transaction_id, code, message, checks, is_retryable, sends, created_at, updated_at)
      values (${tx.store.id}, ${attempt.key}, ${attempt.orderId}, ${attempt.operation}, ${attempt.gateway}, ${attempt.channel_id},
        ${attempt.amountMinor}, ${attempt.currency}, ${attempt.decimals}, ${'reference' in attempt ? attempt.reference : ''}, null, '',
        0, '', '{}', false, 1, ${tx.now}, ${tx.now})
      on conflict (store_id, key) do nothing returning key`),
  )
  if (isNew) return undefined
  const [before] = await tx.rows<AttemptRow>(sql`${attempts(tx, sql`key = ${attempt.key}`)} for update`)
  // Sent again: from here on nobody knows what becomes of it.
  if (before?.outcome === 'error' && before.is_retryable) {
    await tx.rows(sql`
      update payment_attempts set outcome = null, is_retryable = false, sends = sends + 1, updated_at = ${tx.now}
      where store_id = ${tx.store.id} and key = ${attempt.key} returning key`)
  }
  return before
}

const attempts = (db: Db, which: Sql) => sql`
  select key, order_id, operation, gateway, channel_id, amount_minor, currency, decimals, reference, outcome, gateway_transaction_id,
    code, message, checks, is_retryable
  from payment_attempts where store_id = ${db.store.id} and ${which}`

/** One attempt. */
export const findAttempt = (db: Db, key: string): Promise<AttemptRow | undefined> =>
  db.maybeRow<AttemptRow>(attempts(db, sql`key = ${key}`))

/** The attempt that a gateway speaks of. */
const attemptOfEvent = (db: Db, gateway: string, { idempotencyKey, gatewayTransactionId }: GatewayEvent) =>
  db.maybeRow<AttemptRow>(
    attempts(
      db,
      idempotencyKey === undefined
        ? sql`gateway = ${gateway} and gateway_transaction_id = ${gatewayTransactionId}`
        : sql`gateway = ${gateway} and key = ${idempotencyKey}`,
    ),
  )

/**
 * Stores what became of an attempt. An attempt that has ended stays as it is, so a pending answer that comes late changes nothing. There
 * are two exceptions: a refund may fail after it was approved, when a bank sends the money back; and a payment that was given up or
 * declined may be approved after all, since the gateway knows whether it took the money.
 * @returns whether this ended it
 */
async function settleAttempt(tx: Tx, key: string, result: GatewayResult): Promise<boolean> {
  const { outcome, gatewayTransactionId, code, message, retryable, avs, cvv } = result
  const checks = JSON.stringify({ ...(avs ? { avs } : {}), ...(cvv ? { cvv } : {}) })
  const changed = await tx.rows(sql`
    update payment_attempts set outcome = ${outcome}, gateway_transaction_id = ${gatewayTransactionId}, code = ${code},
      message = ${message}, checks = ${checks}::jsonb, is_retryable = ${retryable}, updated_at = ${tx.now}
    where store_id = ${tx.store.id} and key = ${key}
      and (outcome is null or outcome = 'pending' or (outcome = 'review' and ${outcome} <> 'pending')
        or (outcome = 'error' and is_retryable)
        or (outcome = 'approved' and operation = 'refund' and ${outcome} = 'declined')
        or (outcome in ('error', 'declined') and operation in ('authorize', 'purchase') and ${outcome} = 'approved'))
    returning key`)
  return changed.length > 0 && outcome !== 'pending' && outcome !== 'review'
}

/** Sends an attempt. Without an answer in time the gateway is asked what became of it, once. */
async function send(
  gateway: Gateway,
  attempt: GatewayAttempt,
  signal: AbortSignal,
): Promise<GatewayResult | 'unknown'> {
  const call = {
    ...attempt,
    idempotencyKey: attempt.key,
    signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
  }
  try {
    return await inTime(
      call.signal,
      'instrument' in call ? gateway[call.operation](call) : gateway[call.operation](call),
    )
  } catch {
    const row = { key: attempt.key, operation: attempt.operation, gateway_transaction_id: '' }
    const told = await ask(gateway, { ...row, reference: 'reference' in attempt ? attempt.reference : '' }, signal)
    // It may be on its way still, although the gateway has not heard of it.
    return told ?? 'unknown'
  }
}

/** @returns undefined if the gateway never heard of it */
async function ask(
  gateway: Gateway,
  row: Pick<AttemptRow, 'key' | 'operation' | 'reference' | 'gateway_transaction_id'>,
  signal: AbortSignal,
): Promise<GatewayResult | 'unknown' | undefined> {
  const query = {
    idempotencyKey: row.key,
    gatewayTransactionId: row.gateway_transaction_id,
    operation: row.operation,
    reference: row.reference,
    signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]),
  }
  return inTime(query.signal, gateway.fetchStatus(query)).catch(() => 'unknown' as const)
}

/** An adapter that forgets the signal must not hold its caller. */
function inTime<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, late])
}

/**
 * Asks the gateway what became of an attempt that has not ended. Nothing is sent again.
 * @returns the attempt as it stands now; undefined if there is none
 */
export async function askGateway(db: Db, gateways: Gateways, key: string, signal: AbortSignal) {
  const row = await findAttempt(db, key)
  if (!row || isFinal(row)) return row
  const provider = await providerAt(db, row.gateway, row)
  if (!provider) return row
  const told = await ask(await gateways.open(db, provider), row, signal)
  if (told === 'unknown') return row
  // What the gateway never heard of in all this time never reached it.
  const result = told ?? refused(PAYMENT_CODES.temporary, 'The payment did not reach the gateway.')
  await db.transaction((tx) => settleAttempt(tx, key, result))
  return findAttempt(db, key)
}

/**
 * Ends an attempt that was not even recorded, so that whoever was about to send it does not any more. What is recorded stays as it is.
 */
export const forbidAttempt = (
  db: Db,
  { key, order_id, operation }: Pick<AttemptRow, 'key' | 'order_id' | 'operation'>,
) =>
  db.transaction((tx) =>
    tx.rows(sql`
      insert into payment_attempts (store_id, key, order_id, operation, gateway, channel_id, amount_minor, currency, decimals,
        reference, outcome, gateway_transaction_id, code, message, checks, is_retryable, sends, created_at, updated_at)
      values (${tx.store.id}, ${key}, ${order_id}, ${operation}, '', 0, 0, '', 0, '', 'error', '', ${PAYMENT_CODES.temporary},
        'It was never sent.', '{}', false, 0, ${tx.now}, ${tx.now})
      on conflict (store_id, key) do nothing returning key`),
  )

/** Ends an attempt that its gateway has said nothing of for too long. */
export const giveUpAttempt = (db: Db, key: string) =>
  db.transaction((tx) =>
    settleAttempt(tx, key, declined(PAYMENT_CODES.temporary, 'The gateway has not decided in 7 days.')),
  )

const CALLBACKS_KEPT_MS = 30 * 86_400_000
const FORGOTTEN_AT_ONCE = 10

/**
 * Stores what a gateway told unasked, once for each event. It may come before the answer to the call itself.
 * @returns the key of the attempt that it is about; undefined if there is none
 */
export function recordCallback(db: Db, gateway: string, event: GatewayEvent): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const attempt = await attemptOfEvent(tx, gateway, event)
    if (!attempt) return undefined
    const row = { store_id: tx.store.id, gateway, event_id: event.eventId, received_at: tx.now }
    const [isNew] = await tx.rows(
      sql`insert into payment_callbacks ${sql.rows([row])} on conflict do nothing returning event_id`,
    )
    // Who heard it first may have died before anything came of it.
    if (!isNew) return attempt.key
    await settleAttempt(tx, attempt.key, { ...event, retryable: false })
    await tx.rows(sql`
      delete from payment_callbacks where store_id = ${tx.store.id} and event_id in (
        select event_id from payment_callbacks
        where store_id = ${tx.store.id} and received_at <= ${new Date(tx.now.getTime() - CALLBACKS_KEPT_MS)}
        order by received_at limit ${FORGOTTEN_AT_ONCE} for update skip locked)`)
    return attempt.key
  })
}
