import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import { type Database, type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { deleteMetafieldsOfUuids } from '../../../shared/metafields/metafields.ts'

// Carts become idle an hour after their last change, and expire after 30 days (docs/contract/carts.md section 10). No cart has a job of
// its own: a change would have to move it. Each row has the times instead, and one worker finds the due rows by an index.

const STORES_AT_ONCE = 500
const CARTS_AT_ONCE = 200

interface Stores {
  readonly cells: readonly { readonly system: Pick<Database, 'system'> }[]
  dbById(id: number): Promise<Db | undefined>
}

interface DueCart {
  id: string
  channel_id: number
  is_expired: boolean
}

/**
 * Publishes idle carts and deletes expired ones. Stores take turns by pieces, each a transaction. Any process may do so at any time.
 * @throws AggregateError with the errors of single stores, after all other stores
 */
export async function attendDueCarts(stores: Stores, clock: Clock, signal?: AbortSignal) {
  const failures: unknown[] = []
  for (const { system } of stores.cells) {
    const due = await system.system<{ store_id: number }>(sql`
      select distinct store_id from carts where due_at <= ${clock.now()} limit ${STORES_AT_ONCE}`)
    let left = due.map(({ store_id }) => store_id)
    while (left.length > 0 && !signal?.aborted) {
      const unfinished: number[] = []
      for (const id of left) {
        try {
          const db = await stores.dbById(id)
          if (db && (await attendSome(db, clock.now())) === CARTS_AT_ONCE) unfinished.push(id)
        } catch (error) {
          // One store that is busy holds up no other.
          failures.push(error)
        }
      }
      left = unfinished
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Carts of some stores could not be attended.')
}

/** @returns the number of carts that were due */
const attendSome = (db: Db, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
    const due = await tx.rows<DueCart>(
      prepared(sql`
      select id, channel_id, expires_at <= ${now} as is_expired from carts
      where store_id = ${tx.store.id} and due_at <= ${now} order by due_at limit ${CARTS_AT_ONCE} for update skip locked`),
    )
    await expire(
      tx,
      due.filter(({ is_expired }) => is_expired).map(({ id }) => id),
    )
    await abandon(
      tx,
      due.filter(({ is_expired }) => !is_expired),
    )
    return due.length
  })

/** An expired cart takes its metafields with it. Nothing is published. */
async function expire(tx: Tx, ids: readonly string[]) {
  if (ids.length === 0) return
  await tx.rows(sql`delete from carts where store_id = ${tx.store.id} and id = any(${ids})`)
  await deleteMetafieldsOfUuids(tx, { kind: 'cart' }, ids)
}

/** Begins an idle spell: the cart gets a new token, and is next due when it expires. */
async function abandon(tx: Tx, carts: readonly DueCart[]) {
  if (carts.length === 0) return
  const tokens = carts.map(({ id }) => ({ id, token: randomBytes(16).toString('hex') }))
  const idle = sql.table('idle', tokens, { id: 'text', token: 'text' })
  await tx.rows(sql`
    update carts set idle_at = null, spell = spell + 1, token = idle.token, due_at = expires_at
    from ${idle} where carts.store_id = ${tx.store.id} and carts.id = idle.id`)
  for (const [i, { id, channel_id }] of carts.entries()) {
    const token = tokens[i]?.token ?? ''
    publish(tx, 'store/cart/abandoned', `cart ${id}`, { type: 'cart', id, token })
    publish(tx, `store/channel/${channel_id}/cart/abandoned`, `cart ${id}`, { cart_id: id })
  }
}
