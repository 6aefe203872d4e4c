import { prepared, type StatementBatch, type Tx } from '../../../core/db/database.ts'
import { asQueueWork } from '../../../core/db/queue-work.ts'
import { sql } from '../../../core/db/sql.ts'
import { publishToClient } from '../../../core/events/publish.ts'
import { retryDelayMs } from '../sending/schedule.ts'
import type { SendingOutcome } from '../sending/sender.ts'
import type { ClaimedHook, ClaimedLane, Delivery } from './claims.ts'
import { bringForward } from './due-hooks.ts'
import { deactivate } from './hook-state.ts'

/** An attempt at a delivery with its outcome. */
export interface DeliveryAttempt {
  delivery: Delivery
  startedAt: Date
  durationMs: number
  outcome: SendingOutcome
}

/** The attempts of a worker for one lane. Only the last one can be a failure that is retried. */
export interface LaneReport {
  hook: ClaimedHook
  lane: ClaimedLane
  slot: number
  attempts: DeliveryAttempt[]
  /** Whether a failure may be reported to the hook's client now: once in ten minutes for each destination. */
  isReportable: boolean
  /** A random number from 0 to 1, for the spread of the delay. */
  random: number
}

type FailedAttempt = DeliveryAttempt & { outcome: Extract<SendingOutcome, { ok: false }> }

/** The next step of a lane after its report. */
interface NextStep {
  report: LaneReport
  failure: FailedAttempt | undefined
  /** Milliseconds until the retry; undefined without one. */
  retryMs: number | undefined
}

/** Whether a lane holds a single delivery that is never retried: a resent or a test event. */
const isOnce = (resource: string) => resource.startsWith('resend ') || resource.startsWith('test ')

/** Whether a delivery leaves the queue after this attempt, and its lane continues. */
const isDone = ({ outcome }: DeliveryAttempt) => outcome.ok || outcome.isOver === true

const isFailure = (attempt: DeliveryAttempt): attempt is FailedAttempt => !isDone(attempt)

/**
 * Writes the outcomes of lanes of one store. If another worker has claimed a lane since, its fence has changed: our outcomes for
 * it are void, and nothing is written.
 * @param jitter spread of the delays, such as 0.1
 */
export async function writeReports(tx: Tx, reports: readonly LaneReport[], jitter: number) {
  asQueueWork(tx)
  const all = reports.map((report) => nextOf(report, jitter))
  // The statements are sent together and run in this order. Those behind the first change only lanes that it has locked.
  const { locked, emptied } = await tx.together(() => ({
    locked: lockLanes(tx, reports),
    attempts: recordOutcomes(tx, all),
    deliveries: deleteDone(tx, reports),
    emptied: deleteEmptyLanes(tx, reports),
  }))
  const nexts = all.filter((_, i) => locked.has(i))
  if (nexts.length === 0) return
  await deleteUnsent(tx, nexts)
  if (emptied < nexts.length) await moveLanes(tx, nexts)
  for (const next of nexts) await deactivateOrReport(tx, next)
  tx.beforeCommit(() => [recordHealth(tx, nexts)])
}

function nextOf(report: LaneReport, jitter: number): NextStep {
  const last = report.attempts.at(-1)
  const failure = last && isFailure(last) ? last : undefined
  const isLast = !failure || isOnce(report.lane.resource) || failure.outcome.isGone
  const retryMs = isLast
    ? undefined
    : retryDelayMs(failure.delivery.failures + 1, jitter, report.random, failure.outcome.retryAfterMs)
  return { report, failure, retryMs }
}

const hookIdsOf = (reports: readonly LaneReport[]) => reports.map(({ hook }) => hook.id)
const resourcesOf = (reports: readonly LaneReport[]) => reports.map(({ lane }) => lane.resource)

/** Lanes as columns of a statement: hook_id, resource, fence. */
const columnsOf = (reports: readonly LaneReport[]) => sql`
  ${hookIdsOf(reports)}::int[], ${resourcesOf(reports)}::text[], ${reports.map(({ lane }) => lane.fence)}::bigint[]`

/** Matches only rows of these lanes, so that no plan reads others. */
const among = (tx: Tx, table: string, reports: readonly LaneReport[]) => {
  const rows = sql.id(table)
  return sql`${rows}.store_id = ${tx.store.id} and ${rows}.hook_id = any(${hookIdsOf(reports)}::int[])
    and ${rows}.resource = any(${resourcesOf(reports)}::text[])`
}

/** Locks the lanes whose fence is unchanged. @returns the positions of their reports */
async function lockLanes(tx: Tx, reports: readonly LaneReport[]): Promise<Set<number>> {
  const locked = await tx.rows<{ nr: number }>(
    prepared(sql`
      select nr::int - 1 as nr from lanes
      join unnest(${columnsOf(reports)}) with ordinality as mine (hook_id, resource, fence, nr) using (hook_id, resource, fence)
      where ${among(tx, 'lanes', reports)} order by hook_id, resource for update of lanes`),
  )
  return new Set(locked.map(({ nr }) => nr))
}

async function recordOutcomes(tx: Tx, nexts: readonly NextStep[]) {
  const rows = nexts.flatMap(({ report, failure, retryMs }) =>
    report.attempts.map((attempt) => ({ ...attempt, report, retryMs: attempt === failure ? retryMs : undefined })),
  )
  if (rows.length === 0) return
  // The rows exist, but an upsert always finds them by their key, independent of the planner's statistics.
  await tx.rows(
    prepared(sql`
      insert into attempts (store_id, hook_id, seq, event_slot, attempt, slot, outcome, duration_ms, status_code, error, excerpt,
        next_attempt_at, started_at)
      select ${tx.store.id}, hook_id, seq, event_slot, attempt, slot, outcome, duration_ms, status_code, error, excerpt,
        ${tx.present} + retry_ms * interval '1 millisecond', started_at
      from unnest(${columnsOf(rows.map(({ report }) => report))},
        ${rows.map(({ delivery }) => delivery.seq)}::bigint[], ${rows.map(({ delivery }) => delivery.slot)}::int[],
        ${rows.map(({ delivery }) => delivery.attempt)}::int[], ${rows.map(({ report }) => report.slot)}::int[],
        ${rows.map(({ outcome }) => (outcome.ok ? 'delivered' : outcome.reason))}::text[],
        ${rows.map(({ durationMs }) => Math.round(durationMs))}::int[],
        ${rows.map(({ outcome }) => outcome.status ?? null)}::int[],
        ${rows.map(({ outcome }) => (outcome.ok ? null : outcome.message))}::text[],
        ${rows.map(({ outcome }) => outcome.excerpt ?? null)}::text[],
        ${rows.map(({ retryMs }) => retryMs ?? null)}::float8[], ${rows.map(({ startedAt }) => startedAt)}::timestamptz[]
      ) as made (hook_id, resource, fence, seq, event_slot, attempt, slot, outcome, duration_ms, status_code, error, excerpt,
        retry_ms, started_at)
      join lanes using (hook_id, resource, fence)
      where ${among(
        tx,
        'lanes',
        nexts.map(({ report }) => report),
      )}
      on conflict (store_id, hook_id, seq, attempt, slot) do update set outcome = excluded.outcome,
        duration_ms = excluded.duration_ms, status_code = excluded.status_code, error = excluded.error,
        excerpt = excluded.excerpt, next_attempt_at = excluded.next_attempt_at, started_at = excluded.started_at`),
  )
}

/** Names the days, so that the plan reads these days and not the whole ring. */
const ofSlots = (rows: readonly { slot: number }[]) =>
  sql`attempts.slot in (${sql.raw([...new Set(rows.map(({ slot }) => slot))].join(', '))})`

/** Deletes attempts that were recorded but not made, because one before them failed. */
async function deleteUnsent(tx: Tx, nexts: readonly NextStep[]) {
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

async function deleteDone(tx: Tx, reports: readonly LaneReport[]) {
  const done = reports.flatMap((report) =>
    report.attempts
      .filter((attempt) => isDone(attempt) || isOnce(report.lane.resource))
      .map(({ delivery }) => ({ report, seq: delivery.seq })),
  )
  if (done.length === 0) return
  const seqs = done.map(({ seq }) => seq)
  await tx.rows(
    prepared(sql`
      delete from deliveries using lanes join unnest(
        ${columnsOf(done.map(({ report }) => report))}, ${seqs}::bigint[]
      ) as done (hook_id, resource, fence, seq) using (hook_id, resource, fence)
      where ${among(tx, 'lanes', reports)} and ${among(tx, 'deliveries', reports)} and deliveries.seq = any(${seqs}::bigint[])
        and deliveries.hook_id = done.hook_id and deliveries.resource = done.resource and deliveries.seq = done.seq`),
  )
}

/** Deletes empty lanes. New deliveries wait for this transaction. @returns how many */
async function deleteEmptyLanes(tx: Tx, reports: readonly LaneReport[]): Promise<number> {
  const gone = await tx.rows(
    prepared(sql`
      delete from lanes using unnest(${columnsOf(reports)}) as mine (hook_id, resource, fence)
      where ${among(tx, 'lanes', reports)} and lanes.hook_id = mine.hook_id and lanes.resource = mine.resource
        and lanes.fence = mine.fence and (
          select d.seq from deliveries d
          where d.store_id = ${tx.store.id} and d.hook_id = lanes.hook_id and d.resource = lanes.resource limit 1) is null
      returning lanes.hook_id`),
  )
  return gone.length
}

/** Sets when lanes with deliveries are due: at their retry, or at once. */
async function moveLanes(tx: Tx, nexts: readonly NextStep[]) {
  const reports = nexts.map(({ report }) => report)
  const moving = () =>
    tx.rows(
      prepared(sql`
        update lanes set due_at = ${tx.present} + mine.retry_ms * interval '1 millisecond', failures = mine.failures
        from unnest(
          ${columnsOf(reports)}, ${nexts.map(({ retryMs = 0 }) => retryMs)}::float8[],
          ${nexts.map(({ report, failure }) => failuresAfter(report, failure))}::int[]
        ) as mine (hook_id, resource, fence, retry_ms, failures)
        where ${among(tx, 'lanes', reports)} and lanes.hook_id = mine.hook_id and lanes.resource = mine.resource`),
    )
  await tx.together(() => [moving(), bringForward(tx, [...new Set(hookIdsOf(reports))])])
}

/** The failures of the delivery that is now the first of its lane. */
function failuresAfter({ lane, attempts }: LaneReport, failure: FailedAttempt | undefined): number {
  if (failure) return failure.delivery.failures + 1
  return attempts.length === 0 ? lane.failures : 0
}

/** Records since when a hook has been failing. It writes only changes. */
function recordHealth(tx: Tx, nexts: readonly NextStep[]): StatementBatch {
  const failing = nexts.filter(({ failure }) => failure).map(({ report }) => report.hook.id)
  const healthy = nexts
    .filter(({ report }) => report.attempts.some(({ outcome }) => outcome.ok))
    .map(({ report }) => report.hook.id)
  if (failing.length + healthy.length === 0) return []
  return [
    prepared(sql`
      update hooks set failing_since = case when id = any(${healthy}::int[]) then null else ${tx.now}::timestamptz end
      where store_id = ${tx.store.id} and id = any(${[...failing, ...healthy]}::int[])
        and (failing_since is null) <> (id = any(${healthy}::int[]))`),
  ]
}

/** Deactivates the hook after its last attempt, or at once if the receiver answered 410. Reports the failure to its client. */
async function deactivateOrReport(tx: Tx, { report: { hook, lane, isReportable }, failure, retryMs }: NextStep) {
  if (!failure || isOnce(lane.resource)) return
  const isException = failure.delivery.event?.scope === DELIVERY_EXCEPTION
  if (retryMs !== undefined) {
    if (isReportable && !isException)
      publishException(tx, hook, 90001, `The callback failed and will be retried: ${failure.outcome.message}`)
    return
  }
  const reason = failure.outcome.isGone
    ? 'The destination answered 410 Gone.'
    : 'The last attempt at a callback failed.'
  // If several lanes fail together, the first one deactivates the hook and reports it.
  if (!(await deactivate(tx, hook, reason))) return
  if (!isException) publishException(tx, hook, 90002, `${reason} The hook is being disabled.`)
}

export const DELIVERY_EXCEPTION = 'store/hook/deliveryException'

/** Publishes a fault of a hook to the hook's own client (docs/contract/webhooks.md section 4). */
export function publishException(
  tx: Tx,
  hook: Pick<ClaimedHook, 'id' | 'client_id'>,
  error_code: number,
  message: string,
) {
  publishToClient(tx, hook.client_id, {
    scope: DELIVERY_EXCEPTION,
    resource: `hook ${hook.id}`,
    data: { type: 'webhook', id: hook.id, error_code, message },
  })
}
