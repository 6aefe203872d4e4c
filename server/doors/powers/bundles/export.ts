import { imageType } from '../../../core/files/image-type.ts'
import { isObject } from '../../../core/objects.ts'
import { type BundleTarget, FORMAT, type Manifest, pictureName, type Row, RowWriter } from './bundle.ts'
import { changeAt, valuesAt } from './fields.ts'
import { AREAS, type BundleArea, type BundleKind } from './kinds/kind.ts'
import { kinds, OMITTED } from './kinds/kinds.ts'
import type { StoreApi } from './store-api.ts'

export interface BundleOptions {
  /** The store or the address that the bundle comes from. */
  source: string
  id: string
  now: Date
  areas?: readonly BundleArea[] | undefined
  /** Reports the rows of each kind. */
  progress?: ((kind: string, rows: number) => void) | undefined
  /** The result of an interrupted run, which this one continues. */
  resume?: Resume | undefined
}

interface Resume {
  /** The kinds that are complete, with their rows. */
  done: Counts
  /** The number of files of a kind. */
  files(folder: string): Promise<number>
  /** The rows of a kind that are written already. */
  kept(folder: string): AsyncIterable<Row>
  /** Deletes the files of a kind. */
  discard(folder: string): Promise<void>
  record(done: Counts): Promise<void>
}

/** The rows of each kind in a bundle. */
export type Counts = Record<string, number>

const PAGE = 250

/** A list that answered with an error. */
class ExportFault extends Error {}

/**
 * Writes the bundle of a store: each list of the areas, page by page.
 * @throws ExportFault if a list is refused
 */
export async function exportStore(api: StoreApi, target: BundleTarget, options: BundleOptions): Promise<Counts> {
  const areas = options.areas ?? AREAS
  const manifest: Manifest = {
    format: FORMAT,
    id: options.id,
    source: options.source,
    exported_at: options.now.toISOString(),
    areas,
    omitted: OMITTED,
  }
  await target.write('manifest.json', jsonFile(manifest))
  const counts: Counts = {}
  const pictures = new Pictures(api, target)
  /** The ids of rows that have rows of their own, by the kind of those. */
  const owners = new Map<string, (string | number)[]>()
  for (const kind of kinds) {
    if (!areas.includes(kind.area)) continue
    const kept = await keptOf(kind, options.resume, (row) => addOwner(owners, kind, row))
    if (!kept.isDone) {
      const writer = new RowWriter(target, folderOf(kind), kept)
      const read = { owners: owners.get(kind.name), after: kept.last }
      const rows = kind.parent === undefined ? readAll(api, kind, read) : parentsFirst(api, kind, kind.parent)
      for await (const row of rows) {
        addOwner(owners, kind, row)
        const written = kind.toBundle ? kind.toBundle(row) : row
        if (written) await writer.write(await pictures.keepIn(written, kind.pictures ?? []))
      }
      await writer.flush()
      kept.rows = writer.rows
    }
    counts[kind.name] = kept.rows
    await options.resume?.record(counts)
    options.progress?.(kind.name, kept.rows)
  }
  await target.write('end.json', jsonFile({ rows: counts, lost_pictures: pictures.lost }))
  await target.end()
  return counts
}

/** Remembers the id of a row that has rows of its own. */
function addOwner(owners: Map<string, (string | number)[]>, kind: BundleKind, row: Row) {
  for (const { name, under } of kinds) {
    if (under?.kind !== kind.name || (under.when && !under.when(row))) continue
    const ids = owners.get(name) ?? []
    owners.set(name, ids)
    ids.push(idOf(kind, row) ?? 0)
  }
}

interface Kept {
  isDone: boolean
  rows: number
  files: number
  /** The last id that is written, for kinds that are read in the order of ids. */
  last: string | number
}

/** The rows of a kind that an interrupted run has written. A list that is not in the order of ids is read again. */
async function keptOf(kind: BundleKind, resume: Resume | undefined, onRow: (row: Row) => void): Promise<Kept> {
  const kept: Kept = { isDone: false, rows: 0, files: 0, last: 0 }
  if (!resume) return kept
  kept.isDone = kind.name in resume.done
  if (!kept.isDone && kind.paging !== 'ids') {
    await resume.discard(folderOf(kind))
    return kept
  }
  kept.files = await resume.files(folderOf(kind))
  for await (const row of resume.kept(folderOf(kind))) {
    onRow(row)
    kept.rows++
    kept.last = idOf(kind, row) ?? kept.last
  }
  return kept
}

/** The folder of a kind in a bundle. */
export const folderOf = ({ area, name }: Pick<BundleKind, 'area' | 'name'>) => `${area}/${name}`

const jsonFile = (value: object) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** The id of a row; undefined for a kind without ids. */
export function idOf({ key = 'id' }: Pick<BundleKind, 'key'>, row: Row): string | number | undefined {
  const id = key === null ? undefined : row[key]
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}

/** A list of the API: how its rows are read. */
type Listed = Pick<BundleKind, 'list' | 'paging' | 'limit' | 'rowsIn' | 'key' | 'isOptional' | 'under'>

/**
 * Reads all rows of a kind, each id once.
 * @param from owners: ids of the owners, for a list below them; after: the id behind which a list begins
 */
export async function* readAll(
  api: StoreApi,
  kind: Listed,
  { owners = [], after = 0 }: { owners?: readonly (string | number)[] | undefined; after?: string | number } = {},
): AsyncGenerator<Row> {
  if (!kind.under) return yield* readList(api, kind, { path: kind.list, after })
  for (const owner of owners) {
    const path = kind.list.replace('{under}', String(owner))
    for await (const row of readList(api, kind, { path, after: 0 })) yield { $under: owner, ...row }
  }
}

async function* readList(
  api: StoreApi,
  kind: Listed,
  { path, after }: { path: string; after: string | number },
): AsyncGenerator<Row> {
  if (kind.paging === 'whole' || kind.paging === 'object') {
    yield* rowsOf(kind, await get(api, kind, path))
    return
  }
  const limit = kind.limit ?? PAGE
  const seen = new Set<unknown>()
  let last = after
  for (let page = 1; ; page++) {
    const position = kind.paging === 'ids' ? `id:greater=${last}` : `page=${page}`
    const body = await get(api, kind, `${path}${path.includes('?') ? '&' : '?'}${position}&limit=${limit}`)
    const rows = rowsOf(kind, body)
    for (const row of rows) {
      const id = idOf(kind, row)
      // A row that moved to a later page while the list was read is written once.
      if (id !== undefined && kind.paging !== 'ids' && seen.size < seen.add(id).size) yield row
      else if (id === undefined || kind.paging === 'ids') yield row
      if (id !== undefined) last = id
    }
    if (rows.length < limit) return
  }
}

/** The rows of an answer of `/v3` or `/v2`; none of an empty answer. */
function rowsOf(kind: Listed, body: unknown): Row[] {
  const listed = isObject(body) && kind.rowsIn ? kind.rowsIn(body) : body
  const data = isObject(listed) && 'data' in listed ? listed.data : listed
  if (data === undefined || data === null || data === '') return []
  return (Array.isArray(data) ? data : [data]).filter(isObject)
}

async function get(api: StoreApi, kind: Listed, path: string): Promise<unknown> {
  const { status, body } = await api.send({ method: 'GET', path })
  if (status === 204 || (status === 404 && (kind.isOptional || kind.under))) return undefined
  if (status !== 200) throw new ExportFault(`GET ${path} was answered with ${status}: ${errorSentence(body)}`)
  return body
}

/** The sentence of an error. */
export function errorSentence(body: unknown): string {
  const first: unknown = Array.isArray(body) ? body[0] : body
  if (!isObject(first)) return ''
  const errors = isObject(first.errors) ? Object.entries(first.errors).map(([at, text]) => `${at}: ${text}`) : []
  const said = [first.title ?? first.message ?? '', ...errors].join(' ').trim()
  return (said === '' ? JSON.stringify(body) : said).slice(0, 500)
}

/** Reads a tree, parents first. Its rows are kept in memory: there are at most some ten thousand. */
async function* parentsFirst(api: StoreApi, kind: BundleKind, parent: string): AsyncGenerator<Row> {
  const rows: Row[] = []
  for await (const row of readAll(api, kind)) rows.push(row)
  yield* inOrder(kind, parent, rows)
}

/** Rows in the order of their depth. Rows of a circle, and those below a missing row, come last. */
export function inOrder(kind: BundleKind, parent: string, rows: readonly Row[]): Row[] {
  const ordered: Row[] = []
  const there = new Set<unknown>([0, null, undefined])
  let left = [...rows]
  for (let found = true; found; ) {
    const next = left.filter((row) => there.has(row[parent]))
    found = next.length > 0
    for (const row of next) there.add(idOf(kind, row))
    ordered.push(...next)
    const taken = new Set(next)
    left = left.filter((row) => !taken.has(row))
  }
  return [...ordered, ...left]
}

/** Writes pictures of rows into the bundle, each once. */
class Pictures {
  lost = 0
  readonly #api: StoreApi
  readonly #target: BundleTarget
  readonly #names = new Map<string, string>()

  constructor(api: StoreApi, target: BundleTarget) {
    this.#api = api
    this.#target = target
  }

  /** @returns the row, in which addresses of pictures are names of files in the bundle */
  async keepIn(row: Row, paths: readonly string[]): Promise<Row> {
    const addresses = new Set(paths.flatMap((path) => valuesAt(row, path)).filter((value) => typeof value === 'string'))
    addresses.delete('')
    if (addresses.size === 0) return row
    const names = new Map<unknown, string>()
    for (const address of addresses) {
      const name = await this.#keep(address)
      if (name !== undefined) names.set(address, name)
    }
    return paths.reduce<Row>((changed, path) => changeAt(changed, path, (value) => names.get(value) ?? value), row)
  }

  async #keep(address: string): Promise<string | undefined> {
    const known = this.#names.get(address)
    if (known !== undefined) return known
    const bytes = await this.#api.picture(address)
    if (bytes === undefined) return undefined
    const type = bytes === 'lost' ? undefined : await imageType(bytes)
    if (bytes === 'lost' || !type) {
      this.lost++
      return undefined
    }
    const name = pictureName(bytes, type.extension)
    if (!(await this.#target.has(name))) await this.#target.write(name, bytes)
    this.#names.set(address, name)
    return name
  }
}
