import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { TEST_RESOURCE } from '../queue/dispatcher.ts'
import { PARKED_MS } from '../queue/hook-state.ts'
import { listening } from '../queue/scopes.ts'
import { eventId, parseEventId } from '../sending/event-id.ts'

/** What became of an event at one hook, or why nothing did. */
interface Fate {
  hook_id: number
  client_id: string
  scope: string
  destination: string
  verdict: Verdict
  sentence: string
}

type Verdict =
  | 'delivered'
  // It is in the queue.
  | 'waiting'
  | 'sending'
  | 'behind'
  | 'retry'
  | 'blocked'
  // It has left the queue and was not delivered.
  | 'parked'
  | 'given up'
  | 'dropped'
  // It was never queued.
  | 'not handed out'
  | 'other scope'
  | 'other client'
  | 'test of another'
  | 'made later'
  | 'changed later'
  | 'switched off'
  | 'unknown'

/** An event with its fate at every hook of its store. */
export interface Explanation {
  event: { id: string; scope: string; resource: string; at: string; data: string }
  hooks: Fate[]
}

/** Explains an event, or answers undefined if the store keeps none with this id: it never was, or is more than 30 days old. */
export async function why(db: Db, id: string, now: Date): Promise<Explanation | undefined> {
  const event = await findEvent(db, id)
  if (!event) return undefined
  const traces = await findTraces(db, event, now)
  const { scope, resource, ms, data } = event
  return {
    event: { id, scope, resource, at: moment(ms), data },
    hooks: traces.map((trace) => {
      const { id, client_id, scope, destination } = trace
      const [verdict, sentence] = fateOf(event, trace, now)
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
  is_handed_out: boolean
}

async function findEvent(db: Db, id: string): Promise<Event | undefined> {
  const key = parseEventId(id)
  if (!key) return undefined
  return db.maybeRow<Event>(sql`
    select seq, ms, scope, resource, data, client_id, seq <= dispatched_seq as is_handed_out
    from events join event_streams using (store_id)
    where store_id = ${db.store.id} and seq = ${key.seq} and ms = ${key.ms} and nonce = ${key.nonce}`)
}

/** A hook with everything that is recorded of the event there. Null: it did not happen. */
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
  /** When its lane is due, if it is in the queue: in the past, at its retry, or at the end of a worker's lease. */
  due_at: string | null
  /** The first of its lane, if it is in the queue. */
  head_seq: number | null
  head_ms: number | null
  head_nonce: number | null
  /** The last attempt at it, if there was one, and whether that has no outcome yet. */
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
  /** Hosts of the client that nothing is sent to, and until when. */
  blocks: Record<string, string> | null
}

/** One statement, so that all parts show the same moment. */
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

/** Looks into the queue first, then into what is recorded, then for the reason why it was never queued. */
function fateOf(event: Event, hook: Trace, now: Date): [Verdict, string] {
  const queued = hook.due_at === null ? undefined : inQueue(event, hook, hook.due_at, now)
  if (hook.delivered_at !== null) {
    const once = `It was delivered at ${moment(hook.delivered_at)} by attempt ${hook.delivered_attempt}.`
    return ['delivered', queued ? `${once} It is sent once more: ${queued[1]}` : once]
  }
  return queued ?? leftQueue(hook) ?? neverQueued(event, hook)
}

function inQueue(event: Event, hook: Trace, due: string, now: Date): [Verdict, string] {
  const [verdict, does] = inLane(hook, due, now)
  const { head_seq, head_ms, head_nonce } = hook
  if (head_seq !== null && head_ms !== null && head_nonce !== null && head_seq !== event.seq) {
    const first = eventId({ seq: head_seq, ms: head_ms, nonce: head_nonce })
    return ['behind', `It waits behind ${first}, also of ${event.resource}, which ${does}.`]
  }
  if (verdict === 'retry') return [verdict, `It ${does}; the last one failed: ${hook.error}`]
  return [verdict, `It ${does}.`]
}

/** What the first of its lane does. */
function inLane({ destination, blocks, head_attempt, is_head_open }: Trace, due: string, now: Date): [Verdict, string] {
  const { host } = new URL(destination)
  const isDue = new Date(due) <= now
  const blockedUntil = blocks?.[host]
  // If its worker died, it looks the same until the lease ends.
  if (is_head_open && !isDue) return ['sending', 'is being sent at this moment']
  if (blockedUntil !== undefined) {
    return ['blocked', `waits until ${moment(blockedUntil)}, since too many callbacks to ${host} failed`]
  }
  if (isDue) return ['waiting', 'is due, and leaves as soon as a worker has room for it']
  return ['retry', `waits for attempt ${(head_attempt ?? 0) + 1} at ${moment(due)}`]
}

function leftQueue(hook: Trace): [Verdict, string] | undefined {
  const { parked_at, attempt, outcome, attempted_at, next_attempt_at, error } = hook
  const kept =
    parked_at === null
      ? ''
      : ` It is kept until ${moment(Date.parse(parked_at) + PARKED_MS)}: once the hook is on, POST /hooks/${hook.id}/recover sends it.`
  if (attempt !== null && attempted_at !== null && outcome !== null && next_attempt_at === null) {
    const attempts = `${attempt} attempt${attempt === 1 ? '' : 's'}`
    return ['given up', `It was given up after ${attempts}, the last at ${moment(attempted_at)}: ${error}${kept}`]
  }
  if (parked_at !== null) return ['parked', `It was put aside at ${moment(parked_at)}, as the hook was off.${kept}`]
  if (attempted_at !== null) return ['dropped', `It was tried until ${moment(attempted_at)}, and is no longer kept.`]
  return undefined
}

function neverQueued(event: Event, hook: Trace): [Verdict, string] {
  const seconds = Math.floor(event.ms / 1_000)
  if (event.resource === TEST_RESOURCE) return ['test of another', 'It was made to try another hook.']
  if (!listening(event.scope).includes(hook.scope)) return ['other scope', `The hook listens to ${hook.scope} only.`]
  if (event.client_id !== null && event.client_id !== hook.client_id) {
    return ['other client', `It is meant for hooks of the client ${event.client_id}.`]
  }
  if (!event.is_handed_out) return ['not handed out', 'The hook gets it as soon as a worker looks at this store.']
  if (hook.created_at > seconds)
    return ['made later', `The hook was made at ${moment(hook.created_at * 1_000)}, after it.`]
  if (!hook.is_active) return ['switched off', `The hook is off, and nothing is kept for it: ${whoSwitchedOff(hook)}`]
  if (hook.updated_at > seconds) {
    const at = moment(hook.updated_at * 1_000)
    return [
      'changed later',
      `The hook was changed at ${at}, after it: until then it was off, or listened to something else.`,
    ]
  }
  return ['unknown', 'The hook should have got it, but nothing is recorded of that.']
}

const whoSwitchedOff = ({ status, reason }: Trace) =>
  status === 'deactivated' ? `the server switched it off. ${reason}` : 'its client switched it off.'

/** A time in ISO 8601, to the second. */
const moment = (at: string | number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
