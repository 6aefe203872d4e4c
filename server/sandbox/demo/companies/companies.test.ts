import { beforeAll, expect, test } from 'vitest'
import { ask } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { openCompanies } from './companies.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  const db = await dbOf(shop)
  for (const name of ['Mug', 'Bowl', 'Jug', 'Plate', 'Vase', 'Lamp', 'Tray', 'Clock']) {
    await shop.call('POST', '/catalog/products', { name, type: 'physical', weight: 1, price: 40 })
  }
  await db.transaction((tx) => openCompanies(tx, 'no hash', 'tests'))
})
const read = async (path: string) => (await ask(shop, 'GET', `/v3/io/${path}`)).body
const counted = (values: readonly unknown[]) =>
  Object.fromEntries(
    Map.groupBy(values, String)
      .entries()
      .map(([value, all]) => [value, all.length]),
  )

test('the demo store has companies in several states, and a tree of three layers', async () => {
  const { data } = await read('companies?limit=250')
  expect(counted(data.map(({ companyStatus }: { companyStatus: string }) => companyStatus))).toEqual({
    0: 1,
    1: 4,
    3: 1,
  })
  const [top] = (await read('companies/1/hierarchy')).data
  expect(top).toMatchObject({
    companyName: 'Harbour Cafes',
    subsidiaries: [
      {
        companyName: 'Harbour Cafes West',
        subsidiaries: [{ companyName: 'Harbour Cafes Fremantle', subsidiaries: [] }],
      },
    ],
  })
  expect((await read('addresses')).meta.pagination.totalCount).toBe(6)
})

test('it has users of all roles, one of them its own, and super admins', async () => {
  const { data } = await read('users?limit=250')
  expect(counted(data.map(({ companyRoleName }: { companyRoleName: string }) => companyRoleName))).toEqual({
    Admin: 6,
    'Senior Buyer': 4,
    'Junior Buyer': 6,
    Bookkeeper: 2,
  })
  const superAdmins = (await read('companies/super-admins')).data
  expect(superAdmins.map(({ companyCount }: { companyCount: number }) => companyCount)).toEqual([2, 2])
})

test('it has invoices, payments and receipts in every state', async () => {
  const { data } = await read('ip/invoices?limit=250')
  expect(data).toHaveLength(60)
  expect(counted(data.map(({ status }: { status: number }) => status))).toEqual({ 0: 44, 1: 8, 2: 8 })
  const pending = data.filter(({ isPendingPayment }: { isPendingPayment: number }) => isPendingPayment === 1)
  expect(pending).toHaveLength(22)
  const payments = (await read('ip/payments?limit=250')).data
  expect(counted(payments.map(({ processingStatus }: { processingStatus: number }) => processingStatus))).toEqual({
    1: 15,
    2: 7,
    3: 16,
    4: 7,
  })
  const receipts = (await read('ip/receipts?limit=250')).data
  expect(counted(receipts.map(({ transactionType }: { transactionType: string }) => transactionType))).toEqual({
    Paid: 23,
    Refund: 7,
  })
})

test('it has orders of its companies, whose buyers have bought products', async () => {
  const { meta } = await read('orders?minDateCreated=1')
  expect(meta.pagination.totalCount).toBe(24)
  const records = await rowsOf(shop, 'b2b_orders')
  expect(counted(records.map(({ company_id }) => company_id))).toEqual({ 1: 8, 2: 6, 3: 4, 4: 6 })
  const bought = await rowsOf(shop, 'b2b_ordered_products')
  expect(new Set(bought.map(({ company_id }) => company_id)).size).toBe(4)
})

test('it has quotes and shopping lists in every state', async () => {
  const { data } = await read('rfq?limit=250')
  expect(counted(data.map(({ status }: { status: number }) => status))).toEqual({
    0: 9,
    2: 9,
    3: 5,
    4: 5,
    5: 4,
    6: 4,
    7: 4,
  })
  const lists = await rowsOf(shop, 'b2b_shopping_lists')
  expect(counted(lists.map(({ status }) => status))).toEqual({ 0: 10, 20: 5, 30: 5, 40: 5, 50: 5 })
  expect((await rowsOf(shop, 'b2b_shopping_list_items')).length).toBeGreaterThan(30)
})
