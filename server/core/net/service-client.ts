import { randomUUID } from 'node:crypto'
import type { Agent, Dispatcher } from 'undici'
import { signatureHeaders } from '../secrets/signature.ts'
import { type Addresses, ForbiddenAddress, UnresolvedHost } from './addresses.ts'
import { ServiceCalls, type ServiceKind } from './service-calls.ts'
import { undici } from './undici.ts'

const ANSWER_BYTES_MAX = 1024 * 1024
const HEAD_BYTES_MAX = 64 * 1024
/** The bytes of all answers that are being read: the calls of all stores together have no bound (docs/decisions/076-calls-without-a-common-bound.md). */
const READING_BYTES_MAX = 64 * 1024 * 1024
// Some services close idle connections without saying so. We close before.
const IDLE_MS = 1_500

/** Whether an origin is freed from https and port 443. @param origins such as `http://localhost:3000` or `http://localhost:*` */
export const isFreedOrigin = ({ protocol, hostname, origin }: URL, origins: readonly string[]): boolean =>
  origins.includes(origin) || origins.includes(`${protocol}//${hostname}:*`)

export interface ServiceRequest {
  kind: ServiceKind
  url: string
  headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  body: unknown
  /** Time for name look-up, connection and all bytes together. */
  totalMs: number
  /** Signs the body by the headers of Standard Webhooks (docs/contract/webhooks.md section 3). Without one nothing is signed. */
  secret?: string | undefined
}

/** The answer of a service, or why there is none. The services' own words stay out of logs. */
export type ServiceOutcome =
  | { ok: true; status: number; body: unknown }
  | {
      ok: false
      /**
       * forbidden: nothing was sent, since the address is not allowed. timeout: no whole answer in time. unreachable: no connection, or a
       * broken one. unreadable: too long, compressed or no JSON. busy: too many long answers at the same time in this process.
       */
      reason: 'forbidden' | 'timeout' | 'unreachable' | 'unreadable' | 'busy'
    }

interface ServicePolicy {
  addresses: Addresses
  origins: readonly string[]
  /** Counted together with those of other clients. */
  calls?: ServiceCalls
  limit?: (ms: number) => AbortSignal
}

/**
 * Asks services of third parties, such as tax providers and carriers. It connects to public addresses only, by https at port 443, and
 * follows no redirects.
 */
export class ServiceClient {
  readonly #addresses: Addresses
  readonly #origins: readonly string[]
  readonly #limit: (ms: number) => AbortSignal
  /** The calls of this process. */
  readonly calls: ServiceCalls
  #agent: Agent | undefined
  #bytes = 0

  /** @param policy origins are freed from https and port 443; limit starts the time of a call */
  constructor({ addresses, origins, calls, limit }: ServicePolicy) {
    this.#addresses = addresses
    this.#origins = origins
    this.calls = calls ?? new ServiceCalls()
    this.#limit = limit ?? AbortSignal.timeout
  }

  /** Sends a POST once. Any answer is an outcome, whatever its status. */
  post(request: ServiceRequest): Promise<ServiceOutcome> {
    return this.calls.count(request.kind, () => this.#post(request), labelOf)
  }

  async #post({ url, headers, body, totalMs, secret }: ServiceRequest): Promise<ServiceOutcome> {
    if (!this.#allows(url)) return { ok: false, reason: 'forbidden' }
    const signal = this.#limit(totalMs)
    const text = JSON.stringify(body) ?? ''
    try {
      this.#agent ??= this.#openAgent()
      const answer = await undici().request(url, {
        dispatcher: this.#agent,
        signal,
        method: 'POST',
        headers: {
          ...headers,
          ...(secret ? signatureHeaders(`msg_${randomUUID()}`, new Date(), text, [secret]) : {}),
          accept: 'application/json',
          'accept-encoding': 'identity',
          'content-type': 'application/json; charset=utf-8',
        },
        body: text,
      })
      return { ok: true, status: answer.statusCode, body: await this.#read(answer) }
    } catch (error) {
      if (signal.aborted) return { ok: false, reason: 'timeout' }
      return { ok: false, reason: reasonOf(error) }
    }
  }

  /** Waits until all requests have ended. */
  async close() {
    await this.#agent?.close()
  }

  #allows(address: string): boolean {
    const url = URL.parse(address)
    if (url?.username !== '' || url.password !== '') return false
    return isFreedOrigin(url, this.#origins) || (url.protocol === 'https:' && url.port === '')
  }

  /** Reads an answer, whose bytes count until it is whole. */
  async #read(answer: Dispatcher.ResponseData): Promise<unknown> {
    const chunks: Buffer[] = []
    let length = 0
    try {
      for await (const chunk of answer.body) {
        length += chunk.length
        this.#bytes += chunk.length
        // Leaving the loop destroys the connection.
        if (length > ANSWER_BYTES_MAX) throw new Unreadable()
        if (this.#bytes > READING_BYTES_MAX) throw new Busy()
        chunks.push(chunk)
      }
    } finally {
      this.#bytes -= length
    }
    return jsonOf(answer, chunks)
  }

  /** With the first request. Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect. */
  #openAgent(): Agent {
    const connect = this.#addresses.connector({ timeout: 10_000, allowH2: false, rejectUnauthorized: true })
    return new (undici().Agent)({ connect, allowH2: false, maxHeaderSize: HEAD_BYTES_MAX, keepAliveTimeout: IDLE_MS })
  }
}

class Unreadable extends Error {}
class Busy extends Error {}

const labelOf = (outcome: ServiceOutcome): string => {
  if (!outcome.ok) return outcome.reason
  return outcome.status >= 200 && outcome.status <= 299 ? 'answered' : 'refused'
}

/** The body, if it is JSON; undefined for an empty one. */
function jsonOf({ headers }: Dispatcher.ResponseData, chunks: readonly Buffer[]): unknown {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new Unreadable()
  const text = Buffer.concat(chunks).toString()
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable()
  }
}

/** @throws the error, if it is a bug of ours */
function reasonOf(error: unknown): 'forbidden' | 'unreachable' | 'unreadable' | 'busy' {
  if (error instanceof Busy) return 'busy'
  if (error instanceof Unreadable) return 'unreadable'
  if (error instanceof ForbiddenAddress) return 'forbidden'
  if (error instanceof UnresolvedHost) return 'unreachable'
  const isOfNetwork = error instanceof Error && 'code' in error
  if (error instanceof undici().errors.UndiciError || isOfNetwork) return 'unreachable'
  throw error
}
