import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { lockIds } from '../../core/rest/batch.ts'
import { removeAll } from '../../core/rest/lists/verbs.ts'
import { releaseOfChannels } from '../../goods/catalog/addresses/owners.ts'
import { isOfLiveChannel } from '../../shop/channels/live-channels.ts'
import { pages } from './shape.ts'
import { lockPages, PAGE_KIND, publishPage } from './writing.ts'

/** Functions of areas above that delete their rows of pages, in the transaction that deletes the pages and with the pages locked. */
export interface PageDependents {
  deleteRowsOfPages(tx: Tx, ids: readonly number[]): Promise<void>
}

/**
 * Deletes pages with their rows in other areas. Children move to the top and become invisible, or are deleted too.
 * @returns the ids of the pages that existed, without their children
 */
export function deletePages(
  db: Db,
  above: PageDependents,
  ids: readonly number[],
  { withChildren = false }: { withChildren?: boolean } = {},
): Promise<Set<number>> {
  return db.transaction(async (tx) => {
    await lockPages(tx)
    const found = await tx.rows<{ id: number }>(sql`
      select id from pages where store_id = ${tx.store.id} and id = any(${ids}) and ${isOfLiveChannel(tx, 'pages.channel_id')}`)
    const named = found.map(({ id }) => id)
    await removePages(tx, above, withChildren ? await withDescendants(tx, named) : named)
    const orphans = await tx.rows<{ id: number; channel_id: number }>(sql`
      update pages set parent_id = 0, is_visible = false
      where store_id = ${tx.store.id} and parent_id > 0 and parent_id = any(${named}) returning id, channel_id`)
    for (const page of orphans) publishPage(tx, 'updated', page)
    return new Set(named)
  })
}

async function withDescendants(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const found = await tx.rows<{ id: number }>(sql`
    with recursive below as (
      select id from pages where store_id = ${tx.store.id} and id = any(${ids})
      union
      select page.id from pages page join below on page.parent_id = below.id
      where page.store_id = ${tx.store.id} and page.parent_id > 0
    )
    select id from below`)
  return found.map(({ id }) => id)
}

async function removePages(tx: Tx, above: PageDependents, ids: readonly number[]) {
  if (ids.length === 0) return
  await lockIds(tx, pages, ids)
  await above.deleteRowsOfPages(tx, ids)
  await removeAll(tx, pages, sql`id = any(${ids})`)
  await releaseOfChannels(tx, PAGE_KIND, ids)
}

/** Deletes the pages of a terminated channel, in steps. */
export const deletePagesOfChannel = (above: PageDependents) => (db: Db, channel: number) =>
  inSteps(db, async (tx) => {
    await lockPages(tx)
    const found = await tx.rows<{ id: number }>(sql`
      select id from pages where store_id = ${tx.store.id} and channel_id = ${channel}::bigint order by id limit ${STEP_ROWS}`)
    await removePages(
      tx,
      above,
      found.map(({ id }) => id),
    )
    return found.length === STEP_ROWS
  })
