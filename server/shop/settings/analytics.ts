import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { Answer, answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { paging } from '../../core/rest/lists/paging.ts'
import { notFound, Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { ChannelId, FIRST_CHANNEL } from '../channels/channels.ts'
import { lockSettings, type StoredSettings, storedSettingsOf, storeSettings } from './families/family.ts'

const { read, write } = access('analytics')

const Provider = t.Object(
  {
    id: Id,
    channel_id: ChannelId,
    name: t.String({ minLength: 1, maxLength: 255 }),
    code: t.String({ maxLength: 65_535 }),
    enabled: t.Boolean(),
    data_tag_enabled: t.Boolean(),
    version: t.Number({ minimum: 0 }),
    api_secret: t.String({ description: 'Always empty' }),
  },
  { title: 'AnalyticsProvider' },
)
type Provider = Static<typeof Provider>

const { name, enabled, data_tag_enabled, version } = Provider.properties
const Changes = t.Partial(
  t.Object({ name, code: t.String({ minLength: 1, maxLength: 65_535 }), enabled, data_tag_enabled, version }),
  { title: 'AnalyticsProviderChanges', examples: [{ code: 'G-0123456789', enabled: true }] },
)

/** Who can count visits. None is made or deleted (docs/contract/settings.md section 7). */
const PROVIDERS = ['Google Analytics', 'Meta Pixel', 'Pinterest Tag', 'TikTok Pixel', 'Site verification'] as const

const OfChannel = t.Object({ channel_id: t.Optional({ ...ChannelId, default: FIRST_CHANNEL }) })

/** The providers of analytics of each channel. A channel inherits none (docs/contract/settings.md section 7). */
export function analyticsRoutes(api: Api) {
  const all = '/settings/analytics'
  const one = `${all}/${idSegment('analytics_provider_id')}`
  const params = t.Object({ analytics_provider_id: Id })
  const tag = 'Analytics settings'

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the analytics providers',
        operationId: 'listAnalyticsProviders',
        tag,
        querystring: t.Object({ ...OfChannel.properties, ...paging }),
        response: { 200: envelope(t.Array(Provider)) },
      },
    },
    async ({ db, query }) => answer(analyticsProvidersOf(await levelAt(db, query.channel_id))),
  )

  api.get(
    one,
    {
      ...read,
      schema: {
        summary: 'Get an analytics provider',
        operationId: 'getAnalyticsProvider',
        tag,
        params,
        querystring: OfChannel,
        response: { 200: Provider },
      },
    },
    async ({ db, params, query }) =>
      new Answer(find(analyticsProvidersOf(await levelAt(db, query.channel_id)), params.analytics_provider_id)),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change an analytics provider',
        operationId: 'updateAnalyticsProvider',
        tag,
        params,
        // A mistyped channel_id must not change the provider of the first channel.
        querystring: t.Object(OfChannel.properties, { additionalProperties: false }),
        body: Changes,
        response: { 200: Provider },
      },
    },
    async ({ db, params, query: { channel_id = FIRST_CHANNEL }, body }) =>
      new Answer(
        await db.transaction(async (tx) => {
          const level = await lockSettings(tx, analyticsRows, channel_id)
          const providers = analyticsProvidersOf(level)
          const changed = { ...find(providers, params.analytics_provider_id), ...body }
          refuseClash(changed, providers)
          const { id, channel_id: _, api_secret: __, ...values } = changed
          await storeSettings(tx, analyticsRows, { ...level, own: { ...level.own, [id]: values } })
          return changed
        }),
      ),
  )
}

/** The key of its rows among the settings: changed values by the ids of the providers. */
export const analyticsRows = { path: 'analytics' }

const levelAt = (db: Db, channel: number = FIRST_CHANNEL) => storedSettingsOf(db, analyticsRows, channel)

export const analyticsProvidersOf = ({ channel, own }: StoredSettings): Provider[] =>
  PROVIDERS.map((name, i) => ({
    id: i + 1,
    channel_id: channel,
    name,
    code: '',
    enabled: false,
    data_tag_enabled: false,
    version: 1,
    ...Object(own[i + 1]),
    api_secret: '',
  }))

/** @throws Problem 404 */
function find(providers: readonly Provider[], id: number): Provider {
  const found = providers.find((provider) => provider.id === id)
  if (!found) throw notFound('provider of analytics', id)
  return found
}

/** @throws Problem 422 for one that is on without a code, 409 for a code that another one has */
function refuseClash({ id, code, enabled }: Provider, providers: readonly Provider[]) {
  if (enabled && code === '') {
    throw new Problem(422, 'JSON data is missing or invalid', { code: 'An enabled provider needs a code.' })
  }
  const other = providers.find((provider) => provider.id !== id && provider.code === code && code !== '')
  if (other) throw new Problem(409, `${other.name} already has this code.`, { code: `${other.name} already has it.` })
}
