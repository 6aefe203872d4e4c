import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Plan, plans, UNLIMITED } from '../directory/plans.ts'
import { type Allowance, Quotas } from './quotas.ts'

const STORE = 1
const HOUR = 3_600_000

interface Charge {
  now: number
  plan?: Plan
}

/** Charges a number of requests of a client. Returns the last answer, with the number of allowed requests. */
function charge(quotas: Quotas, client: string, times: number, { now, plan = plans.standard }: Charge) {
  const answers = Array.from({ length: times }, () => quotas.charge(STORE, client, plan, now))
  const allowed = answers.filter((answer) => answer.allowed).length
  const [last] = answers.slice(-1)
  if (!last) throw new Error('No request was made.')
  return { ...last, allowed }
}

describe('the plans', () => {
  test.each([
    ['standard', 150, 20_000],
    ['plus', 150, 20_000],
    ['pro', 450, 60_000],
    ['enterprise', UNLIMITED, UNLIMITED],
    ['unlimited', UNLIMITED, UNLIMITED],
    ['sandbox', 1_500, UNLIMITED],
  ] as const)('%s: %d in 30 s, %d in an hour', (name, window, hour) => {
    expect(plans[name]).toMatchObject({ window, hour })
    const answer = new Quotas().charge(STORE, 'a', plans[name], 0)
    expect(answer).toEqual({
      allowed: true,
      quota: window,
      left: window === UNLIMITED ? UNLIMITED : window - 1,
      resetMs: 30_000,
      hourLeft: hour === UNLIMITED ? UNLIMITED : hour - 1,
      retryAfter: 0,
    })
  })

  test('every client of the sandbox has all of the quota', () => {
    const quotas = new Quotas()
    for (const client of ['a', 'b', 'c']) {
      expect(charge(quotas, client, 1_501, { now: 0, plan: plans.sandbox })).toMatchObject({
        allowed: 1_500,
        quota: 1_500,
      })
    }
  })
})

describe('the window', () => {
  test('counts down from the first request of the client, not from a fixed time', () => {
    const quotas = new Quotas()
    expect(charge(quotas, 'a', 1, { now: 12_345 })).toMatchObject({ resetMs: 30_000, left: 149 })
    expect(charge(quotas, 'a', 1, { now: 12_346 })).toMatchObject({ resetMs: 29_999, left: 148 })
    expect(charge(quotas, 'a', 1, { now: 42_344 })).toMatchObject({ resetMs: 1, left: 147 })
    expect(charge(quotas, 'a', 1, { now: 42_345 })).toMatchObject({ resetMs: 30_000, left: 149 })
  })

  test.each([
    ['at once', 0, 30],
    ['after a millisecond', 1, 30],
    ['after a second', 1_000, 29],
    ['in the last second', 29_001, 1],
    ['in the last millisecond', 29_999, 1],
  ])('refuses request 151 %s, says when to come again, and does not count it', (_, after, retryAfter) => {
    const quotas = new Quotas()
    expect(charge(quotas, 'a', 150, { now: 0 })).toMatchObject({ allowed: 150, left: 0 })
    const refused: Partial<Allowance> = { quota: 150, left: 0, resetMs: 30_000 - after, retryAfter, hourLeft: 19_850 }
    for (const times of [1, 50])
      expect(charge(quotas, 'a', times, { now: after })).toMatchObject({ ...refused, allowed: 0 })
    expect(charge(quotas, 'a', 151, { now: 30_000 })).toMatchObject({ allowed: 150, hourLeft: 19_700 })
  })

  // One answer of two hundred had 30,001: times of the process have fractions.
  test('is never longer than 30,000 ms, even if it starts at a fraction of a millisecond', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        fc.double({ min: 0, max: 29_999, noNaN: true }),
        (now, wait) => {
          const quotas = new Quotas()
          expect(charge(quotas, 'a', 1, { now }).resetMs).toBe(30_000)
          const { resetMs } = charge(quotas, 'a', 1, { now: now + wait })
          expect(resetMs).toBeGreaterThanOrEqual(1)
          expect(Math.abs(30_000 - wait - resetMs)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })

  test('of one store does not affect another', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 200, { now: 0 })
    expect(quotas.charge(2, 'a', plans.standard, 0)).toMatchObject({ allowed: true, quota: 150, hourLeft: 19_999 })
  })
})

describe('sharing', () => {
  test.each([
    [1, 150],
    [2, 75],
    [3, 50],
    [4, 38],
    [7, 22],
    [14, 11],
    [15, 10],
    [16, 10],
    [40, 10],
  ])('with %d clients seen, each new window holds %d', (clients, share) => {
    const quotas = new Quotas()
    for (let i = 1; i < clients; i++) quotas.charge(STORE, `client ${i}`, plans.standard, 0)
    expect(charge(quotas, 'newest', 200, { now: 29_999 })).toMatchObject({ quota: share, allowed: share })
  })

  test('a share is fixed when the window starts, even if other clients come later', () => {
    const quotas = new Quotas()
    expect(charge(quotas, 'a', 1, { now: 0 })).toMatchObject({ quota: 150 })
    expect(charge(quotas, 'b', 1, { now: 10_000 })).toMatchObject({ quota: 75 })
    expect(charge(quotas, 'a', 1, { now: 20_000 })).toMatchObject({ quota: 150 })
    expect(charge(quotas, 'a', 1, { now: 30_000 })).toMatchObject({ quota: 75 })
  })

  test('a client without requests for 30 s loses its share', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 1, { now: 0 })
    expect(charge(quotas, 'b', 1, { now: 29_999 })).toMatchObject({ quota: 75 })
    expect(charge(quotas, 'a', 1, { now: 60_000 })).toMatchObject({ quota: 150 })
  })

  test('a refused client still counts for shares', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 150, { now: 0 })
    charge(quotas, 'a', 1, { now: 25_000 })
    expect(charge(quotas, 'b', 1, { now: 40_000 })).toMatchObject({ quota: 75 })
  })
})

describe('the rolling hour', () => {
  /** A plan whose hour is used up before its window. */
  const small: Plan = { window: 100, hour: 60, shared: true, hasPromotionSettings: false }

  test('belongs to the store: its clients use it up together', () => {
    const quotas = new Quotas()
    expect(charge(quotas, 'a', 40, { now: 0, plan: small })).toMatchObject({ allowed: 40, hourLeft: 20 })
    expect(charge(quotas, 'b', 40, { now: 0, plan: small })).toMatchObject({
      allowed: 20,
      hourLeft: 0,
      left: 30,
      retryAfter: 3_600,
    })
  })

  test.each([
    ['at once', 0, 3_600],
    ['half a minute later', 30_000, 3_570],
    ['half an hour later', HOUR / 2, 1_800],
    ['a second before the hour is over', HOUR - 1_000, 1],
    ['a millisecond before', HOUR - 1, 1],
  ])('used up, it refuses %s and says when there is room again', (_, now, retryAfter) => {
    const quotas = new Quotas()
    charge(quotas, 'a', 60, { now: 0, plan: small })
    expect(charge(quotas, 'a', 10, { now, plan: small })).toMatchObject({ allowed: 0, hourLeft: 0, retryAfter })
    expect(charge(quotas, 'a', 100, { now: HOUR, plan: small })).toMatchObject({ allowed: 60 })
  })

  test('releases the requests of an hour before, minute by minute', () => {
    const quotas = new Quotas()
    for (let minute = 0; minute < 60; minute++) charge(quotas, 'a', 1, { now: minute * 60_000, plan: small })
    for (let minute = 60; minute < 70; minute++) {
      expect(charge(quotas, 'a', 5, { now: minute * 60_000, plan: small })).toMatchObject({
        allowed: 1,
        hourLeft: 0,
        retryAfter: 60,
      })
    }
  })

  test('is complete again after any silence', () => {
    for (const silence of [HOUR, HOUR + 1, 2 * HOUR, 1_000 * HOUR]) {
      const quotas = new Quotas()
      charge(quotas, 'a', 60, { now: 90_000, plan: small })
      expect(charge(quotas, 'a', 1, { now: 90_000 + silence, plan: small })).toMatchObject({ allowed: 1, hourLeft: 59 })
    }
  })

  test('survives the eviction of other stores', () => {
    const quotas = new Quotas()
    quotas.charge(2, 'x', small, 0)
    charge(quotas, 'a', 60, { now: HOUR / 2, plan: small })
    // This request triggers the hourly sweep. It must not evict a client of half an hour ago.
    quotas.charge(3, 'x', small, HOUR + 1)
    expect(charge(quotas, 'a', 1, { now: HOUR + 2, plan: small })).toMatchObject({ allowed: 0 })
  })
})

test('no number is ever negative, and no window and no hour admits more than its quota', () => {
  const request = fc.record({
    client: fc.integer({ min: 1, max: 4 }),
    wait: fc.nat({ max: 45_000 }),
    times: fc.nat(40),
  })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 200 }), fc.nat(HOUR), (requests, start) => {
      const quotas = new Quotas()
      const plan: Plan = { window: 30, hour: 300, shared: true, hasPromotionSettings: false }
      const allowedAt: number[] = []
      let now = start
      for (const { client, wait, times } of requests) {
        now += wait
        for (let i = 0; i < times; i++) {
          const answer = quotas.charge(STORE, String(client), plan, now)
          expect(Math.min(answer.left, answer.hourLeft, answer.resetMs)).toBeGreaterThanOrEqual(0)
          expect(answer.resetMs).toBeLessThanOrEqual(30_000)
          expect(answer.quota).toBeGreaterThanOrEqual(10)
          expect(answer.left).toBeLessThanOrEqual(answer.quota)
          expect(answer.retryAfter).toBeLessThanOrEqual(3_600)
          expect(answer.retryAfter > 0).toBe(!answer.allowed)
          if (answer.allowed) allowedAt.push(now)
        }
      }
      // The hour is counted in minutes, so requests leave it after 59 to 60 minutes.
      const tooClose = allowedAt.some(
        (at, i) => (allowedAt[i + plan.hour] ?? Number.POSITIVE_INFINITY) - at < HOUR - 60_000,
      )
      expect(tooClose).toBe(false)
    }),
    { numRuns: 300 },
  )
})

describe('counts of other processes', () => {
  const elsewhere = (clientId: string, used: number, ageMs: number, quota = 150) => ({
    storeId: STORE,
    clientId,
    used,
    ageMs,
    quota,
  })

  test('are shared with every change, as the window stands', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 3, { now: 10 })
    charge(quotas, 'b', 1, { now: 500 })
    expect(quotas.takeChanges(1_000)).toEqual({
      windows: [
        { storeId: STORE, clientId: 'a', ageMs: 990, quota: 150, used: 3 },
        { storeId: STORE, clientId: 'b', ageMs: 500, quota: 75, used: 1 },
      ],
      minutes: [{ storeId: STORE, minute: expect.any(Number), used: 4 }],
      unknownHours: [STORE],
    })
    expect(quotas.takeChanges(1_000)).toEqual({ windows: [], minutes: [], unknownHours: [] })
  })

  test('include the minute before when a new one has begun', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 2, { now: 59_000 })
    const [{ minute = 0 } = {}] = quotas.takeChanges(59_500).minutes
    charge(quotas, 'a', 3, { now: 59_900 })
    charge(quotas, 'a', 4, { now: 60_100 })
    expect(quotas.takeChanges(60_500).minutes).toEqual([
      { storeId: STORE, minute, used: 5 },
      { storeId: STORE, minute: minute + 1, used: 4 },
    ])
  })

  test('omit clients without a limit', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 100, { now: 0, plan: plans.unlimited })
    expect(quotas.takeChanges(0)).toEqual({ windows: [], minutes: [], unknownHours: [] })
  })

  test('add to the same window; the window that began first decides its end and its quota', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 50, { now: 10_000 })
    quotas.learnWindows([STORE], [elsewhere('a', 40, 5_000, 75), elsewhere('a', 10, 200)], 11_000)
    // It began at 6,000 elsewhere, with a quota of 75: 100 are used.
    expect(charge(quotas, 'a', 1, { now: 11_000 })).toMatchObject({ allowed: 0, quota: 75, left: 0, resetMs: 25_000 })
    expect(charge(quotas, 'a', 1, { now: 35_999 })).toMatchObject({ allowed: 0, resetMs: 1 })
    expect(charge(quotas, 'a', 151, { now: 36_000 })).toMatchObject({ allowed: 150, quota: 150 })
  })

  test('do not change the quota of a window that began here', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 50, { now: 0 })
    quotas.learnWindows([STORE], [elsewhere('a', 40, 500, 75)], 1_000)
    expect(charge(quotas, 'a', 100, { now: 1_000 })).toMatchObject({
      allowed: 60,
      quota: 150,
      left: 0,
      resetMs: 29_000,
    })
  })

  test('make shares smaller: clients at other processes count for 30 s', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 1, { now: 0 })
    quotas.learnWindows([STORE], [elsewhere('a', 1, 0), elsewhere('b', 1, 0), elsewhere('c', 1, 0)], 500)
    expect(charge(quotas, 'd', 1, { now: 1_000 })).toMatchObject({ quota: 38 })
    expect(charge(quotas, 'e', 1, { now: 40_000 })).toMatchObject({ quota: 150 })
  })

  test('use up the hour of the store, and are read again after a minute', () => {
    const quotas = new Quotas()
    charge(quotas, 'a', 1, { now: 0 })
    expect(quotas.takeChanges(0).unknownHours).toEqual([STORE])
    quotas.learnHour(STORE, 19_990, 500)
    expect(charge(quotas, 'a', 20, { now: 1_000 })).toMatchObject({ allowed: 9, hourLeft: 0 })
    charge(quotas, 'a', 1, { now: 60_500 })
    expect(quotas.takeChanges(60_500).unknownHours).toEqual([STORE])
    // The count is too old and no longer used.
    expect(charge(quotas, 'a', 1, { now: 120_500 })).toMatchObject({ allowed: 1 })
  })

  test('of the hour are read again in each round while less than four windows are left', () => {
    const quotas = new Quotas()
    for (const [elsewhere, isRead] of [
      [19_398, false],
      [19_399, true],
    ] as const) {
      quotas.learnStore(STORE, { windows: [], hour: elsewhere }, 0)
      charge(quotas, 'a', 1, { now: 0 })
      expect(quotas.takeChanges(0).unknownHours).toEqual(isRead ? [STORE] : [])
    }
  })

  test('are unknown until they are read, and again after 600 ms', () => {
    const quotas = new Quotas()
    expect(quotas.isUnknown(STORE, 0)).toBe(true)
    quotas.learnStore(STORE, { windows: [], hour: 0 }, 0)
    expect([599, 600].map((now) => quotas.isUnknown(STORE, now))).toEqual([false, true])
    quotas.learnWindows([STORE], [], 600)
    expect([1_199, 1_200].map((now) => quotas.isUnknown(STORE, now))).toEqual([false, true])
  })

  test('that are read before the first request here count from that request on', () => {
    const quotas = new Quotas()
    quotas.learnStore(STORE, { windows: [elsewhere('a', 148, 10_000)], hour: 148 }, 5_000)
    // The window began 10 s before.
    const first = charge(quotas, 'a', 1, { now: 5_400 })
    expect(first).toMatchObject({ allowed: 1, left: 1, resetMs: 19_600, hourLeft: 19_851 })
    expect(charge(quotas, 'a', 5, { now: 24_999 })).toMatchObject({ allowed: 1, left: 0, resetMs: 1 })
    expect(charge(quotas, 'a', 1, { now: 25_000 })).toMatchObject({ allowed: 1, left: 149 })
  })

  test('give the time of the next attempt after the whole hour is used', () => {
    const quotas = new Quotas()
    expect(charge(quotas, 'a', 1, { now: 0 }).allowed).toBe(1)
    quotas.learnHour(STORE, 20_000, 0)
    expect(charge(quotas, 'a', 1, { now: 0 })).toMatchObject({ allowed: 0, retryAfter: 3_600 })
    const other = new Quotas()
    other.charge(STORE, 'a', { ...plans.standard, hour: 0 }, 0)
    other.learnHour(STORE, 20_000, 0)
    expect(charge(other, 'a', 1, { now: 0 })).toMatchObject({ allowed: 0, hourLeft: 0, retryAfter: 60 })
  })

  test('of a store without requests here are not retained', () => {
    const quotas = new Quotas()
    quotas.learnWindows([STORE], [elsewhere('a', 150, 0)], 0)
    quotas.learnHour(STORE, 20_000, 0)
    expect(charge(quotas, 'a', 1, { now: 0 })).toMatchObject({ allowed: 1, left: 149, hourLeft: 19_999 })
  })
})
