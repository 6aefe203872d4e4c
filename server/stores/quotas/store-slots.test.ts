import { describe, expect, test, vi } from 'vitest'
import { StoreSlots } from './store-slots.ts'

/** Slots, the running work, and functions that start and end work. */
function open(limits: ConstructorParameters<typeof StoreSlots>[0]) {
  const slots = new StoreSlots(limits)
  const running: { name: string; end(): void }[] = []
  const begin = (name: string) => {
    const ended = Promise.withResolvers<void>()
    return slots.run({ id: name.charCodeAt(0) }, () => {
      running.push({ name, end: ended.resolve })
      return ended.promise
    })
  }
  const names = () => running.map(({ name }) => name)
  const endFirst = async () => {
    running.shift()?.end()
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }
  return { begin, names, endFirst }
}

describe('slots of stores', () => {
  test('limit the work of one store and of all stores', () => {
    const { begin, names } = open({ all: 3, store: 2, waiting: 9 })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void begin(name)
    expect(names()).toEqual(['a1', 'a2', 'b1'])
  })

  test('go to the stores in turn', async () => {
    const { begin, names, endFirst } = open({ all: 1, store: 1, waiting: 9 })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void begin(name)
    const order: string[] = []
    for (let i = 0; i < 6; i++) {
      order.push(...names())
      await endFirst()
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  test('skip a store that uses its share', async () => {
    const { begin, names, endFirst } = open({ all: 2, store: 1, waiting: 9 })
    for (const name of ['a1', 'b1', 'a2', 'b2']) void begin(name)
    await endFirst()
    expect(names()).toEqual(['b1', 'a2'])
    await endFirst()
    expect(names()).toEqual(['a2', 'b2'])
  })

  test('are released by work that fails', async () => {
    const slots = new StoreSlots({ all: 1, store: 1, waiting: 1 })
    const failing = slots.run({ id: 1 }, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await slots.run({ id: 1 }, async () => 'done')).toBe('done')
  })

  test('refuse work that waits for too long, and start the next', async () => {
    vi.useFakeTimers()
    try {
      const { begin, names, endFirst } = open({ all: 1, store: 1, waiting: 9, waitMs: 20_000 })
      void begin('a1')
      const late = expect(begin('a2')).rejects.toMatchObject({ status: 429 })
      vi.advanceTimersByTime(20_000)
      await late
      void begin('b1')
      await endFirst()
      expect(names()).toEqual(['b1'])
      // Work that has begun is not refused any more.
      vi.advanceTimersByTime(20_000)
      expect(names()).toEqual(['b1'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('refuse work of a store beyond its queue, and no work of others', async () => {
    const { begin, names, endFirst } = open({ all: 1, store: 1, waiting: 2 })
    for (const name of ['a1', 'a2', 'a3']) void begin(name)
    await expect(begin('a4')).rejects.toMatchObject({ status: 429, headers: { 'x-retry-after': '3' } })
    void begin('b1')
    await endFirst()
    await endFirst()
    expect(names()).toEqual(['b1'])
  })
})
