import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { DatabaseUnavailable, type Db } from '../../../core/db/database.ts'
import { type LaneReport, writeReports } from '../queue/reports.ts'

/** Reports that arrive within this time are written together. */
const GATHER_MS = 20
const REPORTS_MAX = 100
const TRIES_MAX = 3

interface WriterParts {
  log: Pick<FastifyBaseLogger, 'error'>
  /** The spread of the delays between attempts. */
  jitter: number
  /** Called after each write: lanes may have room for more. */
  onWritten: () => void
}

/** Writes the reports of lanes. Each store has a writer of its own, so a store with many reports delays no other. */
export class ReportWriter {
  readonly #parts: WriterParts
  /** Reports that are not written yet, by store. */
  readonly #reports = new Map<number, { db: Db; reports: LaneReport[] }>()
  /** Stores with a write in progress. */
  readonly #writing = new Map<number, Promise<void>>()

  constructor(parts: WriterParts) {
    this.#parts = parts
  }

  get isIdle(): boolean {
    return this.#reports.size + this.#writing.size === 0
  }

  add(db: Db, report: LaneReport) {
    const { id } = db.store
    const pending = this.#reports.get(id) ?? { db, reports: [] }
    this.#reports.set(id, pending)
    pending.reports.push(report)
    if (!this.#writing.has(id)) this.#writing.set(id, this.#writeAll(id))
  }

  async #writeAll(store: number) {
    await sleep(GATHER_MS)
    for (let pending = this.#reports.get(store); pending; pending = this.#reports.get(store)) {
      const reports = pending.reports.splice(0, REPORTS_MAX)
      if (pending.reports.length === 0) this.#reports.delete(store)
      await this.#write(pending.db, reports)
      this.#parts.onWritten()
    }
    this.#writing.delete(store)
  }

  /** Retries while the database is unavailable. Callbacks without an outcome are sent again when the lease ends. */
  async #write(db: Db, reports: readonly LaneReport[]) {
    for (let left = TRIES_MAX - 1; ; left--) {
      try {
        return await db.transaction((tx) => writeReports(tx, reports, this.#parts.jitter))
      } catch (error) {
        if (left > 0 && error instanceof DatabaseUnavailable) continue
        this.#parts.log.error({ err: error }, 'outcomes of callbacks could not be written')
        return
      }
    }
  }
}
