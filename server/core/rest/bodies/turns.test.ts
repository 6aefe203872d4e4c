import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('lanes alternate, and each lane keeps its order', async () => {
  const turns = new Turns()
  const order: string[] = []
  const take = (lane: string, name: string) =>
    new Promise<void>((resolve) => {
      turns.take(lane, {
        begin() {
          order.push(name)
          resolve()
        },
        isWanted: () => true,
      })
    })
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => take('a', name)),
    ...['b1', 'b2'].map((name) => take('b', name)),
    take('c', 'c1'),
  ])
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('a turn that its owner has cancelled is skipped without a rest', async () => {
  const turns = new Turns()
  const order: string[] = []
  await new Promise<void>((resolve) => {
    turns.take('a', { begin: () => void order.push('first'), isWanted: () => true })
    for (let i = 0; i < 5; i++) turns.take('a', { begin: () => void order.push('cut'), isWanted: () => false })
    turns.take('a', { begin: () => void order.push('second'), isWanted: () => true })
    turns.take('b', { begin: resolve, isWanted: () => true })
  })
  expect(order).toEqual(['first', 'second'])
})

test('other work runs between two turns', async () => {
  const turns = new Turns()
  const order: string[] = []
  let isDone = false
  const other = () => {
    order.push('other')
    if (!isDone) setImmediate(other)
  }
  setImmediate(other)
  await Promise.all(
    ['first', 'second', 'third'].map(
      (name) =>
        new Promise<void>((resolve) => {
          turns.take('a', {
            begin() {
              order.push(name)
              resolve()
            },
            isWanted: () => true,
          })
        }),
    ),
  )
  isDone = true
  expect(
    order.slice(order.indexOf('first'), order.indexOf('third')).filter((name) => name === 'other').length,
  ).toBeGreaterThan(1)
})
