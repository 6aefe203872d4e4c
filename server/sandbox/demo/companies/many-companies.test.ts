import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { ask } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { makeManyCompanies } from './many-companies.ts'

const WANTED = { companies: 6, invoices: 42, kinds: 14 }

let shop: Shop
const reported: number[] = []
beforeAll(async () => {
  shop = await openShop()
  const db = await dbOf(shop)
  const stopped = (made: number) => {
    reported.push(made)
    if (made === 28) throw new Error('Stopped.')
  }
  await expect(makeManyCompanies(db, { ...WANTED, progress: stopped })).rejects.toThrow('Stopped.')
  await makeManyCompanies(db, { ...WANTED, progress: (made) => reported.push(made) })
})
const read = async (path: string) => (await ask(shop, 'GET', `/v3/io/${path}`)).body

test('a run that was stopped is taken up', async () => {
  expect(reported).toEqual([0, 14, 28, 28, 42])
  expect((await read('companies')).meta.pagination.totalCount).toBe(6)
  expect((await read('users')).meta.pagination.totalCount).toBe(6)
  expect((await read('ip/invoices')).meta.pagination.totalCount).toBe(42)
})

test('copies are invoices of other companies with numbers of their own, found by a search', async () => {
  const [copy, ...others] = (await read('ip/invoices?q=inv-0000030')).data
  expect(others).toEqual([])
  const original = (await read('ip/invoices?q=INV-0000002')).data[0]
  expect({ ...copy, id: 0, invoiceNumber: '', customerId: '', customerName: '' }).toEqual({
    ...original,
    id: 0,
    invoiceNumber: '',
    customerId: '',
    customerName: '',
  })
  expect([original.customerId, copy.customerId]).toEqual(['2', '6'])
})

test('balances, payments and receipts agree', async () => {
  const [payments, receipts] = [await read('ip/payments?limit=250'), await read('ip/receipts?limit=250')]
  expect(payments.meta.pagination.totalCount).toBe(payments.data.length)
  expect(receipts.meta.pagination.totalCount).toBe(receipts.data.length)
  const db = await dbOf(shop)
  const wrong = await db.rows(sql`
    select invoice.id from b2b_invoices invoice
    left join lateral (
      select sum(line.amount) as amount from b2b_payment_lines line
      join b2b_payments payment on payment.store_id = line.store_id and payment.id = line.payment_id
      where line.store_id = invoice.store_id and line.invoice_id = invoice.id and payment.applied_status = 1
        and payment.company_id = invoice.company_id
    ) applied on true
    left join lateral (
      select sum(case receipt.transaction_type when 'Paid' then line.amount else -line.amount end) as amount
      from b2b_receipt_lines line
      join b2b_receipts receipt on receipt.store_id = line.store_id and receipt.id = line.receipt_id
      where line.store_id = invoice.store_id and line.invoice_id = invoice.id and receipt.company_id = invoice.company_id
    ) receipted on true
    where invoice.store_id = ${db.store.id} and (
      invoice.open_balance <> invoice.original_balance - coalesce(applied.amount, 0)
      or coalesce(applied.amount, 0) <> coalesce(receipted.amount, 0))`)
  expect(wrong).toEqual([])
})

test('a store with other companies or invoices is left as it is', async () => {
  const db = await dbOf(shop)
  const balance = { code: 'USD', value: '1' }
  const invoice = { invoiceNumber: 'Mine', customerId: '1', originalBalance: balance, openBalance: balance }
  await ask(shop, 'POST', '/v3/io/ip/invoices', invoice)
  await expect(makeManyCompanies(db, { ...WANTED, invoices: 56 })).rejects.toThrow(/invoices that are no sample data/)
  const company = {
    companyName: 'Mine',
    companyEmail: 'office@mine.example.com',
    companyPhone: '1',
    country: 'Denmark',
  }
  const admin = { adminFirstName: 'Ann', adminLastName: 'Lee', adminEmail: 'ann@mine.example.com' }
  await ask(shop, 'POST', '/v3/io/companies', { ...company, ...admin })
  await expect(makeManyCompanies(db, WANTED)).rejects.toThrow(/companies that are no sample data/)
})
