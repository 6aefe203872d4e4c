import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { type HeldMemory, Holdings, warnOfCuts } from './holdings.ts'
import { Turns } from './turns.ts'

// Bodies while they arrive (docs/decisions/050-bodies-as-they-arrive.md).

declare module 'fastify' {
  interface FastifyInstance {
    bodies: Bodies
  }
  interface FastifyContextConfig {
    /** Bytes of a JSON body, for a route that takes less than the others. */
    bodyMax?: number
  }
}

/** The bounds of a process. */
export interface BodyBounds {
  /** Bytes that stores may have on their way together, with management tokens. */
  storesMax: number
  /** The same for all other senders: shoppers, gateways, strangers. */
  othersMax: number
  /** How many bodies one address may have on their way at once, without a management token. */
  perAddressMax: number
  /** How long such a body may take, in milliseconds. */
  othersMs: number
}

const MIB = 1024 * 1024
export const BODY_BOUNDS = { storesMax: 192 * MIB, othersMax: 64 * MIB, perAddressMax: 100, othersMs: 10_000 }

/** Bytes of the JSON body of a sign-in or a payment, whose senders have no management token. */
export const SMALL_BODY_MAX = 16 * 1024
/** Bodies from this size on are parsed in turns. */
const LARGE_BYTES = 64 * 1024
const FIRST_BYTES = 16 * 1024
const OTHERS_LANE = 'others'

/** A client: a store by its management token, or else an address. */
interface Sender {
  readonly name: string
  readonly isStore: boolean
}

/** Only management routes have scopes: everybody can read the token of a storefront in its pages. */
export const senderOf = ({ client, db, ip, routeOptions }: FastifyRequest): Sender =>
  client && routeOptions.config.scopes
    ? { name: `store ${db.store.id}`, isStore: true }
    : { name: `address ${ip}`, isStore: false }

/**
 * The bodies that a process holds in memory. Only bytes that have arrived count, against a bound that stores share and another one for
 * everybody else. Past a bound the sender with the most bytes loses its largest body, with 503. Uploads that go to the disk as they
 * arrive don't count.
 */
export class Bodies {
  readonly #bounds: BodyBounds
  readonly #ofStores: Holdings
  readonly #ofOthers: Holdings
  readonly #turns = new Turns()
  /** Receives the bytes of each body before they are parsed. It must not keep them. */
  onRead: ((request: FastifyRequest, bytes: Buffer) => void) | undefined

  constructor(bounds: BodyBounds, log: { warn(details: object, sentence: string): void }) {
    this.#bounds = bounds
    const onCut = warnOfCuts(log, 'bodies are refused: too many are on their way')
    this.#ofStores = new Holdings({ bytesMax: bounds.storesMax, onCut })
    this.#ofOthers = new Holdings({ bytesMax: bounds.othersMax, countMax: bounds.perAddressMax, onCut })
  }

  /** The bytes that are held. */
  get bytes(): number {
    return this.#ofStores.bytes + this.#ofOthers.bytes
  }

  /**
   * Reads a body and parses it. Large ones are parsed in turns: each store has a lane, and all other senders have one together.
   * @param max one byte more is 413, whether it is declared or arrives
   * @throws Problem 400, 408, 413, 503
   */
  async read<T>(
    request: FastifyRequest,
    payload: Readable,
    { max, parse }: { max: number; parse: (bytes: Buffer) => T },
  ): Promise<T> {
    const declared = Number(request.headers['content-length'])
    if (declared > max) throw tooLarge()
    const sender = senderOf(request)
    const holding = this.#begin(sender)
    try {
      const bytes = await gather(payload, { max, holding, ms: sender.isStore ? undefined : this.#bounds.othersMs })
      if (declared >= 0 && declared !== bytes.length) {
        throw new Problem(400, 'The body is not as long as Content-Length says.')
      }
      this.onRead?.(request, bytes)
      if (bytes.length >= LARGE_BYTES) await this.#turn(sender, holding)
      return parse(bytes)
    } finally {
      holding.end()
    }
  }

  /**
   * Counts the parts of a form that are read into memory, until the holding ends.
   * @param onCut stops the upload with a refusal
   */
  beginForm(request: FastifyRequest, onCut: (refusal: Problem) => void): HeldMemory {
    const holding = this.#begin(senderOf(request))
    holding.onCut = () => onCut(overloaded())
    return holding
  }

  #begin({ name, isStore }: Sender): HeldMemory {
    return (isStore ? this.#ofStores : this.#ofOthers).begin(name)
  }

  #turn({ name, isStore }: Sender, holding: HeldMemory): Promise<void> {
    return new Promise((resolve, reject) => {
      let isWanted = true
      holding.onCut = () => {
        isWanted = false
        reject(overloaded())
      }
      this.#turns.take(isStore ? name : OTHERS_LANE, { begin: resolve, isWanted: () => isWanted })
    })
  }
}

/** The bytes of a body. They are copied together as they arrive: a body may come in a million chunks of a byte. */
function gather(
  payload: Readable,
  { max, holding, ms }: { max: number; holding: HeldMemory; ms: number | undefined },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    let length = 0
    const stop = () => {
      clearTimeout(timer)
      payload.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
    }
    const refuse = (problem: Problem) => {
      stop()
      bytes = Buffer.alloc(0)
      reject(problem)
    }
    const onData = (chunk: Buffer) => {
      if (length + chunk.length > max) return refuse(tooLarge())
      bytes = length === 0 ? chunk : appended(bytes, length, chunk)
      length += chunk.length
      holding.grow(chunk.length)
    }
    const onEnd = () => {
      stop()
      resolve(bytes.subarray(0, length))
    }
    const onBroken = () => refuse(new Problem(400, 'The body broke off.'))
    const timer = ms === undefined ? undefined : setTimeout(() => refuse(tooSlow()), ms)
    holding.onCut = () => refuse(overloaded())
    if (payload.destroyed) return onBroken()
    payload.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken).resume()
  })
}

/** Bytes with a chunk behind the first `length` of them, in a buffer that doubles as it fills. */
function appended(bytes: Buffer, length: number, chunk: Buffer): Buffer {
  const needed = length + chunk.length
  let whole = bytes
  // The first chunk is as long as its bytes, and is part of a buffer that others may use: it is always copied.
  if (needed > bytes.length) {
    whole = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, 2 * bytes.length, needed))
    bytes.copy(whole, 0, 0, length)
  }
  chunk.copy(whole, length)
  return whole
}

const tooLarge = () => new Problem(413, 'The body is too large.')
const tooSlow = () => new Problem(408, 'The body did not arrive in time.')
const overloaded = () =>
  new Problem(503, 'Too many bodies are on their way at the moment.', {}, { headers: { 'retry-after': '1' } })
