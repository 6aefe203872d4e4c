import { isObject } from '../../core/objects.ts'

/** A value that two answers have differently. A side that has none is undefined. */
interface Difference {
  /** `data[0].name` */
  at: string
  left?: unknown
  right?: unknown
}

/** Fields that differ between two answers to the same request: ids and times. */
const VOLATILE = /(^|_)(id|ids|uuid|nonce|token|time|date)$|_at$|_ms$|^date_|^(id|date|created|modified|updated)[A-Z_]?/

const MAX = 200

/** The differences of two JSON values, without those of ids and times; at most 200. */
export function answerDifferences(left: unknown, right: unknown): Difference[] {
  const found: Difference[] = []
  compare('', left, right, found)
  return found
}

function compare(at: string, left: unknown, right: unknown, found: Difference[]) {
  if (found.length >= MAX || Object.is(left, right)) return
  if (Array.isArray(left) && Array.isArray(right)) {
    for (let i = 0; i < Math.max(left.length, right.length); i++) compare(`${at}[${i}]`, left[i], right[i], found)
    return
  }
  if (isObject(left) && isObject(right)) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      if (!VOLATILE.test(key)) compare(at === '' ? key : `${at}.${key}`, left[key], right[key], found)
    }
    return
  }
  found.push({ at, left, right })
}
