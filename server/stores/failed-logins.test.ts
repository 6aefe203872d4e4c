import { expect, test } from 'vitest'
import { FailedLogins } from './failed-logins.ts'

const ADDRESS = '192.0.2.1'

/** How many of so many failures at one time are answered 401, and not 429. */
function fail(logins: FailedLogins, times: number, now: number, address = ADDRESS): number {
  return Array.from({ length: times }, () => logins.note(address, now)).filter((noted) => noted).length
}

test('a hundred failures are answered, the next is barred, and all else of this address for a minute', () => {
  const logins = new FailedLogins(100)
  expect(logins.isBarred(ADDRESS, 0)).toBe(false)
  expect(fail(logins, 99, 0)).toBe(99)
  expect(logins.isBarred(ADDRESS, 30_000)).toBe(false)
  expect(fail(logins, 5, 30_000)).toBe(1)
  expect(logins.isBarred(ADDRESS, 30_000)).toBe(true)
  expect(logins.isBarred(ADDRESS, 89_999)).toBe(true)
  expect(logins.isBarred(ADDRESS, 90_000)).toBe(false)
})

test('after the minute an address starts anew', () => {
  const logins = new FailedLogins(3)
  expect(fail(logins, 10, 0)).toBe(3)
  expect(fail(logins, 10, 60_000)).toBe(3)
  expect(logins.isBarred(ADDRESS, 60_000)).toBe(true)
})

test('trying on while barred does not make it longer', () => {
  const logins = new FailedLogins(3)
  fail(logins, 3, 0)
  expect(fail(logins, 1_000, 59_999)).toBe(0)
  expect(logins.isBarred(ADDRESS, 60_000)).toBe(false)
})

test('failures that are more than a minute apart do not add up', () => {
  const logins = new FailedLogins(3)
  for (let minute = 0; minute < 10; minute++) expect(fail(logins, 2, minute * 60_000)).toBe(2)
})

test('a maximum of one bars at the first failure', () => {
  const logins = new FailedLogins(1)
  expect(fail(logins, 2, 0)).toBe(1)
  expect(logins.isBarred(ADDRESS, 59_999)).toBe(true)
  expect(logins.isBarred(ADDRESS, 60_000)).toBe(false)
})

test('another address is not touched', () => {
  const logins = new FailedLogins(3)
  fail(logins, 10, 0)
  expect(logins.isBarred('192.0.2.2', 0)).toBe(false)
  expect(fail(logins, 2, 0, '192.0.2.2')).toBe(2)
})

test('a maximum of 0 bars nobody', () => {
  const logins = new FailedLogins(0)
  expect(fail(logins, 10_000, 0)).toBe(10_000)
  expect(logins.isBarred(ADDRESS, 0)).toBe(false)
})

test('it remembers ten thousand addresses and forgets the oldest first', () => {
  const logins = new FailedLogins(1)
  for (let i = 0; i <= 10_000; i++) logins.note(`address ${i}`, 0)
  expect(logins.isBarred('address 0', 0)).toBe(false)
  expect(logins.isBarred('address 1', 0)).toBe(true)
  expect(logins.isBarred('address 10000', 0)).toBe(true)
})
