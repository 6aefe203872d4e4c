import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../core/clock.ts'
import { sql } from '../../../core/db/sql.ts'
import { eventNews } from '../../../core/events/publish.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import type { Accounts } from '../../../stores/accounts/accounts.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { Dispatcher } from '../queue/dispatcher.ts'
import { dueNews, isAnyDue } from '../queue/due-hooks.ts'
import { Pacer } from '../sending/pacer.ts'
import type { Sender } from '../sending/sender.ts'
import { ClientSecrets } from './client-secrets.ts'
import { DueClaims } from './due-claims.ts'
import { FailureLimit } from './failure-limit.ts'
import { HostBlocks } from './host-blocks.ts'
import { LaneSender } from './lane-sender.ts'
import { runLoop, runPolls } from './loops.ts'
import { ReportWriter } from './report-writer.ts'
import { Wakeup } from './wakeup.ts'

const IDLE_POLL_MS = 5

export interface WorkerParts {
  directory: Directory
  accounts: Accounts
  secrets: Secrets
  sender: Pick<Sender, 'send'>
  clock: Clock
  log: Pick<FastifyBaseLogger, 'error'>
  /** The spread of the delays between attempts, such as 0.1; 0 in tests and in the sandbox. */
  jitter: number
}

/**
 * Dispatches events and sends callbacks until it is stopped. Any number of processes may run one.
 *
 * An event becomes a delivery for each hook that listens to it (`Dispatcher`). Hooks with due deliveries are claimed (`DueClaims`),
 * their lanes are sent at the pace of their hosts (`LaneSender`, `Pacer`), and the outcomes are written together (`ReportWriter`).
 */
export class Worker {
  readonly #parts: WorkerParts
  readonly #pacer = new Pacer()
  readonly #hostBlocks: HostBlocks
  readonly #failureLimit: FailureLimit
  readonly #reports: ReportWriter
  readonly #lanes: LaneSender
  readonly #claims: DueClaims
  readonly #dispatcher: Dispatcher
  readonly #undispatched = new Wakeup()
  readonly #due = new Wakeup()
  readonly #stopping = new AbortController()
  #loops: Promise<void>[] = []

  constructor(parts: WorkerParts) {
    const { accounts, clock, directory, log, jitter } = parts
    const pacer = this.#pacer
    this.#parts = parts
    this.#hostBlocks = new HostBlocks(clock)
    this.#failureLimit = new FailureLimit(clock)
    this.#reports = new ReportWriter({ log, jitter, onWritten: () => this.#claims.isMoreDue && this.#due.wake() })
    this.#lanes = new LaneSender({
      ...parts,
      pacer,
      clientSecrets: new ClientSecrets(accounts),
      hostBlocks: this.#hostBlocks,
      failureLimit: this.#failureLimit,
      reports: this.#reports,
      signal: this.#stopping.signal,
    })
    this.#claims = new DueClaims({ directory, pacer, lanes: this.#lanes, log })
    this.#dispatcher = new Dispatcher(directory, log, {
      free: (host) => pacer.free(host),
      send: (db, claim, claimedAt) => this.#lanes.offer(db, claim, claimedAt),
    })
  }

  start() {
    eventNews.on('published', this.#onPublished)
    dueNews.on('due', this.#onDue)
    const { signal } = this.#stopping
    const { log } = this.#parts
    this.#loops = [
      runLoop({ wakeup: this.#undispatched, turn: () => this.#dispatch(), signal, log }),
      runLoop({ wakeup: this.#due, turn: () => this.sendDue(), signal, log }),
      runPolls({ look: () => this.#look(), onFailure: () => this.#wakeAll(), signal }),
    ]
  }

  /** Starts nothing new, waits for the callbacks in flight and writes their outcomes. */
  async stop() {
    eventNews.off('published', this.#onPublished)
    dueNews.off('due', this.#onDue)
    this.#stopping.abort()
    this.#undispatched.wake()
    this.#due.wake()
    await Promise.all(this.#loops)
    await this.idle()
  }

  /** Waits until nothing is in flight and all outcomes are written. */
  async idle() {
    while (this.#pacer.active > 0 || !this.#reports.isIdle) await sleep(IDLE_POLL_MS)
  }

  /** The number of attempts of this process, by outcome. */
  get attempts(): ReadonlyMap<string, number> {
    return this.#lanes.attempts
  }

  /** The success ratios, from 0 to 1, of the hosts that this process sent to in the last two minutes. */
  successRatios(): Map<string, number> {
    return this.#hostBlocks.ratios()
  }

  /** Claims and sends due deliveries, as far as there is room. @returns whether to look again at once */
  async sendDue(): Promise<boolean> {
    this.#hostBlocks.evict()
    this.#failureLimit.evict()
    return (await this.#claims.claimAll()) > 0
  }

  async #dispatch(): Promise<boolean> {
    await this.#dispatcher.dispatchAll()
    return this.#dispatcher.hasWork
  }

  readonly #onPublished = (storeId: number) => {
    this.#dispatcher.schedule(storeId)
    this.#undispatched.wake()
  }

  readonly #onDue = () => this.#due.wake()

  #wakeAll() {
    this.#dispatcher.schedule()
    this.#undispatched.wake()
    this.#due.wake()
  }

  /** Looks for undispatched events and due hooks, with one statement for both. @returns whether there are any */
  async #look(): Promise<boolean> {
    let isAny = false
    for (const { system } of this.#parts.directory.cells) {
      const found = await system.everywhere<{ undispatched: boolean; due: boolean }>(
        sql`
        select exists (select 1 from event_streams where last_seq > dispatched_seq) as undispatched,
          ${isAnyDue(system.present, this.#pacer.filter())} as due`,
        { skipsFailed: true },
      )
      const [undispatched, due] = [found.some((node) => node.undispatched), found.some((node) => node.due)]
      if (undispatched) {
        this.#dispatcher.schedule()
        this.#undispatched.wakeIfRested()
      }
      if (due) this.#due.wakeIfRested()
      isAny ||= undispatched || due
    }
    return isAny
  }
}
