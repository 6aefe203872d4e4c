import t from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, type Runner, runner, task, tryAgain } from '../../../core/jobs/task.ts'
import { askGateway, forbidAttempt, giveUpAttempt } from '../../payments/attempts.ts'
import { callbackOf, TEST_GATEWAY, testCallbackTask } from '../../payments/gateways/test-gateway.ts'
import type { Gateways } from '../../payments/gateways.ts'
import { findPayment, hasEnded, type PaymentRow } from '../transactions/payment-rows.ts'
import { returnRunner } from '../transactions/returns.ts'
import { receiveCallback } from './callbacks.ts'
import { settlePayment } from './settle.ts'

// Jobs that settle payments after their request has ended (docs/contract/payments.md section 3): payments that a gateway decides later, and
// payments whose process died before the answer.

const GIVEN_UP_AFTER_MS = 7 * 86_400_000
/** By then a request has its answer or its process has died: each of its two calls takes at most 25 s. */
const RESCUE_MS = 60_000
const FIRST_POLL_MS = 5_000

/** Returns the delay in ms before the next look at a payment; undefined after 7 days. @param failures so far, at least 1 */
export function pollDelay(failures: number): number | undefined {
  const seconds = [30, 120, 600][failures - 1] ?? 3_600
  return failures > 3 + 7 * 24 + 1 ? undefined : seconds * 1_000
}

const rules = { maxMs: 60_000, retryDelay: pollDelay }
const pollTask = task('poll_payment', t.Object({ payment: t.String() }), rules)
const rescueTask = task('rescue_payment', t.Object({ payment: t.String() }), rules)

/** Enqueues a look at a payment that is about to be sent, in case its process dies. */
export const rescueLater = (tx: Tx, payment: string) =>
  enqueue(tx, rescueTask, { payload: { payment }, dueAt: new Date(tx.now.getTime() + RESCUE_MS) })

/** Enqueues looks at a payment that its gateway decides later. */
export const pollLater = (db: Db, payment: string) =>
  db.transaction((tx) =>
    enqueue(tx, pollTask, { payload: { payment }, dueAt: new Date(tx.now.getTime() + FIRST_POLL_MS) }),
  )

/** Callbacks of the test gateway are not logged. */
const NO_LOG = { warn: () => {} }

export const paymentRunners = (gateways: Gateways): Runner[] => {
  const resolve = async (db: Db, payment: PaymentRow, signal: AbortSignal) => {
    const { id, attempt_key, created_at } = payment
    // Its process died before the call.
    if (!(await askGateway(db, gateways, attempt_key, signal))) {
      await forbidAttempt(db, { ...payment, key: attempt_key })
    }
    const now = (await db.transaction(async (tx) => tx.now)).getTime()
    if (now - Date.parse(created_at) > GIVEN_UP_AFTER_MS) await giveUpAttempt(db, attempt_key)
    return hasEnded((await settlePayment(db, gateways, id)).payment)
  }
  return [
    returnRunner(gateways),
    runner(pollTask, async ({ db, payload, signal }) => {
      const payment = await findPayment(db, payload.payment)
      if (!payment || hasEnded(payment)) return done
      return (await resolve(db, payment, signal)) ? done : tryAgain('The gateway has not decided yet.')
    }),
    runner(rescueTask, async ({ db, payload, signal }) => {
      const payment = await findPayment(db, payload.payment)
      // A pending payment has a polling job.
      if (payment?.state !== 'open') return done
      return (await resolve(db, payment, signal)) ? done : tryAgain('The gateway has not reported the outcome.')
    }),
    runner(testCallbackTask, async ({ db, payload }) => {
      const callback = await callbackOf(db, payload.key, gateways.secrets)
      if (!callback) return tryAgain('The payment is still pending.')
      await receiveCallback(db, gateways, { gateway: TEST_GATEWAY, ...callback }, NO_LOG)
      return done
    }),
  ]
}
