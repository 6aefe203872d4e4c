import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer, answer, dated, modifiedAt, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment, ListOf } from '../../../core/rest/input/fields.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope, type ListQuery, type RowWithId } from '../../../core/rest/lists/collection.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../../core/rest/lists/paging.ts'
import { change, insert, remove, removeAll } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { CHANNEL_SEGMENT, ChannelId, knownChannels } from '../channels.ts'
import { isOfLiveChannel, lockLiveChannelsShared } from '../live-channels.ts'
import { shareDomain } from './addresses.ts'
import { deleteCertificate, dropForeignCertificate } from './certificates.ts'
import { dropHosts, setHosts } from './hosts.ts'
import { addressFor, hostToClaim, neededHosts, type SiteAddress } from './needed-hosts.ts'
import {
  type AddressParts,
  aliasAnswer,
  FIRST_SITE,
  findSite,
  findSiteOfChannel,
  lockSite,
  pathOf,
  publishSite,
  publishStoreInformation,
  Site,
  type SiteRow,
  sites,
  siteToAnswer,
  URL_TYPES,
} from './shape.ts'
import { routesOfSites } from './site-routes.ts'

const { read, write } = access('sites')

const Url = t.String({
  maxLength: 2_048,
  description: 'Scheme and host. The server appends the paths of its pages',
})
const NewSite = t.Object(
  { url: Url, channel_id: ChannelId },
  { title: 'NewSite', examples: [{ url: 'https://shop.example.com', channel_id: 1 }] },
)
const NewChannelSite = t.Object(
  { url: Url, channel_id: t.Optional(ChannelId) },
  { title: 'NewChannelSite', examples: [{ url: 'https://outlet.example.com' }] },
)
const Changes = t.Partial(t.Object({ url: Url }), {
  title: 'SiteChanges',
  examples: [{ url: 'https://store.example.com' }],
})
type Changes = Static<typeof Changes>

const List = t.Unsafe<ListQuery & { 'url_type:in'?: (typeof URL_TYPES)[number][] }>(
  t.Object(
    {
      channel_id: t.Optional(ChannelId),
      'channel_id:in': t.Optional(ListOf(ChannelId)),
      'url_type:in': t.Optional(
        t.Array(t.Enum([...URL_TYPES]), { minItems: 1, description: 'Sites with an address of one of these types' }),
      ),
      ...paging,
    },
    { additionalProperties: false },
  ),
)

/** Deletes rows of areas above that belong to deleted sites, in steps. */
export type DeleteRowsOfSites = (db: Db) => Promise<void>

interface SiteResourceParts extends AddressParts {
  deleteRowsOfSites: DeleteRowsOfSites
}

/** Routes for the sites of a store, by id and by channel (docs/contract/sites.md). */
export function siteResourceRoutes(api: Api, parts: SiteResourceParts) {
  const { rules } = parts
  const one = `/sites/${idSegment('site_id')}`
  const params = t.Object({ site_id: Id })
  const ofChannel = `/channels/${CHANNEL_SEGMENT}/site`
  const channelParams = t.Object({ channel_id: ChannelId })
  const answersSite = { response: { 200: envelope(Site) } }

  api.get(
    '/sites',
    {
      ...read,
      schema: {
        summary: 'List the sites',
        querystring: List,
        response: { 200: t.Object({ data: t.Array(Site), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const isWanted = query['url_type:in']?.every((type) => type === 'checkout') ? sql`checkout_url <> ''` : sql`true`
      const { data, meta } = await findRows(
        db,
        sites,
        query,
        sql`${isOfLiveChannel(db, 'sites.channel_id')} and ${isWanted}`,
      )
      // Without a selection of fields each row is whole.
      return answer(
        data.map((row) => siteToAnswer(db.store, row as SiteRow, rules)),
        meta,
      )
    },
  )

  api.post(
    '/sites',
    { ...write, schema: { summary: 'Create a site', body: NewSite, response: { 201: envelope(Site) } } },
    async ({ db, body: { url, channel_id } }) => {
      const address = addressFor(db.store, channel_id, url, { rules })
      if (!(await knownChannels(db, [channel_id])).has(channel_id)) {
        refuse({ channel_id: `channel_id ${channel_id} is no channel of this store.` })
      }
      const site = await createSite(db, parts, channel_id, address)
      return new Answer({ data: site, meta: {} }, 201, { location: pathOf(db.store, site.id) })
    },
  )

  api.get(one, { ...read, schema: { summary: 'Get a site', params, ...answersSite } }, async ({ db, params }) => {
    const row = await findSite(db, params.site_id)
    return dated(siteToAnswer(db.store, row, rules), row.updated_at)
  })

  api.put(
    one,
    { ...write, schema: { summary: 'Change a site', params, body: Changes, ...answersSite } },
    async ({ db, params, body }) => answer(await changeSite(db, parts, await findSite(db, params.site_id), body)),
  )

  api.delete(
    one,
    {
      ...write,
      schema: { summary: 'Delete a site', description: 'With its routes. The first site stays: 409.', params },
    },
    async ({ db, params }) => {
      await deleteSite(db, parts, params.site_id)
      return noContent()
    },
  )

  api.get(
    ofChannel,
    { ...read, schema: { summary: 'Get the site of a channel', params: channelParams, ...answersSite } },
    async ({ db, params }) => {
      const row = await findSiteOfChannel(db, params.channel_id)
      return aliasAnswer(siteToAnswer(db.store, row, rules), db.store, modifiedAt(row.updated_at))
    },
  )

  api.post(
    ofChannel,
    {
      ...write,
      schema: { summary: 'Create the site of a channel', params: channelParams, body: NewChannelSite, ...answersSite },
    },
    async ({ db, params: { channel_id }, body }) => {
      const address = addressFor(db.store, channel_id, body.url, { rules })
      if ((body.channel_id ?? channel_id) !== channel_id) {
        refuse({ channel_id: `channel_id must be ${channel_id}, as in the path, or be left out.` })
      }
      if (!(await knownChannels(db, [channel_id])).has(channel_id)) throw notFound('channel', channel_id)
      return aliasAnswer(await createSite(db, parts, channel_id, address), db.store)
    },
  )

  api.put(
    ofChannel,
    {
      ...write,
      schema: { summary: 'Change the site of a channel', params: channelParams, body: Changes, ...answersSite },
    },
    async ({ db, params, body }) => {
      const row = await findSiteOfChannel(db, params.channel_id)
      return aliasAnswer(await changeSite(db, parts, row, body), db.store)
    },
  )

  api.delete(
    ofChannel,
    {
      ...write,
      schema: {
        summary: 'Delete the site of a channel',
        description: 'With its routes. The site of channel 1 stays: 409.',
        params: channelParams,
      },
    },
    async ({ db, params }) => {
      await deleteSite(db, parts, (await findSiteOfChannel(db, params.channel_id)).id)
      return noContent()
    },
  )
}

/** @throws Problem 409 if the channel has a site, or another site has the host; 422 if the channel is deleted meanwhile */
export async function createSite(
  db: Db,
  { hosts, rules }: AddressParts,
  channel_id: number,
  address: SiteAddress,
): Promise<Site> {
  const row = await hosts.withClaim(db.store, await hostToClaim(db, undefined, address), (claim) =>
    db.transaction(async (tx) => {
      if (!(await lockLiveChannelsShared(tx, [channel_id])).has(channel_id)) {
        refuse({ channel_id: `channel_id ${channel_id} is no channel of this store.` })
      }
      const now = tx.now.toISOString()
      const created = await insert(tx, sites, {
        channel_id,
        url: address.url,
        checkout_url: '',
        ssl_status: 'shared',
        created_at: now,
        updated_at: now,
        url_updated_at: now,
        checkout_created_at: null,
        checkout_updated_at: null,
      })
      await setHosts(tx, hosts, created.id, { needed: neededHosts(tx.store, created, rules), claim })
      publishSite(tx, created, 'site/updated')
      return created
    }),
  )
  return siteToAnswer(db.store, row, rules)
}

/** @throws Problem 404, 409 if another site has the host, or the checkout would be below another domain */
export async function changeSite(
  db: Db,
  { hosts, rules }: AddressParts,
  found: SiteRow,
  { url }: Changes,
): Promise<Site> {
  if (url === undefined) return siteToAnswer(db.store, found, rules)
  const address = addressFor(db.store, found.channel_id, url, { rules })
  const row = await hosts.withClaim(db.store, await hostToClaim(db, found.id, address), (claim) =>
    db.transaction(async (tx) => {
      const site = await lockSite(tx, found.id)
      if (address.url === site.url) return site
      if (site.checkout_url !== '' && !(await shareDomain(address.host, new URL(site.checkout_url).hostname))) {
        const sentence = `The checkout is at ${site.checkout_url}, which is below another domain. Delete that address first.`
        throw new Problem(409, sentence, { url: sentence })
      }
      const now = tx.now.toISOString()
      const values = { url: address.url, url_updated_at: now, updated_at: now }
      await setHosts(tx, hosts, site.id, { needed: neededHosts(tx.store, { ...site, ...values }, rules), claim })
      const changed = await change(tx, sites, site, values)
      publishSite(tx, site, 'site/updated')
      publishStoreInformation(tx, site)
      const isCovered = await dropForeignCertificate(tx, site.id, new URL(address.url).hostname)
      return isCovered ? changed : { ...changed, ssl_status: 'shared' as const }
    }),
  )
  return siteToAnswer(db.store, row, rules)
}

/** @throws Problem 404, 409 for the first site */
async function deleteSite(db: Db, { hosts, deleteRowsOfSites }: SiteResourceParts, id: number) {
  await db.transaction(async (tx) => {
    const site = await lockSite(tx, id)
    if (id === FIRST_SITE) throw new Problem(409, 'The site of channel 1 cannot be deleted.')
    const freed = await removeSite(tx, id)
    tx.afterCommit(() => hosts.release(tx.store, freed))
    publishSite(tx, site, 'site/updated')
  })
  await deleteRowsOfSites(db)
}

/** Deletes the site of a terminated channel. Its claims stay: other stores find that no site uses the hosts. */
export const deleteSiteOfChannel = (db: Db, channel: number) =>
  db.transaction(async (tx) => {
    const [site] = await tx.rows<RowWithId>(sql`
      select id from sites where store_id = ${tx.store.id} and channel_id = ${channel} for update`)
    if (site) await removeSite(tx, site.id)
  })

/**
 * Deletes a locked site with its sub-resources.
 * @returns its hosts
 */
async function removeSite(tx: Tx, id: number) {
  await lockCounters(tx, [routesOfSites.table, sites.table])
  await removeAll(tx, routesOfSites, sql`site_id = ${id}`)
  await deleteCertificate(tx, id)
  const freed = await dropHosts(tx, id, [])
  await remove(tx, sites, id)
  return freed
}
