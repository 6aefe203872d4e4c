import t, { type Static, type TSchema } from 'typebox'
import { brokenUnique, type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer, answer } from '../../../core/rest/answer.ts'
import { type Collection, envelope, Meta, type RowWithId } from '../../../core/rest/lists/collection.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { change, insert, insertWithin } from '../../../core/rest/lists/verbs.ts'
import { Problem, ProblemBody, problemBody } from '../../../core/rest/problem.ts'
import { isUrlPath, slug, withSlash } from './slug.ts'

/** The storefront address of a brand, category, product or page. All share one namespace per store. */
export const CustomUrl = t.Object(
  { url: t.String({ minLength: 1, maxLength: 1024 }), is_customized: t.Boolean() },
  { title: 'CustomUrl' },
)
export type CustomUrl = Static<typeof CustomUrl>

export const CustomUrlInput = t.Partial(CustomUrl, { title: 'CustomUrlInput' })
export type CustomUrlInput = Static<typeof CustomUrlInput>

/** What has an address. Its kind, in the table of addresses, is the noun of its collection. */
interface RowWithAddress extends RowWithId {
  name: string
  custom_url: CustomUrl
}

/** The row as it was stored, and why it did not get the address that the request asked for. */
export interface AddressOutcome<R> {
  readonly row: R
  readonly failure?: string | undefined
}

/**
 * The answer to a write: 200, or 207 with the reason where all was saved but the address
 * (docs/contract/conventions.md section 7).
 */
export function answerAddressed<R>(outcome: AddressOutcome<R>, docsBase: string): Answer {
  const { failure } = outcome
  if (failure === undefined) return answer(outcome.row)
  const problem = new Problem(409, 'All was saved but the address.', { 'custom_url.url': failure })
  return new Answer({ data: outcome.row, errors: problemBody(problem, docsBase), meta: {} }, 207)
}

/** Schemas of a route that saves a row with an address. */
export const addressedAnswers = <S extends TSchema>(shape: S) => ({
  response: { 200: envelope(shape), 207: t.Object({ data: shape, errors: ProblemBody, meta: Meta }) },
})

/** The rule of the table by which an address has one owner. */
const ADDRESS_RULE = 'urls_unique'

const NO_ADDRESS: CustomUrl = { url: '', is_customized: false }

/** The address that a new row asks for, or the one that its name makes; none if that name has no letter or digit for it. */
function firstChoice(name: string, wish: CustomUrlInput = {}): { custom_url: CustomUrl; failure?: string } {
  const base = slug(name)
  const generated = base ? { url: `/${base}/`, is_customized: false } : NO_ADDRESS
  if (wish.is_customized === false || wish.url === undefined) return { custom_url: generated }
  const url = withSlash(wish.url)
  return isUrlPath(url)
    ? { custom_url: { url, is_customized: true } }
    : { custom_url: generated, failure: addressMalformed(url) }
}

export const addressMalformed = (url: string) => `The address ${url} has characters or a form that is not allowed.`
export const addressTaken = (url: string) => `The address ${url} is taken.`

/** The values of a new row that has an address. */
type ValuesWithAddress<R> = Omit<R, 'id'> & Pick<RowWithAddress, 'name' | 'custom_url'>

/**
 * Stores a new row with the address it asks for. It gets an address made from its name if it asks for none, or for one that is malformed or
 * taken (docs/contract/catalog.md section 1, custom_url).
 *
 * If this is the whole transaction, the first attempt expects the address to be free, and commits in the round trip that stores the row:
 * until then every other create of the store waits for its counter. If the address is taken or the store is full, nothing is stored, and
 * the second attempt looks before it commits (docs/decisions/068-a-brand-in-one-round-trip.md).
 */
export async function insertAddressed<R extends RowWithAddress>(
  db: Db,
  collection: Collection<R>,
  values: ValuesWithAddress<R>,
  wish: CustomUrlInput = {},
): Promise<AddressOutcome<R>> {
  const { custom_url, failure } = firstChoice(values.name, wish)
  const wanted = { ...values, custom_url }
  const looking = async (tx: Tx) => {
    const { row, isTaken } = await insertChecked(tx, collection, wanted)
    return { row, failure: failure ?? (isTaken && custom_url.is_customized ? addressTaken(custom_url.url) : undefined) }
  }
  try {
    const stored = await db.transaction(async (tx) => {
      if (!tx.isWhole || custom_url === NO_ADDRESS) return looking(tx)
      const row = await insertExpectingFree(tx, collection, wanted)
      return row && { row, failure }
    })
    if (stored) return stored
  } catch (error) {
    if (brokenUnique(error) !== ADDRESS_RULE) throw error
  }
  return db.transaction(looking)
}

/**
 * Stores a row with its address and commits, without waiting for results. An address that is taken fails as a broken unique rule.
 * @returns undefined if the store is full; then nothing is stored
 */
async function insertExpectingFree<R extends RowWithAddress>(
  tx: Tx,
  collection: Collection<R>,
  values: ValuesWithAddress<R>,
): Promise<R | undefined> {
  const { row } = await tx.conclude(() => ({
    row: insertWithin(tx, collection, values),
    address: claimForNewest(tx, collection, values.custom_url.url, 'fails'),
  }))
  return row
}

/** Stores a row with its address, or with one made from its name if that is taken. */
async function insertChecked<R extends RowWithAddress>(
  tx: Tx,
  collection: Collection<R>,
  values: ValuesWithAddress<R>,
): Promise<{ row: R; isTaken: boolean }> {
  const { custom_url } = values
  // Stored as if the address were free, as most are.
  const { row, isClaimed } = await tx.together(() => ({
    row: insert(tx, collection, values),
    isClaimed: custom_url !== NO_ADDRESS && claimForNewest(tx, collection, custom_url.url),
  }))
  return isClaimed ? { row, isTaken: false } : { row: await giveFreeAddress(tx, collection, row), isTaken: true }
}

/** The address that a new row is stored with, though nobody knows yet whether it is free: most are. */
export function addressOfNew(
  collection: Collection,
  row: { id: number; name: string },
  wish?: CustomUrlInput,
): CustomUrl {
  const { custom_url } = firstChoice(row.name, wish)
  return custom_url === NO_ADDRESS ? { url: `/${baseOf(collection, row)}/`, is_customized: false } : custom_url
}

/**
 * Claims the addresses of new rows, all by one statement.
 * @param addressTaken what an address does that is taken: its row is passed over, or the statement fails
 * @returns the rows whose address is taken
 */
export async function claimAddresses<R extends RowWithAddress>(
  tx: Tx,
  { noun }: Collection<R>,
  rows: readonly R[],
  addressTaken: 'passes' | 'fails' = 'passes',
): Promise<R[]> {
  // In one order, so that two requests never wait for each other.
  const keyed = rows
    .map(({ id, custom_url }) => ({ id, key: fold(custom_url.url) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  const claimed = await tx.rows<{ owner_id: number }>(
    prepared(sql`
    insert into urls (store_id, url_key, owner_kind, owner_id)
    select ${tx.store.id}, key, ${noun}, id
    from unnest(${keyed.map(({ key }) => key)}::text[], ${keyed.map(({ id }) => id)}::int[]) as wish (key, id)
    ${addressTaken === 'passes' ? sql`on conflict do nothing` : sql.empty} returning owner_id`),
  )
  const owners = new Set(claimed.map(({ owner_id }) => owner_id))
  return rows.filter(({ id }) => !owners.has(id))
}

/** Gives a new row, which is stored under an address that is taken, one that is made from its name. */
export async function giveFreeAddress<R extends RowWithAddress>(tx: Tx, collection: Collection<R>, row: R): Promise<R> {
  const url = await generate(tx, collection, { ...row, custom_url: NO_ADDRESS })
  return change(tx, collection, row, { custom_url: { url, is_customized: false } })
}

/** Changes of a row that may give it another address. */
interface AddressChanges {
  name?: string
  /** The address that the request asks for. */
  custom_url?: CustomUrlInput | undefined
}

/** Stores the changes of a row and sees to its address (`readdress`). */
export async function changeAddressed<R extends RowWithAddress>(
  tx: Tx,
  collection: Collection<R>,
  row: R,
  changes: AddressChanges,
): Promise<AddressOutcome<R>> {
  const { custom_url, failure } = await changeAddress(tx, collection, row, changes)
  return { row: await change(tx, collection, row, { ...changes, custom_url }), failure }
}

/**
 * Reserves the address that a changed row is to have, which the caller stores: a wish is granted if it can be, and one that can't
 * leaves the row the address that it would have without the wish. An address that shoppers know is worth more than one made anew.
 */
export async function changeAddress(
  tx: Tx,
  collection: Collection,
  before: RowWithAddress,
  { name = before.name, custom_url: wish = {} }: AddressChanges,
): Promise<{ custom_url: CustomUrl; failure?: string }> {
  const row = { ...before, name }
  const { custom_url } = row
  const isCustomized = wish.is_customized ?? (wish.url !== undefined || custom_url.is_customized)
  if (!isCustomized) return { custom_url: await madeFromName(tx, collection, before, row) }
  if (wish.url === undefined) return { custom_url: { url: custom_url.url, is_customized: true } }
  const url = withSlash(wish.url)
  const failure = !isUrlPath(url)
    ? addressMalformed(url)
    : (await reserve(tx, collection, row, url))
      ? undefined
      : addressTaken(url)
  if (failure === undefined) return { custom_url: { url, is_customized: true } }
  const kept = custom_url.is_customized ? custom_url : await madeFromName(tx, collection, before, row)
  return { custom_url: kept, failure }
}

/** What was made from the same words stays, also with a number behind it: who sends back what it read moves nothing. */
async function madeFromName(
  tx: Tx,
  collection: Collection,
  before: RowWithAddress,
  row: RowWithAddress,
): Promise<CustomUrl> {
  const stays = !before.custom_url.is_customized && baseOf(collection, before) === baseOf(collection, row)
  return stays ? before.custom_url : { url: await generate(tx, collection, row), is_customized: false }
}

/** Gives up every address of an owner. */
export const releaseAddress = (tx: Tx, collection: Collection, id: number) => releaseAddresses(tx, collection, [id])

/** Gives up every address of these owners. */
export async function releaseAddresses(tx: Tx, { noun }: Collection, ids: readonly number[]) {
  await tx.rows(
    sql`delete from urls where store_id = ${tx.store.id} and owner_kind = ${noun} and owner_id = any(${ids})`,
  )
}

const baseOf = ({ noun }: Collection, { id, name }: { id: number; name: string }) => slug(name) || `${noun}-${id}`

/** Reserves `/<slug>/`, and if that is taken the first that is free of `/<slug>-1/`, `/<slug>-2/` and so on. */
async function generate(tx: Tx, collection: Collection, row: RowWithAddress): Promise<string> {
  const base = baseOf(collection, row)
  if (await reserve(tx, collection, row, `/${base}/`)) return `/${base}/`
  const { free } = await tx.row<{ free: number }>(sql`
    with numbers as (
      select substring(url_key from ${`^/${base}-([1-9][0-9]{0,8})/$`})::int as number from urls
      where store_id = ${tx.store.id} and url_key >= ${`/${base}-`} and url_key < ${`/${base}.`}
        and not (owner_kind = ${collection.noun} and owner_id = ${row.id})
    ), taken as (
      select number, row_number() over (order by number) as place from numbers where number is not null
    )
    select coalesce(min(place) filter (where place <> number), count(*) + 1) as free from taken`)
  for (let next = free; ; next++) {
    const url = `/${base}-${next}/`
    if (await reserve(tx, collection, row, url)) return url
  }
}

/** @returns whether the address is the row's now; its former one is then free */
async function reserve(
  tx: Tx,
  { noun }: Collection,
  { id, custom_url }: RowWithAddress,
  url: string,
): Promise<boolean> {
  const [key, former] = [fold(url), fold(custom_url.url)]
  if (key === former) return true
  const claimed = await tx.rows(
    prepared(sql`
      with claimed as (
        insert into urls (store_id, url_key, owner_kind, owner_id) values (${tx.store.id}, ${key}, ${noun}, ${id})
        on conflict do nothing returning url_key
      ), released as (
        delete from urls where store_id = ${tx.store.id} and url_key = ${former} and owner_kind = ${noun}
          and owner_id = ${id} and exists (select 1 from claimed)
      )
      select url_key from claimed`),
  )
  return claimed.length > 0
}

/**
 * Claims an address for the row that this transaction has stored last: the counter, which it has locked, names the id.
 * @param addressTaken what an address does that is taken: it is not claimed, or the statement fails. A statement that fails waits for nothing:
 *   it leaves with the commit, before anybody knows whether there was room for the row. If there was none, this transaction has not
 *   written the counter, and the statement does nothing
 * @returns whether it was claimed
 */
async function claimForNewest(
  tx: Tx,
  { noun, table }: Collection,
  url: string,
  addressTaken: 'passes' | 'fails' = 'passes',
): Promise<boolean> {
  const [claimed] = await tx.rows(
    prepared(sql`
    insert into urls (store_id, url_key, owner_kind, owner_id)
    select ${tx.store.id}, ${fold(url)}, ${noun}, last_id from counters
    where store_id = ${tx.store.id} and resource = ${table}
      ${addressTaken === 'fails' ? sql`and xmin = pg_current_xact_id()::xid` : sql`on conflict do nothing`}
    returning url_key`),
  )
  return claimed !== undefined
}
