import { expect, test } from 'vitest'
import { ATTEMPTS_MAX, retryDelayMs } from './schedule.ts'

test('attempts follow the offsets of docs/contract/webhooks.md section 4', () => {
  const offsets = [0]
  for (let failures = 1; failures < ATTEMPTS_MAX; failures++) {
    offsets.push((offsets.at(-1) ?? 0) + (retryDelayMs(failures) ?? Number.NaN) / 1_000)
  }
  expect(offsets).toEqual([0, 60, 240, 540, 1140, 2040, 3840, 7440, 14640, 36240, 86640, 173040])
  expect(retryDelayMs(ATTEMPTS_MAX)).toBeUndefined()
})

test.each([
  ['no jitter', [1, 0, 0, 0], 60_000],
  ['the earliest', [1, 0.1, 0, 0], 54_000],
  ['the latest', [1, 0.1, 1, 0], 66_000],
  ['a requested wait', [1, 0, 0, 90_000], 90_000],
  ['a wait shorter than the schedule', [2, 0, 0, 1_000], 180_000],
  ['a wait longer than twice the schedule', [2, 0, 0, 9_999_000], 360_000],
] satisfies [string, Parameters<typeof retryDelayMs>, number][])('%s', (_, asked, expected) => {
  expect(retryDelayMs(...asked)).toBeCloseTo(expected, 6)
})
