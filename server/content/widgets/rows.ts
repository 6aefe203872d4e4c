import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { Id, Moment, NeededLine, Text } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { findWhere } from '../../core/rest/lists/verbs.ts'
import { notFound } from '../../core/rest/problem.ts'
import { ChannelId } from '../../shop/channels/channels.ts'
import { isOfLiveChannel } from '../../shop/channels/live-channels.ts'
import { Configuration, withId } from './configuration.ts'
import { inMilliseconds, templatesOfVersions } from './templates/rows.ts'
import { WidgetTemplate } from './templates/shape.ts'

/**
 * A widget is a version of a template with a configuration. It belongs to the channel of its template and appears on pages by its
 * placements (docs/contract/widgets.md section 3).
 */
const WidgetRow = t.Object({
  id: Id,
  uuid: t.String({ format: 'uuid' }),
  name: NeededLine,
  description: Text,
  widget_configuration: Configuration,
  widget_template_uuid: t.String({ format: 'uuid' }),
  version_uuid: t.String({ format: 'uuid', description: "The version of the template that makes the widget's HTML" }),
  channel_id: ChannelId,
  date_created: Moment,
  date_modified: Moment,
})
export type WidgetRow = Static<typeof WidgetRow>

export const widgets = collection('widgets', WidgetRow, {
  noun: 'widget',
  filters: 'name name:in channel_id:in',
  max: 100_000,
})

const { uuid, name, description, widget_configuration, version_uuid, channel_id, date_created } = WidgetRow.properties

export const Widget = t.Object(
  {
    uuid,
    name,
    description,
    widget_configuration,
    widget_template: WidgetTemplate,
    version_uuid,
    channel_id,
    storefront_api_query_params: t.Object({}, { additionalProperties: true }),
    date_created,
    date_modified: date_created,
  },
  { title: 'Widget' },
)
export type Widget = Static<typeof Widget>

/** Adds the templates to widgets, by one statement for all. */
export async function widgetsToAnswers(db: Db, rows: readonly WidgetRow[]): Promise<Widget[]> {
  const versions = rows.map(({ version_uuid }) => version_uuid)
  const templates = await templatesOfVersions(db, versions)
  return rows.map(({ id: _, widget_template_uuid, date_created, date_modified, ...row }) => {
    const widget_template = templates.get(row.version_uuid)
    if (!widget_template) throw new Error(`The template ${widget_template_uuid} has lost a version.`)
    return {
      uuid: row.uuid,
      name: row.name,
      description: row.description,
      widget_configuration: withId(row.widget_configuration, row.uuid),
      widget_template,
      version_uuid: row.version_uuid,
      channel_id: row.channel_id,
      storefront_api_query_params: {},
      date_created: inMilliseconds(date_created),
      date_modified: inMilliseconds(date_modified),
    }
  })
}

/** A widget, except for one of a deleted channel. @throws Problem 404 */
export async function findWidget(db: Db, uuid: string, lock: Sql = sql.empty): Promise<WidgetRow> {
  const isThere = sql`uuid = ${uuid.toLowerCase()} and ${isOfLiveChannel(db, 'widgets.channel_id')}`
  const [row] = await findWhere(db, widgets, isThere, lock)
  if (!row) throw notFound(widgets.noun, uuid)
  return row
}

/** The condition that rows belong to the channels of sites. @param column with its table */
export const isOfSites = ({ store }: Pick<Db, 'store'>, sites: readonly number[], column: string): Sql =>
  sql`${sql.raw(column)} in (select channel_id from sites where store_id = ${store.id} and id = any(${sites}))`
