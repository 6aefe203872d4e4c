import type { Dispatcher } from 'undici'
import { type Addresses, ForbiddenAddress, UnresolvedHost } from './addresses.ts'
import { undici } from './undici.ts'

/** Nothing was fetched. The sentence is for the caller: it names no address that a name led to, and nothing that was said there. */
export class ImageFetchError extends Error {}

const TOTAL_MS = 5_000
const REDIRECTS_MAX = 3
const HEAD_BYTES_MAX = 16 * 1024
const REDIRECTS = [301, 302, 303, 307, 308]

/**
 * Fetches images that clients name by address (docs/contract/product-parts.md section 5): by http or https, from public addresses
 * only. Each address is checked in the step that connects to it, also after a redirect.
 */
export class ImageFetcher {
  readonly #addresses: Addresses
  readonly #totalMs: number

  /** @param totalMs time for everything: names, connections, redirects, bytes */
  constructor(addresses: Addresses, { totalMs = TOTAL_MS } = {}) {
    this.#addresses = addresses
    this.#totalMs = totalMs
  }

  /** @throws ImageFetchError for every failure of the other side */
  async fetch(address: string, bytesMax: number): Promise<Buffer> {
    // One clock is enough; that of the connection would only say something else. rejectUnauthorized is said aloud, lest
    // NODE_TLS_REJECT_UNAUTHORIZED=0 be heard.
    const connect = this.#addresses.connector({ timeout: 2 * this.#totalMs, allowH2: false, rejectUnauthorized: true })
    // Its own agent: a single fetch leaves no connection behind.
    const dispatcher = new (undici().Agent)({ connect, allowH2: false, maxHeaderSize: HEAD_BYTES_MAX })
    const signal = AbortSignal.timeout(this.#totalMs)
    try {
      return await follow(address, { dispatcher, signal }, bytesMax)
    } catch (error) {
      if (signal.aborted) throw new ImageFetchError(`The picture did not come within ${this.#totalMs / 1_000} s.`)
      throw asNotFetched(error)
    } finally {
      await dispatcher.destroy()
    }
  }
}

interface Way {
  dispatcher: Dispatcher
  signal: AbortSignal
}

async function follow(address: string, way: Way, bytesMax: number): Promise<Buffer> {
  let url = checked(address)
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const answer = await undici().request(url, {
      ...way,
      headers: { accept: 'image/*', 'accept-encoding': 'identity' },
    })
    if (!REDIRECTS.includes(answer.statusCode)) return bytesOf(answer, bytesMax)
    const { location } = answer.headers
    answer.body.on('error', () => {}).destroy()
    url = checked(String(location ?? ''), url)
  }
  throw new ImageFetchError(`The address redirects more than ${REDIRECTS_MAX} times.`)
}

function checked(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ImageFetchError('The address does not lead to one of http or https.')
  }
  if (url.username !== '' || url.password !== '') throw new ImageFetchError('The address must not contain a user name.')
  return url
}

/** Stops at the limit, regardless of the announced size. */
async function bytesOf({ statusCode, headers, body }: Dispatcher.ResponseData, bytesMax: number): Promise<Buffer> {
  const tooLarge = () => new ImageFetchError(`The picture is larger than ${bytesMax} bytes.`)
  if (statusCode !== 200) throw new ImageFetchError(`The address answered with ${statusCode}.`)
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new ImageFetchError('The answer is compressed.')
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > bytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Any other error is a bug of ours and is rethrown. */
function asNotFetched(error: unknown): unknown {
  if (error instanceof ImageFetchError) return error
  if (error instanceof ForbiddenAddress || error instanceof UnresolvedHost) {
    // One sentence for both: which names this network knows is nothing to find out from here.
    return new ImageFetchError('The host of the address must resolve to a public address.')
  }
  const isOfNetwork = error instanceof Error && 'code' in error
  return error instanceof undici().errors.UndiciError || isOfNetwork
    ? new ImageFetchError('The address did not answer as it must.')
    : error
}
