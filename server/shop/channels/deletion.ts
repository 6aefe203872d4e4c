import t from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { enqueue } from '../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../core/jobs/task.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { change, lock } from '../../core/rest/lists/verbs.ts'
import { Problem } from '../../core/rest/problem.ts'
import { type Channel, ChannelId, channels, publishChannel } from './channels.ts'
import { deleteCurrenciesOfChannel } from './currencies/assignments.ts'
import { deleteListingsOfChannel } from './listings.ts'
import { deleteLocalesOfChannel } from './locales.ts'
import { deleteMenus } from './menus.ts'
import { deleteSiteOfChannel } from './sites/sites.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Time during which a deleted channel can be restored. */
const RESTORABLE_MS = 90 * DAY_MS

/** `deleted_at` identifies the deletion, because a channel may be restored and deleted again. */
const terminationTask = task('end_channel', t.Object({ channel: ChannelId, deleted_at: t.String() }), {
  maxMs: 60_000,
  retryDelay: (failures) => (failures < 100 ? HOUR_MS : undefined),
})

/** Schedules the termination of a deleted channel in 90 days. To be called in the transaction that deletes it. */
export async function scheduleTermination(tx: Tx, { id, date_modified }: Channel) {
  await enqueue(tx, terminationTask, {
    key: `channel ${id}`,
    payload: { channel: id, deleted_at: date_modified },
    dueAt: new Date(tx.now.getTime() + RESTORABLE_MS),
  })
}

/** Deletes the rows of one area for a terminated channel, in steps if there may be many. A retry may repeat it. */
export type DeleteOfChannel = (db: Db, channel: number) => Promise<void>

/**
 * Terminates channels 90 days after their deletion: they become `terminated`, and their data is deleted without events
 * (docs/contract/channels.md section 3). Channels import no area above them, so `process/background.ts` passes their functions.
 */
export const terminationRunner = (parts: readonly DeleteOfChannel[]) =>
  runner(terminationTask, async ({ db, payload, signal }) => {
    if (!(await db.transaction((tx) => terminate(tx, payload.channel, payload.deleted_at)))) return done
    for (const deleteOf of [
      deleteListingsOfChannel,
      deleteMenusAndTheme,
      deleteCurrenciesOfChannel,
      deleteLocalesOfChannel,
      deleteSiteOfChannel,
      ...parts,
    ]) {
      signal.throwIfAborted()
      await deleteOf(db, payload.channel)
    }
    return done
  })

/** @returns whether the channel is terminated, by this attempt or an earlier one */
async function terminate(tx: Tx, id: number, deletedAt: string): Promise<boolean> {
  const channel = await lock(tx, channels, id)
  if (channel.status === 'terminated') return true
  if (channel.status !== 'deleted' || channel.date_modified !== deletedAt) return false
  await change(tx, channels, channel, { status: 'terminated', date_modified: toSeconds(tx.now) })
  publishChannel(tx, 'updated', channel)
  return true
}

const deleteMenusAndTheme: DeleteOfChannel = (db, channel) =>
  db.transaction(async (tx) => {
    await deleteMenus(tx, channel)
    await tx.rows(
      sql`delete from active_themes where store_id = ${tx.store.id} and channel_id = ${channel} returning channel_id`,
    )
  })

/**
 * Restores a deleted channel. It sells nothing until a client gives it another status.
 * @throws Problem 404, 409 if another channel has its name now, 422 if it is not deleted
 */
export function restoreChannel(db: Db, id: number): Promise<Channel> {
  return db.transaction(async (tx) => {
    const channel = await lock(tx, channels, id)
    if (channel.status !== 'deleted') throw new Problem(422, `The channel ${id} is ${channel.status}, not deleted.`)
    const status = channel.type === 'storefront' ? 'inactive' : 'disconnected'
    const restored = await change(tx, channels, channel, { status, date_modified: toSeconds(tx.now) })
    publishChannel(tx, 'updated', restored)
    return restored
  })
}
