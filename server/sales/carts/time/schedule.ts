import type { Reminder } from '../../../shop/emails/reminders.ts'

/** The reminders of a moment. */
interface DueReminders {
  at: Date
  reminders: Reminder[]
}

/**
 * The next reminders of a cart. Pure.
 * @param updatedAt the last change of the cart, from which the minutes of reminders count
 * @param after the moment of the last reminders of the idle spell; undefined before the first
 * @returns undefined if there are no more
 */
export function nextReminders(
  updatedAt: Date,
  reminders: readonly Reminder[],
  after: Date | undefined,
): DueReminders | undefined {
  const timed = reminders.map((reminder) => ({
    reminder,
    at: updatedAt.getTime() + reminder.notify_at_minutes * 60_000,
  }))
  const toCome = timed.filter(({ at }) => after === undefined || at > after.getTime())
  if (toCome.length === 0) return undefined
  const first = Math.min(...toCome.map(({ at }) => at))
  return { at: new Date(first), reminders: toCome.flatMap(({ reminder, at }) => (at === first ? [reminder] : [])) }
}
