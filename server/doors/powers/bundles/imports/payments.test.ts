import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleParts, contentOf, exportTo, made } from '../../../../test/fixtures/content/bundles.ts'
import { doMoney, payOrder } from '../../../../test/fixtures/orders.ts'
import { openShop, type Shop } from '../../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../../test/fixtures/webhooks.ts'
import { openBundle } from '../bundle.ts'
import { importInto } from '../store-bundles.ts'

// The money of orders in bundles: it is recorded, and never moved again.

const parts = await bundleParts()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-payments-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const billing_address = {
  first_name: 'Ann',
  last_name: 'Lee',
  zip: '1051',
  country_iso2: 'DK',
  email: 'ann@example.com',
}

/** An order of three prints at 10.00 with a fee of 5.00 and shipping for 5.00: 40.00. */
const anOrder = (shop: Shop, more: object = {}) =>
  made(
    shop,
    'POST /orders',
    {
      billing_address,
      products: [{ name: 'Print', quantity: 3, price_ex_tax: 10, price_inc_tax: 10 }],
      fees: [{ display_name_customer: 'Frame', cost_ex_tax: 5, cost_inc_tax: 5 }],
      shipping_addresses: [{ ...billing_address, street_1: 'Nyhavn 1' }],
      shipping_cost_ex_tax: 5,
      shipping_cost_inc_tax: 5,
      ...more,
    },
    'v2',
  )

const orderOf = async (shop: Shop, id: number) =>
  (await shop.call('GET', `/orders/${id}?include=consignments.line_items,fees`, undefined, { version: 'v2' })).body

const refund = (shop: Shop, id: number, body: object) =>
  shop.call('POST', `/orders/${id}/payment_actions/refunds`, body)

const custom = (amount: number) => [{ provider_id: 'custom', amount, offline: true }]

/** A shop with orders whose money is in all states that stay. */
async function paidShop() {
  const shop = await openShop({ isTest: true })
  const paid = await anOrder(shop)
  await payOrder(shop, paid.id)
  const { consignments, fees } = await orderOf(shop, paid.id)
  const [place] = consignments.shipping
  const items = [
    { item_type: 'PRODUCT', item_id: place.line_items[0].id, quantity: 1, reason: 'Torn' },
    { item_type: 'SHIPPING', item_id: place.id, amount: 2 },
    { item_type: 'FEE', item_id: fees[0].id, amount: 1 },
  ]
  const given = await refund(shop, paid.id, {
    items,
    reason: 'Late',
    payments: [{ provider_id: 'testgateway', amount: 13 }],
  })
  expect(given.status).toBe(201)
  await doMoney(shop)
  const authorized = await anOrder(shop)
  await payOrder(shop, authorized.id, 'authorize')
  // The merchant says that it is paid.
  const outside = await anOrder(shop, { status_id: 11 })
  expect(
    (
      await refund(shop, outside.id, {
        items: [{ item_type: 'ORDER', item_id: outside.id, amount: 7 }],
        payments: custom(7),
      })
    ).status,
  ).toBe(201)
  await doMoney(shop)
  await anOrder(shop, { status_id: 7 })
  return shop
}

/** The parts of an order's money without ids. */
async function moneyOf(shop: Shop, id: number) {
  const { payment_status, payment_provider_id, refunded_amount, status_id, consignments } = await orderOf(shop, id)
  const [{ quantity_refunded, refund_amount }] = consignments.shipping[0].line_items
  const transactions = (await shop.call('GET', `/orders/${id}/transactions`)).body?.data ?? []
  const refunds = (await shop.call('GET', `/orders/${id}/payment_actions/refunds`)).body.data
  const withoutIds = (rows: object[]) =>
    JSON.parse(JSON.stringify(rows, (key, value) => (ID.test(key) ? undefined : value)))
  return {
    ...{ payment_status, payment_provider_id, refunded_amount, status_id, quantity_refunded, refund_amount },
    transactions: withoutIds(transactions),
    refunds: withoutIds(refunds),
  }
}
const ID = /^(?:id|order_id|item_id|transaction_id|reference_transaction_id)$/

const IDS = [1, 2, 3, 4]

test('payments and refunds are recorded as they were, and nobody is paid again', async () => {
  const shop = await paidShop()
  const bundle = await openBundle(await exportTo(folder, shop))
  const content = await contentOf(bundle)
  expect(content['order-transactions']).toHaveLength(5)
  expect(content.refunds).toHaveLength(2)
  const other = await openShop({ isTest: true })
  const db = await dbOf(other)
  const report = await importInto(parts, db, bundle)
  expect(report).toMatchObject({ refused: [], dropped: {}, rows: { orders: 4, 'order-transactions': 5, refunds: 2 } })
  expect(await contentOf(await openBundle(await exportTo(folder, other)))).toEqual(content)
  for (const id of IDS) expect(await moneyOf(other, id)).toEqual(await moneyOf(shop, id))
  expect(await moneyOf(other, 1)).toMatchObject({
    payment_status: 'partially refunded',
    refunded_amount: '13.0000',
    status_id: 14,
    quantity_refunded: 1,
    refund_amount: '10.0000',
  })
  expect(await rowsOf(other, 'payment_attempts')).toEqual([])
  expect(await doMoney(other)).toBe(0)
  // A second run adds nothing.
  await importInto(parts, db, bundle)
  expect(await rowsOf(other, 'order_transactions')).toHaveLength(5)
  expect(await rowsOf(other, 'order_refunds')).toHaveLength(2)
})

test('the money that was taken can be given back once', async () => {
  const shop = await paidShop()
  const other = await openShop({ isTest: true })
  await importInto(parts, await dbOf(other), await openBundle(await exportTo(folder, shop)))
  const { consignments } = await orderOf(other, 1)
  const [line] = consignments.shipping[0].line_items
  const units = (quantity: number) => [{ item_type: 'PRODUCT', item_id: line.id, quantity }]
  expect((await refund(other, 1, { items: units(3), payments: custom(30) })).body.errors).toEqual({
    'items.0.quantity': 'Only 2 can still be refunded.',
  })
  const rest = [{ item_type: 'ORDER', item_id: 1, amount: 27 }]
  expect((await refund(other, 1, { items: [{ ...rest[0], amount: 27.01 }], payments: custom(27.01) })).status).toBe(422)
  expect((await refund(other, 1, { items: rest, payments: custom(27) })).status).toBe(201)
  await doMoney(other)
  expect((await orderOf(other, 1)).payment_status).toBe('refunded')
  expect(
    (await refund(other, 1, { items: [{ ...rest[0], amount: 0.01 }], payments: custom(0.01) })).body.errors,
  ).toEqual({
    payment_status: 'the whole payment was refunded already',
  })
  // Nothing was captured of the second order, and nothing is known about the fourth.
  for (const id of [2, 4])
    expect(
      (await refund(other, id, { items: [{ item_type: 'ORDER', item_id: id, amount: 1 }], payments: custom(1) }))
        .status,
    ).toBe(422)
  const third = [{ item_type: 'ORDER', item_id: 3, amount: 33.01 }]
  expect((await refund(other, 3, { items: third, payments: custom(33.01) })).status).toBe(422)
})

test.each<[string, string, (row: Record<string, unknown>) => object, string]>([
  [
    'more was given back than taken',
    'refunds',
    (row) => ({ ...row, payments: [{ ...Object(row.payments)[0], amount: 40.01 }] }),
    'JSON data is missing or invalid refunds: The order gave back more money than it took.',
  ],
  [
    'more units were given back than a line has',
    'refunds',
    (row) => ({ ...row, items: Object(row.items).map((item: object) => ({ ...item, quantity: 4 })) }),
    'JSON data is missing or invalid items: More than the 3 units of a line were given back.',
  ],
  [
    'an amount is no number',
    'order-transactions',
    (row) => ({ ...row, amount: 'much' }),
    'The payments of the order are malformed. transactions.0.amount: must be number',
  ],
])('if %s, the money of the order is refused as a whole', async (_, kind, change, reason) => {
  const shop = await paidShop()
  const path = await exportTo(folder, shop)
  const file = join(path, 'orders', kind, '000001.jsonl')
  const [first = '', ...others] = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, [JSON.stringify(change(JSON.parse(first))), ...others].join('\n'))
  const other = await openShop({ isTest: true })
  const report = await importInto(parts, await dbOf(other), await openBundle(path))
  expect(report.refused).toEqual([{ kind: 'order-transactions', id: 'of order 1', status: 422, reason }])
  expect(report.rows).toMatchObject({ orders: 4, 'order-transactions': 3, refunds: 1 })
  expect((await other.call('GET', '/orders/1/transactions')).status).toBe(204)
  expect(await orderOf(other, 1)).toMatchObject({ payment_status: '', refunded_amount: '0.0000' })
})
