import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import type { Api } from '../../../core/rest/api.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { channelsWithGlobalLogins } from '../../../customers/settings.ts'
import { CHANNEL_SEGMENT, type Channel, ChannelId, storefronts } from '../../../shop/channels/channels.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import { primaryUrls } from '../../../shop/channels/sites/shape.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { answering, companionAnswer } from '../grammar/envelope.ts'

const CompanionChannel = t.Object(
  {
    id: ChannelId,
    channelId: ChannelId,
    name: t.String(),
    type: t.String(),
    platform: t.String(),
    status: t.String(),
    site: t.String({ description: 'The primary address, or empty' }),
    isVisible: t.Boolean(),
    isEnabled: t.Boolean(),
    iconUrl: t.String(),
    b2bEnabled: t.Boolean(),
    allowGlobalLogins: t.Boolean(),
    createdAt: t.Integer({ description: 'Unix seconds' }),
    updatedAt: t.Integer({ description: 'Unix seconds' }),
  },
  { title: 'CompanionChannel' },
)

const { write } = access('b2b')
const tag = 'Storefront channels'

/** The storefronts of a store (docs/contract/companies.md section 6). */
export function companionChannelRoutes(api: Api, rules: AddressRules) {
  api.get(
    '/v3/io/channels',
    {
      ...write,
      schema: {
        summary: 'List the storefront channels',
        operationId: 'listStorefrontChannels',
        tag,
        ...answering(t.Array(CompanionChannel)),
      },
    },
    async ({ db }) => companionAnswer(await channelsToAnswer(db, rules)),
  )

  api.get(
    `/v3/io/channels/${CHANNEL_SEGMENT}`,
    {
      ...write,
      schema: {
        summary: 'Get a storefront channel',
        operationId: 'getStorefrontChannel',
        tag,
        params: t.Object({ channel_id: ChannelId }),
        ...answering(CompanionChannel),
      },
    },
    async ({ db, params }) => {
      const channel = (await channelsToAnswer(db, rules)).find(({ id }) => id === params.channel_id)
      if (!channel) throw notFound('channel', params.channel_id)
      return companionAnswer(channel)
    },
  )
}

async function channelsToAnswer(db: Db, rules: AddressRules): Promise<Static<typeof CompanionChannel>[]> {
  const channels = await storefronts(db)
  const sites = await primaryUrls(db, rules)
  const global = await channelsWithGlobalLogins(db)
  return channels.map((channel) => channelToAnswer(channel, sites.get(channel.id) ?? '', global.has(channel.id)))
}

const channelToAnswer = (
  channel: Channel,
  site: string,
  allowGlobalLogins: boolean,
): Static<typeof CompanionChannel> => ({
  id: channel.id,
  channelId: channel.id,
  name: channel.name,
  type: channel.type,
  platform: channel.platform,
  status: channel.status,
  site,
  isVisible: channel.is_visible,
  isEnabled: channel.is_enabled,
  iconUrl: channel.icon_url,
  // Stores without the API are refused before.
  b2bEnabled: true,
  allowGlobalLogins,
  createdAt: Date.parse(channel.date_created) / 1_000,
  updatedAt: Date.parse(channel.date_modified) / 1_000,
})
