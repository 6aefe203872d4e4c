import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { Answer, answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { ListOf, Moment } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { PageMeta, pagination, paging } from '../../core/rest/lists/paging.ts'
import { invalid, Problem } from '../../core/rest/problem.ts'
import { newUuid } from '../../core/secrets/row-ids.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { activeThemes, setSavedConfiguration } from '../channels/active-theme.ts'
import { ChannelId, ChannelIds } from '../channels/channels.ts'
import { findSiteOfChannel } from '../channels/sites/shape.ts'
import { hasUnstorableKey, originalSettings, type Schema, type Settings, type ThemeConfig } from './bundle/config.ts'
import { lockThemeChannel } from './channel.ts'
import { faultsOfSettings } from './settings.ts'
import { findTheme, lockTheme, type ThemeRow, ThemeUuid, themeUuidSegment, touchTheme, UuidText } from './shape.ts'
import { STOCK, stockBundle } from './stock.ts'

/** Configurations of one theme. */
const CONFIGURATIONS_MAX = 100
const SETTINGS_MAX = 1024 * 1024

const Values = t.Record(t.String(), t.Unknown())
/** The values of a variation by name (docs/contract/themes.md section 2). */
const Configuration = t.Object(
  {
    uuid: ThemeUuid,
    theme_uuid: ThemeUuid,
    variation_id: ThemeUuid,
    variation_uuid: ThemeUuid,
    settings: Values,
    date_created: Moment,
    site_id: t.Integer(),
    channel_id: t.Integer(),
  },
  { title: 'ThemeConfiguration' },
)

const examples = [{ variation_id: STOCK.variations[0].uuid, settings: { 'show-search': false } }]
const NewConfiguration = t.Object(
  { variation_id: UuidText, settings: Values, channel_id: t.Optional(ChannelId) },
  { title: 'NewThemeConfiguration', examples },
)
const TriedConfiguration = t.Object(
  { variation_id: UuidText, settings: Values },
  { title: 'ThemeConfigurationToValidate', examples },
)

export interface ConfigurationRow {
  uuid: string
  theme_uuid: string
  variation_uuid: string
  external_id: string
  is_original: boolean
  settings: Settings | null
  date_created: string
  site_id: number
  channel_id: number
}

/** Configurations of themes: listed, tried and saved (docs/contract/themes.md section 8). */
export function configurationRoutes(api: Api) {
  const { read, write } = access('themes')
  // The files of the stock theme are read once in a process, and never while a transaction waits.
  const prepared = { ...write, config: { ...write.config, prepare: async () => void (await stockBundle()) } }
  const path = `/themes/${themeUuidSegment('uuid')}/configurations`
  const params = t.Object({ uuid: ThemeUuid })

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: 'List the configurations of a theme',
        description:
          'At least one filter is required. By channel, the active and the last saved configurations are returned.',
        params,
        querystring: t.Object(
          {
            'uuid:in': t.Optional(ListOf(UuidText)),
            variation_uuid: t.Optional(UuidText),
            'channel_id:in': t.Optional(ChannelIds),
            site_id: t.Optional(t.String({ description: 'Has no effect' })),
            ...paging,
          },
          { additionalProperties: false, examples: [{ variation_uuid: STOCK.variations[0].uuid }] },
        ),
        response: { 200: t.Object({ data: t.Array(Configuration), meta: PageMeta }) },
      },
    },
    async ({ db, params: { uuid }, query }) => {
      await findTheme(db, uuid)
      const { page = 1, limit = 50 } = query
      const conditions = await conditionsOf(db, uuid, query)
      const all = await db.rows<{ uuid: string }>(sql`
        select uuid from theme_configurations
        where store_id = ${db.store.id} and theme_uuid = ${uuid} and ${sql.and(conditions)} order by number`)
      const uuids = all.slice((page - 1) * limit, page * limit).map((row) => row.uuid)
      const data = await Promise.all(
        (await findConfigurations(db, sql`configuration.uuid = any(${uuids})`)).map(configurationToAnswer),
      )
      return answer(data, { pagination: pagination({ total: all.length, count: data.length, page, limit }, query) })
    },
  )

  api.post(
    `${path}/validate`,
    {
      ...prepared,
      schema: {
        summary: 'Try a configuration of a theme',
        operationId: 'validateThemeConfiguration',
        tag: 'Theme configurations',
        params,
        body: TriedConfiguration,
        response: { 200: envelope(t.Object({})) },
      },
    },
    async ({ db, params: { uuid }, body }) => {
      await refuseWrongSettings(db, await findTheme(db, uuid), body)
      return answer({})
    },
  )

  api.post(
    path,
    {
      ...prepared,
      schema: {
        summary: 'Save a configuration of a theme',
        description:
          'A theme can have 100 configurations. With a channel, the new one is its last saved configuration.',
        operationId: 'createThemeConfiguration',
        params,
        body: NewConfiguration,
        response: { 201: envelope(Configuration) },
      },
    },
    async ({ db, params: { uuid }, body }) => {
      return new Answer({ data: await db.transaction((tx) => saveConfiguration(tx, uuid, body)), meta: {} }, 201)
    },
  )
}

interface Filters {
  'uuid:in'?: string[]
  variation_uuid?: string
  'channel_id:in'?: number[]
}

/** @throws Problem 422 where nothing is asked for */
async function conditionsOf(db: Db, theme: string, filters: Filters): Promise<Sql[]> {
  const { 'uuid:in': uuids, variation_uuid, 'channel_id:in': channels } = filters
  if (!uuids && variation_uuid === undefined && !channels) {
    throw new Problem(422, 'The query is not valid: it needs uuid:in, variation_uuid or channel_id:in.')
  }
  const conditions: Sql[] = []
  if (uuids) conditions.push(sql`uuid = any(${uuids})`)
  if (variation_uuid !== undefined) conditions.push(sql`variation_uuid = ${variation_uuid}`)
  if (channels) {
    const active = (await activeThemes(db)).filter(
      ({ channel_id, active_theme_uuid }) => active_theme_uuid === theme && channels.includes(channel_id),
    )
    const ofChannels = active.flatMap((row) => [
      row.active_theme_configuration_uuid,
      row.saved_theme_configuration_uuid,
    ])
    conditions.push(sql`uuid = any(${ofChannels})`)
  }
  return conditions
}

/** Configurations in the order in which they were made. */
export const findConfigurations = (db: Db, where: Sql) =>
  db.rows<ConfigurationRow>(sql`
    select configuration.uuid, configuration.theme_uuid, variation_uuid, external_id, is_original, settings, date_created, site_id,
      channel_id
    from theme_configurations configuration join theme_variations variation
      on variation.store_id = ${db.store.id} and variation.uuid = variation_uuid
    where configuration.store_id = ${db.store.id} and ${where} order by configuration.theme_uuid, number`)

async function configurationToAnswer(row: ConfigurationRow): Promise<Static<typeof Configuration>> {
  const { uuid, theme_uuid, variation_uuid, date_created, site_id, channel_id } = row
  return {
    uuid,
    theme_uuid,
    variation_id: variation_uuid,
    variation_uuid,
    settings: await configurationSettings(row),
    date_created,
    site_id,
    channel_id,
  }
}

/** The values of a configuration. Originals of the stock theme are as its folder says. */
export const configurationSettings = async ({
  settings,
  external_id,
}: Pick<ConfigurationRow, 'settings' | 'external_id'>): Promise<Settings> =>
  settings ?? originalSettings((await stockBundle()).config, external_id)

/** The config.json and schema.json of a theme. */
export async function sourcesOf(
  db: Db,
  theme: Pick<ThemeRow, 'uuid'>,
): Promise<{ config: ThemeConfig; schema: Schema | null }> {
  const { config, schema } = await db.row<{ config: ThemeConfig | null; schema: Schema | null }>(
    sql`select config, schema from themes where store_id = ${db.store.id} and uuid = ${theme.uuid}`,
  )
  return config ? { config, schema } : stockBundle()
}

/** @throws Problem 422 with a sentence for each wrong value, 413 for too many */
async function refuseWrongSettings(
  db: Db,
  theme: ThemeRow,
  { variation_id, settings }: { variation_id: string; settings: Settings },
) {
  const [variation] = await db.rows<{ external_id: string }>(sql`
    select external_id from theme_variations
    where store_id = ${db.store.id} and theme_uuid = ${theme.uuid} and uuid = ${variation_id}`)
  if (!variation) throw invalid({ variation_id: 'The theme has no such variation.' })
  if (hasUnstorableKey(settings))
    throw invalid({ settings: 'Names must not contain U+0000 or half of a surrogate pair.' })
  if (JSON.stringify(settings).length > SETTINGS_MAX) throw new Problem(413, 'The settings are larger than 1 MiB.')
  const { config, schema } = await sourcesOf(db, theme)
  const faults: Mistakes = faultsOfSettings(settings, schema, originalSettings(config, variation.external_id))
  refuse(Object.fromEntries(Object.entries(faults).map(([id, sentence]) => [`settings.${id}`, sentence])))
}

async function saveConfiguration(tx: Tx, theme_uuid: string, body: Static<typeof NewConfiguration>) {
  const { variation_id, settings, channel_id } = body
  // Channels are locked before themes, by all who lock both.
  const showsThem = channel_id === undefined || (await lockThemeChannel(tx, channel_id))
  const theme = await lockTheme(tx, theme_uuid)
  if (!showsThem) throw invalid({ channel_id: 'This channel is not a storefront that shows themes.' })
  await refuseWrongSettings(tx, theme, body)
  const { count, last } = await tx.row<{ count: number; last: number }>(sql`
    select count(*)::int as count, max(number) as last from theme_configurations
    where store_id = ${tx.store.id} and theme_uuid = ${theme_uuid}`)
  if (count >= CONFIGURATIONS_MAX) {
    throw new Problem(403, `A theme can have at most ${CONFIGURATIONS_MAX} configurations.`)
  }
  const uuid = newUuid()
  const row = {
    store_id: tx.store.id,
    uuid,
    theme_uuid,
    variation_uuid: variation_id,
    number: last + 1,
    is_original: false,
    settings: JSON.stringify(settings),
    channel_id: channel_id ?? 0,
    site_id: channel_id === undefined ? 0 : await siteIdOf(tx, channel_id),
    date_created: tx.now,
  }
  await tx.rows(sql`insert into theme_configurations ${sql.rows([row])}`)
  await touchTheme(tx, theme_uuid)
  if (channel_id !== undefined) {
    await setSavedConfiguration(tx, channel_id, theme_uuid, uuid)
    const subject = { theme_id: theme_uuid, variation_id, version_id: theme.version_uuid, configuration_id: uuid }
    publish(tx, `store/channel/${channel_id}/theme/configuration/created`, `theme of channel ${channel_id}`, subject)
  }
  const [saved] = await findConfigurations(tx, sql`configuration.uuid = ${uuid}`)
  if (!saved) throw new Error('A configuration was not stored.')
  return configurationToAnswer(saved)
}

/** 0 where the channel has no site. */
async function siteIdOf(db: Db, channel: number): Promise<number> {
  try {
    return (await findSiteOfChannel(db, channel)).id
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return 0
    throw error
  }
}
