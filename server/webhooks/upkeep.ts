import type { Clock } from '../core/clock.ts'
import { DatabaseUnavailable } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { SLOTS, slotOf } from '../core/events/slots.ts'
import type { Directory } from '../stores/directory.ts'
import { deactivate } from './hook-state.ts'

const DAY_MS = 86_400_000
const INACTIVE_MS = 90 * DAY_MS
const PARKED_MS = 7 * DAY_MS
const HOOKS_AT_ONCE = 500

/** What is done now and then, in any process and any number of times: retention, and hooks that nothing happens to. */
export async function upkeep(directory: Directory, clock: Clock) {
  await emptySlots(directory, clock.now())
  await deactivateIdle(directory, clock.now())
}

/**
 * Empties the slots of the coming days, whose events and attempts are more than 30 days old: whole tables at once, never a
 * long delete. Where one is in use at this moment it is left for the next time, so that nobody waits for us.
 */
async function emptySlots(directory: Directory, now: Date) {
  const coming = Array.from({ length: SLOTS - 31 }, (_, i) => slotOf(now.getTime() + (i + 1) * DAY_MS))
  for (const cell of directory.cells) {
    for (const name of coming.flatMap((slot) => [`events_${slot}`, `attempts_${slot}`])) {
      const [table] = await cell.system.system<{ is_filled: boolean }>(
        sql`select pg_relation_size(${name}::regclass) > 0 as is_filled`,
      )
      if (table?.is_filled) await cell.system.truncate(name).catch(ignoreBusy)
    }
  }
}

function ignoreBusy(error: unknown) {
  if (!(error instanceof DatabaseUnavailable)) throw error
}

/** A hook that no event matched for 90 days goes off (docs/contract/webhooks.md section 4). Its parked deliveries go after 7. */
async function deactivateIdle(directory: Directory, now: Date) {
  for (const cell of directory.cells) {
    const isIdle = sql`
      is_active and greatest(last_matched_at, to_timestamp(updated_at)) <= ${new Date(now.getTime() - INACTIVE_MS)}`
    const idle = await cell.system.system<{ store_id: number; id: number; client_id: string }>(
      sql`select store_id, id, client_id from hooks where ${isIdle} limit ${HOOKS_AT_ONCE}`,
    )
    for (const { store_id, ...hook } of idle) {
      const db = await directory.dbById(store_id)
      await db?.transaction(async (tx) => {
        // Asked again under its lock: an event or its client may have come in between.
        const still = await tx.maybeRow(
          sql`select id from hooks where store_id = ${store_id} and id = ${hook.id} and ${isIdle} for update`,
        )
        if (still) await deactivate(tx, hook, 'No event matched this hook for 90 days.')
      })
    }
    const parked = await cell.system.system<{ store_id: number }>(
      sql`select distinct store_id from parked_deliveries where parked_at <= ${new Date(now.getTime() - PARKED_MS)}`,
    )
    for (const { store_id } of parked) {
      const db = await directory.dbById(store_id)
      await db?.transaction((tx) =>
        tx.rows(sql`
          delete from parked_deliveries
          where store_id = ${store_id} and parked_at <= ${new Date(now.getTime() - PARKED_MS)}`),
      )
    }
  }
}
