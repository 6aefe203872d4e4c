import type { Db } from '../core/db/database.ts'
import type { Files } from '../core/files/files.ts'
import type { Directory } from './directory.ts'

/** The files of an installation, and the stores that they belong to. */
export interface Shelves {
  directory: Directory
  files: Files
}

/**
 * The stores that have files. The folder of a hash that the directory does not know is left alone: somebody may have pointed us
 * at the wrong one.
 * @param signal ends it early
 */
export async function* storesWithFiles({ directory, files }: Shelves, signal?: AbortSignal): AsyncGenerator<Db> {
  for (const hash of await files.hashes()) {
    if (signal?.aborted) return
    const store = await directory.find(hash)
    const db = store && (await directory.dbById(store.id))
    if (db) yield db
  }
}

/**
 * Clears away the files that crashes left behind, store by store; any process may, at any time.
 * @returns how many files went
 */
export async function clearStrayFiles(shelves: Shelves, now: Date, signal?: AbortSignal): Promise<number> {
  let cleared = 0
  for await (const db of storesWithFiles(shelves, signal)) cleared += await shelves.files.clearStrays(db, now, signal)
  return cleared
}
