import { prepared, type StatementBatch, type Tx } from '../../../core/db/database.ts'
import { asQueueWork } from '../../../core/db/queue-work.ts'
import { sql } from '../../../core/db/sql.ts'
import { slotOf } from '../../../core/events/slots.ts'
import { destinationHost } from '../sending/destination.ts'
import { lockFreeHook, postpone, redirect, reschedule } from './due-hooks.ts'
import { deleteQueue, park } from './hook-state.ts'
import { LEASE_MS } from './lanes.ts'

/** The deliveries of one lane that are claimed together. They are sent one after another. */
export const LANE_DELIVERIES_MAX = 10

/** A hook as a worker needs it. */
export interface ClaimedHook {
  id: number
  client_id: string
  destination: string
  /** Sealed. */
  headers: string
}

/** An event as a worker needs it. */
export interface QueuedEvent {
  ms: number
  nonce: number
  scope: string
  data: string
}

/**
 * A delivery: one event on its way to one hook.
 *
 * The dispatcher creates it when an active hook listens to a new event. Deliveries of a hook wait in lanes, one lane for each
 * resource, and leave a lane in the order of their events. Deliveries of different lanes are sent side by side, so a failing one
 * delays only its own resource. A worker claims a lane with a lease and a fence, and records each attempt before it sends the
 * callback. A success removes the delivery. A failure is retried by the schedule of the contract, up to 12 attempts in all; the
 * last failure deactivates the hook. The deliveries of an inactive hook are parked for 7 days and return to the queue when the
 * client recovers them. A delivery is sent at least once: after a crash the same attempt is made again under the same id.
 */
export interface Delivery {
  seq: number
  slot: number
  /** Undefined if the event is no longer kept: events are deleted after 30 days, a whole day at a time. */
  event: QueuedEvent | undefined
  attempt: number
  /** Failed attempts since the schedule started. */
  failures: number
}

/** A claimed lane with its first deliveries in order. It belongs to this process until the lease ends. */
export interface ClaimedLane {
  resource: string
  fence: number
  failures: number
  deliveries: Delivery[]
}

/** Claimed lanes of one hook. */
export interface HookClaim {
  hook: ClaimedHook
  lanes: ClaimedLane[]
  /** The day of the ring that records the attempts. */
  slot: number
}

interface LeasedRow {
  resource: string
  fence: number
  failures: number
  /** Null, like the columns below, if the lane is empty. */
  seq: number | null
  slot: number
  attempted: number
}

type ClaimedRow = LeasedRow & { seq: number }

/**
 * Claims due lanes of a hook, as many as there is room for, and records their attempts before anything is sent. The queue of a
 * deleted hook is deleted instead, and the queue of an inactive hook is parked: both piece by piece.
 * @param room returns how many lanes may be claimed for a destination host
 * @returns undefined if there is nothing to send
 */
export async function claimHook(
  tx: Tx,
  hookId: number,
  room: (host: string) => number,
): Promise<HookClaim | undefined> {
  asQueueWork(tx)
  const { turn, hook } = await tx.together(() => ({ turn: lockFreeHook(tx, hookId), hook: findHook(tx, hookId) }))
  if (!turn) return undefined
  const { now } = turn
  if (!hook) {
    await deleteQueue(tx, hookId)
    return undefined
  }
  if (!hook.is_active) {
    if (!(await park(tx, hookId))) tx.beforeCommit(() => [reschedule(tx, hookId, now)])
    return undefined
  }
  const host = destinationHost(hook.destination)
  if (turn.host !== host) await redirect(tx, hookId, host)
  const max = room(host)
  if (max === 0) return undefined
  // A blocked host receives nothing until the block ends, and no attempt is counted.
  const blockedUntil = hook.blocks?.[host]
  if (blockedUntil !== undefined) {
    await postpone(tx, hookId, new Date(blockedUntil))
    return undefined
  }
  const leased = await leaseLanes(tx, hookId, max, now)
  const rows = leased.filter((row): row is ClaimedRow => row.seq !== null)
  if (rows.length < leased.length) await deleteEmptyLanes(tx, hookId, leased)
  const events = await eventsOf(tx, rows)
  const lanes = [...Map.groupBy(rows, ({ resource }) => resource).values()].map((lane) => laneOf(lane, events))
  const claimed = { hook, lanes, slot: slotOf(tx.now.getTime() - tx.aheadMs) }
  tx.beforeCommit(() => [[...recordAttempts(tx, [claimed]), ...reschedule(tx, hookId, now)]])
  return claimed
}

const findHook = (tx: Tx, hookId: number) =>
  tx.byKey<ClaimedHook & { is_active: boolean; blocks: Record<string, string> | null }>(
    prepared(sql`
      select id, client_id, destination, headers, is_active, (
        select json_object_agg(host, blocked_until) from host_blocks
        where store_id = ${tx.store.id} and client_id = hooks.client_id and blocked_until > ${tx.present}
      ) as blocks
      from hooks where store_id = ${tx.store.id} and id = ${hookId}`),
  )

const leaseLanes = (tx: Tx, hookId: number, max: number, now: Date) =>
  tx.rows<LeasedRow>(
    prepared(sql`
      with due as (
        select resource from lanes where store_id = ${tx.store.id} and hook_id = ${hookId} and due_at <= ${now}
        order by due_at limit ${max} for update skip locked
      ), claimed as (
        update lanes set fence = greatest(fence + 1, ${now.getTime() * 1_000}::bigint), due_at = ${new Date(now.getTime() + LEASE_MS)}
        where store_id = ${tx.store.id} and hook_id = ${hookId} and resource = any(array(select resource from due))
        returning resource, fence, failures
      )
      select claimed.resource, fence, failures, seq, slot, attempted from claimed
      left join lateral (
        select d.seq, d.slot, d.attempted from deliveries d
        where d.store_id = ${tx.store.id} and d.hook_id = ${hookId} and d.resource = claimed.resource
        order by d.seq limit ${sql.raw(String(LANE_DELIVERIES_MAX))}
      ) delivery on true
      order by claimed.resource, seq`),
  )

/** Deletes lanes without deliveries. Parking or deleting a queue in pieces can leave some. */
async function deleteEmptyLanes(tx: Tx, hookId: number, leased: readonly LeasedRow[]) {
  const empty = leased.filter(({ seq }) => seq === null).map(({ resource }) => resource)
  await tx.rows(sql`
    delete from lanes where store_id = ${tx.store.id} and hook_id = ${hookId} and resource = any(${empty}::text[])
      and not exists (
        select 1 from deliveries d
        where d.store_id = ${tx.store.id} and d.hook_id = ${hookId} and d.resource = lanes.resource)`)
}

/** Reads events by day and number. The statement names the days, so that the plan reads these days and not the whole ring. */
async function eventsOf(tx: Tx, rows: readonly ClaimedRow[]): Promise<Map<number, QueuedEvent>> {
  if (rows.length === 0) return new Map()
  const days = new Set(rows.map(({ slot }) => slot))
  const query = sql`
    select seq, ms, nonce, scope, data from events
    where store_id = ${tx.store.id} and slot in (${sql.raw([...days].join(', '))})
      and seq = any(${rows.map(({ seq }) => seq)}::bigint[])`
  // Only a single day is prepared, which is the usual case: each set of days is another statement.
  const events = await tx.rows<QueuedEvent & { seq: number }>(days.size === 1 ? prepared(query) : query)
  return new Map(events.map(({ seq, ...event }) => [seq, event]))
}

function laneOf(rows: readonly ClaimedRow[], events: ReadonlyMap<number, QueuedEvent>): ClaimedLane {
  const [first] = rows
  if (!first) throw new Error('A lane has a delivery.')
  const { resource, fence, failures } = first
  // Only the first delivery can have failed before: the others waited for it.
  const deliveries = rows.map(({ seq, slot, attempted }, i) => {
    const failed = i === 0 ? failures : 0
    return { seq, slot, event: events.get(seq), failures: failed, attempt: attempted + failed + 1 }
  })
  return { resource, fence, failures, deliveries }
}

/** Records attempts before they are made. After a crash the same attempt is made again, under the same webhook-id. */
export function recordAttempts(tx: Tx, claims: readonly HookClaim[]): StatementBatch {
  const attempts = claims.flatMap(({ hook, lanes, slot }) =>
    lanes.flatMap(({ deliveries }) =>
      deliveries.map((delivery) => ({ hookId: hook.id, attemptSlot: slot, ...delivery })),
    ),
  )
  if (attempts.length === 0) return []
  return [
    prepared(sql`
      insert into attempts (store_id, slot, hook_id, seq, event_slot, attempt, started_at)
      select ${tx.store.id}, slot, hook_id, seq, event_slot, attempt, ${tx.now}::timestamptz from unnest(
        ${attempts.map(({ attemptSlot }) => attemptSlot)}::int[], ${attempts.map(({ hookId }) => hookId)}::int[],
        ${attempts.map(({ seq }) => seq)}::bigint[], ${attempts.map(({ slot }) => slot)}::int[],
        ${attempts.map(({ attempt }) => attempt)}::int[]
      ) as delivery (slot, hook_id, seq, event_slot, attempt)
      on conflict (store_id, hook_id, seq, attempt, slot) do update set started_at = excluded.started_at`),
  ]
}
