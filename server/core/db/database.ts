import { hash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import pg from 'pg'
import { type Clock, systemClock } from '../clock.ts'
import { alternating } from './engine/alternating.ts'
import type { Engine, StorePlace, StorePlaces, TxSettings } from './engine/engine.ts'
import { plain } from './engine/plain.ts'
import { PagePositions } from './page-positions.ts'
import { type Sql, sql } from './sql.ts'
import { StoreClocks } from './store-clocks.ts'
import { beginUse } from './wire/statement-use.ts'
import {
  type Connection,
  isConflict,
  isInFailedTransaction,
  isOfTransaction,
  isOutage,
  type JsonRows,
  type OnAnswer,
  type Result,
  type Statement,
  type Template,
  Wire,
} from './wire/wire.ts'

export {
  brokenUnique,
  DatabaseUnavailable,
  isOutage,
  type JsonPiece,
  type JsonRows,
  StatementTimeout,
  type Template,
} from './wire/wire.ts'

/** The number of a store in the directory; 0 < id < 2^31. Every statement carries it. */
export interface Store {
  readonly id: number
  readonly hash: string
  /** Plan limits by resource. A request above one is refused with 507. */
  readonly limits: Readonly<Record<string, number>>
  /** Whether the store is for tests. */
  readonly isTest?: boolean
}

/** A statement of fixed shape: prepared once per connection under its name. Lists of many shapes are sent unnamed. */
export interface NamedQuery {
  name: string
  text: string
  values: unknown[]
}

/**
 * A statement that a connection parses and plans once: for statements that need no choice between indexes, such as inserts.
 * A list that needs the choice must not be prepared: a plan for any store takes all stores for small, and may read all rows of
 * a large one (docs/decisions/008-lists-planned-once.md).
 */
export const prepared = ({ text, values }: Sql): NamedQuery => ({ name: hash('sha1', text), text, values })

/**
 * The database of one store. Every statement runs in a transaction that begins by setting the wall (docs/architecture.md, Stores
 * are walls), so no statement can reach another store, and `db.store` can't disagree with the data. Outside `transaction`
 * everything is read-only.
 */
export interface Db {
  readonly store: Store
  /** The present by the clock of the store. A transaction has one time, at which it began. */
  readonly now: Date
  /**
   * The first rows of pages of long lists, in the memory of this process. Undefined in a transaction, whose rows may be rolled
   * back.
   */
  readonly places?: PagePositions
  rows<Row>(query: Sql | NamedQuery): Promise<Row[]>
  /** The only row. Throws unless the statement returns exactly one. */
  row<Row>(query: Sql | NamedQuery): Promise<Row>
  maybeRow<Row>(query: Sql): Promise<Row | undefined>
  /**
   * Rows as JSON.
   * @param json the names of the last columns, which become fields, or a template. The columns before them are whole numbers and
   * are returned apart
   */
  jsonRows(query: Sql | NamedQuery, json: readonly string[] | Template): Promise<JsonRows>
  /** A read by primary or unique key. Keep slow statements away: these reads share two connections. */
  byKey<Row>(query: NamedQuery): Promise<Row | undefined>
  /** The same as JSON. */
  jsonByKey(query: NamedQuery, json: Template): Promise<JsonRows>
  /**
   * Runs several works side by side. The first statements of all works leave in one piece, in the order of the works; later
   * statements leave alone. A work must not need rows of another work, nor a savepoint.
   * @param begin calls the works, without awaiting any
   * @returns their results under the same names, or in the same order
   * @throws the error of the first of them that failed, once all have ended
   */
  together<Works extends WorksShape>(begin: () => Works): Promise<Ends<Works>>
  /** Runs `work` in one transaction, again (up to five times) after a deadlock or a serialization failure. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Statements that leave together. */
export type StatementBatch = readonly NamedQuery[]

/** Works by name. A list is for works of one kind, or whose results nobody reads. */
type WorksShape = Readonly<Record<string, unknown>> | readonly unknown[]

/** The results of works. */
type Ends<Works> = { -readonly [Name in keyof Works]: Awaited<Works[Name]> }

/** A transaction of one store. It stands in the place of its `db`; a nested transaction joins it. */
export interface Tx extends Db {
  /** When this transaction began. All its rows and events have this time. */
  readonly now: Date
  /**
   * The same moment in SQL, by the clock of the database and not of the store. Use it for times that several processes compare, such as
   * leases: their clocks differ.
   */
  readonly present: Sql
  /** How far the clock of the store is ahead, in milliseconds. Queues and days of partitions have real time: `now` without it. */
  readonly aheadMs: number
  /** Whether this work is all of the transaction, so that it may `conclude` it. */
  readonly isWhole: boolean
  /**
   * Runs several works as `together` does and ends the transaction. The commit leaves right behind their statements, so the locks
   * are held for one round trip less. Each work sends at most one statement. If one fails, nothing is stored.
   */
  conclude<Works extends WorksShape>(begin: () => Works): Promise<Ends<Works>>
  /** Settings of the database for this transaction. They are set with the wall, before the next statement. */
  setLocal(settings: TxSettings): void
  /** Runs after the commit, and never after a rollback. For effects outside the database, such as files. */
  afterCommit(effect: () => Promise<void>): void
  /**
   * Returns the statements of the last pieces. The last piece leaves with the commit, so its locks are the last and the shortest.
   * The pieces of one call leave one after another, so that none is too large.
   * @param options with `comesFirst` they leave before all pieces so far: rows that many transactions lock are then locked in one order
   */
  beforeCommit(pieces: () => readonly StatementBatch[], options?: { comesFirst: boolean }): void
  /**
   * Refuses the work at its end, after its statements: a conflict that one of them meets is reported first. The refusal belongs to the
   * savepoint or the transaction around it.
   */
  refuseAtEnd(refusal: Error): void
  /** Runs when the savepoint around it is rolled back. Reverts effects outside the database. */
  onUndo(undo: () => void): void
  /** Work that may fail alone: if it throws, its statements are rolled back and the transaction goes on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

/** The diagnostics channel whose stores are the transaction that code runs in. */
export const TRANSACTIONS = 'storeward:transactions'

const POOL_MAX = 8
const ATTEMPTS_MAX = 5
// One request takes one core: a list that PostgreSQL reads with several workers takes them from other stores.
const sessionOf = (patience: number) =>
  `-c max_parallel_workers_per_gather=0 -c statement_timeout=${5 * patience}s -c idle_in_transaction_session_timeout=${10 * patience}s -c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=iso_8601`

/** A command without values, as it is sent by itself. */
const command = (text: string): Statement => ({ name: text, text, values: [], dropsRows: true })
const BEGIN = command('begin')
const COMMIT = command('commit')
const ROLLBACK = command('rollback')
const SAVEPOINT = command('savepoint work')
const RELEASE = command('release savepoint work')
const TAKE_BACK = command('rollback to savepoint work')

interface Options {
  /** The engine of the database, as it says itself. */
  engine?: Engine
  /** Connections that are used by one request at a time. */
  max?: number
  application?: string
  clock?: Clock
  /** The moved clocks of test stores. */
  clocks?: StoreClocks | undefined
  /** A factor of all times that the database may take. Tests on a busy machine wait longer. */
  patience?: number | undefined
  /** For failures that no caller hears of. */
  log?: { error(details: object, sentence: string): void } | undefined
}

/** One PostgreSQL database under one role. `of(store)` is the only way to its rows. */
export class Database {
  readonly wire: Wire
  readonly retries = { count: 0 }
  readonly places = new PagePositions()
  readonly clock: Clock
  readonly clocks: StoreClocks
  readonly engine: Engine
  readonly #places: StorePlaces
  readonly #log: Options['log']

  constructor(
    url: string,
    {
      engine = plain,
      max = POOL_MAX,
      application = 'storeward',
      clock = systemClock,
      clocks = new StoreClocks(),
      patience = 1,
      log,
    }: Options = {},
  ) {
    this.engine = engine
    this.clock = clock
    this.clocks = clocks
    this.#log = log
    const config = {
      connectionString: url,
      application_name: application,
      options: sessionOf(patience),
      keepAlive: true,
    }
    this.wire = new Wire(config, max, patience)
    this.#places = engine.places({ config, max, patience, wire: this.wire })
  }

  of(store: Store): Db {
    return new StoreDb(this, store)
  }

  /** How many wait for a connection, and how many have one. */
  get use(): Wire['use'] {
    const uses = [this.wire, ...this.#places.wires.values()].map((wire) => wire.use)
    return {
      waiting: uses.reduce((sum, { waiting }) => sum + waiting, 0),
      inUse: uses.reduce((sum, { inUse }) => sum + inUse, 0),
    }
  }

  /** The same for each node of a database with several, by host and port. */
  get nodeUses(): ReadonlyMap<string, Wire['use']> {
    return new Map([...this.#places.wires].map(([node, { use }]) => [node, use]))
  }

  /**
   * Does work at the place of a store, again (up to five times) after a deadlock or a serialization failure, and after a move of the store
   * from there.
   */
  at<T>(store: number, work: (place: StorePlace) => Promise<T>): Promise<T> {
    return this.#again(
      async () => work(await this.#places.of(store)),
      () => this.#places.evict(store),
    )
  }

  /** Does work that concerns several stores, at the place of each, as `at` does. */
  atAll<T>(stores: readonly number[], work: (places: readonly StorePlace[]) => Promise<T>): Promise<T> {
    return this.#again(
      async () => work(await Promise.all(stores.map((store) => this.#places.of(store)))),
      () => {
        for (const store of stores) this.#places.evict(store)
      },
    )
  }

  /** @param evict called after a failure that may come from a move */
  async #again<T>(work: () => Promise<T>, evict: () => void): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (isConflict(error) || isOutage(error)) evict()
        if (attempt === ATTEMPTS_MAX || !isConflict(error)) throw error
        this.retries.count++
      }
    }
  }

  /** The present in SQL: the time of the database, or of the injected clock if all processes share that. */
  get present(): Sql {
    return this.clock.isShared ? sql`${this.clock.now()}::timestamptz` : sql.raw('now()')
  }

  /** A statement across stores, for the system role only: directory, account look-up, dispatcher, retention. */
  async system<Row>(query: Sql | NamedQuery): Promise<Row[]> {
    return lastRows(await this.wire.send(0, [asRows(query)]))
  }

  /**
   * A read across stores, for the system role only, at each node: one row of each after the other.
   * @param options `skipsFailed` leaves out nodes that are away, unless all are
   */
  everywhere<Row>(query: Sql | NamedQuery, { skipsFailed = false } = {}): Promise<Row[]> {
    return this.#again(
      async () => {
        const nodes = await this.#places.nodes()
        const answers = await Promise.allSettled(nodes.map((node) => node.wire.send(0, node.inForm(asRows(query)))))
        const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
        const isSkipped = (failure: unknown) => skipsFailed && failures.length < nodes.length && isOutage(failure)
        const refusal = failures.find((failure) => !isSkipped(failure))
        if (refusal !== undefined) throw refusal
        return alternating(answers.map((answer) => (answer.status === 'fulfilled' ? lastRows<Row>(answer.value) : [])))
      },
      () => this.#places.evictNodes(),
    )
  }

  /** The bytes of a table in SQL: of its rows, or of all its files. @param table its name, as a text in SQL */
  bytesOf(table: Sql, of: 'rows' | 'all' = 'rows'): Sql {
    const { ofRows, ofAll } = this.engine.bytes
    return sql`${sql.raw(of === 'rows' ? ofRows : ofAll)}(${table}::regclass)`
  }

  /**
   * Empties a table as a whole, for the system role only.
   * @throws StatementTimeout if the table is in use, so that no statement waits behind this one
   */
  async truncate(table: string, schema?: string) {
    const name = [schema, table].filter((part) => part !== undefined).map((part) => pg.escapeIdentifier(part))
    const truncate = command(`truncate ${name.join('.')}`)
    await this.withConnection(this.wire, 0, (connection) =>
      connection.ask([BEGIN, command(`set local lock_timeout = '50ms'`), truncate, COMMIT]),
    )
  }

  /** Lends a connection to work that sends several statements. If the work fails, its open transaction is rolled back. */
  async withConnection<T>(wire: Wire, store: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await wire.lend(store)
    try {
      return await work(connection)
    } finally {
      // If the rollback fails, the connection is lost, and is not lent again.
      if (connection.isInTransaction && !connection.isLost) await connection.ask([ROLLBACK]).catch(() => {})
      wire.takeBack(connection)
    }
  }

  /** Runs the effects of a transaction after its commit. One that fails is logged: the change is committed and stays. */
  async runEffects(effects: readonly (() => Promise<void>)[]) {
    for (const outcome of await Promise.allSettled(effects.map((effect) => effect()))) {
      if (outcome.status === 'rejected') this.#log?.error({ err: outcome.reason }, 'what follows a commit has failed')
    }
  }

  /** Throws unless the role is an ordinary one: superusers and BYPASSRLS roles see through the walls. */
  async refusePowers() {
    const [role] = await this.system<{ rolname: string; powerful: boolean; owns: boolean }>(sql`
      select rolname, rolsuper or rolbypassrls as powerful,
        pg_has_role(oid, (select relowner from pg_class where oid = to_regclass('public.counters')), 'member') as owns
      from pg_roles where rolname = current_user`)
    if (role?.powerful || role?.owns) {
      throw new Error(
        `The server must not run as the database role "${role.rolname}": it is a superuser, has BYPASSRLS or owns the tables.`,
      )
    }
  }

  /** Settings that risk acknowledged writes in a crash; empty if there are none. Works also while the pool is busy. */
  async durabilityWarnings(): Promise<string[]> {
    const rows = await this.wire.ask<{ name: string }>(
      `select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
    )
    return rows.map((row) => row.name)
  }

  async close() {
    await this.#places.close()
    await this.wire.close()
  }
}

const asRows = (query: Sql | NamedQuery): Statement => ({
  text: query.text,
  values: query.values,
  name: 'name' in query ? query.name : undefined,
})
/** For statements whose rows nobody reads. */
const asEffect = (query: NamedQuery): Statement => ({ ...asRows(query), dropsRows: true })
const asJson = (query: Sql | NamedQuery, json: readonly string[] | Template): Statement => ({ ...asRows(query), json })

/** Reports to a test which code runs in a transaction. Without a subscriber it costs nothing. */
const transactions = channel(TRANSACTIONS)

class StoreDb implements Db {
  readonly store: Store
  readonly #database: Database
  readonly #together = new Together((all) => this.#sendAll(all))

  constructor(database: Database, store: Store) {
    this.#database = database
    this.store = store
  }

  get places(): PagePositions {
    return this.#database.places
  }

  get now(): Date {
    const { clock, clocks } = this.#database
    return clocks.timeOf(this.store.id, clock.now())
  }

  async rows<Row>(query: Sql | NamedQuery): Promise<Row[]> {
    return rowsOf(await this.#together.ask(asRows(query)))
  }

  async jsonRows(query: Sql | NamedQuery, json: readonly string[] | Template): Promise<JsonRows> {
    return only(rowsOf<JsonRows>(await this.#together.ask(asJson(query, json))))
  }

  together<Works extends WorksShape>(begin: () => Works): Promise<Ends<Works>> {
    return this.#together.run(begin)
  }

  /** Sends statements in one piece, behind the wall. */
  #sendAll(all: readonly PendingStatement[]) {
    const statements = all.map(({ statement }) => statement)
    const { id } = this.store
    const answer = this.#database.at(id, (place) =>
      place.wire.send(id, [...place.wallToRead(id), ...place.inForm(statements)]),
    )
    answer.then(
      (results) => settle(all, undefined, results.slice(-all.length)),
      (error: unknown) => settle(all, error, []),
    )
  }

  async row<Row>(query: Sql | NamedQuery): Promise<Row> {
    return only(await this.rows<Row>(query))
  }

  async maybeRow<Row>(query: Sql): Promise<Row | undefined> {
    return first(await this.rows<Row>(query))
  }

  async byKey<Row>(query: NamedQuery): Promise<Row | undefined> {
    return first(lastRows<Row>(await this.#sendShared(asRows(query))))
  }

  async jsonByKey(query: NamedQuery, json: Template): Promise<JsonRows> {
    return only(lastRows<JsonRows>(await this.#sendShared(asJson(query, json))))
  }

  #sendShared(statement: Statement): Promise<Result[]> {
    const { id } = this.store
    return this.#database.at(id, (place) =>
      place.wire.sendShared(id, [...place.wallToRead(id), ...place.inForm([statement])]),
    )
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#database.at(this.store.id, (place) => this.#attempt(place, work))
  }

  async #attempt<T>(place: StorePlace, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { result, effects } = await this.#database.withConnection(place.wire, this.store.id, (connection) => {
      const { present, clock, clocks } = this.#database
      const begun = clock.now()
      const now = clocks.timeOf(this.store.id, begun)
      const aheadMs = now.getTime() - begun.getTime()
      const tx = new StoreTx(connection, place, { store: this.store, now, aheadMs, present })
      return transactions.runStores(tx, () => tx.run(work))
    })
    await this.#database.runEffects(effects)
    return result
  }
}

/** An earlier statement of the transaction has failed, and the code went on. */
class Swallowed extends Error {
  constructor() {
    super('A statement of this transaction failed; nothing was stored.')
  }
}

/** A statement that was sent, and the promise of its rows. */
interface PendingStatement {
  statement: Statement
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Passes results on. The failed statement gets the error; PostgreSQL skips those behind it. They get an outage or a conflict as
 * well: a client that awaits several statements sees the error that comes first.
 */
function settle(all: readonly PendingStatement[], error: unknown, results: readonly Result[]) {
  for (const [i, { resolve, reject }] of all.entries()) {
    const result = results[i]
    if (result) resolve(result)
    else reject(i === results.length || isOfTransaction(error) ? error : new Swallowed())
  }
}

/** Gathers the statements of works that begin together, so that they leave in one piece. */
class Together {
  readonly #send: (all: readonly PendingStatement[]) => void
  /** Until all works are begun. */
  #gathered: PendingStatement[] | undefined

  constructor(send: (all: readonly PendingStatement[]) => void) {
    this.#send = send
  }

  async run<Works extends WorksShape>(begin: () => Works): Promise<Ends<Works>> {
    const works = this.#begin(begin)
    const failed = (await Promise.allSettled(Object.values<unknown>(works))).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return endsOf(works)
  }

  #begin<Works>(begin: () => Works): Works {
    if (this.#gathered) return begin()
    const gathered: PendingStatement[] = []
    this.#gathered = gathered
    try {
      return begin()
    } finally {
      this.#gathered = undefined
      if (gathered.length > 0) this.#send(gathered)
    }
  }

  /** Sends a statement, or queues it with those of works that begin together. */
  ask(statement: Statement): Promise<Result> {
    return new Promise((resolve, reject) => {
      const pending = { statement, resolve, reject }
      if (this.#gathered) this.#gathered.push(pending)
      else this.#send([pending])
    })
  }
}

function endsOf<Works extends WorksShape>(works: Works): Promise<Ends<Works>>
async function endsOf(works: WorksShape): Promise<unknown> {
  const ends = await Promise.all(Object.values<unknown>(works))
  return Array.isArray(works) ? ends : Object.fromEntries(Object.keys(works).map((name, i) => [name, ends[i]]))
}

class StoreTx implements Tx {
  readonly store: Store
  readonly now: Date
  readonly aheadMs: number
  readonly present: Sql
  /** Whether the transaction has begun and not ended. */
  isOpen = true
  /** Effects that run after the commit. */
  readonly effects: (() => Promise<void>)[] = []
  readonly #last: (() => readonly StatementBatch[])[] = []
  readonly #undos: (() => void)[] = []
  readonly #connection: Connection
  readonly #place: StorePlace
  /** Statements that leave before the next one, in the same piece. */
  #owed: Statement[]
  readonly #together = new Together((all) => this.#sendAll(all))
  /** The number of works around this one. */
  #depth = 0
  /** The first outage or conflict that no savepoint has rolled back. */
  #failure: unknown
  #end: 'open' | 'concluding' | 'concluded' = 'open'
  readonly #refusals: Error[] = []

  constructor(
    connection: Connection,
    place: StorePlace,
    { store, now, aheadMs, present }: Pick<Tx, 'store' | 'now' | 'aheadMs' | 'present'>,
  ) {
    this.#connection = connection
    this.#place = place
    this.store = store
    this.now = now
    this.aheadMs = aheadMs
    this.present = present
    this.#owed = [BEGIN, ...place.wall(store.id)]
  }

  /** Does the work and commits. @returns the result of the work, and the effects to run now */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<{ result: T; effects: (() => Promise<void>)[] }> {
    try {
      const result = await work(this)
      await this.commit()
      return { result, effects: this.effects }
    } catch (error) {
      throw this.#causeOf(error)
    } finally {
      this.isOpen = false
    }
  }

  async rows<Row>(query: Sql | NamedQuery): Promise<Row[]> {
    return rowsOf(await this.#ask(asRows(query)))
  }

  async jsonRows(query: Sql | NamedQuery, json: readonly string[] | Template): Promise<JsonRows> {
    return only(rowsOf<JsonRows>(await this.#ask(asJson(query, json))))
  }

  jsonByKey(query: NamedQuery, json: Template): Promise<JsonRows> {
    return this.jsonRows(query, json)
  }

  async row<Row>(query: Sql | NamedQuery): Promise<Row> {
    return only(await this.rows<Row>(query))
  }

  async maybeRow<Row>(query: Sql): Promise<Row | undefined> {
    return first(await this.rows<Row>(query))
  }

  async byKey<Row>(query: NamedQuery): Promise<Row | undefined> {
    return first(await this.rows<Row>(query))
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#depth++
    try {
      const result = await work(this)
      this.#throwRefusal()
      return result
    } finally {
      this.#depth--
    }
  }

  get isWhole(): boolean {
    return this.#depth === 0
  }

  conclude<Works extends WorksShape>(begin: () => Works): Promise<Ends<Works>> {
    if (!this.isWhole) throw new Error('Only the work that is all of a transaction concludes it.')
    // A refused transaction doesn't leave with its commit.
    if (this.#refusals.length === 0) this.#end = 'concluding'
    return this.#together.run(begin)
  }

  together<Works extends WorksShape>(begin: () => Works): Promise<Ends<Works>> {
    return this.#together.run(begin)
  }

  setLocal(settings: TxSettings) {
    const wall = this.#place.wall(this.store.id, settings)
    if (this.#owed.includes(BEGIN)) this.#owed = [BEGIN, ...wall]
    else this.#owed.push(...wall)
  }

  afterCommit(effect: () => Promise<void>) {
    this.effects.push(effect)
    this.onUndo(() => this.effects.splice(this.effects.indexOf(effect), 1))
  }

  beforeCommit(pieces: () => readonly StatementBatch[], { comesFirst } = { comesFirst: false }) {
    if (comesFirst) this.#last.unshift(pieces)
    else this.#last.push(pieces)
    this.onUndo(() => this.#last.splice(this.#last.indexOf(pieces), 1))
  }

  refuseAtEnd(refusal: Error) {
    this.#refusals.push(refusal)
    this.onUndo(() => this.#refusals.splice(this.#refusals.indexOf(refusal), 1))
  }

  #throwRefusal() {
    const [refusal] = this.#refusals
    if (refusal) throw refusal
  }

  onUndo(undo: () => void) {
    this.#undos.push(undo)
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const undos = this.#undos.length
    const failure = this.#failure
    this.#owed.push(SAVEPOINT)
    this.#depth++
    try {
      const result = await work()
      this.#throwRefusal()
      await this.#send([RELEASE])
      return result
    } catch (error) {
      const cause = this.#causeOf(error)
      await this.#send([TAKE_BACK])
      this.#failure = failure
      for (const undo of this.#undos.splice(undos).reverse()) undo()
      throw cause
    } finally {
      this.#depth--
    }
  }

  /** Does the last work and commits. The last piece and the commit leave together. */
  async commit() {
    if (this.#end === 'concluded') return
    this.#throwRefusal()
    if (this.#connection.hasFailed) throw new Swallowed()
    const pieces = this.#lastPieces()
    const last = pieces.pop()
    for (const piece of pieces) await this.#send(piece)
    // Nothing was sent, so nothing was begun.
    if (last === undefined && this.#owed.includes(BEGIN)) return
    const results = await this.#send([...(last ?? []), COMMIT])
    // PostgreSQL answers so, without an error, if an unawaited statement has failed.
    if (results.at(-1)?.tag === 'ROLLBACK') throw new Swallowed()
  }

  /** The outage or conflict behind an error that only reports that an earlier statement has failed. Other errors stay as they are. */
  #causeOf(error: unknown): unknown {
    const isConsequence = error instanceof Swallowed || isInFailedTransaction(error)
    return isConsequence && this.#failure !== undefined ? this.#failure : error
  }

  /** The first piece of each work leaves with the last one of the work before it, so that most transactions have one piece. */
  #lastPieces(): Statement[][] {
    const pieces: Statement[][] = []
    for (const make of this.#last) {
      const [first, ...others] = make().map((piece) => piece.map(asEffect))
      if (first) pieces.push([...(pieces.pop() ?? []), ...first], ...others)
    }
    return pieces
  }

  #ask(statement: Statement): Promise<Result> {
    if (this.#end === 'concluded') throw new Error('The transaction was concluded before this statement.')
    return this.#together.ask(statement)
  }

  #sendAll(all: readonly PendingStatement[]) {
    const owed = this.#owed.length
    const statements = all.map(({ statement }) => statement)
    const pieces = this.#end === 'concluding' ? this.#lastPieces() : []
    // Several last pieces are too large for one: `commit` sends them.
    if (this.#end !== 'concluding' || pieces.length > 1) {
      this.#end = 'open'
      this.#leave(statements, (error, results) => settle(all, error, results.slice(owed)))
      return
    }
    this.#end = 'concluded'
    // PostgreSQL treats statements in one piece as one transaction, and commits it at the end of the piece.
    const isOnePiece = this.#owed.includes(BEGIN)
    if (isOnePiece) this.#owed = this.#owed.filter((statement) => statement !== BEGIN)
    const before = this.#owed.length
    this.#leave([...statements, ...pieces.flat(), ...(isOnePiece ? [] : [COMMIT])], (error, results) => {
      const done = results.slice(before, before + all.length)
      // If the commit failed, so did the last work.
      if (error !== undefined && done.length === all.length) done.pop()
      settle(all, error, done)
    })
  }

  #send(statements: readonly Statement[]): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      this.#leave(statements, (error, results) => {
        if (error === undefined) resolve(results)
        else reject(error)
      })
    })
  }

  /** Sends statements behind those that are owed. If they can't be sent, those stay owed. */
  #leave(statements: readonly Statement[], onAnswer: OnAnswer) {
    const endUse = beginUse(this.#owed.length + statements.length)
    const onEnd: OnAnswer = (error, results) => {
      endUse?.()
      if (isOfTransaction(error)) this.#failure ??= error
      onAnswer(error, results)
    }
    if (this.#connection.send([...this.#owed, ...this.#place.inForm(statements)], onEnd)) this.#owed = []
  }
}

/** Callers read the rows of the last statement only. */
const lastRows = <Row>(results: readonly Result[]): Row[] => rowsOf(results.at(-1))

const rowsOf = <Row>(result: Result | undefined): Row[] => (result?.rows ?? []) as Row[]

const first = <Row>(rows: Row[]): Row | undefined => rows[0]

function only<Row>(rows: Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`Expected one row, got ${rows.length}.`)
  return row
}
