import type { Clock } from '../../core/clock.ts'
import { countRows, type StoreTable, storeTables, tableName } from '../../core/db/copies/tables.ts'
import type { Database, Db, NamedQuery, Store } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { STEP_ROWS } from '../../core/db/steps.ts'
import { deleteRequests } from '../requests/search.ts'
import type { Cell, DeletedStore } from './directory.ts'
import type { StoreFiles } from './files-of-stores.ts'

// A store is deleted in two steps. First the directory removes it from its list, so that no request finds it. Then its rows and
// files are removed in pieces, by the command of the operator and by the hourly upkeep of every server. Both may be killed at any
// point, and both may work at the same time.

/** Tables to empty first: then no client is admitted, and no process finds work in the store. */
const FIRST = ['api_accounts', 'job_queues', 'job_lanes', 'jobs', 'due_hooks', 'lanes', 'deliveries', 'hooks']

/**
 * Time after a deletion during which the upkeep looks for remains. By then, transactions that were running have written all their
 * rows.
 */
const LOOKED_AFTER_MS = 86_400_000
/** Files that are younger may be those of a new store with the same hash. */
const FILES_MS = 3_600_000

export interface DeletionParts extends StoreFiles {
  clock: Clock
}

/** The number of removed rows and files. */
export interface Removal {
  rows: number
  files: number
}

interface Options {
  /** Receives the number of rows removed up to now. */
  progress?: (rows: number) => void
  /** Ends the deletion early; the next call continues it. */
  signal?: AbortSignal
  /** Only finishes deletions of former stores with the hash: a store that has it now remains. */
  isFormer?: boolean
}

/**
 * Deletes a store with all its rows and files, or continues an interrupted deletion. The store is unknown from the first moment.
 * @returns undefined if there is no such store and no unfinished deletion of one
 */
export async function deleteStore(
  parts: DeletionParts,
  hash: string,
  options: Options = {},
): Promise<Removal | undefined> {
  const { directory, clock } = parts
  const snapshots = options.isFormer ? [] : await directory.strike(hash, clock.now())
  const unfinished = await directory.deletedStores({ hash })
  for (const snapshot of snapshots) unfinished.push(...(await directory.deletedStores({ hash: snapshot })))
  if (unfinished.length === 0) return undefined
  const removed = { rows: 0, files: 0 }
  for (const deleted of unfinished) {
    const progress = (rows: number) => options.progress?.(removed.rows + rows)
    const { rows, files } = await remove(parts, deleted, { ...options, progress })
    removed.rows += rows
    removed.files += files
  }
  return removed
}

/**
 * Finishes interrupted deletions, and removes rows that were written while their store was deleted. Any number of processes may
 * do so at any time.
 * @throws AggregateError after all stores were tried, with the error of each store that could not be removed
 */
export async function finishDeletions(parts: DeletionParts, signal?: AbortSignal) {
  const since = new Date(parts.clock.now().getTime() - LOOKED_AFTER_MS)
  const failures: unknown[] = []
  for (const deleted of await parts.directory.deletedStores({ since })) {
    // A cell that does not answer must not stop the deletions in other cells.
    await remove(parts, deleted, signal ? { signal } : {}).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some stores could not be deleted.')
}

/**
 * Deletes test stores whose time has ended. Any number of processes may do so at any time.
 * @throws AggregateError as `finishDeletions`
 */
export async function deleteEndedStores(parts: DeletionParts, signal?: AbortSignal) {
  const failures: unknown[] = []
  for (const hash of await parts.directory.endedStores(parts.clock.now())) {
    await deleteStore(parts, hash, signal ? { signal } : {}).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Some test stores could not be deleted.')
}

async function remove(parts: DeletionParts, deleted: DeletedStore, { progress, signal }: Options): Promise<Removal> {
  const { directory, clock } = parts
  const store = { id: deleted.id, hash: deleted.hash, limits: {} }
  const cell = directory.cellOf(deleted)
  const removed = { rows: 0, files: 0 }
  const owners = await tableOwners(cell, directory.database, store)
  let isEmpty = false
  // Requests that are still running may write meanwhile, so rounds repeat until one finds nothing.
  while (!isEmpty && !signal?.aborted) {
    const before = removed.rows
    for (const piece of await piecesOf(owners, store)) {
      for (let isMore = true; isMore && !signal?.aborted; ) {
        const rows = await piece()
        removed.rows += rows
        isMore = rows === STEP_ROWS
        if (rows > 0) progress?.(removed.rows)
      }
    }
    isEmpty = removed.rows === before
  }
  if (!signal?.aborted) await deleteRequests(cell, store.id)
  // If a new store has the same hash, the folder belongs to it. Its upkeep removes files without rows.
  if (!signal?.aborted && !(await directory.find(store.hash))) {
    const than = deleted.finished_at === null ? undefined : new Date(clock.now().getTime() - FILES_MS)
    removed.files = await parts.files.removeAll(store, { than, signal })
  }
  if (!signal?.aborted) await directory.finish(deleted, clock.now())
  return removed
}

/** Removes a piece of a store and returns the number of its rows. */
type Piece = () => Promise<number>

/** Tables that one role empties. */
interface TableOwner {
  tables: readonly StoreTable[]
  read<Row>(query: NamedQuery): Promise<Row[]>
  /** Runs a statement in a transaction of its own, so that other stores wait for one piece and not for a whole store. */
  run: Run
  /** The store as requests see it, for tables that they may empty. */
  db?: Db
}

/** The tables of a store, by their roles: those of requests, the others of the cell, and those of the directory. */
async function tableOwners({ api, system }: Cell, directory: Database, store: Store): Promise<TableOwner[]> {
  const isOfDirectory = ({ name }: StoreTable) => name.startsWith('directory.')
  const ofCell = (await storeTables(system)).filter((table) => !isOfDirectory(table))
  const ofDirectory = (await storeTables(directory)).filter(isOfDirectory)
  const asSystem = (database: Database): Pick<TableOwner, 'read' | 'run'> => ({
    read: (query) => database.system(query),
    run: (piece) => database.system(piece),
  })
  const db = api.of(store)
  return [
    {
      tables: ofCell.filter(({ isOpen }) => isOpen),
      read: (query) =>
        db.transaction((tx) => {
          // To plan a look at all tables takes five times as long as the look, and each connection would plan the first five.
          tx.setLocal({ plan_cache_mode: 'force_generic_plan' })
          return tx.rows(query)
        }),
      run: (piece) => db.transaction((tx) => tx.rows(piece)),
      db,
    },
    { tables: ofCell.filter(({ isOpen }) => !isOpen), ...asSystem(system) },
    { tables: ofDirectory, ...asSystem(directory) },
  ]
}

/** Returns the work of one round: a function for each table with rows, or one for all open tables together if their rows fit in one piece. */
async function piecesOf(owners: readonly TableOwner[], store: Store): Promise<Piece[]> {
  const first: [name: string, piece: Piece][] = []
  const others: Piece[] = []
  for (const { tables, read, run, db } of owners) {
    const filled = await filledTables(read, tables, store)
    const pieceOf = (table: StoreTable) => () => deletePiece(run, table, store)
    const later = filled.filter(({ table }) => !FIRST.includes(table.name))
    for (const { table } of filled) if (FIRST.includes(table.name)) first.push([table.name, pieceOf(table)])
    const rows = later.reduce((sum, { rows }) => sum + rows, 0)
    const laterTables = later.map(({ table }) => table)
    // The order matters only among open tables: the others have no foreign keys.
    if (db && rows > 0 && rows < STEP_ROWS) others.push(() => deleteTogether(db, laterTables))
    else others.push(...laterTables.map(pieceOf))
  }
  const inOrder = first.sort(([one], [other]) => FIRST.indexOf(one) - FIRST.indexOf(other))
  return [...inOrder.map(([, piece]) => piece), ...others]
}

/** The tables that have rows of a store, with their number: at most a piece of each. */
async function filledTables(
  read: TableOwner['read'],
  tables: readonly StoreTable[],
  { id }: Store,
): Promise<{ table: StoreTable; rows: number }[]> {
  const [counted] = await read<{ counts: number[] }>(countRows(tables, id, STEP_ROWS))
  return tables.map((table, i) => ({ table, rows: counted?.counts[i] ?? 0 })).filter(({ rows }) => rows > 0)
}

/** Deletes the rows of all tables in one transaction, whose statements leave in one piece. */
function deleteTogether(db: Db, tables: readonly StoreTable[]): Promise<number> {
  return db.transaction(async (tx) => {
    const deleted = await tx.together(() =>
      tables.map((table) =>
        tx.rows(sql`delete from ${tableName(table)} where store_id = ${tx.store.id} returning store_id`),
      ),
    )
    return deleted.flat().length
  })
}

type Run = (piece: Sql) => Promise<readonly unknown[]>

/**
 * Deletes the first rows by their keys, or all of them if fewer are left than a piece has. Each statement follows the primary
 * key. A join with a list of keys would compare every row with every key until the database has statistics of the store.
 */
async function deletePiece(run: Run, { name, keys }: StoreTable, { id }: Store): Promise<number> {
  const table = tableName({ name })
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
