import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import type { Collection } from '../../core/rest/lists/collection.ts'
import { lockCounters } from '../../core/rest/lists/counters.ts'
import { removeAll } from '../../core/rest/lists/verbs.ts'
import { publishedPages } from './pages/page-widgets.ts'
import type { EntityType } from './placements/files.ts'
import { placements } from './placements/rows.ts'
import { widgets } from './rows.ts'
import { widgetTemplates } from './templates/shape.ts'

/** Deletes the placements and the published widgets of pages whose entities are being deleted. */
export async function deleteWidgetsOfEntities(tx: Tx, type: EntityType, ids: readonly number[]) {
  const isThere = sql`entity_type = ${type} and entity_id = any(${ids.map(String)}::text[])`
  const found = await tx.rows(sql`
    select 1 as one where exists (select from widget_placements where store_id = ${tx.store.id} and ${isThere})
      or exists (select from page_widgets where store_id = ${tx.store.id} and ${isThere})`)
  if (found.length === 0) return
  await lockCounters(tx, [publishedPages.table, placements.table])
  await removeAll(tx, publishedPages, isThere)
  await removeAll(tx, placements, isThere)
}

/** Deletes the widgets of a terminated channel in steps: pages first, and templates after everything that uses them. */
export async function deleteWidgetsOfChannel(db: Db, channel: number) {
  const ofChannel = sql`channel_id = ${channel}`
  await deleteRows(db, publishedPages, ofChannel)
  await deleteRows(db, placements, ofChannel)
  await deleteRows(db, widgets, ofChannel)
  await inSteps(db, async (tx) => {
    const gone = await tx.rows(sql`
      delete from widget_template_versions where store_id = ${tx.store.id} and uuid = any(array(
        select version.uuid from widget_template_versions version
        join widget_templates template on template.store_id = ${tx.store.id} and template.uuid = version.template_uuid
        where version.store_id = ${tx.store.id} and template.channel_id = ${channel} limit ${STEP_ROWS}))
      returning uuid`)
    return gone.length === STEP_ROWS
  })
  await deleteRows(db, widgetTemplates, ofChannel)
}

const deleteRows = (db: Db, collection: Collection, where: Sql) =>
  inSteps(db, async (tx) => {
    await lockCounters(tx, [collection.table])
    const gone = await removeAll(
      tx,
      collection,
      sql`id = any(array(
        select id from ${sql.id(collection.table)} where store_id = ${tx.store.id} and ${where} order by id limit ${STEP_ROWS}))`,
    )
    return gone.length === STEP_ROWS
  })
