import { setTimeout as sleep } from 'node:timers/promises'
import { ARCHIVE_MAX, PICTURE_MAX } from '../bundle.ts'
import { objectIn } from '../kinds/kind.ts'
import { encodedForm, type StoreAnswer, type StoreApi, type StoreRequest } from '../store-api.ts'

interface Hosted {
  /** The address of the store: `https://api.example.com/stores/abc123`. */
  url: string
  token: string
  /** The address of its companion API, if it is not `/b2b` of the same server. */
  companionUrl?: string | undefined
  /** Reports that the server asked for a pause. */
  onPause?: ((seconds: number) => void) | undefined
  /** Ends a pause early. */
  signal?: AbortSignal | undefined
}

/** A server that did not answer, or refused the token. */
class HostedFault extends Error {}

const TIMEOUT_MS = 60_000
const PICTURE_MS = 15_000
/** A server may take an hour to make an archive. */
const JOB_POLLS = 3_600
const JOB_POLL_MS = 990
/** Requests that failed are repeated after these times. */
const RETRIES_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000]
/** The fewest requests of a window that are left to other clients of the store. */
const LEFT_MIN = 5

/**
 * The API of a store at another server. It sends one request after the other, and waits when the rate headers say that the window of the
 * client is used up. A failure of the server or of the connection is tried again for half a minute.
 */
export function hostedApi({ url, token, companionUrl, onPause, signal }: Hosted): StoreApi {
  const companion = (companionUrl ?? new URL('/b2b', url).href).replace(/\/+$/, '')
  const addressOf = (path: string) => (isOfCompanion(path) ? path.replace('/b2b', companion) : `${url}${path}`)
  const pause = async (ms: number) => {
    if (ms >= 1_000) onPause?.(Math.ceil(ms / 1_000))
    await sleep(ms, undefined, signal ? { signal } : {})
  }

  async function attempt(request: StoreRequest): Promise<Response | undefined> {
    const { method, path, body, form } = request
    const encoded = form && (await encodedForm(form))
    return fetch(addressOf(path), {
      method,
      headers: {
        'x-auth-token': token,
        ...(isOfCompanion(path) ? { 'x-store-hash': url.slice(url.lastIndexOf('/') + 1) } : {}),
        accept: 'application/json',
        ...(encoded
          ? { 'content-type': encoded.type }
          : body === undefined
            ? {}
            : { 'content-type': 'application/json' }),
      },
      ...(encoded ? { body: new Uint8Array(encoded.bytes) } : body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
    }).catch((error) => {
      signal?.throwIfAborted()
      // A connection that failed, or no answer in time.
      if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
        return undefined
      throw error
    })
  }

  const api: StoreApi = {
    isStill: false,
    async send(request): Promise<StoreAnswer> {
      for (let failures = 0; ; ) {
        const answer = await attempt(request)
        const isRefused = answer?.status === 401 || answer?.status === 403
        // A store without companies has no companion API, and no scope for it.
        if (isRefused && !isOfCompanion(request.path))
          throw new HostedFault(`${url} refused the token with ${answer.status} at ${request.method} ${request.path}.`)
        if (answer?.status === 429) {
          await answer.body?.cancel()
          // However long it takes: the server says when to come back.
          await pause(Math.max(1_000, secondsIn(answer, 'x-retry-after', 'retry-after') * 1_000 || resetIn(answer)))
          continue
        }
        // A row may have been created before the connection was lost, and the hosted service knows no idempotency keys.
        const isRepeatable = request.method !== 'POST'
        if (answer === undefined || (answer.status >= 500 && answer.status !== 507)) {
          await answer?.body?.cancel()
          const delay = isRepeatable ? RETRIES_MS[failures++] : undefined
          if (delay === undefined)
            throw new HostedFault(
              `${url} does not answer ${request.method} ${request.path} (${answer?.status ?? 'no connection'}).`,
            )
          await pause(delay)
          continue
        }
        const text = await answer.text()
        const left = numberIn(answer, 'x-rate-limit-requests-left')
        if (left !== undefined && left <= LEFT_MIN) await pause(resetIn(answer))
        return { status: answer.status, body: text === '' ? undefined : parsed(text, request.path) }
      }
    },
    async picture(address) {
      if (!/^https?:\/\//.test(address)) return undefined
      const answer = await fetch(address, { signal: AbortSignal.timeout(PICTURE_MS) }).catch(() => undefined)
      if (answer?.status !== 200 || Number(answer.headers.get('content-length') ?? 0) > PICTURE_MAX) {
        await answer?.body?.cancel()
        return 'lost'
      }
      const bytes = await boundedBytes(answer, PICTURE_MAX)
      return bytes ?? 'lost'
    },
    async themeArchive(uuid) {
      const link = await downloadLink(uuid)
      if (link === undefined) return 'lost'
      const answer = await fetch(link, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
      return (answer?.ok ? await boundedBytes(answer, ARCHIVE_MAX) : undefined) ?? 'lost'
    },
    end() {},
  }

  /** A link to the archive of a theme, which a job of the server makes. Undefined if the token may not ask for it, or the job fails. */
  async function downloadLink(uuid: string): Promise<string | undefined> {
    const body = { which: 'original' }
    const begun = await attempt({ method: 'POST', path: `/v3/themes/${uuid}/actions/download`, body })
    const path = `/v3/themes/jobs/${objectIn(await begun?.json().catch(() => undefined)).job_id}`
    for (let poll = 0; begun?.status === 200 && poll < JOB_POLLS; poll++) {
      const job = await api.send({ method: 'GET', path })
      const { status, result } = objectIn(objectIn(job.body).data)
      const link = objectIn(result).download_url
      if (typeof link === 'string') return link
      if (status === 'FAILED' || job.status !== 200) return undefined
      await pause(JOB_POLL_MS)
    }
    return undefined
  }
  return api
}

const isOfCompanion = (path: string) => path.startsWith('/b2b/')

/** Undefined for a file that is too large, or that was cut off. */
async function boundedBytes(answer: Response, max: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for await (const piece of answer.body ?? []) {
      length += piece.byteLength
      if (length > max) return undefined
      pieces.push(piece)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(pieces)
}

const numberIn = (answer: Response, name: string): number | undefined => {
  const text = answer.headers.get(name)
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

const secondsIn = (answer: Response, ...names: string[]): number =>
  names.map((name) => numberIn(answer, name)).find((seconds) => seconds !== undefined) ?? 0

/** The time until the window of the client ends. */
const resetIn = (answer: Response): number => Math.max(250, numberIn(answer, 'x-rate-limit-time-reset-ms') ?? 1_000)

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new HostedFault(`The answer to ${path} is no JSON.`)
  }
}
