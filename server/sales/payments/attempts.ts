import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { sweep } from '../../core/db/steps.ts'
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

// Every call that moves money is an attempt: a row that is stored before the call, with the key that the gateway gets
// (docs/contract/payments.md section 5). If the process dies, the row and the gateway still have the attempt.

/** The longest time that a gateway may take. */
const CALL_MS = 25_000

/** The fields that all calls of gateways have. */
interface GatewayRequest extends Money, PaymentPlace {
  /** `{txn_id}:{operation}`: stored before the first call, and the same in every later one. At most 200 characters. */
  key: string
  orderId: number
  /** The id of the gateway, such as `testgateway`. */
  gateway: string
}

/** A payment. Its instrument is not stored. */
export interface PaymentAttempt extends GatewayRequest {
  operation: 'authorize' | 'purchase'
  instrument: Instrument
  billing: PayerAddress
  /** Whether the gateway should store the instrument for the customer. */
  saves: boolean
}

/** A call that follows a payment. */
export interface FollowUpAttempt extends GatewayRequest {
  operation: 'capture' | 'void' | 'refund'
  /** The gateway's id of the transaction that is captured, voided or refunded. */
  reference: string
  /** The reason of a refund; else empty. */
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
  /** Null while the outcome is unknown. */
  outcome: GatewayOutcome | null
  gateway_transaction_id: string
  code: number
  message: string
  checks: Pick<GatewayResult, 'avs' | 'cvv'>
  is_retryable: boolean
}

/**
 * Calls a gateway and returns the result. It may be called again with the same attempt, by any process and at any time, and moves the
 * money once: an attempt that has ended returns its result again; one with an unknown or pending outcome is looked up at the gateway before
 * anything is sent; one that certainly had no effect (`error`, retryable) is sent again with the same key.
 *
 * Call it outside of transactions: it waits for the network, up to twice `CALL_MS`. The caller stores the effect on the order in a
 * transaction of its own, after checking that it is not stored yet.
 *
 * @param db a store's database, not a transaction
 * @param signal ends the call early, for example that of a job
 * @returns `error` and retryable if the outcome is still unknown: call again later
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
  const mustLookUp = before !== undefined && before.outcome !== 'error'
  // Without its gateway, the outcome of an attempt that was sent is unknown. Any other attempt had no effect.
  if ('outcome' in gateway && mustLookUp) return unknownYet()
  const result =
    'outcome' in gateway ? gateway : await lookUpOrSend(gateway, attempt, mustLookUp ? before : undefined, signal)
  if (result === 'unknown') return unknownYet()
  await db.transaction((tx) => settleAttempt(tx, attempt.key, result))
  return result
}

/** The gateway of an attempt, or a refusal with the reason why there is none. */
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

/** @param before an attempt that was sent, whose outcome is looked up first */
async function lookUpOrSend(
  gateway: Gateway,
  attempt: GatewayAttempt,
  before: AttemptRow | undefined,
  signal: AbortSignal,
) {
  const result = before && (await lookUp(gateway, before, signal))
  return result ?? send(gateway, attempt, signal)
}

const unknownYet = () => unavailable('The gateway has not reported the outcome.')

/** Whether an attempt has ended. */
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

/** Stores an attempt that is about to be sent. @returns the attempt as it was, if it was stored before */
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
  // It is sent again, so its outcome is unknown from now on.
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

export const findAttempt = (db: Db, key: string): Promise<AttemptRow | undefined> =>
  db.maybeRow<AttemptRow>(attempts(db, sql`key = ${key}`))

/** The attempt of an event. */
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
 * Stores the outcome of an attempt. An attempt that has ended does not change, so a late pending answer has no effect. There are two
 * exceptions: a refund can fail after it was approved, when a bank returns the money; and a payment that was given up or declined can be
 * approved later, since the gateway knows whether it took the money.
 * @returns whether the attempt has ended with it
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

/** Sends an attempt. Without an answer in time its outcome is looked up once. */
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
    const found = await lookUp(gateway, { ...row, reference: 'reference' in attempt ? attempt.reference : '' }, signal)
    // The request may still arrive, although the gateway doesn't know it yet.
    return found ?? 'unknown'
  }
}

/** @returns undefined if the gateway doesn't know the attempt */
async function lookUp(
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

/** Ends the wait for an adapter that ignores its signal. */
function inTime<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, late])
}

/**
 * Looks up the outcome of an attempt that has not ended. Nothing is sent again.
 * @returns the attempt as it is then; undefined for an unknown one
 */
export async function askGateway(db: Db, gateways: Gateways, key: string, signal: AbortSignal) {
  const row = await findAttempt(db, key)
  if (!row || isFinal(row)) return row
  const provider = await providerAt(db, row.gateway, row)
  if (!provider) return row
  const found = await lookUp(await gateways.open(db, provider), row, signal)
  if (found === 'unknown') return row
  // An attempt that the gateway doesn't know by now never reached it.
  const result = found ?? refused(PAYMENT_CODES.temporary, 'The payment did not reach the gateway.')
  await db.transaction((tx) => settleAttempt(tx, key, result))
  return findAttempt(db, key)
}

/**
 * Ends an attempt that was not recorded, so that no process can send it later. A recorded attempt does not change.
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

/** Ends an attempt that its gateway has not decided in time. */
export const giveUpAttempt = (db: Db, key: string) =>
  db.transaction((tx) =>
    settleAttempt(tx, key, declined(PAYMENT_CODES.temporary, 'The gateway has not decided in 7 days.')),
  )

const CALLBACKS_KEPT_MS = 30 * 86_400_000

/**
 * Stores an event of a gateway once. It may arrive before the answer to the call itself.
 * @returns the key of its attempt; undefined for an unknown attempt
 */
export function recordCallback(db: Db, gateway: string, event: GatewayEvent): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const attempt = await attemptOfEvent(tx, gateway, event)
    if (!attempt) return undefined
    const row = { store_id: tx.store.id, gateway, event_id: event.eventId, received_at: tx.now }
    const [isNew] = await tx.rows(
      sql`insert into payment_callbacks ${sql.rows([row])} on conflict do nothing returning event_id`,
    )
    // The process that received it first may have died before the payment was settled.
    if (!isNew) return attempt.key
    await settleAttempt(tx, attempt.key, { ...event, retryable: false })
    const until = new Date(tx.now.getTime() - CALLBACKS_KEPT_MS)
    await sweep(tx, { table: 'payment_callbacks', key: ['gateway', 'event_id'], moment: 'received_at', until })
    return attempt.key
  })
}
