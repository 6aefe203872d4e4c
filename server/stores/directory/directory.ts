import type { Clock } from '../../core/clock.ts'
import type { Database, Db, Store, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import type { PlanName } from './plans.ts'

export const STORE_STATES = ['active', 'maintenance', 'upgrading', 'suspended'] as const
export type StoreState = (typeof STORE_STATES)[number]

/** The form of a store hash (docs/contract/auth.md section 1). Others are not looked up: PostgreSQL fails on a text with U+0000. */
const HASH = /^[a-z0-9]{5,16}$/

/** A database that holds whole stores, under the two roles of the server. */
export interface Cell {
  readonly name: string
  readonly api: Database
  readonly system: Database
}

/** A row of the directory. */
export interface StoreEntry extends Pick<Store, 'id' | 'hash'> {
  readonly state: StoreState
  readonly cell: string
}

/** What the operator sees of a store. */
export interface StoreRecord extends StoreEntry {
  name: string
  plan: PlanName
  limits: Record<string, number>
}

/** A store that was deleted. */
export interface DeletedStore extends Pick<StoreEntry, 'id' | 'hash' | 'cell'> {
  readonly name: string
  readonly deleted_at: string
  /** When nothing was left of it. */
  readonly finished_at: string | null
}

/** Where a store is. */
interface StorePlace {
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
  /** Plan limits by resource: past them a request is refused with 507. */
  limits?: Record<string, number> | undefined
}

/** Makes what every store has from its creation, such as its first channel. What is there already stays as it is. */
export type Furnish = (tx: Tx) => Promise<void>

/**
 * Knows the number, state and cell of each store. All else of a store is in its cell. Directory and cells may be one database or
 * many; no statement joins them and no transaction writes both.
 */
export class Directory {
  readonly #directory: Database
  readonly #cells: ReadonlyMap<string, Cell>
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #furnish: Furnish
  /** Where each store is, once it was asked for by its number: that never changes. */
  readonly #places = new Map<number, StorePlace>()

  constructor(directory: Database, cells: readonly Cell[], clock: Clock, ids: Ids, furnish: Furnish) {
    this.#directory = directory
    this.#cells = new Map(cells.map((cell) => [cell.name, cell]))
    this.#clock = clock
    this.#ids = ids
    this.#furnish = furnish
  }

  /** The database of the directory, for what concerns all stores. */
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

  /** The database of a store by its number, for work that begins with rows and not with a request. */
  async dbById(id: number): Promise<Db | undefined> {
    return (await this.#placeOf(id))?.db
  }

  /** The cell of a store by its number. */
  async cellById(id: number): Promise<Cell | undefined> {
    return (await this.#placeOf(id))?.cell
  }

  async #placeOf(id: number): Promise<StorePlace | undefined> {
    const known = this.#places.get(id)
    if (known) return known
    const store = await this.entryById(id)
    if (!store) return undefined
    const cell = this.cellOf(store)
    const place = { cell, db: cell.api.of({ id: store.id, hash: store.hash, limits: {} }) }
    this.#places.set(id, place)
    return place
  }

  /** The store with this number. */
  async entryById(id: number): Promise<StoreEntry | undefined> {
    const [store] = await this.#directory.system<StoreEntry>(
      sql`select id, hash, state, cell from directory.stores where id = ${id}`,
    )
    return store
  }

  /** The store, where there is no other. */
  async onlyStore(): Promise<StoreEntry | undefined> {
    const [store, other] = await this.#directory.system<StoreEntry>(
      sql`select id, hash, state, cell from directory.stores order by id limit 2`,
    )
    return other ? undefined : store
  }

  async find(hash: string): Promise<StoreEntry | undefined> {
    if (!HASH.test(hash)) return undefined
    const [store] = await this.#directory.system<StoreEntry>(
      sql`select id, hash, state, cell from directory.stores where hash = ${hash}`,
    )
    return store
  }

  /**
   * Opens a store in the cell that holds the fewest. A store that a crash left without a profile is finished.
   * @throws Error with a sentence for the operator when the hash is taken or not well formed
   */
  async create({ name, hash = this.#ids.storeHash(), plan = 'standard', limits = {} }: NewStore): Promise<StoreRecord> {
    if (!HASH.test(hash)) throw new Error('A store hash has 5 to 16 lower-case letters and digits.')
    await this.#refuseForeignCells()
    const cell = await this.#emptiestCell()
    const store = await this.#enter(hash, cell)
    const { api, system } = this.cellOf(store)
    // What is there is not furnished again: what the owner of a store has deleted does not come back.
    if (await hasProfile(system, store)) throw taken(hash)
    await api.of({ id: store.id, hash, limits: {} }).transaction(this.#furnish)
    // The store is opened after its profile is there: a crash in between leaves one that answers 503. Of two that create the same
    // hash at once, the one that writes the profile gets it.
    const [profile] = await system.system(
      sql`insert into store_profiles ${sql.rows([{ store_id: store.id, name, plan, limits: JSON.stringify(limits) }])}
        on conflict do nothing returning store_id`,
    )
    if (!profile) throw taken(hash)
    await this.setState(hash, 'active')
    return { ...store, state: 'active', name, plan, limits }
  }

  async list(): Promise<StoreRecord[]> {
    const stores = await this.#directory.system<StoreEntry>(
      sql`select id, hash, state, cell from directory.stores order by id`,
    )
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

  /** Changes what the operator decides about a store. Effective in every process within a second. @throws Error if there is no such store */
  async change(hash: string, { name, plan, limits }: StoreChanges): Promise<StoreRecord> {
    const store = await this.find(hash)
    if (!store) throw new Error(`There is no store "${hash}".`)
    const changed = await this.cellOf(store).system.system<Omit<StoreRecord, keyof StoreEntry>>(sql`
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

  /**
   * Takes a store out of the list: from then on nobody knows it, in every process within a second. What it holds is removed by
   * `deleteStore` (stores/directory/deletion.ts). Where there is no such store, nothing happens.
   */
  async strike(hash: string, now: Date) {
    const store = await this.find(hash)
    if (!store) return
    const [profile] = await this.cellOf(store).system.system<{ name: string }>(
      sql`select name from store_profiles where store_id = ${store.id}`,
    )
    await this.#directory.system(sql`
      with struck as (delete from directory.stores where id = ${store.id} returning id, hash, cell)
      insert into directory.deleted_stores (id, hash, name, cell, deleted_at)
      select id, hash, ${profile?.name ?? ''}, cell, ${now} from struck returning id`)
  }

  /**
   * Stores that were deleted, the first one first.
   * @param of a hash: only those whose deletion has not ended; since a time: those of before only if theirs has not; else all
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

  /** Nothing is left of a deleted store: its hash may be given again. */
  async finish({ id }: DeletedStore, now: Date) {
    await this.#directory.system(sql`
      update directory.deleted_stores set finished_at = ${now} where id = ${id} and finished_at is null returning id`)
  }

  /** Refuses cells whose stores another directory has numbered: this one would give the same numbers again. */
  async #refuseForeignCells() {
    const highest = await Promise.all(
      this.cells.map(async ({ name, system }) => {
        const [profile] = await system.system<{ id: number }>(
          sql`select coalesce(max(store_id), 0) as id from store_profiles`,
        )
        return { name, id: profile?.id ?? 0 }
      }),
    )
    // The directory is asked last: a new store is entered there before it is in its cell.
    const [known] = await this.#directory.system<{ id: number }>(
      sql`select greatest((select max(id) from directory.stores), (select max(id) from directory.deleted_stores), 0) as id`,
    )
    const foreign = highest.find(({ id }) => id > (known?.id ?? 0))
    if (!foreign) return
    throw new Error(
      `The cell ${foreign.name} has a store of the number ${foreign.id}, which this directory has not given yet. ` +
        'DIRECTORY_URL has to name the directory that the stores were made with.',
    )
  }

  async #enter(hash: string, cell: Cell): Promise<StoreEntry> {
    const [entered] = await this.#directory.system<StoreEntry>(sql`
      insert into directory.stores (hash, state, cell, created_at)
      select ${hash}, 'upgrading', ${cell.name}, ${this.#clock.now()} where not exists (
        select 1 from directory.deleted_stores where hash = ${hash} and finished_at is null)
      on conflict (hash) do nothing returning id, hash, state, cell`)
    const store = entered ?? (await this.find(hash))
    if (!store) throw new Error(`A store of the hash "${hash}" is being deleted: "store delete ${hash}" ends it.`)
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

const taken = (hash: string) => new Error(`The store hash "${hash}" is taken.`)

async function hasProfile(system: Database, { id }: StoreEntry): Promise<boolean> {
  const found = await system.system(sql`select store_id from store_profiles where store_id = ${id}`)
  return found.length > 0
}
