import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { FailedLogins } from './failed-logins.ts'
import type { ClientWindow, QuotaChanges, Quotas } from './quotas.ts'

const ROUND_MS = 1_000
/** Interval at which expired rows are deleted. */
const SWEEP_MS = 600_000

interface Parts {
  /** The database of the directory. */
  database: Pick<Database, 'system'>
  quotas: Quotas
  failedLogins: FailedLogins
  log: Pick<FastifyBaseLogger, 'warn'>
}

/**
 * Quotas and failed logins are counted in memory and shared among all processes. Once a second each process writes the counts of
 * clients that sent requests in that second, and reads the counts of the others. So the cost does not grow with the rate of
 * requests, and a client that spreads its requests is known everywhere within a second or two
 * (docs/decisions/013-shared-counts.md). If the directory fails, each process counts alone.
 */
export class SharedCounts {
  readonly #parts: Parts
  /** After a restart, the rows of the former process count as those of another process, so quotas survive. */
  readonly #process = randomUUID()
  readonly #stopping = new AbortController()
  #sweptAt = performance.now()
  #isFailing = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Shares once a second until `stop`. */
  async start() {
    const { signal } = this.#stopping
    const pause = () => sleep(ROUND_MS, undefined, { signal, ref: false }).catch(() => {})
    for (await pause(); !signal.aborted; await pause()) {
      try {
        await this.share()
        this.#isFailing = false
      } catch (error) {
        // Logged once, because every request logs the fault of the directory too.
        if (!this.#isFailing)
          this.#parts.log.warn({ err: error }, 'quotas and failed logins are not shared with other processes')
        this.#isFailing = true
      }
    }
  }

  stop() {
    this.#stopping.abort()
  }

  /** Runs one round. Sends nothing if there were no requests since the last one. */
  async share() {
    const { quotas, failedLogins } = this.#parts
    const changes = quotas.takeChanges(performance.now())
    if (changes.minutes.length > 0) await this.#shareWindows(changes)
    if (changes.minutes.length > 0) await this.#shareMinutes(changes)
    const failures = failedLogins.takeChanges(performance.now())
    if (failures.length > 0) await this.#shareFailures(failures)
    if (performance.now() - this.#sweptAt >= SWEEP_MS) await this.#sweep()
  }

  async #shareWindows({ windows, minutes }: QuotaChanges) {
    const { database, quotas } = this.#parts
    const storeIds = [...new Set(minutes.map(({ storeId }) => storeId))]
    const elsewhere = await database.system<ClientWindow>(sql`
      with stored as (
        insert into directory.quota_windows (store_id, client_id, process, started_at, quota, used)
        select "storeId", "clientId", ${this.#process}, now() - "ageMs" * interval '1 ms', quota, used
        from jsonb_to_recordset(${JSON.stringify(windows)}::jsonb)
          as changed ("storeId" int, "clientId" text, "ageMs" float8, quota int, used int)
        on conflict (store_id, client_id, process) do update set
          started_at = excluded.started_at, quota = excluded.quota, used = excluded.used
        returning 1
      )
      select store_id as "storeId", client_id as "clientId", quota, used,
        (extract(epoch from now() - started_at) * 1000)::int as "ageMs"
      from directory.quota_windows
      where store_id = any(${storeIds}) and process <> ${this.#process} and started_at > now() - interval '30 s'`)
    quotas.learnWindows(storeIds, elsewhere, performance.now())
  }

  async #shareMinutes({ minutes, unknownHours }: QuotaChanges) {
    const { database, quotas } = this.#parts
    const elsewhere = await database.system<{ store_id: number; used: number }>(sql`
      with stored as (
        insert into directory.quota_minutes (store_id, minute, process, used)
        select "storeId", minute, ${this.#process}, used
        from jsonb_to_recordset(${JSON.stringify(minutes)}::jsonb) as changed ("storeId" int, minute int, used int)
        on conflict (store_id, minute, process) do update set used = excluded.used
        returning 1
      )
      select store_id, sum(used)::int as used from directory.quota_minutes
      where store_id = any(${unknownHours}) and process <> ${this.#process}
        and minute > extract(epoch from now()) / 60 - 60
      group by store_id`)
    const used = new Map(elsewhere.map((row) => [row.store_id, row.used]))
    for (const storeId of unknownHours) quotas.learnHour(storeId, used.get(storeId) ?? 0, performance.now())
  }

  async #shareFailures(failures: ReturnType<FailedLogins['takeChanges']>) {
    const { database, failedLogins } = this.#parts
    const elsewhere = await database.system<{ address: string; failures: number }>(sql`
      with stored as (
        insert into directory.failed_logins (address, process, since, failures)
        select address, ${this.#process}, now() - "ageMs" * interval '1 ms', failures
        from jsonb_to_recordset(${JSON.stringify(failures)}::jsonb) as changed (address text, "ageMs" float8, failures int)
        on conflict (address, process) do update set since = excluded.since, failures = excluded.failures
        returning 1
      )
      select address, sum(failures)::int as failures from directory.failed_logins
      where address = any(${failures.map(({ address }) => address)}) and process <> ${this.#process}
        and since > now() - interval '1 min'
      group by address`)
    for (const row of elsewhere) failedLogins.learn(row.address, row.failures, performance.now())
  }

  async #sweep() {
    const { database } = this.#parts
    this.#sweptAt = performance.now()
    await database.system(sql`delete from directory.quota_windows where started_at < now() - interval '1 min'`)
    await database.system(sql`delete from directory.quota_minutes where minute < extract(epoch from now()) / 60 - 60`)
    await database.system(sql`delete from directory.failed_logins where since < now() - interval '1 min'`)
  }
}
