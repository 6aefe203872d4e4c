import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { DatabaseUnavailable, type Db } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { news } from '../core/events/publish.ts'
import type { Secrets } from '../core/secrets.ts'
import { VERSION } from '../core/version.ts'
import type { Accounts } from '../stores/accounts.ts'
import type { Directory } from '../stores/directory.ts'
import { type Claim, type ClaimedLane, claim, LEASE_MS } from './claim.ts'
import { complete, type Returned, type Sent, tellException } from './complete.ts'
import { dispatch } from './dispatcher.ts'
import { eventId } from './event-id.ts'
import { Pacer } from './pacer.ts'
import { payloadOf, signatureHeaders } from './payload.ts'
import type { Sender } from './sender.ts'
import { BLOCK_MS, SuccessRatio } from './success-ratio.ts'

const POLL_MS = 100
/** Where nothing was found for a while, looking half as often still leaves an event of another process its quarter of a second. */
const QUIET_POLL_MS = 200
const QUIET_AFTER_MS = 5_000
/** While the database is gone, that is said once a second and not ten times. */
const AFTER_FAILURE_MS = 1_000
const HOOKS_AT_ONCE = 200
const CLAIMS_SIDE_BY_SIDE = 4
/** An exchange takes 10 s at most: with less than that and a second left of the lease, nothing is begun. */
const EXCHANGE_MS = 11_000
/** Lanes that come back within this time are written together. */
const GATHER_MS = 5
const GATHER_MAX = 100
const WRITES_MAX = 3
const TOLD_AGAIN_MS = 600_000
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
  /** Attempts that this process has made, by what came of them. */
  readonly attempts = new Map<string, number>()
  readonly #parts: WorkerParts
  readonly #pacer = new Pacer()
  readonly #ratios = new Map<string, SuccessRatio>()
  readonly #toldAt = new Map<string, number>()
  /** Where a hook's callbacks went last: a full host is passed over without a look into the database. */
  readonly #hosts = new Map<string, string>()
  readonly #returned = new Map<number, { db: Db; lanes: Returned[] }>()
  /** Under way, by store: a store with much to write holds up no other. */
  readonly #writing = new Map<number, Promise<void>>()
  readonly #undispatched = new Bell()
  readonly #due = new Bell()
  #stopping = new AbortController()
  #loops: Promise<void>[] = []

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  start() {
    news.on('published', this.#nudge)
    this.#loops = [
      this.#loop(this.#undispatched, () => this.#handOut()),
      this.#loop(this.#due, () => this.sendDue()),
      this.#watch(),
    ]
  }

  /** Begins nothing new, lets callbacks in flight end and writes what became of them. */
  async stop() {
    news.off('published', this.#nudge)
    this.#stopping.abort()
    this.#nudge()
    await Promise.all(this.#loops)
    await this.idle()
  }

  /** The hosts that this process has sent to in the last two minutes, with the part of the callbacks that were taken. */
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

  /** Until nothing is in flight and everything is written. */
  async idle() {
    while (this.#pacer.active + this.#returned.size + this.#writing.size > 0) await sleep(GATHER_MS)
  }

  readonly #nudge = () => {
    this.#undispatched.ring()
    this.#due.ring()
  }

  /** Turn after turn; when there is nothing to do, until the bell rings. */
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
      // A turn that takes long, because thousands of hooks have something waiting, is not taken more often than every fifth.
      bell.rest(Math.max(least, 4 * (performance.now() - began)))
      await bell.heard()
      // What comes together is taken together.
      await sleep(GATHER_MS)
    }
  }

  /** Looks for what other processes have published and for what has become due, with one statement for both. */
  async #watch() {
    let foundAt = performance.now()
    while (!this.#stopping.signal.aborted) {
      const began = performance.now()
      let least = began - foundAt < QUIET_AFTER_MS ? POLL_MS : QUIET_POLL_MS
      try {
        if (await this.#look()) foundAt = began
      } catch {
        // The loops say what is wrong.
        this.#nudge()
        least = AFTER_FAILURE_MS
      }
      const rest = Math.max(least, 4 * (performance.now() - began))
      await sleep(rest, undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  /** @returns whether there was anything */
  async #look(): Promise<boolean> {
    let isAny = false
    for (const { system } of this.#parts.directory.cells) {
      const [found] = await system.system<{ undispatched: boolean; due: boolean }>(sql`
        select exists (select from event_streams where last_seq > dispatched_seq) as undispatched,
          exists (${heads} select from head where due_at <= ${this.#parts.clock.now()}) as due`)
      if (found?.undispatched) this.#undispatched.ringIfRested()
      if (found?.due) this.#due.ringIfRested()
      isAny ||= found?.undispatched === true || found?.due === true
    }
    return isAny
  }

  /** What was handed out is due: the loop that sends does not wait for its next look. */
  async #handOut(): Promise<boolean> {
    const handedOut = await dispatch(this.#parts.directory)
    if (handedOut > 0) this.#nudge()
    return handedOut > 0
  }

  /** Sends what is due, as far as there is room. @returns whether to look again at once */
  async sendDue(): Promise<boolean> {
    this.#forget()
    let taken = 0
    for (const cell of this.#parts.directory.cells) {
      const due = await cell.system.system<DueHook>(dueHooks(this.#parts.clock.now()))
      const waiting = due.filter((hook) => this.#pacer.room(this.#hosts.get(keyOf(hook)) ?? '') > 0)
      for (let i = 0; i < waiting.length; i += CLAIMS_SIDE_BY_SIDE) {
        const counts = await Promise.all(waiting.slice(i, i + CLAIMS_SIDE_BY_SIDE).map((hook) => this.#take(hook)))
        taken += counts.reduce((sum, count) => sum + count, 0)
      }
    }
    return taken > 0
  }

  /** @returns how many lanes of the hook were taken */
  async #take(due: DueHook): Promise<number> {
    const db = await this.#parts.directory.dbById(due.store_id)
    if (!db) return 0
    const began = performance.now()
    const claimed = await db.transaction((tx) =>
      claim(tx, due.hook_id, (hook) => this.#pacer.room(new URL(hook.destination).host)),
    )
    if (!claimed) return 0
    const host = new URL(claimed.hook.destination).host
    this.#hosts.set(keyOf(due), host)
    const secrets = await this.#parts.accounts.secretsOf(db.store, claimed.hook.client_id)
    const client = `${db.store.id} ${claimed.hook.client_id}`
    this.#pacer.offer(
      claimed.lanes.map((lane) => ({
        host,
        client,
        run: () =>
          this.#sendLane(db, claimed, lane, secrets, began + LEASE_MS - EXCHANGE_MS).catch((error) =>
            // Ours to mend, and nobody waits for it: the lease ends, and the attempt is made again.
            this.#parts.log.error(
              { err: error, store: db.store.id, hook: due.hook_id },
              'a callback could not be sent',
            ),
          ),
      })),
    )
    return claimed.lanes.length
  }

  /** One after the other, up to the first failure. @param latest when the last callback may begin, by the monotonic clock */
  async #sendLane(db: Db, { hook, slot }: Claim, lane: ClaimedLane, secrets: readonly string[], latest: number) {
    const sent: Sent[] = []
    for (const delivery of lane.deliveries) {
      // Whoever was frozen and thaws finds the lease gone, and sends nothing.
      if (performance.now() > latest || this.#stopping.signal.aborted) break
      const startedAt = this.#parts.clock.now()
      const began = performance.now()
      const id = eventId(delivery)
      const body = payloadOf({ ...delivery, id, storeId: db.store.id, storeHash: db.store.hash })
      const outcome = await this.#parts.sender.send(
        {
          destination: hook.destination,
          headers: {
            ...JSON.parse(this.#parts.secrets.unseal(hook.headers)),
            'user-agent': `storeward-webhooks/${VERSION}`,
            'x-svc-attempt': String(delivery.attempt),
            'x-svc-hook-id': String(hook.id),
            ...(lane.resource.startsWith('test ') ? { 'x-svc-test': 'true' } : {}),
            ...signatureHeaders(id, startedAt, body, secrets),
          },
          body,
        },
        startedAt,
      )
      sent.push({ delivery, startedAt, durationMs: performance.now() - began, outcome })
      const kind = outcome.ok ? 'delivered' : outcome.reason
      this.attempts.set(kind, (this.attempts.get(kind) ?? 0) + 1)
      await this.#judge(db, hook, outcome.ok)
      if (!outcome.ok) break
    }
    const mayTell = this.#mayTell(`${db.store.id} ${hook.destination}`, sent)
    this.#gather(db, { hook, lane, slot, sent, mayTell, random: Math.random() })
  }

  /** Blocks a host whose success ratio is too low, and tells the client. */
  async #judge(db: Db, hook: Claim['hook'], ok: boolean) {
    const { host } = new URL(hook.destination)
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
        values (${tx.store.id}, ${hook.client_id}, ${host}, ${new Date(now.getTime() + BLOCK_MS)}, ${JSON.stringify(reasons)})
        on conflict (store_id, client_id, host) do update set blocked_until = excluded.blocked_until, reasons = excluded.reasons`)
      tellException(tx, hook, 90003, `Callbacks to ${host} are blocked for ${BLOCK_MS / 1_000} s: too many failed.`)
    })
  }

  /** Hooks and hosts come and go: what is remembered of them stays bounded. */
  #forget() {
    const now = this.#parts.clock.now().getTime()
    if (this.#hosts.size > REMEMBERED_MAX) this.#hosts.clear()
    if (this.#toldAt.size > REMEMBERED_MAX) {
      for (const [key, at] of this.#toldAt) if (now - at >= TOLD_AGAIN_MS) this.#toldAt.delete(key)
    }
    if (this.#ratios.size > REMEMBERED_MAX) {
      for (const [key, ratio] of this.#ratios) if (ratio.counts(now).sent === 0) this.#ratios.delete(key)
    }
  }

  /** At most once in ten minutes for each destination. */
  #mayTell(destination: string, sent: readonly Sent[]): boolean {
    const now = this.#parts.clock.now().getTime()
    if (
      sent.every(({ outcome }) => outcome.ok) ||
      now - (this.#toldAt.get(destination) ?? Number.NEGATIVE_INFINITY) < TOLD_AGAIN_MS
    )
      return false
    this.#toldAt.set(destination, now)
    return true
  }

  #gather(db: Db, lane: Returned) {
    const of = this.#returned.get(db.store.id) ?? { db, lanes: [] }
    this.#returned.set(db.store.id, of)
    of.lanes.push(lane)
    if (!this.#writing.has(db.store.id)) this.#writing.set(db.store.id, this.#write(db.store.id))
  }

  /** Writes what came back to a store: a moment later, so that it is written together, and again while more comes back. */
  async #write(store: number) {
    await sleep(GATHER_MS)
    for (let of = this.#returned.get(store); of; of = this.#returned.get(store)) {
      const lanes = of.lanes.splice(0, GATHER_MAX)
      if (of.lanes.length === 0) this.#returned.delete(store)
      await this.#complete(of.db, lanes)
      this.#nudge()
    }
    this.#writing.delete(store)
  }

  /** Where the database can't answer, a few times: what is not written is sent again when the lease ends. */
  async #complete(db: Db, lanes: readonly Returned[]) {
    for (let left = WRITES_MAX - 1; ; left--) {
      try {
        return await db.transaction((tx) => complete(tx, lanes, this.#parts.jitter))
      } catch (error) {
        if (left > 0 && error instanceof DatabaseUnavailable) continue
        this.#parts.log.error({ err: error }, 'outcomes of callbacks could not be written')
        return
      }
    }
  }
}

/** Calls a loop that waits. Whoever is not waiting does not hear it, and looks by itself before it waits. */
class Bell {
  #listener: (() => void) | undefined
  #restedAt = 0

  /** Before that, the loop is only called for news. */
  rest(ms: number) {
    this.#restedAt = performance.now() + ms
  }

  heard(): Promise<void> {
    return new Promise((resolve) => {
      this.#listener = resolve
    })
  }

  ring() {
    this.#listener?.()
    this.#listener = undefined
  }

  ringIfRested() {
    if (performance.now() >= this.#restedAt) this.ring()
  }
}

interface DueHook {
  store_id: number
  hook_id: number
}

const keyOf = ({ store_id, hook_id }: DueHook) => `${store_id} ${hook_id}`

/**
 * The hooks that have lanes, each with the time when the first of them is due, found by jumping from hook to hook in the index:
 * it costs what there are hooks with lanes, however many lanes each has.
 */
export const heads = sql`
  with recursive head as (
    (select store_id, hook_id, due_at from lanes order by store_id, hook_id, due_at limit 1)
    union all
    select next.* from head cross join lateral (
      select store_id, hook_id, due_at from lanes
      where (store_id, hook_id) > (head.store_id, head.hook_id) order by store_id, hook_id, due_at limit 1
    ) next
  )`

const dueHooks = (now: Date) => sql`
  ${heads} select store_id, hook_id from head where due_at <= ${now} order by due_at limit ${HOOKS_AT_ONCE}`
