import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { statementUse } from '../db/wire/statement-use.ts'

// Ids of rows that are no numbers. They are random. In a test store with a seed they follow from the seed and from the order of its
// requests, so that a test can compare whole answers with those of an earlier run. Secrets, such as tokens, are always random.

/** The ids of a store with a seed, one after the other. */
export class SeededIds {
  readonly #seed: string
  #drawn = 0

  constructor(seed: string) {
    this.#seed = seed
  }

  /** The seed with the number of the next id. No id was made from it yet. */
  get place(): string {
    return `${this.#seed} ${this.#drawn}`
  }

  next(): Buffer {
    const { place } = this
    this.#drawn++
    return createHash('sha256').update(place).digest()
  }
}

/** Further stores with seeds get random ids again, the oldest first. */
const STORES_MAX = 1_000

/** The stores with seeds, in the memory of the process that has forked them. Other processes give them random ids. */
export class StoreSeeds {
  readonly #ids = new Map<number, SeededIds>()

  /** @param source the store that was forked. The ids of a fork of a fork differ from those that both have, also if their seeds are the same */
  set(store: number, seed: string, source: number) {
    const former = this.of(source)
    this.#ids.set(store, new SeededIds(former ? `${former.place} ${seed}` : seed))
    const [oldest] = this.#ids.keys()
    if (this.#ids.size > STORES_MAX && oldest !== undefined) this.#ids.delete(oldest)
  }

  of(store: number): SeededIds | undefined {
    return this.#ids.get(store)
  }
}

const ofWork = () => statementUse.getStore()?.ids?.next()

/** A UUID of version 4. */
export function newUuid(): string {
  const bytes = ofWork()
  if (!bytes) return randomUUID()
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Hexadecimal digits. @param bytes at most 32 */
export const newHexId = (bytes: number): string => (ofWork() ?? randomBytes(bytes)).toString('hex', 0, bytes)

/** A whole number from 1 to below `end`, which is at most 2^31. */
export const newNumberId = (end: number): number => {
  const bytes = ofWork()
  return bytes ? 1 + (bytes.readUInt32BE() % (end - 1)) : randomInt(1, end)
}
