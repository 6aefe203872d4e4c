import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { isLive } from './channels.ts'

// What a deleted channel had is kept for its return, and shown to nobody.

/** The condition that a column names a channel that is not deleted. @param column with its table, such as `sites.channel_id` */
export const isOfLiveChannel = ({ store }: Db, column: string): Sql => sql`exists (
  select 1 from channels live where live.store_id = ${store.id} and live.id = ${sql.raw(column)} and ${isLive})`

/**
 * Keeps channels from being changed, and so from being deleted, until the transaction ends.
 * @returns the ids of those that are there and not deleted
 */
export async function lockLiveChannelsShared(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx.rows<{ id: number }>(
    prepared(sql`
    select id from channels where store_id = ${tx.store.id} and id = any(${[...new Set(ids)]}::bigint[]) and ${isLive}
    order by id for share`),
  )
  return new Set(rows.map(({ id }) => id))
}
