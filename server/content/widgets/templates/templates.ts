import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { ComparedText } from '../../../core/rest/lists/filters.ts'
import { PageMeta, pagination, paging } from '../../../core/rest/lists/paging.ts'
import { change, insertOne, remove, takeIds } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem, unknownId } from '../../../core/rest/problem.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import { ChannelId, ChannelIds, FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import { isOfLiveChannel, lockLiveChannelsShared } from '../../../shop/channels/live-channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { BUILTIN_TEMPLATES, builtinWidgetTemplate } from './builtin.ts'
import { findTemplateRow, templateOfVersion, templatesOfVersions } from './rows.ts'
import {
  bytesOfTexts,
  CUSTOM,
  type TemplateTexts,
  templateMistakes,
  WidgetTemplate,
  type WidgetTemplateRow,
  widgetTemplates,
} from './shape.ts'

const { read, write } = access('content')

/** Most custom templates of a channel. */
const CHANNEL_MAX = 1_000
/** Most versions of a template. */
const VERSIONS_MAX = 100

const { name, template, schema, schema_translations, storefront_api_query } = WidgetTemplate.properties
const texts = { schema, schema_translations, template, storefront_api_query }
const Changes = t.Partial(
  t.Object({
    name,
    ...texts,
    channel_id: ChannelId,
    create_new_version: t.Boolean({ description: 'Whether existing widgets keep the current texts' }),
  }),
  { title: 'WidgetTemplateChanges', examples: [{ name: 'Greeting of the day' }] },
)
type Changes = Static<typeof Changes>
const NewTemplate = t.Object(
  { ...t.Partial(t.Object({ ...texts, channel_id: ChannelId })).properties, name, template },
  { title: 'NewWidgetTemplate', examples: [{ name: 'Greeting', template: '<p>Hello {{name}}</p>' }] },
)

const TemplateList = t.Object(
  {
    widget_template_kind: t.Optional(ComparedText),
    'channel_id:in': t.Optional(ChannelIds),
    ...paging,
  },
  { additionalProperties: false, table: 'widget_templates' },
)
type TemplateList = Static<typeof TemplateList> & { page: number; limit: number }

export const TEMPLATES_PATH = '/content/widget-templates'
export const UUID_SEGMENT = ':uuid(^[0-9a-fA-F-]{36}$)'
export const UuidParams = t.Object({ uuid: t.String({ format: 'uuid' }) })

/** Routes of widget templates (docs/contract/widgets.md section 1). */
export function widgetTemplateRoutes(api: Api) {
  const one = `${TEMPLATES_PATH}/${UUID_SEGMENT}`
  const response = { 200: envelope(WidgetTemplate) }

  api.get(
    TEMPLATES_PATH,
    {
      ...read,
      schema: {
        summary: 'List the widget templates',
        description: 'Built-in templates come first.',
        querystring: TemplateList,
        response: { 200: t.Object({ data: t.Array(WidgetTemplate), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { page = 1, limit = 50 } = query
      return listTemplates(db, { ...query, page, limit })
    },
  )

  api.post(
    TEMPLATES_PATH,
    {
      ...write,
      schema: {
        summary: 'Create a widget template',
        description: `A channel can have ${CHANNEL_MAX} templates, and a store ${widgetTemplates.max}.`,
        body: NewTemplate,
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => createWidgetTemplate(tx, body))),
  )

  api.get(
    one,
    {
      ...read,
      schema: {
        summary: 'Get a widget template',
        params: UuidParams,
        querystring: t.Object({
          version_uuid: t.Optional(t.String({ format: 'uuid', description: 'Texts of this version' })),
        }),
        response,
      },
    },
    async ({ db, params, query }) => answer(await findTemplate(db, params.uuid, query.version_uuid)),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a widget template',
        description:
          'A change of the texts changes all widgets of the current version, unless it creates a new version.',
        params: UuidParams,
        body: Changes,
        response,
      },
    },
    async ({ db, params, body }) =>
      answer(await db.transaction((tx) => changeWidgetTemplate(tx, params.uuid.toLowerCase(), body))),
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a widget template', params: UuidParams } },
    async ({ db, params }) => {
      await db.transaction((tx) => deleteTemplate(tx, params.uuid.toLowerCase()))
      return noContent()
    },
  )
}

/** One page of the built-in templates and then the stored ones, each with its current version. */
async function listTemplates(db: Db, query: TemplateList) {
  const { widget_template_kind: kind, 'channel_id:in': channels, page, limit } = query
  const offset = (page - 1) * limit
  const builtin = BUILTIN_TEMPLATES.filter((one) => !channels && (kind === undefined || one.kind === kind))
  const builtinPage = builtin.slice(offset, offset + limit)
  const conditions = sql.and([
    isOfLiveChannel(db, 'widget_templates.channel_id'),
    ...(channels ? [sql`channel_id = any(${channels}::bigint[])`] : []),
    ...(kind === undefined || kind === CUSTOM ? [] : [sql`false`]),
  ])
  const { total, versions } = await db.row<{ total: number; versions: string[] }>(sql`
    with listed as materialized (
      select id, current_version_uuid from widget_templates where store_id = ${db.store.id} and ${conditions}
    )
    select (select count(*)::int from listed) as total, coalesce((
      select jsonb_agg(current_version_uuid order by id) from (
        select id, current_version_uuid from listed order by id
        limit ${limit - builtinPage.length} offset ${Math.max(0, offset - builtin.length)}
      ) page
    ), '[]') as versions`)
  const templates = await templatesOfVersions(db, versions)
  const data = [...builtinPage, ...versions.flatMap((version) => templates.get(version) ?? [])]
  const counts = { total: builtin.length + total, count: data.length, page, limit }
  return answer(data, { pagination: pagination(counts, query) })
}

/** A template with the texts of its current or another version. @throws Problem 404, also for a version of another template */
export async function findTemplate(db: Db, given: string, version?: string): Promise<WidgetTemplate> {
  const uuid = given.toLowerCase()
  const { current_version_uuid: current } = builtinWidgetTemplate(uuid) ?? (await findTemplateRow(db, uuid)) ?? {}
  if (current === undefined) throw notFound(widgetTemplates.noun, given)
  const found = await templateOfVersion(db, version?.toLowerCase() ?? current)
  if (found.uuid !== uuid) throw notFound('version', version ?? current)
  return found
}

export async function createWidgetTemplate(tx: Tx, body: Static<typeof NewTemplate>): Promise<WidgetTemplate> {
  const { name, channel_id = FIRST_CHANNEL, schema_translations = '', ...given } = body
  const texts: TemplateTexts = { schema: [], storefront_api_query: '', ...given }
  refuse(templateMistakes({ ...texts, schema_translations }))
  // The counter is locked first, so concurrent requests count one after another.
  const ids = await takeIds(tx, [[widgetTemplates, 1]])
  await refuseFullChannel(tx, channel_id)
  const [uuid, current_version_uuid] = [newUuid(), newUuid()]
  await insertOne(tx, widgetTemplates, {
    id: ids.next(widgetTemplates),
    uuid,
    channel_id,
    name,
    schema_translations,
    current_version_uuid,
    date_created: tx.now.toISOString(),
    date_modified: tx.now.toISOString(),
  })
  await insertVersion(tx, { uuid: current_version_uuid, template_uuid: uuid, number: 1 }, texts)
  return templateOfVersion(tx, current_version_uuid)
}

/** Locks a channel against deletion. @throws Problem 422 for an unknown channel, 403 if it has all templates it may have */
async function refuseFullChannel(tx: Tx, channel: number) {
  if (!(await lockLiveChannelsShared(tx, [channel])).has(channel)) {
    refuse({ channel_id: unknownId('channel', channel) })
  }
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from widget_templates where store_id = ${tx.store.id} and channel_id = ${channel}`)
  if (count >= CHANNEL_MAX) throw new Problem(403, `A channel can have at most ${CHANNEL_MAX} widget templates.`)
}

const insertVersion = (
  tx: Tx,
  key: { uuid: string; template_uuid: string; number: number },
  { template, schema, storefront_api_query }: TemplateTexts,
) =>
  tx.rows(sql`
    insert into widget_template_versions ${sql.rows([
      {
        store_id: tx.store.id,
        ...key,
        template,
        schema: JSON.stringify(schema),
        storefront_api_query,
        bytes: bytesOfTexts({ template, schema, storefront_api_query }),
      },
    ])}`)

/** @throws Problem 404, 422 for a built-in template, 403 for a version too many */
export async function changeWidgetTemplate(tx: Tx, uuid: string, body: Changes): Promise<WidgetTemplate> {
  const row = await lockTemplate(tx, uuid)
  const { name, channel_id = row.channel_id, schema_translations, create_new_version = false, ...given } = body
  const mistakes: Mistakes = templateMistakes({
    ...given,
    ...(schema_translations === undefined ? {} : { schema_translations }),
  })
  if (channel_id !== row.channel_id) mistakes.channel_id = 'A template stays on its channel.'
  refuse(mistakes)
  const before = await templateOfVersion(tx, row.current_version_uuid)
  const texts = { ...before, ...given }
  const changesTexts = JSON.stringify(texts) !== JSON.stringify(before)
  const current_version_uuid = create_new_version ? await addVersion(tx, uuid, texts) : row.current_version_uuid
  if (changesTexts && !create_new_version) await changeVersion(tx, current_version_uuid, texts)
  const facts = {
    ...row,
    ...(name === undefined ? {} : { name }),
    ...(schema_translations === undefined ? {} : { schema_translations }),
    current_version_uuid,
  }
  if (!changesTexts && JSON.stringify(facts) === JSON.stringify(row)) return before
  await change(tx, widgetTemplates, row, { ...facts, date_modified: tx.now.toISOString() })
  return templateOfVersion(tx, current_version_uuid)
}

/** @throws Problem 404, 422 for a built-in template */
async function lockTemplate(tx: Tx, uuid: string): Promise<WidgetTemplateRow> {
  if (builtinWidgetTemplate(uuid)) throw new Problem(422, 'A built-in template can be neither changed nor deleted.')
  const row = await findTemplateRow(tx, uuid, sql`for update`)
  if (!row) throw notFound(widgetTemplates.noun, uuid)
  return row
}

/** Changes a version in place, and so all its widgets. */
const changeVersion = (tx: Tx, uuid: string, { template, schema, storefront_api_query }: TemplateTexts) =>
  tx.rows(sql`
    update widget_template_versions set ${sql.set({
      template,
      schema: JSON.stringify(schema),
      storefront_api_query,
      bytes: bytesOfTexts({ template, schema, storefront_api_query }),
    })} where store_id = ${tx.store.id} and uuid = ${uuid}`)

/**
 * Adds a version. At the limit the oldest version without widgets makes room.
 * @returns its uuid
 * @throws Problem 403 if widgets use all versions
 */
async function addVersion(tx: Tx, template_uuid: string, texts: TemplateTexts): Promise<string> {
  const ofTemplate = sql`store_id = ${tx.store.id} and template_uuid = ${template_uuid}`
  const { count, last } = await tx.row<{ count: number; last: number }>(sql`
    select count(*)::int as count, coalesce(max(number), 0) as last from widget_template_versions where ${ofTemplate}`)
  if (count >= VERSIONS_MAX) {
    const gone = await tx.rows(sql`
      delete from widget_template_versions where ${ofTemplate} and number = (
        select min(number) from widget_template_versions version where ${ofTemplate}
          and not exists (select from widgets where store_id = ${tx.store.id} and version_uuid = version.uuid)
          and not exists (select from page_widget_versions where store_id = ${tx.store.id} and version_uuid = version.uuid))
      returning uuid`)
    if (gone.length === 0) throw new Problem(403, `A widget template can have at most ${VERSIONS_MAX} versions in use.`)
  }
  const uuid = newUuid()
  await insertVersion(tx, { uuid, template_uuid, number: last + 1 }, texts)
  return uuid
}

/** @throws Problem 404, 422 for a built-in template or one with widgets */
async function deleteTemplate(tx: Tx, uuid: string) {
  const { id } = await lockTemplate(tx, uuid)
  const uses = await tx.rows(
    prepared(sql`
    select 1 as one where exists (select from widgets where store_id = ${tx.store.id} and widget_template_uuid = ${uuid})
      or exists (select from page_widget_versions where store_id = ${tx.store.id} and widget_template_uuid = ${uuid})`),
  )
  if (uses.length > 0) throw new Problem(422, 'Widgets use this template. Delete them first.')
  await tx.rows(
    sql`delete from widget_template_versions where store_id = ${tx.store.id} and template_uuid = ${uuid} returning uuid`,
  )
  await remove(tx, widgetTemplates, id)
}
