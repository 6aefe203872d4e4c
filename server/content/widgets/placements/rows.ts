import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Id, Line, Moment, SortOrder } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { Widget, widgets, widgetsToAnswers } from '../rows.ts'
import { inMilliseconds } from '../templates/rows.ts'

/** A placement puts a widget into a region of a page, or of all pages of a file (docs/contract/widgets.md section 4). */
const PlacementRow = t.Object({
  id: Id,
  uuid: t.String({ format: 'uuid' }),
  widget_uuid: t.String({ format: 'uuid' }),
  template_file: t.String({ maxLength: 255 }),
  entity_id: t.String({ maxLength: 64, description: 'Empty for all pages of the file' }),
  sort_order: SortOrder,
  region: Line,
  status: t.Enum(['inactive', 'active']),
  channel_id: ChannelId,
  date_created: Moment,
  date_modified: Moment,
})
export type PlacementRow = Static<typeof PlacementRow>

export const placements = collection('widget_placements', PlacementRow, {
  noun: 'placement',
  filters: 'channel_id:in',
  max: 10_000,
  hidden: ['entity_type'],
})

const { id: _, widget_uuid: __, ...answered } = PlacementRow.properties

export const Placement = t.Object({ ...answered, widget: Widget }, { title: 'Placement' })

/** Adds the widgets to placements, with their templates: by one statement for all widgets and one for all templates. */
export async function placementsToAnswers(db: Db, rows: readonly PlacementRow[]): Promise<Static<typeof Placement>[]> {
  const uuids = [...new Set(rows.map(({ widget_uuid }) => widget_uuid))]
  const found = new Map(
    (await findWhere(db, widgets, sql`uuid = any(${uuids})`)).map((widget) => [widget.uuid, widget]),
  )
  // A widget that several placements have is counted for each of them: the answer repeats it.
  const answers = await widgetsToAnswers(
    db,
    rows.flatMap(({ widget_uuid }) => found.get(widget_uuid) ?? []),
  )
  const widgetOf = new Map(answers.map((widget) => [widget.uuid, widget]))
  return rows.flatMap(({ id: _, widget_uuid, date_created, date_modified, ...row }) => {
    const widget = widgetOf.get(widget_uuid)
    if (!widget) return []
    return [
      { ...row, date_created: inMilliseconds(date_created), date_modified: inMilliseconds(date_modified), widget },
    ]
  })
}
