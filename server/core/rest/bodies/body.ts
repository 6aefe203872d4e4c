import { isAscii, isUtf8 } from 'node:buffer'
import { createRequire } from 'node:module'
import { Problem, REPORTED_MAX } from '../problem.ts'
import { refuseLarge } from './json-size.ts'

/** The place of a mistake is searched in texts up to this length. */
const SEARCHED_MAX = 64 * 1024
// As many as Unicode's Stream-Safe Text Format allows (UAX #15 section 13).
const MARKS_MAX = 30

/**
 * The JSON body of a request (docs/contract/conventions.md section 12): UTF-8 with or without a byte order mark, every string and
 * key in NFC. The last of repeated keys counts. `undefined` without bytes.
 * @throws Problem 400 for malformed JSON and too many levels, 413 for too many values or keys
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8.')
  refuseLarge(bytes)
  const text = bytes.toString('utf8')
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw malformed(`Syntax error${placeOfMistake(json)}`)
  }
  // ASCII is NFC already, unless an escape stands for something else.
  return isAscii(bytes) && !bytes.includes('\\u') ? value : normalize(value)
}

const malformed = (detail: string) => new Problem(400, 'The body is not valid JSON.', {}, { detail })

/**
 * The position at which a text stops being JSON, for people, who write short ones. The platform's own sentence does not always
 * name it, and quotes the text.
 */
function placeOfMistake(json: string): string {
  if (json.length > SEARCHED_MAX) return ''
  const { visit }: typeof import('jsonc-parser') = createRequire(import.meta.url)('jsonc-parser')
  const places: string[] = []
  visit(
    json,
    {
      onError: (...[, , , line, character]) => {
        places.push(` at line ${line + 1}, column ${character + 1}`)
      },
    },
    { disallowComments: true, allowTrailingComma: false },
  )
  return places[0] ?? ''
}

/** The same value in NFC, changed in place where it must be. */
function normalize(value: unknown): unknown {
  if (typeof value === 'string') return hasTooManyMarks(value) ? value : value.normalize('NFC')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = normalize(value[i])
    return value
  }
  const entries = Object.entries(value)
  let isNormal = true
  for (const entry of entries) {
    const [key, item] = entry
    entry[0] = hasTooManyMarks(key) ? key : key.normalize('NFC')
    entry[1] = normalize(item)
    isNormal &&= entry[0] === key && entry[1] === item
  }
  // fromEntries defines own properties: a key such as __proto__ stays a key, is unknown to every schema, and is dropped.
  return isNormal ? value : Object.fromEntries(entries)
}

/**
 * Whether a text has a run of combining marks that no writing needs. Putting marks into NFC's order takes time by the square
 * of their number: a body full of them would hold the server for minutes.
 */
function hasTooManyMarks(text: string): boolean {
  if (text.length <= MARKS_MAX) return false
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < FIRST_MARK) run = 0
    else {
      const code = unit >= 0xd800 && unit < 0xdc00 ? (text.codePointAt(at) ?? 0) : unit
      run = isMark(code) ? run + 1 : 0
      if (run > MARKS_MAX) return true
      if (code > 0xffff) at++
    }
  }
  return false
}

const FIRST_MARK = 0x300
const MARK = /^\p{M}/u
let marks: Uint8Array | undefined

/** From a table: to ask the expression for each character takes ten times as long as all else that is done with a text. */
function isMark(code: number): boolean {
  if (code > 0xffff) return MARK.test(String.fromCodePoint(code))
  marks ??= Uint8Array.from({ length: 0x10000 }, (_, unit) => Number(MARK.test(String.fromCharCode(unit))))
  return marks[code] === 1
}

/**
 * The texts of a body that can't be stored, each with a sentence, by field path (docs/contract/conventions.md sections 12 and
 * 16). Empty if all can be stored.
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
      for (const key in value) lookBelow(key, Reflect.get(value, key))
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
