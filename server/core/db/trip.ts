import pg from 'pg'
import { JsonRows, keysOf } from './json.ts'
import type { RawRow } from './line.ts'
import { Messages } from './messages.ts'
import { formOf, readerOf } from './types.ts'

/** A statement, and what becomes of its rows. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Prepared once per connection under this name, and read in one way. Without one it is parsed and planned each time. */
  readonly name?: string | undefined
  /** If rows are to be JSON and not objects: the fields that the last columns become. The one row is then a JsonRows. */
  readonly fields?: readonly string[]
}

interface Column {
  readonly name: string
  readonly dataTypeID: number
}

/** Takes one row after the other, and puts what becomes of them into `found`. */
type Reading = (found: unknown[]) => (row: RawRow) => void

/** What the connection knows of a prepared statement: how to read its rows, once it has told its columns. */
interface Prepared {
  reading?: Reading
}

/** How many statements a connection keeps prepared: each takes some of the memory of the database. */
const PREPARED_MAX = 100
const preparedOf = new WeakMap<pg.Connection, Map<string, Prepared>>()

/** What stands in front of a statement that is a transaction of its own. */
export interface Wall {
  readonly name: string
  readonly text: string
}

/** Sets the store for what follows it in the same transaction; `to read`, that transaction may write nothing. */
const STORE = `set_config('app.store', $1, true)`
export const toWrite: Wall = { name: 'wall to write', text: `select ${STORE}` }
export const toRead: Wall = {
  name: 'wall to read',
  text: `select ${STORE}, set_config('transaction_read_only', 'on', true)`,
}
const messages = new Messages()

/**
 * One statement in one round trip: all its messages leave in one piece, with one Sync behind them.
 *
 * With a wall in front it is a transaction of its own. PostgreSQL takes what comes up to a Sync for one transaction, which the
 * Sync commits; when a part fails it skips the rest, and nothing stays. So whatever else waits on a shared connection comes
 * before or after, and is not touched. Without a wall it is a part of the transaction that the connection is in.
 */
export class Trip<Row> {
  readonly text: string
  readonly name: string | undefined
  readonly values: readonly unknown[]
  readonly #statement: Statement
  readonly #wall: Wall | undefined
  readonly #store: number
  /** Set by the driver. Called once, when all is committed or nothing is. */
  callback: ((error: unknown, rows: Row[]) => void) | undefined
  /** Whether the wall has answered: what comes from now on is the statement's. */
  #isInside: boolean
  #prepared: Prepared | undefined
  #parsed: string[] = []
  #take: (row: RawRow) => void = () => {}
  readonly #found: unknown[] = []
  #failure: unknown

  constructor(statement: Statement, wall?: Wall, store = 0) {
    this.#statement = statement
    this.#wall = wall
    this.#store = store
    this.#isInside = wall === undefined
    this.text = statement.text
    this.name = statement.name
    this.values = statement.values
  }

  /** @returns an error if it can't be sent; nothing of it has been sent then */
  submit(connection: pg.Connection): Error | undefined {
    const known = knownBy(connection)
    const { text, name = '', values } = this
    try {
      // Several commands in one text, which the extended protocol does not take.
      if (this.#wall === undefined && name === '' && values.length === 0) messages.query(text)
      else this.#write(known)
      const bytes = messages.take()
      if (connection.stream.writable) connection.stream.write(bytes)
      return undefined
    } catch (error) {
      messages.clear()
      this.#forget(known)
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #write(known: Map<string, Prepared>) {
    const { text, name = '', values } = this
    if (this.#wall) {
      this.#prepare(known, this.#wall.name, this.#wall.text)
      messages.bind(this.#wall.name, [this.#store])
      messages.execute()
    }
    this.#prepared = this.#prepare(known, name, text)
    messages.bind(name, values)
    if (this.#prepared?.reading) this.#take = this.#prepared.reading(this.#found)
    else messages.describe()
    messages.execute()
    messages.sync()
  }

  #prepare(known: Map<string, Prepared>, name: string, text: string): Prepared | undefined {
    if (name === '') {
      messages.parse(name, text)
      return undefined
    }
    const prepared = known.get(name)
    if (prepared) return prepared
    for (const oldest of known.keys()) {
      if (known.size < PREPARED_MAX) break
      known.delete(oldest)
      messages.close(oldest)
    }
    // Nobody knows whether an attempt that failed has left it behind.
    messages.close(name)
    messages.parse(name, text)
    const fresh = {}
    known.set(name, fresh)
    this.#parsed.push(name)
    return fresh
  }

  #forget(known: Map<string, Prepared>) {
    for (const name of this.#parsed) known.delete(name)
  }

  handleRowDescription({ fields: columns }: { fields: Column[] }) {
    const { fields } = this.#statement
    const reading = fields ? jsonReading(columns, fields) : objectReading(columns)
    if (this.#prepared) this.#prepared.reading = reading
    this.#take = reading(this.#found)
  }

  handleDataRow(row: RawRow) {
    if (!this.#isInside) return
    try {
      this.#take(row)
    } catch (error) {
      // The rows that follow are on their way; whoever asked hears of it when all have come.
      this.#failure = error
    }
  }

  handleCommandComplete() {
    this.#isInside = true
  }

  handleError(error: unknown, connection: pg.Connection) {
    this.#forget(knownBy(connection))
    this.#answer(error, [])
  }

  handleReadyForQuery() {
    this.#answer(this.#failure, this.#found as Row[])
  }

  #answer(error: unknown, rows: Row[]) {
    const { callback } = this
    this.callback = undefined
    callback?.(error, rows)
  }
}

// On a pipelined connection the driver takes only its own kind of query. Its constructor is passed by: it makes an emitter.
Object.setPrototypeOf(Trip.prototype, pg.Query.prototype)

function knownBy(connection: pg.Connection): Map<string, Prepared> {
  const known = preparedOf.get(connection) ?? new Map()
  preparedOf.set(connection, known)
  return known
}

function jsonReading(columns: readonly Column[], fields: readonly string[]): Reading {
  const forms = columns.map(({ dataTypeID }) => formOf(dataTypeID))
  const keys = keysOf(fields)
  return (found) => {
    const rows = new JsonRows(forms, keys)
    found.push(rows)
    return (row) => rows.add(row)
  }
}

function objectReading(columns: readonly Column[]): Reading {
  const read = objectReader(columns)
  return (found) => (row) => found.push(read(row))
}

function objectReader(columns: readonly Column[]) {
  const names = columns.map(({ name }) => name)
  const readers = columns.map(({ dataTypeID }) => readerOf(dataTypeID))
  return ({ bytes, start, count }: RawRow) => {
    const object: Record<string, unknown> = {}
    for (let i = 0, at = start; i < count; i++) {
      const length = bytes.readInt32BE(at)
      at += 4
      object[names[i] ?? ''] = length < 0 ? null : readers[i]?.(bytes, at, at + length)
      if (length > 0) at += length
    }
    return object
  }
}
