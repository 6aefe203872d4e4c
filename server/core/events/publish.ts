import { randomInt } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type NamedQuery, type Piece, prepared, type Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { EventScope } from './scopes.ts'
import { slotOf } from './slots.ts'

/** What is told of a change, as it is written. */
export interface NewEvent {
  scope: EventScope
  resource: string
  data: string
  client_id: string | null
}

/** Says that a store has news, to whoever dispatches in this process. A hint: the dispatcher also looks by itself. */
export const news = new EventEmitter<{ published: [] }>()

/** Events that one statement writes: those of a change to all products of a store would take longer than a statement may. */
const EVENTS_AT_ONCE = 50_000

const unwritten = new WeakMap<Tx, NewEvent[]>()

/**
 * Tells of a change, as part of its transaction: rolled back, nothing was announced; committed, nothing is lost.
 * @param resource the thing that changed, such as `category 5`: its events reach a hook in this order
 * @param data the scope's own data; keys are sent in this order
 * @param clientId if only the hooks of this client are to hear of it
 */
export function publish(tx: Tx, scope: EventScope, resource: string, data: object, clientId?: string) {
  const events = unwrittenOf(tx)
  events.push({ scope, resource, data: JSON.stringify(data), client_id: clientId ?? null })
  tx.onUndo(() => events.pop())
}

/**
 * All events of a transaction are written right before the commit, by two statements that leave with it (a few more, if there are
 * very many): the stream's row is locked for no longer than the commit takes, and nothing else is waited for meanwhile.
 */
function unwrittenOf(tx: Tx): NewEvent[] {
  const gathered = unwritten.get(tx)
  if (gathered) return gathered
  const events: NewEvent[] = []
  unwritten.set(tx, events)
  tx.onUndo(() => unwritten.delete(tx))
  tx.beforeCommit(() => {
    const pieces: Piece[] = []
    for (let start = 0; start < events.length; start += EVENTS_AT_ONCE) {
      pieces.push(appending(tx, events.slice(start, start + EVENTS_AT_ONCE)))
    }
    return pieces
  })
  tx.afterCommit(tellDispatcher)
  return events
}

async function tellDispatcher() {
  news.emit('published')
}

/** Where an event lies, and what its id is made of. */
export interface EventPlace {
  seq: number
  slot: number
  ms: number
  nonce: number
}

/**
 * Writes events at once, for who needs their numbers; all others `publish`. Numbers follow the order of commits: whoever has
 * the stream's row keeps it until then, so this is the last work of a transaction.
 */
export async function append(tx: Tx, events: readonly NewEvent[]): Promise<EventPlace[]> {
  const [numbering, writing] = appending(tx, events)
  const [, written] = await tx.together(() => [tx.rows(numbering), tx.rows<EventPlace>(writing)])
  tx.afterCommit(tellDispatcher)
  return written
}

/** Two statements to be sent in one piece: the first takes numbers from the stream, the second writes events under them. */
function appending(tx: Tx, events: readonly NewEvent[]): [NamedQuery, NamedQuery] {
  const ms = tx.now.getTime()
  const count = events.length
  return [
    prepared(sql`
    insert into event_streams as stream (store_id, last_seq, last_ms, dispatched_seq)
    values (${tx.store.id}, ${count}, ${ms}, 0)
    on conflict (store_id) do update set
      last_seq = stream.last_seq + excluded.last_seq, last_ms = greatest(stream.last_ms, excluded.last_ms)`),
    prepared(sql`
    insert into events (store_id, slot, seq, ms, nonce, scope, resource, data, client_id)
    select ${tx.store.id}, ${slotOf(ms)}, stream.last_seq - ${count} + nr, stream.last_ms, nonce, scope, resource, data, client_id
    from event_streams as stream, unnest(
      ${events.map(() => randomInt(2 ** 31))}::int[],
      ${events.map(({ scope }) => scope)}::text[],
      ${events.map(({ resource }) => resource)}::text[],
      ${events.map(({ data }) => data)}::text[],
      ${events.map(({ client_id }) => client_id)}::text[]
    ) with ordinality as event (nonce, scope, resource, data, client_id, nr)
    where stream.store_id = ${tx.store.id}
    returning seq, slot, ms, nonce`),
  ]
}
