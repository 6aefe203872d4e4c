import { expect, test } from 'vitest'
import { ask, enableCompanion, makeInvoice, makeOrderWithRecord, makeRecord } from '../../../test/fixtures/companion.ts'
import { openShop } from '../../../test/fixtures/shop.ts'

// docs/contract/b2b-invoices.md section 3.

test('an order has one invoice with its total, under a free number', async () => {
  const shop = await openShop()
  await enableCompanion(shop)
  const record = await makeRecord(shop)
  const { companyId, bcOrderId } = (await ask(shop, 'GET', '/v3/io/orders')).body.data[0]
  await makeInvoice(shop, companyId, '1', { invoiceNumber: '00000002' })
  const create = (id: number | string) => ask(shop, 'POST', `/v3/io/ip/orders/${id}/invoices`, {})
  const answers = await Promise.all([create(record), create(record)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const made = answers.find(({ status }) => status === 200)
  expect(made?.body).toEqual({
    code: 200,
    data: { invoiceNumber: '00000002-1', invoiceId: 2 },
    meta: { message: 'SUCCESS' },
  })
  expect((await ask(shop, 'GET', '/v3/io/ip/invoices/2')).body.data).toMatchObject({
    customerId: String(companyId),
    orderNumber: String(bcOrderId),
    originalBalance: { code: 'USD', value: '20.0000' },
    openBalance: { code: 'USD', value: '20.0000' },
    status: 0,
    details: { details: { lineItems: [{ description: 'Print', quantity: '1' }] } },
  })
  const order = (await ask(shop, 'GET', `/v3/io/orders/${bcOrderId}`)).body.data
  expect(order).toMatchObject({ isInvoiceOrder: 1, invoiceId: 2, invoiceNumber: '00000002-1' })
  expect((await create(9_999)).status).toBe(404)
  expect((await create('abc')).status).toBe(404)
  const guest = await makeOrderWithRecord(shop)
  expect((await create((await ask(shop, 'GET', `/v3/io/orders/${guest}`)).body.data.id)).status).toBe(404)
})
