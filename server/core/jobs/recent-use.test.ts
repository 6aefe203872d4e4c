import { expect, test } from 'vitest'
import { RecentUse } from './recent-use.ts'

const turn = (store_id: number, task = 'judge') => ({ store_id, task })

test('the store that has used the least goes first, and use halves in a minute', () => {
  const turns = new RecentUse(['judge'])
  const order = (now: number, ...stores: number[]) =>
    turns
      .inOrder(
        stores.map((store) => turn(store)),
        now,
      )
      .map(({ store_id }) => store_id)
  expect(order(0, 3, 1, 2)).toEqual([3, 1, 2])
  turns.record(turn(3), 8_000, 0)
  turns.record(turn(1), 3_000, 0)
  expect(order(0, 3, 1, 2)).toEqual([2, 1, 3])
  // 2,000 ms are left of 8,000: less than store 1 has used since.
  turns.record(turn(1), 3_000, 120_000)
  expect(order(120_000, 1, 3, 2)).toEqual([2, 3, 1])
  expect(order(3_600_000, 1, 3, 2)[0]).toBe(2)
})

test('other tasks have no turns', () => {
  const turns = new RecentUse(['judge'])
  turns.record(turn(1, 'mail'), 5_000, 0)
  expect(turns.inOrder([turn(1, 'mail'), turn(2, 'mail')], 0)).toEqual([turn(1, 'mail'), turn(2, 'mail')])
})
