import t from 'typebox'
import { parseDate, parseUnix, toSeconds } from '../../core/rest/input/dates.ts'
import { nullable } from '../../core/rest/input/fields.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'

/** A date in a body of the marketing family: RFC 2822 or Unix seconds; `0`, an empty text and null are none. */
export const MarketingDate = t.Unsafe<string | number | null>({
  type: ['string', 'number', 'null'],
  description: 'RFC 2822, or seconds since 1970; `0` is none',
})

/** A stored date; null for none. */
export const StoredDate = nullable(t.String({ format: 'date-time' }))

/** Reads a date. A malformed one is recorded among the mistakes. @returns null for none */
export function readDate(given: string | number | null, field: string, mistakes: Mistakes): string | null {
  const text = String(given ?? '').trim()
  if (text === '' || text === '0') return null
  const parsed = parseUnix(text) ?? parseDate(text)
  if (parsed) return toSeconds(parsed.at)
  mistakes[field] = `${field} must be a date of RFC 2822, or seconds since 1970.`
  return null
}

/** A date as answers show it: seconds since 1970 as text, `0` for none. */
export const unixText = (date: string | null): string => (date === null ? '0' : String(Date.parse(date) / 1_000))
