import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { wake } from './due-hooks.ts'

/** The time for which a claimed lane belongs to one worker. */
export const LEASE_MS = 20_000

/** An event for a hook. */
export interface NewDelivery {
  hook_id: number
  resource: string
  seq: number
  slot: number
  /** Attempts that were made earlier. */
  attempted?: number
}

/** A lane holds the deliveries of a hook for one resource. */
interface Lane {
  hook_id: number
  resource: string
}

/** A new lane that belongs to the caller until its lease ends. */
export interface LeasedLane extends Lane {
  fence: number
}

interface QueuedLane extends LeasedLane {
  is_new: boolean
}

export const laneKey = ({ hook_id, resource }: Lane) => `${hook_id} ${resource}`

/**
 * Appends deliveries to their lanes. If a worker is just deleting an empty lane, this waits for it and creates the lane again.
 * Fences start at the present time and never repeat, so a worker that was frozen meanwhile can't mistake the new lane for its own.
 * @param wanted keys of lanes that the caller wants to send at once
 * @returns the wanted lanes that are new. They belong to the caller as if it had claimed them. It makes their hooks due when
 *   the leases end
 */
export async function queue(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  wanted: ReadonlySet<string> = new Set(),
): Promise<LeasedLane[]> {
  if (deliveries.length === 0) return []
  const lanes = [...new Map(deliveries.map((delivery) => [laneKey(delivery), delivery])).values()]
  const isWanted = (lane: Lane) => wanted.has(laneKey(lane))
  const { queued } = await tx.together(() => ({
    deliveries: tx.rows(
      prepared(sql`
        insert into deliveries (store_id, hook_id, resource, seq, slot, attempted)
        select ${tx.store.id}, * from unnest(
          ${deliveries.map(({ hook_id }) => hook_id)}::int[], ${deliveries.map(({ resource }) => resource)}::text[],
          ${deliveries.map(({ seq }) => seq)}::bigint[], ${deliveries.map(({ slot }) => slot)}::int[],
          ${deliveries.map(({ attempted = 0 }) => attempted)}::int[])
        on conflict do nothing`),
    ),
    // A row without xmax was inserted. The others existed, and are now locked.
    queued: tx.rows<QueuedLane>(
      prepared(sql`
        insert into lanes (store_id, hook_id, resource, due_at, fence, failures)
        select ${tx.store.id}::int, hook_id, resource, ${tx.present} + lease_ms * interval '1 millisecond',
          floor(extract(epoch from ${tx.present}) * 1000000)::bigint, 0
        from unnest(
          ${lanes.map(({ hook_id }) => hook_id)}::int[], ${lanes.map(({ resource }) => resource)}::text[],
          ${lanes.map((lane) => (isWanted(lane) ? LEASE_MS : 0))}::int[]
        ) as lane (hook_id, resource, lease_ms) order by hook_id, resource
        on conflict (store_id, hook_id, resource) do update set fence = lanes.fence
        returning hook_id, resource, fence, xmax = 0 as is_new`),
    ),
  }))
  // A lane that existed belongs to a worker, or its hook is due with it.
  const created = queued.filter(({ is_new }) => is_new)
  const waiting = created.filter((lane) => !isWanted(lane))
  await wake(
    tx,
    waiting.map(({ hook_id }) => hook_id),
  )
  return created.filter(isWanted)
}
