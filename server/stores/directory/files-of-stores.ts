import type { Db } from '../../core/db/database.ts'
import type { Files } from '../../core/files/files.ts'
import type { Directory } from './directory.ts'

/** The uploaded files of an installation, and the directory that maps their folders to stores. */
export interface StoreFiles {
  directory: Directory
  files: Files
}

/**
 * The stores that have files. Skips folders of stores that are not in the directory: STOREWARD_DATA or DATABASE_URL may be wrong.
 * @param signal ends the iteration early
 */
export async function* storesWithFiles({ directory, files }: StoreFiles, signal?: AbortSignal): AsyncGenerator<Db> {
  for (const hash of await files.hashes()) {
    if (signal?.aborted) return
    const store = await directory.find(hash)
    const db = store && (await directory.dbById(store.id))
    if (db) yield db
  }
}

/**
 * Removes the files that crashes left behind, store by store. Any number of processes may do so at any time.
 * @returns the number of removed files
 */
export async function clearStrayFiles(storeFiles: StoreFiles, now: Date, signal?: AbortSignal): Promise<number> {
  let cleared = 0
  for await (const db of storesWithFiles(storeFiles, signal))
    cleared += await storeFiles.files.clearStrays(db, now, signal)
  return cleared
}
