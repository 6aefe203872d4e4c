/**
 * The public interface of this folder: connections to a PostgreSQL database, on which statements leave in one piece and rows
 * arrive as bytes. Only this folder uses private members of the driver; `contract.test.ts` lists them.
 */
import type pg from 'pg'
import { Connection } from './connection.ts'
import type { Result, Statement } from './exchange.ts'
import { DatabaseUnavailable } from './failures.ts'
import { Pool } from './pool.ts'
import { Pulse } from './pulse.ts'
import { beginUse } from './statement-use.ts'

export type { Connection } from './connection.ts'
export type { OnAnswer, Result, Statement } from './exchange.ts'
export {
  brokenUnique,
  DatabaseUnavailable,
  isConflict,
  isInFailedTransaction,
  isOfTransaction,
  isOutage,
  StatementTimeout,
} from './failures.ts'
export type { JsonRows } from './rows/json-rows.ts'
export type { JsonPiece, Template } from './rows/template.ts'

/** Connections for short reads, which several requests share. */
const SHARED = 2
// Parts of the pool that one store may use. Reads use the CPU of the database while they last, so a store with company gets few;
// transactions often only wait for each other.
const SHARE_OF_READS = { alone: 1 / 2, inCompany: 1 / 8 }
const SHARE_OF_TRANSACTIONS = 3 / 4
const COMPANY_MS = 1_000
const SILENCE_MS = 1_000
const laneOf = (store: number, isRead: boolean): number => 2 * store + Number(isRead)
// A client has an answer within 2 s if the connections hang. While connections change hands, for example if many requests wait
// for one row, each waits as long as a statement may take.
const PATIENCE = { still: 1_500, moving: 5_000 }

/** The connections of this process to one database, as one role. */
export class Wire {
  readonly #pool: Pool
  readonly #pulse: Pulse
  readonly #make: () => Connection
  readonly #shared: Connection[] = []
  #turn = 0
  /** The store that asked last, and when it was another one last. */
  #lastStore = 0
  #otherAt = Number.NEGATIVE_INFINITY
  #isClosed = false

  /**
   * @param max connections that are used by one request at a time
   * @param patience a factor of all times that the database may take
   */
  constructor(config: pg.ClientConfig, max: number, patience = 1) {
    this.#make = () => new Connection(config, () => this.#pulse.hear(), patience)
    this.#pool = new Pool(this.#make, max, (lane) => this.#shareOf(lane, max), {
      still: PATIENCE.still * patience,
      moving: PATIENCE.moving * patience,
    })
    this.#pulse = new Pulse(config, SILENCE_MS * patience)
  }

  /**
   * Sends statements that read in one piece on a connection of their own, as one transaction.
   * @param store whose share of the connections it takes; 0 for work of no store
   * @throws DatabaseUnavailable at once while the database says nothing
   */
  send(store: number, statements: readonly Statement[]): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      this.refuseWhileSilent()
      this.recordStore(store)
      const endUse = beginUse(statements.length)
      this.#pool.take(laneOf(store, true), (failure, connection) => {
        if (!connection) return reject(failure)
        connection.send(statements, (error, results) => {
          this.#pool.give(connection)
          endUse?.()
          if (error === undefined) resolve(results)
          else reject(error)
        })
      })
    })
  }

  /** As `send`, on a shared connection: a slow statement would delay the others. */
  async sendShared(store: number, statements: readonly Statement[]): Promise<Result[]> {
    this.refuseWhileSilent()
    this.recordStore(store)
    const endUse = beginUse(statements.length)
    const connection = await this.#sharedConnection()
    connection.gather()
    const answer = connection.ask(statements)
    return endUse === undefined ? answer : answer.finally(endUse)
  }

  /** How many wait for a connection of their own, and how many have one. */
  get use(): Pool['use'] {
    return this.#pool.use
  }

  /** Lends a connection for several statements, until it is given back. @throws as `send` */
  lend(store: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      this.refuseWhileSilent()
      this.recordStore(store)
      this.#pool.take(laneOf(store, false), (failure, connection) => {
        if (connection) resolve(connection)
        else reject(failure)
      })
    })
  }

  takeBack(connection: Connection) {
    this.#pool.give(connection)
  }

  /** Sends a small statement, also while all connections are in use. @throws DatabaseUnavailable within about a second */
  ask<Row>(text: string): Promise<Row[]> {
    this.refuseWhileSilent()
    return this.#pulse.ask(text)
  }

  /**
   * Refuses new work while the database is silent. Statements under way are left alone: they end by their own time-outs.
   * @throws DatabaseUnavailable
   */
  refuseWhileSilent() {
    if (this.#pulse.isSilent) throw new DatabaseUnavailable('The database does not answer.')
  }

  async close() {
    this.#isClosed = true
    await Promise.all(this.#shared.map((connection) => connection.end()))
    await this.#pool.end()
    // Last: it ends the wait for a server that does not answer.
    this.#pulse.close()
  }

  recordStore(store: number) {
    if (store === 0 || store === this.#lastStore) return
    this.#lastStore = store
    this.#otherAt = performance.now()
  }

  /** How many connections of the pool a lane may use. The lane of no store has no bound. */
  #shareOf(lane: number, max: number): number {
    if (lane < laneOf(1, false)) return max
    if (lane % 2 === laneOf(0, false)) return Math.ceil(max * SHARE_OF_TRANSACTIONS)
    const isInCompany = performance.now() - this.#otherAt < COMPANY_MS
    return Math.ceil(max * (isInCompany ? SHARE_OF_READS.inCompany : SHARE_OF_READS.alone))
  }

  /** The shared connections take turns. Each is opened at the first read, and at the first read after it was lost. */
  #sharedConnection(): Promise<Connection> {
    if (this.#isClosed) throw new DatabaseUnavailable('closed')
    const turn = this.#turn++ % SHARED
    let connection = this.#shared[turn]
    if (!connection || connection.isLost) {
      connection = this.#make()
      this.#shared[turn] = connection
    }
    return connection.open()
  }
}
