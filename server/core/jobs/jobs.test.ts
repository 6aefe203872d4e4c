import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'typebox'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { doJobs, workerOf } from '../../test/harness/jobs.ts'
import { sql } from '../db/sql.ts'
import { JobBacklog } from './backlog.ts'
import { type ClaimedJob, claimJobs, leaseMs } from './claim.ts'
import { completeJobs } from './complete.ts'
import { enqueue, type NewJob } from './enqueue.ts'
import { listJobs, retryJob, skipJob } from './list.ts'
import { done, failed, type Job, type Outcome, runner, task, tryAgain } from './task.ts'
import { clearJobs } from './upkeep.ts'
import type { JobWorker } from './worker.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const Payload = t.Object({ name: t.String() })
type Payload = { name: string }

/** Twice more: after one minute, and after five. */
const retryDelay = (failures: number) => [MINUTE_MS, 5 * MINUTE_MS][failures - 1]
const capture = task('test_capture', Payload, { maxMs: 30_000, retryDelay })
const refund = task('test_refund', Payload, { maxMs: 30_000, retryDelay })
const held = task('test_held', Payload, { maxMs: 30_000, retryDelay, holdsKey: true })
const counted = task('test_counted', Payload, { maxMs: 30_000, retryDelay, holdsKey: true })
const brief = task('test_brief', Payload, { maxMs: 50, retryDelay })

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const later = async (ms: number) => (await theHouse()).clock.move(ms)
const add = async (job: NewJob<Payload>, of = capture, here = shop): Promise<string> =>
  (await dbOf(here)).transaction((tx) => enqueue(tx, of, job))
const named = (name: string, key?: string): NewJob<Payload> => ({ payload: { name }, ...(key ? { key } : {}) })

/** Does all tasks of this file by one function, for this test's store. */
const all = (run: (job: Job<Payload>) => Promise<Outcome>) =>
  [capture, refund, held, counted, brief].map((one) =>
    runner(one, async (job) => (job.db.store.id === shop.store.id ? run(job) : done)),
  )
/** Does all due jobs. @returns the names of the jobs, in the order in which they were begun */
async function begun(outcome: (name: string) => Outcome = () => done): Promise<string[]> {
  const names: string[] = []
  await doJobs(
    all(async ({ payload }) => {
      names.push(payload.name)
      return outcome(payload.name)
    }),
  )
  return names
}
const jobs = async () =>
  (await rowsOf(shop, 'jobs')) as { id: string; key: string; state: string; attempts: number; reason: string | null }[]
const lanes = () => rowsOf(shop, 'job_lanes')
const states = async () =>
  Object.fromEntries(
    (
      await (
        await dbOf(shop)
      ).rows<{ name: string; state: string }>(sql`
      select payload->>'name' as name, state from jobs where store_id = ${shop.store.id}`)
    ).map(({ name, state }) => [name, state]),
  )

/** Jobs that go on until the test lets them. */
class Gate {
  readonly underWay: string[] = []
  readonly #waiting: (() => void)[] = []

  readonly run = async ({ payload: { name } }: Job<Payload>): Promise<Outcome> => {
    this.underWay.push(name)
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.underWay.splice(this.underWay.indexOf(name), 1)
    return done
  }

  open() {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

describe('a job', () => {
  test('is a row of the transaction that enqueues it, and is done once', async () => {
    const id = await add({ key: 'order 5', payload: { name: 'a' } })
    expect(await jobs()).toEqual([
      {
        store_id: shop.store.id,
        id,
        key: 'order 5',
        seq: 1,
        task: 'test_capture',
        payload: { name: 'a' },
        correlation_id: null,
        created_at: expect.any(String),
        due_at: expect.any(String),
        state: 'waiting',
        attempts: 0,
        attempted: 0,
        begun_at: null,
        reason: null,
        ended_at: null,
        kept_until: null,
      },
    ])
    expect(await begun()).toEqual(['a'])
    expect(await jobs()).toMatchObject([{ id, state: 'done', attempts: 1, ended_at: expect.any(String) }])
    expect(await lanes()).toEqual([])
    expect(await begun()).toEqual([])
  })

  test('is not there after a rollback', async () => {
    const db = await dbOf(shop)
    const broken = db.transaction(async (tx) => {
      await enqueue(tx, capture, named('a'))
      throw new Error('no')
    })
    await expect(broken).rejects.toThrow('no')
    expect([await jobs(), await lanes()]).toEqual([[], []])
  })

  test('gets the database of its store, its payload and the number of its attempt', async () => {
    await add(named('a'))
    const got: unknown[] = []
    await doJobs(
      all(async ({ db, payload, attempt, signal }) => {
        got.push([db.store.id, payload, attempt, signal.aborted])
        return done
      }),
    )
    expect(got).toEqual([[shop.store.id, { name: 'a' }, 1, false]])
  })

  test('carries at most 10,000 characters', async () => {
    const fits = 10_000 - '{"name":""}'.length
    await add(named('x'.repeat(fits)))
    await expect(add(named('x'.repeat(fits + 1)))).rejects.toThrow('carries more than 10000 characters')
  })

  test('that is due later waits, by the clock of the server', async () => {
    const now = (await theHouse()).clock.now().getTime()
    await add({ ...named('a'), dueAt: new Date(now + DAY_MS) })
    await add(named('b'))
    expect(await begun()).toEqual(['b'])
    await later(DAY_MS - MINUTE_MS)
    expect(await begun()).toEqual([])
    await later(MINUTE_MS)
    expect(await begun()).toEqual(['a'])
  })
})

describe('jobs of one key', () => {
  test('run one after another, in their order and across tasks, beside those of other keys', async () => {
    await add(named('1', 'order 5'))
    await add(named('2', 'order 5'), refund)
    await add(named('3', 'order 5'))
    await add(named('other', 'order 6'))
    const gate = new Gate()
    const worker = await workerOf(all(gate.run))
    for (const first of ['1', '2', '3']) {
      while (!gate.underWay.includes(first)) await worker.beginDue()
      expect(gate.underWay.filter((name) => name !== 'other')).toEqual([first])
      expect(await worker.beginDue()).toBe(0)
      gate.open()
      await worker.idle()
    }
    expect(await states()).toEqual({ 1: 'done', 2: 'done', 3: 'done', other: 'done' })
  })

  test('run in the order in which they were enqueued, not in that in which their transactions began', async () => {
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      await tx.rows(sql`select id from jobs where store_id = ${tx.store.id}`)
      await add(named('first', 'order 5'))
      await enqueue(tx, capture, named('second', 'order 5'))
    })
    expect(await begun()).toEqual(['first', 'second'])
  })

  test('wait for one before them that is due later', async () => {
    await add({ ...named('1', 'order 5'), dueAt: new Date((await theHouse()).clock.now().getTime() + MINUTE_MS) })
    await add(named('2', 'order 5'))
    expect(await begun()).toEqual([])
    await later(MINUTE_MS)
    expect(await begun()).toEqual(['1', '2'])
  })

  test('wait while one before them is tried again, and go on after its permanent failure', async () => {
    await add(named('bad', 'order 5'))
    await add(named('good', 'order 5'))
    const refuse = (name: string) => (name === 'bad' ? tryAgain('The bank is closed.') : done)
    expect(await begun(refuse)).toEqual(['bad'])
    expect(await begun(refuse)).toEqual([])
    await later(MINUTE_MS)
    expect(await begun(refuse)).toEqual(['bad'])
    await later(5 * MINUTE_MS)
    expect(await begun(refuse)).toEqual(['bad', 'good'])
    expect(await states()).toEqual({ bad: 'failed', good: 'done' })
  })

  test('are not lost if one is enqueued while the one before it ends', async () => {
    const db = await dbOf(shop)
    await add(named('1', 'order 5'))
    const [first] = await db.transaction((tx) => claimJobs(tx, capture, 1))
    if (!first) throw new Error('There is no job.')
    const enqueued = Promise.withResolvers<void>()
    const may = Promise.withResolvers<void>()
    const enqueuing = db.transaction(async (tx) => {
      await enqueue(tx, capture, named('2', 'order 5'))
      enqueued.resolve()
      await may.promise
    })
    await enqueued.promise
    const completing = db.transaction((tx) => completeJobs(tx, [{ task: capture, job: first, outcome: done }]))
    await sleep(50)
    may.resolve()
    await Promise.all([enqueuing, completing])
    expect(await begun()).toEqual(['2'])
  })
})

describe('an attempt', () => {
  test('that asks for another try gets it after the delay of its task, until the retry table ends', async () => {
    await add(named('a'))
    const refuse = () => tryAgain('The bank is closed.')
    expect(await begun(refuse)).toEqual(['a'])
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 1, reason: 'The bank is closed.' }])
    await later(MINUTE_MS - 1_000)
    expect(await begun(refuse)).toEqual([])
    await later(1_000)
    expect(await begun(refuse)).toEqual(['a'])
    await later(5 * MINUTE_MS)
    expect(await begun(refuse)).toEqual(['a'])
    expect(await jobs()).toMatchObject([{ state: 'failed', attempts: 3, reason: 'The bank is closed.' }])
    await later(DAY_MS)
    expect(await begun(refuse)).toEqual([])
  })

  test('that fails permanently is not repeated', async () => {
    await add(named('a'))
    expect(await begun(() => failed('The card is stolen.'))).toEqual(['a'])
    await later(DAY_MS)
    expect(await begun()).toEqual([])
    expect(await jobs()).toMatchObject([{ state: 'failed', attempts: 1, reason: 'The card is stolen.' }])
  })

  test('that throws is repeated, and the log has the error', async () => {
    const id = await add(named('a'))
    const lines: unknown[] = []
    const oops = new Error('oops')
    await doJobs(
      all(async () => {
        throw oops
      }),
      { error: (...line: unknown[]) => void lines.push(line) },
    )
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 1, reason: 'oops' }])
    expect(lines).toEqual([
      [
        { job: id, task: 'test_capture', store: shop.store.id, attempt: 1, reason: 'oops', err: oops },
        'a job failed and is tried again',
      ],
    ])
  })

  test('that exceeds the time of its task is asked to end', async () => {
    await add(named('a'), brief)
    await doJobs(
      all(async ({ signal }) => {
        await sleep(60_000, undefined, { signal })
        return done
      }),
    )
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 1, reason: 'It took longer than 0.05 s.' }])
  })

  test('with a payload of another version fails permanently', async () => {
    await add(named('a'))
    const other = task('test_capture', t.Object({ order: t.Integer() }), { maxMs: 30_000, retryDelay })
    await doJobs([runner(other, async () => done)])
    expect(await jobs()).toMatchObject([
      { state: 'failed', reason: 'This version of the server cannot read its payload.' },
    ])
  })

  test('is not made by a process that does not know the task', async () => {
    await add(named('a'))
    expect(await doJobs([runner(refund, async () => done)])).toBe(0)
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 0 }])
  })
})

describe('a worker that dies', () => {
  test('loses its job to another when the lease ends, and its late outcome is ignored', async () => {
    await add(named('a', 'order 5'))
    const db = await dbOf(shop)
    const [dead] = await db.transaction((tx) => claimJobs(tx, capture, 1))
    if (!dead) throw new Error('There is no job.')
    await later(leaseMs(capture) - 1_000)
    expect(await begun()).toEqual([])
    await later(1_000)
    const gate = new Gate()
    const worker = await workerOf(all(gate.run))
    await worker.beginDue()
    await db.transaction((tx) => completeJobs(tx, [{ task: capture, job: dead, outcome: failed('too late') }]))
    expect(await jobs()).toMatchObject([{ state: 'waiting', attempts: 2 }])
    gate.open()
    await worker.idle()
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 2, reason: null }])
    await db.transaction((tx) => completeJobs(tx, [{ task: capture, job: dead, outcome: failed('too late') }]))
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 2, reason: null }])
  })

  test('of the same job each time ends it after as many attempts as the retry table has', async () => {
    await add(named('a'))
    const db = await dbOf(shop)
    for (let i = 1; i <= 3; i++) {
      expect(await db.transaction((tx) => claimJobs(tx, capture, 1))).toMatchObject([{ attempts: i, tries: i }])
      await later(leaseMs(capture))
    }
    expect(await begun()).toEqual([])
    expect(await jobs()).toMatchObject([
      { state: 'failed', reason: 'It was begun 3 times, and the last of them never came to an end.' },
    ])
  })
})

describe('machines whose clocks are an hour apart', () => {
  beforeEach(async () => {
    // As in production: each machine has a clock of its own.
    ;(await theHouse()).clock.isShared = false
  })
  afterEach(async () => {
    ;(await theHouse()).clock.isShared = true
  })

  test.each([60 * MINUTE_MS, -60 * MINUTE_MS])('agree on leases and retries: %d ms', async (apart) => {
    const db = await dbOf(shop)
    const secondsUntilDue = async () => {
      const [lane] = await db.rows<{ seconds: number }>(sql`
        select extract(epoch from due_at - now()) as seconds from job_lanes where store_id = ${shop.store.id}`)
      return lane?.seconds
    }
    await later(apart)
    await add(named('a'))
    await later(-apart)
    const [job] = await db.transaction((tx) => claimJobs(tx, capture, 1))
    if (!job) throw new Error('There is no job.')
    await later(apart)
    expect(await begun()).toEqual([])
    expect(await secondsUntilDue()).toBeGreaterThan(30)
    await db.transaction((tx) => completeJobs(tx, [{ task: capture, job, outcome: tryAgain('Not now.') }]))
    await later(-apart)
    expect(await begun()).toEqual([])
    expect(await secondsUntilDue()).toBeGreaterThan(30)
    expect(await secondsUntilDue()).toBeLessThanOrEqual(60)
  })
})

describe('a store with very many jobs', () => {
  const CROWD = 20_000
  const crowd = async () =>
    (await dbOf(shop)).transaction(async (tx) => {
      const rows = sql`from generate_series(1, ${CROWD}::int) i`
      await tx.rows(sql`
        insert into job_lanes (store_id, key, head, task, due_at, last_seq, is_new)
        select ${shop.store.id}, 'k' || i, 'j' || i, 'test_capture', now(), 1, true ${rows} returning 1`)
      await tx.rows(sql`
        insert into jobs (store_id, id, key, seq, task, payload, created_at, due_at, state, attempts, attempted)
        select ${shop.store.id}, 'j' || i, 'k' || i, 1, 'test_capture', '{"name":"of many"}', now(), now(), 'waiting', 0, 0
        ${rows} returning 1`)
    })

  test('has a share of the workers, and holds up no other store', async () => {
    await begun()
    await crowd()
    const gate = new Gate()
    const other = await openShop()
    const runners = [
      runner(capture, (job) => {
        if (job.db.store.id === shop.store.id) return gate.run(job)
        // Leftovers of other tests are done at once.
        if (job.db.store.id !== other.store.id) return Promise.resolve(done)
        return gate.run({ ...job, payload: { name: 'of another' } })
      }),
    ]
    const worker = await workerOf(runners)
    // On a busy machine a turn among so many may be over before it has claimed any.
    const turn = async () => {
      await worker.beginDue()
      return gate.underWay
    }
    await expect.poll(turn).toEqual(Array(5).fill('of many'))
    for (let more = 0; more < 2; more++) expect(await turn()).toEqual(Array(5).fill('of many'))
    await add(named('x'), capture, other)
    await worker.beginDue()
    expect(gate.underWay).toContain('of another')
    expect(worker.running().get('test_capture')).toBe(6)
    gate.open()
    await worker.idle()
    await (await dbOf(shop)).transaction(async (tx) => {
      await tx.rows(sql`delete from job_lanes where store_id = ${tx.store.id}`)
      await tx.rows(sql`delete from jobs where store_id = ${tx.store.id}`)
    })
  })

  test('a task has a share too, and stores take turns', async () => {
    await begun()
    const shops = await Promise.all(Array.from({ length: 4 }, () => openShop()))
    for (const one of shops) for (let i = 0; i < 6; i++) await add(named('c'), capture, one)
    const underWay: number[] = []
    const may = Promise.withResolvers<Outcome>()
    const worker = await workerOf(
      [capture, refund].map((of) =>
        runner(of, ({ db }) => {
          underWay.push(db.store.id)
          return may.promise
        }),
      ),
    )
    for (let turn = 0; turn < 3; turn++) await worker.beginDue()
    expect(worker.running().get('test_capture')).toBe(10)
    // Nobody has all of it: the free slots were divided among the four.
    const counts = [...Map.groupBy(underWay, (id) => id).values()].map(({ length }) => length)
    expect(counts).toHaveLength(4)
    expect(Math.min(...counts)).toBe(2)
    await add(named('r'), refund, shops[0])
    for (let turn = 0; turn < 3; turn++) await worker.beginDue()
    expect(worker.running().get('test_refund')).toBe(1)
    may.resolve(done)
    await worker.idle()
    await doJobs([runner(capture, async () => done)])
  })
})

test('the present jobs of a store wait for none of its later jobs', async () => {
  await begun()
  const tomorrow = { dueAt: new Date((await theHouse()).clock.now().getTime() + DAY_MS) }
  const names: string[] = []
  // Whichever of the two is looked at first.
  for (const [now, later] of [
    [capture, refund],
    [refund, capture],
  ] as const) {
    await add({ ...named('later'), ...tomorrow }, later)
    await add(named(`now ${now.name}`), now)
    const worker = await workerOf(
      all(async ({ payload: { name } }) => {
        names.push(name)
        return done
      }),
    )
    await worker.beginDue()
    await worker.idle()
  }
  expect(names).toEqual(['now test_capture', 'now test_refund'])
})

describe('a worker of this process', () => {
  let worker: JobWorker | undefined
  afterEach(() => worker?.stop())

  test('is woken by a commit, does waiting jobs, and stops when the jobs under way have ended', async () => {
    const gate = new Gate()
    worker = await workerOf(all(gate.run))
    worker.start()
    // By now it has looked in vain a few times, and waits longer.
    await sleep(1_000)
    await add(named('a'))
    while (!gate.underWay.includes('a')) await sleep(1)
    let hasStopped = false
    const stopping = worker.stop().then(() => {
      hasStopped = true
    })
    await add(named('b'))
    await sleep(300)
    expect(hasStopped).toBe(false)
    gate.open()
    await stopping
    expect(await states()).toEqual({ a: 'done', b: 'waiting' })
  })

  test('finds jobs that others have enqueued, and counts the outcomes of its attempts', async () => {
    await begun()
    worker = await workerOf(all(async () => done))
    worker.start()
    const { jobNews } = await import('./enqueue.ts')
    jobNews.removeAllListeners('enqueued')
    await add(named('a'))
    while ((await states()).a !== 'done') await sleep(10)
    expect(worker.attempts()).toEqual([{ task: 'test_capture', outcome: 'done', count: 1 }])
  })
})

describe('for an operator', () => {
  const list = async (state: 'waiting' | 'done' | 'failed' | 'held') => {
    const { installation } = await theHouse()
    const entry = await installation.directory.find(shop.store.hash)
    if (!entry) throw new Error('There is no store.')
    const listed = await listJobs(installation.directory.cellOf(entry), { state, limit: 10, storeId: shop.store.id })
    return listed.map(({ payload, sentence }) => [(payload as Payload).name, sentence])
  }
  const time = expect.stringMatching(/^\S+Z$/)
  /** A sentence with its times cut out. */
  const plain = (rows: string[][]) =>
    rows.map(([name, sentence]) => [name, sentence?.replaceAll(/\d{4}-\S+?Z/g, 'TIME')]).sort()

  test('each job has a sentence about its state', async () => {
    const { clock } = await theHouse()
    const db = await dbOf(shop)
    await add(named('running', 'order 5'))
    await db.transaction((tx) => claimJobs(tx, capture, 1))
    await add(named('behind', 'order 5'))
    await add({ ...named('later'), dueAt: new Date(clock.now().getTime() + DAY_MS) })
    await add(named('due'))
    await add(named('refused'), refund)
    await doJobs([runner(refund, async () => tryAgain('The bank is closed.'))])
    expect(plain(await list('waiting'))).toEqual([
      ['behind', 'It waits for jobs of its key that came before it.'],
      ['due', 'It has been due since TIME: no worker has had room for it, or none runs.'],
      ['later', 'It is due at TIME.'],
      ['refused', 'Attempt 1 failed: The bank is closed. It is due at TIME.'],
      ['running', 'Attempt 1 has been under way since TIME.'],
    ])
    await later(leaseMs(capture))
    expect(plain(await list('waiting'))).toContainEqual([
      'running',
      'Attempt 1 began at TIME and its worker is gone: the next worker begins it again.',
    ])
    expect(await begun((name) => (name === 'due' ? failed('The card is stolen.') : done))).toHaveLength(4)
    expect(plain(await list('failed'))).toEqual([
      ['due', 'It failed permanently at TIME after 1 attempt: The card is stolen.'],
    ])
    expect(plain(await list('done'))).toContainEqual(['running', 'It was done at TIME by attempt 2.'])
    expect((await jobs()).find(({ state }) => state === 'failed')).toMatchObject({ ended_at: time })
  })

  test('a failed job is retried behind the waiting jobs of its key, with a new retry table', async () => {
    const db = await dbOf(shop)
    const id = await add(named('bad', 'order 5'))
    await begun(() => failed('no'))
    await add({ ...named('next', 'order 5') })
    expect(await retryJob(db, id)).toBe(true)
    expect(await retryJob(db, id)).toBe(false)
    const refuse = (name: string) => (name === 'bad' ? tryAgain('Not yet.') : done)
    expect(await begun(refuse)).toEqual(['next', 'bad'])
    await later(MINUTE_MS)
    expect(await begun(refuse)).toEqual(['bad'])
    await later(5 * MINUTE_MS)
    expect(await begun()).toEqual(['bad'])
    expect((await jobs()).find((job) => job.id === id)).toMatchObject({ state: 'done', attempts: 4 })
  })

  test('a failed job blocks its key until it is retried or skipped', async () => {
    const db = await dbOf(shop)
    const ids = [await add(named('1', 'order 5'), held), await add(named('2', 'order 5'), held)]
    await add(named('3', 'order 5'))
    const refuse = () => failed('no')
    expect(await begun(refuse)).toEqual(['1'])
    await later(DAY_MS)
    expect(await begun()).toEqual([])
    expect(await states()).toEqual({ 1: 'held', 2: 'waiting', 3: 'waiting' })
    expect(plain(await list('held'))).toEqual([
      ['1', 'It failed permanently at TIME after 1 attempt, and later jobs with its key wait: no'],
    ])
    expect(await retryJob(db, ids[0] ?? '')).toBe(true)
    expect(await begun((name) => (name === '1' ? done : failed('no')))).toEqual(['1', '2'])
    expect(await skipJob(db, ids[1] ?? '')).toBe(true)
    expect(await skipJob(db, ids[1] ?? '')).toBe(false)
    expect(await begun()).toEqual(['3'])
    expect(await states()).toEqual({ 1: 'done', 2: 'failed', 3: 'done' })
  })

  test('jobs that are due, fail and hold are counted by task', async () => {
    const { installation, clock } = await theHouse()
    const look = async () => (await new JobBacklog(installation.directory, clock).look()).get('test_counted')
    await add(named('1', 'order 5'), counted)
    await add({ ...named('2'), dueAt: new Date(clock.now().getTime() + DAY_MS) }, counted)
    await later(MINUTE_MS)
    expect(await look()).toMatchObject({ due: 1, failed: 0, held: 0 })
    expect((await look())?.oldestSeconds).toBeGreaterThanOrEqual(60)
    await begun(() => failed('no'))
    expect(await look()).toEqual({ due: 0, oldestSeconds: 0, failed: 1, held: 1 })
    await later(2 * DAY_MS)
    expect(await look()).toMatchObject({ due: 1 })
    await begun()
    const [first] = (await jobs()).filter(({ state }) => state === 'held')
    await skipJob(await dbOf(shop), first?.id ?? '')
    expect(await look()).toEqual({ due: 0, oldestSeconds: 0, failed: 1, held: 0 })
  })
})

describe('jobs that have ended', () => {
  const clear = async () => {
    const { installation, clock } = await theHouse()
    await clearJobs(installation.directory, clock)
  }

  test('done jobs are kept for a day, failed ones for 30 days, held ones until an operator decides', async () => {
    await add(named('good'))
    await add(named('bad'))
    await add(named('held'), held)
    await begun((name) => (name === 'good' ? done : failed('no')))
    await later(DAY_MS - 2 * MINUTE_MS)
    await clear()
    expect(await states()).toEqual({ good: 'done', bad: 'failed', held: 'held' })
    await later(2 * MINUTE_MS)
    await clear()
    expect(await states()).toEqual({ bad: 'failed', held: 'held' })
    await later(29 * DAY_MS - 2 * MINUTE_MS)
    await clear()
    expect(await states()).toEqual({ bad: 'failed', held: 'held' })
    await later(2 * MINUTE_MS)
    await clear()
    expect(await states()).toEqual({ held: 'held' })
  })

  test('a job that no worker could do for 30 days fails', async () => {
    await add(named('a', 'order 5'))
    await later(30 * DAY_MS - MINUTE_MS)
    await add(named('b'))
    await clear()
    expect(await states()).toEqual({ a: 'waiting', b: 'waiting' })
    await later(MINUTE_MS)
    await clear()
    expect(await states()).toEqual({ a: 'failed', b: 'waiting' })
    expect((await jobs()).find(({ state }) => state === 'failed')?.reason).toBe('No worker could do it for 30 days.')
    await begun()
  })
})

describe('two workers', () => {
  /** Events in the life of the queue, in any order. */
  const Step = fc.oneof(
    fc.record({ kind: fc.constant('enqueue' as const), key: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ kind: fc.constant('claim' as const), worker: fc.nat(1), room: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      kind: fc.constant('end' as const),
      worker: fc.nat(1),
      outcome: fc.constantFrom(done, done, tryAgain('no'), failed('no')),
    }),
    fc.record({ kind: fc.constant('die' as const), worker: fc.nat(1) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(MINUTE_MS, leaseMs(capture)) }),
  )
  /** Never exhausted: every enqueued job ends. */
  const patient = { ...capture, retryDelay: () => MINUTE_MS }

  test('never run two jobs of one key at once, never out of order, and lose none, after any crash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const here = await openShop()
        const db = await dbOf(here)
        let time = 0
        /** By key, in their order. */
        const expected = new Map<string, string[]>()
        const ended: string[] = []
        /** The jobs of each worker, and the ends of their leases. */
        const hands: { job: ClaimedJob; until: number }[][] = [[], []]
        const first = (key: string) => expected.get(key)?.find((id) => !ended.includes(id))

        const take = async (worker: number, room: number) => {
          const claimed = await db.transaction((tx) => claimJobs(tx, patient, room))
          for (const job of claimed) {
            const rivals = hands.flat().filter((hand) => hand.job.key === job.key && hand.until > time)
            expect(rivals).toEqual([])
            expect(job.id).toBe(first(job.key))
            hands[worker]?.push({ job, until: time + leaseMs(patient) })
          }
          return claimed.length
        }
        const end = async (worker: number, outcome: Outcome) => {
          const hand = hands[worker]?.shift()
          if (!hand) return
          const { job } = hand
          await db.transaction((tx) => completeJobs(tx, [{ task: patient, job, outcome }]))
          // The later claim decides.
          const isOurs = !hands.flat().some((other) => other.job.id === job.id && other.job.attempts > job.attempts)
          const row = (await rowsOf(here, 'jobs')).find(({ id }) => id === job.id)
          if (!isOurs) expect(row).toMatchObject({ state: ended.includes(job.id) ? row?.state : 'waiting' })
          if (row?.state !== 'waiting' && !ended.includes(job.id)) ended.push(job.id)
        }

        for (const step of steps) {
          if (step.kind === 'enqueue') {
            const key = `k${step.key}`
            const id = await add(named(key, key), capture, here)
            expected.set(key, [...(expected.get(key) ?? []), id])
          } else if (step.kind === 'claim') await take(step.worker, step.room)
          else if (step.kind === 'end') await end(step.worker, step.outcome)
          else if (step.kind === 'die') hands[step.worker] = []
          else {
            await later(step.ms)
            time += step.ms
          }
        }
        // Living workers go on; the leases of the dead end.
        for (let idle = 0; idle < 2; ) {
          while (hands.flat().length > 0) {
            await end(0, done)
            await end(1, done)
          }
          await later(leaseMs(patient))
          time += leaseMs(patient)
          idle = (await take(0, 3)) > 0 ? 0 : idle + 1
        }
        expect(ended.toSorted()).toEqual([...expected.values()].flat().toSorted())
        expect(await rowsOf(here, 'job_lanes')).toEqual([])
      }),
      { numRuns: 30 },
    )
  })
})

describe('a task that a process does one by one', () => {
  const judged = task('test_judged', Payload, { maxMs: 30_000, retryDelay, atOnce: 1 })

  test('begins no second job: one that waits for its turn has no attempt, and its time does not run', async () => {
    const other = await openShop()
    await add(named('first'), judged)
    const end = Promise.withResolvers<void>()
    const run = runner(judged, async () => {
      await end.promise
      return done
    })
    const worker = await workerOf([run])
    const shops = [shop, other]
    while ((await worker.beginDue()) === 0);
    await add(named('second'), judged, other)
    for (let look = 0; look < 4; look++) expect(await worker.beginDue()).toBe(0)
    await later(10 * MINUTE_MS)
    const waiting = (await rowsOf(other, 'jobs')).map(({ attempts, begun_at }) => ({ attempts, begun_at }))
    expect(waiting).toEqual([{ attempts: 0, begun_at: null }])
    end.resolve()
    await worker.idle()
    while ((await worker.beginDue()) === 0);
    await worker.idle()
    for (const each of shops) expect((await rowsOf(each, 'jobs')).map(({ state }) => state)).toEqual(['done'])
  })

  test('goes on with the store that has used the least of it, in any order of arrival', async () => {
    const busy = [shop, await openShop(), await openShop(), await openShop()]
    const newcomer = await openShop()
    const order: number[] = []
    const run = runner(judged, async ({ db }) => {
      order.push(db.store.id)
      await sleep(2)
      return done
    })
    const worker = await workerOf([run])
    const doAll = async (count: number) => {
      while (order.length < count) {
        await worker.beginDue()
        await worker.idle()
      }
    }
    for (const each of busy) await add(named('first'), judged, each)
    await doAll(4)
    order.length = 0
    for (const each of busy) await add(named('again'), judged, each)
    await add(named('first'), judged, newcomer)
    await doAll(5)
    expect(order[0]).toBe(newcomer.store.id)
    expect(order.slice(1).sort()).toEqual(busy.map(({ store }) => store.id).sort())
  })
})
