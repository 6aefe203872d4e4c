import t, { type Static, type TSchema } from 'typebox'
import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { Answer, answer } from '../core/rest/answer.ts'
import { type Beside, type Collection, envelope, type Identified, insertion, Meta } from '../core/rest/collection.ts'
import { fold } from '../core/rest/fold.ts'
import { Problem, ProblemBody, problemBody } from '../core/rest/problem.ts'
import { change, insert } from '../core/rest/verbs.ts'
import { isUrlPath, slug, withSlash } from './slug.ts'

/** The storefront address of a brand, category, product or page. All share one namespace per store. */
export const CustomUrl = t.Object({
  url: t.String({ minLength: 1, maxLength: 1024 }),
  is_customized: t.Boolean(),
})
export type CustomUrl = Static<typeof CustomUrl>

export const CustomUrlInput = t.Partial(CustomUrl)
export type CustomUrlInput = Static<typeof CustomUrlInput>

/** What has an address. Its kind, in the table of addresses, is the noun of its collection. */
interface Addressed extends Identified {
  name: string
  custom_url: CustomUrl
}

/** The row as it was stored, and why it did not get the address that the request asked for. */
export interface Outcome<R> {
  row: R
  failure?: string | undefined
}

/**
 * The answer to a write: 200, or 207 with the reason where all was saved but the address
 * (docs/contract/conventions.md section 7).
 */
export function answerAddressed<R>({ row, failure }: Outcome<R>, docsBase: string) {
  if (failure === undefined) return answer(row)
  const problem = new Problem(409, 'All was saved but the address.', { 'custom_url.url': failure })
  return new Answer({ data: row, errors: problemBody(problem, docsBase), meta: {} }, 207)
}

/** Schemas of a route that saves a row with an address. */
export const addressedAnswers = <S extends TSchema>(shape: S) => ({
  response: { 200: envelope(shape), 207: t.Object({ data: shape, errors: ProblemBody, meta: Meta }) },
})

/** Reserves the address of a new row in the statement that stores it; a row without one has the empty address. */
const besideRow = (collection: Collection): Beside => {
  const key = `$${collection.inserted.length + 3}::text`
  return {
    with: `address as (
      insert into urls (store_id, url_key, owner_kind, owner_id)
      select $1, ${key}, '${collection.noun}', last_id from next where ${key} is not null
      on conflict do nothing returning url_key)`,
    values: {
      custom_url: (url) =>
        `case when exists (select from address) then ${url}::jsonb else '${JSON.stringify(NOWHERE)}'::jsonb end`,
    },
  }
}

const NOWHERE: CustomUrl = { url: '', is_customized: false }

/** The address that a new row asks for, or the one that its name makes; none if that name has no letter or digit for it. */
function firstChoice(name: string, wish: CustomUrlInput): { custom_url: CustomUrl; failure?: string } {
  const base = slug(name)
  const generated = base ? { url: `/${base}/`, is_customized: false } : NOWHERE
  if (wish.is_customized === false || wish.url === undefined) return { custom_url: generated }
  const url = withSlash(wish.url)
  return isUrlPath(url)
    ? { custom_url: { url, is_customized: true } }
    : { custom_url: generated, failure: malformed(url) }
}

const malformed = (url: string) => `The address ${url} has characters or a form that is not allowed.`
const taken = (url: string) => `The address ${url} is taken.`

/**
 * Stores a new row with the address it asks for, or with one made from its name if it asks for none or for one that can't
 * be had (docs/contract/catalog.md section 1, custom_url).
 */
export async function insertAddressed<R extends Addressed>(
  tx: Tx,
  collection: Collection<R>,
  values: Omit<R, 'id'> & Pick<Addressed, 'name' | 'custom_url'>,
  wish: CustomUrlInput = {},
): Promise<Outcome<R>> {
  const { custom_url, failure } = firstChoice(values.name, wish)
  const row = await insert(
    tx,
    collection,
    { ...values, custom_url },
    { name: `${collection.table} insert addressed`, text: insertion(collection, besideRow(collection)) },
    [custom_url === NOWHERE ? null : fold(custom_url.url)],
  )
  if (row.custom_url.url !== '') return { row, failure }
  const url = await generate(tx, collection, row)
  return {
    row: await change(tx, collection, row, { custom_url: { url, is_customized: false } }),
    failure: failure ?? (custom_url.is_customized ? taken(custom_url.url) : undefined),
  }
}

/**
 * Stores the changes of a row and sees to its address: a wish is granted if it can be, a row whose address was made from
 * its name gets another when it is renamed, and otherwise all stays as it is.
 */
export async function changeAddressed<R extends Addressed>(
  tx: Tx,
  collection: Collection<R>,
  row: R,
  changes: { name?: string },
  wish: CustomUrlInput = {},
): Promise<Outcome<R>> {
  const renamed = { ...row, name: changes.name ?? row.name }
  const { custom_url, failure } = await readdress(tx, collection, renamed, wish)
  return { row: await change(tx, collection, row, { ...changes, custom_url }), failure }
}

async function readdress(
  tx: Tx,
  collection: Collection,
  row: Addressed,
  wish: CustomUrlInput,
): Promise<{ custom_url: CustomUrl; failure?: string }> {
  const { custom_url: former } = row
  const isCustomized = wish.is_customized ?? (wish.url !== undefined || former.is_customized)
  if (!isCustomized) {
    if (!former.is_customized && isMadeFrom(former.url, collection, row)) return { custom_url: former }
    return { custom_url: { url: await generate(tx, collection, row), is_customized: false } }
  }
  const url = wish.url === undefined ? former.url : withSlash(wish.url)
  // A row keeps the address it has: one that shoppers know is worth more than one made anew.
  if (!isUrlPath(url)) return { custom_url: former, failure: malformed(url) }
  if (!(await reserve(tx, collection, row, url))) return { custom_url: former, failure: taken(url) }
  return { custom_url: { url, is_customized: true } }
}

/** Gives up every address of an owner. */
export async function releaseAddress(tx: Tx, collection: Collection, id: number) {
  await tx.rows(
    sql`delete from urls where store_id = ${tx.store.id} and owner_kind = ${collection.noun} and owner_id = ${id}`,
  )
}

const baseOf = ({ noun }: Collection, { id, name }: Addressed) => slug(name) || `${noun}-${id}`

/** Whether the address is the one that the name makes, with or without a number behind it. */
function isMadeFrom(url: string, collection: Collection, row: Addressed): boolean {
  const base = `/${baseOf(collection, row)}`
  return url.startsWith(base) && /^(-\d+)?\/$/.test(url.slice(base.length))
}

/** Reserves `/<slug>/`, and if that is taken `/<slug>-1/`, `/<slug>-2/` and so on. */
async function generate(tx: Tx, collection: Collection, row: Addressed): Promise<string> {
  const base = baseOf(collection, row)
  if (await reserve(tx, collection, row, `/${base}/`)) return `/${base}/`
  const { highest } = await tx.row<{ highest: number }>(sql`
    select coalesce(max(substring(url_key from ${`^/${base}-([0-9]{1,9})/$`})::int), 0) as highest from urls
    where store_id = ${tx.store.id} and url_key >= ${`/${base}-`} and url_key < ${`/${base}.`}`)
  for (let next = highest + 1; ; next++) {
    const url = `/${base}-${next}/`
    if (await reserve(tx, collection, row, url)) return url
  }
}

/** @returns whether the address is the row's now; its former one is then free */
async function reserve(tx: Tx, { noun }: Collection, { id, custom_url }: Addressed, url: string): Promise<boolean> {
  if (fold(url) === fold(custom_url.url)) return true
  const [reserved] = await tx.rows(sql`
    insert into urls (store_id, url_key, owner_kind, owner_id) values (${tx.store.id}, ${fold(url)}, ${noun}, ${id})
    on conflict do nothing returning url_key`)
  if (!reserved) return false
  await tx.rows(sql`
    delete from urls where store_id = ${tx.store.id} and url_key = ${fold(custom_url.url)}
      and owner_kind = ${noun} and owner_id = ${id}`)
  return true
}
