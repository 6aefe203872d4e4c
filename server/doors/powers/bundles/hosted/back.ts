import { isObject } from '../../../../core/objects.ts'
import type { Row, StoreBundle } from '../bundle.ts'
import { folderOf } from '../export.ts'
import { IdMap, type IdStore, type StoredId } from '../imports/id-map.ts'
import { bodyOf, bodyOfMapped, importBundle, importKeyOf } from '../imports/import.ts'
import { ImportFault, ImportWork } from '../imports/work.ts'
import type { BundleArea, BundleKind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { errorSentence, rowsOf } from '../lists.ts'
import type { StoreApi } from '../store-api.ts'
import { changesBetween, identityOf, isSame, type RowChange, VARIANTS } from './changes.ts'
import { WAYS, type Way } from './ways.ts'

/**
 * The way back: the changes of an imported store are sent to the server that it came from. New rows are created there as an import creates
 * them; then rows are changed and deleted. A value that was changed there, too, is not overwritten. An interrupted run continues:
 * changes that are there already are not sent again.
 */
interface Back {
  /** The API of the server that the store came from. */
  api: StoreApi
  /** The id map of the import. */
  ids: IdStore
  /** The store as it was when both had the same data. */
  before: StoreBundle
  /** The store as it is. */
  after: StoreBundle
  /** The fields that a path of the API takes: `/v3/catalog/brands/{id}`. */
  fieldsOf: (path: string) => ReadonlySet<string>
  areas?: readonly BundleArea[] | undefined
  /** Whether changes are sent; else they are only listed. */
  isSent: boolean
}

/** A change of a row that the other server does not have. */
export interface ChangeBack {
  kind: string
  /** The id of the row in the store. */
  id: string
  change: 'created' | 'changed' | 'deleted'
  /** The fields that were changed. */
  fields: readonly string[]
  state: 'to send' | 'sent' | 'stays here'
  /** Why it stays here. */
  reason?: string | undefined
}

/** The areas with rows that are sent back. */
const SENT_AREAS = new Set(kinds.filter(({ name }) => name in WAYS).map(({ area }) => area))

/**
 * Sends the changes, or lists them.
 * @throws HostedFault or ImportFault if the other server fails, DamagedBundle
 */
export async function sendBack(back: Back): Promise<ChangeBack[]> {
  const { before, after, areas } = back
  const changes = (await changesBetween(before, after)).filter(({ kind }) => areas?.includes(kind.area) ?? true)
  const created = await createThere(back, changes.filter(isCreated))
  const work = await workOf(back)
  const others: ChangeBack[] = []
  for (const change of changes.filter((one) => !isCreated(one) && one.after !== undefined))
    others.push(...(await changeThere(back, work, change)))
  // Rows that refer to others are deleted first.
  for (const change of changes.filter(({ after }) => after === undefined).reverse())
    others.push(...(await deleteThere(back, work, change)))
  return [...created, ...others]
}

const isCreated = ({ before }: RowChange) => before === undefined

/** Work on the other server, with the ids that rows have there. */
async function workOf({ api, ids: stored, after }: Back): Promise<ImportWork> {
  const ids = new IdMap(reversed(stored))
  await ids.load()
  return new ImportWork(after, { api, ids, recordMoney: refuseMoney })
}

const refuseMoney = () => Promise.reject(new Error('Orders are not sent back.'))

/** The id map from the rows of the store to those of the other server. Rows without an id are left out. */
function reversed(ids: IdStore): IdStore {
  const swapped = (pairs: readonly StoredId[]) =>
    pairs
      .filter(({ new_id }) => new_id !== '')
      .map(({ kind, old_id, new_id }) => ({ kind, old_id: new_id, new_id: old_id }))
  return { load: async () => swapped(await ids.load()), store: (fresh) => ids.store(swapped(fresh)) }
}

async function createThere(back: Back, changes: readonly RowChange[]): Promise<ChangeBack[]> {
  const work = await workOf(back)
  const staying: ChangeBack[] = []
  const fresh: RowChange[] = []
  for (const change of changes) {
    const way = WAYS[change.kind.name]
    if (!way) staying.push(resultOf(change, { reason: NO_WAY }))
    else if (change.kind === VARIANTS) staying.push(resultOf(change, { reason: 'It is a new variant of a product.' }))
    else if (!(await isThere(work, way, change))) fresh.push(change)
  }
  if (!back.isSent || fresh.length === 0) return [...fresh.map((change) => resultOf(change, {})), ...staying]
  const reasons = await importThere(back, fresh)
  const { ids } = await workOf(back)
  const results = fresh.map((change) => {
    const { kind, id } = change
    // The report of an import has the reasons of the first thousand rows.
    const isSent = WAYS[kind.name]?.identity !== undefined || ids.has(kind.name, id)
    const reason = reasons.get(nameOf(change)) ?? (isSent ? undefined : 'The other server refused it.')
    return resultOf(change, { isSent, reason })
  })
  return [...results, ...staying]
}

const NO_WAY = 'Rows of this kind are not sent.'

/** Whether a former run has created the row. */
async function isThere(work: ImportWork, way: Way, { kind, id, after = {} }: RowChange): Promise<boolean> {
  return way.identity ? (await rowThere(work, way, { kind, row: after })) !== undefined : work.ids.has(kind.name, id)
}

/** Creates rows. @returns the reasons of those that were refused */
async function importThere({ api, ids, after }: Back, changes: readonly RowChange[]): Promise<Map<string, string>> {
  const wanted = new Set(changes.map(nameOf))
  const bundle: StoreBundle = {
    ...after,
    async *rows(folder) {
      const kind = kinds.find((one) => folderOf(one) === folder)
      for await (const row of after.rows(folder))
        if (kind && wanted.has(nameOf({ kind, id: identityOf(kind, row) }))) yield row
    },
  }
  const parts = { api, ids: reversed(ids), recordMoney: refuseMoney }
  const { refused } = await importBundle(bundle, parts, { areas: [...SENT_AREAS] })
  const reasons = new Map(refused.map(({ kind, id, status, reason }) => [`${kind} ${id}`, `${status} ${reason}`]))
  const names = changes.map((change): [string, string | undefined] => [
    nameOf(change),
    reasons.get(`${change.kind.name} ${importKeyOf(change.kind, change.after ?? {})}`),
  ])
  return new Map(names.filter((pair): pair is [string, string] => pair[1] !== undefined))
}

const nameOf = ({ kind, id }: Pick<RowChange, 'kind' | 'id'>) => `${kind.name} ${id}`

interface Fate {
  fields?: readonly string[]
  isSent?: boolean
  /** Why it stays here. */
  reason?: string | undefined
}

function resultOf({ kind, id, before, after }: RowChange, { fields = [], isSent = false, reason }: Fate): ChangeBack {
  return {
    kind: kind.name,
    id,
    change: before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed',
    fields,
    state: reason !== undefined ? 'stays here' : isSent ? 'sent' : 'to send',
    ...(reason === undefined ? {} : { reason }),
  }
}

/** Fields that change with every other one. */
const TIMES: ReadonlySet<string> = new Set(['date_created', 'date_modified', 'date_updated', 'updated_at'])

async function changeThere(back: Back, work: ImportWork, change: RowChange): Promise<ChangeBack[]> {
  const { kind, before = {}, after = {} } = change
  const way = WAYS[kind.name]
  const [former, formerMissing] = bodyThere(work, kind, before)
  const [now, missing] = bodyThere(work, kind, after)
  const differing = Object.keys({ ...former, ...now }).filter((field) => !isSame(former[field], now[field]))
  if (!way) {
    const fields = differing.filter((field) => !TIMES.has(field))
    return fields.length === 0 ? [] : [resultOf(change, { fields, reason: NO_WAY })]
  }
  const apart = [...(way.apart ?? []), ...(kind.pictures ?? [])]
  const staying = apart.filter((field) => !isSame(before[field], after[field]))
  const taken = back.fieldsOf(way.path)
  const fields = differing.filter(
    (field) => taken.has(field) && !apart.includes(field) && !way.counted?.includes(field),
  )
  const results =
    staying.length === 0 ? [] : [resultOf(change, { fields: staying, reason: 'They are rows of their own.' })]
  if (fields.length === 0) return results
  const there = await rowThere(work, way, { kind, row: after })
  if (!there) return [...results, resultOf(change, { fields, reason: 'The other server does not have the row.' })]
  const values = objectOf(bodyOfMapped(kind, there, there))
  const left = fields.filter((field) => !isSame(values[field], now[field]))
  const both = left.filter((field) => !isSame(values[field], former[field]))
  if (left.length === 0) return results
  if (both.length > 0)
    return [...results, resultOf(change, { fields: left, reason: `Changed there, too: ${both.join(', ')}.` })]
  // New rows are not there before their creation is sent.
  if (back.isSent && missing > formerMissing)
    return [...results, resultOf(change, { fields: left, reason: 'It refers to a row that is not there.' })]
  const reason = back.isSent ? await putThere(work, way, { kind, row: after, body: pick(now, left) }) : undefined
  return [...results, resultOf(change, { fields: left, isSent: back.isSent, reason })]
}

/** The body of a row with the ids of there, and the number of references to rows that are not there. */
function bodyThere(work: ImportWork, kind: BundleKind, row: Row): [body: Row, missing: number] {
  const dropped = () => Object.values(work.report.dropped).reduce((sum, count) => sum + count, 0)
  const former = dropped()
  const body = objectOf(bodyOf(work, kind, row))
  return [body, dropped() - former]
}

const objectOf = (value: unknown): Row => (isObject(value) ? value : {})

/** Fields of a body. One that the body does not have was emptied. */
const pick = (body: Row, fields: readonly string[]): Row =>
  Object.fromEntries(fields.map((field) => [field, body[field] ?? null]))

/** A row of the store, with its kind. */
interface Placed {
  kind: BundleKind
  row: Row
}

/** Sends a change. @returns the reason if it was refused */
async function putThere(work: ImportWork, way: Way, { kind, row, body }: Placed & { body: Row }) {
  const { key = 'id' } = kind
  const [path, id] = placeOf(work, way, { kind, row })
  const list = way.filter !== undefined && key !== null ? [{ ...body, [key]: Number(id) }] : body
  const answer = await work.send({ method: 'PUT', path, body: list })
  return answer.status >= 400 || answer.status === 207 ? `${answer.status} ${errorSentence(answer.body)}` : undefined
}

async function deleteThere(back: Back, work: ImportWork, change: RowChange): Promise<ChangeBack[]> {
  const { kind, before = {} } = change
  const way = WAYS[kind.name]
  if (!way) return [resultOf(change, { reason: NO_WAY })]
  if (!(await rowThere(work, way, { kind, row: before }))) return []
  if (!back.isSent) return [resultOf(change, {})]
  const answer = await work.send({ method: 'DELETE', path: filtered(work, way, { kind, row: before }) })
  const isRefused = answer.status >= 400 && answer.status !== 404
  return [
    resultOf(change, {
      isSent: true,
      reason: isRefused ? `${answer.status} ${errorSentence(answer.body)}` : undefined,
    }),
  ]
}

/**
 * A row at the other server; undefined if it is not there.
 * @throws ImportFault if the read is refused: nobody knows then whether the row is there
 */
async function rowThere(work: ImportWork, way: Way, placed: Placed): Promise<Row | undefined> {
  const { kind } = placed
  const [, id] = placeOf(work, way, placed)
  if (id === undefined) return undefined
  const path = filtered(work, way, placed)
  const { status, body } = await work.send({ method: 'GET', path })
  if (status !== 200 && status !== 204 && status !== 404)
    throw new ImportFault(`GET ${path} was answered with ${status}: ${errorSentence(body)}`)
  const [row] = status === 200 ? rowsOf(kind, body) : []
  return row && (kind.toBundle ? kind.toBundle(row) : row)
}

/** The path that reads or deletes a row alone. */
function filtered(work: ImportWork, way: Way, placed: Placed): string {
  const [path, id] = placeOf(work, way, placed)
  return way.filter === undefined ? path : `${path}?${way.filter}=${encodeURIComponent(String(id))}`
}

/** The path of a row at the other server, and its id; undefined without an id there. A row that is identified by its fields has an empty one. */
function placeOf(work: ImportWork, way: Way, { kind, row }: Placed): [path: string, id: string | undefined] {
  const mapped = work.mapped(kind, row)
  const { key = 'id' } = kind
  const id = way.identity ? '' : work.ids.find(kind.name, String(row[key ?? '']))
  const owner = kind.under && work.ids.find(kind.under.kind, row.$under)
  const values: Row = { ...mapped, id, under: owner }
  const names = [...way.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const isKnown = names.every((name) => values[name] !== undefined)
  const path = way.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name])))
  return [path, isKnown && id !== undefined ? String(id) : undefined]
}
