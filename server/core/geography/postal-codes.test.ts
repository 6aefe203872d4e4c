import { expect, test } from 'vitest'
import { matchesZip, zipKey, zipPrefix, zipPrefixes } from './postal-codes.ts'

test('a key is in capitals without blanks and hyphens', () => {
  expect(['sw1a 1aa', ' 90210-1234 ', '902*'].map(zipKey)).toEqual(['SW1A1AA', '902101234', '902*'])
})

test('a prefix ends before the first wildcard', () => {
  expect(['90210', '902*', '9?2', '*', ''].map(zipPrefix)).toEqual(['90210', '902', '9', '', ''])
})

test('the prefixes of a key begin with the empty text', () => {
  expect(zipPrefixes('123')).toEqual(['', '1', '12', '123'])
})

test.each([
  ['90210', '90210', true],
  ['90210', '9021', false],
  ['9021', '90210', false],
  ['90210', '902*', true],
  ['902', '902*', true],
  ['901', '902*', false],
  ['90210', '9?210', true],
  ['9210', '9?210', false],
  ['90210', '*', true],
  ['', '*', true],
  ['', '?', false],
  ['90210', '*10', true],
  ['90210', '9*2*0', true],
  ['90210', '9*3*0', false],
  ['90210', '902??', true],
  ['90210', '902???', false],
  ['90210', '', false],
])('%j matches %j: %s', (key, pattern, matches) => {
  expect(matchesZip(key, pattern)).toBe(matches)
})

test('many wildcards take no more than the product of both lengths', () => {
  expect(matchesZip('A'.repeat(2_000), `${'*A'.repeat(500)}B`)).toBe(false)
})
