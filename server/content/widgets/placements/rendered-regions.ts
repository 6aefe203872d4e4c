import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Renderers } from '../../../shop/templates/renderers.ts'
import { withId } from '../configuration.ts'
import type { WidgetRow } from '../rows.ts'
import { tryRendering } from '../templates/preview.ts'
import { templatesOfVersions } from '../templates/rows.ts'
import type { PageKey } from './files.ts'

/** Most widgets that are rendered: those of one page, and those of all pages of its file. */
const WIDGETS_MAX = 300

/** The HTML of the widgets of a region, in their order. */
export interface RenderedRegion {
  name: string
  html: string
}

type Placed = Pick<WidgetRow, 'uuid' | 'version_uuid' | 'widget_configuration'> & { region: string }

/**
 * Renders the widgets of a page on a channel: those of all pages of its file, and those of its entity. A widget whose template fails is
 * left out, so that the page stays usable. Rendering is slow and must not run in a transaction.
 * @throws Problem 503 if all renderers are busy
 */
export async function renderRegions(
  renderers: Renderers,
  db: Db,
  { channel, template_file, entity_id }: PageKey & { channel: number },
): Promise<RenderedRegion[]> {
  const placed = await db.rows<Placed>(
    prepared(sql`
    select placement.region, widget.uuid, widget.version_uuid, widget.widget_configuration
    from widget_placements placement
    join widgets widget on widget.store_id = ${db.store.id} and widget.uuid = placement.widget_uuid
    where placement.store_id = ${db.store.id} and placement.channel_id = ${channel}
      and placement.template_file = ${template_file} and placement.entity_id in ('', ${entity_id})
      and placement.status = 'active'
    order by placement.region, placement.sort_order, placement.id limit ${WIDGETS_MAX}`),
  )
  if (placed.length === 0) return []
  const templates = await templatesOfVersions(
    db,
    placed.map(({ version_uuid }) => version_uuid),
  )
  const rendered = await Promise.all(
    placed.map(async ({ region, uuid, version_uuid, widget_configuration }) => {
      const template = templates.get(version_uuid)?.template ?? ''
      const outcome = await tryRendering(renderers, db, template, withId(widget_configuration, uuid))
      return { region, html: outcome.ok ? (outcome.rendered.outputs.template ?? '') : '' }
    }),
  )
  return [...Map.groupBy(rendered, ({ region }) => region)].map(([name, widgets]) => ({
    name,
    html: widgets.map(({ html }) => html).join(''),
  }))
}
