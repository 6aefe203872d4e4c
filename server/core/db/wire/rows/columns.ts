import pg from 'pg'

const { builtins } = pg.types

/** Decodes the bytes of a column. */
export type Reader = (bytes: Buffer, start: number, end: number) => unknown

const textOf = (bytes: Buffer, start: number, end: number) => bytes.toString('utf8', start, end)
const MINUS = '-'.charCodeAt(0)
const ZERO = '0'.charCodeAt(0)

/** A number of up to 15 digits. Decoding it as text first would cost several times as much. */
export function wholeNumber(bytes: Buffer, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS
  let number = 0
  for (let at = isNegative ? start + 1 : start; at < end; at++) number = number * 10 + ((bytes[at] ?? ZERO) - ZERO)
  return isNegative ? -number : number
}

const numberOf: Reader = (bytes, start, end) => Number(bytes.toString('latin1', start, end))
const documentOf: Reader = (bytes, start, end) => JSON.parse(textOf(bytes, start, end))

const readers = new Map<number, Reader>([
  [builtins.INT2, wholeNumber],
  [builtins.INT4, wholeNumber],
  [builtins.INT8, wholeNumber],
  [builtins.NUMERIC, numberOf],
  [builtins.BOOL, isTrue],
  [builtins.JSON, documentOf],
  [builtins.JSONB, documentOf],
  [builtins.TIMESTAMPTZ, (bytes, start, end) => toWireTime(bytes.toString('latin1', start, end))],
])

const TRUE = 't'.charCodeAt(0)

function isTrue(bytes: Buffer, start: number): boolean {
  return bytes[start] === TRUE
}

/** `2025-01-02 03:04:05+00` (the session's zone is UTC) to `2025-01-02T03:04:05Z`, as the wire wants it. */
function toWireTime(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, -3)}Z`
}

/**
 * Converts a column to its value on the wire, by the type of the column, so that a row needs no mapper. Wire columns are int,
 * bigint, numeric, boolean, text, timestamptz and jsonb. Amounts keep 15 digits, which a JavaScript number holds.
 */
export const readerOf = (type: number): Reader => readers.get(type) ?? textOf
