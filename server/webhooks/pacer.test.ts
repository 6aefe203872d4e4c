import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Job, Pacer } from './pacer.ts'
import { SuccessRatio } from './success-ratio.ts'

/** Jobs that end when told, and who is running. */
function stage() {
  const running: string[] = []
  const ends: (() => void)[] = []
  let most = 0
  const job = (host: string, client: string): Job => ({
    host,
    client,
    run: () =>
      new Promise((resolve) => {
        running.push(host)
        most = Math.max(most, running.length)
        ends.push(() => {
          running.splice(running.indexOf(host), 1)
          resolve()
        })
      }),
  })
  const endOne = async () => {
    ends.shift()?.()
    await turn()
  }
  return { running, job, endOne, most: () => most, left: () => ends.length }
}

test('no more run at once than the pace allows: in all, for a host, for a client', async () => {
  const { running, job, endOne, left } = stage()
  const pacer = new Pacer({ total: 6, host: 2, client: 5 })
  pacer.offer(Array.from({ length: 10 }, () => job('a', 'one')))
  expect(running).toEqual(['a', 'a'])
  pacer.offer(['b', 'b', 'b', 'c', 'c', 'c'].map((host) => job(host, 'one')))
  expect(running).toHaveLength(5)
  pacer.offer(Array.from({ length: 3 }, () => job('d', 'two')))
  expect(running).toHaveLength(6)
  while (left() > 0) await endOne()
  expect(pacer.active).toBe(0)
})

test('hosts take turns: one with a long queue does not keep another waiting', async () => {
  const { running, job, endOne } = stage()
  const pacer = new Pacer({ total: 1, host: 1, client: 1 })
  pacer.offer([job('busy', 'one'), job('busy', 'one'), job('busy', 'one')])
  pacer.offer([job('quiet', 'two')])
  const order = [...running]
  for (let i = 0; i < 3; i++) {
    await endOne()
    order.push(...running)
  }
  expect(order.indexOf('quiet')).toBeLessThanOrEqual(2)
})

test('a host has room for what keeps it busy, and no more', () => {
  const { job } = stage()
  const pacer = new Pacer()
  expect(pacer.room('a')).toBe(25)
  pacer.offer(Array.from({ length: 25 }, () => job('a', 'one')))
  expect(pacer.room('a')).toBe(0)
  expect(pacer.room('b')).toBe(25)
})

test('99 failing requests block nothing; 25 of 200 do, and the window restarts empty', () => {
  const few = new SuccessRatio()
  expect(Array.from({ length: 99 }, (_, i) => few.note(i, false))).not.toContain(true)
  const many = new SuccessRatio()
  const judged = Array.from({ length: 200 }, (_, i) => many.note(i * 500, i % 8 !== 0))
  expect(judged.indexOf(true)).toBe(100)
  expect(judged.slice(101).includes(true)).toBe(false)
})

test('what is older than 120 s counts no more', () => {
  const ratio = new SuccessRatio()
  for (let i = 0; i < 90; i++) ratio.note(0, false)
  const judged = Array.from({ length: 150 }, (_, i) => ratio.note(121_000 + i, true))
  expect(judged).not.toContain(true)
})
