import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { slotOf } from '../core/events/slots.ts'
import { park } from './hook-state.ts'
import { restrain } from './restrain.ts'

/** The time that a worker has a lane to itself; then others may take it. */
export const LEASE_MS = 20_000
/** Deliveries of one lane that are taken together: they leave one after another. */
const LANE_DELIVERIES_MAX = 10

/** A hook as a worker needs it. */
export interface ClaimedHook {
  id: number
  client_id: string
  destination: string
  /** Sealed. */
  headers: string
}

/** One callback that is to be sent. */
export interface Delivery {
  seq: number
  slot: number
  ms: number
  nonce: number
  scope: string
  data: string
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

interface ClaimedRow extends Pick<Delivery, 'seq' | 'slot' | 'failures'> {
  resource: string
  fence: number
  attempted: number
}

type Told = Pick<Delivery, 'seq' | 'ms' | 'nonce' | 'scope' | 'data'>

/**
 * Takes up to as many due lanes of a hook as there is room for, and records the attempts before anything is sent. What is
 * no longer to be sent is put away instead: the queue of a hook that is gone, switched off or blocked.
 * @param room how many lanes are welcome for this destination
 */
export async function claim(tx: Tx, hookId: number, room: (hook: ClaimedHook) => number): Promise<Claim | undefined> {
  restrain(tx)
  const hook = await tx.maybeRow<ClaimedHook & { is_active: boolean; blocks: Record<string, string> | null }>(sql`
    select id, client_id, destination, headers, is_active, (
      select json_object_agg(host, blocked_until) from host_blocks
      where store_id = ${tx.store.id} and client_id = hooks.client_id and blocked_until > ${tx.now}
    ) as blocks
    from hooks where store_id = ${tx.store.id} and id = ${hookId}`)
  if (!hook) return drop(tx, hookId)
  if (!hook.is_active) {
    await park(tx, hookId)
    return undefined
  }
  const max = room(hook)
  if (max === 0) return undefined
  const blockedUntil = hook.blocks?.[new URL(hook.destination).host]
  if (blockedUntil !== undefined) return waitOutBlock(tx, hookId, blockedUntil)
  const rows = await tx.rows<ClaimedRow>(sql`
    with due as (
      select resource from lanes where store_id = ${tx.store.id} and hook_id = ${hookId} and due_at <= ${tx.now}
      order by due_at limit ${max} for update skip locked
    ), claimed as (
      update lanes set fence = greatest(fence + 1, ${tx.now.getTime() * 1_000}::bigint), due_at = ${new Date(tx.now.getTime() + LEASE_MS)}
      from due where lanes.store_id = ${tx.store.id} and lanes.hook_id = ${hookId} and lanes.resource = due.resource
      returning lanes.resource, lanes.fence, lanes.failures
    )
    select claimed.resource, fence, failures, seq, slot, attempted from claimed
    cross join lateral (
      select d.seq, d.slot, d.attempted from deliveries d
      where d.store_id = ${tx.store.id} and d.hook_id = ${hookId} and d.resource = claimed.resource
      order by d.seq limit ${LANE_DELIVERIES_MAX}
    ) delivery
    order by claimed.resource, seq`)
  const told = await eventsOf(tx, rows)
  const deliveries = rows.flatMap((row) => {
    const event = told.get(row.seq)
    return event ? [{ ...row, ...event }] : []
  })
  const lanes = [...Map.groupBy(deliveries, ({ resource }) => resource).values()].map(laneOf)
  await recordAttempts(tx, hookId, lanes)
  return { hook, lanes, slot: slotOf(tx.now) }
}

/** With their days known before the statement is planned: it looks into these, and not into all of the ring. */
async function eventsOf(tx: Tx, rows: readonly ClaimedRow[]): Promise<Map<number, Told>> {
  const told = await tx.rows<Told>(sql`
    select seq, ms, nonce, scope, data from events
    where store_id = ${tx.store.id} and slot = any(${[...new Set(rows.map(({ slot }) => slot))]}::int[])
      and seq = any(${rows.map(({ seq }) => seq)}::bigint[])`)
  return new Map(told.map((event) => [event.seq, event]))
}

function laneOf(rows: readonly (ClaimedRow & Told)[]): ClaimedLane {
  const [first] = rows
  if (!first) throw new Error('A lane has a delivery.')
  const { resource, fence, failures } = first
  // Only the first one can have failed before: the others have been waiting for it.
  const deliveries = rows.map(({ attempted, ...row }, i) => {
    const failed = i === 0 ? failures : 0
    return { ...row, failures: failed, attempt: attempted + failed + 1 }
  })
  return { resource, fence, failures, deliveries }
}

/** What was meant for a hook that has been deleted. */
async function drop(tx: Tx, hookId: number): Promise<undefined> {
  await tx.rows(sql`delete from lanes where store_id = ${tx.store.id} and hook_id = ${hookId}`)
  await tx.rows(sql`delete from deliveries where store_id = ${tx.store.id} and hook_id = ${hookId}`)
}

/** A blocked host gets nothing: its lanes wait until the block ends, and no attempt is spent on it. */
async function waitOutBlock(tx: Tx, hookId: number, until: string): Promise<undefined> {
  await tx.rows(sql`
    update lanes set due_at = ${until}
    where store_id = ${tx.store.id} and hook_id = ${hookId} and due_at <= ${tx.now}`)
}

/** Recorded first and sent then: after a crash the same attempt is made again, under the same webhook-id. */
async function recordAttempts(tx: Tx, hookId: number, lanes: readonly ClaimedLane[]) {
  const deliveries = lanes.flatMap((lane) => lane.deliveries)
  await tx.rows(sql`
    insert into attempts (store_id, slot, hook_id, seq, event_slot, attempt, started_at)
    select ${tx.store.id}, ${slotOf(tx.now)}, ${hookId}, seq, event_slot, attempt, ${tx.now}::timestamptz from unnest(
      ${deliveries.map(({ seq }) => seq)}::bigint[], ${deliveries.map(({ slot }) => slot)}::int[],
      ${deliveries.map(({ attempt }) => attempt)}::int[]
    ) as delivery (seq, event_slot, attempt)
    on conflict (store_id, hook_id, seq, attempt, slot) do update set started_at = excluded.started_at`)
}
