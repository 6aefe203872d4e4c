import type { Clock } from '../../core/clock.ts'
import type { Database, Store } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { STEP_ROWS } from '../../core/db/steps.ts'
import { type StoreTable, storeTables } from '../../core/db/tables.ts'
import type { Cell, DeletedStore } from './directory.ts'
import type { StoreFiles } from './files-of-stores.ts'

// A store is deleted in two steps. First the directory strikes it from its list: from then on nobody knows it. Then what it holds is
// removed, a piece at a time, by whoever gets to it: the operator's command, and the hourly upkeep of every server. Both may be
// killed at any point, and both may work at once.

/** What is emptied first: nobody gets in any more, and no process finds work in the store. */
const FIRST = ['api_accounts', 'job_queues', 'job_lanes', 'jobs', 'due_hooks', 'lanes', 'deliveries', 'hooks']

/** So long after a store was deleted its remains are looked for: what was under way then has written what it had to write. */
const LOOKED_AFTER_MS = 86_400_000
/** Files that are younger may be those of a new store with the same hash. */
const FILES_MS = 3_600_000

interface Parts extends StoreFiles {
  clock: Clock
}

/** What was removed. */
export interface Removal {
  rows: number
  files: number
}

interface Options {
  /** Hears how many rows are gone. */
  progress?: (rows: number) => void
  /** Ends it early: the next one goes on. */
  signal?: AbortSignal
}

/**
 * Deletes a store with all that it holds, or goes on with a deletion that was cut short. The store is unknown from the first moment.
 * @param hash of a store
 * @returns undefined if there is no such store, and none whose deletion has not ended
 */
export async function deleteStore(parts: Parts, hash: string, options: Options = {}): Promise<Removal | undefined> {
  const { directory, clock } = parts
  await directory.strike(hash, clock.now())
  const [unfinished] = await directory.deletedStores({ hash })
  return unfinished && remove(parts, unfinished, options)
}

/**
 * Ends the deletions that were cut short, and removes what was still being written when a store was deleted. Any number of processes
 * may do so at any time.
 * @throws AggregateError after all other stores, of those that could not be removed
 */
export async function finishDeletions(parts: Parts, signal?: AbortSignal) {
  const since = new Date(parts.clock.now().getTime() - LOOKED_AFTER_MS)
  const failures: unknown[] = []
  for (const deleted of await parts.directory.deletedStores({ since })) {
    // A cell that is gone or does not answer holds up no other.
    await remove(parts, deleted, signal ? { signal } : {}).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some stores could not be deleted.')
}

async function remove(parts: Parts, deleted: DeletedStore, { progress, signal }: Options): Promise<Removal> {
  const { directory, clock } = parts
  const store = { id: deleted.id, hash: deleted.hash, limits: {} }
  const cell = directory.cellOf(deleted)
  const removed = { rows: 0, files: 0 }
  let isEmpty = false
  // What is written behind our back is found by the next round: it ends when one has found nothing.
  while (!isEmpty && !signal?.aborted) {
    const before = removed.rows
    for (const piece of await piecesOf(cell, directory.database, store)) {
      for (let isMore = true; isMore && !signal?.aborted; ) {
        const rows = await piece()
        removed.rows += rows
        isMore = rows === STEP_ROWS
        if (rows > 0) progress?.(removed.rows)
      }
    }
    isEmpty = removed.rows === before
  }
  // The folder is that of a new store if its hash was given again; then that one's files without rows go as all do.
  if (!signal?.aborted && !(await directory.find(store.hash))) {
    const than = deleted.finished_at === null ? undefined : new Date(clock.now().getTime() - FILES_MS)
    removed.files = await parts.files.removeAll(store, { than, signal })
  }
  if (!signal?.aborted) await directory.finish(deleted, clock.now())
  return removed
}

/** What removes a piece of each table, and tells how many rows. */
async function piecesOf({ api, system }: Cell, directory: Database, store: Store): Promise<(() => Promise<number>)[]> {
  const isOfDirectory = ({ name }: StoreTable) => name.startsWith('directory.')
  const ofCell = (await storeTables(system)).filter((table) => !isOfDirectory(table))
  const ofDirectory = (await storeTables(directory)).filter(isOfDirectory)
  const rank = ({ name }: StoreTable) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  const asRequests: Run = (piece) => api.of(store).transaction((tx) => tx.rows(piece))
  return [
    ...ofCell
      .toSorted((a, b) => rank(a) - rank(b))
      .map((table) => () => deletePiece(table.isOpen ? asRequests : (piece) => system.system(piece), table, store)),
    ...ofDirectory.map((table) => () => deletePiece((piece) => directory.system(piece), table, store)),
  ]
}

/** Runs a statement in a transaction of its own: other stores wait for a piece, and not for a store. */
type Run = (piece: Sql) => Promise<readonly unknown[]>

/**
 * Deletes the first rows by their keys, then, where fewer are left than a piece has, all of them. Each statement walks along the primary
 * key: a join of the table with a list of keys would look at each row beside each key while the database has no statistics of the store.
 */
async function deletePiece(run: Run, { name, keys }: StoreTable, { id }: Store): Promise<number> {
  const table = sql.join(name.split('.').map(sql.id), '.')
  const columns = sql.join((keys.length === 0 ? ['store_id'] : keys).map(sql.id))
  const last = sql`
    select ${columns} from ${table} where store_id = ${id} order by ${columns} offset ${STEP_ROWS - 1} limit 1`
  const first = await run(
    sql`delete from ${table} where store_id = ${id} and (${columns}) <= (${last}) returning store_id`,
  )
  if (first.length > 0) return first.length
  const rest = await run(sql`delete from ${table} where store_id = ${id} and not exists (${last}) returning store_id`)
  return rest.length
}
