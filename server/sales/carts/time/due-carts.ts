import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../core/clock.ts'
import { type Database, type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { deleteMetafieldsOfUuids } from '../../../shared/metafields/metafields.ts'
import { findReminders } from '../../../shop/emails/reminders.ts'
import { reportCarts, sendReports } from '../row/reports.ts'
import { type ReminderParts, remind } from './reminders.ts'
import { nextReminders } from './schedule.ts'

// Carts become idle an hour after their last change, are reminded of at the times of the reminders, and expire after 30 days
// (docs/contract/carts.md sections 10 and 13). No cart has a job of its own: a change would have to move it. Each row has the times instead,
// and one worker finds the due rows by an index.

const STORES_AT_ONCE = 500
/** Their rows are locked for as long as a piece takes: 200 take longer than a shopper should wait for a lock, 100 ms. */
const CARTS_AT_ONCE = 50
/** The worker rests this many times as long as its last piece took: it is busy for a quarter of the time at most. */
const REST = 3
const REST_MAX_MS = 1_000

interface Stores {
  readonly cells: readonly { readonly system: Pick<Database, 'system' | 'clocks'> }[]
  dbById(id: number): Promise<Db | undefined>
}

interface DueCart {
  id: string
  channel_id: number
  customer_id: number
  spell: number
  updated_at: string
  expires_at: string
  state: 'expired' | 'idle' | 'reminder' | 'waiting'
}

/** The parts of the server that carts need which are due. */
export interface DueCartParts extends ReminderParts {
  stores: Stores
  clock: Clock
}

/**
 * Publishes idle carts, reminds shoppers of them, reports them to the merchant, and deletes expired ones. Stores take turns by pieces, each a
 * transaction, with a rest between two pieces: the requests of shoppers come first. Any process may do so at any time.
 * @throws AggregateError with the errors of single stores, after all other stores
 */
export async function attendDueCarts(parts: DueCartParts, signal?: AbortSignal) {
  const { stores, clock } = parts
  const failures: unknown[] = []
  for (const { system } of stores.cells) {
    const due = await system.system<{ store_id: number }>(sql`
      select distinct store_id from carts where ${system.clocks.pastIn(clock.now(), (now) => sql`due_at <= ${now}`)} limit ${STORES_AT_ONCE}`)
    const turns = due.map(({ store_id }) => store_id)
    let took = 0
    for (let id = turns.shift(); id !== undefined; id = turns.shift()) {
      await sleep(Math.min(REST * took, REST_MAX_MS), undefined, { signal }).catch(() => {})
      if (signal?.aborted) break
      const began = performance.now()
      try {
        const db = await stores.dbById(id)
        if (db && (await attendSome(db, parts))) turns.push(id)
      } catch (error) {
        // One store that is busy holds up no other.
        failures.push(error)
      }
      took = performance.now() - began
    }
    const reported = await system.system<{ store_id: number }>(sql`
      select distinct store_id from cart_reports limit ${STORES_AT_ONCE}`)
    for (const { store_id } of reported) {
      try {
        const db = await stores.dbById(store_id)
        if (db && !signal?.aborted) await sendReports(db)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Carts of some stores could not be attended.')
}

/** Attends to the due carts of one store, as `attendDueCarts` does, without a rest. */
export async function attendCartsOf(db: Db, parts: DueCartParts) {
  while (await attendSome(db, parts)) {}
  await sendReports(db)
}

/** @returns whether there may be more due carts */
async function attendSome(db: Db, parts: DueCartParts): Promise<boolean> {
  const now = db.now
  const due = await db.transaction(async (tx) => {
    const found = await tx.rows<DueCart>(
      prepared(sql`
      select id, channel_id, customer_id, spell, updated_at, expires_at,
        case when expires_at <= ${now} then 'expired' when idle_at <= ${now} then 'idle'
          when reminder_at <= ${now} then 'reminder' else 'waiting' end as state
      from carts
      where store_id = ${tx.store.id} and due_at <= ${now} order by due_at limit ${CARTS_AT_ONCE} for update skip locked`),
    )
    const inState = (state: DueCart['state']) => found.filter((cart) => cart.state === state)
    await expire(
      tx,
      inState('expired').map(({ id }) => id),
    )
    await abandon(tx, inState('idle'))
    return found
  })
  const failures: unknown[] = []
  for (const { id, state } of due) {
    if (state !== 'reminder') continue
    // A cart that can't be reminded of holds up no other, and is tried again in the next round.
    await remind(db, id, now, parts).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some reminders of carts could not be sent.')
  return due.length === CARTS_AT_ONCE
}

/** An expired cart takes its metafields with it. Nothing is published. */
async function expire(tx: Tx, ids: readonly string[]) {
  if (ids.length === 0) return
  await tx.rows(sql`delete from carts where store_id = ${tx.store.id} and id = any(${ids})`)
  await deleteMetafieldsOfUuids(tx, { kind: 'cart' }, ids)
}

/** Begins an idle spell: the cart gets a new token, and is next due for its first reminder or when it expires. */
async function abandon(tx: Tx, carts: readonly DueCart[]) {
  if (carts.length === 0) return
  const remindersOf = await findReminders(tx)
  const spells = carts.map(({ id, channel_id, updated_at, expires_at }) => {
    const next = nextReminders(new Date(updated_at), remindersOf(channel_id), undefined)?.at
    const reminder_at = next && next < new Date(expires_at) ? toSeconds(next) : null
    return { id, token: randomBytes(16).toString('hex'), reminder_at }
  })
  const idle = sql.table('idle', spells, { id: 'text', token: 'text', reminder_at: 'timestamptz' })
  await tx.rows(sql`
    update carts set idle_at = null, spell = spell + 1, token = idle.token, reminder_at = idle.reminder_at, reminders = 0,
      due_at = coalesce(idle.reminder_at, expires_at)
    from ${idle} where carts.store_id = ${tx.store.id} and carts.id = idle.id`)
  for (const [i, { id, channel_id }] of carts.entries()) {
    const token = spells[i]?.token ?? ''
    publish(tx, 'store/cart/abandoned', `cart ${id}`, { type: 'cart', id, token })
    publish(tx, `store/channel/${channel_id}/cart/abandoned`, `cart ${id}`, { cart_id: id })
  }
  await reportCarts(
    tx,
    'abandoned',
    carts.map(({ id, channel_id, customer_id, spell }) => ({
      cart_id: id,
      channel_id,
      customer_id,
      spell: spell + 1,
      order_id: 0,
    })),
  )
}
