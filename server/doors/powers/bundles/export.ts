import { imageType } from '../../../core/files/image-type.ts'
import { type BundleTarget, FORMAT, fileName, type Manifest, type Row, RowWriter } from './bundle.ts'
import { changeAt, valuesAt } from './fields.ts'
import { AREAS, type BundleArea, type BundleKind } from './kinds/kind.ts'
import { kinds, OMITTED } from './kinds/kinds.ts'
import { idOf, readAll } from './lists.ts'
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

/**
 * Writes the bundle of a store: each list of the areas, page by page.
 * @throws ListFault if a list is refused
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
        if (written) await writer.write(await pictures.keepIn(written, kind))
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
    ids.push(...(under.paths?.(row) ?? [idOf(kind, row) ?? 0]))
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

/** Writes pictures and archives of rows into the bundle, each once. */
class Pictures {
  lost = 0
  readonly #api: StoreApi
  readonly #target: BundleTarget
  readonly #names = new Map<string, string>()

  constructor(api: StoreApi, target: BundleTarget) {
    this.#api = api
    this.#target = target
  }

  /** @returns the row, in which addresses of pictures are names of files in the bundle, and which names its archive */
  async keepIn(row: Row, { pictures = [], archive }: BundleKind): Promise<Row> {
    const theme = archive?.of(row)
    const name = theme === undefined ? undefined : await this.#keepArchive(theme)
    return this.#keepPictures(archive && name ? { ...row, [archive.at]: name } : row, pictures)
  }

  async #keepArchive(theme: string): Promise<string | undefined> {
    const bytes = await this.#api.themeArchive(theme)
    if (bytes === 'lost') {
      this.lost++
      return undefined
    }
    const name = fileName(bytes, 'zip')
    if (!(await this.#target.has(name))) await this.#target.write(name, bytes)
    return name
  }

  async #keepPictures(row: Row, paths: readonly string[]): Promise<Row> {
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
    const name = fileName(bytes, type.extension)
    if (!(await this.#target.has(name))) await this.#target.write(name, bytes)
    this.#names.set(address, name)
    return name
  }
}
