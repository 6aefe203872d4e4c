import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { isLive } from './channels.ts'

// The data of a deleted channel is retained for its restoration, and no answer shows it.

/**
 * The condition that a column names a channel that is not deleted.
 * @param column the column with its table, for example `sites.channel_id`
 */
export const isOfLiveChannel = ({ store }: Db, column: string): Sql => sql`exists (
  select 1 from channels live where live.store_id = ${store.id} and live.id = ${sql.raw(column)} and ${isLive})`

/**
 * Locks channels against changes, and so against deletion, until the transaction ends.
 * @returns the ids of existing channels that are not deleted
 */
export async function lockLiveChannelsShared(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx.rows<{ id: number }>(
    prepared(sql`
    select id from channels where store_id = ${tx.store.id} and id = any(${[...new Set(ids)]}::bigint[]) and ${isLive}
    order by id for share`),
  )
  return new Set(rows.map(({ id }) => id))
}
