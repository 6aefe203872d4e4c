import { expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { onlyPage } from '../../../test/document/expected.ts'
import { openStaffedShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { attempt, dbOf, delivered, failed, happen, SCOPE } from '../../../test/fixtures/webhooks.ts'
import { eventId, parseEventId } from '../sending/event-id.ts'
import { payloadOf } from '../sending/payload.ts'

// docs/contract/webhooks.md section 5.

const DAY_MS = 86_400_000

const later = async (ms: number) => (await theHouse()).clock.move(ms)

const hook = (shop: Shop, name: string, more: object = {}, as = {}) =>
  shop.call('POST', '/hooks', { scope: SCOPE, destination: `https://example.com/${name}`, ...more }, as)

async function past(shop: Shop, query = '') {
  const { data } = (await shop.call('GET', `/hooks/events?${query}`)).body
  return data.map(({ hook_id, event_id, status }: { hook_id: number; event_id: string; status: string }) => [
    hook_id,
    parseEventId(event_id)?.seq,
    status,
  ])
}

test('an event that was not received is listed with its payload and its hook', async () => {
  const shop = await openStaffedShop()
  await hook(shop, 'a')
  await happen(shop, 'category 1')
  await attempt(shop, 1, failed)
  const [row] = await (await dbOf(shop)).rows<{ ms: number; seq: number; nonce: number; data: string }>(
    sql`select ms, seq, nonce, data from events where store_id = ${shop.store.id}`,
  )
  if (!row) throw new Error('There is no event.')
  const id = eventId(row)
  const sent = payloadOf({ ...row, id, scope: SCOPE, storeId: shop.store.id, storeHash: shop.store.hash })
  expect((await shop.call('GET', '/hooks/events')).body).toEqual({
    data: [{ ...JSON.parse(sent), event_id: id, hook_id: 1, status: 'failed' }],
    meta: { pagination: onlyPage(1) },
  })
  expect(Object.keys(JSON.parse(sent)).sort()).toEqual(
    ['scope', 'store_id', 'data', 'hash', 'created_at', 'producer'].sort(),
  )
})

test('failures are listed, with all events of hooks that keep a history; tests never', async () => {
  const shop = await openStaffedShop()
  await hook(shop, 'a')
  await hook(shop, 'b', { events_history_enabled: true })
  await happen(shop, 'category 1', 'category 2')
  expect(await past(shop), 'nothing was sent yet').toEqual([])
  await attempt(shop, 1, failed)
  await attempt(shop, 2, delivered)
  expect(await past(shop)).toEqual([
    [1, 1, 'failed'],
    [2, 1, 'delivered'],
    [1, 2, 'failed'],
    [2, 2, 'delivered'],
  ])
  await later(60_000)
  await attempt(shop, 1, delivered)
  expect(await past(shop), 'received at the second attempt').toEqual([
    [2, 1, 'delivered'],
    [2, 2, 'delivered'],
  ])
  await shop.call('POST', '/hooks/2/test', {})
  await attempt(shop, 2, failed)
  expect(await past(shop)).toHaveLength(2)
})

test('the list belongs to one client and store', async () => {
  const shop = await openStaffedShop()
  const elsewhere = await openStaffedShop()
  await hook(shop, 'a')
  await hook(shop, 'a', {}, { as: shop.otherclient })
  await happen(shop, 'category 1')
  await attempt(shop, 1, failed)
  expect(await past(shop)).toEqual([[1, 1, 'failed']])
  expect((await shop.call('GET', '/hooks/events', undefined, { as: shop.otherclient })).body.data).toEqual([])
  expect(await past(elsewhere)).toEqual([])
  expect((await shop.call('GET', '/hooks/events', undefined, { as: shop.noscope })).status).toBe(200)
})

test('the list covers 7 days, and filters by the time of the event', async () => {
  const shop = await openStaffedShop()
  await hook(shop, 'a')
  await happen(shop, 'category 1')
  await attempt(shop, 1, failed)
  const [{ created_at: first }] = (await shop.call('GET', '/hooks/events')).body.data
  await shop.call('PUT', '/hooks/1', { is_active: false })
  await later(6 * DAY_MS)
  await hook(shop, 'b')
  await happen(shop, 'category 2')
  await attempt(shop, 2, failed)
  const [, { created_at: second }] = (await shop.call('GET', '/hooks/events')).body.data
  const count = async (query: string) => (await past(shop, query)).length
  expect(await count('')).toBe(2)
  expect(await count(`created_at:min=${first}&created_at:max=${second}`)).toBe(2)
  expect(await count(`created_at:min=${first + 1}`)).toBe(1)
  expect(await count(`created_at:max=${second - 1}`)).toBe(1)
  expect(await count(`created_at:min=${second + 1}`)).toBe(0)
  expect(await count(`created_at:min=${second}&created_at:max=${first}`)).toBe(0)
  expect(await count('limit=1&page=2')).toBe(1)
  expect((await shop.call('GET', `/hooks/events?created_at:min=${first}&limit=1`)).body.meta.pagination).toEqual({
    total: 2,
    count: 1,
    per_page: 1,
    current_page: 1,
    total_pages: 2,
    links: {
      current: `?created_at%3Amin=${first}&page=1&limit=1`,
      next: `?created_at%3Amin=${first}&page=2&limit=1`,
    },
  })
  await later(DAY_MS + 60_000)
  expect(await count('')).toBe(1)
})

test.each([
  ['created_at:min=2025-01-01', 422],
  ['created_at:min=-1', 422],
  ['created_at=5', 422],
  ['scope=x', 422],
  ['limit=251', 413],
  ['page=0', 422],
])('the query %s is refused', async (query, status) => {
  const shop = await openStaffedShop()
  expect((await shop.call('GET', `/hooks/events?${query}`)).status).toBe(status)
})
