import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { sendMail } from '../core/mail/outbox.ts'
import { queue } from './dispatcher.ts'

const PARKED_MS = 7 * 86_400_000
const QUEUED_AT_ONCE = 10_000

/** Unix seconds, as hooks carry their times. */
export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000)

/**
 * Puts what waits for a hook aside until it is recovered (docs/contract/webhooks.md section 4). What was to be sent once, by
 * hand, is dropped.
 */
export async function park(tx: Tx, hookId: number) {
  await tx.rows(sql`
    with lane as (
      delete from lanes where store_id = ${tx.store.id} and hook_id = ${hookId} returning resource, failures
    ), waiting as (
      delete from deliveries where store_id = ${tx.store.id} and hook_id = ${hookId}
      returning resource, seq, slot, attempted
    )
    insert into parked_deliveries (store_id, hook_id, seq, slot, resource, attempted, parked_at)
    select ${tx.store.id}, ${hookId}, seq, slot, resource,
      -- Failed attempts are those of the first delivery of a lane.
      attempted + case when seq = min(seq) over (partition by resource) then coalesce(failures, 0) else 0 end, ${tx.now}
    from waiting left join lane using (resource) where resource !~ '^(resend|test) '
    on conflict (store_id, hook_id, seq) do nothing`)
}

/** Nothing of a hook that is deleted is sent any more. */
export async function forget(tx: Tx, hookId: number) {
  for (const table of ['lanes', 'deliveries', 'parked_deliveries'].map(sql.id)) {
    await tx.rows(sql`delete from ${table} where store_id = ${tx.store.id} and hook_id = ${hookId}`)
  }
}

/**
 * Puts what was parked in the last 7 days back into the queue, of events from this moment on, oldest first.
 * @returns how many
 */
export async function unpark(tx: Tx, hookId: number, since: Date): Promise<number> {
  const parked = await tx.rows<{ hook_id: number; resource: string; seq: number; slot: number; attempted: number }>(sql`
    delete from parked_deliveries parked using events event
    where parked.store_id = ${tx.store.id} and hook_id = ${hookId}
      and parked_at > ${new Date(tx.now.getTime() - PARKED_MS)}
      and event.store_id = ${tx.store.id} and event.seq = parked.seq and event.slot = parked.slot
      and event.ms >= ${since.getTime()}
    returning hook_id, parked.resource, parked.seq, parked.slot, attempted`)
  const oldestFirst = parked.toSorted((a, b) => a.seq - b.seq)
  for (let i = 0; i < oldestFirst.length; i += QUEUED_AT_ONCE) {
    await queue(tx, oldestFirst.slice(i, i + QUEUED_AT_ONCE))
  }
  return parked.length
}

/** The client switches its hook on: whatever was wrong with it is forgotten, and its 90 days begin again. */
export async function reactivate(tx: Tx, hookId: number) {
  await tx.rows(sql`
    update hooks set is_active = true, status = 'active', reason = '', failing_since = null, last_matched_at = ${tx.now}
    where store_id = ${tx.store.id} and id = ${hookId}`)
}

/**
 * The server switches a hook off, and writes to those who want to be told. The event that tells of it is the caller's.
 * @returns whether the hook was on
 */
export async function deactivate(
  tx: Tx,
  hook: { readonly id: number; readonly client_id: string },
  reason: string,
): Promise<boolean> {
  const off = await tx.maybeRow<{ scope: string; destination: string }>(sql`
    update hooks set is_active = false, status = 'deactivated', reason = ${reason}, updated_at = ${secondsOf(tx.now)}
    where store_id = ${tx.store.id} and id = ${hook.id} and is_active returning scope, destination`)
  if (!off) return false
  await park(tx, hook.id)
  const admins = await tx.maybeRow<{ emails: string[] }>(sql`
    select emails from hook_admins where store_id = ${tx.store.id} and client_id = ${hook.client_id}`)
  for (const to of admins?.emails ?? []) {
    await sendMail(tx, {
      to,
      subject: `Webhook ${hook.id} of store ${tx.store.hash} was switched off`,
      text: [
        `${reason} So the webhook ${hook.id} of the store ${tx.store.hash} was switched off.`,
        `Scope: ${off.scope}\nDestination: ${off.destination}`,
        'What waits for it is kept for 7 days. When the destination works again, set is_active of the webhook to true, ' +
          'then ask for what it missed: POST /hooks/{id}/recover.',
      ].join('\n\n'),
    })
  }
  return true
}
