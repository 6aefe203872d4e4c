import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import t from 'typebox'
import { DatabaseUnavailable, type Db, type Store, type Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { done, runner, task } from '../jobs/task.ts'
import { noPortFaults, type PortFaults } from '../net/ports.ts'
import { pathOfFile } from '../rest/input/picture-addresses.ts'
import { OutOfSpace } from '../rest/problem.ts'
import type { Ids } from '../secrets/ids.ts'
import { FolderStorage, ifMissing } from './folder.ts'
import type { ByteRange, FileFacts, Storage } from './storage.ts'

/** The owner of a stored file. */
export interface FileOwner {
  kind: string
  id: number
}

/** Bytes that are identified by their digest. */
export interface Content {
  /** Their digest, SHA-256 in hex, and the extension of their type. */
  name: string
  size: number
}

/** Content that is written, and not stored yet. Call one of its two functions. */
export interface FileDraft extends Content {
  /** Stores the content, in place of the same bytes if they exist. It stays if it gets an owner (`addOwner`) within half an hour. */
  keep(): Promise<void>
  discard(): Promise<void>
}

const UNFINISHED = '.part'
/**
 * An unfinished file without writes for this time is left by a crashed process. An upload that stands still is cut off after
 * seconds (IDLE_SECONDS), and jobs that work on a copy end within minutes.
 */
const UNFINISHED_MS = 3_600_000
/** Files that a copy of a store gets at the same time. */
const SHARED_AT_ONCE = 64
/** Names of files. Nothing else in the folder may be deleted. */
const OURS = /^([0-9a-f]{32}|[0-9a-f]{64})\.\w+(\.part)?$/
/** A younger file without a row may belong to a request that is still running. No request takes nearly this long. */
const STRAY_MS = 86_400_000
/** Content is deleted this long after its last owner. A request that stores the same bytes again owns them by then. */
const UNOWNED_MS = 3_600_000
/** The time that a request or a job may take to own the content that it has stored. */
const OWNING_MS = 1_800_000

/** Removes content that has lost an owner, if it has no other. */
const clearTask = task('clear_content', t.Object({ name: t.String() }), {
  maxMs: 60_000,
  retryDelay: (failures) => (failures < 20 ? UNOWNED_MS : undefined),
})

interface FileParts {
  /** Stores the bytes; the folder if not given. */
  storage?: Storage | undefined
  faults?: PortFaults
}

/**
 * Uploaded files, in a folder or in a store that speaks S3. There are two kinds. Pictures have random names and one owner each,
 * and are deleted with it at once. Content is identified by the digest of its bytes: the same bytes are stored once, for any
 * number of owners. All bytes are written to a file of the local folder first.
 */
export class Files {
  readonly folder: string
  readonly #publicUrl: string
  readonly #ids: Ids
  readonly #storage: Storage
  readonly #faults: PortFaults

  /** @param publicUrl address of the server as clients see it; pictures lie below it under `/files/` */
  constructor(folder: string, publicUrl: string, ids: Ids, { storage, faults = noPortFaults }: FileParts = {}) {
    this.#faults = faults
    this.folder = folder
    this.#publicUrl = publicUrl
    this.#ids = ids
    this.#storage = storage ?? new FolderStorage(folder)
  }

  /** Makes the folder, and removes unfinished files of processes that have crashed. */
  async open() {
    await mkdir(this.folder, { recursive: true })
    await this.#storage.open()
    await this.clearUnfinished(new Date())
  }

  /**
   * Deletes unfinished files without recent writes. Younger ones may be uploads that another process is receiving: all processes
   * of an installation can share the folder.
   */
  async clearUnfinished(now: Date) {
    const before = new Date(now.getTime() - UNFINISHED_MS)
    for (const entry of await readdir(this.folder, { recursive: true })) {
      if (!entry.endsWith(UNFINISHED)) continue
      const path = join(this.folder, entry)
      const facts = await stat(path).catch(ifMissing)
      if (facts && facts.mtime < before) await rm(path, { force: true })
    }
  }

  /**
   * Stores the bytes of a picture. Its name is unknown to clients until `attach`.
   * @returns its name
   * @throws Problem 507 if there is no space left
   */
  async write(store: Store, bytes: Uint8Array, extension: string): Promise<string> {
    const name = `${this.#ids.fileName()}.${extension}`
    const path = await this.#writing(store, name, (file) => file.writeFile(bytes))
    await this.#keep(store, name, path)
    return name
  }

  /**
   * Writes content as it arrives, never whole in memory.
   * @throws Problem 507 if there is no space left, and any error of the source. Then nothing is left
   */
  async draft(store: Store, source: AsyncIterable<Uint8Array>, extension: string): Promise<FileDraft> {
    const digest = createHash('sha256')
    let size = 0
    const path = await this.#writing(store, `${this.#ids.fileName()}.${extension}`, async (file) => {
      for await (const chunk of source) {
        // Retries until all is written, since a full disk takes a part; digests meanwhile.
        const written = file.writeFile(chunk)
        digest.update(chunk)
        size += chunk.length
        await written
      }
    })
    const name = `${digest.digest('hex')}.${extension}`
    return {
      name,
      size,
      keep: () => this.#keep(store, name, path),
      discard: () => rm(path, { force: true }),
    }
  }

  /** As `draft`, for content that another process writes. @param write writes a file to a free path, and syncs it */
  async draftAt(
    store: Store,
    extension: string,
    write: (path: string) => Promise<{ digest: string; size: number }>,
  ): Promise<FileDraft> {
    const path = join(this.folder, store.hash, `${this.#ids.fileName()}.${extension}${UNFINISHED}`)
    try {
      await mkdir(join(this.folder, store.hash), { recursive: true })
      const { digest, size } = await write(path)
      const name = `${digest}.${extension}`
      return { name, size, keep: () => this.#keep(store, name, path), discard: () => rm(path, { force: true }) }
    } catch (error) {
      await rm(path, { force: true })
      throw withoutSpace(error)
    }
  }

  /** @returns the path of the file, which may be lost if the machine stops now */
  async #writing(store: Store, name: string, fill: (file: FileHandle) => Promise<void>): Promise<string> {
    const path = join(this.folder, store.hash, name + UNFINISHED)
    const fault = await this.#faults.occur(store, 'files')
    if (fault === 'full_disk') throw new OutOfSpace(new Error('A fault of this test store.'))
    if (fault !== undefined) throw new Error('A fault of this test store: the storage of files has failed.')
    try {
      await mkdir(join(this.folder, store.hash), { recursive: true })
      const file = await open(path, 'wx')
      try {
        await fill(file)
        await file.sync()
      } finally {
        await file.close()
      }
      return path
    } catch (error) {
      await rm(path, { force: true })
      throw withoutSpace(error)
    }
  }

  async #keep(store: Store, name: string, path: string) {
    try {
      await this.#storage.keep(store.hash, name, path)
    } catch (error) {
      await rm(path, { force: true })
      throw withoutSpace(error)
    }
  }

  /** Makes somebody an owner of content, such as `theme 7d0f36c0`. */
  async addOwner(tx: Tx, owner: string, name: string) {
    const row = { store_id: tx.store.id, name, owner }
    await tx.rows(sql`insert into contents ${sql.rows([row])} on conflict do nothing`)
  }

  /** Removes an owner from content. The bytes are deleted an hour later, unless they have another owner. */
  async removeOwner(tx: Tx, owner: string) {
    const gone = await tx.rows<{ name: string }>(sql`
      delete from contents where store_id = ${tx.store.id} and owner = ${owner} returning name`)
    for (const { name } of gone) {
      await this.clearLater(tx, name)
    }
  }

  /**
   * Deletes the content of an owner at once, if it has no other. Call it only while nobody else can become its owner; `removeOwner`
   * removes the owner itself.
   */
  async discardOf(db: Db, owner: string, name: string) {
    const others = await db.rows(sql`
      select owner from contents where store_id = ${db.store.id} and name = ${name} and owner <> ${owner} limit 1`)
    if (others.length === 0) await this.discard(db.store, name)
  }

  /** Deletes content without an owner in an hour, if it still has none. */
  async clearLater(tx: Tx, name: string) {
    await enqueue(tx, clearTask, { payload: { name }, dueAt: new Date(tx.now.getTime() + UNOWNED_MS) })
  }

  /** Deletes the content that `clearLater` has scheduled. */
  clearRunner() {
    return runner(clearTask, async ({ db, payload: { name } }) => {
      const unowned = await db.transaction(async (tx) => {
        const owners = await tx.rows(sql`
          select owner from contents where store_id = ${tx.store.id} and name = ${name} limit 1`)
        return owners.length === 0 ? tx.now : undefined
      })
      if (unowned) {
        await this.#storage.removeIfOlder(db.store.hash, name, new Date(unowned.getTime() - OWNING_MS))
      }
      return done
    })
  }

  /** Undefined if the file does not exist. */
  find(store: Pick<Store, 'hash'>, name: string): Promise<FileFacts | undefined> {
    return this.#storage.find(store.hash, name)
  }

  /** The bytes of a file, or some of them. @throws if the file does not exist */
  read(store: Pick<Store, 'hash'>, name: string, range?: ByteRange): Promise<Readable> {
    return this.#storage.read(store.hash, name, range)
  }

  /** Opens a file for work that reads parts of it. @throws if the file does not exist */
  lend<T>(store: Pick<Store, 'hash'>, name: string, work: (path: string) => Promise<T>): Promise<T> {
    return this.#storage.lend(store.hash, name, work)
  }

  /** Assigns a written file to an owner, in place of its former files. @returns its path, as rows store it */
  async attach(tx: Tx, owner: FileOwner, name: string): Promise<string> {
    await this.detach(tx, owner)
    await this.attachAll(tx, owner.kind, [{ id: owner.id, name }])
    return pathOfFile(tx.store, name)
  }

  /** Assigns written files without owners to an owner. */
  async attachAll(tx: Tx, kind: string, written: readonly { id: number; name: string }[]) {
    const [first, ...more] = written.map(({ id, name }) => ({
      store_id: tx.store.id,
      name,
      owner_kind: kind,
      owner_id: id,
    }))
    if (first) await tx.rows(sql`insert into files ${sql.rows([first, ...more])}`)
  }

  /** Whether an address is that of a file of this server. */
  isOwn(url: string): boolean {
    return url.startsWith(`${this.#publicUrl}/files/`)
  }

  /** Deletes the owner's files; the bytes are deleted after the commit. */
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

  /**
   * Gives the files of a store to a copy of it: files that the rows of the copy name.
   * @returns the names of files that do not exist
   */
  async shareAll(source: Pick<Store, 'hash'>, copy: Db, owner: Pick<Store, 'hash'>): Promise<string[]> {
    const missing: string[] = []
    const share = async (name: string) => {
      if (!(await this.#storage.share(source.hash, name, owner.hash))) missing.push(name)
    }
    for (let last: string | undefined = ''; last !== undefined; ) {
      const named: { name: string }[] = await copy.rows(sql`
        select name from (
          select name from files where store_id = ${copy.store.id} union select name from contents where store_id = ${copy.store.id}
        ) named where name > ${last} order by name limit ${SHARED_AT_ONCE}`)
      await Promise.all(named.map(({ name }) => share(name))).catch((error) => {
        throw withoutSpace(error)
      })
      last = named.at(-1)?.name
    }
    return missing
  }

  /** Those of the files that the rows of a store name. */
  async ownedOf(db: Db, names: readonly string[]): Promise<string[]> {
    const owned = await db.rows<{ name: string }>(sql`
      select name from files where store_id = ${db.store.id} and name = any(${names})
      union select name from contents where store_id = ${db.store.id} and name = any(${names})`)
    return owned.map(({ name }) => name)
  }

  /** Deletes a file without an owner. */
  async discard(store: Store, name: string) {
    await this.#storage.remove(store.hash, name)
  }

  /**
   * Deletes files that were written for a failed transaction. If the connection was lost at the commit, the row may exist: the
   * file stays, and `clearStrays` deletes it if no row names it.
   */
  async discardUnstored(store: Store, names: Iterable<string>, failure: unknown) {
    if (failure instanceof DatabaseUnavailable) return
    for (const name of names) await this.discard(store, name)
  }

  /** The hashes of the stores that have or had files. */
  hashes(): Promise<string[]> {
    return this.#storage.hashes()
  }

  /**
   * Deletes the files of a store that was deleted.
   * @param than deletes only files that were written before; all if undefined
   * @returns how many
   */
  async removeAll(
    { hash }: Pick<Store, 'hash'>,
    { than, signal }: { than?: Date | undefined; signal?: AbortSignal | undefined },
  ): Promise<number> {
    let removed = 0
    for await (const all of this.#storage.list(hash)) {
      for (const name of all.filter((name) => OURS.test(name))) {
        if (signal?.aborted) return removed
        if (than === undefined) await this.#storage.remove(hash, name)
        else if (!(await this.#storage.removeIfOlder(hash, name, than))) continue
        removed++
      }
    }
    // Deletes the folder unless it holds files of others.
    await rmdir(join(this.folder, hash)).catch(() => {})
    return removed
  }

  /**
   * Deletes a store's files that no row names and that are a day old: a crash between the disk and the database leaves such
   * files.
   * @param signal ends it early: the next run does the rest
   * @returns how many
   */
  async clearStrays(db: Db, now: Date, signal?: AbortSignal): Promise<number> {
    const { hash } = db.store
    let cleared = 0
    for await (const all of this.#storage.list(hash)) {
      if (signal?.aborted) break
      const names = all.filter((name) => OURS.test(name))
      const strays = new Set(names).difference(new Set(await this.ownedOf(db, names)))
      for (const name of strays) {
        if (await this.#storage.removeIfOlder(hash, name, new Date(now.getTime() - STRAY_MS))) cleared++
      }
    }
    return cleared
  }
}

/** A full disk is reported as 507 (docs/contract/conventions.md section 7). */
const withoutSpace = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    ? new OutOfSpace(error)
    : error
