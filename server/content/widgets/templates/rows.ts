import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { isOfLiveChannel } from '../../../shop/channels/live-channels.ts'
import { BUILTIN_TEMPLATES, builtinOfVersion, builtinWidgetTemplate } from './builtin.ts'
import { CUSTOM, type TemplateTexts, type WidgetTemplate, type WidgetTemplateRow, widgetTemplates } from './shape.ts'

/** UTF-8 bytes of the templates of one answer: 250 of the longest would have 190 MiB. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

interface VersionRow extends WidgetTemplateRow, TemplateTexts {
  version_uuid: string
  total: number
}

/**
 * Reads templates with the texts of certain versions, by one statement.
 * @param versions of stored and of built-in templates; one that several widgets of an answer use is named for each of them
 * @returns the templates by version
 * @throws Problem 413 if the answer would be too long
 */
export async function templatesOfVersions(
  db: Db,
  versions: readonly string[],
): Promise<ReadonlyMap<string, WidgetTemplate>> {
  const found = new Map<string, WidgetTemplate>()
  const uses: { uuid: string; times: number }[] = []
  for (const [uuid, { length: times }] of Map.groupBy(versions, (version) => version)) {
    const builtin = builtinOfVersion(uuid)
    if (builtin) found.set(uuid, builtin)
    else uses.push({ uuid, times })
  }
  if (uses.length === 0) return found
  // Texts that would be refused are not read.
  const text = (column: string) =>
    sql`case when total <= ${ANSWER_BYTES_MAX} then ${sql.id(column)} end as ${sql.id(column)}`
  const rows = await db.rows<VersionRow>(
    prepared(sql`
    select id, uuid, channel_id, name, schema_translations, current_version_uuid, date_created, date_modified,
      version_uuid, total, ${text('template')}, ${text('schema')}, ${text('storefront_api_query')}
    from (
      select stored.*, version.uuid as version_uuid, version.template, version.schema, version.storefront_api_query,
        (sum((version.bytes + octet_length(stored.schema_translations))::bigint * used.times) over ())::int8 as total
      from ${sql.table('used', uses, { uuid: 'text', times: 'int' })}
        join widget_template_versions version on version.store_id = ${db.store.id} and version.uuid = used.uuid
        join widget_templates stored on stored.store_id = ${db.store.id} and stored.uuid = version.template_uuid
    ) sized`),
  )
  if (Number(rows[0]?.total ?? 0) > ANSWER_BYTES_MAX) {
    throw new Problem(
      413,
      'The templates of this answer have more than 16 MiB together.',
      {},
      { detail: 'Lower limit.' },
    )
  }
  for (const { version_uuid, total: _, ...row } of rows) found.set(version_uuid, customTemplate(row))
  return found
}

const customTemplate = ({
  id: _,
  date_created,
  date_modified,
  ...row
}: WidgetTemplateRow & TemplateTexts): WidgetTemplate => ({
  uuid: row.uuid,
  name: row.name,
  kind: CUSTOM,
  channel_id: row.channel_id,
  icon_name: 'default',
  client_rerender: false,
  template_engine: 'handlebars_v3',
  schema: row.schema,
  schema_translations: row.schema_translations,
  template: row.template,
  storefront_api_query: row.storefront_api_query,
  current_version_uuid: row.current_version_uuid,
  date_created: inMilliseconds(date_created),
  date_modified: inMilliseconds(date_modified),
})

/** Times of widgets have milliseconds (docs/contract/widgets.md). */
export const inMilliseconds = (moment: string) => new Date(moment).toISOString()

/** The template with the texts of one version. @throws Problem 404 */
export async function templateOfVersion(db: Db, version: string): Promise<WidgetTemplate> {
  const template = (await templatesOfVersions(db, [version])).get(version)
  if (!template) throw notFound('version', version)
  return template
}

/** A stored template, except for one of a deleted channel. */
export async function findTemplateRow(
  db: Db,
  uuid: string,
  lock: Sql = sql.empty,
): Promise<WidgetTemplateRow | undefined> {
  const isThere = sql`uuid = ${uuid} and ${isOfLiveChannel(db, 'widget_templates.channel_id')}`
  return (await findWhere(db, widgetTemplates, isThere, lock))[0]
}

/** A template that widgets can name. */
export type UsableTemplate = Pick<WidgetTemplate, 'uuid' | 'channel_id' | 'current_version_uuid'>

/**
 * The templates of widgets, locked against deletion.
 * @returns those that exist, by uuid
 */
export async function lockTemplatesShared(
  tx: Tx,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, UsableTemplate>> {
  const wanted = [...new Set(uuids)]
  const stored = wanted.filter((uuid) => !builtinWidgetTemplate(uuid))
  const rows =
    stored.length === 0
      ? []
      : await tx.rows<UsableTemplate>(
          prepared(sql`
          select uuid, channel_id, current_version_uuid from widget_templates
          where store_id = ${tx.store.id} and uuid = any(${stored}) order by id for share`),
        )
  const builtin = wanted.flatMap((uuid) => builtinWidgetTemplate(uuid) ?? [])
  return new Map([...builtin, ...rows].map((template) => [template.uuid, template]))
}

/** Whether widgets of a channel may have a template. */
export const isUsableOn = (channel: number, { channel_id }: UsableTemplate) =>
  channel_id === 0 || channel_id === channel

/** The condition that widgets have a template of a kind. @param column with the uuid of the template */
export function isOfKind(kind: string, column: string): Sql {
  const uuids = (templates: readonly WidgetTemplate[]) => templates.map(({ uuid }) => uuid)
  if (kind === CUSTOM) return sql`${sql.raw(column)} <> all(${uuids(BUILTIN_TEMPLATES)})`
  return sql`${sql.raw(column)} = any(${uuids(BUILTIN_TEMPLATES.filter((template) => template.kind === kind))})`
}
