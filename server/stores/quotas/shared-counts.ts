import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { type Database, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { UNLIMITED } from '../directory/plans.ts'
import { learnLongRequests, type RunningRequests, SHARING_PROCESS, takeLongRequests } from './concurrency-limit.ts'
import type { FailedLogins, Failures } from './failed-logins.ts'
import type { ClientWindow, QuotaChanges, Quotas } from './quotas.ts'

/** The rest between two rounds. With the age of known counts in `Quotas` it makes a second at the most. */
const ROUND_MS = 400
/** Interval at which expired rows are deleted. */
const SWEEP_MS = 600_000
/** Addresses that are barred at once, of each kind of failed logins. */
const BARRED_MAX = 10_000

/** Failed logins that are counted apart from each other, by the prefix of their addresses in the database. */
type LoginKinds = Readonly<Record<string, FailedLogins>>

interface Parts {
  /** The database of the directory. */
  database: Pick<Database, 'system'>
  quotas: Quotas
  logins: LoginKinds
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** A window of a store at another process, beside the requests of the hour at all others. Without windows it has no client. */
type WindowRow = Omit<ClientWindow, 'clientId'> & { clientId: string | null; hour: number }

/** The failures of an address, with the prefix of its kind, and long requests, both as JSON. */
interface OthersRow {
  failing: readonly { address: string; failures: number }[]
  long: readonly RunningRequests[]
}

/**
 * Quotas, failed logins and long requests are counted in memory and shared among all processes. Twice a second each process writes
 * the counts that have changed, and reads those of the others. A store that was silent here for a moment may have sent requests to
 * the others, so its counts are read before its next request. So the cost does not grow with the rate of requests, and a limit that
 * is reached at one process holds at all of them within a second (docs/decisions/013-shared-counts.md). If the directory fails, each
 * process counts alone.
 */
export class SharedCounts {
  readonly #parts: Parts
  /** After a restart, the rows of the former process count as those of another process, so quotas survive. */
  readonly #process = randomUUID()
  /** An address with fewer failures is barred by none of the kinds. */
  readonly #leastFailures: number
  readonly #stopping = new AbortController()
  /** Stores whose counts are being read. */
  readonly #learning = new Map<number, Promise<void>>()
  /** The stores of the round that is under way. */
  #sharing: ReadonlySet<number> = new Set()
  /** The long requests that were written in the last round. */
  #long: readonly RunningRequests[] = []
  #sweptAt = performance.now()
  #isFailing = false

  constructor(parts: Parts) {
    this.#parts = parts
    const bounds = Object.values(parts.logins).map(({ max }) => max)
    this.#leastFailures = Math.min(...bounds.filter((max) => max > 0), UNLIMITED)
  }

  /** Shares until `stop`. */
  async start() {
    const { signal } = this.#stopping
    const pause = () => sleep(ROUND_MS, undefined, { signal, ref: false }).catch(() => {})
    for (await pause(); !signal.aborted; await pause()) {
      try {
        await this.share()
        this.#isFailing = false
      } catch (error) {
        // Logged once, because every request logs the fault of the directory too.
        if (!this.#isFailing && !signal.aborted)
          this.#parts.log.warn({ err: error }, 'quotas and failed logins are not shared with other processes')
        this.#isFailing = true
      }
    }
  }

  stop() {
    this.#stopping.abort()
  }

  /** Runs one round. */
  async share() {
    const { quotas, logins } = this.#parts
    const changes = quotas.takeChanges(performance.now())
    if (changes.minutes.length > 0) await this.#shareQuotas(changes)
    for (const [prefix, failedLogins] of Object.entries(logins)) {
      const failures = failedLogins.takeChanges(performance.now())
      if (failures.length > 0) await this.#writeFailures(prefix, failures)
    }
    await this.#writeLongRequests()
    await this.#readOthers()
    if (performance.now() - this.#sweptAt >= SWEEP_MS) await this.#sweep()
  }

  /**
   * Reads the counts of a store at other processes unless they are known. Never fails: without them this process counts alone.
   * @returns undefined if they are known, or if the round under way reads them
   */
  learn(storeId: number): Promise<void> | undefined {
    if (!this.#parts.quotas.isUnknown(storeId, performance.now()) || this.#sharing.has(storeId)) return undefined
    const known = this.#learning.get(storeId)
    if (known) return known
    const learning = this.#readStore(storeId)
      .catch(() => {})
      .finally(() => this.#learning.delete(storeId))
    this.#learning.set(storeId, learning)
    return learning
  }

  async #readStore(storeId: number) {
    const { database, quotas } = this.#parts
    const rows = await database.system<WindowRow>(
      prepared(sql`
      select ${storeId}::int as "storeId", client_id as "clientId", coalesce(quota, 0) as quota, coalesce(used, 0) as used,
        coalesce(extract(epoch from now() - started_at) * 1000, 0)::int as "ageMs",
        (select coalesce(sum(used), 0)::int from directory.quota_minutes
          where store_id = ${storeId} and process <> ${this.#process} and minute > extract(epoch from now()) / 60 - 60) as hour
      from (values (1)) one left join directory.quota_windows on store_id = ${storeId} and process <> ${this.#process}
        and started_at > now() - interval '30 s'`),
    )
    const windows = rows.flatMap(({ clientId, ...window }) => (clientId === null ? [] : [{ ...window, clientId }]))
    quotas.learnStore(storeId, { windows, hour: rows[0]?.hour ?? 0 }, performance.now())
  }

  async #shareQuotas(changes: QuotaChanges) {
    this.#sharing = new Set(changes.minutes.map(({ storeId }) => storeId))
    try {
      await this.#shareWindows(changes)
      await this.#shareMinutes(changes)
    } finally {
      this.#sharing = new Set()
    }
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

  async #writeFailures(prefix: string, failures: readonly Failures[]) {
    await this.#parts.database.system(sql`
      insert into directory.failed_logins (address, process, since, failures)
      select ${prefix} || address, ${this.#process}, now() - "ageMs" * interval '1 ms', failures
      from jsonb_to_recordset(${JSON.stringify(failures)}::jsonb) as changed (address text, "ageMs" float8, failures int)
      on conflict (address, process) do update set since = excluded.since, failures = excluded.failures
      returning 1`)
  }

  /** Writes the long requests of this process. Most requests are short, so there is mostly nothing to write. */
  async #writeLongRequests() {
    const long = takeLongRequests()
    const isStill = ({ kind, storeId }: RunningRequests) =>
      long.some((one) => one.kind === kind && one.storeId === storeId)
    const over = this.#long.filter((one) => !isStill(one))
    if (long.length === 0 && over.length === 0) return
    await this.#parts.database.system(sql`
      with ended as (
        delete from directory.running_requests request using jsonb_to_recordset(${JSON.stringify(over)}::jsonb) as over (kind text, "storeId" int)
        where request.store_id = over."storeId" and request.kind = over.kind and request.process = ${SHARING_PROCESS} returning 1
      )
      insert into directory.running_requests (store_id, kind, process, running, seen_at)
      select "storeId", kind, ${SHARING_PROCESS}, running, now()
      from jsonb_to_recordset(${JSON.stringify(long)}::jsonb) as long ("storeId" int, kind text, running int)
      on conflict (store_id, kind, process) do update set running = excluded.running, seen_at = excluded.seen_at
      returning 1`)
    this.#long = long
  }

  /** Reads the addresses that have failed too often at all processes together, and the long requests of the others. */
  async #readOthers() {
    const { database, logins } = this.#parts
    // The bars of this process end after a minute. Their rows must not begin them again.
    const [others] = await database.system<OthersRow>(
      prepared(sql`
      select (
        select coalesce(jsonb_agg(jsonb_build_object('address', address, 'failures', failures)), '[]') from (
          select address, sum(failures) as failures from directory.failed_logins where since > now() - interval '55 s'
          group by address having sum(failures) >= ${this.#leastFailures} and bool_or(process <> ${this.#process})
          order by failures desc limit ${BARRED_MAX}
        ) failing
      ) as failing, (
        select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'storeId', store_id, 'running', running)), '[]') from (
          select kind, store_id, sum(running) as running from directory.running_requests
          where process <> ${SHARING_PROCESS} and seen_at > now() - interval '2 s' group by kind, store_id
        ) long
      ) as long`),
    )
    if (!others) return
    const now = performance.now()
    for (const [prefix, failedLogins] of Object.entries(logins)) {
      for (const { address, failures } of others.failing) {
        const isOfKind = address.startsWith(prefix) && !address.slice(prefix.length).includes(' ')
        if (isOfKind && failures >= failedLogins.max) failedLogins.bar(address.slice(prefix.length), now)
      }
    }
    learnLongRequests(others.long)
  }

  async #sweep() {
    const { database } = this.#parts
    this.#sweptAt = performance.now()
    await database.system(sql`delete from directory.quota_windows where started_at < now() - interval '1 min'`)
    await database.system(sql`delete from directory.quota_minutes where minute < extract(epoch from now()) / 60 - 60`)
    await database.system(sql`delete from directory.failed_logins where since < now() - interval '1 min'`)
    await database.system(sql`delete from directory.running_requests where seen_at < now() - interval '1 min'`)
  }
}
