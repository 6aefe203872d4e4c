import pg from 'pg'

const BEAT_MS = 500
const LOOK_MS = 100
/** Looks in a row that found nothing: a second. */
const SILENT_LOOKS = 10
/** As long as a statement may take. */
const LOOKS_MAX = 50

/**
 * Notices that a database hangs. A database that is stopped refuses connections, so a request learns it at once. One that
 * hangs, or is cut off, says nothing: each request would wait as long as a statement may take. Twice a second the pulse asks
 * for a sign of life, on a connection of its own, so that slow statements and a busy pool do not delay the question.
 *
 * Every byte from the database is a sign of life, also on other connections: on an overloaded machine the answer to the
 * question may be late while statements are being answered.
 *
 * Silence is counted in looks, not read from a clock. If this process or the whole machine stood still, that was one look, and
 * the database gets the rest of the second.
 */
export class Pulse {
  /** Whether a question is open and nothing has come from the database for a second. New work is refused then. */
  isSilent = false
  readonly #config: pg.ClientConfig
  #signs = 0
  #connection: OwnConnection | undefined
  #next: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(config: pg.ClientConfig) {
    this.#config = config
    this.#beatLater()
  }

  /** To be called when bytes came from the database on any connection. */
  hear() {
    this.#signs++
    this.isSilent = false
  }

  /** Asks something small. Rejects after a second in which the database said nothing, and after five in any case. */
  async ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    if (!this.#connection || this.#connection.isOver) this.#connection = open(this.#config)
    const connection = this.#connection
    const silence = this.#watch()
    try {
      const { rows } = await Promise.race([
        connection.ready.then(() => connection.client.query<Row>(text)),
        silence.promise,
      ])
      this.hear()
      return rows
    } catch (error) {
      hangUp(connection)
      throw error
    } finally {
      silence.end()
    }
  }

  close() {
    this.#isClosed = true
    clearTimeout(this.#next)
    if (this.#connection) hangUp(this.#connection)
  }

  /** Rejects when the database is silent. */
  #watch() {
    const { promise, reject } = Promise.withResolvers<never>()
    let signs = this.#signs
    let silentLooks = 0
    let looks = 0
    const timer = setInterval(() => {
      silentLooks = signs === this.#signs ? silentLooks + 1 : 0
      signs = this.#signs
      looks++
      if (silentLooks < SILENT_LOOKS && looks < LOOKS_MAX) return
      if (silentLooks === SILENT_LOOKS) this.isSilent = true
      reject(new Error('The database does not answer.'))
    }, LOOK_MS)
    return { promise, end: () => clearInterval(timer) }
  }

  #beatLater() {
    if (this.#isClosed) return
    this.#next = setTimeout(async () => {
      await this.ask('select').catch(() => {})
      this.#beatLater()
    }, BEAT_MS).unref()
  }
}

/** The connection for questions, or the attempt to get one. */
interface OwnConnection {
  client: pg.Client
  ready: Promise<unknown>
  isOver: boolean
}

function open(config: pg.ClientConfig): OwnConnection {
  const client = new pg.Client(config)
  const connection: OwnConnection = { client, ready: client.connect(), isOver: false }
  client.on('error', () => {})
  client.once('end', () => {
    connection.isOver = true
  })
  return connection
}

function hangUp(connection: OwnConnection) {
  connection.isOver = true
  connection.client.connection.stream.destroy()
}
