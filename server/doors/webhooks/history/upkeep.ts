import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../core/clock.ts'
import { DatabaseUnavailable, type Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { SLOTS, slotOf } from '../../../core/events/slots.ts'
import type { Cell, Directory } from '../../../stores/directory/directory.ts'
import { removeHooksOfAccount } from '../hooks/hooks-of-account.ts'
import { deactivate, deleteOldParked, PARKED_MS } from '../queue/hook-state.ts'

const DAY_MS = 86_400_000
const INACTIVE_MS = 90 * DAY_MS
const STORES_AT_ONCE = 500

/**
 * The hourly upkeep of webhooks: retention, idle hooks, and the hooks of interrupted deletions of accounts. Any process may run it
 * at any time. A failure in one store is logged, and the next store follows.
 */
export async function upkeep(directory: Directory, clock: Clock, log: Log) {
  const now = clock.now()
  for (const cell of directory.cells) {
    for (const part of [emptySlots, deactivateIdleHooks, deleteParked, deleteHooksWithoutAccount]) {
      await orLog(log, { cell: cell.name }, () => part({ directory, cell, now, log }))
    }
  }
}

type Log = Pick<FastifyBaseLogger, 'error'>

interface Round {
  directory: Directory
  cell: Cell
  now: Date
  log: Log
}

/**
 * Truncates the slots of the coming days, whose events and attempts are more than 30 days old. That is instant, unlike a delete.
 * A table in use is skipped until the next upkeep, so that no request waits.
 */
async function emptySlots({ cell: { system }, now }: Round) {
  const coming = Array.from({ length: SLOTS - 31 }, (_, i) => slotOf(now.getTime() + (i + 1) * DAY_MS))
  for (const name of coming.flatMap((slot) => [`events_${slot}`, `attempts_${slot}`])) {
    const [table] = await system.system<{ is_filled: boolean }>(
      sql`select ${system.bytesOf(sql`${name}`)} > 0 as is_filled`,
    )
    if (table?.is_filled) await system.truncate(name).catch(ignoreBusy)
  }
}

function ignoreBusy(error: unknown) {
  if (!(error instanceof DatabaseUnavailable)) throw error
}

/** Deactivates the idle hooks of one store and deletes its old parked deliveries. */
export async function clearHooksOf(db: Db) {
  await deactivateIdle(db)
  await deleteOldParked(db, db.now)
}

const isIdle = (now: Date) => sql`
  is_active and greatest(last_matched_at, to_timestamp(updated_at)) <= ${new Date(now.getTime() - INACTIVE_MS)}`

async function deactivateIdleHooks(round: Round) {
  const { system } = round.cell
  const idle = await system.system<{ store_id: number }>(
    sql`select distinct store_id from hooks where ${system.clocks.pastIn(round.now, isIdle)} limit ${STORES_AT_ONCE}`,
  )
  for (const { store_id } of idle) await inStore(round, store_id, deactivateIdle)
}

/** Deactivates hooks that no event matched for 90 days (docs/contract/webhooks.md section 4). */
async function deactivateIdle(db: Db) {
  const here = sql`store_id = ${db.store.id}`
  const idle = await db.rows<{ id: number; client_id: string }>(
    sql`select id, client_id from hooks where ${here} and ${isIdle(db.now)}`,
  )
  for (const hook of idle) {
    await db.transaction(async (tx) => {
      // The condition is checked again under the lock: an event or the client may have changed the hook meanwhile.
      const still = await tx.maybeRow(
        sql`select id from hooks where ${here} and id = ${hook.id} and ${isIdle(tx.now)} for update`,
      )
      if (still) await deactivate(tx, hook, 'No event matched this hook for 90 days.')
    })
  }
}

/** Parked deliveries are kept for 7 days. */
async function deleteParked(round: Round) {
  const { system } = round.cell
  const isOld = (now: Date) => sql`parked_at <= ${new Date(now.getTime() - PARKED_MS)}`
  const old = await system.system<{ store_id: number }>(
    sql`select distinct store_id from parked_deliveries where ${system.clocks.pastIn(round.now, isOld)}`,
  )
  for (const { store_id } of old) await inStore(round, store_id, (db) => deleteOldParked(db, db.now))
}

async function deleteHooksWithoutAccount(round: Round) {
  const left = await round.cell.system.system<{ store_id: number; client_id: string }>(sql`
    select distinct store_id, client_id from hooks where not exists (
      select 1 from api_accounts account where account.store_id = hooks.store_id and account.client_id = hooks.client_id)`)
  for (const { store_id, client_id } of left)
    await inStore(round, store_id, (db) => removeHooksOfAccount(db, client_id))
}

const inStore = ({ directory, log }: Round, id: number, work: (db: Db) => Promise<unknown>) =>
  orLog(log, { store: id }, async () => {
    const db = await directory.dbById(id)
    if (db) await work(db)
  })

async function orLog(log: Log, where: object, work: () => Promise<unknown>) {
  await work().catch((error) => log.error({ err: error, ...where }, 'the upkeep of webhooks failed'))
}
