import { type JsonForm, wholeNumber } from './columns.ts'
import type { RawRow } from './splitter.ts'

const PIECE_BYTES = 64 * 1024
const FREE_MAX = 32
const NOTHING = Buffer.alloc(0)
// Around the columns of a row stand a comma and braces.
const AROUND_BYTES = 3
// A byte of text becomes six of JSON at most, `\u0001`; of the length before a column come quotes or `null`.
const GROWTH = 6

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const BLANK = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d
const LETTER_T = 0x74
const CAPITAL_T = 0x54
const CAPITAL_Z = 0x5a
const ascii = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const NULL = ascii('null')
const TRUE = ascii('true')
const FALSE = ascii('false')
const UNICODE = ascii('u00')
const HEX = ascii('0123456789abcdef')
/** What JSON has a letter for, by the control character. */
const LETTERS = new Map(
  Object.entries({ '\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r' }).map(([mark, letter]) => [
    mark.charCodeAt(0),
    letter.charCodeAt(0),
  ]),
)

/** Pieces that nobody writes into. Fresh memory for each list keeps the collector busy, which counts it apart. */
const free: Buffer[] = []

/**
 * Rows of a list on their way from the database to the answer: bytes become bytes. A text of every column, or of every row,
 * would cost more than all the rest. What became of the rows can be had once, by `take` or by `takeTexts`.
 */
export class JsonRows {
  /** Of each row, the columns that stand before those of its object: whole numbers, null for none. */
  readonly before: (number | null)[][] = []
  readonly #forms: readonly JsonForm[]
  readonly #keys: Keys
  readonly #full: Buffer[] = []
  #fullLength = 0
  #piece: Buffer = NOTHING
  #end = 0
  /** Where the object of each row ends. */
  readonly #ends: number[] = []

  /**
   * @param forms by column
   * @param keys of the last columns, which become the object
   */
  constructor(forms: readonly JsonForm[], keys: Keys) {
    this.#forms = forms
    this.#keys = keys
  }

  /** The objects with a comma between each two, between what is to stand before and behind them. */
  take(before: Uint8Array = NOTHING, after: Uint8Array = NOTHING): Buffer {
    this.#finishPiece()
    const taken = Buffer.concat([before, ...this.#full, after])
    for (const piece of this.#full.splice(0)) giveBack(piece)
    return taken
  }

  /** The objects, each as a text. */
  takeTexts(): string[] {
    const json = this.take()
    return this.#ends.map((end, i) => json.toString('utf8', i === 0 ? 0 : (this.#ends[i - 1] ?? 0) + 1, end))
  }

  add({ bytes, start, end, count }: RawRow) {
    const { keys, length: keysLength } = this.#keys
    const first = count - keys.length
    const before: (number | null)[] = []
    let at = start
    for (let i = 0; i < first; i++) {
      const length = bytes.readInt32BE(at)
      at += 4
      before.push(length < 0 ? null : wholeNumber(bytes, at, at + length))
      at += Math.max(length, 0)
    }
    this.before.push(before)

    this.#makeRoom(keysLength + GROWTH * (end - at) + AROUND_BYTES)
    const target = this.#piece
    let to = this.#end
    if (this.#ends.length > 0) target[to++] = COMMA
    target[to++] = OPEN
    for (let i = first; i < count; i++) {
      const key = keys[i - first] ?? NULL
      to = copy(key, 0, key.length, target, to)
      const length = bytes.readInt32BE(at)
      at += 4
      if (length < 0) to = copy(NULL, 0, NULL.length, target, to)
      else {
        to = writeColumn(bytes, at, at + length, this.#forms[i], target, to)
        at += length
      }
    }
    target[to++] = CLOSE
    this.#end = to
    this.#ends.push(this.#fullLength + to)
  }

  #makeRoom(length: number) {
    if (this.#end + length <= this.#piece.length) return
    this.#finishPiece()
    this.#piece = length > PIECE_BYTES ? Buffer.allocUnsafe(length) : (free.pop() ?? Buffer.allocUnsafe(PIECE_BYTES))
  }

  #finishPiece() {
    this.#full.push(this.#piece.subarray(0, this.#end))
    this.#fullLength += this.#end
    this.#piece = NOTHING
    this.#end = 0
  }
}

/** To be written into again. Those for a row of more than usual size are left to the collector. */
function giveBack({ buffer }: Buffer) {
  if (buffer.byteLength === PIECE_BYTES && free.length < FREE_MAX) free.push(Buffer.from(buffer))
}

/** `"id":` and `,"name":`: what stands before each column, and how long all of it is. */
export interface Keys {
  readonly keys: readonly Uint8Array[]
  readonly length: number
}

/** By the list of fields, which is the collection's own for nearly all that is read. */
const known = new WeakMap<readonly string[], Keys>()

export function keysOf(fields: readonly string[]): Keys {
  const made = known.get(fields) ?? makeKeys(fields)
  known.set(fields, made)
  return made
}

function makeKeys(fields: readonly string[]): Keys {
  const keys = fields.map((field, i) => Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(field)}:`))
  return { keys, length: keys.reduce((sum, { length }) => sum + length, 0) }
}

// What follows writes what stands from `start` to `stop`, puts it into `target` from `to` on, and says where it ends there.

function writeColumn(
  bytes: Buffer,
  start: number,
  stop: number,
  form: JsonForm | undefined,
  target: Uint8Array,
  to: number,
): number {
  if (form === 'as it is') return copy(bytes, start, stop, target, to)
  if (form === 'truth') {
    const word = bytes[start] === LETTER_T ? TRUE : FALSE
    return copy(word, 0, word.length, target, to)
  }
  if (form === 'time') return writeTime(bytes, start, stop, target, to)
  return writeText(bytes, start, stop, target, to)
}

function copy(bytes: Uint8Array, start: number, stop: number, target: Uint8Array, to: number): number {
  let end = to
  for (let at = start; at < stop; at++) target[end++] = bytes[at] ?? 0
  return end
}

/** `2025-01-02 03:04:05+00` to `"2025-01-02T03:04:05Z"`. */
function writeTime(bytes: Uint8Array, start: number, stop: number, target: Uint8Array, to: number): number {
  target[to] = QUOTE
  let end = copy(bytes, start, stop - 3, target, to + 1)
  target[to + 11] = CAPITAL_T
  target[end++] = CAPITAL_Z
  target[end++] = QUOTE
  return end
}

function writeText(bytes: Uint8Array, start: number, stop: number, target: Uint8Array, to: number): number {
  let end = to
  target[end++] = QUOTE
  for (let at = start; at < stop; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= BLANK && byte !== QUOTE && byte !== BACKSLASH) target[end++] = byte
    else end = writeEscaped(byte, target, end)
  }
  target[end++] = QUOTE
  return end
}

function writeEscaped(byte: number, target: Uint8Array, to: number): number {
  let end = to
  target[end++] = BACKSLASH
  const letter = byte >= BLANK ? byte : LETTERS.get(byte)
  if (letter !== undefined) target[end++] = letter
  else {
    end = copy(UNICODE, 0, UNICODE.length, target, end)
    target[end++] = HEX[byte >> 4] ?? 0
    target[end++] = HEX[byte & 15] ?? 0
  }
  return end
}
