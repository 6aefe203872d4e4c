import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { publish } from '../core/events/publish.ts'
import type { ClaimedHook, ClaimedLane, Delivery } from './claim.ts'
import { holdHooks, reschedule } from './due-hooks.ts'
import { deactivate } from './hook-state.ts'
import { asQueueWork } from './queue-work.ts'
import { retryDelay } from './schedule.ts'
import type { Outcome } from './sender.ts'

/** An attempt at a delivery, and what came of it. */
export interface Attempt {
  delivery: Delivery
  startedAt: Date
  durationMs: number
  outcome: Outcome
}

/** A lane that a worker is done with: its attempts, the last of them perhaps a failure. */
export interface LaneReport {
  hook: ClaimedHook
  lane: ClaimedLane
  slot: number
  attempts: Attempt[]
  /** Whether a failure may be reported to the hook's client now: at most once in ten minutes for a destination. */
  mayTell: boolean
  /** A random number from 0 to 1, for the spread of the delay. */
  random: number
}

type FailedAttempt = Attempt & { outcome: Extract<Outcome, { ok: false }> }

/** What happens to a lane after a report. */
interface Next {
  report: LaneReport
  failure: FailedAttempt | undefined
  /** When to try again; undefined where there is nothing to try again. */
  retryAt: Date | undefined
}

/** Whether a lane is for a single delivery that is never tried again: a resent or a test event. */
const isOnce = (resource: string) => resource.startsWith('resend ') || resource.startsWith('test ')

/** Whether a delivery leaves the queue after this attempt, though its lane goes on. */
const isDone = ({ outcome }: Attempt) => outcome.ok || outcome.isOver === true

const isFailure = (attempt: Attempt): attempt is FailedAttempt => !isDone(attempt)

/** Writes the outcomes of lanes of one store. @param jitter spread of the delays, such as 0.1 */
export async function complete(tx: Tx, reports: readonly LaneReport[], jitter: number) {
  asQueueWork(tx)
  const { ours, now } = await holdLanes(tx, reports)
  if (ours.length === 0) return
  const nexts = ours.map((report) => nextOf(report, now, jitter))
  // They leave together and are done in this order.
  await Promise.all([
    recordOutcomes(tx, nexts),
    forgetUnsent(tx, nexts),
    removeDone(tx, nexts),
    moveLanes(tx, nexts, now),
    reschedule(tx, hookIdsOf(ours), now),
    noteHealth(tx, nexts),
  ])
  for (const next of nexts) await switchOffOrTell(tx, next)
}

const hookIdsOf = (reports: readonly LaneReport[]) => [...new Set(reports.map(({ hook }) => hook.id))]

/**
 * Locks the lanes whose fence is still ours, and then their hooks. The other lanes were claimed by another worker since: our
 * outcomes of them are void.
 */
async function holdLanes(tx: Tx, reports: readonly LaneReport[]): Promise<{ ours: LaneReport[]; now: Date }> {
  const [locked] = await Promise.all([
    tx.rows<{ nr: number; now: string }>(sql`
      select nr::int, ${tx.present} as now from lanes join unnest(
        ${reports.map(({ hook }) => hook.id)}::int[], ${reports.map(({ lane }) => lane.resource)}::text[],
        ${reports.map(({ lane }) => lane.fence)}::bigint[]
      ) with ordinality as mine (hook_id, resource, fence, nr) using (hook_id, resource, fence)
      where store_id = ${tx.store.id} order by hook_id, resource for update of lanes`),
    holdHooks(tx, hookIdsOf(reports)),
  ])
  const numbers = new Set(locked.map(({ nr }) => nr))
  return { ours: reports.filter((_, i) => numbers.has(i + 1)), now: new Date(locked[0]?.now ?? tx.now) }
}

function nextOf(report: LaneReport, now: Date, jitter: number): Next {
  const last = report.attempts.at(-1)
  const failure = last && isFailure(last) ? last : undefined
  if (!failure || isOnce(report.lane.resource) || failure.outcome.isGone) return { report, failure, retryAt: undefined }
  const delay = retryDelay(failure.delivery.failures + 1, jitter, report.random, failure.outcome.retryAfterMs)
  return { report, failure, retryAt: delay === undefined ? undefined : new Date(now.getTime() + delay) }
}

async function recordOutcomes(tx: Tx, nexts: readonly Next[]) {
  const rows = nexts.flatMap(({ report, failure, retryAt }) =>
    report.attempts.map((attempt) => ({
      ...attempt,
      hookId: report.hook.id,
      slot: report.slot,
      next: attempt === failure ? retryAt : undefined,
    })),
  )
  if (rows.length === 0) return
  // An upsert, although the rows are there: it finds them by their key, whatever the planner believes of the table.
  await tx.rows(sql`
    insert into attempts (store_id, hook_id, seq, event_slot, attempt, slot, outcome, duration_ms, status_code, error, excerpt,
      next_attempt_at, started_at)
    select ${tx.store.id}, * from unnest(
      ${rows.map(({ hookId }) => hookId)}::int[], ${rows.map(({ delivery }) => delivery.seq)}::bigint[],
      ${rows.map(({ delivery }) => delivery.slot)}::int[], ${rows.map(({ delivery }) => delivery.attempt)}::int[],
      ${rows.map(({ slot }) => slot)}::int[],
      ${rows.map(({ outcome }) => (outcome.ok ? 'delivered' : outcome.reason))}::text[],
      ${rows.map(({ durationMs }) => Math.round(durationMs))}::int[],
      ${rows.map(({ outcome }) => outcome.status ?? null)}::int[],
      ${rows.map(({ outcome }) => (outcome.ok ? null : outcome.message))}::text[],
      ${rows.map(({ outcome }) => outcome.excerpt ?? null)}::text[],
      ${rows.map(({ next }) => next ?? null)}::timestamptz[], ${rows.map(({ startedAt }) => startedAt)}::timestamptz[])
    on conflict (store_id, hook_id, seq, attempt, slot) do update set outcome = excluded.outcome,
      duration_ms = excluded.duration_ms, status_code = excluded.status_code, error = excluded.error,
      excerpt = excluded.excerpt, next_attempt_at = excluded.next_attempt_at, started_at = excluded.started_at`)
}

/** The days are values, so that the plan reads these days and not the whole ring. */
const ofSlots = (rows: readonly { slot: number }[]) =>
  sql`attempts.slot = any(${[...new Set(rows.map(({ slot }) => slot))]}::int[])`

/** Removes the attempts that were recorded but not made, since one before them failed. */
async function forgetUnsent(tx: Tx, nexts: readonly Next[]) {
  const unsent = nexts.flatMap(({ report: { hook, lane, slot, attempts } }) =>
    lane.deliveries.slice(attempts.length).map(({ seq, attempt }) => ({ hookId: hook.id, seq, attempt, slot })),
  )
  if (unsent.length === 0) return
  await tx.rows(sql`
    delete from attempts using unnest(
      ${unsent.map(({ hookId }) => hookId)}::int[], ${unsent.map(({ seq }) => seq)}::bigint[],
      ${unsent.map(({ attempt }) => attempt)}::int[], ${unsent.map(({ slot }) => slot)}::int[]
    ) as unsent (hook_id, seq, attempt, slot)
    where attempts.store_id = ${tx.store.id} and attempts.hook_id = unsent.hook_id and attempts.seq = unsent.seq
      and attempts.attempt = unsent.attempt and attempts.slot = unsent.slot and ${ofSlots(unsent)}
      and attempts.outcome is null`)
}

async function removeDone(tx: Tx, nexts: readonly Next[]) {
  const done = nexts.flatMap(({ report: { hook, lane, attempts } }) =>
    attempts
      .filter((attempt) => isDone(attempt) || isOnce(lane.resource))
      .map(({ delivery }) => ({ hookId: hook.id, resource: lane.resource, seq: delivery.seq })),
  )
  await tx.rows(sql`
    delete from deliveries using unnest(
      ${done.map(({ hookId }) => hookId)}::int[], ${done.map(({ resource }) => resource)}::text[],
      ${done.map(({ seq }) => seq)}::bigint[]
    ) as done (hook_id, resource, seq)
    where deliveries.store_id = ${tx.store.id} and deliveries.hook_id = done.hook_id
      and deliveries.resource = done.resource and deliveries.seq = done.seq`)
}

/** Deletes empty lanes. Others wait for their retry, or are due at once. New deliveries wait for this transaction. */
async function moveLanes(tx: Tx, nexts: readonly Next[], now: Date) {
  const hookIds = nexts.map(({ report }) => report.hook.id)
  const resources = nexts.map(({ report }) => report.lane.resource)
  const gone = tx.rows(sql`
    delete from lanes using unnest(${hookIds}::int[], ${resources}::text[]) as mine (hook_id, resource)
    where lanes.store_id = ${tx.store.id} and lanes.hook_id = mine.hook_id and lanes.resource = mine.resource
      and not exists (
        select 1 from deliveries d
        where d.store_id = ${tx.store.id} and d.hook_id = mine.hook_id and d.resource = mine.resource)`)
  const moved = tx.rows(sql`
    update lanes set due_at = mine.due_at, failures = mine.failures
    from unnest(
      ${hookIds}::int[], ${resources}::text[], ${nexts.map(({ retryAt }) => retryAt ?? now)}::timestamptz[],
      ${nexts.map(({ report, failure }) => failuresAfter(report, failure))}::int[]
    ) as mine (hook_id, resource, due_at, failures)
    where lanes.store_id = ${tx.store.id} and lanes.hook_id = mine.hook_id and lanes.resource = mine.resource`)
  await Promise.all([gone, moved])
}

/** Failures of the delivery that is now the first of its lane. */
function failuresAfter({ lane, attempts }: LaneReport, failure: FailedAttempt | undefined): number {
  if (failure) return failure.delivery.failures + 1
  return attempts.length === 0 ? lane.failures : 0
}

/** Notes since when a hook has been failing; written only when that changes. */
async function noteHealth(tx: Tx, nexts: readonly Next[]) {
  const failing = nexts.filter(({ failure }) => failure).map(({ report }) => report.hook.id)
  const healthy = nexts
    .filter(({ report }) => report.attempts.some(({ outcome }) => outcome.ok))
    .map(({ report }) => report.hook.id)
  if (failing.length + healthy.length === 0) return
  await tx.rows(sql`
    update hooks set failing_since = case when id = any(${healthy}) then null else ${tx.now}::timestamptz end
    where store_id = ${tx.store.id} and id = any(${[...failing, ...healthy]})
      and (failing_since is null) <> (id = any(${healthy}))`)
}

/** Switches the hook off after its last attempt, or at once if the receiver answered 410. Reports the failure to its client. */
async function switchOffOrTell(tx: Tx, { report: { hook, lane, mayTell }, failure, retryAt }: Next) {
  if (!failure || isOnce(lane.resource)) return
  const isException = failure.delivery.event?.scope === DELIVERY_EXCEPTION
  if (retryAt) {
    if (mayTell && !isException)
      tellException(tx, hook, 90001, `The callback failed and will be retried: ${failure.outcome.message}`)
    return
  }
  const reason = failure.outcome.isGone
    ? 'The destination answered 410 Gone.'
    : 'The last attempt at a callback failed.'
  // If several lanes fail together, the first one switches the hook off and reports it.
  if (!(await deactivate(tx, hook, reason))) return
  if (!isException) tellException(tx, hook, 90002, `${reason} The hook is being disabled.`)
}

export const DELIVERY_EXCEPTION = 'store/hook/deliveryException'

/** Tells the hook's own client that something is wrong with it (docs/contract/webhooks.md section 4). */
export function tellException(
  tx: Tx,
  hook: Pick<ClaimedHook, 'id' | 'client_id'>,
  error_code: number,
  message: string,
) {
  publish(
    tx,
    DELIVERY_EXCEPTION,
    `hook ${hook.id}`,
    { type: 'webhook', id: hook.id, error_code, message },
    hook.client_id,
  )
}
