import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { TarFault, tarEnd, tarEntries, tarHeader, tarPadding } from '../../../core/files/tar.ts'
import { isObject } from '../../../core/objects.ts'

/**
 * A bundle has the data of a store as its API shows them, in files: `manifest.json`, then for each kind of resource files of JSON lines
 * such as `catalog/brands/000001.jsonl`, pictures and archives of themes as `files/<SHA-256>.<extension>`, and at the end `end.json` with the number of rows. It
 * is a tar archive or a folder with the same files (docs/powers.md).
 */

export const FORMAT = 1

/** Fields of `manifest.json`. */
export interface Manifest {
  format: number
  /** Identifies the bundle, for imports that continue. */
  id: string
  /** The store or the address that it comes from. */
  source: string
  exported_at: string
  areas: readonly string[]
  /** Data that no bundle has. */
  omitted: readonly string[]
}

/** A bundle that can't be read. */
export class DamagedBundle extends Error {}

/** A row of a resource, as the API shows it. Rows below an owner have its id in `$under`. */
export type Row = Readonly<Record<string, unknown>>

const MIB = 1024 * 1024
/** Rows are written in files of this size, or of one row. */
const CHUNK_BYTES = 4 * MIB
/** The largest file of rows that is read, and so the longest line. */
const CHUNK_MAX = 32 * MIB
export const PICTURE_MAX = 8 * MIB
/** The largest archive of a theme (docs/contract/limits.md section 5). */
export const ARCHIVE_MAX = 50 * MIB

const NAMES = /^(?:manifest\.json|end\.json|[a-z]+\/[a-z-]+\/\d{6}\.jsonl|files\/[0-9a-f]{64}\.[a-z]{2,4})$/

/** The destination of the files of a bundle. */
export interface BundleTarget {
  write(name: string, bytes: Uint8Array): Promise<void>
  /** Whether the file exists already, from an interrupted run. */
  has(name: string): Promise<boolean>
  end(): Promise<void>
}

/** Writes a bundle as a tar archive to a stream, as fast as its reader reads. */
export class TarTarget implements BundleTarget {
  readonly #out: Writable
  readonly #patienceMs: number | undefined
  readonly #written = new Set<string>()

  /** @param patienceMs the longest pause of its reader; without it, any pause is allowed */
  constructor(out: Writable, { patienceMs }: { patienceMs?: number } = {}) {
    this.#out = out
    this.#patienceMs = patienceMs
  }

  async write(name: string, bytes: Uint8Array) {
    if (this.#written.has(name)) return
    if (name.startsWith('files/')) this.#written.add(name)
    await this.#send(tarHeader(name, bytes.byteLength))
    await this.#send(bytes)
    await this.#send(tarPadding(bytes.byteLength))
  }

  async has(name: string) {
    return this.#written.has(name)
  }

  async end() {
    await this.#send(tarEnd())
  }

  async #send(bytes: Uint8Array) {
    if (this.#out.destroyed) throw new DamagedBundle('The bundle could not be written as a whole: its reader has gone.')
    if (bytes.byteLength === 0 || this.#out.write(bytes)) return
    await this.#drained()
  }

  async #drained() {
    const stop = new AbortController()
    const { signal } = stop
    const waits: Promise<unknown>[] = [once(this.#out, 'drain', { signal }), once(this.#out, 'close', { signal })]
    if (this.#patienceMs !== undefined) waits.push(sleep(this.#patienceMs, TOO_SLOW, { signal }))
    for (const wait of waits) wait.catch(() => {})
    const first = await Promise.race(waits).finally(() => stop.abort())
    if (first === TOO_SLOW)
      throw new DamagedBundle('The bundle could not be written as a whole: its reader has stopped.')
  }
}

const TOO_SLOW = Symbol('too slow')

/** Writes a bundle to a folder. A file is complete or absent. */
export class FolderTarget implements BundleTarget {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async write(name: string, bytes: Uint8Array) {
    const path = join(this.#folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(`${path}.part`, bytes)
    await rename(`${path}.part`, path)
  }

  has(name: string) {
    return stat(join(this.#folder, name)).then(
      () => true,
      () => false,
    )
  }

  async end() {}
}

/** Writes the rows of a kind, in files of a few MiB. */
export class RowWriter {
  readonly #target: BundleTarget
  readonly #folder: string
  #lines: string[] = []
  #bytes = 0
  #file: number
  #rows: number

  /**
   * @param kind its area and name, such as `catalog/brands`
   * @param kept the rows and the files that are there already
   */
  constructor(target: BundleTarget, kind: string, kept = { rows: 0, files: 0 }) {
    this.#target = target
    this.#folder = kind
    this.#rows = kept.rows
    this.#file = kept.files
  }

  get rows(): number {
    return this.#rows
  }

  async write(row: Row) {
    const line = JSON.stringify(row)
    this.#lines.push(line)
    this.#bytes += line.length
    this.#rows++
    if (this.#bytes >= CHUNK_BYTES) await this.flush()
  }

  async flush() {
    if (this.#lines.length === 0) return
    this.#file++
    const name = `${this.#folder}/${String(this.#file).padStart(6, '0')}.jsonl`
    await this.#target.write(name, Buffer.from(`${this.#lines.join('\n')}\n`))
    this.#lines = []
    this.#bytes = 0
  }
}

/** The files of rows of a kind in a folder that may be incomplete. */
export class FolderRows {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async names(kind: string): Promise<string[]> {
    const names = await readdir(join(this.#folder, kind)).catch(() => [])
    return names.filter((name) => /^\d{6}\.jsonl$/.test(name)).sort()
  }

  async *rows(kind: string): AsyncGenerator<Row> {
    for (const name of await this.names(kind)) {
      const text = await readFile(join(this.#folder, kind, name), 'utf8')
      for (const line of text.split('\n')) if (line !== '') yield rowIn(line, name)
    }
  }

  async discard(kind: string) {
    await rm(join(this.#folder, kind), { recursive: true, force: true })
  }
}

/** The name of a picture or an archive in a bundle: the same bytes have the same name. */
export const fileName = (bytes: Uint8Array, extension: string): string =>
  `files/${createHash('sha256').update(bytes).digest('hex')}.${extension}`

/** A bundle that is read: its files in any order, each whole in memory. */
export interface StoreBundle {
  readonly manifest: Manifest
  /** The rows of a kind, in the order in which they were written. */
  rows(kind: string): AsyncGenerator<Row>
  /** A picture or an archive. Undefined if the bundle does not have it, or only one that is too large. */
  file(name: string): Promise<Buffer | undefined>
  close(): Promise<void>
}

/**
 * Opens a bundle, a tar archive or a folder, and checks its names and that it is complete.
 * @throws DamagedBundle for any other file, another format, and a bundle that was cut off
 */
export async function openBundle(path: string): Promise<StoreBundle> {
  const store = await openFiles(path)
  try {
    const manifest = manifestIn(await jsonFile(store, 'manifest.json'))
    await jsonFile(store, 'end.json')
    return {
      manifest,
      rows: (kind) => rowsIn(store, kind),
      async file(name) {
        const size = store.sizes.get(name)
        const max = name.endsWith('.zip') ? ARCHIVE_MAX : PICTURE_MAX
        return size === undefined || size > max ? undefined : store.read(name)
      },
      close: () => store.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** The files of a bundle. */
interface BundleFiles {
  readonly sizes: ReadonlyMap<string, number>
  read(name: string): Promise<Buffer>
  close(): Promise<void>
}

async function openFiles(path: string): Promise<BundleFiles> {
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new DamagedBundle(`There is no bundle at ${path}.`)
  return found.isDirectory() ? openFolder(path) : openTar(path)
}

async function openFolder(folder: string): Promise<BundleFiles> {
  const sizes = new Map<string, number>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(join(folder, '/').length).replaceAll('\\', '/')
    if (name.endsWith('.part') || BESIDE.has(name)) continue
    sizes.set(mustBeName(name, entry.isFile()), (await stat(path)).size)
  }
  return { sizes, read: (name) => readFile(join(folder, name)), close: async () => {} }
}

/** The file of a folder with the kinds that are complete, while a dump is written. */
export const PROGRESS_FILE = 'progress.json'
/** Files of a folder that are no part of the bundle. */
const BESIDE = new Set([PROGRESS_FILE])

async function openTar(path: string): Promise<BundleFiles> {
  const file = await open(path)
  try {
    const entries = new Map<string, { size: number; offset: number }>()
    for await (const { name, size, offset } of tarEntries(file))
      entries.set(mustBeName(name.replace(/^\.\//, ''), true), { size, offset })
    return {
      sizes: new Map([...entries].map(([name, { size }]) => [name, size])),
      read: (name) => readAt(file, entries.get(name)),
      close: () => file.close(),
    }
  } catch (error) {
    await file.close()
    throw error instanceof TarFault ? new DamagedBundle(error.message) : error
  }
}

async function readAt(file: FileHandle, place: { size: number; offset: number } | undefined): Promise<Buffer> {
  if (!place) throw new DamagedBundle('The bundle does not have this file.')
  const bytes = Buffer.alloc(place.size)
  await file.read(bytes, 0, place.size, place.offset)
  return bytes
}

function mustBeName(name: string, isFile: boolean): string {
  if (isFile && NAMES.test(name)) return name
  throw new DamagedBundle(`The bundle has a file that no bundle has: ${JSON.stringify(name.slice(0, 200))}.`)
}

async function* rowsIn(store: BundleFiles, kind: string): AsyncGenerator<Row> {
  const names = [...store.sizes.keys()].filter((name) => name.startsWith(`${kind}/`)).sort()
  for (const name of names) {
    const text = (await readSmall(store, name)).toString('utf8')
    for (const [i, line] of text.split('\n').entries()) {
      if (line !== '') yield rowIn(line, `${name}, line ${i + 1}`)
    }
  }
}

async function readSmall(store: BundleFiles, name: string): Promise<Buffer> {
  const size = store.sizes.get(name) ?? 0
  if (size > CHUNK_MAX) throw new DamagedBundle(`${name} of the bundle has more than ${CHUNK_MAX / MIB} MiB.`)
  return store.read(name)
}

function rowIn(line: string, place: string): Row {
  const row = parsed(line)
  if (isObject(row)) return row
  throw new DamagedBundle(`${place} of the bundle is not a JSON object.`)
}

async function jsonFile(store: BundleFiles, name: string): Promise<unknown> {
  if (!store.sizes.has(name)) throw new DamagedBundle(`The bundle is not complete: it has no ${name}.`)
  return parsed((await readSmall(store, name)).toString('utf8'))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function manifestIn(value: unknown): Manifest {
  if (!isObject(value) || value.format !== FORMAT)
    throw new DamagedBundle(`The bundle has another format than ${FORMAT}, which this version reads.`)
  const { id, source, exported_at, areas, omitted } = value
  return {
    format: FORMAT,
    id: String(id),
    source: String(source),
    exported_at: String(exported_at),
    areas: textsIn(areas),
    omitted: textsIn(omitted),
  }
}

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
