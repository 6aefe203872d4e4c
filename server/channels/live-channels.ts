import { type Db, prepared, type Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'

/** The status of a channel that is there for all others. What a deleted one had is kept for its return, and shown to nobody. */
const LIVE = sql.raw(`not in ('deleted', 'terminated')`)

/** The condition that a column names a channel that is not deleted. @param column with its table, such as `sites.channel_id` */
export const isOfLiveChannel = ({ store }: Db, column: string): Sql => sql`exists (
  select 1 from channels live where live.store_id = ${store.id} and live.id = ${sql.raw(column)} and live.status ${LIVE})`

/**
 * Keeps channels from being changed, and so from being deleted, until the transaction ends.
 * @returns the ids of those that are there and not deleted
 */
export async function holdLiveChannels(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx.rows<{ id: number }>(
    prepared(sql`
    select id from channels where store_id = ${tx.store.id} and id = any(${[...new Set(ids)]}::bigint[]) and status ${LIVE}
    order by id for share`),
  )
  return new Set(rows.map(({ id }) => id))
}
