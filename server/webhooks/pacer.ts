/** Work for a host on behalf of a client. */
export interface Job {
  host: string
  client: string
  run(): Promise<void>
}

export interface Pace {
  /** Requests in flight of this process. */
  total: number
  /** To one destination host. */
  host: number
  /** On behalf of one client: a client whose hosts all hang leaves room for the others. */
  client: number
}

/** What the contract says (docs/contract/webhooks.md section 4), and half of it all for one client. */
const PACE: Pace = { total: 50, host: 5, client: 25 }

/** Jobs that may wait behind those in flight, for each host: enough to keep it busy while more are fetched. */
const AHEAD = 20

/** Runs jobs side by side, within the pace, taking hosts in turn so that no queue is served before others had their turn. */
export class Pacer {
  readonly #pace: Pace
  readonly #waiting = new Map<string, Job[]>()
  readonly #hosts = new Map<string, number>()
  readonly #clients = new Map<string, number>()
  #active = 0

  constructor(pace: Pace = PACE) {
    this.#pace = pace
  }

  get active(): number {
    return this.#active
  }

  /** How many more jobs for this host are welcome. */
  room(host: string): number {
    const waiting = this.#waiting.get(host)?.length ?? 0
    return Math.max(0, this.#pace.host + AHEAD - waiting - (this.#hosts.get(host) ?? 0))
  }

  offer(jobs: readonly Job[]) {
    for (const job of jobs) {
      const queue = this.#waiting.get(job.host) ?? []
      this.#waiting.set(job.host, queue)
      queue.push(job)
    }
    this.#fill()
  }

  #fill() {
    for (let started = true; started && this.#active < this.#pace.total; ) {
      started = false
      for (const [host, queue] of [...this.#waiting]) {
        const [job] = queue
        if (!job || this.#active >= this.#pace.total || !this.#mayStart(job)) continue
        queue.shift()
        // Behind all others, for the next turn.
        this.#waiting.delete(host)
        if (queue.length > 0) this.#waiting.set(host, queue)
        this.#start(job)
        started = true
      }
    }
  }

  #mayStart({ host, client }: Job): boolean {
    return (this.#hosts.get(host) ?? 0) < this.#pace.host && (this.#clients.get(client) ?? 0) < this.#pace.client
  }

  #start(job: Job) {
    this.#count(job, 1)
    job.run().finally(() => {
      this.#count(job, -1)
      this.#fill()
    })
  }

  #count({ host, client }: Job, by: number) {
    this.#active += by
    for (const [counts, key] of [
      [this.#hosts, host],
      [this.#clients, client],
    ] as const) {
      const now = (counts.get(key) ?? 0) + by
      if (now > 0) counts.set(key, now)
      else counts.delete(key)
    }
  }
}
