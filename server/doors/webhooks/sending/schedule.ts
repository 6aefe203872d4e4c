const DELAYS_S = [60, 180, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 50_400, 86_400]

/** Attempts of one delivery: the first, and one after each delay. */
export const ATTEMPTS_MAX = DELAYS_S.length + 1

/**
 * Milliseconds until the next attempt, or undefined after the last (docs/contract/webhooks.md section 4).
 * @param failures failed attempts so far, at least 1
 * @param jitter the spread of the delay, such as 0.1 for 10 % to either side
 * @param random from 0 to 1
 * @param retryAfterMs the delay that a 429 or 503 asked for. It is limited to between one and two times the scheduled delay
 */
export function retryDelayMs(failures: number, jitter = 0, random = 0.5, retryAfterMs = 0): number | undefined {
  const seconds = DELAYS_S[failures - 1]
  if (seconds === undefined) return undefined
  const scheduled = seconds * 1_000 * (1 + jitter * (2 * random - 1))
  return Math.min(Math.max(scheduled, retryAfterMs), 2 * scheduled)
}
