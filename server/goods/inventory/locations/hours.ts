import t, { type Static } from 'typebox'
import { NeededLine } from '../../../core/rest/input/fields.ts'
import { type Mistakes, repeated } from '../../../core/rest/input/mistakes.ts'

// The opening hours of a location, by the clock of its time zone (docs/contract/locations.md section 3).

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
/** Special days of one location. */
const SPECIAL_MAX = 366

/** A time of a 24-hour clock. 24:00 is the midnight at the end of a day. */
const Time = t.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$' })
const Day = t.Object({ open: t.Boolean(), opening: Time, closing: Time }, { title: 'OpeningHours' })
type Day = Static<typeof Day>
const DayInput = t.Partial(Day, { title: 'OpeningHoursInput' })

const week = <S>(day: S) => ({
  sunday: day,
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
  saturday: day,
})

/** The hours of each day of the week. */
export const OperatingHours = t.Object(week(Day), { title: 'OperatingHours' })
export const OperatingHoursInput = t.Partial(t.Object(week(DayInput)), { title: 'OperatingHoursInput' })

/** A day with other hours than its weekday, once or each year. */
export const SpecialDay = t.Object(
  {
    label: NeededLine,
    date: t.String({ format: 'date' }),
    open: t.Boolean(),
    opening: Time,
    closing: Time,
    all_day: t.Boolean(),
    annual: t.Boolean(),
  },
  { title: 'SpecialHours' },
)
type SpecialDay = Static<typeof SpecialDay>
const { label, date, open } = SpecialDay.properties
const SpecialDayInput = t.Object(
  { ...t.Partial(SpecialDay).properties, label, date, open },
  { title: 'SpecialHoursInput' },
)
export const SpecialHoursInput = t.Array(SpecialDayInput, { maxItems: SPECIAL_MAX })

const closed: Day = { open: false, opening: '00:00', closing: '00:00' }

export const closedAllWeek: Static<typeof OperatingHours> = week(closed)

/** Merges days into the hours. A day in the request replaces the whole day. */
export const withDays = (hours: Static<typeof OperatingHours>, given: Static<typeof OperatingHoursInput> = {}) => ({
  ...hours,
  ...Object.fromEntries(DAYS.flatMap((day) => (given[day] ? [[day, { ...closed, ...given[day] }]] : []))),
})

export const specialDays = (given: Static<typeof SpecialHoursInput>): SpecialDay[] =>
  given.map((day) => ({
    label: day.label,
    date: day.date,
    open: day.open,
    opening: day.opening ?? closed.opening,
    closing: day.closing ?? closed.closing,
    all_day: day.all_day ?? false,
    annual: day.annual ?? false,
  }))

/** The mistakes of hours that match their schema. @param at the path of a field of the location */
export function hoursMistakes(
  week: Static<typeof OperatingHoursInput> = {},
  special: Static<typeof SpecialHoursInput> = [],
  at: (field: string) => string,
): Mistakes {
  const mistakes = repeated(
    special,
    ({ date }) => date,
    (i) => at(`special_hours.${i}.date`),
    'Another item has this date.',
  )
  for (const day of DAYS) {
    if (week[day] && endsTooEarly(week[day])) mistakes[at(`operating_hours.${day}.closing`)] = TOO_EARLY
  }
  for (const [i, day] of special.entries()) {
    if (!day.all_day && endsTooEarly(day)) mistakes[at(`special_hours.${i}.closing`)] = TOO_EARLY
  }
  return mistakes
}

const TOO_EARLY = 'closing must be later than opening; 24:00 is midnight.'

/** As texts, times have the order of the clock. */
const endsTooEarly = ({ open, opening, closing }: Static<typeof DayInput>) =>
  open === true && (closing ?? closed.closing) <= (opening ?? closed.opening)
