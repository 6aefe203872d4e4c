import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Files } from './core/files/files.ts'
import { deliverMails, smtpTransport } from './core/mail/outbox.ts'
import type { Installation } from './installation.ts'
import { clearStrayFiles } from './stores/files-of-stores.ts'
import { policyOf } from './webhooks/destination.ts'
import { Sender } from './webhooks/sender.ts'
import { upkeep } from './webhooks/upkeep.ts'
import { Worker } from './webhooks/worker.ts'

const UPKEEP_MS = 3_600_000
const FILES_MS = 86_400_000
const MAILS_MS = 5_000
// A callback takes 10 s at most. A mail server may keep us longer: what it did not take is handed over by the next process.
const STOP_MS = 11_000

type Parts = Installation & { files: Files }

/** What a server does unasked: it sends webhooks and mails, and clears up. Any number of processes may do so at once. */
export class Background {
  readonly worker: Worker
  readonly #sender: Sender
  readonly #parts: Parts
  readonly #config: Config
  readonly #log: FastifyBaseLogger
  readonly #stopping = new AbortController()
  #rounds: Promise<void>[] = []

  constructor(parts: Parts, config: Config, log: FastifyBaseLogger) {
    this.#sender = new Sender(policyOf(config))
    this.worker = new Worker({ ...parts, sender: this.#sender, log, jitter: config.webhookJitter / 100 })
    this.#parts = parts
    this.#config = config
    this.#log = log
  }

  start() {
    const { directory, clock } = this.#parts
    this.worker.start()
    this.#rounds.push(
      this.#every(UPKEEP_MS, () => upkeep(directory, clock, this.#log), 'webhooks could not be cleared up'),
    )
    const clear = async () => {
      const cleared = await clearStrayFiles(this.#parts, clock.now(), this.#stopping.signal)
      if (cleared > 0) this.#log.info({ cleared }, 'files that nothing names were removed')
    }
    this.#rounds.push(this.#every(FILES_MS, clear, 'files could not be cleared up'))
    const transport = smtpTransport(this.#config.smtpUrl, this.#config.mailFrom, this.#log)
    if (!transport) return
    const deliver = async () => {
      for (let more = true; more && !this.#stopping.signal.aborted; ) {
        more = await deliverMails(directory, transport, this.#log)
      }
    }
    this.#rounds.push(this.#every(MAILS_MS, deliver, 'mails could not be delivered'))
  }

  /** Begins nothing new, and waits for what is on its way, within bounds: what has no outcome then is sent again. */
  async stop() {
    this.#stopping.abort()
    const ended = Promise.all([this.worker.stop(), ...this.#rounds])
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })])
    await this.#sender.close()
  }

  /** At once, and again and again that long after the last time. */
  async #every(ms: number, deed: () => Promise<void>, complaint: string) {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await deed().catch((error) => this.#log.error({ err: error }, complaint))
      await sleep(ms, undefined, { signal }).catch(() => {})
    }
  }
}
