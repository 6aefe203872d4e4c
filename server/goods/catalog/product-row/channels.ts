import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { publish } from '../../../core/events/publish.ts'
import { updateSearchRows } from '../search/rows.ts'

// The assignment of products to channels: a row of product_channels for each.

export interface ProductChannel {
  product_id: number
  channel_id: number
}

/**
 * Assigns products to channels. Existing assignments stay.
 * @param links with existing channels (`knownChannels`) and locked or new products
 */
export async function assignChannels(tx: Tx, links: readonly ProductChannel[]) {
  publishChannelLinks(tx, 'assigned', await insertChannels(tx, links))
}

/** Assigns products to channels without publishing events. @returns the new links */
export function insertChannels(tx: Tx, links: readonly ProductChannel[]): Promise<ProductChannel[]> {
  updateSearchRows(
    tx,
    links.map(({ product_id }) => product_id),
  )
  return tx.rows<ProductChannel>(
    prepared(sql`
    insert into product_channels (store_id, product_id, channel_id)
    select ${tx.store.id}, product_id, channel_id
    from ${sql.table('link', links, { product_id: 'int', channel_id: 'bigint' })} on conflict do nothing returning product_id, channel_id`),
  )
}

/** Removes products from channels. @param where matches rows of product_channels */
export async function unassignChannels(tx: Tx, where: Sql) {
  const gone = await tx.rows<ProductChannel>(sql`
    delete from product_channels where store_id = ${tx.store.id} and ${where} returning product_id, channel_id`)
  updateSearchRows(
    tx,
    gone.map(({ product_id }) => product_id),
  )
  publishChannelLinks(tx, 'unassigned', gone)
}

/** Deletes the channel links of products that are being deleted. Publishes no event. */
export async function deleteChannelLinks(tx: Tx, productIds: readonly number[]) {
  await tx.rows(sql`delete from product_channels where store_id = ${tx.store.id} and product_id = any(${productIds})`)
}

/**
 * Removes all products from a deleted channel, in steps. Publishes no event. The statement compares with an array, which
 * PostgreSQL computes once; a subquery of `in` may run for each row.
 */
export const deleteLinksOfChannel = (db: Db, channel: number) =>
  inSteps(db, async (tx) => {
    const here = sql`store_id = ${tx.store.id} and channel_id = ${channel}`
    const gone = await tx.rows<{ product_id: number }>(sql`
      delete from product_channels where ${here} and product_id = any(array(
        select product_id from product_channels where ${here} order by product_id limit ${STEP_ROWS}))
      returning product_id`)
    updateSearchRows(
      tx,
      gone.map(({ product_id }) => product_id),
    )
    return gone.length === STEP_ROWS
  })

/** Publishes links in their channels (docs/contract/webhooks.md section 6). */
export function publishChannelLinks(tx: Tx, action: 'assigned' | 'unassigned', links: readonly ProductChannel[]) {
  for (const { product_id, channel_id } of links.toSorted((a, b) => a.product_id - b.product_id)) {
    publish(tx, `store/channel/${channel_id}/product/${action}`, `product ${product_id}`, { product_id })
  }
}
