import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../core/clock.ts'
import { DatabaseUnavailable, type Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { eventNews } from '../../../core/events/publish.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { VERSION } from '../../../core/version.ts'
import type { Accounts } from '../../../stores/accounts/accounts.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { type Claim, type ClaimedLane, claim, type Delivery } from '../queue/claims.ts'
import { Dispatcher } from '../queue/dispatcher.ts'
import { type DueHook, dueHooks, dueNews, isAnyDue } from '../queue/due-hooks.ts'
import { LEASE_MS } from '../queue/lanes.ts'
import { type Attempt, complete, type LaneReport, tellException } from '../queue/reports.ts'
import { hostOf } from '../sending/destination.ts'
import { eventId } from '../sending/event-id.ts'
import { type HostWork, Pacer } from '../sending/pacer.ts'
import { payloadOf, signatureHeaders } from '../sending/payload.ts'
import type { Sender, SendingOutcome } from '../sending/sender.ts'
import { BLOCK_MS, SuccessRatio } from '../sending/success-ratio.ts'
import { Bell } from './wakeup.ts'

const POLL_MS = 100
/** How often to look when nothing was found for a while. Events of other processes still leave within a quarter of a second. */
const QUIET_POLL_MS = 200
const QUIET_AFTER_MS = 5_000
/** While the database is away, it is logged once a second and not ten times. */
const AFTER_FAILURE_MS = 1_000
const CLAIMS_SIDE_BY_SIDE = 4
/** The longest exchange takes 10 s, and a second more is spare. If less of the lease is left, no exchange is begun. */
const EXCHANGE_MS = 11_000
/** Events that are published within this time are handed out together. */
const GATHER_MS = 5
/** Reports that come in within this time are written together: nobody waits for them. */
const GATHER_REPORTS_MS = 20
const REPORTS_MAX = 100
const WRITES_MAX = 3
/** A client's secrets are read again after this time. */
const SECRETS_MS = 1_000
const REPORT_AGAIN_MS = 600_000
const REMEMBERED_MAX = 10_000

export interface WorkerParts {
  directory: Directory
  accounts: Accounts
  secrets: Secrets
  sender: Pick<Sender, 'send'>
  clock: Clock
  log: Pick<FastifyBaseLogger, 'error'>
  /** Spread of the delays between attempts, such as 0.1; 0 in tests and in the sandbox. */
  jitter: number
}

/** Dispatches events and sends callbacks, until it is stopped. Any number of processes may do so. */
export class Worker {
  /** Number of attempts that this process has made, by outcome. */
  readonly attempts = new Map<string, number>()
  readonly #parts: WorkerParts
  readonly #dispatcher: Dispatcher
  readonly #pacer = new Pacer()
  readonly #ratios = new Map<string, SuccessRatio>()
  readonly #reportedAt = new Map<string, number>()
  /** Secrets of clients that were read lately, by store and client. */
  readonly #secrets = new Map<string, { secrets: Promise<readonly string[]>; until: number }>()
  /** Reports that are not written yet, by store. */
  readonly #reports = new Map<number, { db: Db; reports: LaneReport[] }>()
  /** Writes under way, by store: a store with many reports delays no other. */
  readonly #writing = new Map<number, Promise<void>>()
  readonly #undispatched = new Bell()
  readonly #due = new Bell()
  /** Whether something may be due that there was no room for. */
  #isMoreDue = true
  #stopping = new AbortController()
  #loops: Promise<void>[] = []

  constructor(parts: WorkerParts) {
    this.#parts = parts
    this.#dispatcher = new Dispatcher(parts.directory, parts.log, {
      free: (host) => this.#pacer.free(host),
      send: (db, claim, claimedAt) => this.#offer(db, claim, claimedAt),
    })
  }

  start() {
    eventNews.on('published', this.#hear)
    dueNews.on('due', this.#hearDue)
    this.#loops = [
      this.#loop(this.#undispatched, () => this.#handOut()),
      this.#loop(this.#due, () => this.sendDue()),
      this.#watch(),
    ]
  }

  /** Begins nothing new, lets callbacks in flight end and writes what became of them. */
  async stop() {
    eventNews.off('published', this.#hear)
    dueNews.off('due', this.#hearDue)
    this.#stopping.abort()
    this.#undispatched.ring()
    this.#due.ring()
    await Promise.all(this.#loops)
    await this.idle()
  }

  /** Success ratios, from 0 to 1, of the hosts that this process has sent to in the last two minutes. */
  successRatios(): Map<string, number> {
    const now = this.#parts.clock.now().getTime()
    const hosts = new Map<string, { sent: number; failed: number }>()
    for (const [key, ratio] of this.#ratios) {
      const { sent, failed } = ratio.counts(now)
      const host = key.slice(key.lastIndexOf(' ') + 1)
      const of = hosts.get(host) ?? { sent: 0, failed: 0 }
      if (sent > 0) hosts.set(host, { sent: of.sent + sent, failed: of.failed + failed })
    }
    return new Map([...hosts].map(([host, { sent, failed }]) => [host, (sent - failed) / sent]))
  }

  /** Waits until nothing is in flight and everything is written. */
  async idle() {
    while (this.#pacer.active + this.#reports.size + this.#writing.size > 0) await sleep(GATHER_MS)
  }

  readonly #hear = (storeId: number) => {
    this.#dispatcher.tell(storeId)
    this.#undispatched.ring()
  }

  readonly #hearDue = () => this.#due.ring()

  /** Takes turns as long as there is work, then waits for the bell. */
  async #loop(bell: Bell, turn: () => Promise<boolean>) {
    while (!this.#stopping.signal.aborted) {
      const began = performance.now()
      let least = 0
      const more = await turn().catch((error) => {
        this.#parts.log.error({ err: error }, 'webhooks could not be worked on')
        least = AFTER_FAILURE_MS
        return false
      })
      if (more || this.#stopping.signal.aborted) continue
      // A look that took long is followed by four times as long a rest, so that looks take at most a fifth of the time.
      bell.rest(Math.max(least, 4 * (performance.now() - began)))
      await bell.heard()
      // Waits a moment, so that events that are published together are handed out together.
      await sleep(GATHER_MS)
    }
  }

  /** Looks again and again for events of other processes and for due hooks, with one statement for both. */
  async #watch() {
    let foundAt = performance.now()
    while (!this.#stopping.signal.aborted) {
      const began = performance.now()
      let least = began - foundAt < QUIET_AFTER_MS ? POLL_MS : QUIET_POLL_MS
      try {
        if (await this.#look()) foundAt = began
      } catch {
        // The loops find the same error and log it.
        this.#dispatcher.tell()
        this.#undispatched.ring()
        this.#due.ring()
        least = AFTER_FAILURE_MS
      }
      const rest = Math.max(least, 4 * (performance.now() - began))
      await sleep(rest, undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  /** @returns whether there is work */
  async #look(): Promise<boolean> {
    let isAny = false
    for (const { system } of this.#parts.directory.cells) {
      const [found] = await system.system<{ undispatched: boolean; due: boolean }>(sql`
        select exists (select 1 from event_streams where last_seq > dispatched_seq) as undispatched,
          ${isAnyDue(system.present, this.#pacer.doors())} as due`)
      if (found?.undispatched) {
        this.#dispatcher.tell()
        this.#undispatched.ringIfRested()
      }
      if (found?.due) this.#due.ringIfRested()
      isAny ||= found?.undispatched === true || found?.due === true
    }
    return isAny
  }

  async #handOut(): Promise<boolean> {
    await this.#dispatcher.handOut()
    return this.#dispatcher.hasWork
  }

  /** Sends what is due, as far as there is room. @returns whether to look again at once */
  async sendDue(): Promise<boolean> {
    this.#forget()
    let taken = 0
    this.#isMoreDue = false
    for (const { system } of this.#parts.directory.cells) {
      const doors = this.#pacer.doors()
      const due = await system.system<DueHook>(dueHooks(system.present, doors))
      this.#isMoreDue ||= due.length > 0 || doors.closed.length > 0 || doors.onlyOpen !== undefined
      while (due.length > 0) {
        // Asked for each batch: hooks taken before may have filled the host.
        const next = takeWhere(due, CLAIMS_SIDE_BY_SIDE, ({ host }) => host === '' || this.#pacer.room(host) > 0)
        const counts = await Promise.all(next.map((hook) => this.#takeOrLog(hook)))
        taken += counts.reduce((sum, count) => sum + count, 0)
      }
    }
    return taken > 0
  }

  /** A hook that fails is logged, and the others go on. */
  async #takeOrLog(due: DueHook): Promise<number> {
    try {
      return await this.#take(due)
    } catch (error) {
      this.#parts.log.error({ err: error, store: due.store_id, hook: due.hook_id }, 'a webhook could not be worked on')
      return 0
    }
  }

  /** @returns how many lanes of the hook were taken */
  async #take(due: DueHook): Promise<number> {
    const db = await this.#parts.directory.dbById(due.store_id)
    if (!db) return 0
    const began = performance.now()
    const claimed = await db.transaction((tx) => claim(tx, due.hook_id, (host) => this.#pacer.room(host)))
    if (!claimed) return 0
    await this.#offer(db, claimed, began)
    return claimed.lanes.length
  }

  /** Has the lanes of a claim sent. @param claimedAt before the leases began, by the monotonic clock */
  async #offer(db: Db, claimed: Claim, claimedAt: number) {
    const { hook, lanes } = claimed
    const secrets = this.#secretsOf(db, hook.client_id)
    // If they can't be read, each delivery fails with that reason.
    await Promise.allSettled([secrets])
    const latest = claimedAt + LEASE_MS - EXCHANGE_MS
    this.#pacer.offer(
      lanes.map((lane) => ({
        host: hostOf(hook.destination),
        client: `${db.store.id} ${hook.client_id}`,
        run: (watched) =>
          this.#sendLane(db, claimed, lane, { secrets, watched, latest }).catch((error) =>
            // When the lease ends, the attempt is made again.
            this.#parts.log.error({ err: error, store: db.store.id, hook: hook.id }, 'a callback could not be sent'),
          ),
      })),
    )
  }

  /** The secrets that sign a client's callbacks, from memory for a second. */
  #secretsOf(db: Db, clientId: string): Promise<readonly string[]> {
    const key = `${db.store.id} ${clientId}`
    const now = performance.now()
    const known = this.#secrets.get(key)
    if (known && now < known.until) return known.secrets
    const secrets = this.#parts.accounts.secretsOf(db.store, clientId)
    this.#secrets.set(key, { secrets, until: now + SECRETS_MS })
    secrets.catch(() => this.#secrets.delete(key))
    return secrets
  }

  /** Sends the deliveries of a lane one after the other, up to the first failure. */
  async #sendLane(db: Db, { hook, slot }: Claim, lane: ClaimedLane, turn: Turn) {
    const attempts: Attempt[] = []
    for (const delivery of lane.deliveries) {
      // A process that was frozen finds its lease over, and sends nothing.
      if (performance.now() > turn.latest || this.#stopping.signal.aborted) break
      const startedAt = this.#parts.clock.now()
      const began = performance.now()
      const outcome = await this.#send(db, hook, lane.resource, delivery, startedAt, turn)
      attempts.push({ delivery, startedAt, durationMs: performance.now() - began, outcome })
      const kind = outcome.ok ? 'delivered' : outcome.reason
      this.attempts.set(kind, (this.attempts.get(kind) ?? 0) + 1)
      if (wasTried(outcome)) await this.#noteRatio(db, hook, outcome.ok)
      if (!outcome.ok && !outcome.isOver) break
    }
    const mayTell = this.#mayTell(`${db.store.id} ${hook.destination}`, attempts)
    this.#report(db, { hook, lane, slot, attempts, mayTell, random: Math.random() })
  }

  /** Makes and sends one callback. A fault of the hook or the event is an outcome too: its client sees it, and the schedule goes on. */
  async #send(
    db: Db,
    hook: Claim['hook'],
    lane: string,
    delivery: Delivery,
    startedAt: Date,
    turn: Turn,
  ): Promise<SendingOutcome> {
    const { event, seq, attempt } = delivery
    if (!event) return { ok: false, reason: 'expired', message: 'The event is no longer kept.', isOver: true }
    try {
      const secrets = await turn.secrets.catch(unsendable('The secret that signs it can not be read.'))
      if (secrets.length === 0) return WITHOUT_ACCOUNT
      const ownHeaders = await Promise.try(() => JSON.parse(this.#parts.secrets.unseal(hook.headers))).catch(
        unsendable('The headers of the webhook can not be read.'),
      )
      const id = eventId({ ...event, seq })
      const body = payloadOf({ ...event, id, storeId: db.store.id, storeHash: db.store.hash })
      const headers = {
        ...ownHeaders,
        'user-agent': `storeward-webhooks/${VERSION}`,
        'x-svc-attempt': String(attempt),
        'x-svc-hook-id': String(hook.id),
        ...(lane.startsWith('test ') ? { 'x-svc-test': 'true' } : {}),
        ...signatureHeaders(id, startedAt, body, secrets),
      }
      const { destination } = hook
      return await turn.watched(() => this.#parts.sender.send({ destination, headers, body }, startedAt))
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      this.#parts.log.error({ err: error, store: db.store.id, hook: hook.id }, 'a callback could not be made')
      const message = error instanceof Unsendable ? error.message : 'The server has logged why it could not be sent.'
      return { ok: false, reason: 'unsendable', message }
    }
  }

  /** Counts a callback, and blocks the host if its success ratio is too low. */
  async #noteRatio(db: Db, hook: Claim['hook'], ok: boolean) {
    const host = hostOf(hook.destination)
    const key = `${db.store.id} ${hook.client_id} ${host}`
    const ratio = this.#ratios.get(key) ?? new SuccessRatio()
    this.#ratios.set(key, ratio)
    const now = this.#parts.clock.now()
    if (!ratio.note(now.getTime(), ok)) return
    const reasons = [
      {
        failure_description: 'The success ratio fell below 90 %.',
        count: 1,
        timestamp: Math.floor(now.getTime() / 1_000),
      },
    ]
    await db.transaction(async (tx) => {
      await tx.rows(sql`
        insert into host_blocks (store_id, client_id, host, blocked_until, reasons)
        values (${tx.store.id}, ${hook.client_id}, ${host}, ${tx.present} + ${BLOCK_MS} * interval '1 millisecond',
          ${JSON.stringify(reasons)})
        on conflict (store_id, client_id, host) do update set blocked_until = excluded.blocked_until, reasons = excluded.reasons`)
      tellException(tx, hook, 90003, `Callbacks to ${host} are blocked for ${BLOCK_MS / 1_000} s: too many failed.`)
    })
  }

  /** Bounds what is remembered of destinations and hosts, which come and go. */
  #forget() {
    const now = this.#parts.clock.now().getTime()
    if (this.#reportedAt.size > REMEMBERED_MAX) {
      for (const [key, at] of this.#reportedAt) if (now - at >= REPORT_AGAIN_MS) this.#reportedAt.delete(key)
    }
    if (this.#secrets.size > REMEMBERED_MAX) this.#secrets.clear()
    if (this.#ratios.size > REMEMBERED_MAX) {
      for (const [key, ratio] of this.#ratios) if (ratio.counts(now).sent === 0) this.#ratios.delete(key)
    }
  }

  /** Whether the client may be told of a failure: once in ten minutes for each destination. */
  #mayTell(destination: string, attempts: readonly Attempt[]): boolean {
    const now = this.#parts.clock.now().getTime()
    if (
      attempts.every(({ outcome }) => outcome.ok) ||
      now - (this.#reportedAt.get(destination) ?? Number.NEGATIVE_INFINITY) < REPORT_AGAIN_MS
    )
      return false
    this.#reportedAt.set(destination, now)
    return true
  }

  #report(db: Db, report: LaneReport) {
    const ofStore = this.#reports.get(db.store.id) ?? { db, reports: [] }
    this.#reports.set(db.store.id, ofStore)
    ofStore.reports.push(report)
    if (!this.#writing.has(db.store.id)) this.#writing.set(db.store.id, this.#write(db.store.id))
  }

  /** Writes the reports of a store, until there are no more. Waits a moment first, so that they are written together. */
  async #write(store: number) {
    await sleep(GATHER_REPORTS_MS)
    for (let ofStore = this.#reports.get(store); ofStore; ofStore = this.#reports.get(store)) {
      const reports = ofStore.reports.splice(0, REPORTS_MAX)
      if (ofStore.reports.length === 0) this.#reports.delete(store)
      await this.#complete(ofStore.db, reports)
      // There is room again.
      if (this.#isMoreDue) this.#due.ring()
    }
    this.#writing.delete(store)
  }

  /** Writes reports, and tries a few times if the database can't answer. Callbacks without an outcome are sent again when the lease ends. */
  async #complete(db: Db, reports: readonly LaneReport[]) {
    for (let left = WRITES_MAX - 1; ; left--) {
      try {
        return await db.transaction((tx) => complete(tx, reports, this.#parts.jitter))
      } catch (error) {
        if (left > 0 && error instanceof DatabaseUnavailable) continue
        this.#parts.log.error({ err: error }, 'outcomes of callbacks could not be written')
        return
      }
    }
  }
}

/** The turn of a lane at the pacer. */
interface Turn {
  /** The secrets that sign its callbacks. */
  secrets: Promise<readonly string[]>
  watched: Parameters<HostWork['run']>[0]
  /** When the last callback may begin, by the monotonic clock. */
  latest: number
}

/** A callback that can't be made, with a sentence for its client. */
class Unsendable extends Error {}

/** @throws Unsendable, or what else is wrong if the database can't answer */
const unsendable = (message: string) => (cause: unknown) => {
  throw cause instanceof DatabaseUnavailable ? cause : new Unsendable(message, { cause })
}

/** Without an account there is no secret, and nothing is sent unsigned. The hook is deleted with the account, in a moment. */
const WITHOUT_ACCOUNT: SendingOutcome = {
  ok: false,
  reason: 'unsendable',
  message: 'The account of the webhook is deleted.',
  isOver: true,
}

/** Whether something was sent, or refused for its destination. */
const wasTried = (outcome: SendingOutcome) =>
  outcome.ok || (outcome.reason !== 'expired' && outcome.reason !== 'unsendable')

/** Takes the first `max` items that are welcome off a list, and drops those before them that are not. */
function takeWhere<T>(list: T[], max: number, isWelcome: (item: T) => boolean): T[] {
  const taken: T[] = []
  while (list.length > 0 && taken.length < max) {
    const [item] = list.splice(0, 1)
    if (item !== undefined && isWelcome(item)) taken.push(item)
  }
  return taken
}
