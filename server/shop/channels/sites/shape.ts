import t, { type Static } from 'typebox'
import { type Db, prepared, type Store, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { Answer } from '../../../core/rest/answer.ts'
import { Id, Moment, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { startCounter } from '../../../core/rest/lists/counters.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { ChannelId, FIRST_CHANNEL, knownChannels } from '../channels.ts'
import { isOfLiveChannel } from '../live-channels.ts'
import { type AddressRules, canonicalUrl } from './addresses.ts'
import type { SiteHosts } from './hosts.ts'

/** The site of channel 1, which every store has. It cannot be deleted. */
export const FIRST_SITE = 1_000

/** The parts that changes of sites need. */
export interface AddressParts {
  hosts: SiteHosts
  rules: AddressRules
}

/**
 * A site says where the pages of a channel are found. A channel has at most one site, and a site belongs to one channel
 * permanently. The first channel of a store has one from the start, which cannot be deleted; clients create the others. A site
 * has up to three addresses: the default one that the server derives from store and channel, a primary one that a client may set,
 * and one for the checkout. Each host belongs to one site of all stores, with or without www. A client may change the addresses,
 * add routes, and install a certificate; a certificate that does not fit a new host is deleted. The checkout must stay below the
 * registered domain of the primary address. While its channel is deleted, a site is hidden but keeps its hosts. It is deleted by
 * a client, or when its channel is terminated (docs/contract/sites.md).
 */
export const SiteRow = t.Object({
  id: Id,
  channel_id: ChannelId,
  /** Empty if it is the default address. */
  url: t.String(),
  /** Empty if the checkout uses the shared address. */
  checkout_url: t.String(),
  ssl_status: t.Enum(['dedicated', 'shared']),
  created_at: Moment,
  updated_at: Moment,
  url_updated_at: Moment,
  checkout_created_at: nullable(Moment),
  checkout_updated_at: nullable(Moment),
})
export type SiteRow = Static<typeof SiteRow>

export const sites = collection('sites', SiteRow, {
  noun: 'site',
  filters: 'channel_id channel_id:in',
  conflicts: { sites_channel_unique: ['The channel has a site already.', 'channel_id'] },
})

export const URL_TYPES = ['primary', 'canonical', 'checkout'] as const

const SiteUrl = t.Object(
  { url: t.String(), type: t.Enum([...URL_TYPES]), created_at: Moment, updated_at: Moment },
  { title: 'SiteUrl' },
)
/** The wire form of a site (docs/contract/sites.md section 1). */
export const Site = t.Object(
  {
    id: Id,
    url: t.String(),
    channel_id: ChannelId,
    created_at: Moment,
    updated_at: Moment,
    ssl_status: SiteRow.properties.ssl_status,
    urls: t.Array(SiteUrl),
    is_checkout_url_customized: t.Boolean(),
  },
  { title: 'Site' },
)
export type Site = Static<typeof Site>

/** Converts a site to its wire form. */
export function siteToAnswer(store: Store, row: SiteRow, rules: AddressRules): Site {
  const canonical = canonicalUrl(store.hash, row.channel_id, rules)
  const url = row.url || canonical
  const created_at = inMilliseconds(row.created_at)
  return {
    id: row.id,
    url,
    channel_id: row.channel_id,
    created_at,
    updated_at: inMilliseconds(row.updated_at),
    ssl_status: row.ssl_status,
    urls: [
      { url: withoutSlash(url), type: 'primary', created_at, updated_at: inMilliseconds(row.url_updated_at) },
      { url: canonical, type: 'canonical', created_at, updated_at: created_at },
      ...(row.checkout_url === ''
        ? []
        : [
            {
              url: withoutSlash(row.checkout_url),
              type: 'checkout' as const,
              created_at: inMilliseconds(row.checkout_created_at ?? row.updated_at),
              updated_at: inMilliseconds(row.checkout_updated_at ?? row.updated_at),
            },
          ]),
    ],
    is_checkout_url_customized: row.checkout_url !== '',
  }
}

/** The primary addresses of the sites of a store, by channel, without a slash at the end. */
export async function primaryUrls(db: Db, rules: AddressRules): Promise<ReadonlyMap<number, string>> {
  const rows = await db.rows<Pick<SiteRow, 'channel_id' | 'url'>>(
    sql`select channel_id, url from sites where store_id = ${db.store.id}`,
  )
  return new Map(
    rows.map(({ channel_id, url }) => [
      channel_id,
      withoutSlash(url || canonicalUrl(db.store.hash, channel_id, rules)),
    ]),
  )
}

/** The addresses at which the pages of a site are found. */
export interface SiteAddresses {
  /** The primary one, without a slash at the end. */
  url: string
  /** The hosts without www, with their ports. */
  hosts: ReadonlySet<string>
}

/** The addresses of sites, by site. Unknown sites and those of deleted channels are left out. */
export async function siteAddresses(
  db: Db,
  ids: readonly number[],
  rules: AddressRules,
): Promise<ReadonlyMap<number, SiteAddresses>> {
  const rows = await db.rows<Pick<SiteRow, 'id' | 'channel_id' | 'url'>>(
    prepared(sql`
    select id, channel_id, url from sites
    where store_id = ${db.store.id} and id = any(${[...new Set(ids)]}) and ${isOfLiveChannel(db, 'sites.channel_id')}`),
  )
  return new Map(
    rows.map(({ id, channel_id, url }) => {
      const canonical = canonicalUrl(db.store.hash, channel_id, rules)
      const primary = withoutSlash(url || canonical)
      const hosts = [primary, canonical].map((address) => new URL(address).host.replace(/^www\./, ''))
      return [id, { url: primary, hosts: new Set(hosts) }]
    }),
  )
}

/** The sites of deleted channels. */
export async function hiddenSites(db: Db): Promise<number[]> {
  const rows = await db.rows<Pick<SiteRow, 'id'>>(
    prepared(sql`
    select id from sites where store_id = ${db.store.id} and not ${isOfLiveChannel(db, 'sites.channel_id')}`),
  )
  return rows.map(({ id }) => id)
}

/** The condition that a column names a site, also one of a deleted channel. @param column with its table */
export const isOfSite = ({ store }: Db, column: string): Sql =>
  sql`exists (select 1 from sites where sites.store_id = ${store.id} and sites.id = ${sql.raw(column)})`

const withoutSlash = (url: string) => url.replace(/\/$/, '')

/** Times of sites have milliseconds (docs/contract/conventions.md section 12). */
const inMilliseconds = (moment: string) => new Date(moment).toISOString()

/** The path of a site, for `Location` and `Content-Location`. */
export const pathOf = (store: Store, id: number) => `/stores/${store.hash}/v3/sites/${id}`

/** The answer of an alternative path to a site. */
export const aliasAnswer = (site: Site, store: Store, headers: Record<string, string> = {}) =>
  new Answer({ data: site, meta: {} }, 200, { ...headers, 'content-location': pathOf(store, site.id) })

const columns = sql.join(sites.columns.map(sql.id))

/** Finds a site, except for sites of deleted channels. */
const findRow = (db: Db, where: Sql, locking = sql.empty): Promise<SiteRow | undefined> =>
  db.maybeRow<SiteRow>(sql`
    select ${columns} from sites where store_id = ${db.store.id} and ${where} and ${isOfLiveChannel(db, 'sites.channel_id')} ${locking}`)

/** @throws Problem 404 */
export async function findSite(db: Db, id: number): Promise<SiteRow> {
  const row = await findRow(db, sql`id = ${id}`)
  if (!row) throw notFound(sites.noun, id)
  return row
}

/** Reads a site and locks it until the transaction ends. @throws Problem 404 */
export async function lockSite(tx: Tx, id: number): Promise<SiteRow> {
  const row = await findRow(tx, sql`id = ${id}`, sql`for update`)
  if (!row) throw notFound(sites.noun, id)
  return row
}

/** @throws Problem 404 if the channel is unknown or has no site */
export async function findSiteOfChannel(db: Db, channel: number): Promise<SiteRow> {
  const row = await findRow(db, sql`channel_id = ${channel}`)
  if (row) return row
  if (!(await knownChannels(db, [channel])).has(channel)) throw notFound('channel', channel)
  throw new Problem(404, `The channel ${channel} has no site.`)
}

/** The address of the pages of a channel, or of the first channel if it has no site. */
export async function siteUrlOf(db: Db, channel: number, rules: AddressRules): Promise<string> {
  const row = (await findRow(db, sql`channel_id = ${channel}`)) ?? (await findRow(db, sql`id = ${FIRST_SITE}`))
  return withoutSlash(row?.url || canonicalUrl(db.store.hash, row?.channel_id ?? FIRST_CHANNEL, rules))
}

/**
 * The address of the checkout of a channel, or of the first channel if it has no site. Without an address of its own, the checkout is at
 * the default address of the site.
 */
export async function checkoutUrlOf(db: Db, channel: number, rules: AddressRules): Promise<string> {
  const row = (await findRow(db, sql`channel_id = ${channel}`)) ?? (await findRow(db, sql`id = ${FIRST_SITE}`))
  return withoutSlash(row?.checkout_url || canonicalUrl(db.store.hash, row?.channel_id ?? FIRST_CHANNEL, rules))
}

/** A query for the site of a channel, or of the first channel if it has none, as JSON. @param channel the SQL of the channel */
export const siteOf = ({ store }: Pick<Db, 'store'>, channel: Sql): Sql => sql`
  select jsonb_build_object('channel_id', channel_id, 'url', url) from sites
  where sites.store_id = ${store.id} and (sites.channel_id = ${channel} or sites.id = ${FIRST_SITE})
  order by sites.channel_id = ${channel} desc limit 1`

/** The address of the pages of a site that `siteOf` has found. */
export const urlOfSite = (
  store: Store,
  site: Pick<SiteRow, 'channel_id' | 'url'> | null,
  rules: AddressRules,
): string => withoutSlash(site?.url || canonicalUrl(store.hash, site?.channel_id ?? FIRST_CHANNEL, rules))

/** Creates the site of the first channel of a new store. Does nothing if it exists. */
export async function openFirstSite(tx: Tx) {
  const { now } = tx
  const first = {
    id: FIRST_SITE,
    channel_id: FIRST_CHANNEL,
    url: '',
    checkout_url: '',
    ssl_status: 'shared',
    created_at: now,
    updated_at: now,
    url_updated_at: now,
  }
  await startCounter(tx, sites.table, { last_id: FIRST_SITE, total: 1 })
  await tx.rows(sql`insert into sites ${sql.rows([{ store_id: tx.store.id, ...first }])} on conflict do nothing`)
}

type SiteChange = 'site/updated' | 'route/updated' | 'site/checkoutUrl/updated' | 'site/checkoutUrl/deleted'

/** @param action the last part of the scope */
export const publishSite = (tx: Tx, { id, channel_id }: Pick<SiteRow, 'id' | 'channel_id'>, action: SiteChange) =>
  publish(tx, `store/channel/${channel_id}/settings/${action}`, `site ${id}`, { site_id: id })

/** The store's own facts name the address of its first site (docs/contract/sites.md section 7). */
export function publishStoreInformation(tx: Tx, { id }: Pick<SiteRow, 'id'>) {
  if (id === FIRST_SITE) publish(tx, 'store/information/updated', 'store', { type: 'store' })
}
