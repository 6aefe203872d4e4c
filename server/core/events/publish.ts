import { randomInt } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type NamedQuery, prepared, type StatementBatch, type Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { originOfWork } from '../db/wire/statement-use.ts'
import type { EventScope } from './scopes.ts'
import { slotOf } from './slots.ts'

/**
 * An event as it is written.
 *
 * An event records that something of a store has changed: a product was updated, an order was created. It comes to be when
 * `publish` is called in the transaction of the change, and is written right before that commits: there is no event without its
 * change, and no change without its event. It has a scope, which hooks listen to, the resource that changed, and the data of the
 * scope. The store numbers its events in the order of their commits. Nothing changes an event. It is deleted with the slot of its
 * day, after 30 days. An event never calls anybody by itself: the dispatcher of the webhooks reads events, and queues a delivery
 * for each hook that listens (doors/webhooks).
 */
export interface NewEvent {
  scope: EventScope
  resource: string
  data: string
  /** The client whose hooks get the event; null for the hooks of all clients. */
  client_id: string | null
}

/** Notifies the dispatcher of this process which store has published. Only a hint: the dispatcher also looks by itself. */
export const eventNews = new EventEmitter<{ published: [storeId: number] }>()

/** Most events that one statement writes. More, such as those of a change to all products, would exceed its time-out. */
const EVENTS_AT_ONCE = 50_000

const unwritten = new WeakMap<Tx, NewEvent[]>()

/**
 * Publishes an event of a change in its transaction. If that is rolled back, there is no event; if it commits, none is lost.
 * @param resource the changed resource, such as `category 5`: its events reach a hook in this order
 * @param data the data of the scope; keys are sent in this order
 */
export const publish = (tx: Tx, scope: EventScope, resource: string, data: object) =>
  publishEvent(tx, { scope, resource, data: JSON.stringify(data), client_id: null })

/** As `publish`, for the hooks of one client only. */
export const publishToClient = (
  tx: Tx,
  client_id: string,
  { scope, resource, data }: { scope: EventScope; resource: string; data: object },
) => publishEvent(tx, { scope, resource, data: JSON.stringify(data), client_id })

function publishEvent(tx: Tx, event: NewEvent) {
  const events = unwrittenOf(tx)
  events.push(event)
  tx.onUndo(() => events.pop())
}

/**
 * The events of a transaction that are not written yet. They are written right before the commit, by two statements that leave
 * with it (more if there are very many), so the stream's row is locked only while the commit runs.
 */
function unwrittenOf(tx: Tx): NewEvent[] {
  const known = unwritten.get(tx)
  if (known) return known
  const events: NewEvent[] = []
  unwritten.set(tx, events)
  tx.onUndo(() => unwritten.delete(tx))
  tx.beforeCommit(() => {
    const pieces: StatementBatch[] = []
    for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
      pieces.push(appending(tx, events.slice(start, start + EVENTS_AT_ONCE)))
    }
    return pieces
  })
  tx.afterCommit(() => notifyDispatcher(tx))
  return events
}

async function notifyDispatcher({ store }: Tx) {
  eventNews.emit('published', store.id)
}

/** The place of a written event, and the values that make its id. */
export interface EventPlace {
  seq: number
  slot: number
  ms: number
  nonce: number
}

/**
 * Appends events at once, for callers that need their numbers; all others call `publish`. Numbers follow the order of commits,
 * since the stream's row stays locked until the commit. So call it last in a transaction.
 */
export async function append(tx: Tx, events: readonly NewEvent[]): Promise<EventPlace[]> {
  const [numbering, writing] = appending(tx, events)
  const { written } = await tx.together(() => ({
    numbering: tx.rows(numbering),
    written: tx.rows<EventPlace>(writing),
  }))
  tx.afterCommit(() => notifyDispatcher(tx))
  return written
}

/** Two statements to be sent in one piece: the first takes numbers from the stream, the second writes events under them. */
function appending(tx: Tx, events: readonly NewEvent[]): [NamedQuery, NamedQuery] {
  const ms = tx.now.getTime()
  const count = events.length
  const numbered = events.map((event, i) => ({ ...event, nr: i + 1, nonce: randomInt(2 ** 31) }))
  return [
    prepared(sql`
    insert into event_streams as stream (store_id, last_seq, last_ms, dispatched_seq)
    values (${tx.store.id}, ${count}, ${ms}, 0)
    on conflict (store_id) do update set
      last_seq = stream.last_seq + excluded.last_seq, last_ms = greatest(stream.last_ms, excluded.last_ms)`),
    prepared(sql`
    insert into events (store_id, slot, seq, ms, nonce, scope, resource, data, client_id, correlation_id)
    select ${tx.store.id}, ${slotOf(ms - tx.aheadMs)}, stream.last_seq - ${count} + nr, stream.last_ms, nonce, scope, resource, data, client_id,
      ${originOfWork()}::uuid
    from event_streams as stream,
      ${sql.table('event', numbered, { nr: 'int', nonce: 'int', scope: 'text', resource: 'text', data: 'text', client_id: 'text' })}
    where stream.store_id = ${tx.store.id}
    returning seq, slot, ms, nonce`),
  ]
}
