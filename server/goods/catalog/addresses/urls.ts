import t, { type Static, type TSchema } from 'typebox'
import { brokenUnique, type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer, answer } from '../../../core/rest/answer.ts'
import { type Collection, envelope, Meta, type RowWithId } from '../../../core/rest/lists/collection.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { change, insert, insertWithin } from '../../../core/rest/lists/verbs.ts'
import { Problem, ProblemBody, problemBody } from '../../../core/rest/problem.ts'
import { type AddressOwner, EVERY_CHANNEL, generateAddress, releaseEverywhere, reserveAddress } from './owners.ts'
import { isUrlPath, slug, withSlash } from './slug.ts'

/** The storefront address of a brand, category or product. All share one namespace per store. */
export const CustomUrl = t.Object(
  { url: t.String({ minLength: 1, maxLength: 1024 }), is_customized: t.Boolean() },
  { title: 'CustomUrl' },
)
export type CustomUrl = Static<typeof CustomUrl>

export const CustomUrlInput = t.Partial(CustomUrl, { title: 'CustomUrlInput' })
export type CustomUrlInput = Static<typeof CustomUrlInput>

/** A row with an address. The noun of its collection is its kind in the table of addresses. */
interface RowWithAddress extends RowWithId {
  name: string
  custom_url: CustomUrl
}

/** The stored row, and the reason why it did not get the requested address. */
export interface AddressOutcome<R> {
  readonly row: R
  readonly failure?: string | undefined
}

/**
 * The answer to a write: 200, or 207 with the reason if only the address was not saved (docs/contract/conventions.md section
 * 7).
 */
export function answerAddressed<R>(outcome: AddressOutcome<R>, docsBase: string): Answer {
  const { failure } = outcome
  if (failure === undefined) return answer(outcome.row)
  const problem = new Problem(409, 'Everything was saved except the address.', { 'custom_url.url': failure })
  return new Answer({ data: outcome.row, errors: problemBody(problem, docsBase), meta: {} }, 207)
}

/** Response schemas of a route that saves a row with an address. */
export const addressedAnswers = <S extends TSchema>(shape: S) => ({
  response: { 200: envelope(shape), 207: t.Object({ data: shape, errors: ProblemBody, meta: Meta }) },
})

/** The unique rule of addresses. */
export const ADDRESS_RULE = 'urls_unique'

const NO_ADDRESS: CustomUrl = { url: '', is_customized: false }

/** The requested address of a new row, or one made from its name; none if the name has no letter or digit. */
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

/** The values of a new row with an address. */
type ValuesWithAddress<R> = Omit<R, 'id'> & Pick<RowWithAddress, 'name' | 'custom_url'>

/**
 * Stores a new row with the address it asks for. It gets an address made from its name if it asks for none, or for one that
 * is malformed or taken (docs/contract/catalog.md section 1, custom_url).
 *
 * If this is the whole transaction, the first attempt expects the address to be free, and commits in the round trip that
 * stores the row: until then every other create of the store waits for its counter. If the address is taken or the store is
 * full, nothing is stored, and the second attempt checks before it commits (docs/decisions/068-a-brand-in-one-round-trip.md).
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
 * Stores a row with its address and commits without waiting for results. A taken address fails as a broken unique rule.
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
  // Stored before the check, because most addresses are free.
  const { row, isClaimed } = await tx.together(() => ({
    row: insert(tx, collection, values),
    isClaimed: custom_url !== NO_ADDRESS && claimForNewest(tx, collection, custom_url.url),
  }))
  return isClaimed ? { row, isTaken: false } : { row: await giveFreeAddress(tx, collection, row), isTaken: true }
}

/** The address with which a new row is stored before it is known to be free: most are. */
export function addressOfNew(
  collection: Collection,
  row: { id: number; name: string },
  wish?: CustomUrlInput,
): CustomUrl {
  const { custom_url } = firstChoice(row.name, wish)
  return custom_url === NO_ADDRESS ? { url: `/${baseOf(collection, row)}/`, is_customized: false } : custom_url
}

/**
 * Claims the addresses of new rows in one statement.
 * @param addressTaken a taken address skips its row, or makes the statement fail
 * @returns the rows with a taken address
 */
export async function claimAddresses<R extends RowWithAddress>(
  tx: Tx,
  { noun }: Collection<R>,
  rows: readonly R[],
  addressTaken: 'passes' | 'fails' = 'passes',
): Promise<R[]> {
  // In one order, so that two requests never wait for each other in a circle.
  const keyed = rows
    .map(({ id, custom_url }) => ({ id, key: fold(custom_url.url) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  const claimed = await tx.rows<{ owner_id: number }>(
    prepared(sql`
    insert into urls (store_id, url_key, owner_kind, owner_id)
    select ${tx.store.id}, key, ${noun}, id
    from ${sql.table('wanted', keyed, { key: 'text', id: 'int' })}
    ${addressTaken === 'passes' ? sql`on conflict do nothing` : sql.empty} returning owner_id`),
  )
  const owners = new Set(claimed.map(({ owner_id }) => owner_id))
  return rows.filter(({ id }) => !owners.has(id))
}

/** Gives a new row with a taken address another one, made from its name. */
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

/** Stores the changes of a row, with its address (`changeAddress`). */
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
 * Reserves the address of a changed row; the caller stores it. If the requested address is refused, the row gets the one that
 * it would have without the request. An address that shoppers know is kept rather than replaced by one made from a name.
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

/**
 * The address made from a name. If the name still makes the same one, the current address stays, also with a number at its
 * end: a client that sends back the row as it was read changes nothing.
 */
async function madeFromName(
  tx: Tx,
  collection: Collection,
  before: RowWithAddress,
  row: RowWithAddress,
): Promise<CustomUrl> {
  const stays = !before.custom_url.is_customized && baseOf(collection, before) === baseOf(collection, row)
  return stays ? before.custom_url : { url: await generate(tx, collection, row), is_customized: false }
}

/** The present addresses of rows, by id. Unknown rows are left out. */
export async function addressesOf(
  db: Db,
  { table }: Pick<Collection, 'table'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<{ id: number; url: string }>(
    prepared(sql`
    select id, custom_url->>'url' as url from ${sql.id(table)}
    where store_id = ${db.store.id} and id = any(${[...new Set(ids)]})`),
  )
  return new Map(rows.map(({ id, url }) => [id, url]))
}

/** Deletes all addresses of an owner. */
export const releaseAddress = (tx: Tx, collection: Collection, id: number) => releaseAddresses(tx, collection, [id])

/** Deletes all addresses of these owners. */
export const releaseAddresses = (tx: Tx, { noun }: Collection, ids: readonly number[]) =>
  releaseEverywhere(tx, noun, ids)

const baseOf = ({ noun }: Collection, { id, name }: { id: number; name: string }) => slug(name) || `${noun}-${id}`

/** Reserves `/<slug>/`, or the first free one of `/<slug>-1/`, `/<slug>-2/` and so on. */
const generate = (tx: Tx, collection: Collection, row: RowWithAddress): Promise<string> =>
  generateAddress(tx, ownerOf(collection, row), `/${baseOf(collection, row)}`, row.custom_url.url)

/** Reserves an address for a row and releases its former one. @returns whether the row has the address now */
const reserve = (tx: Tx, collection: Collection, row: RowWithAddress, url: string): Promise<boolean> =>
  reserveAddress(tx, ownerOf(collection, row), url, row.custom_url.url)

const ownerOf = ({ noun }: Collection, { id }: RowWithAddress): AddressOwner => ({
  kind: noun,
  id,
  channel_id: EVERY_CHANNEL,
})

/**
 * Claims an address for the row that this transaction stored last. The counter, which it has locked, has the row's id.
 * @param addressTaken a taken address is not claimed, or makes the statement fail. With 'fails', the statement is sent with
 *   the commit, before the store is known to have room for the row. Without room, this transaction has not written the counter,
 *   and the statement does nothing
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
