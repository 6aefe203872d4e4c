import { prepared, type StatementBatch, type Tx } from '../../../core/db/database.ts'
import { asQueueWork } from '../../../core/db/queue-work.ts'
import { sql } from '../../../core/db/sql.ts'
import { slotOf } from '../../../core/events/slots.ts'
import { hostOf } from '../sending/destination.ts'
import { postpone, redirect, rescheduling, takeHook } from './due-hooks.ts'
import { clear, park } from './hook-state.ts'
import { LEASE_MS } from './lanes.ts'

/** Most deliveries of one lane that are claimed together. They are sent one after another. */
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

/** One callback that is to be sent. */
export interface Delivery {
  seq: number
  slot: number
  /** Undefined if the event is no longer kept: events are deleted after 30 days, a whole day at a time. */
  event: QueuedEvent | undefined
  attempt: number
  /** Failed attempts of this turn of the schedule. */
  failures: number
}

/** A lane that is ours until the lease ends, with its first deliveries in order. */
export interface ClaimedLane {
  resource: string
  fence: number
  failures: number
  deliveries: Delivery[]
}

export interface Claim {
  hook: ClaimedHook
  lanes: ClaimedLane[]
  /** Where the attempts are recorded. */
  slot: number
}

interface LeasedRow {
  resource: string
  fence: number
  failures: number
  /** Null with what follows if the lane is empty. */
  seq: number | null
  slot: number
  attempted: number
}

type ClaimedRow = LeasedRow & { seq: number }

/**
 * Claims due lanes of a hook, as many as there is room for, and records their attempts before anything is sent. If the hook is
 * deleted, its queue is removed instead; if it is switched off, its queue is parked: both a piece at a time.
 * @param room how many lanes may be claimed for a destination host
 * @returns undefined if there is nothing to send
 */
export async function claim(tx: Tx, hookId: number, room: (host: string) => number): Promise<Claim | undefined> {
  asQueueWork(tx)
  const { turn, hook } = await tx.together(() => ({ turn: takeHook(tx, hookId), hook: findHook(tx, hookId) }))
  if (!turn) return undefined
  const { now } = turn
  if (!hook) {
    await clear(tx, hookId)
    return undefined
  }
  if (!hook.is_active) {
    if (!(await park(tx, hookId))) tx.beforeCommit(() => [rescheduling(tx, hookId, now)])
    return undefined
  }
  const host = hostOf(hook.destination)
  if (turn.host !== host) await redirect(tx, hookId, host)
  const max = room(host)
  if (max === 0) return undefined
  // A blocked host gets nothing until the block ends, and no attempt is spent on it.
  const blockedUntil = hook.blocks?.[host]
  if (blockedUntil !== undefined) {
    await postpone(tx, hookId, new Date(blockedUntil))
    return undefined
  }
  const leased = await leaseLanes(tx, hookId, max, now)
  const rows = leased.filter((row): row is ClaimedRow => row.seq !== null)
  if (rows.length < leased.length) await removeEmptyLanes(tx, hookId, leased)
  const events = await eventsOf(tx, rows)
  const lanes = [...Map.groupBy(rows, ({ resource }) => resource).values()].map((lane) => laneOf(lane, events))
  const claimed = { hook, lanes, slot: slotOf(tx.now) }
  tx.beforeCommit(() => [[...recording(tx, [claimed]), ...rescheduling(tx, hookId, now)]])
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

/** Deletes lanes without deliveries: parking or removing a queue in pieces can leave some. */
async function removeEmptyLanes(tx: Tx, hookId: number, leased: readonly LeasedRow[]) {
  const empty = leased.filter(({ seq }) => seq === null).map(({ resource }) => resource)
  await tx.rows(sql`
    delete from lanes where store_id = ${tx.store.id} and hook_id = ${hookId} and resource = any(${empty}::text[])
      and not exists (
        select 1 from deliveries d
        where d.store_id = ${tx.store.id} and d.hook_id = ${hookId} and d.resource = lanes.resource)`)
}

/** Reads events by day and number. The days are written out, so that the plan reads these days and not the whole ring. */
async function eventsOf(tx: Tx, rows: readonly ClaimedRow[]): Promise<Map<number, QueuedEvent>> {
  if (rows.length === 0) return new Map()
  const days = new Set(rows.map(({ slot }) => slot))
  const query = sql`
    select seq, ms, nonce, scope, data from events
    where store_id = ${tx.store.id} and slot in (${sql.raw([...days].join(', '))})
      and seq = any(${rows.map(({ seq }) => seq)}::bigint[])`
  // Of a single day, as most are, there are as many statements as days.
  const events = await tx.rows<QueuedEvent & { seq: number }>(days.size === 1 ? prepared(query) : query)
  return new Map(events.map(({ seq, ...event }) => [seq, event]))
}

function laneOf(rows: readonly ClaimedRow[], events: ReadonlyMap<number, QueuedEvent>): ClaimedLane {
  const [first] = rows
  if (!first) throw new Error('A lane has a delivery.')
  const { resource, fence, failures } = first
  // Only the first one can have failed before: the others have been waiting for it.
  const deliveries = rows.map(({ seq, slot, attempted }, i) => {
    const failed = i === 0 ? failures : 0
    return { seq, slot, event: events.get(seq), failures: failed, attempt: attempted + failed + 1 }
  })
  return { resource, fence, failures, deliveries }
}

/** Records attempts before they are made: after a crash the same attempt is made again, under the same webhook-id. */
export function recording(tx: Tx, claims: readonly Claim[]): StatementBatch {
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
