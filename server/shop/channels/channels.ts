import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { ListOf, Moment } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { startCounter } from '../../core/rest/lists/counters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { findWhere } from '../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../core/rest/problem.ts'
import type { MetafieldOwner } from '../../shared/metafields/metafields.ts'
import { access } from '../../stores/accounts/scopes.ts'

/** 64 bits in the contract, of which a JSON number holds 53 (docs/contract/conventions.md section 12). */
export const ChannelId = t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** The path segment of a channel: as `idSegment`, with the digits that an id of a channel can have. */
export const CHANNEL_SEGMENT = ':channel_id(^[1-9]\\d{0,15}$)'

/** Channels in a query. */
export const ChannelIds = ListOf(ChannelId)

/** The channel that every store has from its creation. It can't be deleted. */
export const FIRST_CHANNEL = 1
/** The id that a store's second channel gets (docs/contract/channels.md section 1). */
const SECOND_CHANNEL = 664_159

/** The platforms of each type of channels (docs/contract/channels.md section 1). */
export const PLATFORMS = {
  storefront: [
    'acquia',
    'bigcommerce',
    'bloomreach',
    'catalyst',
    'deity',
    'drupal',
    'gatsby',
    'next',
    'vue',
    'wordpress',
    'custom',
  ],
  pos: ['clover', 'square', 'stripe', 'talech', 'vend', 'custom'],
  marketplace: [
    'amazon',
    'belk',
    'catch',
    'ebay',
    'etsy',
    'facebook',
    'hudsons_bay',
    'google',
    'instagram',
    'macys',
    'meta',
    'mirakl',
    'overstock',
    'pinterest',
    'target_plus',
    'tiktok',
    'wayfair',
    'wish',
    'walmart',
    'custom',
  ],
  marketing: ['facebook', 'google', 'google_shopping', 'instagram', 'meta', 'microsoft', 'custom'],
} as const

/**
 * A channel is a place where a store sells: a storefront, a marketplace, a point of sale or a marketing platform. Every store
 * starts with one, the first channel, which can't be deleted or archived. Clients create further ones, at most 1,000. A channel
 * has listings of products, currencies, languages, at most one site, and values of settings that differ from those of the store.
 * Its type and platform never change; name, status and visibility do. The name is unique among channels of the same type and
 * platform. A client deletes a channel by the status `deleted`: from then on it counts as unknown, but its row and its data stay.
 * For 90 days the operator can restore it. Then it becomes `terminated` permanently, and each area deletes its rows of the
 * channel. Its id is never used again (docs/contract/channels.md section 1).
 */
export const Channel = t.Object({
  id: ChannelId,
  external_id: t.String({ maxLength: 255 }),
  is_listable_from_ui: t.Boolean(),
  is_enabled: t.Boolean({ deprecated: true, description: 'Follows from the status, which says more' }),
  is_visible: t.Boolean(),
  status: t.Enum(['prelaunch', 'active', 'inactive', 'connected', 'disconnected', 'archived', 'deleted', 'terminated']),
  name: t.String(),
  type: t.Enum(['storefront', 'pos', 'marketplace', 'marketing']),
  platform: t.Enum([...new Set(Object.values(PLATFORMS).flat())]),
  date_created: Moment,
  date_modified: Moment,
  icon_url: t.String(),
})
export type Channel = Static<typeof Channel>

/** The currencies that a channel uses. */
export const CurrencyAssignment = t.Object(
  { channel_id: ChannelId, enabled_currencies: t.Array(t.String()), default_currency: t.String() },
  { title: 'CurrencyAssignment' },
)

export const channels = collection('channels', Channel, {
  noun: 'channel',
  filters:
    'status:in type:in platform:in date_created date_created:min date_created:max date_modified date_modified:min date_modified:max',
  queries: {
    available: t.Optional(t.Boolean({ description: 'prelaunch, active, inactive or connected; or none of these' })),
  },
  includes: { currencies: CurrencyAssignment },
  twins: ['name'],
  conflicts: { channels_name_unique: ['A channel with this name, type and platform already exists.', 'name'] },
})

export const channelMetafields: MetafieldOwner = {
  kind: 'channel',
  resources: channels,
  path: '/channels',
  access: access('channels'),
  equalDates: ['of one'],
  scope: 'store/channel',
}

/** The condition that other resources may name a channel. A deleted channel counts as unknown, and its row stays. */
export const isLive = sql`status not in ('deleted', 'terminated')`

/** Returns the ids of existing channels that are not deleted. Takes one statement, or none if there are no ids. */
export async function knownChannels(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const found = await db.rows<{ id: number }>(
    prepared(sql`
    select id from channels where store_id = ${db.store.id} and id = any(${[...new Set(ids)]}::bigint[]) and ${isLive}`),
  )
  return new Set(found.map(({ id }) => id))
}

/**
 * Whether `knownChannels` would find a channel, as a part of prepared statements.
 * @param store the SQL of the store
 * @param id the SQL of the channel
 */
export const isLiveChannel = (store: string, id: string): string =>
  `exists (select 1 from channels where store_id = ${store} and id = ${id} and ${isLive.text})`

/** Whether the store has a channel that is not deleted, as a column of any statement. @param id the channel, or its SQL */
export const hasLiveChannel = ({ store }: Pick<Db, 'store'>, id: number | Sql): Sql =>
  sql`exists (select 1 from channels where store_id = ${store.id} and id = ${id}::bigint and ${isLive})`

/** The ids of all channels that are not deleted, in order. */
export async function liveChannels(db: Db): Promise<number[]> {
  const found = await db.rows<{ id: number }>(
    prepared(sql`select id from channels where store_id = ${db.store.id} and ${isLive} order by id`),
  )
  return found.map(({ id }) => id)
}

/** The channels of a store that are storefronts and not deleted, by id. */
export const storefronts = (db: Db): Promise<Channel[]> =>
  findWhere(db, channels, sql`type = 'storefront' and ${isLive}`)

/** Channels by their ids, deleted ones too. */
export async function channelsById(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Channel>> {
  if (ids.length === 0) return new Map()
  const found = await findWhere(db, channels, sql`id = any(${[...new Set(ids)]}::bigint[])`)
  return new Map(found.map((channel) => [channel.id, channel]))
}

/** The names and icons of channels, as a column of any statement: a list, null for none. @param ids a column with a list of ids */
export const channelNamesColumn = ({ store }: Pick<Db, 'store'>, ids: Sql): Sql => sql`(
  select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'icon_url', icon_url)) from channels
  where store_id = ${store.id} and id = any(array(select value::bigint from jsonb_array_elements_text(${ids})))
)`

/** Refuses a path with an unknown channel. @throws Problem 404 */
export async function refuseUnknownChannel(db: Db, id: number) {
  if (!(await knownChannels(db, [id])).has(id)) throw notFound('channel', id)
}

/** The refusal of a query with an unknown channel. */
export function unknownChannel(id: number): Problem {
  const sentence = `channel_id ${id} is no channel of this store`
  return new Problem(422, `The query is not valid: ${sentence}.`, { channel_id: `${sentence}.` })
}

/**
 * Whether any channel has languages of its own. Then the selection method of the store is deprecated (docs/contract/settings.md
 * section 4).
 */
export async function hasLanguagesByChannel(db: Db): Promise<boolean> {
  const found = await db.rows(
    prepared(sql`
    select id from channels where store_id = ${db.store.id} and ${isLive} and (
      platform = 'catalyst' or
      (select count(*) from channel_locales where store_id = ${db.store.id} and channel_id = channels.id) > 1
    ) limit 1`),
  )
  return found.length > 0
}

/** Creates the first channel of a new store, and sets the counter for the next ones. Does nothing if the channel exists. */
export async function openFirstChannel(tx: Tx) {
  const now = toSeconds(tx.now)
  const first: Channel = {
    id: FIRST_CHANNEL,
    external_id: '',
    is_listable_from_ui: true,
    is_enabled: true,
    is_visible: true,
    status: 'active',
    name: 'Storefront',
    type: 'storefront',
    platform: 'bigcommerce',
    date_created: now,
    date_modified: now,
    icon_url: '',
  }
  await startCounter(tx, channels.table, { last_id: SECOND_CHANNEL - 1, total: 1 })
  await tx.rows(sql`
    insert into channels ${sql.rows([{ store_id: tx.store.id, ...first, name_key: fold(first.name) }])} on conflict do nothing`)
}

/** docs/contract/webhooks.md section 6. */
export function publishChannel(tx: Tx, action: 'created' | 'updated', { id }: Pick<Channel, 'id'>) {
  publish(tx, `store/channel/${action}`, `channel ${id}`, { type: 'channel', id })
}
