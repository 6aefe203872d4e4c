import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../core/db/database.ts'
import type { ClaimedLane, HookClaim } from '../queue/claims.ts'
import { LEASE_MS } from '../queue/lanes.ts'
import type { DeliveryAttempt } from '../queue/reports.ts'
import { destinationHost } from '../sending/destination.ts'
import type { HostWork, Pacer } from '../sending/pacer.ts'
import { type CallbackParts, sendCallback } from './callbacks.ts'
import type { ClientSecrets } from './client-secrets.ts'
import type { FailureLimit } from './failure-limit.ts'
import type { HostBlocks } from './host-blocks.ts'
import type { ReportWriter } from './report-writer.ts'

/** The longest exchange takes 10 s, and a second more is spare. If less of the lease is left, no exchange starts. */
const EXCHANGE_MS = 11_000

interface LaneSenderParts extends CallbackParts {
  clock: Clock
  pacer: Pacer
  clientSecrets: ClientSecrets
  hostBlocks: HostBlocks
  failureLimit: FailureLimit
  reports: ReportWriter
  /** Aborted when the worker stops. */
  signal: AbortSignal
}

/** Sends the lanes of claims, at the pace of their hosts. */
export class LaneSender {
  /** The number of attempts of this process, by outcome. */
  readonly attempts = new Map<string, number>()
  readonly #parts: LaneSenderParts

  constructor(parts: LaneSenderParts) {
    this.#parts = parts
  }

  /** Queues the lanes of a claim at the pacer. @param claimedAt a time before the leases began, by the monotonic clock */
  async offer(db: Db, claim: HookClaim, claimedAt: number) {
    const { hook, lanes } = claim
    const secrets = this.#parts.clientSecrets.find(db, hook.client_id)
    // If the secrets can't be read, each delivery fails with that reason.
    await Promise.allSettled([secrets])
    const latest = claimedAt + LEASE_MS - EXCHANGE_MS
    this.#parts.pacer.offer(
      lanes.map((lane) => ({
        host: destinationHost(hook.destination),
        client: `${db.store.id} ${hook.client_id}`,
        run: (watched) =>
          this.#send(db, claim, lane, { secrets, watched, latest }).catch((error) =>
            // When the lease ends, the attempt is made again.
            this.#parts.log.error({ err: error, store: db.store.id, hook: hook.id }, 'a callback could not be sent'),
          ),
      })),
    )
  }

  /** Sends the deliveries of a lane one after another, up to the first failure, and reports the attempts. */
  async #send(db: Db, { hook, slot }: HookClaim, lane: ClaimedLane, { secrets, watched, latest }: Turn) {
    const { clock, hostBlocks, failureLimit, reports, signal } = this.#parts
    const attempts: DeliveryAttempt[] = []
    for (const delivery of lane.deliveries) {
      // A process that was frozen finds its lease expired, and sends nothing.
      if (performance.now() > latest || signal.aborted) break
      const startedAt = clock.now()
      const began = performance.now()
      const callback = { hook, resource: lane.resource, delivery, startedAt, secrets, watched }
      const outcome = await sendCallback(db, callback, this.#parts)
      attempts.push({ delivery, startedAt, durationMs: performance.now() - began, outcome })
      const kind = outcome.ok ? 'delivered' : outcome.reason
      this.attempts.set(kind, (this.attempts.get(kind) ?? 0) + 1)
      await hostBlocks.record(db, hook, outcome)
      if (!outcome.ok && !outcome.isOver) break
    }
    const isReportable = failureLimit.admit(`${db.store.id} ${hook.destination}`, attempts)
    reports.add(db, { hook, lane, slot, attempts, isReportable, random: Math.random() })
  }
}

/** The turn of a lane at the pacer. */
interface Turn {
  /** The secrets that sign its callbacks. */
  secrets: Promise<readonly string[]>
  watched: Parameters<HostWork['run']>[0]
  /** The last moment at which a callback may start, by the monotonic clock. */
  latest: number
}
