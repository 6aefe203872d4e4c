/** Work for a host on behalf of a client. */
export interface HostWork {
  host: string
  client: string
  /** @param watched wraps each exchange with the host, so that a hanging one is noticed while it hangs */
  run(watched: <T>(exchange: () => Promise<T>) => Promise<T>): Promise<void>
}

/** The state of a host after its last exchange, or during the current one: `hanging` if it took longer than `hangMs`. */
type Standing = 'quick' | 'unknown' | 'hanging'

export interface Pace extends Record<Standing, number> {
  /** Requests in flight to one destination host. */
  host: number
  /** Requests in flight for one client. A client whose hosts all hang leaves room for the others. */
  client: number
  /** While this many requests hang, no unknown host is tried. */
  hangingMax: number
  hangMs: number
}

/**
 * Requests in flight of this process (docs/contract/webhooks.md section 4). Hanging hosts share some slots, unknown hosts share
 * others, and quick hosts always keep theirs.
 */
const PACE: Pace = { quick: 50, unknown: 25, hanging: 25, hangingMax: 100, host: 5, client: 25, hangMs: 2_000 }

/** Work that may wait for each quick host: enough to keep it busy while more is claimed. */
const AHEAD = 20
const HOSTS_MAX = 10_000

/** The hosts that have room now. */
export interface HostFilter {
  full: readonly string[]
  /** Known hosts, if unknown ones have to wait. */
  onlyKnown?: readonly string[]
}

/** Runs work side by side, within the pace. Hosts take turns, so no host waits for a long queue of another. */
export class Pacer {
  readonly #pace: Pace
  readonly #waiting = new Map<string, HostWork[]>()
  readonly #byHost = new Map<string, number>()
  readonly #byClient = new Map<string, number>()
  readonly #byStanding: Record<Standing, number> = { quick: 0, unknown: 0, hanging: 0 }
  readonly #standings = new Map<string, 'quick' | 'hanging'>()

  constructor(pace: Pace = PACE) {
    this.#pace = pace
  }

  get active(): number {
    const { quick, unknown, hanging } = this.#byStanding
    return quick + unknown + hanging
  }

  /** How much more work for this host may be claimed. */
  room(host: string): number {
    const standing = this.#standingOf(host)
    const taken = (this.#waiting.get(host)?.length ?? 0) + (this.#byHost.get(host) ?? 0)
    if (standing === 'quick') return Math.max(0, this.#pace.host + AHEAD - taken)
    return Math.max(0, Math.min(this.#pace.host - taken, this.#slotsFor(standing)))
  }

  /** How much work for this host would start at once: none if other work waits or the host is not known to be quick. */
  free(host: string): number {
    if (this.#standingOf(host) !== 'quick' || this.#waiting.has(host)) return 0
    const { host: perHost, quick } = this.#pace
    return Math.max(0, Math.min(perHost - (this.#byHost.get(host) ?? 0), quick - this.#byStanding.quick))
  }

  filter(): HostFilter {
    const full = new Set<string>()
    for (const host of [...this.#byHost.keys(), ...this.#waiting.keys()]) if (this.room(host) === 0) full.add(host)
    if (this.#slotsFor('hanging') <= 0) {
      for (const [host, standing] of this.#standings) if (standing === 'hanging') full.add(host)
    }
    if (this.#slotsFor('unknown') > 0) return { full: [...full] }
    return { full: [...full], onlyKnown: [...this.#standings.keys()] }
  }

  offer(offered: readonly HostWork[]) {
    for (const work of offered) {
      const queue = this.#waiting.get(work.host) ?? []
      this.#waiting.set(work.host, queue)
      queue.push(work)
    }
    this.#fill()
  }

  #standingOf(host: string): Standing {
    return this.#standings.get(host) ?? 'unknown'
  }

  /** Slots that are neither taken nor reserved for waiting work. */
  #slotsFor(standing: 'unknown' | 'hanging'): number {
    if (standing === 'unknown' && this.#byStanding.hanging >= this.#pace.hangingMax) return 0
    let left = this.#pace[standing] - this.#byStanding[standing]
    for (const [host, queue] of this.#waiting) if (this.#standingOf(host) === standing) left -= queue.length
    return left
  }

  #fill() {
    for (let started = true; started; ) {
      started = false
      for (const [host, queue] of [...this.#waiting]) {
        // Clients share hosts: behind a client that has to wait there may be one that doesn't.
        const position = queue.findIndex((work) => this.#mayStart(work))
        const [work] = position < 0 ? [] : queue.splice(position, 1)
        if (!work) continue
        // The host goes behind all others for its next turn.
        this.#waiting.delete(host)
        if (queue.length > 0) this.#waiting.set(host, queue)
        this.#start(work)
        started = true
      }
    }
  }

  #mayStart({ host, client }: HostWork): boolean {
    const standing = this.#standingOf(host)
    return (
      this.#byStanding[standing] < this.#pace[standing] &&
      (standing !== 'unknown' || this.#byStanding.hanging < this.#pace.hangingMax) &&
      (this.#byHost.get(host) ?? 0) < this.#pace.host &&
      (this.#byClient.get(client) ?? 0) < this.#pace.client
    )
  }

  #start(work: HostWork) {
    const { host, client } = work
    count(this.#byHost, host, 1)
    count(this.#byClient, client, 1)
    let standing = this.#standingOf(host)
    this.#byStanding[standing]++
    const becomes = (next: 'quick' | 'hanging') => {
      this.#keep(host, next)
      if (next === standing) return
      this.#byStanding[standing]--
      this.#byStanding[next]++
      standing = next
      // A slot of another kind is free now.
      this.#fill()
    }
    const watched = async <T>(exchange: () => Promise<T>): Promise<T> => {
      let hangs = false
      const late = setTimeout(() => {
        hangs = true
        becomes('hanging')
      }, this.#pace.hangMs)
      try {
        return await exchange()
      } finally {
        clearTimeout(late)
        if (!hangs) becomes('quick')
      }
    }
    work.run(watched).finally(() => {
      count(this.#byHost, host, -1)
      count(this.#byClient, client, -1)
      this.#byStanding[standing]--
      this.#fill()
    })
  }

  #keep(host: string, standing: 'quick' | 'hanging') {
    this.#standings.delete(host)
    this.#standings.set(host, standing)
    if (this.#standings.size <= HOSTS_MAX) return
    const [oldest] = this.#standings.keys()
    if (oldest !== undefined) this.#standings.delete(oldest)
  }
}

function count(counts: Map<string, number>, key: string, by: number) {
  const now = (counts.get(key) ?? 0) + by
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}
