import type { Db } from '../../../core/db/database.ts'
import { failed, type Outcome, tryAgain } from '../../../core/jobs/task.ts'
import { findAttempt } from '../../payments/attempts.ts'
import type { GatewayResult } from '../../payments/gateways/gateway.ts'

// When jobs call a gateway again (docs/contract/order-payments.md section 4).

/** Attempts at what certainly has not happened; their delays in seconds (docs/contract/order-payments.md section 4). */
const DELAYS = [10, 60, 300, 900]
const ATTEMPTS_MAX = DELAYS.length + 1
/** Calls with an unknown outcome are asked about once an hour, for seven days. */
const HOUR_S = 3_600
const ASKED_HOURS = 7 * 24

/** When a gateway is asked again. Pure. @param failures attempts so far, at least 1 */
export function gatewayRetryDelay(failures: number): number | undefined {
  if (failures >= ATTEMPTS_MAX + ASKED_HOURS) return undefined
  return (DELAYS[failures - 1] ?? HOUR_S) * 1_000
}

/**
 * Why the gateway has to be asked again; undefined if what it said is the end. After the last attempt what certainly has not happened has
 * failed, and what nobody knows is asked for until the task gives up.
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
  return mayWait ? tryAgain(message || `The gateway says: ${outcome}.`) : undefined
}

/**
 * The same for calls that give money back. An outcome that is still unknown after the last attempt is never assumed: money that is given
 * back twice is worse than money that is given back late, so the rest is left to the operator.
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

const UNKNOWN = 'The gateway has not told within seven days what became of this refund.'

const isUnknown = async (db: Db, key: string, { outcome, retryable }: GatewayResult): Promise<boolean> =>
  outcome === 'pending' || outcome === 'review' || (retryable && (await findAttempt(db, key))?.outcome === null)
