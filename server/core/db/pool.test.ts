import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { Pool } from './pool.ts'

const MAX = 2
const WAIT_MS = 200

let pool: Pool
let made: pg.Client[]

beforeEach(() => {
  made = []
  const make = () => {
    const client = new pg.Client({ connectionString: inject('postgresUrl') })
    made.push(client)
    return client
  }
  pool = new Pool(make, MAX, WAIT_MS)
})
afterEach(async () => {
  vi.useRealTimers()
  await pool.end()
})

const take = () =>
  new Promise<pg.Client>((resolve, reject) => {
    pool.take((lost, client) => (client ? resolve(client) : reject(lost)))
  })

/** Also after an error, unlike `once`. */
const ended = (client: pg.Client) => new Promise<void>((resolve) => client.once('end', resolve))

const askedOn = async (client: pg.Client) => (await client.query('select 1 as one')).rows

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

  test('that comes back goes to who has waited longest', async () => {
    const one = await take()
    const two = await take()
    const waiting = [take(), take()]
    pool.give(two)
    pool.give(one)
    expect(await Promise.all(waiting)).toEqual([two, one])
    pool.give(one)
    pool.give(two)
  })

  test('is waited for only so long, and the next one who waits gets it', async () => {
    const [one, two] = [await take(), await take()]
    await expect(take()).rejects.toThrow('All connections were in use for too long.')
    const next = take()
    pool.give(one)
    expect(await next).toBe(one)
    pool.give(one)
    pool.give(two)
  })

  test('that is broken is not lent again, and makes room for who waits', async () => {
    const [one, two] = [await take(), await take()]
    const waiting = take()
    pool.give(one, true)
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
    const gone = ended(lost)
    lost.connection.stream.destroy()
    await gone
    if (!isIdle) pool.give(lost)
    const fresh = await take()
    expect(fresh).not.toBe(lost)
    expect(await askedOn(fresh)).toEqual([{ one: 1 }])
    pool.give(fresh)
  })

  test('that nobody used for ten seconds is closed; the others stay', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const [one, two] = [await take(), await take()]
    pool.give(one)
    pool.give(two)
    vi.advanceTimersByTime(9_000)
    pool.give(await take())
    const gone = ended(one)
    vi.advanceTimersByTime(1_000)
    await gone
    expect(await take()).toBe(two)
    expect(await askedOn(two)).toEqual([{ one: 1 }])
    pool.give(two)
  })

  test('that can not be had is told to who asked, and the place is free', async () => {
    const nowhere = new Pool(() => new pg.Client('postgres://127.0.0.1:1/none'), 1, WAIT_MS)
    const ask = () => new Promise((resolve) => nowhere.take(resolve))
    expect(await ask()).toMatchObject({ code: 'ECONNREFUSED' })
    expect(await ask()).toMatchObject({ code: 'ECONNREFUSED' })
    await nowhere.end()
  })
})

test('the end waits for what is in use, and refuses who waits and who comes', async () => {
  const [one, two] = [await take(), await take()]
  const waiting = expect(take()).rejects.toThrow('The pool is closed.')
  let isOver = false
  const end = pool.end().then(() => {
    isOver = true
  })
  await waiting
  await expect(take()).rejects.toThrow('The pool is closed.')
  pool.give(one)
  expect(await askedOn(two)).toEqual([{ one: 1 }])
  expect(isOver).toBe(false)
  pool.give(two)
  await end
})
