import { hash } from 'node:crypto'
import pg from 'pg'
import { type Clock, systemClock } from '../clock.ts'
import { Places } from './places.ts'
import { type Sql, sql } from './sql.ts'
import { type Connection, isConflict, type JsonRows, type Result, type Statement, Wire } from './wire/wire.ts'

export { brokenUnique, DatabaseUnavailable, type JsonRows, StatementTimeout } from './wire/wire.ts'

/** The number of a store, as the directory gave it; 0 < id < 2^31. Every statement carries it. */
export interface Store {
  readonly id: number
  readonly hash: string
  /** Plan limits by resource: past them a request is refused with 507. */
  readonly limits: Readonly<Record<string, number>>
}

/** A statement of fixed shape: prepared once per connection under its name. Lists of many shapes are sent unnamed. */
export interface NamedQuery {
  name: string
  text: string
  values: unknown[]
}

/**
 * A statement to be parsed and planned once on a connection: for what needs no choice between indexes, such as storing rows.
 * Whatever reads with one must be planned for its store: a plan for any store takes all of them for small, and may read all of a
 * large one (docs/decisions/008-lists-planned-once.md).
 */
export const prepared = ({ text, values }: Sql): NamedQuery => ({ name: hash('sha1', text), text, values })

/**
 * One store's database. There is no way to ask without a store, and `db.store` can't disagree with the data:
 * every statement runs in a transaction that begins by setting the wall (docs/architecture.md, Stores are walls).
 * Outside `transaction` everything is read-only.
 */
export interface Db {
  readonly store: Store
  /** What this process remembers of long lists; nothing in a transaction, whose view may never become true. */
  readonly places?: Places
  rows<Row>(query: Sql | NamedQuery): Promise<Row[]>
  /** The one row that must be there. */
  row<Row>(query: Sql): Promise<Row>
  maybeRow<Row>(query: Sql): Promise<Row | undefined>
  /** Rows as JSON. @param fields what the last columns become; those before them stay apart, and are whole numbers */
  jsonRows(query: Sql | NamedQuery, fields: readonly string[]): Promise<JsonRows>
  /** A read by primary or unique key. Keep slow statements away: these reads share two connections. */
  byKey<Row>(query: NamedQuery): Promise<Row | undefined>
  /** Runs `work` in one transaction, again (up to five times) after a deadlock or a serialization failure. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A transaction of one store. It stands in the place of its `db`; a nested transaction joins it. */
export interface Tx extends Db {
  /** When this transaction began: the one time of all its rows and events. */
  readonly now: Date
  /** The same in SQL, for what processes must agree on although their clocks differ, such as leases. */
  readonly present: Sql
  /** A setting of the database for the rest of this transaction. It leaves with the next statement, which fails if it does. */
  setLocal(name: string, value: string): void
  /** Runs after the commit, never after a rollback: for what the database can't take back, such as files. */
  afterCommit(deed: () => Promise<void>): void
  /**
   * Gives statements that leave with the commit, in one piece: what they lock is held for the shortest time, and after all else.
   * If there are several, each but the last leaves alone, so that no piece is too large.
   */
  beforeCommit(statements: () => readonly NamedQuery[]): void
  /** Takes something back that is not in the database, when the savepoint around it is. */
  onUndo(deed: () => void): void
  /** Work that may fail alone: when it throws, its statements are taken back, and the rest goes on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

const POOL_MAX = 8
const ATTEMPTS_MAX = 5
// One request takes one core: a list that PostgreSQL reads with several workers takes them from other stores.
const SESSION =
  '-c max_parallel_workers_per_gather=0 -c statement_timeout=5s -c idle_in_transaction_session_timeout=10s -c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=iso_8601'

/** A command without values, as it is sent by itself. */
const command = (text: string): Statement => ({ name: text, text, values: [], dropsRows: true })
const BEGIN = command('begin')
const COMMIT = command('commit')
const ROLLBACK = command('rollback')
const SAVEPOINT = command('savepoint work')
const RELEASE = command('release savepoint work')
const TAKE_BACK = command('rollback to savepoint work')

const STORE = `set_config('app.store', $1, true)`
/** The wall: sets the store for what follows in the same transaction. */
const wallOf = ({ id }: Store): Statement => ({
  name: 'wall',
  text: `select ${STORE}`,
  values: [id | 0],
  dropsRows: true,
})
/** A wall behind which nothing can be written. */
const readingWallOf = ({ id }: Store): Statement => ({
  name: 'wall to read',
  text: `select ${STORE}, set_config('transaction_read_only', 'on', true)`,
  values: [id | 0],
  dropsRows: true,
})

interface Options {
  /** Connections that are used by one request at a time. */
  max?: number
  application?: string
  clock?: Clock
  /** Where failures are told that no caller hears of. */
  log?: { error(details: object, sentence: string): void } | undefined
}

/** One PostgreSQL database under one role. `of(store)` is the only door to its rows. */
export class Database {
  readonly wire: Wire
  readonly retries = { count: 0 }
  readonly places = new Places()
  readonly clock: Clock
  readonly #log: Options['log']

  constructor(url: string, { max = POOL_MAX, application = 'storeward', clock = systemClock, log }: Options = {}) {
    this.clock = clock
    this.#log = log
    const config = { connectionString: url, application_name: application, options: SESSION, keepAlive: true }
    this.wire = new Wire(config, max)
  }

  of(store: Store): Db {
    return new StoreDb(this, store)
  }

  /** The present in SQL: the time of the database, or of the injected clock if all processes share that. */
  get present(): Sql {
    return this.clock.isShared ? sql`${this.clock.now()}::timestamptz` : sql.raw('now()')
  }

  /** A statement across stores, for the system role only: directory, account look-up, dispatcher, retention. */
  async system<Row>(query: Sql): Promise<Row[]> {
    return lastRows(await this.wire.send(0, [asRows(query)]))
  }

  /**
   * Empties a table as a whole, for the system role only.
   * @throws StatementTimeout if it is in use: nobody is to wait behind us
   */
  async truncate(table: string) {
    const truncate = command(`truncate ${pg.escapeIdentifier(table)}`)
    await this.hold(0, (connection) =>
      connection.ask([BEGIN, command(`set local lock_timeout = '50ms'`), truncate, COMMIT]),
    )
  }

  /**
   * Lends a connection to work that sends several statements, and takes back the transaction that the work leaves open, which
   * it does when it fails.
   */
  async hold<T>(store: number, work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.wire.lend(store)
    try {
      return await work(connection)
    } finally {
      // A connection that fails here is lost, and is not lent again.
      if (connection.isInTransaction && !connection.isLost) await connection.ask([ROLLBACK]).catch(() => {})
      this.wire.takeBack(connection)
    }
  }

  /** Runs what waits for a commit. The change stands whatever becomes of it: a deed that fails leaves something to tidy up. */
  async runDeeds(deeds: readonly (() => Promise<void>)[]) {
    for (const outcome of await Promise.allSettled(deeds.map((deed) => deed()))) {
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

  /** Settings that a crash would punish: empty when an acknowledged write is safe. Answers also when the pool is busy. */
  async durabilityWarnings(): Promise<string[]> {
    const rows = await this.wire.ask<{ name: string }>(
      `select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
    )
    return rows.map((row) => row.name)
  }

  close(): Promise<void> {
    return this.wire.close()
  }
}

const asRows = (query: Sql | NamedQuery): Statement => ({
  text: query.text,
  values: query.values,
  name: 'name' in query ? query.name : undefined,
})
const asJson = (query: Sql | NamedQuery, fields: readonly string[]): Statement => ({ ...asRows(query), fields })

class StoreDb implements Db {
  readonly store: Store
  readonly #database: Database

  constructor(database: Database, store: Store) {
    this.#database = database
    this.store = store
  }

  get places(): Places {
    return this.#database.places
  }

  async rows<Row>(query: Sql | NamedQuery): Promise<Row[]> {
    return lastRows(await this.#database.wire.send(this.store.id, [readingWallOf(this.store), asRows(query)]))
  }

  async jsonRows(query: Sql | NamedQuery, fields: readonly string[]): Promise<JsonRows> {
    const statements = [readingWallOf(this.store), asJson(query, fields)]
    return only(lastRows<JsonRows>(await this.#database.wire.send(this.store.id, statements)))
  }

  async row<Row>(query: Sql): Promise<Row> {
    return only(await this.rows<Row>(query))
  }

  async maybeRow<Row>(query: Sql): Promise<Row | undefined> {
    return first(await this.rows<Row>(query))
  }

  async byKey<Row>(query: NamedQuery): Promise<Row | undefined> {
    return first(lastRows<Row>(await this.#database.wire.sendShared([readingWallOf(this.store), asRows(query)])))
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isConflict(error)) throw error
        this.#database.retries.count++
      }
    }
  }

  async #attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { result, deeds } = await this.#database.hold(this.store.id, async (connection) => {
      const tx = new StoreTx(connection, this.store, this.#database.clock.now(), this.#database.present)
      const result = await work(tx)
      await tx.commit()
      return { result, deeds: tx.deeds }
    })
    await this.#database.runDeeds(deeds)
    return result
  }
}

const SWALLOWED = 'A statement of this transaction failed; nothing was stored.'

class StoreTx implements Tx {
  readonly store: Store
  readonly now: Date
  readonly present: Sql
  /** After the commit. */
  readonly deeds: (() => Promise<void>)[] = []
  readonly #last: (() => readonly NamedQuery[])[] = []
  readonly #undos: (() => void)[] = []
  readonly #connection: Connection
  /** What is to be sent in front of the next statement, in the same piece. */
  #owed: Statement[]

  constructor(connection: Connection, store: Store, now: Date, present: Sql) {
    this.#connection = connection
    this.store = store
    this.now = now
    this.present = present
    this.#owed = [BEGIN, wallOf(store)]
  }

  async rows<Row>(query: Sql | NamedQuery): Promise<Row[]> {
    return lastRows(await this.#send([asRows(query)]))
  }

  async jsonRows(query: Sql | NamedQuery, fields: readonly string[]): Promise<JsonRows> {
    return only(lastRows<JsonRows>(await this.#send([asJson(query, fields)])))
  }

  async row<Row>(query: Sql): Promise<Row> {
    return only(await this.rows<Row>(query))
  }

  async maybeRow<Row>(query: Sql): Promise<Row | undefined> {
    return first(await this.rows<Row>(query))
  }

  async byKey<Row>(query: NamedQuery): Promise<Row | undefined> {
    return first(await this.rows<Row>(query))
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return work(this)
  }

  setLocal(name: string, value: string) {
    this.#owed.push(command(`set local ${name} = ${value}`))
  }

  afterCommit(deed: () => Promise<void>) {
    this.deeds.push(deed)
    this.onUndo(() => this.deeds.splice(this.deeds.indexOf(deed), 1))
  }

  beforeCommit(statements: () => readonly NamedQuery[]) {
    this.#last.push(statements)
    this.onUndo(() => this.#last.splice(this.#last.indexOf(statements), 1))
  }

  onUndo(deed: () => void) {
    this.#undos.push(deed)
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const undos = this.#undos.length
    this.#owed.push(SAVEPOINT)
    try {
      const result = await work()
      await this.#send([RELEASE])
      return result
    } catch (error) {
      await this.#send([TAKE_BACK])
      for (const undo of this.#undos.splice(undos).reverse()) undo()
      throw error
    }
  }

  /** Does the last work and commits. The last statement and the commit leave in one piece. */
  async commit() {
    if (this.#connection.hasFailed) throw new Error(SWALLOWED)
    const statements = this.#last.flatMap((make) => make())
    const last = statements.pop()
    for (const statement of statements) await this.rows(statement)
    // Nothing was sent, so nothing was begun.
    if (last === undefined && this.#owed.includes(BEGIN)) return
    const results = await this.#send(last === undefined ? [COMMIT] : [{ ...asRows(last), dropsRows: true }, COMMIT])
    // PostgreSQL answers so, without an error, if a statement has failed that nobody waited for.
    if (results.at(-1)?.tag === 'ROLLBACK') throw new Error(SWALLOWED)
  }

  /** Sends statements, and in front of them what is owed. If they can't be sent, that stays owed. */
  #send(statements: readonly Statement[]): Promise<Result[]> {
    const owed = this.#owed
    return new Promise((resolve, reject) => {
      const hasLeft = this.#connection.send([...owed, ...statements], (error, results) => {
        if (error === undefined) resolve(results)
        else reject(error)
      })
      if (hasLeft) this.#owed = []
    })
  }
}

/** Of several statements, only the last one's rows are asked for. */
const lastRows = <Row>(results: readonly Result[]): Row[] => (results.at(-1)?.rows ?? []) as Row[]

const first = <Row>(rows: Row[]): Row | undefined => rows[0]

function only<Row>(rows: Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`Expected one row, got ${rows.length}.`)
  return row
}
