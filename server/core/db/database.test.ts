import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { administratorOf, connectAsAdministrator } from '../../test/harness/administrator.ts'
import { overhear } from '../../test/harness/overhear.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { complaintOf, toProblem } from '../rest/problem.ts'
import { secretsFrom } from '../secrets/secrets.ts'
import { Database, DatabaseUnavailable, type Db, prepared, StatementTimeout, type Tx } from './database.ts'
import { sql } from './sql.ts'

// Room for a machine that does other things too. Two seconds are promised, and measured by test/reliability; here they are
// distinguished from the seven of a silent connection.
const LATE_MS = 5_000
const SOON = { timeout: 60_000, interval: 50 }

let shop: Shop
let db: Db
let database: Database
let admin: pg.Client

beforeAll(async () => {
  shop = await openShop()
  const { directory } = (await theHouse()).installation
  database = directory.cellOf(shop.store).api
  db = database.of({ id: shop.store.id, hash: shop.store.hash, limits: {} })
  admin = await connectAsAdministrator(shop.store)
})
afterAll(() => admin.end())

/** The database of the store, as the role of requests. */
function urlOfStoreward(): string {
  const url = new URL(administratorOf(shop.store))
  url.username = 'storeward'
  url.password = secretsFrom(SECRET).rolePassword
  return url.href
}

/** A row of its own for each test: a counter that nothing else uses. Counters without a table are deleted afterwards. */
const made: string[] = []
async function counter(): Promise<string> {
  const name = `test_${made.push('')}`
  await db.transaction((tx) =>
    tx.rows(
      sql`insert into counters ${sql.rows([{ store_id: tx.store.id, resource: name, last_id: 0, total: 0, version: 0 }])}`,
    ),
  )
  return name
}
afterAll(() => admin.query(`delete from counters where resource like 'test\\_%'`))

const add = (tx: Tx, name: string) =>
  tx.rows(sql`update counters set total = total + 1 where store_id = ${tx.store.id} and resource = ${name}`)

const total = async (name: string) => {
  const { rows } = await admin.query('select total::int from counters where store_id = $1 and resource = $2', [
    shop.store.id,
    name,
  ])
  return rows[0]?.total
}

const division = sql`select 1 / 0 as impossible`

describe('a read', () => {
  test('outside a transaction refuses to write, in a list and by key, and the next one works', async () => {
    const name = await counter()
    const change = sql`update counters set total = 9 where store_id = ${db.store.id} and resource = ${name}`
    await expect(db.rows(change)).rejects.toMatchObject({ code: '25006' })
    await expect(
      db.byKey({
        name: 'test write',
        text: 'update counters set total = 9 where store_id = $1 and resource = $2',
        values: [db.store.id, name],
      }),
    ).rejects.toMatchObject({ code: '25006' })
    expect(await total(name)).toBe(0)
    expect(await db.row(sql`select 1 as one`)).toEqual({ one: 1 })
  })

  test('by key that fails affects no other read on the shared connections', async () => {
    const name = await counter()
    const read = (value: unknown) =>
      db.byKey<{ resource: string }>({
        name: 'test read',
        text: 'select resource from counters where store_id = $1 and resource = $2 and 1 / $3::int = 1',
        values: [db.store.id, name, value],
      })
    const answers = await Promise.allSettled(Array.from({ length: 60 }, (_, i) => read(i % 3 === 2 ? 0 : 1)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, i) => (i % 3 === 2 ? 'rejected' : 'fulfilled')))
    expect(await read(1)).toEqual({ resource: name })
  })

  test.each([
    ['that is no number', 'seven'],
    ['that is too large', 2 ** 40],
    ['with U+0000', '\0'],
    ['that can not be written as JSON', { loop: 1n }],
  ])(
    'by key with a value %s fails alone, and the statement can be used again on every connection',
    async (_, value) => {
      const read = (number: unknown) =>
        db.byKey({ name: 'test number', text: 'select $1::int as one', values: [number] })
      const attempts = [1, value, 1, 1, value, value, 1].map(read)
      const answers = await Promise.allSettled(attempts)
      expect(answers.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, false, false, true])
      for (let i = 0; i < 4; i++) expect(await read(1)).toEqual({ one: 1 })
    },
  )

  test('by key with a value that cannot be encoded leaves no transaction with a broken statement', async () => {
    const read = (tx: Tx, number: unknown) =>
      tx.byKey({ name: 'test number in a transaction', text: 'select $1::int as one', values: [number] })
    const inAll = (number: unknown) =>
      Promise.allSettled(Array.from({ length: 8 }, () => db.transaction((tx) => read(tx, number))))
    expect((await inAll({ loop: 1n })).map(({ status }) => status)).toEqual(Array(8).fill('rejected'))
    expect((await inAll(1)).map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'))
  })

  test('is prepared once, and of very many that are only the latest stay so', async () => {
    await db.transaction(async (tx) => {
      const ask = (number: number) => tx.rows(prepared(sql`select ${sql.raw(String(number))} as one`))
      const kept = async () => {
        const { rows } = await tx.row<{ rows: number[] }>(sql`
          select coalesce(jsonb_agg(substring(statement from '[0-9]+')::int order by prepare_time, statement), '[]') as rows
          from pg_prepared_statements where statement ~ '^select [0-9]+ as one$'`)
        return rows
      }
      for (let round = 0; round < 3; round++) expect(await ask(7)).toEqual([{ one: 7 }])
      expect(await kept()).toEqual([7])
      for (let number = 1_000; number < 1_150; number++) expect(await ask(number)).toEqual([{ one: number }])
      const latest = Array.from({ length: 100 }, (_, i) => 1_050 + i)
      expect(new Set(await kept())).toEqual(new Set(latest))
      expect(await ask(7)).toEqual([{ one: 7 }])
    })
  })

  test('of the one row fails if no row or two rows match', async () => {
    await expect(db.row(sql`select 1 where false`)).rejects.toThrow('Expected one row, got 0.')
    await expect(db.row(sql`select generate_series(1, 2)`)).rejects.toThrow('Expected one row, got 2.')
    expect(await db.maybeRow(sql`select 1 where false`)).toBeUndefined()
  })

  test('takes values as they are: lists, times, null, and texts of any size', async () => {
    const moment = new Date('2025-01-02T03:04:05Z')
    const texts = ['', 'a,b', '{"c"}', 'back\\slash', 'NULL', 'ünï 日本', null]
    expect(
      await db.row(sql`
        select to_jsonb(${texts}::text[]) as texts, to_jsonb(${[[1, 2], [3, 4]]}::int[]) as numbers, to_jsonb(${[]}::int[]) as none,
          ${moment}::timestamptz(0) as moment, ${null}::text as nothing, ${true}::boolean as truth, ${{ a: [1] }}::jsonb as document`),
    ).toEqual({
      texts,
      numbers: [
        [1, 2],
        [3, 4],
      ],
      none: [],
      moment: '2025-01-02T03:04:05Z',
      nothing: null,
      truth: true,
      document: { a: [1] },
    })
    const long = 'é"\n'.repeat(300_000)
    expect(await db.row(sql`select ${long}::text as long, octet_length(${long}::text) as bytes`)).toEqual({
      long,
      bytes: Buffer.byteLength(long),
    })
    const listed = await db.jsonRows(sql`select ${long}::text as long`, ['long'])
    expect(JSON.parse(String(listed.take()))).toEqual({ long })
  })

  test('rows of any size follow each other as JSON, as a whole and one by one', async () => {
    // Below a sixth of a piece, a few to a piece, a whole piece, and larger than the room that is kept.
    const texts = [3, 12_000, 9, 20_000, 65_536, 90_000, 4, 250_000, 11_000].map((length, i) =>
      `${i}"\né`.repeat(length).slice(0, length),
    )
    const ask = () =>
      db.jsonRows(sql`select text from unnest(${texts}::text[]) with ordinality given (text, nr) order by nr`, ['text'])
    const rows = texts.map((text) => ({ text }))
    expect(JSON.parse(`[${(await ask()).take()}]`)).toEqual(rows)
    expect((await ask()).takeTexts()).toEqual(rows.map((row) => JSON.stringify(row)))
  })

  test('shows numbers, times and JSON as the wire wants them', async () => {
    expect(
      await db.row(sql`
        select 9007199254740991::int8 as big, 12.3400::amount as amount, true as yes, '{"a": [1]}'::jsonb as json,
          '2025-01-02 03:04:05+02'::timestamptz(0) as moment, 'text' as text, null as nothing`),
    ).toEqual({
      big: 9_007_199_254_740_991,
      amount: 12.34,
      yes: true,
      json: { a: [1] },
      moment: '2025-01-02T01:04:05Z',
      text: 'text',
      nothing: null,
    })
  })
})

describe('a transaction', () => {
  test('stores all or nothing', async () => {
    const name = await counter()
    await db.transaction((tx) => add(tx, name))
    expect(await total(name)).toBe(1)
    const failing = db.transaction(async (tx) => {
      await add(tx, name)
      throw new Error('Changed my mind.')
    })
    await expect(failing).rejects.toThrow('Changed my mind.')
    expect(await total(name)).toBe(1)
  })

  test('throws if a failed statement was swallowed', async () => {
    const name = await counter()
    const swallowing = db.transaction(async (tx) => {
      await add(tx, name)
      await tx.rows(division).catch(() => {})
      return 'stored'
    })
    await expect(swallowing).rejects.toThrow('A statement of this transaction failed; nothing was stored.')
    expect(await total(name)).toBe(0)
  })

  describe('that swallowed an outage reports the outage', () => {
    const timeout = (tx: Tx) => tx.rows(sql`select set_config('statement_timeout', '50', true)`)
    const slow = sql`select pg_sleep(60)`
    const outages: [how: string, work: (tx: Tx, name: string) => Promise<unknown>][] = [
      ['and returned', (tx) => tx.rows(slow).catch(() => {})],
      ['and asked for more', (tx, name) => tx.rows(slow).catch(() => add(tx, name))],
      ['behind other works', (tx, name) => tx.together(() => [add(tx, name), tx.rows(slow).catch(() => {})])],
      ['before other works', (tx, name) => tx.together(() => [tx.rows(slow).catch(() => {}), add(tx, name)])],
      ['in a savepoint', (tx) => tx.savepoint(() => tx.rows(slow).catch(() => {}))],
    ]
    test.each(outages)('%s', async (_, work) => {
      const name = await counter()
      const swallowing = db.transaction(async (tx) => {
        await timeout(tx)
        await add(tx, name)
        return work(tx, name)
      })
      await expect(swallowing).rejects.toThrow(StatementTimeout)
      expect(await total(name)).toBe(0)
    })

    test('keeps no outage that a savepoint has rolled back', async () => {
      const name = await counter()
      await db.transaction(async (tx) => {
        await timeout(tx)
        await tx.savepoint(() => tx.rows(slow)).catch(() => {})
        await add(tx, name)
      })
      expect(await total(name)).toBe(1)
      const dividing = db.transaction(async (tx) => {
        await timeout(tx)
        await tx.savepoint(() => tx.rows(slow)).catch(() => {})
        await tx.rows(division).catch(() => {})
      })
      await expect(dividing).rejects.toThrow('A statement of this transaction failed')
    })
  })

  test('inside another joins it: one fate for both', async () => {
    const name = await counter()
    const failing = db.transaction(async (tx) => {
      await tx.transaction((inner) => add(inner, name))
      throw new Error('Changed my mind.')
    })
    await expect(failing).rejects.toThrow('Changed my mind.')
    expect(await total(name)).toBe(0)
    await db.transaction((tx) => tx.transaction((inner) => inner.transaction((innermost) => add(innermost, name))))
    expect(await total(name)).toBe(1)
  })

  test('sees its own changes; others see them after the commit, and its effects run then', async () => {
    const name = await counter()
    const seen: unknown[] = []
    await db.transaction(async (tx) => {
      await add(tx, name)
      tx.afterCommit(async () => {
        seen.push(['after the commit', await total(name)])
      })
      const [mine] = await tx.rows(
        sql`select total from counters where store_id = ${tx.store.id} and resource = ${name}`,
      )
      seen.push(['inside', mine], ['outside', await total(name)])
    })
    expect(seen).toEqual([
      ['inside', { total: 1 }],
      ['outside', 0],
      ['after the commit', 1],
    ])
  })

  test('that is rolled back runs no effect', async () => {
    const deed = vi.fn(async () => {})
    const rolledBack = [
      async (tx: Tx) => {
        tx.afterCommit(deed)
        throw new Error('Changed my mind.')
      },
      async (tx: Tx) => {
        tx.afterCommit(deed)
        await tx.rows(division).catch(() => {})
      },
    ]
    for (const work of rolledBack) await expect(db.transaction(work)).rejects.toThrow()
    expect(deed).not.toHaveBeenCalled()
  })

  test('stands if an effect after its commit fails', async () => {
    const name = await counter()
    const other = vi.fn(async () => {})
    const answer = await db.transaction(async (tx) => {
      await add(tx, name)
      tx.afterCommit(() => Promise.reject(new Error('The file is gone already.')))
      tx.afterCommit(other)
      return 'stored'
    })
    expect(answer).toBe('stored')
    expect(other).toHaveBeenCalledOnce()
    expect(await total(name)).toBe(1)
  })
})

describe('a conflict of transactions', () => {
  test.each([
    ['serialization failure', '40001'],
    ['deadlock', '40P01'],
  ])('(%s) repeats the whole work, and runs its effects once', async (_, code) => {
    const name = await counter()
    const deed = vi.fn(async () => {})
    const before = database.retries.count
    let attempts = 0
    await db.transaction(async (tx) => {
      await add(tx, name)
      tx.afterCommit(deed)
      if (++attempts < 4) await raise(tx, code)
    })
    expect(attempts).toBe(4)
    expect(database.retries.count - before).toBe(3)
    expect(deed).toHaveBeenCalledOnce()
    expect(await total(name)).toBe(1)
  })

  test('is given up after five attempts', async () => {
    let attempts = 0
    const hopeless = db.transaction((tx) => {
      attempts++
      return raise(tx, '40001')
    })
    await expect(hopeless).rejects.toMatchObject({ code: '40001' })
    expect(attempts).toBe(5)
  })

  test('repeats no work after any other failure', async () => {
    let attempts = 0
    const failing = db.transaction((tx) => {
      attempts++
      return tx.rows(division)
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(attempts).toBe(1)
  })

  test('that is a real deadlock ends with both works done (C-024)', async () => {
    const [one, two] = [await counter(), await counter()]
    const before = database.retries.count
    const bothHold = barrier(2)
    const cross = (first: string, second: string) =>
      db.transaction(async (tx) => {
        await add(tx, first)
        await bothHold()
        await add(tx, second)
      })
    await Promise.all([cross(one, two), cross(two, one)])
    expect([await total(one), await total(two)]).toEqual([2, 2])
    expect(database.retries.count - before).toBeGreaterThanOrEqual(1)
  })

  const raise = (tx: Tx, code: string) =>
    tx.rows(sql`${sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`)}`)
})

/** Waits until so many have come; later ones go straight on. */
function barrier(size: number): () => Promise<void> {
  let arrived = 0
  let open = () => {}
  const all = new Promise<void>((done) => {
    open = done
  })
  return () => {
    if (++arrived === size) open()
    return all
  }
}

describe('a failure', () => {
  test('of a statement that takes too long is reported as a time-out, and its connection serves on', async () => {
    const small = new Database(urlOfStoreward(), { max: 1 })
    const backend = sql`select pg_backend_pid() as pid`
    const before = await small.of(db.store).row(backend)
    const slow = small.of(db.store).transaction(async (tx) => {
      tx.setLocal({ statement_timeout: '50' })
      await tx.rows(sql`select pg_sleep(5)`)
    })
    const failure = await slow.catch((error) => error)
    expect(failure).toBeInstanceOf(StatementTimeout)
    expect(toProblem(failure).status).toBe(503)
    expect(complaintOf(failure)).toBe('a statement of a request took too long')
    expect(await small.of(db.store).row(backend)).toEqual(before)
    await small.close()
  })

  test('of waiting for a lock is a time-out too', async () => {
    const name = await counter()
    await admin.query('begin')
    await admin.query('select from counters where store_id = $1 and resource = $2 for update', [shop.store.id, name])
    const waiting = db.transaction(async (tx) => {
      tx.setLocal({ lock_timeout: '50' })
      await add(tx, name)
    })
    await expect(waiting).rejects.toBeInstanceOf(StatementTimeout)
    await admin.query('rollback')
  })

  test('of an unknown kind is no outage', async () => {
    const mistake = {
      toJSON() {
        throw new Error('A mistake of ours.')
      },
    }
    for (const attempt of [
      () => db.rows(sql`select ${mistake}::text`),
      () => db.byKey({ name: 'x', text: 'select $1::text', values: [mistake] }),
      () => db.transaction((tx) => tx.rows(sql`select ${mistake}::text`)),
    ]) {
      const failure = await attempt().catch((error) => error)
      expect(failure).not.toBeInstanceOf(DatabaseUnavailable)
      expect(failure).toMatchObject({ message: 'A mistake of ours.' })
      expect(toProblem(failure).status).toBe(500)
      expect(complaintOf(failure)).toBe('request failed')
    }
  })

  test.each([
    [
      'wrong password',
      (url: URL) => {
        url.password = 'wrong'
      },
    ],
    [
      'role that is not there',
      (url: URL) => {
        url.username = 'nobody'
      },
    ],
    [
      'database that is not there',
      (url: URL) => {
        url.pathname = '/none'
      },
    ],
  ])('by a %s is an outage', async (_, spoil) => {
    const url = new URL(urlOfStoreward())
    spoil(url)
    const locked = new Database(url.href)
    await expect(locked.of(db.store).rows(sql`select 1`)).rejects.toBeInstanceOf(DatabaseUnavailable)
    await expect(locked.durabilityWarnings()).rejects.toBeInstanceOf(DatabaseUnavailable)
    await locked.close()
  })

  test('of an effect after a commit is in the log', async () => {
    const error = vi.fn()
    const talking = new Database(urlOfStoreward(), { log: { error } })
    const gone = new Error('The file is gone already.')
    await talking.of(db.store).transaction(async (tx) => {
      await tx.rows(sql`select 1`)
      tx.afterCommit(() => Promise.reject(gone))
    })
    expect(error.mock.calls).toEqual([[{ err: gone }, 'what follows a commit has failed']])
    await talking.close()
  })
})

describe('a refusal at the end', () => {
  const refusal = new Error('There are too many.')

  test('lets the statements run first and rolls them back', async () => {
    const name = await counter()
    let ran = false
    const work = db.transaction(async (tx) => {
      tx.refuseAtEnd(refusal)
      await add(tx, name)
      ran = true
    })
    await expect(work).rejects.toBe(refusal)
    expect([ran, await total(name)]).toEqual([true, 0])
  })

  test('comes after the failure of a statement', async () => {
    const work = db.transaction(async (tx) => {
      tx.refuseAtEnd(refusal)
      await tx.rows(division)
    })
    await expect(work).rejects.toThrow('division by zero')
  })

  test('keeps works that conclude a transaction from committing', async () => {
    const name = await counter()
    const work = db.transaction(async (tx) => {
      tx.refuseAtEnd(refusal)
      return tx.conclude(() => [add(tx, name)])
    })
    await expect(work).rejects.toBe(refusal)
    expect(await total(name)).toBe(0)
  })

  test('ends a savepoint or a nested transaction alone', async () => {
    const name = await counter()
    await db.transaction(async (tx) => {
      const refused = tx.savepoint(async () => {
        tx.refuseAtEnd(refusal)
        await add(tx, name)
      })
      await expect(refused).rejects.toBe(refusal)
      await add(tx, name)
    })
    expect(await total(name)).toBe(1)
    const nested = db.transaction((tx) => tx.transaction(async () => tx.refuseAtEnd(refusal)))
    await expect(nested).rejects.toBe(refusal)
  })
})

describe('round trips', () => {
  /** How often a transaction waits for the database: once for each piece that it sends. */
  const tripsOf = async (work: (tx: Tx) => Promise<unknown>) => {
    const heard = overhear()
    await db.transaction(work)
    heard.stop()
    return heard.pieces.length
  }
  const one = { name: 'test one', text: 'select 1 as one', values: [] }

  test.each<[string, number, (tx: Tx) => Promise<unknown>]>([
    ['nothing', 0, async () => {}],
    ['one statement', 2, (tx) => tx.rows(one)],
    ['two statements', 3, async (tx) => [await tx.rows(one), await tx.rows(one)]],
    [
      'one statement and another before the commit',
      2,
      (tx) => {
        tx.beforeCommit(() => [[one]])
        return tx.rows(one)
      },
    ],
    ['only what is sent before the commit', 1, async (tx) => tx.beforeCommit(() => [[one]])],
    [
      'a setting',
      2,
      (tx) => {
        tx.setLocal({ statement_timeout: '1000' })
        return tx.rows(one)
      },
    ],
    ['two statements together', 2, (tx) => tx.together(() => [tx.rows(one), tx.rows(one)])],
    [
      'works together, of which one asks twice',
      3,
      (tx) => tx.together(() => [tx.rows(one), (async () => [await tx.rows(one), await tx.rows(one)])()]),
    ],
    [
      'works together within works',
      2,
      (tx) => tx.together(() => [tx.rows(one), tx.together(() => [tx.rows(one), tx.rows(one)])]),
    ],
    ['works that conclude it', 1, (tx) => tx.conclude(() => [tx.rows(one), tx.rows(one)])],
    [
      'works that conclude it after a statement',
      2,
      async (tx) => {
        await tx.rows(one)
        await tx.conclude(() => [tx.rows(one)])
      },
    ],
    ['works together that ask nothing', 0, (tx) => tx.together(() => [undefined, Promise.resolve()])],
    [
      'two pieces before the commit',
      3,
      (tx) => {
        tx.beforeCommit(() => [
          [one, one],
          [one, one],
        ])
        return tx.rows(one)
      },
    ],
    ['a savepoint around one statement', 3, (tx) => tx.savepoint(() => tx.rows(one))],
  ])('of a transaction with %s are %i', async (_, trips, work) => {
    expect(await tripsOf(work)).toBe(trips)
  })

  test('a failure before the commit rolls everything back, and is reported', async () => {
    const name = await counter()
    const failing = db.transaction(async (tx) => {
      await add(tx, name)
      tx.beforeCommit(() => [[{ name: 'test division', text: 'select 1 / 0', values: [] }]])
    })
    await expect(failing).rejects.toMatchObject({ code: '22012' })
    expect(await total(name)).toBe(0)
  })

  test('a transaction of one piece stores everything or nothing', async () => {
    const name = await counter()
    const concluding = (divisor: number) =>
      db.transaction((tx) => {
        tx.beforeCommit(() => [[{ name: 'test quotient', text: 'select 1 / $1::int', values: [divisor] }]])
        return tx.conclude(() => [add(tx, name), add(tx, name)])
      })
    await concluding(1)
    expect(await total(name)).toBe(2)
    await expect(concluding(0)).rejects.toMatchObject({ code: '22012' })
    expect(await total(name)).toBe(2)
    await concluding(1)
    expect(await total(name)).toBe(4)
  })

  test('works that run together each get their own rows, in the order of the works', async () => {
    const nth = (tx: Tx, n: number) => tx.rows<{ n: number }>(sql`select ${n}::int as n`)
    expect(await db.transaction((tx) => tx.together(() => [nth(tx, 1), 'none', nth(tx, 2)]))).toEqual([
      [{ n: 1 }],
      'none',
      [{ n: 2 }],
    ])
  })

  test('of several failed works the error of the first is thrown, even if it is the last to fail', async () => {
    const name = await counter()
    const divided = (tx: Tx, n: number) => tx.rows(sql`select 1 / ${n}::int`)
    const refused = async (tx: Tx, sentence: string) => {
      await tx.rows(sql`select ${sentence}::text`)
      await new Promise((done) => setTimeout(done, 20))
      throw new Error(sentence)
    }
    const failure = (begin: (tx: Tx) => Promise<unknown>[]) =>
      db.transaction((tx) => tx.together(() => begin(tx))).catch((error) => error)
    expect(await failure((tx) => [refused(tx, 'slow'), divided(tx, 0), divided(tx, 1)])).toMatchObject({
      message: 'slow',
    })
    expect(await failure((tx) => [divided(tx, 1), divided(tx, 0), refused(tx, 'behind')])).toMatchObject({
      code: '22012',
    })
    expect(await failure((tx) => [add(tx, name), refused(tx, 'one'), refused(tx, 'two')])).toMatchObject({
      message: 'one',
    })
    expect(await total(name)).toBe(0)
  })

  test('a swallowed failure of one of several works stores nothing', async () => {
    const name = await counter()
    const swallowing = db.transaction((tx) =>
      tx.together(() => [add(tx, name), tx.rows(sql`select 1 / 0`).catch(() => {})]),
    )
    await expect(swallowing).rejects.toThrow('nothing was stored')
    expect(await total(name)).toBe(0)
  })

  test('a first statement that cannot be sent leaves the owed statements to the next one', async () => {
    const name = await counter()
    await db.transaction(async (tx) => {
      await tx.rows(sql`select ${{ loop: 1n }}::text`).catch(() => {})
      await add(tx, name)
    })
    expect(await total(name)).toBe(1)
  })
})

describe('a lost connection', () => {
  /** The backend of this database that waits for a lock. */
  const waiting = () =>
    vi.waitFor(async () => {
      const { rows } = await admin.query(`
        select pid from pg_stat_activity
        where datname = current_database() and usename = 'storeward' and wait_event_type = 'Lock'`)
      expect(rows).toHaveLength(1)
      return rows[0].pid as number
    }, SOON)

  test('in the middle of a write is 503 with the error shape, leaves nothing half done, and is over with the next request (C-003)', async () => {
    const { call } = shop
    await call('POST', '/catalog/brands', { name: 'Held' })
    const metafield = { key: 'a', value: 'b', namespace: 'c', permission_set: 'write' }
    await call('POST', '/catalog/brands/1/metafields', metafield)
    // The brand is deleted, then its metafields: the second waits for us while the first is done.
    await admin.query('begin')
    await admin.query('select from metafields where store_id = $1 for update', [shop.store.id])
    const deleting = call('DELETE', '/catalog/brands/1')
    await admin.query('select pg_terminate_backend($1)', [await waiting()])
    expect(await deleting).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { status: 503, title: 'The service is not available at the moment.', errors: {} },
    })
    await admin.query('rollback')
    expect(await call('GET', '/catalog/brands/1')).toMatchObject({ status: 200, body: { data: { name: 'Held' } } })
    expect(await call('GET', '/catalog/brands/1/metafields')).toMatchObject({ body: { data: [metafield] } })
    expect((await call('GET', '/catalog/brands')).body.meta.pagination.total).toBe(1)
    expect((await call('DELETE', '/catalog/brands/1')).status).toBe(204)
  })

  test('on every connection at once is over with the next requests, reads by key and lists', async () => {
    const { call } = shop
    const { data } = (await call('POST', '/catalog/brands', { name: 'Kept' })).body
    const path = `/catalog/brands/${data.id}`
    await Promise.all([call('GET', path), call('GET', path), call('GET', '/catalog/brands')])
    const { rows } = await admin.query(`
      select pid, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename in ('storeward', 'storeward_system')`)
    // They end a little later, one after another.
    const pids = rows.map(({ pid }) => pid)
    await vi.waitFor(async () => {
      expect((await admin.query('select pid from pg_stat_activity where pid = any($1)', [pids])).rows).toEqual([])
    }, SOON)
    const after = await Promise.all([1, 2, 3, 4].flatMap(() => [call('GET', path), call('GET', '/catalog/brands')]))
    // One that was sent down a connection whose end had not been noticed yet may fail; none hangs, none is a 500.
    for (const { status } of after) expect([200, 503]).toContain(status)
    for (let i = 0; i < 4; i++) {
      expect(await Promise.all([call('GET', path), call('GET', '/catalog/brands')])).toMatchObject([
        { status: 200 },
        { status: 200 },
      ])
    }
  })

  test.each(['could not find valid entry for shard 7', 'SSL SYSCALL error: EOF detected'])(
    'is reported where a distributed PostgreSQL says "%s" of its nodes',
    async (sentence) => {
      const failing = sql`do $$ begin raise ${sql.raw(`'${sentence}'`)} using errcode = 'XX000'; end $$`
      await expect(db.rows(failing)).rejects.toBeInstanceOf(DatabaseUnavailable)
    },
  )

  test('to an address without a database is reported soon', async () => {
    const nowhere = new Database('postgres://storeward:x@127.0.0.1:1/none')
    const lost = nowhere.of(db.store)
    for (const attempt of [
      () => lost.rows(division),
      () => lost.byKey({ name: 'x', text: 'select 1', values: [] }),
      () => lost.transaction((tx) => tx.rows(division)),
      () => nowhere.system(division),
      () => nowhere.refusePowers(),
      () => nowhere.durabilityWarnings(),
    ]) {
      await expect(attempt()).rejects.toBeInstanceOf(DatabaseUnavailable)
    }
    await nowhere.close()
  })

  test.each([1_200, 3_000])(
    'is not believed after %i ms in which this process, or the machine, stood still',
    async (ms) => {
      const road = await roadToDatabase(20)
      const distant = new Database(road.url)
      const asked = underWay(distant, ms)
      const awake = distant.durabilityWarnings()
      await new Promise((done) => setTimeout(done, 5))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
      await expect(awake).resolves.toBeInstanceOf(Array)
      expect(await asked).toEqual(answersUnderWay)
      await distant.close()
      road.close()
    },
  )

  test.each([1_200, 3_000])('is not believed after %i ms in which the database stood still', async (ms) => {
    const road = await roadToDatabase()
    const distant = new Database(road.url)
    await openConnections(distant)
    const asked = underWay(distant, 2_000)
    const sleeping = sql`
      -- of a test
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state = 'active' and wait_event = 'PgSleep'`
    await expect.poll(async () => (await db.row<{ count: number }>(sleeping)).count).toBe(3)
    road.stall()
    await new Promise((done) => setTimeout(done, ms))
    road.goOn()
    expect(await asked).toEqual(answersUnderWay)
    await vi.waitFor(() => distant.of(db.store).rows(sql`select 1`), SOON)
    await distant.close()
    road.close()
  })

  test('of a silent database is reported to new requests at once, and to each within two seconds', async () => {
    const road = await roadToDatabase()
    const distant = new Database(road.url)
    const lost = distant.of(db.store)
    await lost.rows(sql`select 1`)
    road.stall()
    // On new connections, as most requests would need.
    const early = [lost, lost].map((lost) =>
      refusedWithin(LATE_MS, lost.byKey({ name: 'x', text: 'select 1', values: [] })),
    )
    await vi.waitFor(() => expect(() => distant.wire.refuseWhileSilent()).toThrow(DatabaseUnavailable), SOON)
    for (const attempt of [
      () => lost.rows(division),
      () => lost.byKey({ name: 'x', text: 'select 1', values: [] }),
      () => lost.transaction((tx) => tx.rows(division)),
      () => distant.system(division),
      () => distant.durabilityWarnings(),
    ]) {
      await refusedAtOnce(attempt())
    }
    await Promise.all(early)
    road.goOn()
    await vi.waitFor(() => lost.rows(sql`select 1`), SOON)
    await distant.close()
    road.close()
  })

  test('that could not be opened yet is no silence: each request gets its own error within two seconds', async () => {
    const road = await roadToDatabase()
    road.stall()
    const distant = new Database(road.url)
    // The first question comes after half a second. A second later it would be one.
    await sleep(2_000)
    distant.wire.refuseWhileSilent()
    await refusedWithin(LATE_MS, distant.system(sql`select 1`))
    road.goOn()
    await vi.waitFor(() => distant.system(sql`select 1`), SOON)
    await distant.close()
    road.close()
  })

  test('of a pool without a free connection is 503 within two seconds, and ends when one is free (C-056)', async () => {
    const small = new Database(urlOfStoreward(), { max: 1 })
    const crowded = small.of(db.store)
    let leave = () => {}
    const held = crowded.transaction(
      (tx) =>
        new Promise<void>((done) => {
          leave = done
          tx.rows(sql`select 1`).catch(done)
        }),
    )
    await refusedWithin(LATE_MS, crowded.rows(sql`select 1 as one`))
    leave()
    await held
    expect(await crowded.row(sql`select 1 as one`)).toEqual({ one: 1 })
    await small.close()
  })
})

/**
 * Expects that work is refused before a timer of this process ends. Both wait in the same event loop, so a busy machine delays them
 * together.
 */
async function refusedWithin(ms: number, work: Promise<unknown>) {
  const late = new AbortController()
  const outcome = await Promise.race([
    work.catch((error: unknown) => error),
    sleep(ms, 'late', { signal: late.signal }).catch(() => undefined),
  ])
  late.abort()
  expect(outcome).toBeInstanceOf(DatabaseUnavailable)
}

/** Expects that work is refused before this process waits for anything. */
async function refusedAtOnce(work: Promise<unknown>) {
  const waiting = new Promise((done) => setImmediate(done, 'waiting'))
  expect(await Promise.race([work.catch((error: unknown) => error), waiting])).toBeInstanceOf(DatabaseUnavailable)
}

/** A route to the database that can be blocked: every byte of it comes late, or only after the route is open again. */
async function roadToDatabase(delayMs = 0) {
  const { port } = new URL(urlOfStoreward())
  const waiting = new Set<() => void>()
  let isOpen = true
  const carry = (to: Socket, bytes: Buffer) => {
    const write = () => void to.write(bytes)
    if (!isOpen) waiting.add(write)
    else if (delayMs > 0) setTimeout(write, delayMs)
    else write()
  }
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1')
    near.on('data', (bytes) => carry(far, bytes))
    far.on('data', (bytes) => carry(near, bytes))
    for (const end of [near, far]) end.on('error', () => {}).on('close', () => near.destroy() && far.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(urlOfStoreward())
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    stall() {
      isOpen = false
    },
    goOn() {
      isOpen = true
      for (const write of waiting) write()
      waiting.clear()
    },
    close: () => server.close(),
  }
}

/** Statements of each kind that take a while: a list, a read by key, and a transaction between two of its statements. */
function underWay(database: Database, ms: number) {
  const distant = database.of(db.store)
  const seconds = ms / 1_000
  const slow = sql`select 1 as one from pg_sleep(${seconds})`
  return Promise.all([
    distant.rows(slow),
    distant.byKey({ name: 'slow', text: 'select 1 as one from pg_sleep($1)', values: [seconds] }),
    distant.transaction(async (tx) => {
      await tx.rows(slow)
      return tx.rows(sql`select 2 as two`)
    }),
  ])
}
const answersUnderWay = [[{ one: 1 }], { one: 1 }, [{ two: 2 }]]

/** Has a database open the connections that `underWay` needs, both shared ones among them. */
const openConnections = (database: Database) => Promise.all([underWay(database, 0), underWay(database, 0)])
