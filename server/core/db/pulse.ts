import pg from 'pg'

const BEAT_MS = 500
const LOOK_MS = 100
const LOOKS_MAX = 10

/**
 * Notices when a database hangs. Twice a second it asks for a sign of life, on a connection of its own, so that slow
 * statements and a busy pool don't count. A database that is stopped refuses connections, and whoever asks learns that at
 * once; one that hangs, or is cut off, says nothing, and every request would wait for it as long as a statement may take.
 *
 * Silence is counted in looks, not read from a clock: when this process stood still, or the whole machine did, that was one
 * look, and the database, which may have stood still as well, gets the rest of the second.
 */
export class Pulse {
  /** Whether a question found no answer in time, not even a refusal, and none has been answered since. */
  isSilent = false
  readonly #config: pg.ClientConfig
  readonly #onSilence: () => void
  #line: Line | undefined
  #next: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param onSilence called when the database falls silent */
  constructor(config: pg.ClientConfig, onSilence: () => void) {
    this.#config = { ...config, pipeline: false }
    this.#onSilence = onSilence
    this.#beatLater()
  }

  /** Asks something small, and rejects within a second if the database can't answer. */
  async ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    if (!this.#line || this.#line.isOver) this.#line = open(this.#config)
    const line = this.#line
    let looking: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      let looks = 0
      looking = setInterval(() => {
        looks++
        if (looks === LOOKS_MAX) reject(new Silence('The database does not answer.'))
      }, LOOK_MS)
    })
    try {
      const { rows } = await Promise.race([line.ready.then(() => line.client.query<Row>(text)), silence])
      this.isSilent = false
      return rows
    } catch (error) {
      hangUp(line)
      if (error instanceof Silence && !this.isSilent) {
        this.isSilent = true
        this.#onSilence()
      }
      throw error
    } finally {
      clearInterval(looking)
    }
  }

  close() {
    this.#isClosed = true
    clearTimeout(this.#next)
    if (this.#line) hangUp(this.#line)
  }

  #beatLater() {
    if (this.#isClosed) return
    this.#next = setTimeout(async () => {
      await this.ask('select').catch(() => {})
      this.#beatLater()
    }, BEAT_MS).unref()
  }
}

/** A connection, or the attempt to get one. */
interface Line {
  client: pg.Client
  ready: Promise<unknown>
  isOver: boolean
}

function open(config: pg.ClientConfig): Line {
  const client = new pg.Client(config)
  const line: Line = { client, ready: client.connect(), isOver: false }
  client.on('error', () => {})
  client.once('end', () => {
    line.isOver = true
  })
  return line
}

function hangUp(line: Line) {
  line.isOver = true
  line.client.connection.stream.destroy()
}

class Silence extends Error {}
