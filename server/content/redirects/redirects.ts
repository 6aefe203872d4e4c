import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { Answer, answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { AnyInteger, Id, IdList } from '../../core/rest/input/fields.ts'
import { envelope, type ListQuery } from '../../core/rest/lists/collection.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { AddressRules } from '../../shop/channels/sites/addresses.ts'
import { hiddenSites } from '../../shop/channels/sites/shape.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { keyOfPath, PATH_MAX } from './paths.ts'
import {
  deleteRedirects,
  type RedirectRow,
  redirects,
  storeRedirects,
  TARGET_TYPES,
  TargetInput,
  targetsOf,
} from './rows.ts'

const { read, write } = access('content')

/** Most redirects in a request. */
const BATCH_MAX = 1_000
const KEYWORD_MAX = 255

const Target = t.Object(
  {
    type: t.Enum([...TARGET_TYPES]),
    entity_id: t.Integer({ description: '0 for the type url' }),
    url: t.String({ description: 'Empty for all types but url' }),
  },
  { title: 'RedirectTarget' },
)
const Redirect = t.Object(
  {
    id: Id,
    site_id: Id,
    from_path: t.String(),
    to: Target,
    to_url: t.Optional(t.String({ description: 'The present target, absolute; with include=to_url' })),
  },
  { title: 'Redirect' },
)

/** A path may be sent as an address of the site, which is longer. */
const FromPath = t.String({ minLength: 1, maxLength: PATH_MAX + 300 })
const NewRedirects = t.Array(
  t.Object({ from_path: FromPath, site_id: Id, to: t.Optional(TargetInput) }, { title: 'NewRedirect' }),
  {
    minItems: 1,
    maxItems: BATCH_MAX,
    examples: [[{ from_path: '/old', site_id: 1_000, to: { type: 'url', url: '/new' } }]],
  },
)

const Listed = t.Unsafe<ListQuery & { keyword?: string }>(
  t.Object(
    {
      site_id: t.Optional(AnyInteger),
      'id:in': t.Optional(IdList),
      'id:min': t.Optional(AnyInteger),
      'id:max': t.Optional(AnyInteger),
      keyword: t.Optional({ ...ComparedText, maxLength: KEYWORD_MAX, description: 'The beginning of the path' }),
      include: t.Optional(t.Array(t.Enum(['to_url']))),
      sort: t.Optional(t.Enum(['from_path', 'type', 'site_id', 'id'])),
      direction: t.Optional(t.Enum(['asc', 'desc'])),
      ...paging,
    },
    { additionalProperties: false, table: 'redirects' },
  ),
)
const Narrowed = t.Object(
  { 'id:in': t.Optional(IdList), site_id: t.Optional(Id) },
  { additionalProperties: false, examples: [{ 'id:in': '1' }] },
)

interface Parts {
  /** The rules for addresses of sites, from the settings of the server. */
  rules: AddressRules
}

/** Routes of redirects (docs/contract/redirects.md). */
export function redirectRoutes(api: Api, { rules }: Parts) {
  const path = '/storefront/redirects'
  const tag = 'Redirects'

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: 'List the redirects',
        operationId: 'listRedirects',
        tag,
        querystring: Listed,
        response: { 200: t.Object({ data: t.Array(Redirect), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { data, meta } = await findRedirects(db, query)
      const rows = data.flatMap((row) => (isWhole(row) ? [row] : []))
      const targets = query.include?.includes('to_url') ? await targetsOf(db, rows, rules) : undefined
      return answer(
        rows.map((row) => ({ ...redirectToAnswer(row), ...(targets ? { to_url: targets.get(row.id) } : {}) })),
        meta,
      )
    },
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Create or change redirects',
        description: 'Overwrites redirects of the same site and path. Either all are saved or none.',
        operationId: 'upsertRedirects',
        tag,
        body: NewRedirects,
        response: { 201: envelope(t.Array(Redirect)) },
      },
    },
    async ({ db, body }) => {
      const nameOf = (i: number, field: string) => `${i}.${field}`
      const stored = await db.transaction((tx) => storeRedirects(tx, body, { rules, nameOf }))
      return new Answer({ data: stored.map(redirectToAnswer), meta: {} }, 201)
    },
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete redirects by a filter',
        description: 'Needs id:in or site_id. Redirects that match both are deleted.',
        operationId: 'deleteRedirects',
        tag,
        querystring: Narrowed,
      },
    },
    async ({ db, query: { 'id:in': ids, site_id } }) => {
      if (!ids && site_id === undefined) {
        throw new Problem(422, 'The query is not valid: id:in or site_id is required.')
      }
      const conditions = [
        ...(ids ? [sql`id = any(${ids})`] : []),
        ...(site_id === undefined ? [] : [sql`site_id = ${site_id}`]),
      ]
      await deleteRedirects(db, sql.and(conditions))
      return noContent()
    },
  )
}

const isWhole = (row: Partial<RedirectRow>): row is RedirectRow => row.id !== undefined

const redirectToAnswer = ({ id, site_id, from_path, type, entity_id, url }: RedirectRow): Static<typeof Redirect> => ({
  id,
  site_id,
  from_path,
  to: { type, entity_id, url },
})

/** One page of redirects, without those of deleted channels. */
export const findRedirects = async (db: Db, query: ListQuery & { keyword?: string }) =>
  findRows(db, redirects, query, await whereOf(db, query))

/** The conditions of a list beside its filters. Sites of deleted channels are hidden, with their redirects. */
async function whereOf(db: Db, { keyword }: { keyword?: string }): Promise<Sql | undefined> {
  const hidden = await hiddenSites(db)
  const conditions = [
    ...(hidden.length > 0 ? [sql`site_id <> all(${hidden})`] : []),
    ...(keyword === undefined ? [] : [beginsWith(keyword)]),
  ]
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

/** Matches paths that begin with a text, with or without its slash. */
function beginsWith(keyword: string): Sql {
  const key = keyOfPath(keyword.startsWith('/') ? keyword : `/${keyword}`)
  return sql`(from_path_key >= ${key} and from_path_key < ${`${key}\u{10ffff}`})`
}
