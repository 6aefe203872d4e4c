import { expect, test } from 'vitest'
import { openedOnce } from './opening.ts'

test('opens once for all who ask at the same time, and later', async () => {
  let count = 0
  const open = openedOnce(async () => ++count)
  expect(await Promise.all([open(), open()])).toEqual([1, 1])
  expect(await open()).toBe(1)
})

test('tries again after a failure, which everybody learns who has waited for it', async () => {
  let count = 0
  const open = openedOnce(async () => {
    if (++count === 1) throw new Error('Too many open files.')
    return count
  })
  const outcomes = await Promise.allSettled([open(), open()])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await open()).toBe(2)
  expect(await open()).toBe(2)
})
