/** A point in time, in UTC and to the second. `wholeDay` says that the text named a day and no time. */
export interface ParsedDate {
  at: Date
  wholeDay: boolean
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(Z|[+ -]\d{2}:?\d{2})?$/i
const RFC_2822 = /^(?:([A-Z][a-z]{2}), )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2})(:\d{2})? (GMT|[+ -]\d{4})$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const OFFSET_MAX_MINUTES = 14 * 60
const MINUTE_MS = 60_000

/**
 * Reads a date of a filter or a body; undefined if malformed. The forms are in docs/contract/conventions.md section 5.
 * A text without offset means UTC. A fraction of a second is cut off, not rounded.
 */
export function parseDate(text: string): ParsedDate | undefined {
  if (DAY.test(text)) return moment(clock(text, '00:00:00'), 'Z', true)

  const timestamp = RFC_3339.exec(text)
  if (timestamp) {
    const [, day = '', time = '', zone = 'Z'] = timestamp
    return moment(clock(day, time), zone, false)
  }

  const mail = RFC_2822.exec(text)
  if (mail) {
    const [, weekday, date = '', name = '', year = '', minute = '', second = ':00', zone = ''] = mail
    const month = MONTHS.indexOf(name) + 1 // An unknown name makes month 00, which no calendar has.
    const local = clock(`${year}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`, `${minute}${second}`)
    // The contract is silent on a wrong weekday; we refuse, for we cannot know which half is the mistake.
    if (weekday && !local?.toUTCString().startsWith(weekday)) return undefined
    return moment(local, zone, false)
  }
  return undefined
}

/** Reads seconds since 1970, which some filters take beside the other forms; undefined if malformed. */
export const parseUnix = (text: string): ParsedDate | undefined =>
  /^\d{1,11}$/.test(text) ? { at: new Date(Number(text) * 1_000), wholeDay: false } : undefined

/** `2018-09-18T13:59:01Z`, the form of v3 answers: docs/contract/conventions.md section 12. */
export function toSeconds(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, 'Z')
}

/** The moment at which a clock in UTC shows this. Undefined if it does not print as it was read, such as February 30. */
function clock(day: string, time: string): Date | undefined {
  const shown = `${day}T${time}Z`
  const date = new Date(shown)
  return !Number.isNaN(date.getTime()) && toSeconds(date) === shown ? date : undefined
}

function moment(local: Date | undefined, zone: string, wholeDay: boolean): ParsedDate | undefined {
  const offset = minutesEast(zone)
  if (local === undefined || offset === undefined) return undefined
  const at = new Date(local.getTime() - offset * MINUTE_MS)
  return at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999 ? { at, wholeDay } : undefined
}

function minutesEast(zone: string): number | undefined {
  if (/^(?:Z|GMT)$/i.test(zone)) return 0
  const minutes = Number(zone.slice(-2))
  const offset = Number(zone.slice(1, 3)) * 60 + minutes
  if (minutes > 59 || offset > OFFSET_MAX_MINUTES) return undefined
  return zone.startsWith('-') ? -offset : offset // A blank is the plus sign that the query decoded.
}
