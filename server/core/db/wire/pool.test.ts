import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { Connection } from './connection.ts'
import { Pool } from './pool.ts'

const MAX = 2
const PATIENCE = { still: 200, moving: 500 }

let pool: Pool
let made: Connection[]

beforeEach(() => {
  made = []
  const make = () => {
    const connection = new Connection({ connectionString: inject('postgresUrl') }, () => {})
    made.push(connection)
    return connection
  }
  pool = new Pool(make, MAX, (lane) => (lane === 0 ? MAX : 1), PATIENCE)
})
afterEach(async () => {
  vi.useRealTimers()
  await pool.end()
})

const take = (lane = 0) =>
  new Promise<Connection>((resolve, reject) => {
    pool.take(lane, (failure, connection) => (connection ? resolve(connection) : reject(failure)))
  })

const one = { text: 'select 1 as one', values: [] }
const askedOn = async (connection: Connection) => (await connection.ask([one]))[0]?.rows
/** When it is closed, on this side too. */
const closed = (connection: Connection) => vi.waitFor(() => expect(connection.isLost).toBe(true), 60_000)

describe('a connection', () => {
  test('is opened when it is needed, and the one used last is lent first', async () => {
    const one = await take()
    const two = await take()
    pool.give(one)
    pool.give(two)
    expect(await take()).toBe(two)
    expect(await take()).toBe(one)
    pool.give(one)
    pool.give(two)
    expect(made).toHaveLength(2)
  })

  test('that comes back goes to the oldest borrower', async () => {
    const one = await take()
    const two = await take()
    const waiting = [take(), take()]
    pool.give(two)
    pool.give(one)
    expect(await Promise.all(waiting)).toEqual([two, one])
    pool.give(one)
    pool.give(two)
  })

  test('has waiting borrowers for a limited time, and the next one gets it', async () => {
    const [one, two] = [await take(), await take()]
    await expect(take()).rejects.toMatchObject({ cause: 'All connections were in use for too long.' })
    const next = take()
    pool.give(one)
    expect(await next).toBe(one)
    pool.give(one)
    pool.give(two)
  })

  test('has waiting borrowers for longer while the queue moves, but not without end', async () => {
    const [one, two] = [await take(), await take()]
    const began = performance.now()
    const order: string[] = []
    const note = (name: string) => async (connection?: Connection) => {
      order.push(name)
      await new Promise((done) => setTimeout(done, 150))
      if (connection) pool.give(connection)
    }
    const served = [1, 2, 3].map((number) => take().then(note(`served ${number}`)))
    const last = Array.from({ length: 6 }, () => take().then(note('served late'), note('refused')))
    pool.give(one)
    await Promise.all([...served, ...last])
    expect(order.slice(0, 3)).toEqual(['served 1', 'served 2', 'served 3'])
    expect(order).toContain('refused')
    expect(performance.now() - began).toBeGreaterThan(450)
    pool.give(two)
  })

  test('that is broken is not lent again, and makes room for the next borrower', async () => {
    const [one, two] = [await take(), await take()]
    const waiting = take()
    one.cut()
    pool.give(one)
    const fresh = await waiting
    expect(made.indexOf(fresh)).toBe(2)
    expect(await askedOn(fresh)).toEqual([{ one: 1 }])
    pool.give(fresh)
    pool.give(two)
  })

  test.each(['while nobody uses it', 'while it is lent'])('that is lost %s is not lent again', async (when) => {
    const lost = await take()
    const isIdle = when === 'while nobody uses it'
    if (isIdle) pool.give(lost)
    lost.cut()
    if (!isIdle) pool.give(lost)
    const fresh = await take()
    expect(fresh).not.toBe(lost)
    expect(await askedOn(fresh)).toEqual([{ one: 1 }])
    pool.give(fresh)
  })

  test('that was idle for ten seconds is closed; the others stay', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const [one, two] = [await take(), await take()]
    pool.give(one)
    pool.give(two)
    vi.advanceTimersByTime(9_000)
    pool.give(await take())
    vi.advanceTimersByTime(1_000)
    await closed(one)
    expect(await take()).toBe(two)
    expect(await askedOn(two)).toEqual([{ one: 1 }])
    pool.give(two)
  })

  test('that cannot be opened is reported to its borrower, and the place is free', async () => {
    const nowhere = new Pool(
      () => new Connection({ connectionString: 'postgres://127.0.0.1:1/none' }, () => {}),
      1,
      () => 1,
      PATIENCE,
    )
    const ask = () => new Promise((resolve) => nowhere.take(0, resolve))
    expect(await ask()).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    expect(await ask()).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    await nowhere.end()
  })
})

describe('a lane', () => {
  test('that has its share waits in a queue of its own, while others are served', async () => {
    const first = await take(1)
    const second = take(1)
    const other = await take(2)
    expect(made).toHaveLength(2)
    pool.give(other)
    // A connection is free, and the first store still has its share.
    const another = await take(2)
    expect(another).toBe(other)
    pool.give(first)
    expect(await second).toBe(first)
    pool.give(first)
    pool.give(another)
  })

  test('takes turns with others, however many of its requests wait', async () => {
    const [one, two] = [await take(), await take()]
    const order: number[] = []
    const waiting = [1, 1, 1, 2, 2, 3].map(async (store) => {
      const connection = await take(store)
      order.push(store)
      await new Promise(setImmediate)
      pool.give(connection)
    })
    pool.give(one)
    await Promise.all(waiting)
    expect(order).toEqual([1, 2, 3, 1, 2, 1])
    pool.give(two)
  })

  test('is refused after the longest wait, and then loses its turn', async () => {
    const first = await take(1)
    await expect(take(1)).rejects.toThrow('The database is not available.')
    const other = await take(2)
    pool.give(first)
    pool.give(other)
    const [one, two] = [await take(1), await take(2)]
    pool.give(one)
    pool.give(two)
  })

  test('whose connection is lost may have another one', async () => {
    const lost = await take(1)
    const waiting = take(1)
    lost.cut()
    pool.give(lost)
    const fresh = await waiting
    expect(await askedOn(fresh)).toEqual([{ one: 1 }])
    pool.give(fresh)
  })
})

test('a connection that comes back within a transaction is not lent again', async () => {
  const left = await take()
  await left.ask([{ text: 'begin', values: [] }])
  pool.give(left)
  const fresh = await take()
  expect(fresh).not.toBe(left)
  pool.give(fresh)
})

test('the end waits for connections in use, and refuses waiting and new borrowers', async () => {
  const [one, two] = [await take(), await take()]
  const waiting = expect(take()).rejects.toMatchObject({ cause: 'The pool is closed.' })
  let isOver = false
  const end = pool.end().then(() => {
    isOver = true
  })
  await waiting
  await expect(take()).rejects.toMatchObject({ cause: 'The pool is closed.' })
  pool.give(one)
  expect(await askedOn(two)).toEqual([{ one: 1 }])
  expect(isOver).toBe(false)
  pool.give(two)
  await end
})
