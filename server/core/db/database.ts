import { hash } from 'node:crypto'
import pg from 'pg'
import { type Clock, systemClock } from '../clock.ts'
import type { JsonRows } from './json.ts'
import { Line, openClient } from './line.ts'
import { Places } from './places.ts'
import { Pool } from './pool.ts'
import { Pulse } from './pulse.ts'
import { type Sql, sql } from './sql.ts'
import { type Statement, Trip, toRead, toWrite, type Wall } from './trip.ts'

declare module 'pg' {
  // The driver's types leave it out.
  interface ClientBase {
    readonly connection: pg.Connection
    query<Row>(trip: Trip<Row>, callback: (error: unknown, rows: Row[]) => void): void
  }
}

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
  /**
   * One statement that writes, with begin and commit in the same round trip; its rows as JSON. Not within a transaction,
   * which a failure of the statement would end.
   */
  write?(query: NamedQuery, fields: readonly string[]): Promise<JsonRows | undefined>
  /** Runs `work` in one transaction, again (up to five times) after a deadlock or a serialization failure. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** A transaction of one store. It stands in the place of its `db`; a nested transaction joins it. */
export interface Tx extends Db {
  /** When this transaction began: the one time of all its rows and events. */
  readonly now: Date
  /** The same in SQL, for what processes must agree on although their clocks differ, such as leases. */
  readonly present: Sql
  /** Runs after the commit, never after a rollback: for what the database can't take back, such as files. */
  afterCommit(deed: () => Promise<void>): void
  /** Runs as the last work before the commit: what it locks is held for the shortest time, and after all else. */
  beforeCommit(deed: () => Promise<void>): void
  /** Takes something back that is not in the database, when the savepoint around it is. */
  onUndo(deed: () => void): void
  /** Work that may fail alone: when it throws, its statements are taken back, and the rest goes on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

/** The database can't answer now: 503 for the client, and the next request tries again. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('The database is not available.', { cause })
  }
}

const POOL_MAX = 8
const PIPES = 2
const ATTEMPTS_MAX = 5
// The client has an answer within 2 s, also when every connection is busy.
const WAIT_MS = 1_500
// One request takes one core: a list that PostgreSQL reads with several workers takes them from other stores.
const SESSION =
  '-c max_parallel_workers_per_gather=0 -c statement_timeout=5s -c idle_in_transaction_session_timeout=10s -c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=iso_8601'

const ignore = () => {}

/** One PostgreSQL database under one role. `of(store)` is the only door to its rows. */
export class Database {
  readonly #pool: Pool
  readonly #config: pg.ClientConfig
  readonly #pipes: (Promise<pg.Client> | undefined)[] = Array.from({ length: PIPES })
  readonly #pulse: Pulse
  #turn = 0
  #closed = false
  readonly retries = { count: 0 }
  readonly places = new Places()
  readonly clock: Clock

  constructor(url: string, { max = POOL_MAX, application = 'storeward', clock = systemClock } = {}) {
    this.clock = clock
    this.#config = {
      connectionString: url,
      application_name: application,
      options: SESSION,
      pipeline: true,
      keepAlive: true,
    }
    this.#pool = new Pool(() => this.#line(), max, WAIT_MS)
    this.#pulse = new Pulse(this.#config)
  }

  #line(): pg.Client {
    return new Line(this.#config, () => this.#pulse.hear())
  }

  /**
   * Refuses new work while the database says nothing. Statements under way are left alone: they end by their own time-outs.
   * @throws DatabaseUnavailable
   */
  mustAnswer() {
    if (this.#pulse.isSilent) throw new DatabaseUnavailable('The database does not answer.')
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
    return this.travel(asRows(query))
  }

  /** Sends one statement on a connection of its own: with a wall in front, for this store, or as a role that needs none. */
  travel<Row>(statement: Statement, wall?: Wall, store?: Store): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.mustAnswer()
      this.#pool.take((lost, client) => {
        if (!client) return reject(translated(lost))
        travel<Row>(client, statement, wall, store, (error, rows) => {
          const failure = error === undefined ? undefined : translated(error)
          this.#pool.give(client, failure instanceof DatabaseUnavailable)
          if (failure === undefined) resolve(rows)
          else reject(failure)
        })
      })
    })
  }

  /**
   * Empties a table as a whole, for the system role only.
   * @throws DatabaseUnavailable if it is in use: nobody is to wait behind us
   */
  async truncate(table: string) {
    const client = await this.checkout()
    try {
      await translate(
        client.query(`begin; set local lock_timeout = '50ms'; truncate ${pg.escapeIdentifier(table)}; commit`),
      )
    } catch (error) {
      await client.query('rollback').catch(ignore)
      throw error
    } finally {
      this.giveBack(client)
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
    this.mustAnswer()
    const rows = await translate(
      this.#pulse.ask<{ name: string }>(
        `select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
      ),
    )
    return rows.map((row) => row.name)
  }

  /** A connection for several statements, until it is given back. */
  checkout(): Promise<pg.Client> {
    return new Promise((resolve, reject) => {
      this.mustAnswer()
      this.#pool.take((lost, client) => {
        if (client) resolve(client)
        else reject(translated(lost))
      })
    })
  }

  giveBack(client: pg.Client, isBroken = false) {
    this.#pool.give(client, isBroken)
  }

  /** One of the shared pipelined connections, opened at the first read after a failure. */
  pipe(): Promise<pg.Client> {
    this.mustAnswer()
    const turn = this.#turn++ % PIPES
    const open = this.#pipes[turn]
    if (open) return open
    if (this.#closed) throw new DatabaseUnavailable('closed')
    const client = this.#line()
    const forget = () => {
      this.#pipes[turn] = undefined
      // Also ends the connection after a query time-out: what waits behind the hung read fails with it.
      client.end().catch(ignore)
    }
    client.once('error', forget)
    client.once('end', () => {
      this.#pipes[turn] = undefined
    })
    const opening = openClient(client).then(
      () => client,
      (error) => {
        forget()
        throw new DatabaseUnavailable(error)
      },
    )
    this.#pipes[turn] = opening
    return opening
  }

  async close() {
    this.#closed = true
    const pipes = await Promise.allSettled(this.#pipes.filter((pipe) => pipe !== undefined))
    await Promise.all(pipes.map((pipe) => (pipe.status === 'fulfilled' ? pipe.value.end() : undefined)))
    await this.#pool.end()
    // Last: it ends the wait for a server that does not answer our goodbye.
    this.#pulse.close()
  }
}

/** The wall: the store's number, and nothing else, in the text that begins every transaction. */
const begin = (store: Store, mode = '') => `begin${mode}; set local app.store = ${store.id | 0}`

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

  rows<Row>(query: Sql | NamedQuery): Promise<Row[]> {
    return this.#database.travel(asRows(query), toRead, this.store)
  }

  async jsonRows(query: Sql | NamedQuery, fields: readonly string[]): Promise<JsonRows> {
    return only(await this.#database.travel<JsonRows>(asJson(query, fields), toRead, this.store))
  }

  async row<Row>(query: Sql): Promise<Row> {
    return only(await this.rows<Row>(query))
  }

  async maybeRow<Row>(query: Sql): Promise<Row | undefined> {
    return first(await this.rows<Row>(query))
  }

  async byKey<Row>(query: NamedQuery): Promise<Row | undefined> {
    const client = await this.#database.pipe()
    inOnePiece(client)
    return first(await travelling<Row>(client, asRows(query), toRead, this.store))
  }

  async write(query: NamedQuery, fields: readonly string[]): Promise<JsonRows> {
    const statement = asJson(query, fields)
    return only(await this.#untilNoConflict(() => this.#database.travel<JsonRows>(statement, toWrite, this.store)))
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#untilNoConflict(() => this.#attempt(work))
  }

  async #untilNoConflict<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isConflict(error)) throw error
        this.#database.retries.count++
      }
    }
  }

  async #attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#database.checkout()
    const tx = new StoreTx(client, this.store, this.#database.clock.now(), this.#database.present)
    let broken = false
    try {
      // Not awaited: it travels with the first statement, which fails if this does.
      inOnePiece(client)
      client.query(begin(this.store), ignore)
      const result = await work(tx)
      for (const deed of tx.last) await deed()
      const { command } = await translate(client.query('commit'))
      // PostgreSQL answers so, without an error, when a statement failed and somebody swallowed the failure.
      if (command === 'ROLLBACK') throw new Error('A statement of this transaction failed; nothing was stored.')
      // The change stands whatever becomes of these; a deed that fails leaves something to tidy up, never something lost.
      await Promise.allSettled(tx.deeds.map((deed) => deed()))
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {
        broken = true
      })
      throw error
    } finally {
      this.#database.giveBack(client, broken)
    }
  }
}

class StoreTx implements Tx {
  readonly store: Store
  readonly now: Date
  readonly present: Sql
  /** Before the commit. */
  readonly last: (() => Promise<void>)[] = []
  /** After the commit. */
  readonly deeds: (() => Promise<void>)[] = []
  readonly #undos: (() => void)[] = []
  readonly #client: pg.Client

  constructor(client: pg.Client, store: Store, now: Date, present: Sql) {
    this.#client = client
    this.store = store
    this.now = now
    this.present = present
  }

  async rows<Row>(query: Sql | NamedQuery): Promise<Row[]> {
    return travelling(this.#client, asRows(query))
  }

  async jsonRows(query: Sql | NamedQuery, fields: readonly string[]): Promise<JsonRows> {
    return only(await travelling<JsonRows>(this.#client, asJson(query, fields)))
  }

  async row<Row>(query: Sql): Promise<Row> {
    return only(await this.rows<Row>(query))
  }

  async maybeRow<Row>(query: Sql): Promise<Row | undefined> {
    return first(await this.rows<Row>(query))
  }

  async byKey<Row>(query: NamedQuery): Promise<Row | undefined> {
    return first(await travelling<Row>(this.#client, asRows(query)))
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return work(this)
  }

  afterCommit(deed: () => Promise<void>) {
    this.deeds.push(deed)
    this.onUndo(() => this.deeds.splice(this.deeds.indexOf(deed), 1))
  }

  beforeCommit(deed: () => Promise<void>) {
    this.last.push(deed)
    this.onUndo(() => this.last.splice(this.last.indexOf(deed), 1))
  }

  onUndo(deed: () => void) {
    this.#undos.push(deed)
  }

  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const undos = this.#undos.length
    await translate(this.#client.query('savepoint work'))
    try {
      const result = await work()
      await translate(this.#client.query('release savepoint work'))
      return result
    } catch (error) {
      await translate(this.#client.query('rollback to savepoint work'))
      for (const undo of this.#undos.splice(undos).reverse()) undo()
      throw error
    }
  }
}

/** Sends one statement, behind what the connection was given before. */
function travel<Row>(
  client: pg.ClientBase,
  statement: Statement,
  wall: Wall | undefined,
  store: Store | undefined,
  callback: (error: unknown, rows: Row[]) => void,
) {
  // Handed over beside the trip: set on it here, V8 would keep every trip with its rows until the next big collection.
  client.query(new Trip<Row>(statement, wall, (store?.id ?? 0) | 0), callback)
}

const travelling = <Row>(client: pg.ClientBase, statement: Statement, wall?: Wall, store?: Store): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    travel<Row>(client, statement, wall, store, (error, rows) => {
      if (error === undefined) resolve(rows)
      else reject(translated(error))
    })
  })

/**
 * What is sent from now on leaves together, when the sockets that are ready have been read: a write of its own is a system
 * call, dearer than what it carries. On a shared pipe the reads of several requests leave in one.
 */
function inOnePiece({ connection: { stream } }: pg.ClientBase) {
  stream.cork()
  setImmediate(() => stream.uncork())
}

async function translate<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw translated(error)
  }
}

// Connection failure, shutdown, recovery, too many connections, statement and lock time-out.
const UNAVAILABLE = /^(08|57P|57014|55P03|53)/

/** What pg throws without a SQLSTATE is a lost connection, except for mistakes of ours such as an unserialisable value. */
function translated(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    return UNAVAILABLE.test(error.code ?? '') ? new DatabaseUnavailable(error) : error
  }
  return error instanceof TypeError || error instanceof RangeError ? error : new DatabaseUnavailable(error)
}

/** Deadlock or serialization failure: the whole transaction may simply run again. */
const isConflict = (error: unknown) =>
  error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')

/** The unique rule that a statement broke, by its name, if that is what went wrong. */
export const brokenUnique = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23505' ? error.constraint : undefined

const first = <Row>(rows: Row[]): Row | undefined => rows[0]

function only<Row>(rows: Row[]): Row {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`Expected one row, got ${rows.length}.`)
  return row
}
