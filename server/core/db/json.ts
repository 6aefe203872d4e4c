import type { RawRow } from './line.ts'
import type { JsonForm } from './types.ts'

/** A row of a list: columns each as JSON text, null for none, then all others together as the text of one object. */
export interface JsonRow {
  readonly before: readonly (string | null)[]
  readonly text: string
}

const START_BYTES = 64 * 1024
// What once took more is not kept.
const KEPT_BYTES = 1024 * 1024
// A byte of text becomes six of JSON at most, `\u0001`; `false` comes of one.
const GROWTH = 6

const QUOTE = 0x22
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

/** By the list of fields, which is the collection's own for nearly all that is read. */
const known = new WeakMap<readonly string[], readonly Uint8Array[]>()

/** `{"id":` and `,"name":`: what stands before each column. */
export function keysOf(fields: readonly string[]): readonly Uint8Array[] {
  const keys =
    known.get(fields) ?? fields.map((field, i) => Buffer.from(`${i === 0 ? '' : ','}${JSON.stringify(field)}:`))
  known.set(fields, keys)
  return keys
}

/** Written by one after the other, and read at once. */
let out = Buffer.allocUnsafe(START_BYTES)
let end = 0

/**
 * The row as JSON. From the bytes of the database to those of one text: a text of every column on the way would cost more
 * than all the rest.
 * @param forms by column
 * @param keys of the last columns, which become the object
 */
export function writeRow(
  { bytes, start, count }: RawRow,
  forms: readonly JsonForm[],
  keys: readonly Uint8Array[],
): JsonRow {
  const first = count - keys.length
  const before: (string | null)[] = []
  let at = start
  for (let i = 0; i < first; i++) {
    const length = bytes.readInt32BE(at)
    at += 4
    reserve(length)
    end = 0
    if (length >= 0) writeColumn(bytes, at, at + length, forms[i])
    before.push(length < 0 ? null : out.toString('utf8', 0, end))
    at += Math.max(length, 0)
  }
  end = 0
  out[end++] = OPEN
  for (let i = first; i < count; i++) {
    const key = keys[i - first] ?? NULL
    const length = bytes.readInt32BE(at)
    at += 4
    reserve(length + key.length)
    copy(key, 0, key.length)
    if (length < 0) copy(NULL, 0, NULL.length)
    else {
      writeColumn(bytes, at, at + length, forms[i])
      at += length
    }
  }
  out[end++] = CLOSE
  const text = out.toString('utf8', 0, end)
  if (out.length > KEPT_BYTES) out = Buffer.allocUnsafe(START_BYTES)
  return { before, text }
}

/** Room for what so many bytes may become, and for the little around them. */
function reserve(length: number) {
  const needed = end + GROWTH * Math.max(length, 0) + START_BYTES / 64
  if (needed <= out.length) return
  const larger = Buffer.allocUnsafe(2 * needed)
  out.copy(larger, 0, 0, end)
  out = larger
}

function writeColumn(bytes: Buffer, start: number, stop: number, form: JsonForm | undefined) {
  if (form === 'as it is') copy(bytes, start, stop)
  else if (form === 'truth') writeTruth(bytes[start] === LETTER_T)
  else if (form === 'time') writeTime(bytes, start, stop)
  else writeText(bytes, start, stop)
}

function copy(bytes: Uint8Array, start: number, stop: number) {
  const target = out
  let to = end
  for (let at = start; at < stop; at++) target[to++] = bytes[at] ?? 0
  end = to
}

function writeTruth(truth: boolean) {
  const word = truth ? TRUE : FALSE
  copy(word, 0, word.length)
}

/** `2025-01-02 03:04:05+00` to `"2025-01-02T03:04:05Z"`. */
function writeTime(bytes: Buffer, start: number, stop: number) {
  out[end++] = QUOTE
  copy(bytes, start, stop - 3)
  out[end - (stop - 3 - start) + 10] = CAPITAL_T
  out[end++] = CAPITAL_Z
  out[end++] = QUOTE
}

function writeText(bytes: Buffer, start: number, stop: number) {
  const target = out
  let to = end
  target[to++] = QUOTE
  for (let at = start; at < stop; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= BLANK && byte !== QUOTE && byte !== BACKSLASH) {
      target[to++] = byte
      continue
    }
    target[to++] = BACKSLASH
    if (byte >= BLANK) target[to++] = byte
    else {
      const letter = LETTERS.get(byte)
      if (letter !== undefined) target[to++] = letter
      else {
        target.set(UNICODE, to)
        to += UNICODE.length
        target[to++] = HEX[byte >> 4] ?? 0
        target[to++] = HEX[byte & 15] ?? 0
      }
    }
  }
  target[to++] = QUOTE
  end = to
}
