import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { answer, answerJson, modifiedAt } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import type { FieldsQuery, ListQuery } from '../../core/rest/lists/collection.ts'
import { type Inclusions, withInclusions } from '../../core/rest/lists/pages/inclusions.ts'
import { findPage } from '../../core/rest/lists/pages.ts'
import { change, differences, findOne, insertOne, lock, pick, takeIds } from '../../core/rest/lists/verbs.ts'
import { Problem } from '../../core/rest/problem.ts'
import { metafieldRoutes } from '../../shared/metafields/metafields.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { activeThemeRoutes } from './active-theme.ts'
import {
  CHANNEL_SEGMENT,
  Channel,
  ChannelId,
  channelMetafields,
  channels,
  FIRST_CHANNEL,
  isLive,
  PLATFORMS,
  publishChannel,
} from './channels.ts'
import { currenciesOfChannels, currencyAssignmentRoutes } from './currencies/assignments.ts'
import { scheduleTermination } from './deletion.ts'
import { type ListedProducts, listingRoutes } from './listings.ts'
import { menuRoutes } from './menus.ts'
import { type SiteParts, siteRoutes } from './sites/routes.ts'

/** Channels of a store that are not terminated. */
const CHANNELS_MAX = 1_000

/** The statuses that a client can give a channel (docs/contract/channels.md section 2). */
const STATUSES = {
  storefront: ['prelaunch', 'active', 'inactive', 'archived', 'deleted'],
  pos: ['connected', 'disconnected', 'archived', 'deleted'],
  marketplace: ['connected', 'disconnected', 'archived', 'deleted'],
  marketing: ['connected', 'disconnected', 'archived', 'deleted'],
} as const satisfies Record<Channel['type'], readonly Channel['status'][]>

const NAME = /^[A-Za-z0-9_-]{1,255}$/

const { external_id, is_listable_from_ui, is_visible, status, type } = Channel.properties
const name = t.String({ description: '1 to 255 Latin letters, digits, dashes and underscores' })
const Changes = t.Partial(t.Object({ name, external_id, status, is_listable_from_ui, is_visible }))
const fitting = Object.entries(PLATFORMS).map(([type, platforms]) => `\`${type}\` takes ${platforms.join(', ')}`)
const NewChannel = t.Object(
  {
    ...Changes.properties,
    name,
    type: t.Enum(type.enum, { description: 'The kind of channel; it never changes. It decides which `platform` fits' }),
    platform: t.String({ description: `The system that runs it; it never changes. The type ${fitting.join('; ')}` }),
  },
  { title: 'NewChannel', examples: [{ name: 'Copenhagen-Pop-Up', type: 'pos', platform: 'square' }] },
)
type NewChannel = Static<typeof NewChannel>

const Fixed = t.Optional(t.Unknown({ description: 'Fixed when the channel is created; another value is refused' }))
const ChannelChanges = t.Object(
  { ...Changes.properties, type: Fixed, platform: Fixed },
  { title: 'ChannelChanges', examples: [{ is_visible: false, external_id: 'cph-1' }] },
)
type ChannelChanges = Static<typeof ChannelChanges>

/** Creates the rows of areas above for a new channel, in the transaction that creates it. */
export type OpenChannel = (tx: Tx, channel: Channel) => Promise<void>

/** The parts that the routes of channels need from other areas. */
export interface ChannelParts extends SiteParts {
  products: ListedProducts
  openChannel: OpenChannel
}

/** Registers the routes of channels and of their sub-resources: the door of this area (docs/contract/channels.md). */
export function channelRoutes(api: Api, { products, openChannel, ...sites }: ChannelParts) {
  const { read, write } = access('channels')
  const one = `/channels/${CHANNEL_SEGMENT}`
  const params = t.Object({ channel_id: ChannelId })

  api.get('/channels', { ...read, schema: { summary: 'List the channels', ...channels.list } }, ({ db, query }) =>
    findPage(db, channels, query, { where: conditionOf(query), inclusions: includedIn(query) }),
  )

  api.post(
    '/channels',
    {
      ...write,
      schema: {
        summary: 'Create a channel',
        description: 'Type and platform must match, and cannot change later.',
        body: NewChannel,
        ...channels.answersOne,
      },
    },
    async ({ db, body }) => answer(await createChannel(db, body, openChannel)),
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a channel', params, ...channels.one } },
    async ({ db, params, query }) => {
      const channel = await findOne(db, channels, params.channel_id)
      const show = (row: Channel) => pick(channels, row, query)
      const inclusions = includedIn(query)
      const [shown = ''] = await withInclusions(db, [channel], show, inclusions)
      // The currencies in force change without the channel.
      return answerJson(shown, 'currencies' in inclusions ? {} : modifiedAt(channel.date_modified))
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a channel',
        description:
          'A channel with the status deleted counts as unknown everywhere. It is terminated permanently after 90 days.',
        params,
        body: ChannelChanges,
        ...channels.answersOne,
      },
    },
    async ({ db, params, body }) => answer(await db.transaction((tx) => changeChannel(tx, params.channel_id, body))),
  )

  listingRoutes(api, products)
  menuRoutes(api)
  currencyAssignmentRoutes(api)
  siteRoutes(api, sites)
  activeThemeRoutes(api)
  metafieldRoutes(api, channelMetafields)
}

const includedIn = ({ include = [] }: FieldsQuery): Inclusions =>
  include.includes('currencies') ? { currencies: currenciesOfChannels } : {}

/** The condition of a list of channels: deleted ones appear only if the query asks for their status. */
function conditionOf({ available, 'status:in': statuses }: ListQuery): Sql {
  const isAvailable = sql`status in ('prelaunch', 'active', 'inactive', 'connected')`
  if (available === true) return isAvailable
  if (available === false) return sql`not ${isAvailable}`
  return statuses === undefined ? isLive : sql`true`
}

/** Stores a channel. @throws Problem 422, 409, 403 at the platform's maximum, 507 at that of the store's plan */
export function createChannel(
  db: Db,
  { status, platform, ...input }: NewChannel,
  openChannel: OpenChannel,
): Promise<Channel> {
  refuseName(input.name)
  const first = STATUSES[input.type][0]
  refuseStatus(input.type, status ?? first, ['deleted'])
  const known = {
    external_id: '',
    is_listable_from_ui: true,
    is_visible: true,
    ...input,
    ...withEnabled(status ?? first),
    platform: platformOf(input.type, platform),
  }
  return db.transaction(async (tx) => {
    const now = toSeconds(tx.now)
    const ids = await takeIds(tx, [[channels, 1]])
    const row = { id: ids.next(channels), icon_url: '', ...known, date_created: now, date_modified: now }
    const channel = await insertOne(tx, channels, row)
    await refuseTooMany(tx, channel)
    await openChannel(tx, channel)
    publishChannel(tx, 'created', channel)
    return channel
  })
}

/** @throws Problem 404, 422, 409 */
async function changeChannel(tx: Tx, id: number, { type, platform, ...input }: ChannelChanges): Promise<Channel> {
  const channel = await lock(tx, channels, id)
  refuseOthers(channel, { type, platform })
  if (channel.status === 'deleted' || channel.status === 'terminated') {
    throw new Problem(422, `The channel ${id} is ${channel.status}: it can't be changed.`)
  }
  const changes = differences(channel, input)
  if (input.name !== undefined && 'name' in changes) refuseName(input.name)
  if (input.status !== undefined && 'status' in changes) refuseStatus(channel.type, input.status, ['prelaunch'])
  if (id === FIRST_CHANNEL && (input.status === 'deleted' || input.status === 'archived')) {
    throw new Problem(422, `The first channel of a store can't be ${input.status}.`)
  }
  if (Object.keys(changes).length === 0) return channel
  const changed = await change(tx, channels, channel, {
    ...changes,
    ...(input.status === undefined ? {} : withEnabled(input.status)),
    date_modified: toSeconds(tx.now),
  })
  if (changed.status === 'deleted') await scheduleTermination(tx, changed)
  publishChannel(tx, 'updated', changed)
  return changed
}

const withEnabled = (status: Channel['status']) => ({
  status,
  is_enabled: status === 'prelaunch' || status === 'active' || status === 'connected',
})

/** @throws Problem 422 */
function refuseName(name: string) {
  if (!NAME.test(name)) {
    throw new Problem(
      422,
      'The name of a channel is made of 1 to 255 letters A to Z and a to z, digits, dashes and underscores.',
    )
  }
}

/** @throws Problem 422 */
function platformOf(type: Channel['type'], platform: string): Channel['platform'] {
  const known = PLATFORMS[type].find((name) => name === platform)
  if (known === undefined) {
    throw new Problem(422, `A channel of the type ${type} can't have the platform ${JSON.stringify(platform)}.`)
  }
  return known
}

/**
 * @param besides statuses that this request cannot set either
 * @throws Problem 422
 */
function refuseStatus(type: Channel['type'], status: Channel['status'], besides: readonly Channel['status'][]) {
  const allowed = STATUSES[type].filter((known) => !besides.includes(known))
  if (allowed.some((known) => known === status)) return
  const sentence = `A channel of the type ${type} can have one of these statuses here: ${allowed.join(', ')}.`
  throw new Problem(422, sentence, { status: sentence })
}

/** Type and platform stay. @throws Problem 422 */
function refuseOthers(channel: Channel, input: { type?: unknown; platform?: unknown }) {
  const fields = Object.keys(differences(channel, input))
  if (fields.length === 0) return
  const errors = fields.map((field) => [field, `The ${field} of a channel can't be changed.`])
  throw new Problem(422, "The type and the platform of a channel can't be changed.", Object.fromEntries(errors))
}

/** To be called after the channel is stored, so that a conflict is reported before a limit. Its counter is locked. */
async function refuseTooMany(tx: Tx, { type }: Channel) {
  const { storefronts, all } = await tx.row<{ storefronts: number; all: number }>(sql`
    select count(*) filter (where type = 'storefront' and ${isLive}) as storefronts,
      count(*) filter (where status <> 'terminated') as all
    from channels where store_id = ${tx.store.id}`)
  const plan = tx.store.limits.storefronts
  if (type === 'storefront' && plan !== undefined && storefronts > plan) {
    throw new Problem(507, `The plan of this store allows ${plan} storefronts.`)
  }
  if (all > CHANNELS_MAX) throw new Problem(403, `A store can hold at most ${CHANNELS_MAX} channels.`)
}
