import { isUtf8 } from 'node:buffer'
import { invalid, Problem } from './problem.ts'

const DEPTH_MAX = 64

/**
 * The JSON body of a request (docs/contract/conventions.md section 12): UTF-8 with or without a byte order mark, at most
 * 64 levels, every string and key in NFC. Of repeated keys the last counts. `undefined` when there are no bytes.
 * @throws Problem 400 for what is no such JSON, 422 for text that can't be stored (U+0000, lone surrogates)
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
  const unstorable: Record<string, string> = {}
  const normalized = normalize(value, '', 0, unstorable)
  if (Object.keys(unstorable).length > 0) throw invalid(unstorable)
  return normalized
}

const malformed = (detail: string) => new Problem(400, 'The body is not valid JSON.', {}, { detail })

function normalize(value: unknown, path: string, depth: number, unstorable: Record<string, string>): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      unstorable[path] = 'Text must not hold U+0000 or half of a surrogate pair.'
    }
    return value.normalize('NFC')
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === DEPTH_MAX) throw malformed(`The body is nested deeper than ${DEPTH_MAX} levels.`)
  const below = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`)
  if (Array.isArray(value)) return value.map((item, i) => normalize(item, below(i), depth + 1, unstorable))
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key.normalize('NFC'),
    normalize(item, below(key), depth + 1, unstorable),
  ])
  // fromEntries defines own properties: a key such as __proto__ stays a key, is unknown to every schema, and is dropped.
  return Object.fromEntries(entries)
}
