import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { IdList, ListOf } from '../../core/rest/input/fields.ts'
import { hasAny, type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { envelope, type ListQuery } from '../../core/rest/lists/collection.ts'
import { lockCounters } from '../../core/rest/lists/counters.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { change, differences, insertOne, remove, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { unknownId } from '../../core/rest/problem.ts'
import { newUuid } from '../../core/secrets/row-ids.ts'
import { ChannelIds, FIRST_CHANNEL } from '../../shop/channels/channels.ts'
import { isOfLiveChannel, lockLiveChannelsShared } from '../../shop/channels/live-channels.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { configurationMistakes, withoutId } from './configuration.ts'
import { placements } from './placements/rows.ts'
import { findWidget, isOfSites, Widget, type WidgetRow, widgets, widgetsToAnswers } from './rows.ts'
import { TEXT_TEMPLATE } from './templates/builtin.ts'
import { isOfKind, isUsableOn, lockTemplatesShared, type UsableTemplate } from './templates/rows.ts'
import { UUID_SEGMENT, UuidParams } from './templates/templates.ts'

const { read, write } = access('content')

const Uuid = t.String({ format: 'uuid' })
const { name, description, widget_configuration, channel_id } = Widget.properties
const writable = { name, description, widget_configuration, widget_template_uuid: Uuid, channel_id }
const Changes = t.Partial(
  t.Object({ ...writable, upgrade: t.Boolean({ description: "Whether to move to the template's current version" }) }),
  { title: 'WidgetChanges', examples: [{ widget_configuration: { text: 'Good evening' } }] },
)
type Changes = Static<typeof Changes>
const NewWidget = t.Object(
  { ...t.Partial(t.Object(writable)).properties, name, widget_template_uuid: Uuid },
  {
    title: 'NewWidget',
    examples: [
      { name: 'Greeting', widget_template_uuid: TEXT_TEMPLATE, widget_configuration: { text: 'Good morning' } },
    ],
  },
)

const Listed = t.Unsafe<ListQuery & { 'site_id:in'?: number[] } & Filters>(
  t.Object(
    {
      widget_template_kind: t.Optional(ComparedText),
      widget_template_uuid: t.Optional(Uuid),
      name: t.Optional(ComparedText),
      'name:in': t.Optional(ListOf(ComparedText)),
      'channel_id:in': t.Optional(ChannelIds),
      'site_id:in': t.Optional(IdList),
      ...paging,
    },
    { additionalProperties: false, table: 'widgets' },
  ),
)

interface Filters {
  widget_template_kind?: string
  widget_template_uuid?: string
}

/** Routes of widgets (docs/contract/widgets.md section 3). */
export function widgetRoutes(api: Api) {
  const all = '/content/widgets'
  const one = `${all}/${UUID_SEGMENT}`
  const response = { 200: envelope(Widget) }

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the widgets',
        querystring: Listed,
        response: { 200: t.Object({ data: t.Array(Widget), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { data, meta } = await findRows(db, widgets, query, sql.and(conditionsOf(db, query)))
      return answer(await widgetsToAnswers(db, data.filter(isWhole)), meta)
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create a widget',
        description: `A store can have ${widgets.max} widgets.`,
        body: NewWidget,
        response,
      },
    },
    async ({ db, body }) => db.transaction(async (tx) => answerOne(tx, await createWidget(tx, body))),
  )

  api.get(one, { ...read, schema: { summary: 'Get a widget', params: UuidParams, response } }, async ({ db, params }) =>
    answerOne(db, await findWidget(db, params.uuid)),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a widget',
        description: 'Another template, or upgrade, moves the widget to the current version of its template.',
        params: UuidParams,
        body: Changes,
        response,
      },
    },
    async ({ db, params, body }) =>
      db.transaction(async (tx) => answerOne(tx, await changeWidget(tx, params.uuid, body))),
  )

  api.delete(one, { ...write, schema: { summary: 'Delete a widget', params: UuidParams } }, async ({ db, params }) => {
    await db.transaction((tx) => deleteWidget(tx, params.uuid))
    return noContent()
  })
}

const answerOne = async (db: Db, row: WidgetRow) => answer((await widgetsToAnswers(db, [row]))[0])

const isWhole = (row: Partial<WidgetRow>): row is WidgetRow => row.version_uuid !== undefined

/** The conditions of a list beside those of the collection. */
function conditionsOf(db: Db, query: Filters & { 'site_id:in'?: number[] }): Sql[] {
  const { widget_template_kind: kind, widget_template_uuid: template, 'site_id:in': sites } = query
  return [
    isOfLiveChannel(db, 'widgets.channel_id'),
    ...(kind === undefined ? [] : [isOfKind(kind, 'widget_template_uuid')]),
    ...(template === undefined ? [] : [sql`widget_template_uuid = ${template.toLowerCase()}`]),
    ...(sites ? [isOfSites(db, sites, 'widgets.channel_id')] : []),
  ]
}

export async function createWidget(tx: Tx, body: Static<typeof NewWidget>): Promise<WidgetRow> {
  const { name, description = '', widget_configuration = {}, channel_id = FIRST_CHANNEL } = body
  const mistakes = configurationMistakes(widget_configuration, 'widget_configuration')
  const ids = await takeIds(tx, [[widgets, 1]])
  if (!(await lockLiveChannelsShared(tx, [channel_id])).has(channel_id)) {
    mistakes.channel_id = unknownId('channel', channel_id)
  }
  const template = await usableTemplate(tx, body.widget_template_uuid.toLowerCase(), channel_id, mistakes)
  return insertOne(tx, widgets, {
    id: ids.next(widgets),
    uuid: newUuid(),
    name,
    description,
    widget_configuration: withoutId(widget_configuration),
    widget_template_uuid: template.uuid,
    version_uuid: template.current_version_uuid,
    channel_id,
    date_created: tx.now.toISOString(),
    date_modified: tx.now.toISOString(),
  })
}

/** Locks the template of a widget against deletion. @throws Problem 422 with all mistakes, also for a template of another channel */
async function usableTemplate(tx: Tx, uuid: string, channel: number, mistakes: Mistakes): Promise<UsableTemplate> {
  const template = (await lockTemplatesShared(tx, [uuid])).get(uuid)
  if (!template) mistakes.widget_template_uuid = unknownId('widget template', uuid)
  else if (!isUsableOn(channel, template)) mistakes.widget_template_uuid = 'The template belongs to another channel.'
  refuse(mistakes)
  if (!template) throw new Error('An unknown template was not refused.')
  return template
}

/** @throws Problem 404, 422 */
async function changeWidget(tx: Tx, uuid: string, body: Changes): Promise<WidgetRow> {
  const before = await findWidget(tx, uuid, sql`for update`)
  const { upgrade = false, widget_template_uuid, widget_configuration, channel_id, ...given } = body
  const mistakes = configurationMistakes(widget_configuration, 'widget_configuration')
  if (channel_id !== undefined && channel_id !== before.channel_id)
    mistakes.channel_id = 'A widget stays on its channel.'
  const wanted = widget_template_uuid?.toLowerCase() ?? before.widget_template_uuid
  const moves = upgrade || wanted !== before.widget_template_uuid
  if (!moves && hasAny(mistakes)) refuse(mistakes)
  const template = moves ? await usableTemplate(tx, wanted, before.channel_id, mistakes) : undefined
  const changes = differences(before, {
    ...given,
    ...(widget_configuration ? { widget_configuration: withoutId(widget_configuration) } : {}),
    ...(template ? { widget_template_uuid: template.uuid, version_uuid: template.current_version_uuid } : {}),
  })
  if (Object.keys(changes).length === 0) return before
  return change(tx, widgets, before, { ...changes, date_modified: tx.now.toISOString() })
}

/** Deletes a widget with its placements. Counters are locked first, as by requests that create rows. @throws Problem 404 */
async function deleteWidget(tx: Tx, uuid: string) {
  await lockCounters(tx, [placements.table, widgets.table])
  const { id, uuid: stored } = await findWidget(tx, uuid, sql`for update`)
  await removeAll(tx, placements, sql`widget_uuid = ${stored}`)
  await remove(tx, widgets, id)
}
