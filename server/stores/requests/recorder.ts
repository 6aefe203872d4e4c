import pg from 'pg'
import { type Database, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { copiedRow, copyIn } from '../../core/db/wire/copy-in.ts'
import type { LogLevel } from './levels.ts'
import { slotOfLog } from './ring.ts'

/** The beginning of a body. */
export interface KeptBody {
  text: string
  /** The length of the whole body. */
  bytes: number
}

/** A request with its answer, as the log stores it. */
interface LoggedRequest {
  /** 32 hexadecimal digits, of which the first 12 are its time. */
  request_id: string
  correlation_id: string | undefined
  /** The hash, if the request was refused before its store was found. */
  store: number | string
  client_id: string | undefined
  /** The e-mail address of the person, if the console has sent it. */
  person?: string | undefined
  operation: string
  path: string
  status: number
  ms: number
  statements: number
  statement_ms: number
  address: string
  agent: string | undefined
  request?: KeptBody | undefined
  answer?: KeptBody | undefined
}

const BATCH = 500
const FLUSH_MS = 1_000
/** Rows that wait. Further ones are dropped and counted, so that no request waits for its log. */
const ROWS_MAX = 20_000
/** Characters of bodies that wait. */
const BODIES_MAX = 32 * 1024 * 1024
/** Unknown stores that are looked up for a batch. */
const LOOKUPS_MAX = 50
const AGENT_MAX = 255
const PATH_MAX = 2_048
const COLUMNS = `request_log.lines (store_id, slot, request_id, correlation_id, client_id, operation, path, status, ms, statements,
  statement_ms, address, agent, request_body, request_bytes, answer_body, answer_bytes, person)`

/** A database with the requests of its stores. */
interface LogCell {
  readonly name: string
  readonly system: Pick<Database, 'everywhere'>
  readonly systemUrl: string
}

interface RecorderParts {
  directory: {
    readonly cells: readonly LogCell[]
    find(hash: string): Promise<{ id: number } | undefined>
    cellById(store: number): Promise<LogCell | undefined>
  }
  /** The level of stores that have chosen none. */
  level: LogLevel
  log: { warn(details: object, sentence: string): void }
}

/**
 * Writes the requests of this process to the log: in batches of 500 by COPY, at the latest after a second. The queue is bounded. Rows
 * that don't fit, and those of a database that does not answer, are dropped and counted.
 */
export class RequestRecorder {
  readonly #parts: RecorderParts
  #levels: ReadonlyMap<number, LogLevel> = new Map()
  readonly #clients = new Map<string, Promise<pg.Client>>()
  #waiting: LoggedRequest[] = []
  #bodies = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  /** Rows of this process that are stored, and that are lost. */
  readonly counts = { written: 0, dropped: 0 }

  constructor(parts: RecorderParts) {
    this.#parts = parts
  }

  start() {
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref()
  }

  /** Writes the rest and closes the connections. */
  async stop() {
    clearInterval(this.#timer)
    await this.flush()
    const clients = [...this.#clients.values()]
    this.#clients.clear()
    for (const client of clients) await client.then((open) => open.end()).catch(() => {})
  }

  /** @param store undefined for a request whose store is not known yet */
  levelOf(store: number | undefined): LogLevel {
    return (store === undefined ? undefined : this.#levels.get(store)) ?? this.#parts.level
  }

  record(request: LoggedRequest) {
    const length = (request.request?.text.length ?? 0) + (request.answer?.text.length ?? 0)
    if (this.#waiting.length >= ROWS_MAX || this.#bodies + length > BODIES_MAX) {
      this.counts.dropped++
      return
    }
    this.#bodies += length
    this.#waiting.push(request)
    if (this.#waiting.length === BATCH) void this.flush()
  }

  /** Writes the waiting rows, one batch after the other, and reads the levels of the stores. */
  async flush(): Promise<void> {
    const earlier = this.#writing
    // The rows that came since the earlier one began are written by the next.
    if (earlier) {
      await earlier
      if (this.#writing) return this.#writing
      if (this.#waiting.length === 0) return
    }
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #writeAll() {
    await this.readLevels()
    const rows = this.#waiting
    this.#waiting = []
    this.#bodies = 0
    for (let start = 0; start < rows.length; start += BATCH) await this.#write(rows.slice(start, start + BATCH))
  }

  /** Reads the levels that stores have chosen, as it does each second. */
  async readLevels() {
    try {
      const levels = new Map<number, LogLevel>()
      for (const { system } of this.#parts.directory.cells) {
        const chosen = await system.everywhere<{ store_id: number; request_log: LogLevel }>(
          prepared(sql`select store_id, request_log from store_profiles where request_log is not null`),
        )
        for (const { store_id, request_log } of chosen) levels.set(store_id, request_log)
      }
      this.#levels = levels
    } catch {
      // A database that does not answer: the last levels remain.
    }
  }

  async #write(batch: readonly LoggedRequest[]) {
    const byCell = await this.#byCell(batch).catch((error: unknown) => {
      this.#drop(batch.length, error)
      return new Map<LogCell, string[]>()
    })
    // A database that is away loses its own rows, and not those of the others.
    for (const [cell, rows] of byCell) {
      try {
        await copyIn(await this.#clientOf(cell), COLUMNS, rows.join(''))
        this.counts.written += rows.length
      } catch (error) {
        this.#drop(rows.length, error)
      }
    }
  }

  #drop(rows: number, error: unknown) {
    this.counts.dropped += rows
    // An outage of the database has lines of its own.
    if (!isOutage(error)) this.#parts.log.warn({ err: error, rows }, 'rows of the request log are lost')
  }

  async #byCell(batch: readonly LoggedRequest[]): Promise<Map<LogCell, string[]>> {
    const { directory } = this.#parts
    const hashes = [...new Set(batch.map(({ store }) => store).filter((store) => typeof store === 'string'))]
    const found = new Map<string, number>()
    for (const hash of hashes.slice(0, LOOKUPS_MAX)) {
      const store = await directory.find(hash)
      if (store) found.set(hash, store.id)
    }
    const rows = new Map<LogCell, string[]>()
    for (const request of batch) {
      const store = typeof request.store === 'number' ? request.store : found.get(request.store)
      const cell = store === undefined ? undefined : await directory.cellById(store)
      if (store === undefined || !cell) continue
      const known = rows.get(cell)
      if (known) known.push(rowOf(request, store))
      else rows.set(cell, [rowOf(request, store)])
    }
    return rows
  }

  /** A connection of its own, because pipelined ones don't take COPY. */
  #clientOf(cell: LogCell): Promise<pg.Client> {
    const known = this.#clients.get(cell.name)
    if (known) return known
    const opening = openClient(cell.systemUrl, () => this.#clients.delete(cell.name))
    this.#clients.set(cell.name, opening)
    opening.catch(() => this.#clients.delete(cell.name))
    return opening
  }
}

/** Whether the database is away, ends, or has no room: every code but those of PostgreSQL's refusals. */
const isOutage = (error: unknown) => !(error instanceof pg.DatabaseError) || /^(08|53|57)/.test(error.code ?? '')

async function openClient(url: string, onEnd: () => void): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'storeward request log',
    connectionTimeoutMillis: 5_000,
    // Nobody was promised a row of the log: it need not wait for the disk.
    options: '-c statement_timeout=5s -c synchronous_commit=off',
    keepAlive: true,
  })
  client.on('error', onEnd)
  client.on('end', onEnd)
  await client.connect()
  return client
}

const rounded = (ms: number) => Math.round(ms * 10) / 10

function rowOf(line: LoggedRequest, store: number): string {
  const { request, answer } = line
  return copiedRow([
    store,
    slotOfLog(timeOfRequest(line.request_id)),
    line.request_id,
    line.correlation_id,
    line.client_id,
    line.operation,
    line.path.slice(0, PATH_MAX),
    line.status,
    rounded(line.ms),
    line.statements,
    rounded(line.statement_ms),
    line.address,
    line.agent?.slice(0, AGENT_MAX),
    request?.text,
    request?.bytes,
    answer?.text,
    answer?.bytes,
    line.person,
  ])
}

/** The time of a request, which its id begins with. @returns milliseconds since 1970 */
export const timeOfRequest = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
