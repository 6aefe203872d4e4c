import { expect, test } from 'vitest'
import { isOneLetterOff } from './similar.ts'

test.each([
  ['plate', 'plate', false],
  ['plate', 'plane', true],
  ['plate', 'late', true],
  ['plate', 'plates', true],
  ['plate', 'splate', true],
  ['plate', 'palte', true],
  ['plate', 'lpate', true],
  ['plate', 'alpte', false],
  ['plate', 'plan', false],
  ['plate', 'platter', false],
  ['aaa', 'aa', true],
  ['añil', 'anil', true],
  ['𝒶bc', '𝒷bc', true],
  ['', 'a', true],
  ['', 'ab', false],
])('%s and %s differ in one letter: %s', (one, other, isOff) => {
  expect(isOneLetterOff(one, other)).toBe(isOff)
  expect(isOneLetterOff(other, one)).toBe(isOff)
})
