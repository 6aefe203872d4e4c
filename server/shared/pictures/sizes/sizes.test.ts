import { expect, test } from 'vitest'
import { LADDER, readSize, stepFor, writeSize } from './sizes.ts'

test.each([
  ['original', 'original'],
  ['1w', { width: 1, height: undefined }],
  ['3840w', { width: 3_840, height: undefined }],
  ['100x80', { width: 100, height: 80 }],
  ['3841w', undefined],
  ['100x3841', undefined],
  ['0w', undefined],
  ['0x5', undefined],
  ['01w', undefined],
  ['99999w', undefined],
  ['100', undefined],
  ['100x', undefined],
  ['-5w', undefined],
  ['{:size}', undefined],
  ['', undefined],
])('the size %s', (text, size) => {
  expect(readSize(text)).toEqual(size)
})

const WIDE = { width: 4_000, height: 2_000 }

test.each([
  [{ width: 1, height: undefined }, 16],
  [{ width: 640, height: undefined }, 640],
  [{ width: 641, height: undefined }, 750],
  [{ width: 3_840, height: undefined }, 3_840],
  // The height decides: 100 high is 200 wide.
  [{ width: 640, height: 100 }, 256],
  [{ width: 100, height: 640 }, 128],
  [{ width: 10, height: 1 }, 16],
])('the step of %j', (size, step) => {
  expect(stepFor(size, WIDE)).toBe(step)
})

test('all sizes together need twenty widths', () => {
  const steps = new Set(Array.from({ length: 3_840 }, (_, i) => stepFor({ width: i + 1, height: undefined }, WIDE)))
  expect([...steps]).toEqual(LADDER)
  expect(steps.size).toBe(20)
})

test.each([
  [640, null, '640w'],
  [640, 480, '640x480'],
  [9_999, undefined, '3840w'],
  [0, -3, '1x1'],
])('the text of %s by %s', (width, height, text) => {
  expect(writeSize(width, height)).toBe(text)
})
