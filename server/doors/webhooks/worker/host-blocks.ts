import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { ClaimedHook } from '../queue/claims.ts'
import { publishException } from '../queue/reports.ts'
import { destinationHost } from '../sending/destination.ts'
import type { SendingOutcome } from '../sending/sender.ts'
import { BLOCK_MS, SuccessRatio } from '../sending/success-ratio.ts'

const RATIOS_MAX = 10_000

/** Counts callbacks by client and host, and blocks a host for a client if too many fail (docs/contract/webhooks.md section 4). */
export class HostBlocks {
  readonly #clock: Clock
  readonly #ratios = new Map<string, SuccessRatio>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a callback, and blocks the host if its success ratio is too low. */
  async record(db: Db, hook: ClaimedHook, outcome: SendingOutcome) {
    if (!wasTried(outcome)) return
    const host = destinationHost(hook.destination)
    const key = `${db.store.id} ${hook.client_id} ${host}`
    const ratio = this.#ratios.get(key) ?? new SuccessRatio()
    this.#ratios.set(key, ratio)
    const now = this.#clock.now()
    if (ratio.record(now.getTime(), outcome.ok)) await block(db, hook, host, now)
  }

  /** The success ratios of all hosts of the last two minutes, from 0 to 1. */
  ratios(): Map<string, number> {
    const now = this.#clock.now().getTime()
    const hosts = new Map<string, { sent: number; failed: number }>()
    for (const [key, ratio] of this.#ratios) {
      const { sent, failed } = ratio.counts(now)
      const host = key.slice(key.lastIndexOf(' ') + 1)
      const sum = hosts.get(host) ?? { sent: 0, failed: 0 }
      if (sent > 0) hosts.set(host, { sent: sum.sent + sent, failed: sum.failed + failed })
    }
    return new Map([...hosts].map(([host, { sent, failed }]) => [host, (sent - failed) / sent]))
  }

  /** Bounds the map: hosts come and go. */
  evict() {
    if (this.#ratios.size <= RATIOS_MAX) return
    const now = this.#clock.now().getTime()
    for (const [key, ratio] of this.#ratios) if (ratio.counts(now).sent === 0) this.#ratios.delete(key)
  }
}

/** Whether a callback was sent, or refused for its destination. */
const wasTried = (outcome: SendingOutcome) =>
  outcome.ok || (outcome.reason !== 'expired' && outcome.reason !== 'unsendable')

async function block(db: Db, hook: ClaimedHook, host: string, now: Date) {
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
    publishException(tx, hook, 90003, `Callbacks to ${host} are blocked for ${BLOCK_MS / 1_000} s: too many failed.`)
  })
}
