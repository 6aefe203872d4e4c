import { describe, expect, test } from 'vitest'
import { FailedLogins } from './failed-logins.ts'

const ADDRESS = '192.0.2.1'

/** Of this many failures at one time, the number that gets 401 and not 429. */
function fail(logins: FailedLogins, times: number, now: number, address = ADDRESS): number {
  return Array.from({ length: times }, () => logins.record(address, now)).filter((noted) => noted).length
}

test('a hundred failures get 401, the next one 429, and then all requests of the address for a minute', () => {
  const logins = new FailedLogins(100)
  expect(logins.isBarred(ADDRESS, 0)).toBe(false)
  expect(fail(logins, 99, 0)).toBe(99)
  expect(logins.isBarred(ADDRESS, 30_000)).toBe(false)
  expect(fail(logins, 5, 30_000)).toBe(1)
  expect(logins.isBarred(ADDRESS, 30_000)).toBe(true)
  expect(logins.isBarred(ADDRESS, 89_999)).toBe(true)
  expect(logins.isBarred(ADDRESS, 90_000)).toBe(false)
})

test('after the minute an address starts from zero', () => {
  const logins = new FailedLogins(3)
  expect(fail(logins, 10, 0)).toBe(3)
  expect(fail(logins, 10, 60_000)).toBe(3)
  expect(logins.isBarred(ADDRESS, 60_000)).toBe(true)
})

test('attempts during the bar do not extend it', () => {
  const logins = new FailedLogins(3)
  fail(logins, 3, 0)
  expect(fail(logins, 1_000, 59_999)).toBe(0)
  expect(logins.isBarred(ADDRESS, 60_000)).toBe(false)
})

test('failures more than a minute apart do not add up', () => {
  const logins = new FailedLogins(3)
  for (let minute = 0; minute < 10; minute++) expect(fail(logins, 2, minute * 60_000)).toBe(2)
})

test('a maximum of one bars at the first failure', () => {
  const logins = new FailedLogins(1)
  expect(fail(logins, 2, 0)).toBe(1)
  expect(logins.isBarred(ADDRESS, 59_999)).toBe(true)
  expect(logins.isBarred(ADDRESS, 60_000)).toBe(false)
})

test('another address is not affected', () => {
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

test('ten thousand addresses are remembered, and the oldest is evicted first', () => {
  const logins = new FailedLogins(1)
  for (let i = 0; i <= 10_000; i++) logins.record(`address ${i}`, 0)
  expect(logins.isBarred('address 0', 0)).toBe(false)
  expect(logins.isBarred('address 1', 0)).toBe(true)
  expect(logins.isBarred('address 10000', 0)).toBe(true)
})

describe('failures at all processes', () => {
  test('bar an address for a minute from the time at which they are known, also without failures here', () => {
    const logins = new FailedLogins(10)
    expect(fail(logins, 4, 0)).toBe(4)
    for (const address of [ADDRESS, '192.0.2.2']) {
      logins.bar(address, 500)
      expect(fail(logins, 5, 500, address)).toBe(0)
      expect(logins.isBarred(address, 60_499)).toBe(true)
      expect(fail(logins, 1, 60_500, address)).toBe(1)
    }
  })

  test('do not extend the bar of an address', () => {
    const logins = new FailedLogins(3)
    fail(logins, 3, 0)
    logins.bar(ADDRESS, 30_000)
    expect(logins.isBarred(ADDRESS, 60_000)).toBe(false)
  })

  test('bar nobody without a maximum', () => {
    const logins = new FailedLogins(0)
    logins.bar(ADDRESS, 0)
    expect(logins.isBarred(ADDRESS, 0)).toBe(false)
  })

  test('are shared once, a thousand addresses at a time, and not those of others', () => {
    const logins = new FailedLogins(100)
    fail(logins, 7, 0)
    expect(logins.takeChanges(400)).toEqual([{ address: ADDRESS, ageMs: 400, failures: 7 }])
    expect(logins.takeChanges(400)).toEqual([])
    for (let i = 0; i < 1_500; i++) logins.record(`address ${i}`, 500)
    expect([1, 2, 3].map(() => logins.takeChanges(500).length)).toEqual([1_000, 500, 0])
    fail(logins, 1, 500)
    logins.bar(ADDRESS, 600)
    expect(logins.takeChanges(600)).toEqual([])
  })
})
