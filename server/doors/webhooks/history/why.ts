import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { TEST_RESOURCE } from '../queue/dispatcher.ts'
import { PARKED_MS } from '../queue/hook-state.ts'
import { listening } from '../queue/scopes.ts'
import { eventId, parseEventId } from '../sending/event-id.ts'

/** The outcome of an event at one hook, or the reason that it has none. */
interface HookOutcome {
  hook_id: number
  client_id: string
  scope: string
  destination: string
  verdict: Verdict
  sentence: string
}

type Verdict =
  | 'delivered'
  // The event is in the queue.
  | 'waiting'
  | 'sending'
  | 'behind'
  | 'retry'
  | 'blocked'
  // The event left the queue without delivery.
  | 'parked'
  | 'given up'
  | 'dropped'
  // The event was never queued.
  | 'not dispatched'
  | 'other scope'
  | 'other client'
  | 'test of another'
  | 'created later'
  | 'changed later'
  | 'inactive'
  | 'unknown'

/** An event with its outcome at every hook of its store. */
export interface Explanation {
  event: { id: string; scope: string; resource: string; at: string; data: string }
  hooks: HookOutcome[]
}

/** Explains an event. @returns undefined for an unknown id; events are kept for 30 days */
export async function why(db: Db, id: string, now: Date): Promise<Explanation | undefined> {
  const event = await findEvent(db, id)
  if (!event) return undefined
  const traces = await findTraces(db, event, now)
  const { scope, resource, ms, data } = event
  return {
    event: { id, scope, resource, at: moment(ms), data },
    hooks: traces.map((trace) => {
      const { id, client_id, scope, destination } = trace
      const [verdict, sentence] = outcomeAt(event, trace, now)
      return { hook_id: id, client_id, scope, destination, verdict, sentence }
    }),
  }
}

interface Event {
  seq: number
  ms: number
  scope: string
  resource: string
  data: string
  client_id: string | null
  is_dispatched: boolean
}

async function findEvent(db: Db, id: string): Promise<Event | undefined> {
  const key = parseEventId(id)
  if (!key) return undefined
  return db.maybeRow<Event>(sql`
    select seq, ms, scope, resource, data, client_id, seq <= dispatched_seq as is_dispatched
    from events join event_streams using (store_id)
    where store_id = ${db.store.id} and seq = ${key.seq} and ms = ${key.ms} and nonce = ${key.nonce}`)
}

/** A hook with all records of the event. Null means that it did not happen. */
interface Trace {
  id: number
  client_id: string
  scope: string
  destination: string
  is_active: boolean
  status: string
  reason: string
  created_at: number
  updated_at: number
  /** The due time of its lane if it is in the queue: in the past, at its retry, or at the end of a worker's lease. */
  due_at: string | null
  /** The first event of its lane, if it is in the queue. */
  head_seq: number | null
  head_ms: number | null
  head_nonce: number | null
  /** The last attempt at that event, and whether it has no outcome yet. */
  head_attempt: number | null
  is_head_open: boolean | null
  parked_at: string | null
  delivered_at: string | null
  delivered_attempt: number | null
  attempt: number | null
  attempted_at: string | null
  outcome: string | null
  error: string | null
  next_attempt_at: string | null
  /** The blocked hosts of the client, with the end of each block. */
  blocks: Record<string, string> | null
}

/** Reads all records in one statement, so that they show the same moment. */
async function findTraces(db: Db, { seq, resource }: Event, now: Date): Promise<Trace[]> {
  // Resends and tests have lanes of their own.
  const lanes = [resource, `resend ${seq}`, `test ${seq}`]
  const here = sql`store_id = ${db.store.id} and hook_id = hook.id`
  return db.rows<Trace>(sql`
    select hook.id, hook.client_id, hook.scope, destination, is_active, status, reason, created_at, updated_at,
      due_at, head.*, parked_at, delivered.*, last.*,
      (select jsonb_object_agg(host, blocked_until) from host_blocks block
        where block.store_id = ${db.store.id} and block.client_id = hook.client_id and blocked_until > ${now}) as blocks
    from hooks hook
    left join lateral (
      select resource as lane from deliveries where ${here} and seq = ${seq} and resource = any(${lanes})
      order by resource <> ${resource} limit 1
    ) queued on true
    left join lateral (select due_at from lanes where ${here} and resource = lane) lane on true
    left join lateral (
      select first.seq as head_seq, ms as head_ms, nonce as head_nonce, head_attempt, is_head_open
      from deliveries first
      join events on events.store_id = ${db.store.id} and events.seq = first.seq and events.slot = first.slot
      left join lateral (
        select attempt as head_attempt, outcome is null as is_head_open from attempts
        where ${here} and seq = first.seq order by attempt desc limit 1
      ) tried on true
      where first.store_id = ${db.store.id} and first.hook_id = hook.id and first.resource = lane
      order by first.seq limit 1
    ) head on true
    left join lateral (select parked_at from parked_deliveries where ${here} and seq = ${seq}) parked on true
    left join lateral (
      select started_at as delivered_at, attempt as delivered_attempt from attempts
      where ${here} and seq = ${seq} and outcome = 'delivered' order by attempt limit 1
    ) delivered on true
    left join lateral (
      select attempt, started_at as attempted_at, outcome, error, next_attempt_at from attempts
      where ${here} and seq = ${seq} order by attempt desc limit 1
    ) last on true
    where hook.store_id = ${db.store.id} order by hook.id`)
}

/** Looks into the queue first, then into the records, then for the reason that it was never queued. */
function outcomeAt(event: Event, hook: Trace, now: Date): [Verdict, string] {
  const queued = hook.due_at === null ? undefined : inQueue(event, hook, hook.due_at, now)
  if (hook.delivered_at !== null) {
    const once = `It was delivered at ${moment(hook.delivered_at)} by attempt ${hook.delivered_attempt}.`
    return ['delivered', queued ? `${once} It is sent again: ${queued[1]}` : once]
  }
  return queued ?? leftQueue(hook) ?? neverQueued(event, hook)
}

function inQueue(event: Event, hook: Trace, due: string, now: Date): [Verdict, string] {
  const [verdict, state] = inLane(hook, due, now)
  const { head_seq, head_ms, head_nonce } = hook
  if (head_seq !== null && head_ms !== null && head_nonce !== null && head_seq !== event.seq) {
    const first = eventId({ seq: head_seq, ms: head_ms, nonce: head_nonce })
    return ['behind', `It waits behind ${first}, also of ${event.resource}, which ${state}.`]
  }
  if (verdict === 'retry') return [verdict, `It ${state}; the last one failed: ${hook.error}`]
  return [verdict, `It ${state}.`]
}

/** The state of the first event of the lane. */
function inLane({ destination, blocks, head_attempt, is_head_open }: Trace, due: string, now: Date): [Verdict, string] {
  const { host } = new URL(destination)
  const isDue = new Date(due) <= now
  const blockedUntil = blocks?.[host]
  // A dead worker looks the same until its lease ends.
  if (is_head_open && !isDue) return ['sending', 'is being sent at this moment']
  if (blockedUntil !== undefined) {
    return ['blocked', `waits until ${moment(blockedUntil)}, since too many callbacks to ${host} failed`]
  }
  if (isDue) return ['waiting', 'is due, and is sent as soon as a worker has room for it']
  return ['retry', `waits for attempt ${(head_attempt ?? 0) + 1} at ${moment(due)}`]
}

function leftQueue(hook: Trace): [Verdict, string] | undefined {
  const { parked_at, attempt, outcome, attempted_at, next_attempt_at, error } = hook
  const kept =
    parked_at === null
      ? ''
      : ` It is kept until ${moment(Date.parse(parked_at) + PARKED_MS)}: when the hook is active, POST /hooks/${hook.id}/recover sends it.`
  if (attempt !== null && attempted_at !== null && outcome !== null && next_attempt_at === null) {
    const attempts = `${attempt} attempt${attempt === 1 ? '' : 's'}`
    return ['given up', `It was given up after ${attempts}, the last at ${moment(attempted_at)}: ${error}${kept}`]
  }
  if (parked_at !== null)
    return ['parked', `It was parked at ${moment(parked_at)}, because the hook was inactive.${kept}`]
  if (attempted_at !== null)
    return ['dropped', `Its last attempt was at ${moment(attempted_at)}, and it is no longer kept.`]
  return undefined
}

function neverQueued(event: Event, hook: Trace): [Verdict, string] {
  const seconds = Math.floor(event.ms / 1_000)
  if (event.resource === TEST_RESOURCE) return ['test of another', 'It is a test of another hook.']
  if (!listening(event.scope).includes(hook.scope)) return ['other scope', `The hook listens to ${hook.scope} only.`]
  if (event.client_id !== null && event.client_id !== hook.client_id) {
    return ['other client', `It is for hooks of the client ${event.client_id}.`]
  }
  if (!event.is_dispatched) return ['not dispatched', 'The hook receives it as soon as a worker serves this store.']
  if (hook.created_at > seconds)
    return ['created later', `The hook was created at ${moment(hook.created_at * 1_000)}, after the event.`]
  if (!hook.is_active) return ['inactive', `The hook is inactive, and nothing is kept for it: ${deactivationOf(hook)}`]
  if (hook.updated_at > seconds) {
    const at = moment(hook.updated_at * 1_000)
    return [
      'changed later',
      `The hook was changed at ${at}, after the event: before, it was inactive or listened to another scope.`,
    ]
  }
  return ['unknown', 'The hook should have received it, but nothing is recorded.']
}

const deactivationOf = ({ status, reason }: Trace) =>
  status === 'deactivated' ? `the server deactivated it. ${reason}` : 'its client deactivated it.'

/** A time in ISO 8601, to the second. */
const moment = (at: string | number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
