import { randomInt } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type NamedQuery, prepared, type Tx } from '../db/database.ts'
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
 * All events of a transaction are written by one statement (a few, if there are very many) right before the commit: the
 * stream's row is locked for no longer than the commit takes, and nothing else is waited for meanwhile.
 */
function unwrittenOf(tx: Tx): NewEvent[] {
  const gathered = unwritten.get(tx)
  if (gathered) return gathered
  const events: NewEvent[] = []
  unwritten.set(tx, events)
  tx.onUndo(() => unwritten.delete(tx))
  tx.beforeCommit(() => {
    const pieces: NamedQuery[] = []
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
export interface Written {
  seq: number
  slot: number
  ms: number
  nonce: number
}

/**
 * Writes events at once, for who needs their numbers; all others `publish`. Numbers follow the order of commits: whoever has
 * the stream's row keeps it until then, so this is the last work of a transaction.
 */
export async function append(tx: Tx, events: readonly NewEvent[]): Promise<Written[]> {
  const written = await tx.rows<Written>(appending(tx, events))
  tx.afterCommit(tellDispatcher)
  return written
}

/** The statement that numbers events and writes them. */
function appending(tx: Tx, events: readonly NewEvent[]): NamedQuery {
  const ms = tx.now.getTime()
  return prepared(sql`
    with stream as (
      insert into event_streams as stream (store_id, last_seq, last_ms, dispatched_seq)
      values (${tx.store.id}, ${events.length}, ${ms}, 0)
      on conflict (store_id) do update set
        last_seq = stream.last_seq + ${events.length}, last_ms = greatest(stream.last_ms, excluded.last_ms)
      returning last_seq - ${events.length} as before, last_ms
    )
    insert into events (store_id, slot, seq, ms, nonce, scope, resource, data, client_id)
    select ${tx.store.id}, ${slotOf(ms)}, before + nr, last_ms, nonce, scope, resource, data, client_id
    from stream, unnest(
      ${events.map(() => randomInt(2 ** 31))}::int[],
      ${events.map(({ scope }) => scope)}::text[],
      ${events.map(({ resource }) => resource)}::text[],
      ${events.map(({ data }) => data)}::text[],
      ${events.map(({ client_id }) => client_id)}::text[]
    ) with ordinality as event (nonce, scope, resource, data, client_id, nr)
    returning seq, slot, ms, nonce`)
}
