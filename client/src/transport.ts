import type { Answer, Options } from './calls.ts'
import { AnswerError, ConnectionError, refusalOf, StorewardError, TimeoutError } from './errors.ts'
import { Quota } from './quota.ts'
import { sleep } from './sleep.ts'
import type { Row } from './table.ts'

/** A request that was sent, for logs. It has no header and no body, so no secret. */
export interface SentRequest {
  /** The method of the client: `products.list`. */
  operation: string
  verb: string
  url: string
  /** Counts from 1. */
  attempt: number
}

/** Functions that see each request. */
export interface Hooks {
  onRequest?(request: SentRequest): void
  onAnswer?(request: SentRequest & { status: number; ms: number; requestId: string | undefined }): void
  /** Before the client waits and sends the request again. */
  onRetry?(request: SentRequest & { reason: string; waitMs: number }): void
}

/** The settings of a client, with all defaults. */
export interface Settings {
  url: string
  companionUrl: string
  storeHash: string
  headers: Record<string, string>
  isStrict: boolean
  /** The hosted service knows neither `Idempotency-Key` nor `Prefer`. */
  isHosted: boolean
  timeoutMs: number
  /** How often a request is sent again. */
  retries: number
  hooks: Hooks
  fetch: typeof fetch
}

/** A request in the form of the API. */
export interface Request {
  row: Pick<Row, 'name' | 'verb' | 'media' | 'isEmpty' | 'isWrapped'>
  url: string
  body?: unknown
  isForm?: boolean
  /** Whether a POST changes nothing, so that it may be sent again. */
  isRead?: boolean
  options: Options
}

/** Waits before the second, third and further attempts, in milliseconds; each is drawn between half of it and the whole. */
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000]

/** Sends requests, within the quota of the store and again after failures that a repetition can mend. */
export class Transport {
  readonly settings: Settings
  readonly #quota = new Quota()

  constructor(settings: Settings) {
    this.settings = settings
  }

  async send(request: Request): Promise<Answer<unknown>> {
    const { settings } = this
    const { row, options } = request
    const isWrite = !request.isRead && (row.verb === 'POST' || row.verb === 'PUT')
    const hasKey = isWrite && !settings.isHosted
    const { payload, type } = payloadOf(request)
    const headers: Record<string, string> = {
      Accept: row.media === 'json' ? 'application/json' : '*/*',
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(settings.isStrict ? { Prefer: 'handling=strict' } : {}),
      ...settings.headers,
      ...(hasKey ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() } : {}),
      ...options.headers,
    }
    let wasLost = false
    for (let attempt = 1; ; attempt += 1) {
      const sent = { operation: row.name, verb: row.verb, url: request.url, attempt }
      const mayRepeat = attempt <= settings.retries
      const outcome = await this.#attempt(
        sent,
        { method: row.verb, headers, ...(payload === undefined ? {} : { body: payload }) },
        request,
      )
      if (outcome instanceof ConnectionError) {
        // Without a key a write may have been done.
        if (!mayRepeat || (isWrite && !hasKey)) throw outcome
        wasLost = true
        await this.#wait(sent, outcome.message, WAITS_MS[attempt - 1] ?? 4_000, options)
        continue
      }
      const { status } = outcome
      // An attempt whose answer was lost has deleted it.
      if (status === 404 && wasLost && row.verb === 'DELETE' && row.isEmpty)
        return { ...outcome, data: undefined, status: 204 }
      if (status < 300 && status !== 207) return outcome
      const waitMs = mayRepeat ? repetition(outcome, hasKey, isWrite, attempt) : undefined
      if (waitMs === undefined) throw refusalOf(row.name, status, outcome.body, outcome.requestId)
      if (status >= 502 && status !== 503) wasLost = true
      await this.#wait(sent, `the status ${status}`, waitMs, options)
    }
  }

  /** Opens a stream, which is never repeated. */
  async open({ row, url, options }: Request): Promise<ReadableStream<Uint8Array>> {
    const headers = { Accept: 'text/event-stream', ...this.settings.headers, ...options.headers }
    const response = await this.settings.fetch(url, {
      method: row.verb,
      headers,
      ...(options.signal ? { signal: options.signal } : {}),
    })
    const requestId = response.headers.get('X-Request-Id') ?? undefined
    if (!response.ok) throw refusalOf(row.name, response.status, toJson(await response.text()), requestId)
    if (!response.body) throw new AnswerError(`${row.name}: the answer has no stream.`, response.status)
    return response.body
  }

  async #wait(sent: SentRequest, reason: string, ms: number, { signal }: Options): Promise<void> {
    const waitMs = Math.round(ms * (0.5 + Math.random() / 2))
    this.settings.hooks.onRetry?.({ ...sent, reason, waitMs })
    await sleep(waitMs, signal)
  }

  async #attempt(sent: SentRequest, init: RequestInit, { row, options }: Request): Promise<Outcome | ConnectionError> {
    const { signal, timeoutMs = this.settings.timeoutMs } = options
    await this.#quota.take(signal)
    this.settings.hooks.onRequest?.(sent)
    const began = Date.now()
    const limit = AbortSignal.timeout(timeoutMs)
    let answer: { response: Response; text: string }
    try {
      const response = await this.settings.fetch(sent.url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      answer = { response, text: await response.text() }
    } catch (error) {
      this.#quota.learn()
      if (signal?.aborted) throw signal.reason
      // A function of the caller that sends requests may have refused this one.
      if (error instanceof StorewardError) throw error
      if (limit.aborted)
        return new TimeoutError(`${row.name}: no answer of ${originOf(sent.url)} within ${timeoutMs} ms.`, {
          cause: error,
        })
      return new ConnectionError(`${row.name}: no answer of ${originOf(sent.url)} (${reasonOf(error)}).`, {
        cause: error,
      })
    }
    const { response, text } = answer
    this.#quota.learn(response.headers)
    const requestId = response.headers.get('X-Request-Id') ?? undefined
    this.settings.hooks.onAnswer?.({ ...sent, status: response.status, ms: Date.now() - began, requestId })
    return { ...read(row, sent.url, response, text), requestId }
  }
}

interface Outcome extends Answer<unknown> {
  /** The body as it came. */
  body: unknown
}

function read(
  row: Request['row'],
  url: string,
  { status, headers }: Response,
  text: string,
): Omit<Outcome, 'requestId'> {
  const isReplayed = headers.get('Idempotent-Replayed') === 'true'
  const bare = { status, headers, meta: {}, isReplayed }
  if (text === '') return { ...bare, data: undefined, body: undefined }
  if (row.media === 'text' && status < 300) return { ...bare, data: text, body: text }
  const body = toJson(text)
  if (body === undefined) {
    // A proxy in between may answer its own errors as a page.
    if (status >= 500) return { ...bare, data: undefined, body: undefined }
    const kind = /^\s*</.test(text) ? 'a page (HTML)' : 'a text that is not JSON'
    throw new AnswerError(
      `${row.name}: ${originOf(url)} answered ${status} with ${kind}. Check that \`url\` is the address of the API, without a path of the store.`,
      status,
    )
  }
  const { data, meta } = enveloped(body)
  return { ...bare, body, data: row.isWrapped ? data : body, meta }
}

function enveloped(body: unknown): { data: unknown; meta: Record<string, unknown> } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { data: undefined, meta: {} }
  const { data, meta } = { data: undefined, meta: undefined, ...body }
  return { data, meta: { ...Object(meta) } }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The time after which an attempt may mend a refusal; undefined if none can. */
function repetition(
  { status, headers }: Outcome,
  hasKey: boolean,
  isWrite: boolean,
  attempt: number,
): number | undefined {
  const seconds = Number(headers.get('X-Retry-After') ?? headers.get('Retry-After') ?? Number.NaN)
  const waitMs = WAITS_MS[attempt - 1] ?? 4_000
  // Half of the wait is drawn; a time that the server names is waited in full.
  const namedMs = Number.isFinite(seconds) ? seconds * 2_000 : waitMs
  switch (status) {
    case 429: {
      const resetMs = Number(headers.get('X-Rate-Limit-Time-Reset-Ms') ?? Number.NaN)
      return Number.isFinite(seconds) || !Number.isFinite(resetMs) ? namedMs : resetMs * 2
    }
    case 503:
      // A hosted service may have begun a write; ours refuses it before.
      return isWrite && !hasKey ? undefined : namedMs
    case 409:
      // An earlier attempt is still under way.
      return hasKey && Number.isFinite(seconds) ? namedMs : undefined
    case 502:
    case 504:
      return isWrite && !hasKey ? undefined : waitMs
    default:
      return undefined
  }
}

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : url)

/** The code of a failure of the network, which runtimes put in different places; else its sentence. */
function reasonOf(error: unknown): string {
  const causes = [error instanceof Error ? error.cause : undefined, error]
  const codes = causes.map((one) => (one instanceof Error && 'code' in one ? String(one.code) : ''))
  const sentences = causes.map((one) => (one instanceof Error ? one.message : ''))
  return [...codes, ...sentences].find(Boolean) ?? String(error)
}

/** @throws StorewardError for a stream, which could not be sent again */
function payloadOf({ body, isForm = false }: Request): {
  payload: string | FormData | undefined
  type: string | undefined
} {
  if (body === undefined) return { payload: undefined, type: undefined }
  if (body instanceof FormData) return { payload: body, type: undefined }
  if (body instanceof ReadableStream || Object.values(Object(body)).some((value) => value instanceof ReadableStream)) {
    throw new StorewardError(
      "A stream can't be sent twice, so a lost answer could not be mended. Send a Blob, bytes or an object; in Node, `openAsBlob` of node:fs reads a file piece by piece.",
    )
  }
  const isRecord = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (isForm || (isRecord && Object.values(body).some(isUpload))) return { payload: formOf(body), type: undefined }
  return { payload: JSON.stringify(body), type: 'application/json' }
}

interface NamedFile {
  content: Blob | Uint8Array
  filename: string
}

const isNamed = (value: unknown): value is NamedFile =>
  typeof value === 'object' && value !== null && 'content' in value && 'filename' in value

const isUpload = (value: unknown) =>
  value instanceof Blob ||
  value instanceof Uint8Array ||
  (isNamed(value) && (value.content instanceof Blob || value.content instanceof Uint8Array))

function formOf(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value === undefined) continue
    if (value instanceof Blob) form.append(name, value)
    else if (value instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(value)]), 'file')
    else if (isNamed(value)) {
      const { content, filename } = value
      form.append(name, content instanceof Blob ? content : new Blob([new Uint8Array(content)]), filename)
    } else form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return form
}
