import { type PromotionSchedule, WEEK_DAYS } from '../promotion.ts'

// Schedules of promotions. Weeks begin on Monday. Days and times are those of the store's time zone.

const DAY_MS = 86_400_000
/** 1970-01-01 was a Thursday: so many days into a week. */
const FIRST_DAY = 3

/** A moment on the clock of a store. */
interface LocalTime {
  /** Days since 1970. */
  day: number
  /** `HH:MM:SS` */
  time: string
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  // This form is the only one of Intl whose text is made like a Swedish date: 2026-01-31 23:59:59.
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, format)
  return format
}

function localTime(at: number, timeZone: string): LocalTime {
  const [date = '', time = ''] = formatOf(timeZone).format(at).split(' ')
  return { day: Date.parse(date) / DAY_MS, time }
}

const weekOf = (day: number) => Math.floor((day + FIRST_DAY) / 7)
const weekDayOf = (day: number) => WEEK_DAYS[(day + FIRST_DAY) % 7]

/**
 * Whether a schedule runs at a moment.
 * @param start of the promotion: weeks are counted from its week
 * Source: docs/contract/promotions.md section 4
 */
export function isScheduled(schedule: PromotionSchedule, start: number, at: number, timeZone: string): boolean {
  const { daily_start_time: from, daily_end_time: to } = schedule
  const { day, time } = localTime(at, timeZone)
  const runsOn = (date: number) => {
    const weeks = weekOf(date) - weekOf(localTime(start, timeZone).day)
    const isIn = schedule.week_days.some((name) => name === weekDayOf(date))
    return isIn && weeks >= 0 && weeks % schedule.week_frequency === 0
  }
  if (from < to) return from <= time && time <= to && runsOn(day)
  // The window runs past midnight, and belongs to the day on which it began.
  return (time >= from && runsOn(day)) || (time <= to && runsOn(day - 1))
}
