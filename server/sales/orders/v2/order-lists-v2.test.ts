import { describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { cleanupRunner } from '../../../customers/accounts/cleanup.ts'
import {
  custom,
  goods,
  ida,
  onHand,
  openWithGoods,
  orderEvents,
  speak,
  stockUp,
  type V2,
} from '../../../test/fixtures/goods.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { isOfGate, overhear } from '../../../test/harness/overhear.ts'
import { detachOrders } from '../writing/deleted-customers.ts'

// Lists of orders of the older family (docs/contract/orders.md section 6).

describe('lists', () => {
  const listed = async (v2: V2, query: string) => {
    const { status, body } = await v2('GET', `/orders${query}`)
    return status === 204 ? [] : body.map(({ id }: { id: number }) => id)
  }

  test('every filter and every sort', async () => {
    const shop = await openShop()
    const v2 = speak(shop)
    await shop.call('POST', '/customers', [{ email: 'bo@example.com', first_name: 'Bo', last_name: 'Dal' }])
    await shop.call('POST', '/channels', { name: 'Fair', type: 'pos', platform: 'square', status: 'connected' })
    expect(await listed(v2, '')).toEqual([])
    const bodies = [
      { ...goods(custom(10, 10)), date_created: '2024-03-01', payment_method: 'Cash', external_order_id: 'X-1' },
      { ...goods(custom(30, 30)), date_created: '2024-01-01', customer_id: 1, status_id: 11 },
      {
        ...goods(custom(20, 20)),
        billing_address: { ...ida, email: 'BO@example.com' },
        date_created: '2024-02-01',
        channel_id: 664_159,
        status_id: 11,
      },
    ]
    for (const body of bodies) expect((await v2('POST', '/orders', body)).status).toBe(200)
    const [first] = await rowsOf(shop, 'orders')
    await (await dbOf(shop)).transaction((tx) =>
      tx.rows({
        name: 'cart',
        text: 'update orders set cart_id = $2 where store_id = $1 and id = 2',
        values: [shop.store.id, 'abc'],
      }),
    )
    for (const [query, ids] of [
      ['', [1, 2, 3]],
      ['?min_id=2', [2, 3]],
      ['?max_id=2', [1, 2]],
      ['?min_total=20', [2, 3]],
      ['?max_total=20', [1, 3]],
      ['?min_date_created=2024-02-01', [1, 3]],
      ['?max_date_created=2024-02-01', [2, 3]],
      ['?min_date_modified=2024-02-01', [1, 2, 3]],
      ['?max_date_modified=2024-02-01', []],
      ['?customer_id=1', [2]],
      ['?customer_id=0', [1, 3]],
      ['?email=bo%40example.com', [3]],
      ['?status_id=11', [2, 3]],
      ['?status_id=99', []],
      ['?cart_id=abc', [2]],
      ['?payment_method=cash', [1]],
      ['?channel_id=664159', [3]],
      ['?external_order_id=X-1', [1]],
      ['?sort=id:desc', [3, 2, 1]],
      ['?sort=date_created', [2, 3, 1]],
      ['?sort=date_created&direction=desc', [1, 3, 2]],
      ['?sort=date_modified:asc', [1, 2, 3]],
      ['?sort=status_id', [1, 2, 3]],
      ['?sort=status_id:desc', [3, 2, 1]],
      ['?sort=customer_id:desc', [2, 3, 1]],
      ['?sort=channel_id:desc', [3, 2, 1]],
      ['?sort=external_id', [1, 2, 3]],
      ['?limit=2', [1, 2]],
      ['?limit=2&page=2', [3]],
      ['?limit=2&page=3', []],
      ['?status_id=11&min_total=25&unknown=1', [2]],
    ] as const) {
      expect([query, await listed(v2, query)]).toEqual([query, ids])
    }
    expect(String(first?.email_key)).toBe('ida@example.com')
    const { body } = await v2('GET', '/orders/count?min_total=20')
    expect(body.count).toBe(2)
    expect(body.statuses).toHaveLength(15)
    expect(body.statuses[11]).toMatchObject({ id: 11, name: 'Awaiting Fulfillment', count: 2, sort_order: 3 })
    expect((await v2('GET', '/orders?include=fees,consignments&consignment_structure=object')).body).toMatchObject([
      { id: 1, fees: [], consignments: { shipping: [{ id: 1 }] } },
      { id: 2 },
      { id: 3, consignments: { shipping: [{ id: 3, email: 'BO@example.com' }] } },
    ])
  })

  test('dates that do not rise with the ids, over several spans of ids', async () => {
    const { shop, v2 } = await openWithGoods()
    const placed = async (last_id: number, year: number) => {
      await (await dbOf(shop)).transaction((tx) =>
        tx.rows(sql`update counters set last_id = ${last_id} where store_id = ${tx.store.id} and resource = 'orders'`),
      )
      const body = {
        ...goods(custom(1, 1)),
        date_created: `${year}-05-04T09:00:00Z`,
        status_id: year === 2025 ? 11 : 10,
      }
      expect((await v2('POST', '/orders', body)).status).toBe(200)
    }
    for (const [last_id, year] of [
      [0, 2020],
      [1, 2024],
      [999, 2025],
      [1_000, 2019],
      [2_500, 2021],
    ] as const) {
      await placed(last_id, year)
    }
    for (const [query, ids] of [
      ['?min_date_created=2021-01-01', [2, 1000, 2501]],
      ['?min_date_created=2021-01-01&sort=id:desc', [2501, 1000, 2]],
      ['?min_date_created=2021-01-01&direction=desc&limit=2', [2501, 1000]],
      ['?min_date_created=2021-01-01&limit=2&page=2', [2501]],
      ['?max_date_created=2020-12-31', [1, 1001]],
      ['?min_date_created=2020-01-01&max_date_created=2021-12-31', [1, 2501]],
      ['?min_date_created=2021-01-01&status_id=11', [1000]],
      ['?min_date_created=2021-01-01&min_id=900&max_id=2000', [1000]],
      ['?min_date_created=2026-01-01', []],
    ] as const) {
      expect([query, await listed(v2, query)]).toEqual([query, ids])
    }

    // Orders changed since a date: the next one soon after finds its span ahead of it, the last one behind.
    const { clock } = await theHouse()
    for (const [minutes, id] of [
      [60, 1],
      [5, 2],
      [20, 1_001],
    ] as const) {
      clock.move(minutes * 60_000)
      const since = clock.now().toISOString()
      expect((await v2('PUT', `/orders/${id}`, { staff_notes: since })).status).toBe(200)
      for (const [query, ids] of [
        [`?min_date_modified=${since}`, [id]],
        [`?min_date_modified=${since}&sort=id:desc&min_date_created=2019-01-01`, [id]],
        [`?min_date_modified=${since}&status_id=11`, []],
      ] as const) {
        expect([query, await listed(v2, query)]).toEqual([query, ids])
      }
    }
  })

  test.each([
    ['sort=total', 400],
    ['min_id=x', 400],
    ['channel_id=1.5', 400],
    ['channel_id=9007199254740993', 400],
    ['min_date_created=soon', 400],
    ['page=0', 400],
    ['include=products', 400],
    ['limit=251', 413],
  ])('%s is refused', async (query, status) => {
    const shop = await openShop()
    expect(await speak(shop)('GET', `/orders?${query}`)).toMatchObject({ status, body: [{ status }] })
  })

  test('archived orders are read by id, listed when they are asked for, and keep their stock', async () => {
    const { shop, v2 } = await openWithGoods()
    await stockUp(shop, { product_id: 1, quantity: 9 })
    for (let i = 0; i < 4; i++) await v2('POST', '/orders', { ...goods({ product_id: 1 }), status_id: 11 })
    const before = (await rowsOf(shop, 'events')).length
    expect((await v2('DELETE', '/orders/2')).status).toBe(204)
    expect((await v2('DELETE', '/orders/2')).status).toBe(204)
    expect((await v2('PUT', '/orders/4', { is_deleted: true })).body.is_deleted).toBe(true)
    expect(await orderEvents(shop, before)).toEqual([
      ['store/order/archived', { type: 'order', id: 2 }],
      ['store/channel/1/order/archived', { order_id: 2 }],
      ['store/order/archived', { type: 'order', id: 4 }],
      ['store/channel/1/order/archived', { order_id: 4 }],
    ])
    expect(await listed(v2, '')).toEqual([1, 3])
    expect(await listed(v2, '?is_deleted=true')).toEqual([2, 4])
    expect((await v2('GET', '/orders/2')).body.is_deleted).toBe(true)
    expect((await v2('PUT', '/orders/2', { is_deleted: false })).status).toBe(400)
    expect((await onHand(shop))[0]?.[3]).toBe(5)
    await v2('DELETE', '/orders?limit=1')
    expect(await listed(v2, '')).toEqual([3])
    await v2('DELETE', '/orders')
    expect(await listed(v2, '')).toEqual([])
  })
})

test('the statuses of orders can be read', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  expect((await v2('GET', '/order_statuses')).body).toHaveLength(15)
  expect((await v2('GET', '/order_statuses/0')).body).toEqual({
    id: 0,
    name: 'Incomplete',
    system_label: 'Incomplete',
    custom_label: 'Incomplete',
    system_description: 'The customer reached the payment page and did not complete the payment.',
    order: 0,
  })
  expect((await v2('GET', '/order_statuses/15')).status).toBe(404)
})

test('orders of a customer who is deleted stay, as those of a guest', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  await shop.call('POST', '/customers', [{ email: 'bo@example.com', first_name: 'Bo', last_name: 'Dal' }])
  for (let i = 0; i < 2; i++) await v2('POST', '/orders', { ...goods(custom(1, 1)), customer_id: 1 })
  await v2('DELETE', '/orders/2')
  await shop.call('DELETE', '/customers?id:in=1')
  await doJobs([cleanupRunner([detachOrders])])
  expect((await v2('GET', '/orders/1')).body.customer_id).toBe(0)
  expect((await v2('GET', '/orders/2')).body.customer_id).toBe(0)
  expect((await v2('GET', '/orders?customer_id=1')).status).toBe(204)
})

test('an order with its products and addresses is read by four statements at most, its list by as many as one', async () => {
  const { v2 } = await openWithGoods()
  const sentBy = async (paths: readonly string[]) => {
    for (const path of paths) await v2('GET', path)
    const heard = overhear()
    for (const path of paths) expect((await v2('GET', path)).status).toBe(200)
    heard.stop()
    // Walls drop their rows.
    const sent = heard.statements.filter(
      (statement) => !statement.dropsRows && statement.values.length > 0 && !isOfGate(statement),
    )
    return sent.map(({ text }) => /^.*from "?(order\w+)"?\s+where/s.exec(text)?.[1])
  }
  for (let n = 0; n < 3; n++) await v2('POST', '/orders', goods({ product_id: 1 }, custom(1, 1)))
  expect((await sentBy(['/orders/1?include=consignments.line_items'])).sort()).toEqual([
    'order_addresses',
    'order_pickup_consignments',
    'order_products',
    'orders',
  ])
  expect(await sentBy(['/orders?include=consignments.line_items'])).toHaveLength(4)
})

test('a list of orders without filters is prepared, one with a filter is planned for its values', async () => {
  const { v2 } = await openWithGoods()
  await v2('POST', '/orders', goods(custom(1, 1)))
  const isPrepared = async (path: string) => {
    const heard = overhear()
    expect((await v2('GET', path)).status).toBe(200)
    heard.stop()
    return heard.statements.filter(({ text }) => text.includes('with page')).map(({ name }) => name !== undefined)
  }
  expect(await isPrepared('/orders')).toEqual([true])
  expect(await isPrepared('/orders?limit=10&sort=id:desc')).toEqual([true])
  expect(await isPrepared('/orders/1/products')).toEqual([true])
  expect(await isPrepared('/orders?customer_id=0')).toEqual([false])
  expect(await isPrepared('/orders?sort=date_created')).toEqual([false])
})
