import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { sendMail } from '../../../core/mail/outbox.ts'
import { lockHook, wake } from './due-hooks.ts'
import { queue } from './lanes.ts'

/** The time in which parked deliveries can be recovered (docs/contract/webhooks.md section 4). */
export const PARKED_MS = 7 * 86_400_000
/** Rows that one transaction moves or deletes. A hanging hook may have a million deliveries, and statements have a time-out. */
const PIECE = 10_000

/** Unix seconds, as hooks carry their times. */
export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000)

interface DeliveryKey {
  resource: string
  seq: number
}

/**
 * Parks the deliveries of a hook until they are recovered (docs/contract/webhooks.md section 4). Resent and test deliveries are
 * deleted. It moves at most one piece: a worker parks the rest, piece by piece, when it finds the hook inactive.
 * @returns whether there is more
 */
export async function park(tx: Tx, hookId: number): Promise<boolean> {
  const here = sql`store_id = ${tx.store.id} and hook_id = ${hookId}`
  const end = await tx.maybeRow<DeliveryKey>(sql`
    select resource, seq from deliveries where ${here} order by resource, seq offset ${PIECE - 1} limit 1`)
  // Lanes and deliveries meet in a window, since no planner estimates the size of a join of two such lists.
  await tx.rows(sql`
    with lane as (
      delete from lanes where ${here} ${end ? sql`and resource < ${end.resource}` : sql.empty}
      returning resource, failures
    ), cut as (
      -- The piece ends inside this lane. The lane stays with its rest, whose first delivery was not tried yet.
      select resource, failures from lanes where ${here} and resource = ${end?.resource ?? null}
    ), waiting as (
      delete from deliveries where ${here} ${end ? sql`and (resource, seq) <= (${end.resource}, ${end.seq})` : sql.empty}
      returning resource, seq, slot, attempted
    ), joined as (
      select *, min(seq) over lane as first_seq, max(failures) over lane as lane_failures from (
        select resource, seq, slot, attempted, null::int as failures from waiting
        union all select resource, null, null, null, failures from lane
        union all select resource, null, null, null, failures from cut
      ) met window lane as (partition by resource)
    )
    insert into parked_deliveries (store_id, hook_id, seq, slot, resource, attempted, parked_at)
    select ${tx.store.id}, ${hookId}, seq, slot, resource,
      -- Failed attempts of a lane belong to its first delivery.
      attempted + case when seq = first_seq then coalesce(lane_failures, 0) else 0 end, ${tx.now}
    from joined where seq is not null and resource !~ '^(resend|test) '
    on conflict (store_id, hook_id, seq) do nothing`)
  if (!end) return false
  await tx.rows(sql`update lanes set failures = 0 where ${here} and resource = ${end.resource}`)
  await wake(tx, [hookId])
  return true
}

/**
 * Deletes the queue of a deleted hook, at most a piece of each table: a worker deletes the rest.
 * @returns whether there is more
 */
export async function deleteQueue(tx: Tx, hookId: number): Promise<boolean> {
  await lockHook(tx, hookId)
  const here = sql`store_id = ${tx.store.id} and hook_id = ${hookId}`
  const deletePiece = async (table: string, key: string): Promise<boolean> => {
    const [from, by] = [sql.id(table), sql.raw(key)]
    const end = await tx.maybeRow<Record<string, unknown>>(sql`
      select ${by} from ${from} where ${here} order by ${by} offset ${PIECE - 1} limit 1`)
    const upTo = end ? sql`and (${by}) <= (${sql.join(Object.values(end))})` : sql.empty
    await tx.rows(sql`delete from ${from} where ${here} ${upTo}`)
    return end !== undefined
  }
  const left = [
    await deletePiece('deliveries', 'resource, seq'),
    await deletePiece('parked_deliveries', 'seq'),
    await deletePiece('lanes', 'resource'),
  ]
  const isMore = left.includes(true)
  if (isMore) await wake(tx, [hookId])
  else await tx.rows(sql`delete from due_hooks where ${here}`)
  return isMore
}

/** The number of recovered deliveries. `next` is the event number behind which there may be more. */
interface UnparkedPiece {
  count: number
  next: number | undefined
}

/**
 * Returns deliveries that were parked in the last 7 days to the queue, oldest first, at most a piece.
 * @param since the time of the first event to recover
 * @param after 0 for the first piece, then `next` of the previous piece
 */
export async function unpark(tx: Tx, hookId: number, since: Date, after: number): Promise<UnparkedPiece> {
  const rest = sql`store_id = ${tx.store.id} and hook_id = ${hookId} and seq > ${after}`
  const end = await tx.maybeRow<{ seq: number }>(sql`
    select seq from parked_deliveries where ${rest} order by seq offset ${PIECE - 1} limit 1`)
  const parked = await tx.rows<ParkedDelivery>(sql`
    delete from parked_deliveries parked where ${rest} ${end ? sql`and seq <= ${end.seq}` : sql.empty}
      and parked_at > ${new Date(tx.now.getTime() - PARKED_MS)} and ${since.getTime()} <= (
        select ms from events where store_id = ${tx.store.id} and seq = parked.seq and slot = parked.slot)
    returning hook_id, resource, seq, slot, attempted`)
  await queue(tx, parked)
  return { count: parked.length, next: end?.seq }
}

interface ParkedDelivery {
  hook_id: number
  resource: string
  seq: number
  slot: number
  attempted: number
}

/** Deletes deliveries that were parked more than 7 days ago, each piece in its own transaction. */
export async function deleteOldParked(db: Db, now: Date) {
  const here = sql`store_id = ${db.store.id}`
  const oldest = new Date(now.getTime() - PARKED_MS)
  for (let isMore = true; isMore; ) {
    isMore = await db.transaction(async (tx) => {
      const end = await tx.maybeRow<{ parked_at: string }>(sql`
        select parked_at from parked_deliveries where ${here} and parked_at <= ${oldest}
        order by parked_at offset ${PIECE - 1} limit 1`)
      await tx.rows(sql`delete from parked_deliveries where ${here} and parked_at <= ${end?.parked_at ?? oldest}`)
      return end !== undefined
    })
  }
}

/** Activates a hook for its client. Its recorded faults are cleared, and its 90 days start again. */
export async function reactivate(tx: Tx, hookId: number) {
  await tx.rows(sql`
    update hooks set is_active = true, status = 'active', reason = '', failing_since = null, last_matched_at = ${tx.now}
    where store_id = ${tx.store.id} and id = ${hookId}`)
}

/**
 * Deactivates a hook for the server, and mails the client's administrators. The caller publishes the event.
 * @returns whether the hook was active
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
      subject: `Webhook ${hook.id} of store ${tx.store.hash} was deactivated`,
      text: [
        `${reason} The webhook ${hook.id} of the store ${tx.store.hash} was deactivated.`,
        `Scope: ${off.scope}\nDestination: ${off.destination}`,
        'Its pending deliveries are kept for 7 days. When the destination works again, set is_active of the webhook to ' +
          'true, then recover the missed events with POST /hooks/{id}/recover.',
      ].join('\n\n'),
    })
  }
  return true
}
