import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { Wire } from './wire.ts'

const MAX = 8
const LOCK = 7_210_461
/** Lasts as long as the test holds the lock. */
const slow = { text: `select pg_advisory_xact_lock_shared(${LOCK})`, values: [] }
const quick = { text: 'select 1', values: [] }

let wire: Wire
let holder: pg.Client

beforeEach(async () => {
  wire = new Wire({ connectionString: inject('postgresUrl') }, MAX)
  holder = new pg.Client(inject('postgresUrl'))
  await holder.connect()
  await holder.query(`-- of a test\nselect pg_advisory_lock(${LOCK})`)
})
afterEach(async () => {
  await holder.end()
  await wire.close()
})

/** Waits until the most slow reads are under way. */
async function underWay(expected: number) {
  await vi.waitFor(async () => {
    const { rows } = await holder.query(
      `-- of a test\nselect count(*)::int as count from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`,
    )
    expect(rows).toEqual([{ count: expected }])
  }, 60_000)
}
const slowReads = (store: number) => Array.from({ length: MAX }, () => wire.send(store, [slow]))

test('the reads of a store that is alone take half of the connections', async () => {
  await wire.send(1, [quick])
  const later = performance.now() + 1_000
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
  const reads = slowReads(1)
  await underWay(4)
  clock.mockRestore()
  await holder.query(`-- of a test\nselect pg_advisory_unlock(${LOCK})`)
  await Promise.all(reads)
})

test.each(['lists', 'reads by id', 'changes'])(
  'if another store reads too, here for %s, they take an eighth',
  async (what) => {
    await wire.send(1, [quick])
    if (what === 'lists') await wire.send(2, [quick])
    if (what === 'reads by id') await wire.sendShared(2, [quick])
    if (what === 'changes') wire.takeBack(await wire.lend(2))
    const reads = slowReads(1)
    await underWay(1)
    await holder.query(`-- of a test\nselect pg_advisory_unlock(${LOCK})`)
    await Promise.all(reads)
  },
)

test('statements with long names that differ at the end are two', async () => {
  const name = 'a name of more than 63 characters, which PostgreSQL cuts off at their end: '
  const one = { name: `${name}1`, text: 'select 1 as found', values: [] }
  const two = { name: `${name}2`, text: 'select 2 as found', values: [] }
  for (const [statement, found] of [
    [one, 1],
    [two, 2],
    [one, 1],
    [two, 2],
  ] as const) {
    expect(await wire.sendShared(1, [statement])).toMatchObject([{ rows: [{ found }] }])
    expect(await wire.sendShared(1, [statement])).toMatchObject([{ rows: [{ found }] }])
  }
})
