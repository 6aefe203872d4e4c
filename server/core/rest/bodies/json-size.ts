import { Problem } from '../problem.ts'

/** Levels of lists and objects, the outermost counted (docs/contract/limits.md section 1). */
const BODY_DEPTH_MAX = 64
/** All values of a body: texts, numbers, booleans, nulls, lists and objects. */
export const BODY_VALUES_MAX = 300_000
/** Keys of one object. */
export const KEYS_MAX = 1_000

const BLANK = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Refuses JSON that is too deep or too large, by counting in its bytes. It runs before the parser: 4 MiB of `[1,1,...` are
 * 2,000,000 values, and a pass over them blocks the one thread that all stores share. The parser decides whether it is JSON at
 * all.
 * @throws Problem 400 for too many levels, 413 for too many values or keys
 */
export function refuseLarge(bytes: Uint8Array) {
  /** By level: the commas so far, if it is an object, and -Infinity if it is a list, whose length its schema bounds. */
  const commas = new Float64Array(BODY_DEPTH_MAX + 1).fill(Number.NEGATIVE_INFINITY)
  let depth = 0
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === COMMA) {
      values++
      commas[depth] = (commas[depth] ?? 0) + 1
      if ((commas[depth] ?? 0) >= KEYS_MAX) throw tooLarge(`An object of the body has more than ${KEYS_MAX} keys.`)
      if (values > BODY_VALUES_MAX) throw tooManyValues()
    } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (depth === BODY_DEPTH_MAX) throw tooDeep()
      commas[++depth] = byte === OPEN_OBJECT ? 0 : Number.NEGATIVE_INFINITY
      if (!isEmpty(bytes, at) && ++values > BODY_VALUES_MAX) throw tooManyValues()
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (depth-- === 0) return
    }
  }
}

/** The end of the text that begins at a quote: its second quote, or the end of the bytes. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** Whether the list or object that is opened here is closed at once. */
function isEmpty(bytes: Uint8Array, start: number): boolean {
  let at = start + 1
  while (at < bytes.length && (bytes[at] ?? 0) <= BLANK) at++
  return bytes[at] === CLOSE_LIST || bytes[at] === CLOSE_OBJECT
}

const tooDeep = () =>
  new Problem(
    400,
    'The body is not valid JSON.',
    {},
    { detail: `The body is nested deeper than ${BODY_DEPTH_MAX} levels.` },
  )
const tooLarge = (title: string) => new Problem(413, title)
const tooManyValues = () => tooLarge(`The body has more than ${BODY_VALUES_MAX} values.`)
