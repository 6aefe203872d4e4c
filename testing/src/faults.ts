import { setTimeout } from 'node:timers/promises'
import { ask, FOLLOWED_MS, type Server } from './operator.ts'

/** What goes wrong in a call to another system. */
const OUTCOMES = {
  payment: {
    port: 'gateway',
    outcomes: { declined: 'declined', pending: 'pending', 'timed out': 'timed_out', 'answer lost': 'answer_lost' },
  },
  mail: { port: 'mail', outcomes: { fails: 'fails', 'timed out': 'timed_out' } },
  files: { port: 'files', outcomes: { fails: 'fails', 'disk full': 'full_disk' } },
  pictures: { port: 'pictures', outcomes: { fails: 'fails', 'timed out': 'timed_out' } },
} as const

/** Failures of requests, by an operation such as `POST /v3/catalog/brands`. */
const REQUESTS = {
  'connection lost before': { reset: 'before_work' },
  'answer lost': { reset: 'after_commit' },
  'answer cut': { reset: 'half_body' },
} as const

type Ports = typeof OUTCOMES
/** Calls of the store to another system; a capture, a refund and a void are payments. */
export type Port = keyof Ports | 'capture' | 'refund' | 'void'
export type Outcome =
  | keyof Ports['payment']['outcomes']
  | keyof Ports['mail']['outcomes']
  | keyof Ports['files']['outcomes']

/** A fault of a test store. */
export interface Fault {
  /** The number of requests or calls that it has met. */
  seen(): Promise<number>
}

/** Failures that a test store makes on purpose (docs/powers.md). */
export class Faults {
  readonly #server: Server
  readonly #path: string

  constructor(server: Server, hash: string) {
    this.#server = server
    this.#path = `/stores/${hash}/faults`
  }

  /**
   * The next calls of a port, or the next requests to an operation, fail.
   * @param what `capture`, `mail`, or an operation such as `POST /v3/catalog/brands`
   * @param how its outcome, or the status of the answer
   * @returns the fault, of which a test can ask whether it has met a request
   * @throws Error for an outcome that it can't have
   */
  async next(
    what: Port | (string & {}),
    how: Outcome | keyof typeof REQUESTS | number,
    { times = 1 }: { times?: number } = {},
  ): Promise<Fault> {
    const { id } = await ask<{ id: number }>(this.#server, 'POST', this.#path, { ...ruleOf(what, how), next: times })
    await setTimeout(FOLLOWED_MS)
    return {
      seen: async () => {
        const faults = await ask<{ id: number; seen: number }[]>(this.#server, 'GET', this.#path)
        return faults.find((one) => one.id === id)?.seen ?? 0
      },
    }
  }

  /** Ends all faults. */
  async clear(): Promise<void> {
    await ask(this.#server, 'DELETE', this.#path)
  }
}

function ruleOf(what: string, how: string | number): Record<string, unknown> {
  if (what.includes(' ')) {
    if (typeof how === 'number') return { operation: what, status: how }
    const request: unknown = Reflect.get(REQUESTS, how)
    if (request === undefined)
      throw new Error(`A request has a status such as 503, or ${quoted(REQUESTS)}, and not "${how}".`)
    return { operation: what, ...Object(request) }
  }
  const name = ['capture', 'refund', 'void'].includes(what) ? 'payment' : what
  const found: Ports[keyof Ports] | undefined = Object.entries(OUTCOMES).find(([key]) => key === name)?.[1]
  if (!found)
    throw new Error(
      `"${what}" is no operation and no port: ${Object.keys(OUTCOMES).join(', ')}, capture, refund, void.`,
    )
  const outcome: unknown = Reflect.get(found.outcomes, how)
  if (outcome === undefined) throw new Error(`"${what}" has ${quoted(found.outcomes)}, and not "${how}".`)
  return { port: found.port, outcome }
}

const quoted = (words: object): string =>
  Object.keys(words)
    .map((word) => `"${word}"`)
    .join(', ')
