import { isUtf8 } from 'node:buffer'
import { Problem, REPORTED_MAX } from './problem.ts'

const DEPTH_MAX = 64
const MARKS_MAX = 255

/**
 * A run of combining marks that no writing needs. Putting marks into NFC's order takes time by the square of their
 * number: a body full of them would hold the server for minutes.
 */
const TOO_MANY_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${MARKS_MAX + 1}}`, 'u')
const hasTooManyMarks = (text: string) => text.length > MARKS_MAX && TOO_MANY_MARKS.test(text)

/**
 * The JSON body of a request (docs/contract/conventions.md section 12): UTF-8 with or without a byte order mark, at most
 * 64 levels, every string and key in NFC. Of repeated keys the last counts. `undefined` when there are no bytes.
 * @throws Problem 400 for what is no such JSON
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch {
    throw malformed('Syntax error')
  }
  return normalize(value, 0)
}

const malformed = (detail: string) => new Problem(400, 'The body is not valid JSON.', {}, { detail })

/** The same value, changed in place where it must be: a body of 4 MiB may have hundreds of thousands of keys. */
function normalize(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return hasTooManyMarks(value) ? value : value.normalize('NFC')
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEPTH_MAX) throw malformed(`The body is nested deeper than ${DEPTH_MAX} levels.`)
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = normalize(value[i], depth + 1)
    return value
  }
  const entries = Object.entries(value)
  let isNormal = true
  for (const entry of entries) {
    const [key, item] = entry
    entry[0] = hasTooManyMarks(key) ? key : key.normalize('NFC')
    entry[1] = normalize(item, depth + 1)
    isNormal &&= entry[0] === key && entry[1] === item
  }
  // fromEntries defines own properties: a key such as __proto__ stays a key, is unknown to every schema, and is dropped.
  return isNormal ? value : Object.fromEntries(entries)
}

/**
 * The texts of a body that can't be stored, by field path, with what to say about each
 * (docs/contract/conventions.md sections 12 and 16). Nothing if there are none.
 */
export function unstorableTexts(body: unknown): Record<string, string> | undefined {
  const found: Record<string, string> = {}
  const keys: (string | number)[] = []
  let count = 0
  const look = (value: unknown) => {
    if (typeof value === 'string') {
      const reason = whyUnstorable(value)
      if (reason !== undefined && count++ < REPORTED_MAX) found[keys.join('.')] = reason
    } else if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) lookBelow(i, value[i])
    } else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
      for (const [key, item] of Object.entries(value)) lookBelow(key, item)
    }
  }
  const lookBelow = (key: string | number, item: unknown) => {
    keys.push(key)
    look(item)
    keys.pop()
  }
  look(body)
  return count > 0 ? found : undefined
}

function whyUnstorable(text: string): string | undefined {
  if (text.includes('\0') || !text.isWellFormed()) return 'Text must not hold U+0000 or half of a surrogate pair.'
  if (hasTooManyMarks(text)) return `Text must not hold more than ${MARKS_MAX} combining marks in a row.`
  return undefined
}
