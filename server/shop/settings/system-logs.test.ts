import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { deleteOldSystemLogs, type NewLog, writeSystemLog } from './system-logs.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const log: NewLog = { type: 'tax', module: 'order status', severity: 'errors', summary: 'No answer', message: 'x' }
const write = async (...logs: Partial<NewLog>[]) =>
  (await dbOf(shop)).transaction(async (tx) => {
    for (const some of logs) await writeSystemLog(tx, { ...log, ...some })
  })
const list = async (query = '') => (await shop.call('GET', `/store/systemlogs${query}`)).body
const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: number }) => id)

test('entries are answered whole, the earliest first, with a word for their severity', async () => {
  expect((await list()).data).toEqual([])
  await write({}, { severity: 'success', module: '' })
  const { data, meta } = await list()
  expect(data).toEqual([
    { id: 1, ...log, date_created: expect.stringMatching(/Z$/) },
    { id: 2, ...log, module: '', severity: 'success', date_created: expect.stringMatching(/Z$/) },
  ])
  expect(meta.pagination).toMatchObject({ total: 2, count: 2, per_page: 50, current_page: 1 })
})

test('every filter and order does its work', async () => {
  await write(
    { type: 'payment', severity: 'errors', module: 'export only' },
    { type: 'tax', severity: 'warnings', module: 'email message' },
    { type: 'general', severity: 'notices', module: 'email message' },
    { type: 'design', severity: 'success', module: '' },
  )
  expect(await ids('?type=tax')).toEqual([2])
  expect(await ids('?type:not=tax')).toEqual([1, 3, 4])
  expect(await ids('?module=email+message')).toEqual([2, 3])
  expect(await ids('?module=email%2Bmessage')).toEqual([2, 3])
  expect(await ids('?module:not=email+message')).toEqual([1, 4])
  expect(await ids('?severity=4')).toEqual([1])
  expect(await ids('?severity:min=2&severity:max=3')).toEqual([2, 3])
  expect(await ids('?id:in=1,4,9')).toEqual([1, 4])
  expect(await ids('?sort=type')).toEqual([4, 3, 1, 2])
  expect(await ids('?sort=type&direction=desc&limit=3')).toEqual([2, 1, 3])
  expect(await ids('?sort=date_created')).toEqual([1, 2, 3, 4])
  expect(await ids('?limit=2&page=2')).toEqual([3, 4])
  for (const query of ['severity=errors', 'sort=severity', 'summary=x', 'id:in=x', 'direction=up']) {
    expect((await shop.call('GET', `/store/systemlogs?${query}`)).status).toBe(422)
  }
  expect((await shop.call('POST', '/store/systemlogs', {})).status).toBe(405)
})

test('only the scope of logs opens them', async () => {
  const { accounts } = (await theHouse()).installation
  const status = async (scope: string) => {
    const as = await accounts.create(shop.store.hash, scope, [scope])
    return (await shop.call('GET', '/store/systemlogs', undefined, { as })).status
  }
  expect(await status('store_logs_read_only')).toBe(200)
  expect(await status('store_v2_information')).toBe(403)
})

test('entries expire after a year, and a long message is cut', async () => {
  const { clock, installation } = await theHouse()
  await write({ message: 'x'.repeat(70_000) })
  expect((await list()).data[0].message).toHaveLength(65_535)
  clock.move(364 * 86_400_000)
  try {
    await write({ summary: 'later' })
    await deleteOldSystemLogs(installation.directory, clock)
    expect(await ids('')).toEqual([1, 2])
    clock.move(86_400_000)
    expect(await ids('')).toEqual([2])
    expect(await rowsOf(shop, 'system_logs')).toHaveLength(2)
    await deleteOldSystemLogs(installation.directory, clock)
    expect(await rowsOf(shop, 'system_logs')).toMatchObject([{ id: 2 }])
  } finally {
    clock.move(-365 * 86_400_000)
  }
})

test('a store keeps the last 10,000', async () => {
  const db = await dbOf(shop)
  await write({})
  await db.transaction((tx) =>
    tx.rows(sql`update counters set last_id = 10000 where store_id = ${tx.store.id} and resource = 'system_logs'`),
  )
  await write({}, {})
  expect((await rowsOf(shop, 'system_logs')).map(({ id }) => id)).toEqual([10_001, 10_002])
})
