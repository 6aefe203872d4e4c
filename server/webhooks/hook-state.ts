import type { Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'
import { sendMail } from '../core/mail/outbox.ts'
import { queue } from './dispatcher.ts'

const PARKED_MS = 7 * 86_400_000
const MOVED_AT_ONCE = 10_000

/** Unix seconds, as hooks carry their times. */
export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000)

/**
 * Puts what waits for a hook aside until it is recovered (docs/contract/webhooks.md section 4). What was to be sent once, by
 * hand, is dropped. Piece by piece: of a hook that hangs there may be any number, and a statement has its time-out.
 */
export async function park(tx: Tx, hookId: number) {
  const here = sql`store_id = ${tx.store.id} and hook_id = ${hookId}`
  for (let last: Place | undefined = { resource: '', seq: 0 }; last; ) {
    const rest: Sql = sql`${here} and (resource, seq) > (${last.resource}, ${last.seq})`
    const end: Place | undefined = await tx.maybeRow(sql`
      select resource, seq from deliveries where ${rest} order by resource, seq offset ${MOVED_AT_ONCE - 1} limit 1`)
    // Lanes and deliveries meet in a window: a join of two such lists is what no planner foresees the size of.
    await tx.rows(sql`
      with lane as (
        delete from lanes where ${here} and resource > ${last.resource} ${end ? sql`and resource <= ${end.resource}` : sql.empty}
        returning resource, failures
      ), waiting as (
        delete from deliveries where ${rest} ${end ? sql`and (resource, seq) <= (${end.resource}, ${end.seq})` : sql.empty}
        returning resource, seq, slot, attempted
      ), joined as (
        select *, min(seq) over lane as first_seq, max(failures) over lane as lane_failures from (
          select resource, seq, slot, attempted, null::int as failures from waiting
          union all select resource, null, null, null, failures from lane
        ) met window lane as (partition by resource)
      )
      insert into parked_deliveries (store_id, hook_id, seq, slot, resource, attempted, parked_at)
      select ${tx.store.id}, ${hookId}, seq, slot, resource,
        -- Failed attempts are those of the first delivery of a lane.
        attempted + case when seq = first_seq then coalesce(lane_failures, 0) else 0 end, ${tx.now}
      from joined where seq is not null and resource !~ '^(resend|test) '
      on conflict (store_id, hook_id, seq) do nothing`)
    last = end
  }
}

interface Place {
  resource: string
  seq: number
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
  let count = 0
  for (let last: number | undefined = 0; last !== undefined; ) {
    const rest: Sql = sql`store_id = ${tx.store.id} and hook_id = ${hookId} and seq > ${last}`
    const end: { seq: number } | undefined = await tx.maybeRow(sql`
      select seq from parked_deliveries where ${rest} order by seq offset ${MOVED_AT_ONCE - 1} limit 1`)
    const parked = await tx.rows<Parked>(sql`
      delete from parked_deliveries parked where ${rest} ${end ? sql`and seq <= ${end.seq}` : sql.empty}
        and parked_at > ${new Date(tx.now.getTime() - PARKED_MS)} and ${since.getTime()} <= (
          select ms from events where store_id = ${tx.store.id} and seq = parked.seq and slot = parked.slot)
      returning hook_id, resource, seq, slot, attempted`)
    await queue(tx, parked)
    count += parked.length
    last = end?.seq
  }
  return count
}

interface Parked {
  hook_id: number
  resource: string
  seq: number
  slot: number
  attempted: number
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
