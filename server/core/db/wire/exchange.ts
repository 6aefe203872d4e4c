import { hash } from 'node:crypto'
import pg from 'pg'
import { Messages } from './messages.ts'
import { readerOf } from './rows/columns.ts'
import { JsonRows } from './rows/json-rows.ts'
import type { RawRow } from './rows/splitter.ts'
import { compiledFor, type Template } from './rows/template.ts'

/** A statement, and the form of its rows. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /**
   * Under this name it is prepared once per connection, and its rows are read in one way. Without a name it is parsed and
   * planned each time.
   */
  readonly name?: string | undefined
  /** Whether its rows are dropped, as are those of a command or of a function that is called for its effect. */
  readonly dropsRows?: boolean
  /** Makes JSON of the rows: a template, or the names of the last columns as fields. The one row is then a JsonRows. */
  readonly json?: RowForm
}

interface Column {
  readonly name: string
  readonly dataTypeID: number
}

/** Reads one row after the other, and puts their values into `rows`. */
type RowReader = (rows: unknown[]) => (row: RawRow) => void

/** The form of rows: objects, or JSON by a template or by the names of the last columns. */
type RowForm = readonly string[] | Template | undefined

/** A statement that a connection has prepared: its columns, once it was executed, and its last reader. */
interface PreparedStatement {
  /** Its name at the database. */
  readonly name: string
  columns?: readonly Column[]
  form?: RowForm
  reader?: RowReader
}

/** PostgreSQL cuts longer names off, and would take two statements for one. */
const NAME_MAX = 63
const nameAtDatabase = (name: string) => (name.length > NAME_MAX ? hash('sha1', name) : name)

/** How many statements a connection keeps prepared: each takes some of the memory of the database. */
const PREPARED_MAX = 100
const preparedOf = new WeakMap<pg.Connection, Map<string, PreparedStatement>>()

/** A statement that was sent, while its answer comes. */
interface PendingAnswer {
  readonly statement: Statement
  readonly prepared: PreparedStatement | undefined
  readonly rows: unknown[]
  take: ((row: RawRow) => void) | undefined
  tag: string
}

/** The result of a statement. */
export interface Result {
  readonly rows: unknown[]
  /** PostgreSQL's tag of the command, such as `UPDATE 1`. */
  readonly tag: string
}

/**
 * Called once: with a result for each statement, or with an error and the results of the statements before the failed one. Those
 * are rolled back with it.
 */
export type OnAnswer = (error: unknown, results: Result[]) => void

const messages = new Messages()

/**
 * Statements in one round trip: all their messages leave in one piece, with one Sync behind them.
 *
 * PostgreSQL takes the messages up to a Sync for one transaction, unless a `begin` among them opens a longer one. If a statement
 * fails, PostgreSQL skips the rest up to the Sync and rolls that transaction back. So several requests can share a connection:
 * the statements of others come before or after, and are not affected.
 */
export class Exchange {
  readonly statements: readonly Statement[]
  /** Whether its messages have left. If a value can't be written, none of them has. */
  isSent = false
  /** Set by the driver. Called once, when all is done or nothing is. */
  callback: OnAnswer | undefined
  #pending: PendingAnswer[] = []
  #current = 0
  /** Names under which this exchange prepares statements. They are deleted if it fails. */
  #fresh: string[] = []
  #failure: unknown

  constructor(statements: readonly Statement[]) {
    this.statements = statements
  }

  /** Called by the driver. @returns an error if it can't be sent; nothing of it has been sent then */
  submit(connection: pg.Connection): Error | undefined {
    const known = knownBy(connection)
    try {
      for (const statement of this.statements) this.#write(known, statement)
      messages.sync()
      const bytes = messages.take()
      if (connection.stream.writable) connection.stream.write(bytes)
      this.isSent = true
      return undefined
    } catch (error) {
      messages.clear()
      this.dropFresh(known)
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  #write(known: Map<string, PreparedStatement>, statement: Statement) {
    const { text, name = '', values, dropsRows = false } = statement
    const prepared = this.#prepare(known, name, text)
    messages.bind(prepared?.name ?? '', values)
    const rows: unknown[] = []
    const reader = dropsRows ? undefined : knownReader(prepared, statement.json)
    if (!dropsRows && !reader) messages.describe()
    messages.execute()
    this.#pending.push({ statement, prepared, rows, take: reader?.(rows), tag: '' })
  }

  #prepare(known: Map<string, PreparedStatement>, name: string, text: string): PreparedStatement | undefined {
    if (name === '') {
      messages.parse(name, text)
      return undefined
    }
    const prepared = known.get(name)
    if (prepared) {
      // Moves it behind the others: so the one that was used longest ago stands first.
      known.delete(name)
      known.set(name, prepared)
      return prepared
    }
    for (const [oldest, { name: given }] of known) {
      if (known.size < PREPARED_MAX) break
      known.delete(oldest)
      messages.close(given)
    }
    const fresh = { name: nameAtDatabase(name) }
    // An attempt that failed may have left a statement of this name.
    messages.close(fresh.name)
    messages.parse(fresh.name, text)
    known.set(name, fresh)
    this.#fresh.push(name)
    return fresh
  }

  dropFresh(known: Map<string, PreparedStatement>) {
    for (const name of this.#fresh) known.delete(name)
  }

  handleRowDescription({ fields: columns }: { fields: Column[] }) {
    const pending = this.#pending[this.#current]
    if (!pending) return
    const form = pending.statement.json
    const reader = makeReader(columns, form)
    if (pending.prepared) Object.assign(pending.prepared, { columns, form, reader })
    pending.take = reader(pending.rows)
  }

  handleDataRow(row: RawRow) {
    try {
      this.#pending[this.#current]?.take?.(row)
    } catch (error) {
      // The rows that follow are on their way; the caller hears of it when all have come.
      this.#failure = error
    }
  }

  handleCommandComplete({ text: tag }: { text: string }) {
    const pending = this.#pending[this.#current]
    if (pending) pending.tag = tag
    this.#current++
  }

  handleError(error: unknown, connection: pg.Connection) {
    this.dropFresh(knownBy(connection))
    this.#answer(error, this.#pending.slice(0, this.#current))
  }

  handleReadyForQuery() {
    this.#answer(this.#failure, this.#failure === undefined ? this.#pending : [])
  }

  #answer(error: unknown, results: Result[]) {
    const { callback } = this
    this.callback = undefined
    callback?.(error, results)
  }
}

// On a pipelined connection the driver takes only its own kind of query. Its constructor is not called: it would make an event emitter.
Object.setPrototypeOf(Exchange.prototype, pg.Query.prototype)

function knownBy(connection: pg.Connection): Map<string, PreparedStatement> {
  const known = preparedOf.get(connection) ?? new Map()
  preparedOf.set(connection, known)
  return known
}

/** One statement may be read by several templates. Names of fields stand in its text, so for them one reader is enough. */
function knownReader(prepared: PreparedStatement | undefined, form: RowForm): RowReader | undefined {
  if (!prepared?.columns) return undefined
  const isSame = prepared.form === form || (Array.isArray(prepared.form) && Array.isArray(form))
  if (!isSame) Object.assign(prepared, { form, reader: makeReader(prepared.columns, form) })
  return prepared.reader
}

const makeReader = (columns: readonly Column[], form: RowForm): RowReader =>
  form ? jsonRowReader(columns, form) : objectRowReader(columns)

function jsonRowReader(columns: readonly Column[], json: readonly string[] | Template): RowReader {
  const types = columns.map(({ dataTypeID }) => dataTypeID)
  const template = compiledFor(json, types)
  return (rows) => {
    const made = new JsonRows(template)
    rows.push(made)
    return (row) => made.add(row)
  }
}

function objectRowReader(columns: readonly Column[]): RowReader {
  const read = objectReader(columns)
  return (rows) => (row) => rows.push(read(row))
}

function objectReader(columns: readonly Column[]) {
  const names = columns.map(({ name }) => name)
  const readers = columns.map(({ dataTypeID }) => readerOf(dataTypeID))
  // A copy of an object that has all columns is fast to fill and to read. One that grows column by column becomes a dictionary.
  const template: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]))
  return ({ bytes, start, count }: RawRow) => {
    const object = { ...template }
    for (let i = 0, at = start; i < count; i++) {
      const length = bytes.readInt32BE(at)
      at += 4
      object[names[i] ?? ''] = length < 0 ? null : readers[i]?.(bytes, at, at + length)
      if (length > 0) at += length
    }
    return object
  }
}
