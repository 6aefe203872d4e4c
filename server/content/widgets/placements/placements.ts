import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { IdList } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope, type ListQuery } from '../../../core/rest/lists/collection.ts'
import { lockCounter } from '../../../core/rest/lists/counters.ts'
import { ComparedText } from '../../../core/rest/lists/filters.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../../core/rest/lists/paging.ts'
import { change, differences, findWhere, insertOne, remove, takeIds } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem, unknownId } from '../../../core/rest/problem.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import { ChannelIds } from '../../../shop/channels/channels.ts'
import { isOfLiveChannel } from '../../../shop/channels/live-channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { isOfSites, type WidgetRow, widgets } from '../rows.ts'
import { isOfKind } from '../templates/rows.ts'
import { UUID_SEGMENT, UuidParams } from '../templates/templates.ts'
import { pageMistakes, storedEntityType } from './files.ts'
import { Placement, type PlacementRow, placements, placementsToAnswers } from './rows.ts'

const { read, write } = access('content')

/** Most placements of a template file of a channel. */
const FILE_MAX = 75
/** Most widgets of a page: of one template file and entity. */
export const PAGE_WIDGETS_MAX = 150

/** A widget of the examples, which the server has not assigned. */
export const A_WIDGET = '3f0c6b1e-94f5-4f57-9c3b-5ad6b4f0d100'

const Uuid = t.String({ format: 'uuid' })
const { template_file, entity_id, sort_order, region, status, channel_id } = Placement.properties
const writable = { widget_uuid: Uuid, template_file, channel_id, entity_id, sort_order, region, status }
const Changes = t.Partial(t.Object(writable), { title: 'PlacementChanges', examples: [{ status: 'active' }] })
type Changes = Static<typeof Changes>
const NewPlacement = t.Object(
  { ...Changes.properties, widget_uuid: Uuid, template_file },
  {
    title: 'NewPlacement',
    examples: [{ widget_uuid: A_WIDGET, template_file: 'pages/home', region: 'home_below_headline' }],
  },
)

interface Filters {
  widget_template_kind?: string
  widget_template_uuid?: string
  widget_uuid?: string
  template_file?: string
  'site_id:in'?: number[]
}

const Listed = t.Unsafe<ListQuery & Filters>(
  t.Object(
    {
      widget_template_kind: t.Optional(ComparedText),
      template_file: t.Optional(ComparedText),
      widget_uuid: t.Optional(Uuid),
      widget_template_uuid: t.Optional(Uuid),
      'channel_id:in': t.Optional(ChannelIds),
      'site_id:in': t.Optional(IdList),
      ...paging,
    },
    { additionalProperties: false, table: 'widget_placements' },
  ),
)

/** Routes of placements (docs/contract/widgets.md section 4). */
export function placementRoutes(api: Api) {
  const all = '/content/placements'
  const one = `${all}/${UUID_SEGMENT}`
  const response = { 200: envelope(Placement) }

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the placements',
        querystring: Listed,
        response: { 200: t.Object({ data: t.Array(Placement), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { data, meta } = await findRows(db, placements, query, sql.and(conditionsOf(db, query)))
      return answer(await placementsToAnswers(db, data.filter(isWhole)), meta)
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create a placement',
        description: `A template file can have ${FILE_MAX} placements on a channel, and a store ${placements.max}.`,
        body: NewPlacement,
        response,
      },
    },
    async ({ db, body }) => db.transaction(async (tx) => answerOne(tx, await createPlacement(tx, body))),
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a placement', params: UuidParams, response } },
    async ({ db, params }) => answerOne(db, await findPlacement(db, params.uuid)),
  )

  api.put(
    one,
    { ...write, schema: { summary: 'Change a placement', params: UuidParams, body: Changes, response } },
    async ({ db, params, body }) =>
      db.transaction(async (tx) => answerOne(tx, await changePlacement(tx, params.uuid, body))),
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a placement', params: UuidParams } },
    async ({ db, params }) => {
      await db.transaction(async (tx) => {
        await lockCounter(tx, placements.table)
        await remove(tx, placements, (await findPlacement(tx, params.uuid, sql`for update`)).id)
      })
      return noContent()
    },
  )
}

/** @throws Problem 404 if the widget was deleted meanwhile, and the placement with it */
async function answerOne(db: Db, row: PlacementRow) {
  const [placement] = await placementsToAnswers(db, [row])
  if (!placement) throw notFound(placements.noun, row.uuid)
  return answer(placement)
}

const isWhole = (row: Partial<PlacementRow>): row is PlacementRow => row.widget_uuid !== undefined

/** The conditions of a list beside those of the collection. */
function conditionsOf(db: Db, query: Filters): Sql[] {
  const { widget_template_kind: kind, widget_template_uuid: template, 'site_id:in': sites, template_file } = query
  const ofWidget = [
    ...(kind === undefined ? [] : [isOfKind(kind, 'widget_template_uuid')]),
    ...(template === undefined ? [] : [sql`widget_template_uuid = ${template.toLowerCase()}`]),
  ]
  return [
    isOfLiveChannel(db, 'widget_placements.channel_id'),
    ...(query.widget_uuid === undefined ? [] : [sql`widget_uuid = ${query.widget_uuid.toLowerCase()}`]),
    ...(template_file === undefined ? [] : [sql`template_file = ${template_file}`]),
    ...(sites ? [isOfSites(db, sites, 'widget_placements.channel_id')] : []),
    ...(ofWidget.length === 0
      ? []
      : [sql`widget_uuid in (select uuid from widgets where store_id = ${db.store.id} and ${sql.and(ofWidget)})`]),
  ]
}

/** A placement, except for one of a deleted channel. @throws Problem 404 */
async function findPlacement(db: Db, uuid: string, lock: Sql = sql.empty): Promise<PlacementRow> {
  const isThere = sql`uuid = ${uuid.toLowerCase()} and ${isOfLiveChannel(db, 'widget_placements.channel_id')}`
  const [row] = await findWhere(db, placements, isThere, lock)
  if (!row) throw notFound(placements.noun, uuid)
  return row
}

/** @throws Problem 422; 403 at a limit */
export async function createPlacement(tx: Tx, body: Static<typeof NewPlacement>): Promise<PlacementRow> {
  const { widget_uuid, channel_id, ...given } = body
  const values = { entity_id: '', sort_order: 0, region: '', status: 'inactive' as const, ...given }
  const mistakes: Mistakes = pageMistakes(values)
  // The counter is locked first, so concurrent requests count one after another.
  const ids = await takeIds(tx, [[placements, 1]])
  const widget = await lockWidgetShared(tx, widget_uuid.toLowerCase(), channel_id, mistakes)
  const key = { ...values, channel_id: widget.channel_id }
  await refuseFullPage(tx, key)
  await refuseFullFile(tx, key)
  return insertOne(tx, placements, {
    id: ids.next(placements),
    uuid: newUuid(),
    widget_uuid: widget.uuid,
    ...values,
    channel_id: widget.channel_id,
    entity_type: storedEntityType(values),
    date_created: tx.now.toISOString(),
    date_modified: tx.now.toISOString(),
  })
}

/** @throws Problem 404, 422; 403 at a limit */
async function changePlacement(tx: Tx, uuid: string, body: Changes): Promise<PlacementRow> {
  await lockCounter(tx, placements.table)
  const before = await findPlacement(tx, uuid, sql`for update`)
  const { widget_uuid = before.widget_uuid, channel_id, ...given } = body
  const after = { ...before, ...given }
  const mistakes: Mistakes = pageMistakes(after)
  const widget = await lockWidgetShared(tx, widget_uuid.toLowerCase(), channel_id, mistakes)
  const changes = differences(before, { ...given, widget_uuid: widget.uuid, channel_id: widget.channel_id })
  if (Object.keys(changes).length === 0) return before
  const key = { ...after, channel_id: widget.channel_id }
  const isOnSameFile = key.template_file === before.template_file && key.channel_id === before.channel_id
  if (!isOnSameFile || key.entity_id !== before.entity_id) await refuseFullPage(tx, key)
  if (!isOnSameFile) await refuseFullFile(tx, key)
  return change(tx, placements, before, {
    ...changes,
    entity_type: storedEntityType(after),
    date_modified: tx.now.toISOString(),
  })
}

/**
 * Locks the widget of a placement against deletion.
 * @param channel as the request names it
 * @throws Problem 422 with all mistakes, also for another channel than that of the widget
 */
async function lockWidgetShared(
  tx: Tx,
  uuid: string,
  channel: number | undefined,
  mistakes: Mistakes,
): Promise<WidgetRow> {
  const isThere = sql`uuid = ${uuid} and ${isOfLiveChannel(tx, 'widgets.channel_id')}`
  const [widget] = await findWhere(tx, widgets, isThere, sql`for share`)
  if (!widget) mistakes.widget_uuid = unknownId('widget', uuid)
  else if (channel !== undefined && channel !== widget.channel_id) {
    mistakes.channel_id = `The widget belongs to the channel ${widget.channel_id}.`
  }
  refuse(mistakes)
  if (!widget) throw new Error('An unknown widget was not refused.')
  return widget
}

type PlacementKey = Pick<PlacementRow, 'channel_id' | 'template_file' | 'entity_id'>

/** @throws Problem 422 if a page has all widgets that it may have: placements, and widgets that were published together */
async function refuseFullPage(tx: Tx, { channel_id, template_file, entity_id }: PlacementKey) {
  const isThere = sql`store_id = ${tx.store.id} and channel_id = ${channel_id} and template_file = ${template_file} and entity_id = ${entity_id}`
  const { total } = await tx.row<{ total: number }>(sql`
    select (select count(*) from widget_placements where ${isThere})::int
      + coalesce((select widgets from page_widgets where ${isThere}), 0) as total`)
  if (total >= PAGE_WIDGETS_MAX) refuse({ template_file: `A page can have at most ${PAGE_WIDGETS_MAX} widgets.` })
}

/** @throws Problem 403 if a template file has all placements that it may have */
async function refuseFullFile(tx: Tx, { channel_id, template_file }: PlacementKey) {
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from widget_placements
    where store_id = ${tx.store.id} and channel_id = ${channel_id} and template_file = ${template_file}`)
  if (count >= FILE_MAX) throw new Problem(403, `A template file can have at most ${FILE_MAX} placements on a channel.`)
}
