import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { ByteRange, FileFacts, Storage } from './storage.ts'

const NAMES_AT_ONCE = 500

/** Files in a folder of this machine, or of one that all processes have mounted: a folder for each store. */
export class FolderStorage implements Storage {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async open() {
    await mkdir(this.#folder, { recursive: true })
  }

  async keep(hash: string, name: string, path: string) {
    await mkdir(join(this.#folder, hash), { recursive: true })
    await rename(path, this.#path(hash, name))
  }

  async find(hash: string, name: string): Promise<FileFacts | undefined> {
    const found = await stat(this.#path(hash, name)).catch(ifMissing)
    return found && { size: found.size, writtenAt: found.mtime }
  }

  async read(hash: string, name: string, range?: ByteRange): Promise<Readable> {
    // Opened before the answer begins, so that a missing file fails first.
    const file = await open(this.#path(hash, name))
    return createReadStream('', { fd: file, ...(range ? { start: range.first, end: range.last } : {}) })
  }

  async lend<T>(hash: string, name: string, work: (path: string) => Promise<T>): Promise<T> {
    await stat(this.#path(hash, name))
    return work(this.#path(hash, name))
  }

  /** By a link, since no file is changed in place. A file system without links, or with too many of one file, gets a copy. */
  async share(hash: string, name: string, other: string): Promise<boolean> {
    const path = this.#path(hash, name)
    const shared = this.#path(other, name)
    const copy = async (error: unknown) => {
      const code = codeOf(error)
      if (code === 'EEXIST') return
      if (!['EMLINK', 'EPERM', 'ENOTSUP', 'EXDEV'].includes(code)) throw error
      const unfinished = `${shared}.part`
      await copyFile(path, unfinished)
      await rename(unfinished, shared)
    }
    await mkdir(join(this.#folder, other), { recursive: true })
    return link(path, shared)
      .catch(copy)
      .then(() => true, ifMissing)
      .then(Boolean)
  }

  async remove(hash: string, name: string) {
    await rm(this.#path(hash, name), { force: true })
  }

  /** Renamed first: files that are written under the name from now on stay, and the old one is checked once more. */
  async removeIfOlder(hash: string, name: string, than: Date): Promise<boolean> {
    const facts = await this.find(hash, name)
    if (!facts || facts.writtenAt >= than) return false
    const aside = `${this.#path(hash, name)}.part`
    const found = await rename(this.#path(hash, name), aside).then(() => stat(aside), ifMissing)
    if (!found) return false
    if (found.mtime >= than) {
      await rename(aside, this.#path(hash, name))
      return false
    }
    await rm(aside, { force: true })
    return true
  }

  async *list(hash: string): AsyncGenerator<string[]> {
    const folder = await opendir(join(this.#folder, hash)).catch(ifMissing)
    if (!folder) return
    let names: string[] = []
    for await (const entry of folder) {
      if (entry.isFile()) names.push(entry.name)
      if (names.length < NAMES_AT_ONCE) continue
      yield names
      names = []
    }
    yield names
  }

  async hashes(): Promise<string[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  }

  #path(hash: string, name: string) {
    return join(this.#folder, hash, name)
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** For `catch`: returns undefined if the file does not exist. */
export function ifMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
