import { copyRows } from '../../core/db/copies/copier.ts'
import type { CopySource } from '../../core/db/copies/selection.ts'
import { storeTables } from '../../core/db/copies/tables.ts'
import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { pathOfFile } from '../../core/rest/input/picture-addresses.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import type { StoreSeeds } from '../../core/secrets/row-ids.ts'
import type { Accounts, CreatedAccount } from '../accounts/accounts.ts'
import { type DeletionParts, deleteStore } from '../directory/deletion.ts'
import { type Directory, HashTaken, type Snapshot, type StoreEntry, type StoreRecord } from '../directory/directory.ts'
import { StoreSlots } from '../quotas/store-slots.ts'
import { computeNgramsLater } from './ngrams.ts'

/**
 * Copies of stores. A fork is a new test store with the data of its source: products, customers, orders and settings with the same
 * ids, and their files. It has an account and the test gateway of its own; hooks are switched off, and e-mails stay in its mailbox. A
 * snapshot is a copy with a name that serves no requests. A restored store is a copy of a snapshot that takes over the hash of its
 * source, with the accounts, hooks and credentials that the source has now; the former store is deleted. A copy is made in one
 * transaction on one snapshot of the database, so it has all changes of the source that were committed by then, and no other. It is in
 * no list until it is complete, and servers remove copies whose makers have died (docs/decisions/121-copies-of-stores.md).
 */
export interface ForkParts extends CopyParts {
  seeds: StoreSeeds
  /** Configures the test gateway of a fork. */
  openGateway(db: Db): Promise<void>
}

export interface CopyParts extends DeletionParts {
  accounts: Accounts
  ids: Ids
}

interface NewFork {
  name?: string | undefined
  hash?: string | undefined
  /** The id of an account of the source. The account of the fork has the same id, and so its hooks, scripts and metafields. */
  clientId?: string | undefined
  /** The time after which servers delete the fork. */
  endsAt?: Date | undefined
  /** The ids of its new rows that are no numbers follow from it, in this process. */
  seed?: string | undefined
  /** Its clock stands at this time, until it is moved on. */
  standsAt?: Date | undefined
}

interface Fork extends StoreRecord {
  account: CreatedAccount
}

/** A request for a copy that can't be made. */
export class CopyRefusal extends Error {}

const SNAPSHOTS_MAX = 20
/** A name of a snapshot stands in paths. */
export const SNAPSHOT_NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'
const LEASE_RENEWAL_MS = 30_000
const ATTEMPTS_MAX = 3

/** A copy uses a core of the database while it is made. A connection without an answer is closed after a minute. */
const slots = new StoreSlots({ all: 2, store: 2, waiting: 100, waitMs: 20_000 })

/**
 * Forks a store.
 * @throws CopyRefusal for an unknown, incomplete or deleted source; HashTaken; Problem 507 without space for files, 429 if 100 forks wait or this one has waited for too long
 */
export async function forkStore(parts: ForkParts, source: string, fork: NewFork = {}): Promise<Fork> {
  const { directory, accounts } = parts
  const { store: original, profile } = await completeStore(parts, source)
  if (
    fork.clientId !== undefined &&
    !(await accounts.list(source)).some(({ client_id }) => client_id === fork.clientId)
  )
    throw new CopyRefusal(`The store ${source} has no account "${fork.clientId}".`)
  const name = fork.name ?? profile.name
  const purpose = original.is_test ? 'test fork' : 'fork'
  const copy = await copyStore(parts, original, { ...fork, isTest: true }, async (entry) => {
    const paths = { from: pathOfFile(original, ''), to: pathOfFile(entry, '') }
    await fillCopy(parts, { original, entry, owner: entry }, [{ store: original.id, purpose, paths }])
    const clock = fork.standsAt && { clock_ahead_s: 0, clock_stands_at: fork.standsAt.toISOString() }
    await insertProfile(parts, entry, { ...profile, name, ...clock })
    if (fork.endsAt) await directory.endAt(entry, fork.endsAt)
    const db = dbOf(parts, entry)
    await parts.openGateway(db)
    await db.transaction((tx) => computeNgramsLater(tx))
    const account = await accounts.create(entry.hash, 'fork', ['all'], fork.clientId)
    if (!(await directory.activateCopy(entry))) throw deletedMeanwhile(source)
    if (fork.seed !== undefined) parts.seeds.set(entry.id, fork.seed, original.id)
    return { ...entry, account }
  })
  const { plan, limits } = profile
  return { ...copy, plan, limits, name, state: 'active' }
}

/**
 * Stores a snapshot of a store.
 * @throws CopyRefusal also for a name that is taken, and for a 21st snapshot
 */
export async function takeSnapshot(parts: ForkParts, source: string, name: string): Promise<Snapshot> {
  const { directory, ids } = parts
  if (!new RegExp(SNAPSHOT_NAME).test(name))
    throw new CopyRefusal('The name of a snapshot has 1 to 64 letters, digits, dots, hyphens and underscores.')
  const { store: original, profile } = await completeStore(parts, source)
  // Snapshots are never opened, and as test stores they never send an e-mail.
  const wanted = { hash: ids.storeHash(), isTest: true, snapshot: name }
  await copyStore(parts, original, wanted, async (entry) => {
    const paths = { from: pathOfFile(original, ''), to: pathOfFile(entry, '') }
    await fillCopy(parts, { original, entry, owner: entry }, [{ store: original.id, purpose: 'snapshot', paths }])
    await insertProfile(parts, entry, profile)
    if (!(await directory.activateCopy(entry))) throw deletedMeanwhile(source)
  })
  const taken = (await directory.snapshotsOf(original)).find((snapshot) => snapshot.name === name)
  if (!taken) throw deletedMeanwhile(source)
  return taken
}

/**
 * Copies a store for some work, and deletes the copy afterwards. No client can reach it, and it has no credentials.
 * @throws CopyRefusal for an unknown, incomplete or deleted source
 */
export async function withCopy<T>(parts: CopyParts, source: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { directory, clock } = parts
  const { store: original, profile } = await completeStore(parts, source)
  const copy = await copyStore(parts, original, { isTest: true }, async (entry) => {
    const paths = { from: pathOfFile(original, ''), to: pathOfFile(entry, '') }
    const copied = { original, entry, owner: entry, isReadAtOnce: true }
    await fillCopy(parts, copied, [{ store: original.id, purpose: 'fork', paths }])
    await insertProfile(parts, entry, profile)
    return entry
  })
  const renewal = renewLease(directory, copy)
  try {
    return await work(dbOf(parts, copy))
  } finally {
    clearInterval(renewal)
    await directory.strikeCopy(copy, clock.now())
    await deleteStore(parts, copy.hash, { isFormer: true })
  }
}

/**
 * Replaces the data of a store by those of a snapshot. Its accounts, hooks, keys and credentials remain, and so its tokens are valid.
 * Requests get the restored data within a second.
 * @throws CopyRefusal for an unknown store or snapshot
 */
export async function restoreSnapshot(parts: ForkParts, hash: string, name: string): Promise<void> {
  const { directory, clock, ids } = parts
  const { store: former, profile } = await completeStore(parts, hash)
  const snapshot = await directory.findSnapshot(former, name)
  if (!snapshot) throw new CopyRefusal(`The store ${hash} has no snapshot "${name}".`)
  await copyStore(parts, former, { hash: ids.storeHash(), isTest: former.is_test }, async (entry) => {
    // The copy takes over the hash of the former store, and with it the folder of its files.
    const paths = { from: pathOfFile(snapshot, ''), to: pathOfFile(former, '') }
    await fillCopy(parts, { original: snapshot, entry, owner: former }, [
      { store: snapshot.id, purpose: 'restore', paths },
      { store: former.id, purpose: 'identity', paths },
    ])
    await insertProfile(parts, entry, profile)
    await dbOf(parts, entry).transaction((tx) => computeNgramsLater(tx))
    if (!(await directory.replaceStore(former, entry, clock.now()))) throw deletedMeanwhile(hash)
  })
  await deleteStore(parts, hash, { isFormer: true })
}

/** Deletes a snapshot with its rows and files. @returns whether there was one */
export async function deleteSnapshot(parts: DeletionParts, hash: string, name: string): Promise<boolean> {
  const { directory, clock } = parts
  const store = await directory.find(hash)
  const struck = store && (await directory.strikeSnapshot(store, name, clock.now()))
  if (struck === undefined) return false
  await deleteStore(parts, struck, { isFormer: true })
  return true
}

/** Removes copies whose makers have died. Any number of processes may do so at any time. */
export async function removeAbandonedCopies(parts: DeletionParts) {
  for (const hash of await parts.directory.strikeAbandonedCopies(parts.clock.now()))
    await deleteStore(parts, hash, { isFormer: true })
}

/** Enters a copy, keeps its lease, and removes it if the work fails. A source whose files were deleted meanwhile is copied again. */
async function copyStore<T>(
  parts: CopyParts,
  source: StoreEntry,
  { hash, isTest, snapshot }: { hash?: string | undefined; isTest: boolean; snapshot?: string },
  make: (entry: StoreEntry) => Promise<T>,
): Promise<T> {
  const { directory, ids } = parts
  for (let attempt = 1; ; attempt++) {
    const wanted = { hash: hash ?? ids.storeHash(), isTest, snapshot, max: SNAPSHOTS_MAX }
    const entry = await directory.enterCopy(source, wanted)
    if (!entry) throw await refusalOf(parts, source, wanted)
    const renewal = renewLease(directory, entry)
    try {
      return await slots.run(source, () => make(entry))
    } catch (error) {
      await directory.strikeCopy(entry, parts.clock.now())
      await deleteStore(parts, entry.hash, { isFormer: true })
      if (!(error instanceof FilesDeleted) || attempt === ATTEMPTS_MAX) throw error
    } finally {
      clearInterval(renewal)
    }
  }
}

const renewLease = (directory: Directory, entry: StoreEntry) =>
  setInterval(() => void directory.prolongCopy(entry).catch(() => {}), LEASE_RENEWAL_MS)

async function refusalOf(
  { directory }: CopyParts,
  source: StoreEntry,
  { hash, snapshot }: { hash: string; snapshot: string | undefined },
): Promise<Error> {
  if (!(await directory.find(source.hash))) return deletedMeanwhile(source.hash)
  if (snapshot === undefined) return new HashTaken(`The store hash "${hash}" is taken.`)
  const stored = await directory.snapshotsOf(source)
  const isTaken = stored.some(({ name }) => name === snapshot)
  if (isTaken) return new CopyRefusal(`The store ${source.hash} has a snapshot "${snapshot}" already.`)
  return new CopyRefusal(`The store ${source.hash} has ${SNAPSHOTS_MAX} snapshots, the most that a store can have.`)
}

interface FilledCopy {
  original: StoreEntry
  entry: StoreEntry
  /** The store in whose folder the files of the copy are. */
  owner: Pick<StoreEntry, 'hash'>
  isReadAtOnce?: boolean
}

async function fillCopy(
  parts: CopyParts,
  { original, entry, owner, isReadAtOnce }: FilledCopy,
  sources: readonly CopySource[],
) {
  const { directory, files } = parts
  const cell = directory.cellOf(entry)
  // Tables that others refer to come last in this list.
  const tables = (await storeTables(cell.system)).toReversed()
  await copyRows(cell, { target: entry.id, sources, tables, isReadAtOnce })
  const missing = await files.shareAll(original, dbOf(parts, entry), owner)
  if (missing.length === 0) return
  const named = new Set(await files.ownedOf(dbOf(parts, original), missing))
  // Files that the original names and does not have are lost: the copy lacks them, too.
  if (missing.some((name) => !named.has(name)))
    throw new FilesDeleted('Files of the store were deleted while it was copied.')
}

/** The original has changed between its rows and its files. */
class FilesDeleted extends CopyRefusal {}

const deletedMeanwhile = (hash: string) => new CopyRefusal(`The store ${hash} was deleted or replaced meanwhile.`)

const dbOf = ({ directory }: CopyParts, { id, hash, is_test, cell }: StoreEntry): Db =>
  directory.cellOf({ hash, cell }).api.of({ id, hash, limits: {}, isTest: is_test })

interface Profile extends Pick<StoreRecord, 'name' | 'plan' | 'limits'> {
  /** Copies have the time of their source. */
  clock_ahead_s: number
  clock_stands_at: string | null
}

async function completeStore({ directory }: CopyParts, hash: string): Promise<{ store: StoreEntry; profile: Profile }> {
  const store = await directory.find(hash)
  if (!store) throw new CopyRefusal(`There is no store "${hash}".`)
  const [profile] = await directory
    .cellOf(store)
    .system.system<Profile>(
      sql`select name, plan, limits, clock_ahead_s, clock_stands_at from store_profiles where store_id = ${store.id}`,
    )
  if (!profile || store.state === 'upgrading') throw new CopyRefusal(`The store ${hash} is not complete.`)
  return { store, profile }
}

async function insertProfile({ directory }: CopyParts, entry: StoreEntry, { limits, ...profile }: Profile) {
  const row = { store_id: entry.id, ...profile, limits: JSON.stringify(limits) }
  await directory.cellOf(entry).system.system(sql`insert into store_profiles ${sql.rows([row])} returning store_id`)
}
