import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { custom, goods, openWithGoods, type V2 } from '../../../test/fixtures/goods.ts'
import { payOrder } from '../../../test/fixtures/orders.ts'
import type { Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { countOpenOrders } from '../reading/open-at.ts'
import { addToSpans } from '../stock/spans.ts'
import { archiveRunner } from './archive.ts'

// DELETE /v2/orders archives all orders: they are hidden when the request is answered, and a job archives them in pieces
// (docs/contract/orders.md section 6).

/** More than one piece of the job. */
const MANY = 600

let shop: Shop
let v2: V2
beforeEach(async () => {
  ;({ shop, v2 } = await openWithGoods())
  for (let i = 0; i < 3; i++) await v2('POST', '/orders', { ...goods(custom(10, 10)), date_created: '2024-01-01' })
})

/** Copies the last order, so that the store has this many. */
async function multiply(count: number) {
  await (await dbOf(shop)).transaction(async (tx) => {
    await tx.rows(sql`
      -- of a test
      insert into orders select (jsonb_populate_record(orders, jsonb_build_object('id', nr))).*
      from orders, generate_series(4, ${count}::int) as nr where orders.store_id = ${tx.store.id} and orders.id = 3`)
    await addToSpans(tx, 1, count)
    await tx.rows(sql`
      update counters set last_id = ${count}, total = ${count} where store_id = ${tx.store.id} and resource = 'orders'`)
  })
}

const listed = async (query = '') => {
  const { status, body } = await v2('GET', `/orders${query}`)
  return status === 204 ? [] : body.map(({ id }: { id: number }) => id)
}
const counted = async (query = '') => {
  const { count, statuses } = (await v2('GET', `/orders/count${query}`)).body
  expect(statuses.reduce((sum: number, one: { count: number }) => sum + one.count, 0)).toBe(count)
  return count
}
const stored = async () => (await rowsOf(shop, 'orders')).filter(({ is_deleted }) => is_deleted).length
const wishes = async () =>
  (await dbOf(shop)).rows(sql`select until_id from order_archivals where store_id = ${shop.store.id}`)
const deleteAll = async () => expect((await v2('DELETE', '/orders')).status).toBe(204)
const archivedEvents = async () =>
  (await rowsOf(shop, 'events'))
    .filter(({ scope }) => scope === 'store/order/archived')
    .map(({ data }) => JSON.parse(String(data)).id)

const DATED = '?min_date_created=2023-01-01&max_date_created=2030-01-01'

test('all orders leave the lists and counts at once, and those that come later stay', async () => {
  await multiply(MANY)
  await deleteAll()
  expect(await stored()).toBe(0)
  for (const query of ['', '?sort=date_created:desc', '?status_id=1', '?max_id=5', DATED]) {
    expect(await listed(query), query).toEqual([])
  }
  expect([await counted(), await counted('?min_id=1')]).toEqual([0, 0])
  expect([await counted('?is_deleted=true'), await listed('?is_deleted=true&limit=3')]).toEqual([MANY, [1, 2, 3]])
  expect((await v2('GET', '/orders?is_deleted=true&limit=1')).body[0].is_deleted).toBe(true)
  expect((await v2('GET', '/orders/7')).body.is_deleted).toBe(true)

  const { id } = (await v2('POST', '/orders', goods(custom(5, 5)))).body
  expect(id).toBe(MANY + 1)
  for (const query of ['', '?sort=date_created:desc', DATED]) expect(await listed(query), query).toEqual([id])
  expect(await counted()).toBe(1)

  await doJobs([archiveRunner()])
  expect(await stored()).toBe(MANY)
  expect([await listed(), await counted('?is_deleted=true')]).toEqual([[id], MANY])
  expect((await archivedEvents()).toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: MANY }, (_, i) => i + 1),
  )
  expect(await wishes()).toEqual([])
})

test('a wish without a new order adds no job, and one with new orders archives them too', async () => {
  const jobs = async () => (await rowsOf(shop, 'jobs')).filter(({ task }) => task === 'archive_orders').length
  for (let i = 0; i < 3; i++) await deleteAll()
  expect(await jobs()).toBe(1)
  await v2('POST', '/orders', goods(custom(5, 5)))
  await deleteAll()
  expect([await jobs(), await listed()]).toEqual([2, []])
  await doJobs([archiveRunner()])
  expect((await archivedEvents()).toSorted()).toEqual([1, 2, 3, 4])
  expect([await stored(), await listed('?is_deleted=true')]).toEqual([4, [1, 2, 3, 4]])
})

test('with a limit only the first orders are archived, by the request itself', async () => {
  expect((await v2('DELETE', '/orders?limit=2')).status).toBe(204)
  expect([await listed(), await stored(), await archivedEvents()]).toEqual([[3], 2, [1, 2]])
  for (const limit of ['0', '251', 'x']) expect((await v2('DELETE', `/orders?limit=${limit}`)).status).not.toBe(204)
})

describe('before its job runs, an order that is to be archived', () => {
  test('refuses the requests that an archived order refuses', async () => {
    await payOrder(shop, 1, 'authorize')
    await v2('POST', '/orders', { ...goods(custom(5, 5)), status_id: 0 })
    const actions: [string, string, unknown][] = [
      ['POST', '/orders/1/payment_actions/capture', {}],
      ['POST', '/payments/access_tokens', { order: { id: 4 } }],
      ['GET', '/payments/methods?order_id=4', undefined],
      ['POST', '/orders/1/payment_actions/refund_quotes', { items: [{ item_type: 'ORDER', item_id: 1, amount: 1 }] }],
    ]
    await deleteAll()
    for (const [method, path, body] of actions) {
      expect((await shop.call(method, path, body)).status, path).toBe(404)
    }
    expect((await v2('PUT', '/orders/2', { is_deleted: false })).status).toBe(400)
  })

  test('is archived by a change of it, once', async () => {
    await deleteAll()
    expect((await v2('PUT', '/orders/2', { staff_notes: 'Called' })).body).toMatchObject({ is_deleted: true })
    expect(await stored()).toBe(1)
    expect((await v2('DELETE', '/orders/3')).status).toBe(204)
    await doJobs([archiveRunner()])
    expect((await archivedEvents()).toSorted()).toEqual([1, 2, 3])
  })

  test('is no open order of a location', async () => {
    const open = async () => (await dbOf(shop)).transaction((tx) => countOpenOrders(tx, [1]))
    await shop.call('PUT', '/inventory/adjustments/absolute', {
      items: [{ location_id: 1, product_id: 1, quantity: 9 }],
    })
    await v2('POST', '/orders', { ...goods({ product_id: 1 }), status_id: 11 })
    expect((await open()).get(1)).toBe(1)
    await deleteAll()
    expect((await open()).get(1)).toBeUndefined()
  })
})
