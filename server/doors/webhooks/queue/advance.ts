import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { LEASE_MS } from './lanes.ts'

/** Whether a worker sends the deliveries of a lane: its fence is the microsecond of the claim, and its lease ends LEASE_MS later. */
const isLeased = sql`abs(extract(epoch from due_at) * 1000000 - fence - ${LEASE_MS * 1_000}) <= 1000`

/**
 * Moves the retries of callbacks and the blocks of hosts earlier. Deliveries that are being sent keep their leases.
 * @param ms milliseconds by which the clock of the store moves on
 */
export async function advanceDeliveries(tx: Tx, ms: number) {
  const here = sql`store_id = ${tx.store.id}`
  const span = sql`${ms} * interval '1 millisecond'`
  // In the order in which workers lock them.
  await tx.rows(sql`select hook_id from due_hooks where ${here} order by hook_id for update`)
  await tx.rows(sql`select hook_id from lanes where ${here} order by hook_id, resource for update`)
  await tx.rows(sql`update lanes set due_at = due_at - ${span} where ${here} and not ${isLeased}`)
  await tx.rows(sql`update due_hooks set due_at = due_at - ${span} where ${here}`)
  await tx.rows(sql`update host_blocks set blocked_until = blocked_until - ${span} where ${here}`)
}

/** The lanes of active hooks that are due, and the events that no hook was looked up for yet. */
export async function countDueDeliveries(tx: Tx): Promise<number> {
  const { due } = await tx.row<{ due: number }>(sql`
    select (
      select count(*) from lanes join hooks on hooks.store_id = lanes.store_id and hooks.id = lanes.hook_id
      where lanes.store_id = ${tx.store.id} and hooks.store_id = ${tx.store.id} and hooks.is_active
        and (lanes.due_at <= ${tx.present} or ${isLeased})
    )::int + coalesce((
      select greatest(last_seq - dispatched_seq, 0) from event_streams where store_id = ${tx.store.id}
    ), 0)::int as due`)
  return due
}
