import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { FolderStorage, ifMissing } from '../../../core/files/folder.ts'
import type { ByteRange, FileFacts } from '../../../core/files/storage.ts'

const UNFINISHED = '.part'
/** A file of an unfinished write that is older belongs to a process that crashed. */
const UNFINISHED_MS = 3_600_000
/** A use is recorded at most this often. */
const USED_MS = 3_600_000
/** The part of the maximum that an eviction leaves. */
const LEFT = 0.9
const LOOKS_AT_ONCE = 100

/**
 * A bounded cache of files in a folder of this machine. The files that nobody has used for the longest time are evicted first; their
 * access times say when they were used. Processes of one machine may share the folder.
 */
export class SizedFolder {
  readonly #folder: string
  readonly #maxBytes: number
  readonly #storage: FolderStorage
  /** Undefined until the first file is stored. Other processes change it too, so it is an estimate until the next eviction. */
  #bytes: number | undefined
  #evicting: Promise<void> | undefined

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#maxBytes = maxBytes
    this.#storage = new FolderStorage(folder)
  }

  /** Finds a file, and records that it was used. */
  async find({ hash }: { hash: string }, name: string): Promise<FileFacts | undefined> {
    const path = join(this.#folder, hash, name)
    const found = await stat(path).catch(ifMissing)
    if (!found) return undefined
    const now = new Date()
    if (now.getTime() - found.atime.getTime() > USED_MS) await utimes(path, now, found.mtime).catch(ifMissing)
    return { size: found.size, writtenAt: found.mtime }
  }

  /** @throws if the file was evicted */
  read({ hash }: { hash: string }, name: string, range?: ByteRange): Promise<Readable> {
    return this.#storage.read(hash, name, range)
  }

  /** Stores a file, then evicts others beyond the maximum. Two processes may store the same bytes under one name. */
  async store({ hash }: { hash: string }, name: string, bytes: Uint8Array) {
    await mkdir(join(this.#folder, hash), { recursive: true })
    const path = join(this.#folder, hash, name)
    const part = `${path}.${randomUUID()}${UNFINISHED}`
    try {
      await writeFile(part, bytes)
      await rename(part, path)
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
    this.#bytes = this.#bytes === undefined ? Number.POSITIVE_INFINITY : this.#bytes + bytes.length
    if (this.#bytes <= this.#maxBytes) return
    this.#evicting ??= this.#evict().finally(() => {
      this.#evicting = undefined
    })
    await this.#evicting
  }

  async #evict() {
    const files = await this.#look()
    let total = files.reduce((sum, { size }) => sum + size, 0)
    if (total > this.#maxBytes) {
      files.sort((one, other) => one.usedAt - other.usedAt)
      for (const { path, size } of files) {
        if (total <= this.#maxBytes * LEFT) break
        await rm(path, { force: true })
        total -= size
      }
    }
    this.#bytes = total
  }

  async #look() {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    const files: { path: string; size: number; usedAt: number }[] = []
    for (let i = 0; i < paths.length; i += LOOKS_AT_ONCE) {
      const some = paths.slice(i, i + LOOKS_AT_ONCE).map(async (path) => {
        const found = await stat(path).catch(ifMissing)
        if (!found) return
        if (!path.endsWith(UNFINISHED)) files.push({ path, size: found.size, usedAt: found.atime.getTime() })
        else if (Date.now() - found.mtime.getTime() > UNFINISHED_MS) await rm(path, { force: true })
      })
      await Promise.all(some)
    }
    return files
  }
}
