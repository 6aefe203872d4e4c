import t from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { invalid, Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { setActiveTheme } from '../channels/active-theme.ts'
import { ChannelId, FIRST_CHANNEL } from '../channels/channels.ts'
import { findSite } from '../channels/sites/shape.ts'
import { lockThemeChannel } from './channel.ts'
import { ConfigurationChoice, findVariation, lockTheme, touchTheme, UuidText, type VariationRow } from './shape.ts'
import { STOCK } from './stock.ts'

const Fields = {
  variation_id: t.Optional(UuidText),
  channel_id: t.Optional(ChannelId),
  site_id: t.Optional(Id),
  configuration_id: t.Optional(UuidText),
  which: t.Optional(ConfigurationChoice),
}
const Activation = t.Object(Fields, {
  title: 'ThemeActivation',
  examples: [{ variation_id: STOCK.variations[0].uuid, which: 'original' }],
})
// A mistyped channel_id must not change the theme of the first channel.
const ActivationQuery = t.Object(Fields, { additionalProperties: false })

/** The input of an activation. */
interface ActivationInput {
  variation_id?: string
  channel_id?: number
  site_id?: number
  configuration_id?: string
  which?: ConfigurationChoice
}

/** Lets channels show themes (docs/contract/themes.md section 6). */
export function activationRoutes(api: Api) {
  api.post(
    '/themes/actions/activate',
    {
      ...access('themes').write,
      schema: {
        summary: 'Activate a theme on a channel',
        description:
          'Each field can be in the body or in the query. The first channel is used if no channel and no site are given.',
        operationId: 'activateTheme',
        tag: 'Themes',
        querystring: ActivationQuery,
        body: Activation,
      },
      // All of it may stand in the query.
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    async ({ db, query, body }) => {
      const { variation_id, ...wish } = united(query, body)
      if (variation_id === undefined) throw invalid({ variation_id: 'error.path.missing' })
      const channel = await channelOf(db, wish)
      await db.transaction((tx) => activate(tx, channel, variation_id, wish))
      return noContent()
    },
  )
}

/** @throws Problem 422 for fields that stand in both, and differ */
function united(query: ActivationInput, body: ActivationInput): ActivationInput {
  const both: Mistakes = {}
  for (const [name, value] of Object.entries(body)) {
    const other: unknown = Reflect.get(query, name)
    if (other !== undefined && other !== value) both[name] = 'The query has another value.'
  }
  refuse(both)
  return { ...query, ...body }
}

/** @throws Problem 422 for a site that is not there, or is another channel's */
async function channelOf(db: Db, { channel_id, site_id }: ActivationInput): Promise<number> {
  if (site_id === undefined) return channel_id ?? FIRST_CHANNEL
  const site = await findSite(db, site_id).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) throw invalid({ site_id: 'The store has no such site.' })
    throw error
  })
  if (channel_id !== undefined && channel_id !== site.channel_id) {
    throw invalid({ site_id: `It is the site of the channel ${site.channel_id}.` })
  }
  return site.channel_id
}

async function activate(tx: Tx, channel: number, variation_id: string, wish: ActivationInput) {
  // Channels are locked before themes, by all who lock both.
  if (!(await lockThemeChannel(tx, channel))) {
    throw invalid({ channel_id: 'This channel is not a storefront that shows themes.' })
  }
  const variation = await findVariation(tx, variation_id)
  const theme = await lockTheme(tx, variation.theme_uuid)
  const configuration = await configurationOf(tx, variation, wish)
  await tx.rows(sql`
    update theme_configurations set activated_at = ${tx.now} where store_id = ${tx.store.id} and uuid = ${configuration}`)
  await touchTheme(tx, theme.uuid)
  await setActiveTheme(tx, channel, {
    active_theme_uuid: theme.uuid,
    active_theme_configuration_uuid: configuration,
    active_theme_version_uuid: theme.version_uuid,
    saved_theme_configuration_uuid: configuration,
  })
  publish(tx, `store/channel/${channel}/theme/configuration/activated`, `theme of channel ${channel}`, {
    theme_id: theme.uuid,
    variation_id,
    version_id: theme.version_uuid,
    configuration_id: configuration,
  })
}

/** The configuration that a wish means. @throws Problem 422 for one that is not the variation's */
async function configurationOf(
  tx: Tx,
  { uuid }: VariationRow,
  { configuration_id, which = 'original' }: ActivationInput,
) {
  const of = sql`store_id = ${tx.store.id} and variation_uuid = ${uuid}`
  if (configuration_id !== undefined) {
    const named = await tx.maybeRow(
      sql`select uuid from theme_configurations where ${of} and uuid = ${configuration_id}`,
    )
    if (!named) throw invalid({ configuration_id: 'The variation has no such configuration.' })
    return configuration_id
  }
  const orders = {
    original: sql`is_original desc, number`,
    last_activated: sql`activated_at desc nulls last, is_original desc, number`,
    last_created: sql`number desc`,
  }
  const found = await tx.row<{ uuid: string }>(
    sql`select uuid from theme_configurations where ${of} order by ${orders[which]} limit 1`,
  )
  return found.uuid
}
