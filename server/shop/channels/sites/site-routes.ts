import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer, answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse, repeatedIds } from '../../../core/rest/input/mistakes.ts'
import { collection, envelope } from '../../../core/rest/lists/collection.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import { PageMeta, pagination } from '../../../core/rest/lists/paging.ts'
import {
  differences,
  findBelow,
  findWhere,
  insertAll,
  lockBelow,
  remove,
  takeIds,
} from '../../../core/rest/lists/verbs.ts'
import { Problem, ProblemBody } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import type { AddressRules } from './addresses.ts'
import { FIRST_SITE, findSite, lockSite, pathOf, publishSite, siteUrlOf } from './shape.ts'

const { read, write } = access('sites')

const ROUTES_MAX = 200

const TYPES = [
  'product',
  'brand',
  'category',
  'page',
  'blog',
  'home',
  'cart',
  'checkout',
  'search',
  'account',
  'login',
  'returns',
  'static',
  'create_account',
  'forgot_password',
  'account_order_status',
  'account_new_return',
  'recover_abandoned_cart',
]

/** Where the pages of a type are in a site (docs/contract/sites.md section 4). */
const SiteRoute = t.Object({
  id: Id,
  type: t.Enum(TYPES),
  matching: t.String({
    pattern: '^(\\*|[1-9]\\d{0,15})$',
    description: 'The id of one thing, or * for all of the type',
  }),
  route: t.String({
    maxLength: 2_048,
    pattern: '^/[^\\s\\u0000-\\u001f{}]*(\\{(id|slug|lang|language)\\}[^\\s\\u0000-\\u001f{}]*)*$',
    description: 'A path with the tokens {id}, {slug} and {lang}',
  }),
})
type SiteRoute = Static<typeof SiteRoute>

const { id, type, matching, route } = SiteRoute.properties
const example = { type: 'product', matching: '*', route: '/products/{slug}' }
const NewRoute = t.Object({ type, matching, route }, { title: 'NewSiteRoute', examples: [example] })
const Upserts = t.Array(t.Object({ id: t.Optional(id), type, matching, route }, { title: 'SiteRouteUpsert' }), {
  minItems: 1,
  maxItems: ROUTES_MAX,
  examples: [[{ type: 'brand', matching: '*', route: '/brands/{slug}' }]],
})
type NewRoute = Static<typeof NewRoute>
type Upsert = Static<typeof Upserts>[number]

export const routesOfSites = collection('site_routes', SiteRoute, {
  noun: 'site route',
  filters: 'type',
  hidden: ['site_id'],
})

/** The body of a refused upsert. */
const NothingSaved = t.Object({ ...ProblemBody.properties, meta: t.Object({ saved_records: t.Integer() }) })

/** The six operations of a site's routes. */
export function siteRouteRoutes(api: Api) {
  const list = `/sites/${idSegment('site_id')}/routes`
  const one = `${list}/${idSegment('route_id')}`
  const params = t.Object({ site_id: Id })
  const oneParams = t.Object({ site_id: Id, route_id: Id })

  api.get(
    list,
    { ...read, schema: { summary: 'List the routes of a site', params, ...routesOfSites.list } },
    async ({ db, params: { site_id }, query }) => {
      await findSite(db, site_id)
      return findPage(db, routesOfSites, query, { where: sql`site_id = ${site_id}` })
    },
  )

  api.post(
    list,
    {
      ...write,
      schema: {
        summary: 'Create a route of a site',
        params,
        body: NewRoute,
        response: { 201: envelope(routesOfSites.shape) },
      },
    },
    async ({ db, params: { site_id }, body }) => {
      const [created] = await db.transaction((tx) => upsert(tx, site_id, [body], () => ''))
      return new Answer({ data: created, meta: {} }, 201, {
        location: `${pathOf(db.store, site_id)}/routes/${created?.id}`,
      })
    },
  )

  api.put(
    list,
    {
      config: {
        ...write.config,
        errorBody: (refusal) => (refusal.status === 422 ? { ...refusal, meta: { saved_records: 0 } } : refusal),
      },
      schema: {
        summary: 'Create and change routes of a site',
        operationId: 'upsertSiteRoutes',
        description: 'An item with an id is changed, one without is created. All items are stored, or none.',
        params,
        body: Upserts,
        response: { 200: t.Object({ data: t.Array(routesOfSites.shape), meta: PageMeta }), 422: NothingSaved },
      },
    },
    async ({ db, params: { site_id }, body }) => {
      const stored = await db.transaction((tx) => upsert(tx, site_id, body, (i) => `${i}.`))
      return answer(stored, {
        pagination: pagination({ total: stored.length, count: stored.length, page: 1, limit: ROUTES_MAX }, {}),
      })
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a route of a site', params: oneParams, ...routesOfSites.answersOne } },
    async ({ db, params: { site_id, route_id } }) => {
      await findSite(db, site_id)
      return answer(await findBelow(db, routesOfSites, { site_id }, route_id))
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a route of a site',
        params: oneParams,
        body: NewRoute,
        ...routesOfSites.answersOne,
      },
    },
    async ({ db, params: { site_id, route_id }, body }) => {
      const [changed] = await db.transaction(async (tx) => {
        await lockSite(tx, site_id)
        await lockBelow(tx, routesOfSites, { site_id }, route_id)
        return upsert(tx, site_id, [{ ...body, id: route_id }], () => '')
      })
      return answer(changed)
    },
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a route of a site', params: oneParams } },
    async ({ db, params: { site_id, route_id } }) => {
      await db.transaction(async (tx) => {
        const site = await lockSite(tx, site_id)
        await lockBelow(tx, routesOfSites, { site_id }, route_id)
        await remove(tx, routesOfSites, route_id)
        publishSite(tx, site, 'route/updated')
      })
      return noContent()
    },
  )
}

/**
 * Changes the routes with an id and creates the others, all or none.
 * @param place returns the prefix of the field names of an item
 * @returns the routes in the order of the body
 * @throws Problem 404 for the site, 422 for unknown ids and for two routes of one type and matching, 403 at the maximum
 */
async function upsert(
  tx: Tx,
  site_id: number,
  items: readonly (NewRoute & Pick<Upsert, 'id'>)[],
  place: (i: number) => string,
): Promise<SiteRoute[]> {
  const site = await lockSite(tx, site_id)
  const ids = await takeIds(tx, [[routesOfSites, items.filter(({ id }) => id === undefined).length]])
  const present = await findWhere(tx, routesOfSites, sql`site_id = ${site_id}`)
  const before = new Map(present.map((found) => [found.id, found]))
  const after = new Map(before)
  const mistakes: Mistakes = repeatedIds(items, (i) => `${place(i)}id`)
  const stored = items.map(({ id, type, matching, route }, i) => {
    if (id !== undefined && !before.has(id)) mistakes[`${place(i)}id`] = `The site has no route ${id}.`
    const changed = { id: id ?? ids.next(routesOfSites), type, matching, route }
    after.set(changed.id, changed)
    return changed
  })
  const placeOf = new Map(stored.map(({ id }, i) => [id, i]))
  for (const [i, item] of stored.entries()) {
    // The second of two equal items is reported.
    const rival = after.values().find((other) => isRival(other, item) && (placeOf.get(other.id) ?? -1) < i)
    if (rival) mistakes[`${place(i)}matching.type`] = `The site has a route for ${item.type} ${item.matching} already.`
  }
  refuse(mistakes)
  if (after.size > ROUTES_MAX) throw new Problem(403, `A site can have at most ${ROUTES_MAX} routes.`)
  const changed = stored.filter((item) => Object.keys(differences(before.get(item.id) ?? {}, item)).length > 0)
  // Old routes are deleted first, because two routes may exchange their values.
  await tx.rows(sql`
    delete from site_routes where store_id = ${tx.store.id} and id = any(${changed.map(({ id }) => id)}) returning id`)
  await insertAll(
    tx,
    routesOfSites,
    changed.map((item) => ({ ...item, site_id })),
  )
  if (changed.length > 0) publishSite(tx, site, 'route/updated')
  return stored
}

const isRival = (one: SiteRoute, other: SiteRoute) =>
  one.id !== other.id && one.type === other.type && one.matching === other.matching

/**
 * The address of the pages of a type in the site of a channel, or of the first channel if it has no site.
 * @param tokens the values of the tokens of its route; a missing one is left out
 * @returns undefined if the site has no route of the type for all things
 */
export async function addressOfRoute(
  db: Db,
  {
    channel,
    type,
    tokens,
  }: { channel: number; type: 'cart' | 'login' | 'recover_abandoned_cart'; tokens: Readonly<Record<string, string>> },
  rules: AddressRules,
): Promise<string | undefined> {
  const { found, url } = await db.together(() => ({
    found: db.rows<Pick<SiteRoute, 'route'>>(
      prepared(sql`
      select route from site_routes
      where store_id = ${db.store.id} and type = ${type} and matching = '*' and site_id = (
        select id from sites where sites.store_id = ${db.store.id} and (channel_id = ${channel} or id = ${FIRST_SITE})
        order by channel_id = ${channel} desc limit 1
      )`),
    ),
    url: siteUrlOf(db, channel, rules),
  }))
  const [one] = found
  if (!one) return undefined
  const path = one.route.replaceAll(/\{(\w+)\}/g, (_, token: string) => encodeURIComponent(tokens[token] ?? ''))
  return `${url}${path}`
}
