import type { Socket } from 'node:net'
import pg from 'pg'
import { Exchange, type OnAnswer, type Result, type Statement } from './exchange.ts'
import { DatabaseUnavailable, failureOf, StatementTimeout } from './failures.ts'
import { socketOf } from './read-buffer.ts'
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

const TICK_MS = 100
// Clients get an answer within 2 s even if the database is gone.
const CONNECT_TICKS = 15
// Ends a connection that hangs. Time-outs of statements come first: the longest is that of the lock of a cart, 11 s.
const SILENCE_MS = 13_000
const GOODBYE_MS = 1_000

/** One connection to the database. */
export class Connection {
  /** Whether it has ended or is ending: nothing more can be sent. */
  isLost = false
  /** Called once if the connection ends without `end`. */
  onLost: () => void = () => {}
  readonly #client: pg.Client
  readonly #silenceMs: number
  #opening: Promise<this> | undefined

  /**
   * @param onBytes called when bytes have come from the database
   * @param patience a factor of the time that an answer may take
   */
  constructor(config: pg.ClientConfig, onBytes: () => void, patience = 1) {
    this.#silenceMs = SILENCE_MS * patience
    this.#client = new pg.Client({ ...config, stream: socketOf, pipeline: true })
    splitRows(this.#client.connection, onBytes, (socket) => this.#endWhenSilent(socket))
    this.#client.on('error', () => this.cut())
    this.#client.connection.once('end', () => this.cut())
  }

  /**
   * Connects at the first call, or gives up after a second and a half. The time is counted in ticks of a timer: a standstill of
   * this process or machine is one tick, however long it lasted.
   * @throws DatabaseUnavailable
   */
  open(): Promise<this> {
    this.#opening ??= this.#connect()
    return this.#opening
  }

  async #connect(): Promise<this> {
    let ticks = 0
    const timer = setInterval(() => {
      if (++ticks === CONNECT_TICKS) this.#socket.destroy(new Error('The database does not answer.'))
    }, TICK_MS)
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
   * @returns whether they were sent
   */
  send(statements: readonly Statement[], onAnswer: OnAnswer): boolean {
    const exchange = new Exchange(statements)
    // Passed beside the exchange: as a property of it, V8 would keep every exchange with its rows until the next major garbage collection.
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
    const timer = setTimeout(() => this.#socket.destroy(), this.#client.readyForQuery ? GOODBYE_MS : this.#silenceMs)
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

  /** Calls `then` when the server is ready again after an error, or when the connection has ended. */
  #whenReady(then: () => void) {
    const { connection } = this.#client
    const done = () => {
      connection.off('readyForQuery', done).off('end', done)
      then()
    }
    connection.once('readyForQuery', done).once('end', done)
  }

  /**
   * Ends the connection if it owes an answer and is silent for too long. The driver has a timer for each query, which kept every
   * query and answer in memory until the next major garbage collection: under load that took a quarter of the time of a page.
   */
  #endWhenSilent(socket: Socket) {
    socket.setTimeout(this.#silenceMs, () => {
      const { bytesRead, bytesWritten } = socket
      // Runs after one more read of the sockets: if this process stood still, the answer has arrived by then. A statement that was
      // just sent on an idle connection gets the full time.
      setImmediate(() => {
        const isSilent = socket.bytesRead === bytesRead && socket.bytesWritten === bytesWritten
        if (!this.#client.readyForQuery && isSilent) socket.destroy()
      })
    })
  }
}
