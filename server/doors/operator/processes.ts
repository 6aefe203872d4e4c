import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'

/** A process writes its row this often; doctor reads those of three times as long (`core/db/setup/examine.ts`). */
const SEEN_MS = 60_000

/** A process of the installation that runs. */
interface RunningProcess {
  host: string
  pid: number
  role: string
  seen_at: string
}

/** The processes that run, by the rows that they keep fresh. */
export const runningProcesses = (database: Pick<Database, 'system'>): Promise<RunningProcess[]> =>
  database.system(sql`
    select host, pid, role, seen_at from directory.processes
    where seen_at > now() - ${`${(3 * SEEN_MS) / 1_000} s`}::interval order by host, pid, id`)

interface Parts {
  database: Pick<Database, 'system'>
  role: string
  /** Address of the server as clients see it, as this process has it. */
  publicUrl: string
  log: { warn(details: object, sentence: string): void }
}

/**
 * Lists this process among those that run, until `stop`. All processes of an installation must agree on PUBLIC_URL, and only by this
 * list can doctor name those that don't.
 */
export class ListedProcess {
  readonly #id = randomUUID()
  readonly #parts: Parts
  readonly #stopping = new AbortController()
  readonly #rounds: Promise<void>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#rounds = this.#run()
  }

  async #run() {
    const { signal } = this.#stopping
    let isFailing = false
    while (!signal.aborted) {
      isFailing = await this.#write().then(
        () => false,
        (error: unknown) => {
          if (!isFailing) this.#parts.log.warn({ err: error }, 'this process could not be listed for doctor')
          return true
        },
      )
      await sleep(SEEN_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #write() {
    const { database, role, publicUrl } = this.#parts
    await database.system(sql`
      with gone as (delete from directory.processes where seen_at < now() - interval '1 day')
      insert into directory.processes (id, host, pid, role, public_url, seen_at)
      values (${this.#id}, ${hostname()}, ${process.pid}, ${role}, ${publicUrl}, now())
      on conflict (id) do update set seen_at = excluded.seen_at`)
  }

  async stop() {
    this.#stopping.abort()
    await this.#rounds
    // A row that stays is not read for long.
    await this.#parts.database.system(sql`delete from directory.processes where id = ${this.#id}`).catch(() => {})
  }
}
