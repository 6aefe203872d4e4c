import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { wake } from './due-hooks.ts'

/** An event that is meant for a hook. */
export interface NewDelivery {
  hook_id: number
  resource: string
  seq: number
  slot: number
  /** Attempts that were made earlier. */
  attempted?: number
}

/**
 * Puts deliveries behind those that wait already. Where a worker is just emptying a lane, this waits for it and makes the lane
 * anew. Fences begin at the present time: none comes again, so a worker that was frozen meanwhile can't take the new lane for
 * its own.
 */
export async function queue(tx: Tx, deliveries: readonly NewDelivery[]) {
  if (deliveries.length === 0) return
  const hookIds = deliveries.map(({ hook_id }) => hook_id)
  const resources = deliveries.map(({ resource }) => resource)
  const queued = tx.rows(sql`
    insert into deliveries (store_id, hook_id, resource, seq, slot, attempted)
    select ${tx.store.id}, * from unnest(
      ${hookIds}::int[], ${resources}::text[], ${deliveries.map(({ seq }) => seq)}::bigint[],
      ${deliveries.map(({ slot }) => slot)}::int[], ${deliveries.map(({ attempted = 0 }) => attempted)}::int[])
    on conflict do nothing`)
  const moved = tx.rows(sql`
    insert into lanes (store_id, hook_id, resource, due_at, fence, failures)
    select distinct ${tx.store.id}::int, hook_id, resource, ${tx.present},
      floor(extract(epoch from ${tx.present}) * 1000000)::bigint, 0
    from unnest(${hookIds}::int[], ${resources}::text[]) as lane (hook_id, resource) order by hook_id, resource
    on conflict (store_id, hook_id, resource) do update set fence = lanes.fence`)
  await Promise.all([queued, moved, wake(tx, hookIds)])
}
