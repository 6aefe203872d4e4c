import type pg from 'pg'

declare module 'pg' {
  // Methods that the driver's types omit.
  interface Connection {
    sendCopyFromChunk(chunk: Buffer): void
    endCopyFrom(): void
    sendCopyFail(reason: string): void
  }
}

/** A value of a column in PostgreSQL's text form of COPY. */
type CopiedValue = string | number | null | undefined

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A row in the text form of COPY. PostgreSQL has no U+0000 in texts: it is left out. */
export const copiedRow = (values: readonly CopiedValue[]): string =>
  `${values.map((value) => (typeof value === 'string' ? escaped(value) : (value ?? '\\N'))).join('\t')}\n`

const escaped = (text: string): string =>
  text.replaceAll('\u0000', '').replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '')

/**
 * Sends rows by COPY.
 * @param client a connection of the driver's plain kind, which does one thing at a time
 * @param target table and columns: `schema.table (a, b)`
 * @throws the error of PostgreSQL; no row is stored then
 */
export function copyIn(client: pg.Client, target: string, rows: string): Promise<void> {
  return new Promise((resolve, reject) => client.query(new CopyIn(target, rows, resolve, reject)))
}

/** A query as the driver takes it. The driver calls these methods. */
class CopyIn implements pg.Submittable {
  readonly #target: string
  readonly #rows: string
  readonly #resolve: () => void
  readonly #reject: (error: unknown) => void
  #error: unknown

  constructor(target: string, rows: string, resolve: () => void, reject: (error: unknown) => void) {
    this.#target = target
    this.#rows = rows
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: pg.Connection) {
    connection.query(`copy ${this.#target} from stdin`)
  }

  handleCopyInResponse(connection: pg.Connection) {
    connection.sendCopyFromChunk(Buffer.from(this.#rows))
    connection.endCopyFrom()
  }

  handleCommandComplete() {}

  /** The driver says that it is ready after an error, too, except when the connection has ended. */
  handleError(error: unknown) {
    this.#error = error
    this.#reject(error)
  }

  handleReadyForQuery() {
    if (this.#error === undefined) this.#resolve()
  }
}
