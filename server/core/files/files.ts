import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseUnavailable, type Db, type Store, type Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Ids } from '../ids.ts'

/** The thing that a stored file belongs to. */
export interface FileOwner {
  kind: string
  id: number
}

const UNFINISHED = '.part'
/** What `write` calls a file: nothing else in the folder is ours to clear away. */
const OURS = /^[0-9a-f]{32}\.\w+(\.part)?$/
/** A file that no row names may be that of a request on its way. None takes nearly so long. */
const STRAY_MS = 86_400_000
const NAMES_AT_ONCE = 500

/** Uploaded files: one folder for each store, names that nobody can guess, a row for each beside the thing it belongs to. */
export class Files {
  readonly folder: string
  readonly #publicUrl: string
  readonly #ids: Ids

  /** @param publicUrl address of the server as clients see it; files lie below it under `/files/` */
  constructor(folder: string, publicUrl: string, ids: Ids) {
    this.folder = folder
    this.#publicUrl = publicUrl
    this.#ids = ids
  }

  /** Makes the folder and clears away what a crash left half written. */
  async open() {
    await mkdir(this.folder, { recursive: true })
    for (const entry of await readdir(this.folder, { recursive: true })) {
      if (entry.endsWith(UNFINISHED)) await rm(join(this.folder, entry), { force: true })
    }
  }

  /** Writes the bytes to disk. Nobody knows the file until `attach`. @returns its name */
  async write(store: Store, bytes: Uint8Array, extension: string): Promise<string> {
    const name = `${this.#ids.fileName()}.${extension}`
    const path = this.#path(store, name)
    await mkdir(join(this.folder, store.hash), { recursive: true })
    try {
      const file = await open(path + UNFINISHED, 'wx')
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(path + UNFINISHED, path)
    } catch (error) {
      await rm(path + UNFINISHED, { force: true })
      throw error
    }
    return name
  }

  /** Makes a written file the owner's, in place of those it had. @returns its public address */
  async attach(tx: Tx, owner: FileOwner, name: string): Promise<string> {
    await this.detach(tx, owner)
    await this.attachAll(tx, owner.kind, [{ id: owner.id, name }])
    return this.addressOf(tx.store, name)
  }

  /** Makes written files the property of owners that had none. */
  async attachAll(tx: Tx, kind: string, written: readonly { id: number; name: string }[]) {
    const [first, ...more] = written.map(({ id, name }) => ({
      store_id: tx.store.id,
      name,
      owner_kind: kind,
      owner_id: id,
    }))
    if (first) await tx.rows(sql`insert into files ${sql.rows([first, ...more])}`)
  }

  /** The public address of a file. */
  addressOf({ hash }: Store, name: string): string {
    return `${this.#publicUrl}/files/${hash}/${name}`
  }

  /** Whether an address is that of a file here. */
  isOwn(url: string): boolean {
    return url.startsWith(`${this.#publicUrl}/files/`)
  }

  /**
   * Whether an address is that of what is there now. One that was read before PUBLIC_URL changed is the same file's, and who
   * sends back what it read must not lose it.
   */
  isSame(url: string, present: string): boolean {
    return url === present || (this.isOwn(present) && url.endsWith(present.slice(this.#publicUrl.length)))
  }

  /** Takes the owner's files away; the bytes go after the commit. */
  async detach(tx: Tx, { kind, id }: FileOwner) {
    await this.detachAll(tx, kind, [id])
  }

  /** As `detach`, for several owners of one kind. */
  async detachAll(tx: Tx, kind: string, ids: readonly number[]) {
    const gone = await tx.rows<{ name: string }>(sql`
      delete from files where store_id = ${tx.store.id} and owner_kind = ${kind} and owner_id = any(${ids})
      returning name`)
    for (const { name } of gone) tx.afterCommit(() => this.discard(tx.store, name))
  }

  /** Removes a file that belongs to nothing. */
  async discard(store: Store, name: string) {
    await rm(this.#path(store, name), { force: true })
  }

  /**
   * Removes files that were written for a transaction which has failed. A connection may have been lost at the commit, and then
   * the row may be there: the file stays, and `clearStrays` removes it if no row names it.
   */
  async discardUnstored(store: Store, names: Iterable<string>, failure: unknown) {
    if (failure instanceof DatabaseUnavailable) return
    for (const name of names) await this.discard(store, name)
  }

  /** The hashes of the stores that have, or had, files. */
  async hashes(): Promise<string[]> {
    const entries = await readdir(this.folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  }

  /**
   * Removes a store's files that no row names and that are a day old: a crash between the disk and the database leaves such.
   * @param signal ends it early: the next time does the rest
   * @returns how many
   */
  async clearStrays(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
    let cleared = 0
    for await (const names of this.#namesOf(db.store)) {
      if (signal?.aborted) break
      const owned = await db.rows<{ name: string }>(sql`
        select name from files where store_id = ${db.store.id} and name = any(${names})`)
      const strays = new Set(names).difference(new Set(owned.map(({ name }) => name)))
      for (const name of strays) {
        // One that went meanwhile has no age.
        const written = await stat(this.#path(db.store, name)).catch(() => undefined)
        if (written === undefined || now.getTime() - written.mtimeMs < STRAY_MS) continue
        await this.discard(db.store, name)
        cleared++
      }
    }
    return cleared
  }

  async *#namesOf({ hash }: Store): AsyncGenerator<string[]> {
    let names: string[] = []
    for await (const { name } of await opendir(join(this.folder, hash))) {
      if (OURS.test(name)) names.push(name)
      if (names.length < NAMES_AT_ONCE) continue
      yield names
      names = []
    }
    yield names
  }

  #path(store: Store, name: string) {
    return join(this.folder, store.hash, name)
  }
}
