import type { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { form, openStaffedShop, type StaffedShop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { findRedirectJob } from './jobs.ts'
import { JobStreams } from './streams.ts'

const PATH = '/storefront/redirects/imex'
const HEADER = 'Domain,Old Path,Manual URL/Path,Dynamic Target Type,Dynamic Target ID'

let shop: StaffedShop
let db: Db
let job: string
let streams: JobStreams
let warnings: unknown[]
beforeEach(async () => {
  shop = await openStaffedShop()
  db = await dbOf(shop)
  warnings = []
  const { installation } = await theHouse()
  // Only the tests look.
  const log = { warn: (fact: unknown) => void warnings.push(fact) }
  streams = new JobStreams({ directory: installation.directory, log }, 86_400_000)
  job = (await shop.call('POST', `${PATH}/import`, undefined, form('import_file', 'a.csv', Buffer.from(HEADER)))).body
    .id
})
afterEach(async () => {
  streams.drain()
  vi.restoreAllMocks()
  await set({ status: 'complete' })
})

const set = (values: Record<string, unknown>) =>
  db.transaction((tx) =>
    tx.rows(sql`
      update redirect_jobs set ${sql.set(values)}, version = version + 1 where store_id = ${tx.store.id} and id = ${job}`),
  )

/** A stream with the texts that it has sent. */
class Reader {
  readonly body: Readable
  text = ''
  isEnded = false

  constructor(body: Readable) {
    this.body = body
    body.on('data', (chunk) => (this.text += chunk))
    body.on('end', () => (this.isEnded = true))
  }

  /** The new texts, after a turn of the event loop. */
  async read(): Promise<string> {
    await new Promise((resolve) => setImmediate(resolve))
    const { text } = this
    this.text = ''
    return text
  }
}

const open = async (client = shop.admin.client_id) =>
  new Reader(await streams.open(db, client, await findRedirectJob(db, job, 'import')))
const event = (fields: object) =>
  `event: message\ndata: ${JSON.stringify({ job_id: job, status: 'new', completed_items: 0, total_items: 0, failed_items: 0, errors: [], ...fields })}\n\n`

const now = performance.now.bind(performance)
let ahead = 0
/** Moves the clock of the streams. */
function later(ms: number) {
  ahead += ms
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
}

describe('a stream of events', () => {
  test('begins with the present state, reports each change, and ends with the end of the job', async () => {
    const reader = await open()
    expect(await reader.read()).toBe(event({}))
    await streams.poll()
    expect(await reader.read()).toBe('')
    await set({ status: 'working', total_items: 3 })
    await streams.poll()
    expect(await reader.read()).toBe(event({ status: 'working', total_items: 3 }))
    await set({
      status: 'complete',
      completed_items: 2,
      failed_items: 1,
      errors: JSON.stringify([{ row: 2, message: 'x' }]),
    })
    await streams.poll()
    const last = {
      status: 'complete',
      completed_items: 2,
      total_items: 3,
      failed_items: 1,
      errors: [{ row: 2, message: 'x' }],
    }
    expect(await reader.read()).toBe(event(last))
    expect(reader.isEnded).toBe(true)
    expect(streams.size).toBe(0)
  })

  test('ends at the next look when the account of its client is deleted (C-143)', async () => {
    const { installation } = await theHouse()
    const account = await installation.accounts.create(shop.store.hash, 'watcher', ['store_v2_content_read_only'])
    const [own, other] = [await open(account.client_id), await open()]
    await installation.accounts.delete(shop.store.hash, account.client_id)
    await streams.poll()
    await own.read()
    expect([own.isEnded, other.isEnded]).toEqual([true, false])
  })

  test('ends when the server drains, and a later one has one event (C-143)', async () => {
    const reader = await open()
    streams.drain()
    await reader.read()
    expect(reader.isEnded).toBe(true)
    const late = await open()
    expect(await late.read()).toBe(event({}))
    expect(late.isEnded).toBe(true)
  })

  test('sends a comment every 15 seconds, and ends after ten minutes (C-143)', async () => {
    const reader = await open()
    await reader.read()
    later(14_000)
    await streams.poll()
    expect(await reader.read()).toBe('')
    later(1_000)
    await streams.poll()
    expect(await reader.read()).toBe(':\n\n')
    later(583_000)
    await streams.poll()
    await reader.read()
    expect(reader.isEnded).toBe(false)
    later(2_000)
    await streams.poll()
    await reader.read()
    expect(reader.isEnded).toBe(true)
  })

  test('that nobody reads skips changes, and has the end (C-143)', async () => {
    const body = await streams.open(db, shop.admin.client_id, await findRedirectJob(db, job, 'import'))
    for (let i = 1; i <= 20; i++) {
      await set({ status: 'working', completed_items: i })
      await streams.poll()
    }
    const length = body.readableLength
    expect(length).toBe(event({}).length)
    await set({ status: 'complete' })
    await streams.poll()
    expect(await new Reader(body).read()).toContain('"status":"complete","completed_items":20')
  })

  test('stays open while the database is away (C-143)', async () => {
    const reader = await open()
    await reader.read()
    const { installation } = await theHouse()
    const [cell] = installation.directory.cells
    if (!cell) throw new Error('There is no cell.')
    vi.spyOn(cell.system, 'system').mockRejectedValueOnce(new Error('away'))
    await streams.poll()
    expect(warnings).toHaveLength(1)
    expect(reader.isEnded).toBe(false)
    await set({ status: 'complete' })
    await streams.poll()
    expect(await reader.read()).toContain('"status":"complete"')
  })
})

test('a store can have 5 streams in a process, and others have theirs', async () => {
  for (let i = 0; i < 5; i++) await open()
  await expect(open()).rejects.toMatchObject({ status: 429, headers: { 'x-retry-after': '15' } })
  const another = await openStaffedShop()
  const answer = await another.call(
    'POST',
    `${PATH}/import`,
    undefined,
    form('import_file', 'a.csv', Buffer.from(HEADER)),
  )
  const itsDb = await dbOf(another)
  await streams.open(itsDb, another.admin.client_id, await findRedirectJob(itsDb, answer.body.id, 'import'))
  expect(streams.size).toBe(6)
})

test('a stream that its reader closes makes room for another', async () => {
  const readers = []
  for (let i = 0; i < 5; i++) readers.push(await open())
  readers[0]?.body.destroy()
  await new Promise((resolve) => setImmediate(resolve))
  expect(streams.size).toBe(4)
  await open()
})

test('one statement reads the jobs of all streams', async () => {
  for (let i = 0; i < 5; i++) await open()
  const { installation } = await theHouse()
  const asked = installation.directory.cells.map(({ system }) => vi.spyOn(system, 'system'))
  await streams.poll()
  expect(asked.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1)
})

test('over HTTP the stream of an ended job has its last event, and unknown jobs are 404', async () => {
  await set({ status: 'complete' })
  const get = (kind: string, id: string, accept = 'text/event-stream') =>
    shop.call('GET', `${PATH}/${kind}/${id}/events`, undefined, { headers: { accept } })
  const answer = await get('import', job)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(answer.text).toBe(event({ status: 'complete' }))
  expect((await get('export', job)).status).toBe(404)
  expect((await get('import', '3f0c6b1e-94f5-4f57-9c3b-000000000000')).status).toBe(404)
  expect((await get('import', job, 'application/json')).status).toBe(406)
  expect((await shop.call('HEAD', `${PATH}/import/${job}/events`)).status).toBe(200)
})
