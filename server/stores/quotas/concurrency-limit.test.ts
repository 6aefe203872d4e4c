import { describe, expect, test } from 'vitest'
import { Problem } from '../../core/rest/problem.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'

const store = (id: number) => ({ id, hash: `store${id}`, limits: {} })

/** Work that ends when the test ends it. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let isRunning = false
  return {
    run: () => {
      isRunning = true
      return promise
    },
    end: resolve,
    fail: reject,
    get isRunning() {
      return isRunning
    },
  }
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('simultaneous requests', () => {
  test('run up to the limit; the others wait for their turn in order', async () => {
    const line = new ConcurrencyLimit(2, 60_000)
    const works = [work(), work(), work(), work()] as const
    const done = works.map(({ run }) => line.run(store(1), run))
    const running = () => works.map(({ isRunning }) => isRunning)
    expect(running()).toEqual([true, true, false, false])
    works[1].end('second')
    await soon()
    expect(running()).toEqual([true, true, true, false])
    works[0].end('first')
    await soon()
    expect(running()).toEqual([true, true, true, true])
    works[2].end('third')
    works[3].end('fourth')
    expect(await Promise.all(done)).toEqual(['first', 'second', 'third', 'fourth'])
  })

  test('of other stores are not counted', async () => {
    const line = new ConcurrencyLimit(1, 60_000)
    const [here, there] = [work(), work()]
    const done = [line.run(store(1), here.run), line.run(store(2), there.run)]
    expect(there.isRunning).toBe(true)
    here.end('here')
    there.end('there')
    expect(await Promise.all(done)).toEqual(['here', 'there'])
  })

  test('pass their slot on if they fail', async () => {
    const line = new ConcurrencyLimit(1, 60_000)
    const [failing, next] = [work(), work()]
    const failed = line.run(store(1), failing.run)
    const after = line.run(store(1), next.run)
    failing.fail(new Error('broken'))
    await expect(failed).rejects.toThrow('broken')
    next.end('fine')
    expect(await after).toBe('fine')
  })

  test('are refused (429) after waiting too long, and then take no turn', async () => {
    const line = new ConcurrencyLimit(1, 1)
    const [first, late, last] = [work(), work(), work()]
    const done = line.run(store(1), first.run)
    const refusal = await line.run(store(1), late.run).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Problem)
    expect(refusal).toMatchObject({ status: 429, message: 'Too many requests', headers: { 'x-retry-after': '1' } })
    expect(late.isRunning).toBe(false)
    first.end('first')
    expect(await done).toBe('first')
    last.end('last')
    expect(await line.run(store(1), last.run)).toBe('last')
  })
})

describe('requests of other processes', () => {
  const elsewhere = (running: number) => new Map([[1, running]])

  test('take slots, and give them back to requests that wait', async () => {
    const line = new ConcurrencyLimit(3, 60_000)
    const works = [work(), work(), work()] as const
    line.learn(elsewhere(2))
    const done = works.map(({ run }) => line.run(store(1), run))
    const running = () => works.map(({ isRunning }) => isRunning)
    expect(running()).toEqual([true, false, false])
    line.learn(elsewhere(1))
    await soon()
    expect(running()).toEqual([true, true, false])
    line.learn(new Map())
    await soon()
    expect(running()).toEqual([true, true, true])
    for (const { end } of works) end('done')
    expect(await Promise.all(done)).toEqual(['done', 'done', 'done'])
  })

  test('of other stores are not counted', async () => {
    const line = new ConcurrencyLimit(1, 60_000)
    line.learn(elsewhere(1))
    expect(await line.run(store(2), async () => 'done')).toBe('done')
  })

  test('that take all slots make requests wait, and refuse them (429) after that', async () => {
    const line = new ConcurrencyLimit(1, 1)
    line.learn(elsewhere(1))
    await expect(line.run(store(1), async () => 'done')).rejects.toMatchObject({ status: 429 })
    line.learn(new Map())
    expect(await line.run(store(1), async () => 'done')).toBe('done')
  })

  test('learn of those that were running at the round before, and of no others', async () => {
    const line = new ConcurrencyLimit(3, 60_000)
    const [long, short, later] = [work(), work(), work()]
    const done = [line.run(store(1), long.run), line.run(store(1), short.run)]
    expect(line.takeLong()).toEqual([])
    short.end('short')
    await soon()
    done.push(line.run(store(1), later.run))
    expect(line.takeLong()).toEqual([{ storeId: 1, running: 1 }])
    expect(line.takeLong()).toEqual([{ storeId: 1, running: 2 }])
    long.end('long')
    later.end('later')
    await Promise.all(done)
    expect(line.takeLong()).toEqual([])
  })
})
