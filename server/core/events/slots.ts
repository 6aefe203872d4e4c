const DAY_MS = 86_400_000

/** Events and attempts are stored in a ring of days; a day's slot is emptied as a whole before its turn comes again. */
export const SLOTS = 33

/** The slot of a moment. @param at a time, or milliseconds since 1970 */
export const slotOf = (at: Date | number): number => Math.floor(Number(at) / DAY_MS) % SLOTS
