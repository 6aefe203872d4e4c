import type { Files } from '../core/files/files.ts'
import type { Directory } from './directory.ts'

/** What it works on. */
interface Place {
  directory: Directory
  files: Files
}

/**
 * Clears away the files that crashes left behind, store by store; any process may, at any time. The folder of a hash that the
 * directory does not know is left alone: somebody may have pointed us at the wrong one.
 * @returns how many files went
 */
export async function clearStrayFiles({ directory, files }: Place, now: Date, signal?: AbortSignal): Promise<number> {
  let cleared = 0
  for (const hash of await files.hashes()) {
    const store = await directory.find(hash)
    const db = store && (await directory.dbById(store.id))
    if (db) cleared += await files.clearStrays(db, now, signal)
  }
  return cleared
}
