import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { publish } from '../../../core/events/publish.ts'

// Which products are sold in which channels: a row of product_channels for each.

export interface ProductChannel {
  product_id: number
  channel_id: number
}

/**
 * Puts products into channels. What is there already stays as it is.
 * @param links the channels are known (`knownChannels`), the products are locked or new
 */
export async function assignChannels(tx: Tx, links: readonly ProductChannel[]) {
  publishChannelLinks(tx, 'assigned', await insertChannels(tx, links))
}

/** As `assignChannels`, and tells nothing. @returns those that were not there */
export const insertChannels = (tx: Tx, links: readonly ProductChannel[]): Promise<ProductChannel[]> =>
  tx.rows<ProductChannel>(
    prepared(sql`
    insert into product_channels (store_id, product_id, channel_id)
    select ${tx.store.id}, product_id, channel_id from unnest(
      ${links.map(({ product_id }) => product_id)}::int[], ${links.map(({ channel_id }) => channel_id)}::bigint[]
    ) as link (product_id, channel_id)
    on conflict do nothing returning product_id, channel_id`),
  )

/** Takes products out of channels. @param where which rows of product_channels */
export async function unassignChannels(tx: Tx, where: Sql) {
  const gone = await tx.rows<ProductChannel>(sql`
    delete from product_channels where store_id = ${tx.store.id} and ${where} returning product_id, channel_id`)
  publishChannelLinks(tx, 'unassigned', gone)
}

/** Before products are deleted: their places go with them, and nothing is told. */
export async function deleteChannelLinks(tx: Tx, productIds: readonly number[]) {
  await tx.rows(sql`delete from product_channels where store_id = ${tx.store.id} and product_id = any(${productIds})`)
}

/**
 * When a channel ends: all products are taken out of it, in steps, and nothing is told. An array is made once; a list that
 * `in` looks into may be made for each row.
 */
export const deleteLinksOfChannel = (db: Db, channel: number) =>
  inSteps(db, async (tx) => {
    const here = sql`store_id = ${tx.store.id} and channel_id = ${channel}`
    const gone = await tx.rows(sql`
      delete from product_channels where ${here} and product_id = any(array(
        select product_id from product_channels where ${here} order by product_id limit ${STEP_ROWS}))
      returning product_id`)
    return gone.length === STEP_ROWS
  })

/** docs/contract/webhooks.md section 6. */
export function publishChannelLinks(tx: Tx, deed: 'assigned' | 'unassigned', links: readonly ProductChannel[]) {
  for (const { product_id, channel_id } of links.toSorted((a, b) => a.product_id - b.product_id)) {
    publish(tx, `store/channel/${channel_id}/product/${deed}`, `product ${product_id}`, { product_id })
  }
}
