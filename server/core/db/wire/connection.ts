import type { Socket } from 'node:net'
import pg from 'pg'
import { Exchange, type OnAnswer, type Result, type Statement } from './exchange.ts'
import { DatabaseUnavailable, failureOf, StatementTimeout } from './failures.ts'
import { splitRows } from './rows/splitter.ts'

declare module 'pg' {
  // Fields that the driver's types omit.
  interface ClientBase {
    readonly connection: pg.Connection
    query(exchange: Exchange, callback: OnAnswer): void
  }
  interface Client {
    /** Whether every statement has its answer. */
    readonly readyForQuery: boolean
  }
}

const LOOK_MS = 100
// A client has an answer within 2 s, also when the database is gone.
const CONNECT_LOOKS = 15
// The last resort for a connection that hangs: ends the connection. The time-out of statements comes first.
const SILENCE_MS = 7_000
const GOODBYE_MS = 1_000

/** One connection to the database. */
export class Connection {
  /** Whether it has ended, so that nothing can be sent. */
  isLost = false
  /** Called once if the connection ends without `end`. */
  onLost: () => void = () => {}
  readonly #client: pg.Client
  #opening: Promise<this> | undefined

  /** @param onBytes called when bytes have come from the database */
  constructor(config: pg.ClientConfig, onBytes: () => void) {
    this.#client = new pg.Client({ ...config, pipeline: true })
    splitRows(this.#client.connection, onBytes, (socket) => this.#endWhenSilent(socket))
    this.#client.on('error', () => this.cut())
    this.#client.connection.once('end', () => this.cut())
  }

  /**
   * Connects at the first call, or gives up after a second and a half. The time is counted in looks: if this process or the whole
   * machine stood still, that was one look.
   * @throws DatabaseUnavailable
   */
  open(): Promise<this> {
    this.#opening ??= this.#connect()
    return this.#opening
  }

  async #connect(): Promise<this> {
    let looks = 0
    const timer = setInterval(() => {
      if (++looks === CONNECT_LOOKS) this.#socket.destroy(new Error('The database does not answer.'))
    }, LOOK_MS)
    try {
      await this.#client.connect()
      return this
    } catch (error) {
      this.cut()
      throw new DatabaseUnavailable(error)
    } finally {
      clearInterval(timer)
    }
  }

  /**
   * Sends statements in one piece.
   * @param onAnswer called with the results, or with an error as `failureOf` returns it
   * @returns whether they have left
   */
  send(statements: readonly Statement[], onAnswer: OnAnswer): boolean {
    const exchange = new Exchange(statements)
    // Passed beside the exchange: as a property of it, V8 would keep every exchange with its rows until the next big collection.
    this.#client.query(exchange, (error, results) => {
      if (error === undefined) return onAnswer(undefined, results)
      const failure = failureOf(error, this.isLost)
      // The server announces that it ends the connection, and then ends it: nothing may be sent in between.
      if (failure instanceof DatabaseUnavailable && !(failure instanceof StatementTimeout)) this.cut()
      if (this.isLost || !exchange.isSent) onAnswer(failure, results)
      else this.#whenReady(() => onAnswer(failure, results))
    })
    return exchange.isSent
  }

  /** As `send`, for callers that await the answer. */
  ask(statements: readonly Statement[]): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      this.send(statements, (error, results) => {
        if (error === undefined) resolve(results)
        else reject(error)
      })
    })
  }

  /**
   * Collects the messages that are written from now on, and sends them together once all ready sockets are read: a write is a
   * system call, dearer than its message.
   */
  gather() {
    const socket = this.#socket
    socket.cork()
    setImmediate(() => socket.uncork())
  }

  /** Whether the last messages left a transaction open. */
  get isInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== 'I'
  }

  /** Whether a statement of the transaction has failed, so that only a rollback is left. */
  get hasFailed(): boolean {
    return this.#client.getTransactionStatus() === 'E'
  }

  /** Ends the connection after the statements under way, without waiting for a server that does not answer. */
  async end() {
    this.isLost = true
    await this.#opening?.catch(() => {})
    const timer = setTimeout(() => this.#socket.destroy(), this.#client.readyForQuery ? GOODBYE_MS : SILENCE_MS)
    await this.#client.end().finally(() => clearTimeout(timer))
  }

  /** Ends the connection and its statements at once. */
  cut() {
    if (this.isLost) return
    this.isLost = true
    this.#socket.destroy()
    this.onLost()
  }

  get #socket(): Socket {
    return this.#client.connection.stream as Socket
  }

  /** After an error the server still sends its readiness, and the state of the transaction. */
  #whenReady(then: () => void) {
    const { connection } = this.#client
    const done = () => {
      connection.off('readyForQuery', done).off('end', done)
      then()
    }
    connection.once('readyForQuery', done).once('end', done)
  }

  /**
   * A connection ends if it owes an answer and is silent for too long. The driver's own way, a timer for each query, kept every
   * query with its answer in memory until the next big collection: under load that was a quarter of the time of a page.
   */
  #endWhenSilent(socket: Socket) {
    socket.setTimeout(SILENCE_MS, () => {
      const { bytesRead, bytesWritten } = socket
      // Runs after one more read of the sockets: if this process stood still, the answer is there by then. A new question to a
      // silent connection has its full time.
      setImmediate(() => {
        const isSilent = socket.bytesRead === bytesRead && socket.bytesWritten === bytesWritten
        if (!this.#client.readyForQuery && isSilent) socket.destroy()
      })
    })
  }
}
