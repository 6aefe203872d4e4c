const SLOT_MS = 8 * 3_600_000
const SLOTS = 24
/** Seven days. */
const KEPT_SLOTS = 21

/** The slot of a moment in the ring of the request log. @param ms milliseconds since 1970 */
export const slotOfLog = (ms: number): number => Math.floor(ms / SLOT_MS) % SLOTS

/** The slots whose rows are more than seven days old. */
export const expiredSlots = (ms: number): number[] =>
  Array.from({ length: SLOTS - KEPT_SLOTS - 1 }, (_, i) => slotOfLog(ms + (i + 1) * SLOT_MS))

/** All slots, that of the oldest rows first and the present one last. */
export const slotsByAge = (ms: number): number[] =>
  Array.from({ length: SLOTS }, (_, i) => slotOfLog(ms + (i + 1) * SLOT_MS))
