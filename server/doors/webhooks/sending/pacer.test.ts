import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { type HostWork, Pacer } from './pacer.ts'
import { SuccessRatio } from './success-ratio.ts'

const PACE = { quick: 6, unknown: 6, hanging: 6, hangingMax: 100, host: 2, client: 5, hangMs: 2_000 }

afterEach(() => {
  vi.useRealTimers()
})

/** Jobs that end on demand, and the hosts of the running ones. */
function stage() {
  const running: string[] = []
  const ends: (() => void)[] = []
  const work = (host: string, client: string): HostWork => ({
    host,
    client,
    run: (watched) =>
      watched(
        () =>
          new Promise((resolve) => {
            running.push(host)
            ends.push(() => {
              running.splice(running.indexOf(host), 1)
              resolve()
            })
          }),
      ),
  })
  const endOne = async () => {
    ends.shift()?.()
    await turn()
  }
  return { running, work, endOne, left: () => ends.length }
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

test('the pace limits all work, the work of a host and the work of a client', async () => {
  const { running, work, endOne, left } = stage()
  const pacer = new Pacer(PACE)
  pacer.offer(times(10, () => work('a', 'one')))
  expect(running).toEqual(['a', 'a'])
  pacer.offer(['b', 'b', 'b', 'c', 'c', 'c'].map((host) => work(host, 'one')))
  expect(running).toHaveLength(5)
  pacer.offer(times(3, () => work('d', 'two')))
  expect(running).toHaveLength(6)
  while (left() > 0) await endOne()
  expect(pacer.active).toBe(0)
})

test('work starts at once only for a quick host without a queue', async () => {
  const { work, endOne } = stage()
  const pacer = new Pacer(PACE)
  expect(pacer.free('a')).toBe(0)
  pacer.offer([work('a', 'one')])
  expect(pacer.free('a')).toBe(0)
  await endOne()
  expect(pacer.free('a')).toBe(2)
  pacer.offer([work('a', 'one')])
  expect(pacer.free('a')).toBe(1)
  pacer.offer(times(2, () => work('a', 'one')))
  await endOne()
  expect(pacer.free('a')).toBe(0)
  await endOne()
  expect(pacer.free('a')).toBe(1)
})

test('hosts take turns: a long queue of one host delays no other', async () => {
  const { running, work, endOne } = stage()
  const pacer = new Pacer({ ...PACE, quick: 1, unknown: 1 })
  pacer.offer([work('busy', 'one'), work('busy', 'one'), work('busy', 'one')])
  pacer.offer([work('quiet', 'two')])
  const order = [...running]
  for (let i = 0; i < 3; i++) {
    await endOne()
    order.push(...running)
  }
  expect(order.indexOf('quiet')).toBeLessThanOrEqual(2)
})

test('clients share a host: one that has to wait delays no other there', () => {
  const { running, work } = stage()
  const pacer = new Pacer({ ...PACE, client: 1 })
  pacer.offer([work('own', 'one'), work('shared', 'one'), work('shared', 'two')])
  expect(running).toEqual(['own', 'shared'])
})

test('a quick host has room for a queue, an unknown one only for running work', async () => {
  const { work, endOne } = stage()
  const pacer = new Pacer()
  expect(pacer.room('a')).toBe(5)
  pacer.offer(times(5, () => work('a', 'one')))
  expect(pacer.room('a')).toBe(0)
  expect(pacer.filter()).toEqual({ full: ['a'] })
  await endOne()
  expect(pacer.room('a')).toBe(21)
  pacer.offer(times(21, () => work('a', 'one')))
  expect(pacer.filter()).toEqual({ full: ['a'] })
})

test('hanging hosts are noticed after two seconds, and share slots that take none from quick hosts', async () => {
  vi.useFakeTimers()
  const { running, work } = stage()
  const pacer = new Pacer()
  pacer.offer(times(30, (i) => work(`hangs-${i}`, `client ${i}`)))
  expect(running).toHaveLength(25)
  expect(pacer.room('new')).toBe(0)
  expect(pacer.filter().onlyKnown).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  // All other waiting work was tried, and hangs as well.
  expect(running).toHaveLength(30)
  expect(pacer.room('new')).toBe(5)
  await vi.advanceTimersByTimeAsync(2_000)
  // They wait for one that ends: hosts that hung before have no second turn while 25 hang.
  expect(pacer.room('hangs-0')).toBe(0)
  expect(pacer.filter().full).toHaveLength(30)
  pacer.offer(times(10, (i) => work(`quick-${i}`, `client ${i}`)))
  expect(running).toHaveLength(40)
})

test('unknown hosts wait while a hundred requests hang; quick ones do not', async () => {
  vi.useFakeTimers()
  const { running, work, endOne } = stage()
  const pacer = new Pacer({ ...PACE, unknown: 20, hangingMax: 10 })
  pacer.offer([work('known', 'a client')])
  vi.useRealTimers()
  await endOne()
  vi.useFakeTimers()
  pacer.offer(times(10, (i) => work(`hangs-${i}`, `client ${i}`)))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(pacer.room('new')).toBe(0)
  expect(pacer.filter().onlyKnown).toContain('known')
  pacer.offer([work('new', 'a client'), work('known', 'a client')])
  expect(running).toHaveLength(11)
  expect(running).toContain('known')
})

test('99 failing requests block nothing; 25 of 200 do, and the window starts again', () => {
  const few = new SuccessRatio()
  expect(Array.from({ length: 99 }, (_, i) => few.record(i, false))).not.toContain(true)
  const many = new SuccessRatio()
  const judged = Array.from({ length: 200 }, (_, i) => many.record(i * 500, i % 8 !== 0))
  expect(judged.indexOf(true)).toBe(100)
  expect(judged.slice(101).includes(true)).toBe(false)
})

test('requests older than 120 s no longer count', () => {
  const ratio = new SuccessRatio()
  for (let i = 0; i < 90; i++) ratio.record(0, false)
  const judged = Array.from({ length: 150 }, (_, i) => ratio.record(121_000 + i, true))
  expect(judged).not.toContain(true)
})
