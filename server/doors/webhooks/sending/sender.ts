import type { Socket } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { ForbiddenAddress, UnresolvedHost } from '../../../core/net/addresses.ts'
import { undici } from '../../../core/net/undici.ts'
import { parseDate } from '../../../core/rest/input/dates.ts'
import { formRefusal, type Policy } from './destination.ts'

export interface OutgoingCallback {
  destination: string
  headers: Record<string, string>
  body: string
}

export type SendingOutcome = Success | Failure

interface Success {
  ok: true
  status: number
  /** The beginning of the answer, if it is text. */
  excerpt: string
}

interface Failure {
  ok: false
  /**
   * `refused`: an answer other than 2xx. `timeout`: no answer in time. `unreachable`: no connection, or it broke. `unreadable`: an
   * answer that is not HTTP within our limits. With the others nothing was sent. `forbidden`: the destination is not allowed.
   * `unsendable`: a secret or a header of the hook can't be used. `expired`: the event is no longer kept.
   */
  reason: 'refused' | 'timeout' | 'unreachable' | 'unreadable' | 'forbidden' | 'unsendable' | 'expired'
  /** A sentence for the log, without text of the receiver. */
  message: string
  status?: number
  excerpt?: string
  /** The delay that a 429 or 503 asked for. */
  retryAfterMs?: number
  /** Whether the receiver answered that it is gone permanently. */
  isGone?: boolean
  /** Whether this delivery can't succeed any more. It leaves the queue, and its lane continues. */
  isOver?: boolean
}

interface Limits {
  connectMs?: number
  exchangeMs?: number
  /** A certificate authority instead of those of Node. */
  ca?: string
}

const CONNECT_TIMEOUT_MS = 5_000
const EXCHANGE_TIMEOUT_MS = 10_000
const CONNECTIONS_PER_ORIGIN_MAX = 5
// Some receivers close idle connections after 2 s without notice. We close earlier, so that none closes while we send.
const IDLE_MS = 1_500
const IDLE_MAX_MS = 60_000
// A new connection resolves the name again.
const CONNECTION_LIFE_MS = 300_000

const HEADERS_MAX = 64
const HEADER_NAME_BYTES_MAX = 64
const HEADER_VALUE_BYTES_MAX = 8 * 1024
const HEAD_BYTES_MAX = HEADERS_MAX * (HEADER_NAME_BYTES_MAX + HEADER_VALUE_BYTES_MAX)
const BODY_BYTES_MAX = 64 * 1024
// Every byte of an answer counts, including the status line, interim answers and chunk extensions.
const ANSWER_BYTES_MAX = 1024 * 1024
const EXCERPT_LENGTH_MAX = 1_000
const EXCERPT_BYTES_MAX = 4 * EXCERPT_LENGTH_MAX

/** Sends callbacks to allowed destinations, and returns their outcomes (docs/contract/webhooks.md section 3). */
export class Sender {
  readonly #policy: Policy
  readonly #limits: Limits
  readonly #exchangeMs: number
  #agent: Agent | undefined

  constructor(policy: Policy, limits: Limits = {}) {
    this.#policy = policy
    this.#limits = limits
    this.#exchangeMs = limits.exchangeMs ?? EXCHANGE_TIMEOUT_MS
  }

  /** Called with the first callback. */
  #openAgent(): Agent {
    const { connectMs = CONNECT_TIMEOUT_MS, ca } = this.#limits
    // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect.
    const tls = { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) }
    const connect = this.#policy.addresses.connector({ timeout: connectMs, allowH2: false, ...tls })
    return new (undici().Agent)({
      connect: (to, callback) =>
        connect(to, (error, socket) =>
          error ? callback(new NoConnection(error), null) : callback(null, limitAnswers(socket)),
        ),
      connections: CONNECTIONS_PER_ORIGIN_MAX,
      allowH2: false,
      maxHeaderSize: HEAD_BYTES_MAX,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MAX_MS,
      clientTtl: CONNECTION_LIFE_MS,
      // One time-out covers the whole exchange. These would start again with every byte.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /**
   * Sends a callback once. Each behaviour of the receiver is an outcome.
   * @param now for a Retry-After that names a date
   * @throws for our own mistakes, such as a header that can't be sent
   */
  async send({ destination, headers, body }: OutgoingCallback, now: Date): Promise<SendingOutcome> {
    const flaw = formRefusal(destination, this.#policy.origins)
    if (flaw !== undefined) return { ok: false, reason: 'forbidden', message: flaw }

    const { origin, pathname, search } = new URL(destination)
    const exchange = new Exchange()
    const late = setTimeout(() => exchange.abort(new Late(this.#exchangeMs)), this.#exchangeMs)
    try {
      const request = {
        origin,
        path: pathname + search,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
        body,
      }
      this.#agent ??= this.#openAgent()
      this.#agent.dispatch(request, exchange)
      return outcome(await exchange.answer, now)
    } catch (error) {
      return failure(error)
    } finally {
      clearTimeout(late)
    }
  }

  /** Waits until all exchanges have ended. */
  async close() {
    await this.#agent?.close()
  }
}

class NoConnection extends Error {
  constructor(cause: unknown) {
    super('There is no connection.', { cause })
  }
}

class Unreadable extends Error {}

class Late extends Error {
  constructor(ms: number) {
    super(`There was no answer within ${ms / 1_000} s.`)
  }
}

type Headers = Record<string, string | string[] | undefined>

interface Answer {
  status: number
  headers: Headers
  excerpt: string
}

/** One request and its answer, as undici reports them. The answer counts once its head has arrived, even if its body breaks off. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #answer = Promise.withResolvers<Answer>()
  #controller: Dispatcher.DispatchController | undefined
  #aborted: Error | undefined
  #head: { status: number; headers: Headers } | undefined
  readonly #body: Buffer[] = []
  #bodyBytes = 0

  get answer(): Promise<Answer> {
    return this.#answer.promise
  }

  /** Ends the exchange, even while it waits for a connection. */
  abort(reason: Error) {
    this.#aborted = reason
    if (this.#controller) this.#controller.abort(reason)
    else this.#answer.reject(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.#controller = controller
    if (this.#aborted) controller.abort(this.#aborted)
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers) {
    if (status > 101 && status < 200) return
    // undici fails an assertion if a receiver answers with an upgrade.
    const flaw = status <= 101 ? 'an interim status' : headFlaw(controller.rawHeaders)
    if (flaw) controller.abort(new Unreadable(`The answer has ${flaw}.`))
    else this.#head = { status, headers }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.#bodyBytes < EXCERPT_BYTES_MAX) this.#body.push(chunk.subarray(0, EXCERPT_BYTES_MAX - this.#bodyBytes))
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes > BODY_BYTES_MAX) controller.abort(new Unreadable('The answer is too long.'))
  }

  onResponseEnd() {
    if (this.#head) this.#answer.resolve({ ...this.#head, excerpt: excerptOf(Buffer.concat(this.#body)) })
  }

  onResponseError(_: unknown, error: Error) {
    if (this.#head) this.onResponseEnd()
    else this.#answer.reject(error)
  }
}

function headFlaw(headers: Dispatcher.DispatchController['rawHeaders']): string | undefined {
  if (!Array.isArray(headers)) return undefined
  if (headers.length > 2 * HEADERS_MAX) return `more than ${HEADERS_MAX} headers`
  const isTooLong = (text: Buffer | string, i: number) =>
    Buffer.byteLength(text) > (i % 2 === 0 ? HEADER_NAME_BYTES_MAX : HEADER_VALUE_BYTES_MAX)
  return headers.some(isTooLong) ? 'a header that is too long' : undefined
}

/** Closes a connection if the answer to one request has too many bytes. */
function limitAnswers<S extends Socket>(socket: S): S {
  let written = -1
  let read = 0
  let before = 0
  return socket.on('readable', () => {
    // A new request was sent: the following bytes belong to its answer.
    if (socket.bytesWritten !== written) before = read
    written = socket.bytesWritten
    read = socket.bytesRead
    if (read - before > ANSWER_BYTES_MAX) socket.destroy(new Unreadable('The answer is too long.'))
  })
}

/** The first characters of a body; '' unless it is text. */
function excerptOf(body: Buffer): string {
  // With `stream`, a character that is cut in half is omitted.
  const text = new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES_MAX), { stream: true })
  const excerpt = [...text].slice(0, EXCERPT_LENGTH_MAX).join('')
  return /[^\P{Cc}\t\n\r]/u.test(excerpt) ? '' : excerpt
}

function outcome({ status, headers, excerpt }: Answer, now: Date): SendingOutcome {
  if (status >= 200 && status < 300) return { ok: true, status, excerpt }
  const isRedirect = status >= 300 && status < 400
  const retryAfterMs = status === 429 || status === 503 ? retryAfter(headers['retry-after'], now) : undefined
  return {
    ok: false,
    reason: 'refused',
    message: `The receiver answered ${status}${isRedirect ? ', and redirects are not followed' : ''}.`,
    status,
    excerpt,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(status === 410 ? { isGone: true } : {}),
  }
}

function retryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER)
  const moment = parseDate(text)
  return moment && Math.max(0, moment.at.getTime() - now.getTime())
}

/** The outcome of a failed exchange. @throws errors that the receiver did not cause */
function failure(error: unknown): SendingOutcome {
  if (error instanceof NoConnection) return noConnection(error.cause)
  if (error instanceof Late) return { ok: false, reason: 'timeout', message: error.message }
  if (error instanceof Unreadable) return { ok: false, reason: 'unreadable', message: error.message }
  const { errors } = undici()
  if (error instanceof errors.HeadersOverflowError) {
    return { ok: false, reason: 'unreadable', message: 'The headers of the answer are too long.' }
  }
  if (error instanceof errors.HTTPParserError || error instanceof errors.ResponseContentLengthMismatchError) {
    return { ok: false, reason: 'unreadable', message: `${error.message}.` }
  }
  if (error instanceof errors.SocketError || isOfNetwork(error)) {
    return { ok: false, reason: 'unreachable', message: `The connection broke before an answer came (${error.code}).` }
  }
  throw error
}

/** Uses codes, not messages. Messages of TLS quote the certificate, so the receiver could write into our log. */
function noConnection(cause: unknown): SendingOutcome {
  if (cause instanceof ForbiddenAddress) {
    return {
      ok: false,
      reason: 'forbidden',
      message: 'The host of the destination does not resolve to a public address.',
    }
  }
  if (cause instanceof UnresolvedHost) {
    return { ok: false, reason: 'unreachable', message: 'The host of the destination does not resolve.' }
  }
  if (cause instanceof undici().errors.ConnectTimeoutError) {
    return { ok: false, reason: 'timeout', message: 'There was no connection in time.' }
  }
  if (!(cause instanceof Error && 'code' in cause)) throw cause
  return { ok: false, reason: 'unreachable', message: `There is no connection (${cause.code}).` }
}

/** Whether an open connection failed: by an error of the system or of TLS. */
const isOfNetwork = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && ('syscall' in error || ('code' in error && String(error.code).startsWith('ERR_SSL_')))
