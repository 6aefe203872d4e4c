import { expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { exportCustomer } from '../../../customers/privacy/personal-data.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { connectAsAdministrator } from '../../../test/harness/administrator.ts'
import { listUses } from '../../promotions/uses/uses.ts'
import { exportOrders } from './personal-data.ts'

// docs/operations.md, "A customer's data".

const address = {
  first_name: 'Bo',
  last_name: 'Dal',
  street_1: 'Nyhavn 12',
  city: 'Copenhagen',
  zip: '1051',
  country_iso2: 'DK',
}
const products = [{ name: 'Engraving', quantity: 1, price_ex_tax: 1, price_inc_tax: 1 }]

test('the orders of a customer are exported whole, archived ones and those of a guest with this address too', async () => {
  const shop = await openShop()
  await shop.call('POST', '/customers', [{ email: 'Bo@x.test', first_name: 'Bo', last_name: 'Dal' }])
  const order = (email: string, customer_id: number) => {
    const body = { customer_id, billing_address: { ...address, email }, products, shipping_addresses: [address] }
    return shop.call('POST', '/orders', body, { version: 'v2' })
  }
  for (const [email, customer] of [
    ['other@x.test', 1],
    ['bo@x.test', 0],
    ['other@x.test', 0],
    ['bo@x.test', 1],
  ] as const) {
    const { status, text } = await order(email, customer)
    expect(status, text).toBe(200)
  }
  await shop.call('DELETE', '/orders/4', undefined, { version: 'v2' })
  const metafield = { namespace: 'gift', key: 'note', value: 'For Bo', permission_set: 'read' }
  await shop.call('POST', '/orders/1/metafields', metafield)
  const db = await dbOf(shop)
  const call = { call: 'commit', call_digest: '', body: '{"billing_address":"Nyhavn 12"}', nr: 1 }
  const waiting = { store_id: db.store.id, order_id: 1, provider_id: 'one', document_id: '', digest: '', ...call }
  await db.transaction((tx) => tx.rows(sql`insert into tax_documents ${sql.rows([waiting])}`))
  await db.transaction((tx) =>
    listUses(tx, { order_id: 1, customer: { customer_id: 1, email: 'bo@x.test' }, promotions: [3], coupons: [] }),
  )
  const { customer } = await exportCustomer(db, 1)
  const exported = await exportOrders(db, customer)
  const whole = {
    billing_address: { street_1: 'Nyhavn 12' },
    order_products: [{ name: 'Engraving' }],
    order_addresses: [{ street_1: 'Nyhavn 12' }],
  }
  expect(exported).toMatchObject([
    {
      id: 1,
      ...whole,
      metafields: [metafield],
      tax_documents: [{ call: 'commit', body: waiting.body }],
      promotion_uses: [{ promotion_id: 3, coupon_id: 0, state: 'listed' }],
    },
    { id: 2, ...whole, tax_documents: [], promotion_uses: [] },
    { id: 4, ...whole },
  ])
  expect(JSON.stringify(exported)).not.toMatch(/store_id|_key"/)

  const admin = await connectAsAdministrator(shop.store)
  const { rows } = await admin.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'order_id' and table_name like 'order\\_%'`,
  )
  await admin.end()
  expect(Object.keys(exported[0] ?? {})).toEqual(expect.arrayContaining(rows.map(({ name }) => name)))
})
