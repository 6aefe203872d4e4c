import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { publish } from '../../core/events/publish.ts'
import { lockIdsShared } from '../../core/rest/batch.ts'
import { AnyInteger, Id } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { lockCounter } from '../../core/rest/lists/counters.ts'
import { removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { unknownId } from '../../core/rest/problem.ts'
import { addressesOf } from '../../goods/catalog/addresses/urls.ts'
import { brands } from '../../goods/catalog/brands/brands.ts'
import { categories } from '../../goods/catalog/categories/shape.ts'
import { products } from '../../goods/catalog/product-row/shape.ts'
import type { AddressRules } from '../../shop/channels/sites/addresses.ts'
import { isOfSite, type SiteAddresses, siteAddresses, sites } from '../../shop/channels/sites/shape.ts'
import { addressesOfPosts, posts } from '../blog/shape.ts'
import { addressesOfPages, pages } from '../pages/shape.ts'
import { digestOfPath, isTarget, keyOfPath, PATH_MAX, readPath } from './paths.ts'

export const TARGET_TYPES = ['product', 'brand', 'category', 'page', 'post', 'url'] as const

/**
 * A redirect leads shoppers from a path of one site to a target: a fixed address, or a product, brand, category, page or post, whose
 * present address it follows. Site and path identify it, and storing the same pair again overwrites it. Paths are compared without regard to
 * encoding, case and one slash at the end. A redirect is deleted with its site and with its target (docs/contract/redirects.md).
 */
const RedirectRow = t.Object({
  id: Id,
  site_id: AnyInteger,
  from_path: t.String(),
  type: t.Enum([...TARGET_TYPES]),
  entity_id: AnyInteger,
  url: t.String(),
})
export type RedirectRow = Static<typeof RedirectRow>

export const redirects = collection('redirects', RedirectRow, {
  noun: 'redirect',
  filters: 'site_id id:in id:min id:max',
  sort: ['from_path', 'type', 'site_id', 'id'],
  counted: true,
})

/** The target in a body. */
export const TargetInput = t.Object(
  {
    type: t.Optional(t.Enum([...TARGET_TYPES])),
    entity_id: t.Optional(t.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0, maximum: 2_147_483_647 })),
    url: t.Optional(t.Unsafe<string | null>({ type: ['string', 'null'], maxLength: PATH_MAX })),
  },
  { title: 'RedirectTargetInput' },
)

/** A redirect as a request asks for it. `to` may be missing if the path has a redirect. */
export interface RedirectInput {
  from_path: string
  site_id: number
  to?: Static<typeof TargetInput> | undefined
}

/** The collections that redirects can lead to. */
const TARGETS = { product: products, brand: brands, category: categories, page: pages, post: posts } as const
type TargetKind = keyof typeof TARGETS

/** Finds the present addresses of targets, by id. */
const ADDRESSES: Readonly<
  Record<TargetKind, (db: Db, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>>
> = {
  product: (db, ids) => addressesOf(db, products, ids),
  brand: (db, ids) => addressesOf(db, brands, ids),
  category: (db, ids) => addressesOf(db, categories, ids),
  page: addressesOfPages,
  post: addressesOfPosts,
}

/** A redirect without its id. */
type Wanted = Omit<RedirectRow, 'id'> & { path_digest: string; from_path_key: string }

/** The paths of fields in refusals, for the item with this index. */
export type RedirectFieldNames = (
  i: number,
  field: 'from_path' | 'site_id' | 'to' | 'to.type' | 'to.entity_id' | 'to.url',
) => string

interface StoreOptions {
  rules: AddressRules
  nameOf: RedirectFieldNames
  /** Chooses the row that an input overwrites: by default the one of its path. It may refuse that one. */
  overwrites?: (found: RedirectRow | undefined) => Promise<RedirectRow | undefined>
}

/**
 * Stores redirects, at most one request of a store at a time. Reads, writes and events take one statement each.
 * @returns the stored rows in the order of the inputs; the last one of a pair wins
 * @throws Problem 422 by item; then nothing is stored
 */
export async function storeRedirects(
  tx: Tx,
  inputs: readonly RedirectInput[],
  { rules, nameOf, overwrites = async (found) => found }: StoreOptions,
): Promise<RedirectRow[]> {
  const siteIds = inputs.map(({ site_id }) => site_id)
  await lockIdsShared(tx, sites, siteIds)
  const addresses = await siteAddresses(tx, siteIds, rules)
  const mistakes: Mistakes = {}
  const read = inputs.map((input, i) => readRedirect(input, addresses, (field) => nameOf(i, field), mistakes))
  // Targets are locked before the counter: deletions of targets lock in the same order.
  await refuseUnknownTargets(tx, read, nameOf, mistakes)
  refuse(mistakes)
  await lockCounter(tx, redirects.table)
  const found = await findByPaths(
    tx,
    read.flatMap((item) => item ?? []),
  )
  const wanted = new Map<string, Wanted>()
  for (const [i, item] of read.entries()) {
    if (!item) continue
    const row = await overwrites(found.get(keyOf(item)))
    if (row) found.set(keyOf(item), row)
    const target = item.target ?? wanted.get(keyOf(item)) ?? row
    if (!target) mistakes[nameOf(i, 'to')] = 'error.path.missing'
    else wanted.set(keyOf(item), toRow(item, target))
  }
  refuse(mistakes)
  const stored = await writeRedirects(tx, [...wanted.values()], found)
  return read.flatMap((item) => (item && stored.get(keyOf(item))) ?? [])
}

type Target = Pick<RedirectRow, 'type' | 'entity_id' | 'url'>

interface ReadRedirect {
  site_id: number
  from_path: string
  path_digest: string
  target: Target | undefined
}

const keyOf = ({ site_id, path_digest }: { site_id: number; path_digest: string }) => `${site_id} ${path_digest}`

const toRow = ({ site_id, from_path, path_digest }: ReadRedirect, { type, entity_id, url }: Target): Wanted => ({
  site_id,
  from_path,
  from_path_key: keyOfPath(from_path),
  path_digest,
  type,
  entity_id,
  url,
})

/** Reads an input. @returns undefined with a mistake for an invalid one */
function readRedirect(
  { from_path, site_id, to }: RedirectInput,
  addresses: ReadonlyMap<number, SiteAddresses>,
  nameOf: (field: Parameters<RedirectFieldNames>[1]) => string,
  mistakes: Mistakes,
): ReadRedirect | undefined {
  const count = Object.keys(mistakes).length
  const site = addresses.get(site_id)
  if (!site) mistakes[nameOf('site_id')] = unknownId('site', site_id)
  const read = readPath(from_path, (host) => site?.hosts.has(host.replace(/^www\./, '')) ?? true)
  if ('mistake' in read) mistakes[nameOf('from_path')] = read.mistake
  const path = 'path' in read ? read.path : ''
  const target = to && readTarget(to, nameOf, mistakes)
  if (target?.type === 'url' && target.url === path) mistakes[nameOf('to.url')] = 'The redirect leads to itself.'
  if (Object.keys(mistakes).length > count) return undefined
  return { site_id, from_path: path, path_digest: digestOfPath(path), target }
}

function readTarget(
  { type = undefined, entity_id, url }: Static<typeof TargetInput>,
  nameOf: (field: Parameters<RedirectFieldNames>[1]) => string,
  mistakes: Mistakes,
): Target | undefined {
  const kind = type ?? (url ? 'url' : undefined)
  if (kind === undefined) mistakes[nameOf('to.type')] = 'error.path.missing'
  else if (kind === 'url') {
    if (!url) mistakes[nameOf('to.url')] = 'error.path.missing'
    else if (!isTarget(url)) mistakes[nameOf('to.url')] = 'A target is a path, or an absolute http or https address.'
    else return { type: kind, entity_id: 0, url }
  } else if (!entity_id) mistakes[nameOf('to.entity_id')] = 'error.path.missing'
  else return { type: kind, entity_id, url: '' }
  return undefined
}

/** Locks the targets of redirects against deletion, by one statement for each kind. Adds a mistake for each unknown one. */
async function refuseUnknownTargets(
  tx: Tx,
  read: readonly (ReadRedirect | undefined)[],
  nameOf: RedirectFieldNames,
  mistakes: Mistakes,
) {
  for (const type of TARGET_TYPES) {
    if (type === 'url') continue
    const targets = read.flatMap((item, i) => (item?.target?.type === type ? [{ i, id: item.target.entity_id }] : []))
    const there = await lockIdsShared(
      tx,
      TARGETS[type],
      targets.map(({ id }) => id),
    )
    for (const { i, id } of targets) {
      if (!there.has(id)) mistakes[nameOf(i, 'to.entity_id')] = unknownId(type, id)
    }
  }
}

/**
 * The redirects of paths, by site and path, with those of other sites. `offset 0` makes one look-up for each path: in a table that
 * statistics don't know yet, a join reads all redirects of the store, and an import becomes quadratic.
 */
async function findByPaths(tx: Tx, paths: readonly ReadRedirect[]): Promise<Map<string, RedirectRow>> {
  const rows = await tx.rows<RedirectRow & { path_digest: string }>(sql`
    select found.* from unnest(${paths.map(({ path_digest }) => path_digest)}::text[]) wanted (digest)
      cross join lateral (
        select id, site_id, from_path, type, entity_id, url, path_digest from redirects
        where store_id = ${tx.store.id} and path_digest = wanted.digest
        offset 0
      ) found`)
  return new Map(rows.map(({ path_digest, ...row }) => [keyOf({ ...row, path_digest }), row]))
}

/** Writes new and changed redirects by one statement, and publishes their events. */
async function writeRedirects(
  tx: Tx,
  wanted: readonly Wanted[],
  found: ReadonlyMap<string, RedirectRow>,
): Promise<Map<string, RedirectRow>> {
  const ids = await takeIds(tx, [[redirects, wanted.filter((row) => !found.has(keyOf(row))).length]])
  const rows = wanted.map((row) => ({ ...row, id: found.get(keyOf(row))?.id ?? ids.next(redirects) }))
  const changed = rows.filter((row) => !isSame(row, found.get(keyOf(row))))
  await tx.rows(sql`
    insert into redirects (store_id, id, site_id, from_path, from_path_key, path_digest, type, entity_id, url)
    select ${tx.store.id}, id, site_id, from_path, from_path_key, path_digest, type, entity_id, url
    from ${sql.table('wanted', changed, {
      id: 'int',
      site_id: 'int',
      from_path: 'text',
      from_path_key: 'text',
      path_digest: 'text',
      type: 'text',
      entity_id: 'int',
      url: 'text',
    })}
    on conflict (store_id, id) do update set site_id = excluded.site_id, from_path = excluded.from_path,
      from_path_key = excluded.from_path_key, path_digest = excluded.path_digest, type = excluded.type,
      entity_id = excluded.entity_id, url = excluded.url`)
  for (const row of changed) publishRedirect(tx, row)
  return new Map(rows.map(({ from_path_key: _, path_digest, ...row }) => [keyOf({ ...row, path_digest }), row]))
}

const isSame = (row: RedirectRow, before: RedirectRow | undefined): boolean =>
  before !== undefined && redirects.columns.every((column) => Reflect.get(row, column) === Reflect.get(before, column))

/** Publishes an event of a created or changed redirect (docs/contract/webhooks.md section 6). */
function publishRedirect(tx: Tx, { id, site_id, from_path, type, entity_id, url }: RedirectRow) {
  publish(tx, 'store/redirects/updated', `redirect ${id}`, { id, site_id, from_path, to: { url, entity_id, type } })
}

/**
 * The absolute addresses that redirects lead to, by the redirect: one statement for each kind of target. A target that was deleted
 * meanwhile leads to the site.
 */
export async function targetsOf(
  db: Db,
  rows: readonly RedirectRow[],
  rules: AddressRules,
): Promise<ReadonlyMap<number, string>> {
  const addresses = await siteAddresses(
    db,
    rows.map(({ site_id }) => site_id),
    rules,
  )
  const paths = new Map<string, string>()
  for (const [type, find] of Object.entries(ADDRESSES)) {
    const ids = rows.filter((row) => row.type === type).map(({ entity_id }) => entity_id)
    for (const [id, path] of await find(db, ids)) paths.set(`${type} ${id}`, path)
  }
  return new Map(
    rows.map(({ id, site_id, type, entity_id, url }) => {
      const target = type === 'url' ? url : (paths.get(`${type} ${entity_id}`) ?? '/')
      return [id, target.startsWith('/') ? `${addresses.get(site_id)?.url ?? ''}${target}` : target]
    }),
  )
}

/** Deletes redirects in steps, without events. The counter is locked first, as by requests that store redirects. */
export const deleteRedirects = (db: Db, where: Sql) =>
  inSteps(db, async (tx) => {
    await lockCounter(tx, redirects.table)
    const gone = await removeAll(
      tx,
      redirects,
      sql`id = any(array(
        select id from redirects where store_id = ${tx.store.id} and ${where} order by id limit ${STEP_ROWS}))`,
    )
    return gone.length === STEP_ROWS
  })

/** Deletes the redirects to targets that are being deleted, in the transaction of their deletion and with the targets locked. */
export async function deleteRedirectsTo(tx: Tx, type: TargetKind, ids: readonly number[]) {
  const leadsThere = sql`type = ${type} and entity_id = any(${ids}) and entity_id > 0`
  const found = await tx.rows(sql`select id from redirects where store_id = ${tx.store.id} and ${leadsThere} limit 1`)
  if (found.length === 0) return
  await lockCounter(tx, redirects.table)
  await removeAll(tx, redirects, leadsThere)
}

/** Deletes the redirects of sites that were deleted. */
export const deleteRedirectsWithoutSite = (db: Db) => deleteRedirects(db, sql`not ${isOfSite(db, 'redirects.site_id')}`)
