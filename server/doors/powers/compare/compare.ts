import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerDifferences } from '../../../stores/requests/differences.ts'
import { hidesBodies, loggedPath } from '../../../stores/requests/secrecy.ts'
import { type IdPairs, isIdSegment } from './pairs.ts'

/**
 * Compares two stores by the requests of a client. A proxy sends each request to the left store, answers with its answer, and sends the
 * request to the right store too, with the ids and the token of that one. Values that differ are reported, without ids and times. Changes
 * are sent to the right store only if that is wanted.
 */
export interface ComparisonSettings {
  /** Addresses of stores: `https://api.example.com/stores/abc123`. */
  left: string
  right: string
  /** The token of the right store. The left one gets that of the client. */
  rightToken: string
  /** Whether changes are sent to the right store, too. */
  changes: boolean
  ids: IdPairs
  /** 0 for any free port. */
  port: number
  report(difference: AnswerDifference): void
}

/** A request that both stores have answered differently. */
export interface AnswerDifference {
  /** `GET /v3/catalog/brands/{id}` */
  operation: string
  /** As the client has sent it, without secret values. */
  path: string
  status: { left: number; right: number | null }
  /** Values that differ, at most 200. Those of routes with secrets are not shown. */
  differences: ReturnType<typeof answerDifferences>
  curl: { left: string; right: string }
}

/** Compared requests of an operation, and those among them that were answered differently. */
export interface OperationCount {
  compared: number
  different: number
}

export interface Comparison {
  /** The address that the client uses in place of that of the left store. */
  address: string
  counts(): ReadonlyMap<string, OperationCount>
  /** Requests that were not compared, because 50 others were, or because an answer has more than 32 MiB. */
  skipped(): number
  close(): Promise<void>
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const BODY_MAX = 32 * 1024 * 1024
const TIMEOUT_MS = 60_000
/** Comparisons at the same time. A client that is faster than the right store is not slowed down: its next requests are not compared. */
const COMPARISONS_MAX = 50

/** Values about pages that have ids of rows. */
const OF_PAGES = /^meta\.(cursor_)?pagination\.(links\.|\w+_cursor$)/

/** Headers that belong to one connection, or that the other request gets anew. */
const OF_CONNECTION = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'accept-encoding',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/** Starts the proxy on this machine. @throws Error for an address that is not one of a store, and for a port in use */
export async function startComparison(settings: ComparisonSettings): Promise<Comparison> {
  const stores = { left: addressOf(settings.left), right: addressOf(settings.right) }
  const counts = new Map<string, OperationCount>()
  const compare = new Comparer({ ...settings, ...stores }, counts)
  const server = createServer((request, response) => {
    compare.answer(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(502, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ status: 502, title: `The left store does not answer: ${String(error)}` }))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, '127.0.0.1', resolve)
  })
  const { port } = portOf(server.address())
  const place = new URL(stores.left).pathname
  return {
    address: `http://127.0.0.1:${port}${place}`,
    counts: () => counts,
    skipped: () => compare.skipped,
    async close() {
      await compare.idle()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function portOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return address
}

/** @throws Error for another form */
function addressOf(url: string): string {
  const address = url.replace(/\/+$/, '')
  if (/^https?:\/\/[^/]+\/stores\/[^/]+$/.test(address)) return address
  throw new Error(`The address of a store is like https://api.example.com/stores/abc123, and not "${url}".`)
}

interface Exchange {
  method: string
  /** Below the store, with the query. */
  path: string
  headers: Record<string, string>
  body: Buffer | undefined
}

interface ExchangedAnswer {
  status: number
  bytes: Buffer
}

class Comparer {
  readonly #settings: ComparisonSettings
  readonly #counts: Map<string, OperationCount>
  readonly #running = new Set<Promise<void>>()
  skipped = 0

  constructor(settings: ComparisonSettings, counts: Map<string, OperationCount>) {
    this.#settings = settings
    this.#counts = counts
  }

  /** Answers a request of the client, and compares the answers behind it. */
  async answer(request: IncomingMessage, response: ServerResponse) {
    const body = await bodyOf(request)
    if (body === 'too long') return void response.writeHead(413).end()
    const path = (request.url ?? '').replace(/^\/stores\/[^/]+/, '')
    const method = request.method ?? 'GET'
    const exchange: Exchange = {
      method,
      path,
      headers: headersOf(request),
      body: body.byteLength > 0 ? body : undefined,
    }
    const answer = await send(this.#settings.left, exchange)
    const headers = [...answer.headers].filter(([name]) => !OF_CONNECTION.has(name))
    response.writeHead(answer.status, Object.fromEntries(headers))
    const bytes = await bytesOf(answer, (piece) => response.write(piece))
    response.end()
    if (!READING.has(method) && !this.#settings.changes) return
    if (bytes === undefined || this.#running.size >= COMPARISONS_MAX) return void this.skipped++
    const left = { status: answer.status, bytes }
    const comparison = this.#compare(exchange, left).finally(() => this.#running.delete(comparison))
    this.#running.add(comparison)
  }

  /** Waits for the comparisons that run. */
  async idle() {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #compare(exchange: Exchange, left: ExchangedAnswer) {
    const { right: store, rightToken, ids, report } = this.#settings
    const { method, path } = exchange
    const sent = {
      ...exchange,
      path: ids.pathFor(path),
      headers: { ...exchange.headers, 'x-auth-token': rightToken },
      body: this.#rightBody(exchange),
    }
    const right = await sendWhole(store, sent).catch(() => null)
    if (right === undefined) return void this.skipped++
    const [leftBody, rightBody] = [parsed(left.bytes), right && parsed(this.#asLeft(right.bytes))]
    const isCreated = method === 'POST' && left.status < 300 && right !== null && right.status < 300
    if (isCreated) ids.learn(path, leftBody, rightBody)
    const template = templateOf(path)
    const operation = `${method} ${template.replaceAll(/:\w+/g, '{id}')}`
    const found = right ? answerDifferences(leftBody, rightBody).filter(({ at }) => !OF_PAGES.test(at)) : []
    const isSame = right?.status === left.status && found.length === 0
    const count = this.#counts.get(operation) ?? { compared: 0, different: 0 }
    this.#counts.set(operation, { compared: count.compared + 1, different: count.different + (isSame ? 0 : 1) })
    if (isSame) return
    const isSecret = hidesBodies(`/stores/:store_hash${template}`)
    report({
      operation,
      path: loggedPath(path, template),
      status: { left: left.status, right: right?.status ?? null },
      differences: isSecret ? found.map(({ at }) => ({ at })) : found,
      curl: {
        left: curlOf(this.#settings.left, { exchange, template, isSecret, token: 'LEFT_TOKEN' }),
        right: curlOf(store, { exchange: sent, template, isSecret, token: 'RIGHT_TOKEN' }),
      },
    })
  }

  #rightBody({ path, headers, body }: Exchange): Buffer | undefined {
    if (!body || !/json/.test(headers['content-type'] ?? '')) return body
    const value = parsed(body)
    return typeof value === 'string' ? body : Buffer.from(JSON.stringify(this.#settings.ids.bodyFor(path, value)))
  }

  /** The answer of the right store with the address and the hash of the left one. */
  #asLeft(bytes: Buffer): Buffer {
    const [left, right] = [new URL(this.#settings.left), new URL(this.#settings.right)]
    const hashOf = ({ pathname }: URL) => pathname.slice('/stores/'.length)
    return Buffer.from(
      bytes.toString('utf8').replaceAll(right.origin, left.origin).replaceAll(hashOf(right), hashOf(left)),
    )
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | 'too long'> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request) {
    length += piece.byteLength
    if (length > BODY_MAX) return 'too long'
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      OF_CONNECTION.has(name) || value === undefined ? [] : [[name, String(value)]],
    ),
  )

const send = (store: string, { method, path, headers, body }: Exchange): Promise<Response> =>
  fetch(`${store}${path}`, {
    method,
    headers,
    ...(body && !READING.has(method) ? { body: new Uint8Array(body) } : {}),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })

/** Undefined for an answer that is too long. @throws Error without an answer */
async function sendWhole(store: string, exchange: Exchange): Promise<ExchangedAnswer | undefined> {
  const answer = await send(store, exchange)
  const bytes = await bytesOf(answer)
  return bytes && { status: answer.status, bytes }
}

/** Reads an answer. @returns undefined if it is too long to be kept @param onPiece gets the pieces as they come */
async function bytesOf(answer: Response, onPiece?: (piece: Uint8Array) => void): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of answer.body ?? []) {
    onPiece?.(piece)
    length += piece.byteLength
    if (length <= BODY_MAX) pieces.push(piece)
    else pieces.length = 0
  }
  return length <= BODY_MAX ? Buffer.concat(pieces) : undefined
}

function parsed(bytes: Buffer): unknown {
  const text = bytes.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A path without its ids and query, as a route has it: `/v3/catalog/brands/:brand_id`. */
function templateOf(path: string): string {
  const segments = (path.split('?', 1)[0] ?? '').split('/')
  return segments
    .map((segment, i) =>
      isIdSegment(segment) ? `:${(segments[i - 1] ?? '').replace(/s$/, '').replaceAll('-', '_')}_id` : segment,
    )
    .join('/')
}

interface Shown {
  exchange: Exchange
  template: string
  isSecret: boolean
  /** The variable of the shell with the token. */
  token: string
}

/** A command that sends the request again. */
function curlOf(
  store: string,
  { exchange: { method, path, headers, body }, template, isSecret, token }: Shown,
): string {
  const type = headers['content-type'] ?? ''
  const isShown = body !== undefined && !isSecret && /json/.test(type)
  return [
    'curl -s',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(`${store}${loggedPath(path, template)}`),
    `-H "X-Auth-Token: $${token}"`,
    ...(isShown ? [`-H ${quoted(`Content-Type: ${type}`)} -d ${quoted(body.toString('utf8'))}`] : []),
  ].join(' ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
