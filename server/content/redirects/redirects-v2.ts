import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { findBelow, lockBelow } from '../../core/rest/lists/verbs.ts'
import { Problem } from '../../core/rest/problem.ts'
import { listV2, pageV2, rowsV2 } from '../../core/rest/v2.ts'
import type { AddressRules } from '../../shop/channels/sites/addresses.ts'
import { FIRST_SITE } from '../../shop/channels/sites/shape.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { PATH_MAX } from './paths.ts'
import {
  deleteRedirects,
  type RedirectFieldNames,
  type RedirectRow,
  redirects,
  storeRedirects,
  TARGET_TYPES,
  targetsOf,
} from './rows.ts'

const { read, write } = access('content')

/** The older family knows no sites: it has the redirects of the first one. */
const OWNER = { site_id: FIRST_SITE }
const ofFirstSite = sql`site_id = ${FIRST_SITE}`

const MANUAL = 'manual'
const TYPES = [MANUAL, ...TARGET_TYPES.filter((type) => type !== 'url')] as const

const Forward = t.Object(
  {
    type: t.Enum([...TYPES]),
    ref: t.Unsafe<string | number>({ type: ['string', 'integer'], description: 'An address for manual, else an id' }),
  },
  { title: 'RedirectForward' },
)
const Redirect = t.Object(
  { id: Id, path: t.String(), forward: Forward, url: t.String({ description: 'The present target, absolute' }) },
  { title: 'RedirectV2' },
)
const NewRedirect = t.Object(
  { path: t.String({ minLength: 1, maxLength: PATH_MAX }), forward: Forward },
  { title: 'NewRedirectV2', examples: [{ path: '/old', forward: { type: 'manual', ref: '/new' } }] },
)
type NewRedirect = Static<typeof NewRedirect>

/** Routes of redirects in the older family: the same rows, for the first site (docs/contract/redirects.md section 4). */
export function redirectRoutesV2(api: Api, { rules }: { rules: AddressRules }) {
  const one = `/redirects/${idSegment('id')}`
  const params = t.Object({ id: Id })
  const response = { 200: Redirect }
  const answerOne = async (db: Db, row: RedirectRow) => new Answer((await toAnswers(db, [row], rules))[0])

  api.get(
    '/redirects',
    {
      ...read,
      schema: {
        summary: 'List the redirects',
        querystring: pageV2,
        response: { 200: t.Array(Redirect), 204: t.Null() },
      },
    },
    async ({ db, query }) => {
      const rows = await rowsV2(db, { collection: redirects, query, where: ofFirstSite })
      return listV2(await toAnswers(db, rows, rules))
    },
  )

  api.post(
    '/redirects',
    { ...write, schema: { summary: 'Create a redirect', body: NewRedirect, response } },
    async ({ db, body }) => {
      const row = await db.transaction((tx) =>
        storeOne(tx, body, rules, async (found) => {
          if (found) throw pathTaken(body.path)
          return undefined
        }),
      )
      return answerOne(db, row)
    },
  )

  api.delete('/redirects', { ...write, schema: { summary: 'Delete all redirects' } }, async ({ db }) => {
    await deleteRedirects(db, ofFirstSite)
    return noContent()
  })

  api.get(
    '/redirects/count',
    {
      ...read,
      schema: {
        summary: 'Count the redirects',
        operationId: 'countRedirects',
        response: { 200: t.Object({ count: t.Integer() }, { title: 'RedirectCount' }) },
      },
    },
    async ({ db }) =>
      new Answer(
        await db.row<{ count: number }>(
          prepared(
            sql`select count(*)::int as count from redirects where store_id = ${db.store.id} and ${ofFirstSite}`,
          ),
        ),
      ),
  )

  api.get(one, { ...read, schema: { summary: 'Get a redirect', params, response } }, async ({ db, params }) =>
    answerOne(db, await findBelow(db, redirects, OWNER, params.id)),
  )

  api.put(
    one,
    { ...write, schema: { summary: 'Replace a redirect', params, body: NewRedirect, response } },
    async ({ db, params: { id }, body }) => {
      const row = await db.transaction(async (tx) => {
        await findBelow(tx, redirects, OWNER, id)
        return storeOne(tx, body, rules, async (found) => {
          if (found && found.id !== id) throw pathTaken(body.path)
          return lockBelow(tx, redirects, OWNER, id)
        })
      })
      return answerOne(db, row)
    },
  )

  api.delete(one, { ...write, schema: { summary: 'Delete a redirect', params } }, async ({ db, params: { id } }) => {
    await findBelow(db, redirects, OWNER, id)
    await deleteRedirects(db, sql`id = ${id} and ${ofFirstSite}`)
    return noContent()
  })
}

function pathTaken(path: string) {
  const sentence = `The path ${path} has a redirect already.`
  return new Problem(409, sentence, { path: sentence })
}

const NAMES: Readonly<Record<Parameters<RedirectFieldNames>[1], string>> = {
  from_path: 'path',
  site_id: 'path',
  to: 'forward',
  'to.type': 'forward.type',
  'to.entity_id': 'forward.ref',
  'to.url': 'forward.ref',
}

/** @throws Problem 400, 409 */
async function storeOne(
  tx: Tx,
  { path, forward: { type, ref } }: NewRedirect,
  rules: AddressRules,
  overwrites: (found: RedirectRow | undefined) => Promise<RedirectRow | undefined>,
): Promise<RedirectRow> {
  const to = type === MANUAL ? { type: 'url' as const, url: String(ref) } : { type, entity_id: idOf(ref) }
  const input = { ...OWNER, from_path: path, to }
  const [row] = await storeRedirects(tx, [input], { rules, nameOf: (_, field) => NAMES[field], overwrites })
  if (!row) throw new Error('A stored redirect was not returned.')
  return row
}

/** The id in a reference, which may be a numeric text. @throws Problem 400 */
function idOf(ref: string | number): number {
  const id = /^\d{1,10}$/.test(String(ref)) ? Number(ref) : 0
  if (id >= 1 && id <= 2_147_483_647) return id
  throw new Problem(400, 'JSON data is missing or invalid', { 'forward.ref': 'ref must be the id of the target.' })
}

async function toAnswers(
  db: Db,
  rows: readonly RedirectRow[],
  rules: AddressRules,
): Promise<Static<typeof Redirect>[]> {
  const targets = await targetsOf(db, rows, rules)
  return rows.map(({ id, from_path, type, entity_id, url }) => ({
    id,
    path: from_path,
    forward: type === 'url' ? { type: MANUAL, ref: url } : { type, ref: entity_id },
    url: targets.get(id) ?? '',
  }))
}
