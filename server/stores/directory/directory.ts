import type { Clock } from '../../core/clock.ts'
import type { Database, Db, Store, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import type { PlanName } from './plans.ts'

export const STORE_STATES = ['active', 'maintenance', 'upgrading', 'suspended'] as const
export type StoreState = (typeof STORE_STATES)[number]
/** The state of a store for requests: `test` if this process doesn't open test stores. */
export type DoorState = StoreState | 'test'

/** The form of a store hash (docs/contract/auth.md section 1). */
export const HASH_PATTERN = '^[a-z0-9]{5,16}$'
/** Texts of other forms are not looked up, because PostgreSQL fails on U+0000. */
const HASH = new RegExp(HASH_PATTERN)

/** A database that holds whole stores, under the two roles of the server. */
export interface Cell {
  readonly name: string
  readonly api: Database
  readonly system: Database
  /** The URL of the role that copies stores. */
  readonly forkUrl: string
  /** The URL of the system role, under which the request log is written. */
  readonly systemUrl: string
}

/** A row of the directory. */
interface StoreRow extends Pick<Store, 'id' | 'hash'> {
  readonly state: StoreState
  readonly cell: string
  /** Whether the store is for tests, since its creation and permanently. */
  readonly is_test: boolean
}

/** A snapshot of a store. */
export interface Snapshot {
  readonly name: string
  readonly created_at: string
}

/** A store as requests find it. */
export interface StoreEntry extends Omit<StoreRow, 'state'> {
  readonly state: DoorState
}

/** A store as the operator sees it. */
export interface StoreRecord extends StoreRow {
  name: string
  plan: PlanName
  limits: Record<string, number>
}

/** A store that was deleted. */
export interface DeletedStore extends Pick<StoreEntry, 'id' | 'hash' | 'cell'> {
  readonly name: string
  readonly deleted_at: string
  /** When the last row and file were removed. */
  readonly finished_at: string | null
}

/** The location of a store. */
interface StoreLocation {
  readonly cell: Cell
  readonly db: Db
}

/** A change of a store by the operator. A limit of null is removed, and limits that are not named stay. */
export interface StoreChanges {
  name?: string | undefined
  plan?: PlanName | undefined
  limits?: Readonly<Record<string, number | null>> | undefined
}

export interface NewStore {
  name: string
  hash?: string | undefined
  plan?: PlanName | undefined
  /** Plan limits by resource. A request beyond one is refused with 507. */
  limits?: Record<string, number> | undefined
  /** Whether it is a test store. */
  isTest?: boolean | undefined
}

/** Creates the rows that every store has, such as its first channel. It leaves existing rows as they are. */
export type Furnish = (tx: Tx) => Promise<void>

interface DirectoryParts {
  database: Database
  cells: readonly Cell[]
  clock: Clock
  ids: Ids
  furnish: Furnish
  /** Whether requests to test stores are answered. */
  opensTestStores: boolean
}

/**
 * A store is a tenant: one shop with its own catalog, orders, settings and API accounts. The operator opens it, and nobody else
 * can. It has a number, which is never reused, and a hash, which stands in the paths of its API. Its rows live in one cell, a
 * database that holds whole stores, and never move. The directory lists each store with its number, hash, state and cell;
 * everything else is in the cell. A store in the state `active` answers requests; in `maintenance`, `upgrading` and `suspended`
 * every request is refused with 503. The operator can change its name, plan and limits; a plan limits requests and the number of
 * resources. A deleted store disappears from the list at once, and its rows and files follow in pieces. Its hash is free again
 * when nothing is left of it. A test store is one from its creation and permanently: it never becomes a real store, and only a server
 * with TEST_STORES answers for it. Directory and cells may be one database or many: no statement joins them, and no transaction writes
 * to both.
 */
export class Directory {
  readonly #directory: Database
  readonly #cells: ReadonlyMap<string, Cell>
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #furnish: Furnish
  readonly #opensTestStores: boolean
  /** Locations of stores that were looked up by number. A location never changes. */
  readonly #locations = new Map<number, StoreLocation>()

  constructor({ database, cells, clock, ids, furnish, opensTestStores }: DirectoryParts) {
    this.#directory = database
    this.#cells = new Map(cells.map((cell) => [cell.name, cell]))
    this.#clock = clock
    this.#ids = ids
    this.#furnish = furnish
    this.#opensTestStores = opensTestStores
  }

  /** The database of the directory, for data of all stores. */
  get database(): Database {
    return this.#directory
  }

  get cells(): Cell[] {
    return [...this.#cells.values()]
  }

  cellOf(store: Pick<StoreEntry, 'hash' | 'cell'>): Cell {
    const cell = this.#cells.get(store.cell)
    if (!cell)
      throw new Error(`Store ${store.hash} lives in the cell "${store.cell}", which this server does not know.`)
    return cell
  }

  /** The database of a store by its number, for work that starts from rows and not from a request. */
  async dbById(id: number): Promise<Db | undefined> {
    return (await this.#locate(id))?.db
  }

  async cellById(id: number): Promise<Cell | undefined> {
    return (await this.#locate(id))?.cell
  }

  async #locate(id: number): Promise<StoreLocation | undefined> {
    const known = this.#locations.get(id)
    if (known) return known
    const store = await this.entryById(id)
    if (!store) return undefined
    const cell = this.cellOf(store)
    const location = { cell, db: cell.api.of({ id, hash: store.hash, limits: {}, isTest: store.is_test }) }
    this.#locations.set(id, location)
    return location
  }

  /** Undefined for a copy that is being made: its hash may change until it is complete. */
  async entryById(id: number): Promise<StoreEntry | undefined> {
    const [store] = await this.#directory.system<StoreRow>(sql`
      ${STORES} where id = ${id} and not exists (select 1 from directory.forks where store_id = stores.id)`)
    return store && this.#toEntry(store)
  }

  /** The only store of the installation, or undefined if there are none or several. */
  async onlyStore(): Promise<StoreEntry | undefined> {
    const [store, other] = await this.#directory.system<StoreRow>(sql`
      ${STORES} where snapshot_of is null order by id limit 2`)
    return store && !other ? this.#toEntry(store) : undefined
  }

  async find(hash: string): Promise<StoreEntry | undefined> {
    const store = await this.#find(hash)
    return store && this.#toEntry(store)
  }

  async #find(hash: string): Promise<StoreRow | undefined> {
    if (!HASH.test(hash)) return undefined
    const [store] = await this.#directory.system<StoreRow>(sql`
      ${STORES} where hash = ${hash} and snapshot_of is null`)
    return store
  }

  #toEntry(store: StoreRow): StoreEntry {
    return store.is_test && !this.#opensTestStores ? { ...store, state: 'test' } : store
  }

  /**
   * Opens a store in the cell with the fewest stores. If a crash left a store of this hash without a profile, that store is
   * completed.
   * @throws HashTaken and Error with a sentence for the operator if the hash is taken or malformed
   */
  async create({
    name,
    hash = this.#ids.storeHash(),
    plan = 'standard',
    limits = {},
    isTest = false,
  }: NewStore): Promise<StoreRecord> {
    if (!HASH.test(hash)) throw new Error('A store hash has 5 to 16 lower-case letters and digits.')
    await this.#refuseForeignCells()
    const cell = await this.#emptiestCell()
    const store = await this.#enter(hash, cell, isTest)
    const { api, system } = this.cellOf(store)
    // A complete store is not furnished a second time: rows that its owner has deleted must not come back.
    if (await hasProfile(system, store)) throw taken(hash)
    await api.of({ id: store.id, hash, limits: {}, isTest }).transaction(this.#furnish)
    // The state changes after the profile is stored: a crash in between leaves a store that answers 503. If two processes create
    // the same hash at the same time, the one that stores the profile wins.
    const [profile] = await system.system(
      sql`insert into store_profiles ${sql.rows([{ store_id: store.id, name, plan, limits: JSON.stringify(limits) }])}
        on conflict do nothing returning store_id`,
    )
    if (!profile) throw taken(hash)
    await this.setState(hash, 'active')
    return { ...store, state: 'active', name, plan, limits }
  }

  async list(): Promise<StoreRecord[]> {
    const stores = await this.#directory.system<StoreRow>(sql`${STORES} where snapshot_of is null order by id`)
    const profiles = await Promise.all(
      this.cells.map((cell) =>
        cell.system.system<{ store_id: number; name: string; plan: PlanName; limits: Record<string, number> }>(
          sql`select store_id, name, plan, limits from store_profiles`,
        ),
      ),
    )
    const byStore = new Map(profiles.flat().map(({ store_id, ...profile }) => [store_id, profile]))
    return stores.map((store) => ({
      ...store,
      ...(byStore.get(store.id) ?? { name: '', plan: 'standard', limits: {} }),
    }))
  }

  /**
   * Changes name, plan and limits of a store. Every process follows within a second.
   * @throws Error if there is no such store
   */
  async change(hash: string, { name, plan, limits }: StoreChanges): Promise<StoreRecord> {
    const store = await this.#find(hash)
    if (!store) throw new Error(`There is no store "${hash}".`)
    const changed = await this.cellOf(store).system.system<Omit<StoreRecord, keyof StoreRow>>(sql`
      update store_profiles set name = coalesce(${name ?? null}::text, name), plan = coalesce(${plan ?? null}::text, plan),
        limits = jsonb_strip_nulls(limits || ${JSON.stringify(limits ?? {})}::jsonb)
      where store_id = ${store.id} returning name, plan, limits`)
    const [profile] = changed
    if (!profile)
      throw new Error(`The store "${hash}" was not made completely: run "storeward store create" with its hash again.`)
    return { ...store, ...profile }
  }

  /** @returns whether the store exists. Effective in every process within a second. */
  async setState(hash: string, state: StoreState): Promise<boolean> {
    const changed = await this.#directory.system(
      sql`update directory.stores set state = ${state} where hash = ${hash} returning id`,
    )
    return changed.length > 0
  }

  /** Sets the time after which servers delete a test store. */
  async endAt({ id }: Pick<StoreEntry, 'id'>, time: Date) {
    await this.#directory.system(sql`
      update directory.stores set ends_at = ${time} where id = ${id} and is_test returning id`)
  }

  /** The hashes of test stores whose time has ended. */
  async endedStores(now: Date): Promise<string[]> {
    const ended = await this.#directory.system<{ hash: string }>(sql`
      select hash from directory.stores where ends_at <= ${now} and snapshot_of is null order by ends_at, id`)
    return ended.map(({ hash }) => hash)
  }

  /**
   * Removes a store from the list, with its snapshots. Within a second it is unknown in every process. `deleteStore`
   * (stores/directory/deletion.ts) removes its rows and files. Does nothing if there is no such store.
   * @returns the hashes of the stores of its snapshots
   */
  async strike(hash: string, now: Date): Promise<string[]> {
    const store = await this.find(hash)
    if (!store) return []
    const [profile] = await this.cellOf(store).system.system<{ name: string }>(
      sql`select name from store_profiles where store_id = ${store.id}`,
    )
    const struck = await this.#strike(sql`id = ${store.id} or snapshot_of = ${store.id}`, profile?.name ?? '', now)
    return struck.map((each) => each.hash).filter((each) => each !== hash)
  }

  #strike(which: Sql, name: string, now: Date): Promise<{ hash: string }[]> {
    return this.#directory.system(sql`
      with struck as (delete from directory.stores where ${which} returning id, hash, cell)
      insert into directory.deleted_stores (id, hash, name, cell, deleted_at)
      select id, hash, ${name}, cell, ${now} from struck returning hash`)
  }

  /** The snapshots of a store, in the order of their creation. */
  snapshotsOf({ id }: Pick<StoreEntry, 'id'>): Promise<Snapshot[]> {
    return this.#directory.system(sql`
      select snapshot_name as name, created_at from directory.stores
      where snapshot_of = ${id} and not exists (select 1 from directory.forks where store_id = stores.id) order by id`)
  }

  /** The store that has the rows of a snapshot. */
  async findSnapshot({ id }: Pick<StoreEntry, 'id'>, name: string): Promise<StoreEntry | undefined> {
    const [found] = await this.#directory.system<StoreEntry>(sql`
      ${STORES} where snapshot_of = ${id} and snapshot_name = ${name}
        and not exists (select 1 from directory.forks where store_id = stores.id)`)
    return found
  }

  /** Removes a snapshot from the list. @returns the hash of its store, whose rows and files are then deleted */
  async strikeSnapshot({ id }: Pick<StoreEntry, 'id'>, name: string, now: Date): Promise<string | undefined> {
    const [struck] = await this.#strike(sql`snapshot_of = ${id} and snapshot_name = ${name}`, name, now)
    return struck?.hash
  }

  /**
   * Enters a copy of a store that is being made. Until `activateCopy` it is in no list and answers no request.
   * @param copy snapshot: the name of a snapshot; at most `max` of a source
   * @returns undefined if the hash is taken, or the name of the snapshot, or if there are `max` already
   */
  async enterCopy(
    source: StoreEntry,
    { hash, isTest, snapshot, max }: { hash: string; isTest: boolean; snapshot?: string | undefined; max: number },
  ): Promise<StoreEntry | undefined> {
    if (!HASH.test(hash)) throw new Error('A store hash has 5 to 16 lower-case letters and digits.')
    const [entered] = await this.#directory.system<StoreEntry>(sql`
      with entered as (
        insert into directory.stores (hash, state, cell, is_test, created_at, snapshot_of, snapshot_name)
        select ${hash}, 'upgrading', ${source.cell}, ${isTest}, ${this.#clock.now()},
          ${snapshot === undefined ? null : source.id}::int, ${snapshot ?? null}::text
        where not exists (select 1 from directory.deleted_stores where hash = ${hash} and finished_at is null)
          and exists (select 1 from directory.stores where id = ${source.id})
          and (select count(*) from directory.stores where snapshot_of = ${source.id}) < ${snapshot === undefined ? 2 ** 31 - 1 : max}::int
        on conflict do nothing returning id, hash, state, cell, is_test
      ), lease as (
        insert into directory.forks (store_id, source_id, lease_until)
        select id, ${source.id}, now() + ${COPY_LEASE} from entered returning store_id
      )
      select * from entered`)
    return entered
  }

  /** Prolongs the lease of a copy. @returns whether the copy is still being made: not after its store was removed */
  async prolongCopy({ id }: Pick<StoreEntry, 'id'>): Promise<boolean> {
    const prolonged = await this.#directory.system(sql`
      update directory.forks set lease_until = now() + ${COPY_LEASE} where store_id = ${id} returning store_id`)
    return prolonged.length > 0
  }

  /**
   * Opens a complete copy. A snapshot stays closed.
   * @returns whether it was still being made, and its source was not deleted: such a source may have lost rows before they were copied
   */
  async activateCopy({ id }: Pick<StoreEntry, 'id'>): Promise<boolean> {
    const activated = await this.#directory.system(sql`
      with made as (
        delete from directory.forks where store_id = ${id} and exists (
          select 1 from directory.stores source where source.id = forks.source_id)
        returning store_id
      )
      update directory.stores set state = case when snapshot_of is null then 'active' else 'suspended' end
      where id in (select store_id from made) returning id`)
    return activated.length > 0
  }

  /**
   * Gives the hash of a store to a complete copy, with its state, its hosts and its snapshots. The former store is deleted.
   * @returns whether both were still there
   */
  async replaceStore(former: StoreEntry, { id }: Pick<StoreEntry, 'id'>, now: Date): Promise<boolean> {
    const replaced = await this.#directory.system(sql`
      with made as (delete from directory.forks where store_id = ${id} returning store_id),
      former as (
        delete from directory.stores where id = ${former.id} and hash = ${former.hash} and exists (select 1 from made)
        returning id, hash, cell, state, is_test, ends_at
      ), recorded as (
        insert into directory.deleted_stores (id, hash, name, cell, deleted_at)
        select id, hash, 'before a restore', cell, ${now} from former returning id
      ), hosts as (
        update directory.site_hosts set store_id = ${id} where store_id in (select id from former)
      ), snapshots as (
        update directory.stores set snapshot_of = ${id} where snapshot_of in (select id from former)
      )
      update directory.stores copy set hash = former.hash, state = former.state, is_test = former.is_test,
        ends_at = former.ends_at
      from former where copy.id = ${id} returning copy.id`)
    return replaced.length > 0
  }

  /** Removes a copy that could not be completed. */
  async strikeCopy({ id }: Pick<StoreEntry, 'id'>, now: Date) {
    await this.#strike(sql`id = ${id}`, 'an incomplete copy', now)
  }

  /** Removes copies whose makers have ended without completing them. @returns their hashes */
  async strikeAbandonedCopies(now: Date): Promise<string[]> {
    const abandoned = await this.#directory.system<{ store_id: number }>(sql`
      delete from directory.forks where lease_until < now() returning store_id`)
    if (abandoned.length === 0) return []
    const struck = await this.#strike(
      sql`id = any(${abandoned.map(({ store_id }) => store_id)})`,
      'an incomplete copy',
      now,
    )
    return struck.map(({ hash }) => hash)
  }

  /**
   * Deleted stores in the order of their deletion.
   * @param of hash: only unfinished deletions of this hash; since: unfinished deletions, and all after this time
   */
  async deletedStores({ hash, since }: { hash?: string; since?: Date } = {}): Promise<DeletedStore[]> {
    const chosen = [
      ...(hash === undefined ? [] : [sql`hash = ${hash} and finished_at is null`]),
      ...(since === undefined ? [] : [sql`(finished_at is null or deleted_at > ${since})`]),
    ]
    return this.#directory.system(sql`
      select id, hash, name, cell, deleted_at, finished_at from directory.deleted_stores where ${sql.and(chosen)}
      order by deleted_at, id`)
  }

  /** Records that nothing is left of a deleted store. Its hash can be used again. */
  async finish({ id }: DeletedStore, now: Date) {
    await this.#directory.system(sql`
      update directory.deleted_stores set finished_at = ${now} where id = ${id} and finished_at is null returning id`)
  }

  /** Refuses a cell with stores that another directory numbered: this directory would use the same numbers again. */
  async #refuseForeignCells() {
    const highest = await Promise.all(
      this.cells.map(async ({ name, system }) => {
        const [profile] = await system.system<{ id: number }>(
          sql`select coalesce(max(store_id), 0) as id from store_profiles`,
        )
        return { name, id: profile?.id ?? 0 }
      }),
    )
    // The directory is read last, because a new store is entered there before it is stored in its cell.
    const [known] = await this.#directory.system<{ id: number }>(
      sql`select greatest((select max(id) from directory.stores), (select max(id) from directory.deleted_stores), 0) as id`,
    )
    const foreign = highest.find(({ id }) => id > (known?.id ?? 0))
    if (!foreign) return
    throw new Error(
      `The cell ${foreign.name} has a store with the number ${foreign.id}, which this directory has not assigned yet. ` +
        'Set DIRECTORY_URL to the directory that created the stores.',
    )
  }

  async #enter(hash: string, cell: Cell, isTest: boolean): Promise<StoreRow> {
    const [entered] = await this.#directory.system<StoreRow>(sql`
      insert into directory.stores (hash, state, cell, is_test, created_at)
      select ${hash}, 'upgrading', ${cell.name}, ${isTest}, ${this.#clock.now()} where not exists (
        select 1 from directory.deleted_stores where hash = ${hash} and finished_at is null)
      on conflict (hash) do nothing returning id, hash, state, cell, is_test`)
    const store = entered ?? (await this.#find(hash))
    if (!store)
      throw new HashTaken(`A store with the hash "${hash}" is being deleted. "store delete ${hash}" finishes it.`)
    // A store that a crash left incomplete has no data yet, but its kind never changes.
    if (store.is_test !== isTest) throw taken(hash)
    return store
  }

  async #emptiestCell(): Promise<Cell> {
    const counts = await this.#directory.system<{ cell: string; stores: number }>(
      sql`select cell, count(*)::int as stores from directory.stores group by cell`,
    )
    const stores = new Map(counts.map((count) => [count.cell, count.stores]))
    const [cell] = this.cells.toSorted((a, b) => (stores.get(a.name) ?? 0) - (stores.get(b.name) ?? 0))
    if (!cell) throw new Error('There is no cell to put a store in.')
    return cell
  }
}

/** A process that makes a copy prolongs its lease several times in this time. */
const COPY_LEASE = sql.raw(`interval '2 minutes'`)

const STORES = sql`select id, hash, state, cell, is_test from directory.stores`

/** Another store has the hash, or one that is being deleted. */
export class HashTaken extends Error {}

const taken = (hash: string) => new HashTaken(`The store hash "${hash}" is taken.`)

async function hasProfile(system: Database, { id }: StoreEntry): Promise<boolean> {
  const found = await system.system(sql`select store_id from store_profiles where store_id = ${id}`)
  return found.length > 0
}
