import pg from 'pg'
import { wholeNumber } from './columns.ts'

// Columns in PostgreSQL's text form become JSON byte by byte: decoding each column to a text first would cost several times as
// much.

const { builtins } = pg.types

/**
 * How a column is written:
 * - `value`: as JSON, by its type
 * - `compact`: a document without blanks between its tokens, as `JSON.stringify` writes it
 * - `money`: an amount as text with four decimals, "68.5000"
 * - `mail date`: a time as in mails, "Tue, 12 Jun 2018 14:41:56 +0000"; null is an empty text
 * - `within text`: characters of a text that the JSON around the column begins and ends
 */
export type ColumnForm = 'value' | 'compact' | 'money' | 'mail date' | 'within text'

/** JSON that is written. The next byte goes to `end`. */
export interface JsonTarget {
  bytes: Uint8Array
  end: number
}

/** Writes the bytes from `start` to `stop` to the target. */
export type ColumnWriter = (bytes: Buffer, start: number, stop: number, target: JsonTarget) => void

/** Reads a column as a number: amounts as ten-thousandths, truths as 0 or 1. */
export type NumberReader = (bytes: Buffer, start: number, stop: number) => number

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const BACKSLASH = 0x5c
const BLANK = 0x20
const LETTER_T = 0x74
const CAPITAL_T = 0x54
const CAPITAL_Z = 0x5a
const ascii = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))
const NULL = ascii('null')
const TRUE = ascii('true')
const FALSE = ascii('false')
const UNICODE = ascii('u00')
const HEX = ascii('0123456789abcdef')
/** Control characters that JSON has a letter for. */
const LETTERS = new Map(
  Object.entries({ '\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r' }).map(([mark, letter]) => [
    mark.charCodeAt(0),
    letter.charCodeAt(0),
  ]),
)
const DECIMALS = 4
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].map(ascii)
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map(ascii)
/** By month, for the day of the week. */
const SHIFTS = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4]

const valueWriters = new Map<number, ColumnWriter>([
  [builtins.INT2, copy],
  [builtins.INT4, copy],
  [builtins.INT8, copy],
  [builtins.NUMERIC, copy],
  [builtins.BOOL, writeTruth],
  [builtins.JSON, copy],
  [builtins.JSONB, copy],
  [builtins.TIMESTAMPTZ, writeTime],
])

const writers: Readonly<Record<Exclude<ColumnForm, 'value'>, ColumnWriter>> = {
  compact: writeCompact,
  money: writeMoney,
  'mail date': writeMailDate,
  'within text': writeCharacters,
}

/** @param type of the column */
export const writerOf = (form: ColumnForm, type: number): ColumnWriter =>
  form === 'value' ? (valueWriters.get(type) ?? writeText) : writers[form]

/** JSON in place of null. */
export const nullOf = (form: ColumnForm): Uint8Array => (form === 'mail date' ? ascii('""') : NULL)

const numberReaders = new Map<number, NumberReader>([
  [builtins.INT2, wholeNumber],
  [builtins.INT4, wholeNumber],
  [builtins.INT8, wholeNumber],
  [builtins.NUMERIC, tenThousandths],
  [builtins.BOOL, (bytes, start) => Number(bytes[start] === LETTER_T)],
])

/** @throws Error for a type that is no number */
export function numberReaderOf(type: number): NumberReader {
  const reader = numberReaders.get(type)
  if (!reader) throw new Error(`A column of the type ${type} is no number.`)
  return reader
}

const SHORT: ReadonlySet<number> = new Set([
  builtins.INT2,
  builtins.INT4,
  builtins.INT8,
  builtins.BOOL,
  builtins.TIMESTAMPTZ,
])
/** The most bytes of JSON of a short column. For a longer one, the most bytes beside its own: quotes and decimals. */
export const SHORT_MAX = 40
export const isShort = (type: number): boolean => SHORT.has(type)

function copy(bytes: Uint8Array, start: number, stop: number, target: JsonTarget) {
  const json = target.bytes
  let { end } = target
  for (let at = start; at < stop; at++) json[end++] = bytes[at] ?? 0
  target.end = end
}

export function writeAll(bytes: Uint8Array, target: JsonTarget) {
  target.bytes.set(bytes, target.end)
  target.end += bytes.length
}

export function writeByte(byte: number, target: JsonTarget) {
  target.bytes[target.end++] = byte
}

/** JSON that is made from numbers is ASCII, and at most this long. */
export const MADE_MAX = 256

export function writeMade(json: string, target: JsonTarget) {
  if (json.length > MADE_MAX) throw new Error(`JSON that is made from numbers is too long: ${json}`)
  for (let i = 0; i < json.length; i++) writeByte(json.charCodeAt(i), target)
}

function writeTruth(bytes: Uint8Array, start: number, _: number, target: JsonTarget) {
  writeAll(bytes[start] === LETTER_T ? TRUE : FALSE, target)
}

/** `2025-01-02 03:04:05+00` to `"2025-01-02T03:04:05Z"`. */
function writeTime(bytes: Uint8Array, start: number, stop: number, target: JsonTarget) {
  const begin = target.end
  writeByte(QUOTE, target)
  copy(bytes, start, stop - 3, target)
  target.bytes[begin + 11] = CAPITAL_T
  writeByte(CAPITAL_Z, target)
  writeByte(QUOTE, target)
}

/** `2018-06-12 14:41:56+00` to `"Tue, 12 Jun 2018 14:41:56 +0000"`. */
function writeMailDate(bytes: Buffer, start: number, _: number, target: JsonTarget) {
  const [year, month] = [wholeNumber(bytes, start, start + 4), wholeNumber(bytes, start + 5, start + 7)]
  const weekday = WEEKDAYS[weekdayOf(year, month, wholeNumber(bytes, start + 8, start + 10))] ?? NULL
  writeByte(QUOTE, target)
  writeAll(weekday, target)
  writeByte(COMMA, target)
  writeByte(BLANK, target)
  copy(bytes, start + 8, start + 10, target)
  writeByte(BLANK, target)
  writeAll(MONTHS[month - 1] ?? NULL, target)
  writeByte(BLANK, target)
  copy(bytes, start, start + 4, target)
  writeByte(BLANK, target)
  copy(bytes, start + 11, start + 19, target)
  writeAll(UTC, target)
}
const UTC = ascii(' +0000"')

/** The day of the week in the Gregorian calendar; 0 is Sunday. */
function weekdayOf(year: number, month: number, day: number): number {
  const years = month < 3 ? year - 1 : year
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400)
  return (years + leapDays + (SHIFTS[month - 1] ?? 0) + day) % 7
}

/** `-12.5` to `"-12.5000"`. */
function writeMoney(bytes: Uint8Array, start: number, stop: number, target: JsonTarget) {
  const json = target.bytes
  let { end } = target
  let decimals = -1
  json[end++] = QUOTE
  for (let at = start; at < stop; at++) {
    const byte = bytes[at] ?? 0
    if (byte === POINT) decimals = 0
    else if (decimals >= 0) decimals++
    json[end++] = byte
  }
  if (decimals < 0) {
    json[end++] = POINT
    decimals = 0
  }
  for (; decimals < DECIMALS; decimals++) json[end++] = ZERO
  json[end++] = QUOTE
  target.end = end
}

/** An amount in ten-thousandths: exact, because amounts have at most 15 digits. */
function tenThousandths(bytes: Uint8Array, start: number, stop: number): number {
  const isNegative = bytes[start] === MINUS
  let number = 0
  let missing = DECIMALS
  let isFraction = false
  for (let at = isNegative ? start + 1 : start; at < stop; at++) {
    const byte = bytes[at] ?? 0
    if (byte === POINT) isFraction = true
    else {
      number = number * 10 + (byte - ZERO)
      if (isFraction) missing--
    }
  }
  for (; missing > 0; missing--) number *= 10
  return isNegative ? -number : number
}

function writeText(bytes: Buffer, start: number, stop: number, target: JsonTarget) {
  writeByte(QUOTE, target)
  writeCharacters(bytes, start, stop, target)
  writeByte(QUOTE, target)
}

function writeCharacters(bytes: Uint8Array, start: number, stop: number, target: JsonTarget) {
  const json = target.bytes
  let { end } = target
  for (let at = start; at < stop; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= BLANK && byte !== QUOTE && byte !== BACKSLASH) json[end++] = byte
    else {
      target.end = end
      writeEscaped(byte, target)
      end = target.end
    }
  }
  target.end = end
}

function writeEscaped(byte: number, target: JsonTarget) {
  writeByte(BACKSLASH, target)
  const letter = byte >= BLANK ? byte : LETTERS.get(byte)
  if (letter !== undefined) writeByte(letter, target)
  else {
    writeAll(UNICODE, target)
    writeByte(HEX[byte >> 4] ?? 0, target)
    writeByte(HEX[byte & 15] ?? 0, target)
  }
}

/** Numbers of so many digits are equal in PostgreSQL and JavaScript. */
const PLAIN_DIGITS = 8

/** A document without the blanks that PostgreSQL writes behind commas and colons. */
function writeCompact(bytes: Buffer, start: number, stop: number, target: JsonTarget) {
  const json = target.bytes
  let { end } = target
  let isText = false
  let digits = 0
  for (let at = start; at < stop; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) isText = !isText
    else if (isText) {
      // The character behind a backslash ends no text.
      if (byte === BACKSLASH) json[end++] = bytes[at++] ?? 0
    } else if (byte === BLANK) continue
    else if ((byte >= ZERO && byte <= NINE) || byte === POINT) {
      if (++digits > PLAIN_DIGITS) return writeParsed(bytes, start, stop, target)
    } else digits = 0
    json[end++] = bytes[at] ?? 0
  }
  target.end = end
}

/** PostgreSQL keeps the digits of a number: 100000000000000000000000 is 1e+23 in JavaScript. */
function writeParsed(bytes: Buffer, start: number, stop: number, target: JsonTarget) {
  writeAll(Buffer.from(JSON.stringify(JSON.parse(bytes.toString('utf8', start, stop)))), target)
}
