import type { Db } from '../../../core/db/database.ts'
import { failed, type Outcome, tryAgain } from '../../../core/jobs/task.ts'
import { findAttempt } from '../../payments/attempts.ts'
import type { GatewayResult } from '../../payments/gateways/gateway.ts'

// The times at which jobs call a gateway again (docs/contract/order-payments.md section 4).

/** Delays in seconds between attempts at a call that certainly had no effect. */
const DELAYS = [10, 60, 300, 900]
const ATTEMPTS_MAX = DELAYS.length + 1
/** A call with an unknown outcome is looked up once an hour for seven days. */
const HOUR_S = 3_600
const ASKED_HOURS = 7 * 24

/** Returns the delay in ms before the next attempt; undefined after the last. Pure. @param failures attempts so far, at least 1 */
export function gatewayRetryDelay(failures: number): number | undefined {
  if (failures >= ATTEMPTS_MAX + ASKED_HOURS) return undefined
  return (DELAYS[failures - 1] ?? HOUR_S) * 1_000
}

/**
 * Returns an outcome that repeats the job, or undefined if the result is final. A call that certainly had no effect fails after the
 * last attempt. A call with an unknown outcome is looked up until the task gives up.
 */
export async function retryOutcome(
  db: Db,
  key: string,
  result: GatewayResult,
  attempt: number,
): Promise<Outcome | undefined> {
  const { outcome, retryable, message } = result
  const mayWait = (await isUnknown(db, key, result))
    ? gatewayRetryDelay(attempt) !== undefined
    : retryable && attempt < ATTEMPTS_MAX
  return mayWait ? tryAgain(message || `The gateway answered: ${outcome}.`) : undefined
}

/**
 * Does the same for refunds. An outcome that is unknown after the last attempt fails the job and leaves the refund to the operator, since
 * a late refund is better than a second one.
 */
export async function refundRetryOutcome(
  db: Db,
  key: string,
  result: GatewayResult,
  attempt: number,
): Promise<Outcome | undefined> {
  const wait = await retryOutcome(db, key, result, attempt)
  if (wait) return wait
  return (await isUnknown(db, key, result)) ? failed(UNKNOWN) : undefined
}

const UNKNOWN = 'The gateway has not reported the outcome of this refund within seven days.'

const isUnknown = async (db: Db, key: string, { outcome, retryable }: GatewayResult): Promise<boolean> =>
  outcome === 'pending' || outcome === 'review' || (retryable && (await findAttempt(db, key))?.outcome === null)
