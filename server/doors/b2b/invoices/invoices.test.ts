import { beforeAll, describe, expect, test } from 'vitest'
import { ask, enableCompanion, makeCompany, makeInvoice, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'

// docs/contract/b2b-invoices.md section 3. M11 to M13 and M22 are the cases of the contract.

const INVOICES = '/v3/io/ip/invoices'
const usd = (value: unknown) => ({ code: 'USD', value })
let shop: Shop
let company: number
let other: number
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  company = (await makeCompany(shop, 'Acme')).companyId
  other = (await makeCompany(shop, 'Beta')).companyId
})

const read = async (id: number) => (await ask(shop, 'GET', `${INVOICES}/${id}`)).body.data
const change = (id: number, body: object) => ask(shop, 'PUT', `${INVOICES}/${id}`, body)
const body = (invoiceNumber: string, more: object = {}) => ({
  invoiceNumber,
  customerId: String(company),
  originalBalance: usd(100),
  openBalance: usd('100'),
  ...more,
})

describe('an invoice', () => {
  test('has this form', async () => {
    const address = {
      firstName: 'Ann',
      lastName: 'Lee',
      street1: '1 Main St',
      street2: '',
      city: 'Sydney',
      state: 'NSW',
      zipCode: '2000',
      country: 'Australia',
      customFields: 'dock 3',
    }
    const price = { code: 'USD', value: '50.00' }
    const details = {
      type: 'detailed',
      header: {
        costLines: [{ amount: price, description: 'Freight' }],
        orderDate: 1_790_000_000,
        billingAddress: address,
        customerFields: { key: 'a', value: 'b' },
        shippingAddresses: [address],
      },
      details: {
        shipments: [{ addressIndex: '0', shipDate: 'x', shipVia: 'UPS', trackingNumber: '1Z', comments: '' }],
        lineItems: [
          {
            sku: 'MUG',
            type: 'physical',
            comments: '',
            quantity: '2',
            unitPrice: price,
            description: 'Mug',
            customFields: { key: 'a', value: 'b' },
            unitDiscount: price,
          },
        ],
      },
    }
    const made = await ask(shop, 'POST', INVOICES, {
      ...body('A-1'),
      openBalance: usd('60.25'),
      type: 'Bill',
      dueDate: 1_790_000_000,
      issuedAt: 1_780_000_000,
      orderNumber: 'O-1',
      purchaseOrderNumber: 'PO-1',
      source: 1,
      externalId: 'erp-1',
      externalCustomerId: 'cust-1',
      channelId: 1,
      externalPdfUrl: 'https://example.com/a.pdf',
      termsConditions: 'None',
      details,
    })
    const { id } = made.body.data
    expect(made.body).toEqual({ code: 200, data: { id, invoiceId: id }, meta: { message: 'SUCCESS' } })
    const stored = await read(id)
    expect(stored).toEqual({
      id,
      customerId: String(company),
      externalCustomerId: 'cust-1',
      externalId: 'erp-1',
      invoiceNumber: 'A-1',
      type: 'Bill',
      dueDate: 1_790_000_000,
      issuedAt: 1_780_000_000,
      status: 1,
      orderNumber: 'O-1',
      purchaseOrderNumber: 'PO-1',
      details,
      isPendingPayment: 0,
      source: 1,
      originalBalance: usd('100.0000'),
      openBalance: usd('60.2500'),
      customerName: 'Acme',
      createdAt: expect.stringMatching(/^\d{10}$/),
      updatedAt: stored.createdAt,
      channelId: '1',
      channelName: expect.any(String),
      termsConditions: 'None',
      extraFields: [],
    })
    const { clock } = await theHouse()
    clock.move(5_000)
    expect((await change(id, { details: {}, type: '' })).body).toEqual({
      code: 200,
      data: { id },
      meta: { message: 'SUCCESS' },
    })
    const changed = await read(id)
    expect(changed).toMatchObject({ details: {}, type: '', termsConditions: 'None', openBalance: usd('60.2500') })
    expect(Number(changed.updatedAt)).toBeGreaterThan(Number(stored.updatedAt))
    expect((await ask(shop, 'DELETE', `${INVOICES}/${id}`)).body.data).toEqual({ id })
    expect((await ask(shop, 'GET', `${INVOICES}/${id}`)).body).toEqual(
      refused(404, 'Not Found Error', `The invoice ${id} does not exist.`),
    )
  })

  test('has the defaults of the contract; it is due after the terms of the company', async () => {
    const { clock } = await theHouse()
    const before = Math.floor(clock.now().getTime() / 1_000)
    const id = await makeInvoice(shop, company)
    const { createdAt, issuedAt, dueDate, ...rest } = await read(id)
    expect(rest).toMatchObject({ type: 'Invoice', status: 0, source: 0, details: {}, channelId: '', channelName: '' })
    expect([issuedAt >= before, Number(createdAt)]).toEqual([true, issuedAt])
    expect(dueDate - issuedAt).toBe(30 * 86_400)
  })

  test('has the status that follows from its balances, whatever the body says (M11)', async () => {
    const id = await makeInvoice(shop, company)
    for (const [open, status, expected] of [
      ['0', 0, 2],
      ['100', 2, 0],
      ['99.9999', 0, 1],
      ['-5', 1, 2],
    ] as const) {
      expect((await change(id, { openBalance: usd(open), status })).status).toBe(200)
      expect((await read(id)).status).toBe(expected)
    }
  })

  test('is refused for balances that disagree (M12)', async () => {
    const id = await makeInvoice(shop, company)
    const exceeding = refused(422, 'Logical Error', 'The open balance must not exceed the original balance.')
    expect((await change(id, { openBalance: usd(120) })).body).toEqual(exceeding)
    expect((await change(id, { originalBalance: usd(99) })).body).toEqual(exceeding)
    expect((await change(id, { openBalance: { code: 'EUR', value: 1 } })).body).toEqual(
      refused(422, 'Logical Error', 'Both balances must have the same currency.'),
    )
    for (const value of ['', ' 1', '1e3', 'NaN', '1'.repeat(40), '1.23456', 123_456_789_012]) {
      expect((await change(id, { openBalance: usd(value) })).body.data.errMsg).toEqual({
        'openBalance.value': [expect.any(String)],
      })
    }
    const most = usd('99999999999')
    expect((await change(id, { originalBalance: most, openBalance: most })).status).toBe(200)
    expect((await read(id)).openBalance.value).toBe('99999999999.0000')
    expect((await change(id, { originalBalance: usd('99999999999.0001') })).status).toBe(422)
  })

  test('is not deleted while a payment names it (M13), and stays with its company and currency', async () => {
    const id = await makeInvoice(shop, company)
    const { body: paid } = await ask(shop, 'POST', '/v3/io/ip/payments/offline', {
      lineItems: [{ invoiceId: id, amount: 1 }],
      currency: 'USD',
      details: {},
      customerId: String(company),
      processingStatus: 1,
    })
    expect((await ask(shop, 'DELETE', `${INVOICES}/${id}`)).body).toEqual(
      refused(400, 'API logic error', 'The invoice has payments. Delete them first.'),
    )
    const stays = refused(422, 'Logical Error', 'An invoice with payments stays with its company and currency.')
    expect((await change(id, { customerId: String(other) })).body).toEqual(stays)
    const euros = { code: 'EUR', value: 10 }
    expect((await change(id, { originalBalance: euros, openBalance: euros })).body).toEqual(stays)
    await ask(shop, 'DELETE', `/v3/io/ip/payments/${paid.data.paymentId}`)
    expect((await change(id, { customerId: String(other) })).status).toBe(200)
    expect(await read(id)).toMatchObject({ customerName: 'Beta', isPendingPayment: 0 })
    expect((await ask(shop, 'DELETE', `${INVOICES}/${id}`)).status).toBe(200)
  })

  test('is refused for a number in use, and for unknown or missing things', async () => {
    const id = await makeInvoice(shop, company, '100', { invoiceNumber: 'Taken' })
    const second = await makeInvoice(shop, company)
    const taken = refused(400, 'API logic error', { invoiceNumber: ['Another invoice has this number.'] })
    expect((await ask(shop, 'POST', INVOICES, body('TAKEN'))).body).toEqual(taken)
    expect((await change(second, { invoiceNumber: 'taken' })).body).toEqual(taken)
    expect((await change(id, { invoiceNumber: 'TAKEN' })).status).toBe(200)
    const errors = async (more: object) => {
      const { status, body: answered } = await ask(shop, 'POST', INVOICES, body('New', more))
      expect(status).toBe(422)
      return answered.data.errMsg
    }
    expect((await ask(shop, 'POST', INVOICES, {})).body.data.errMsg).toEqual({
      invoiceNumber: ['This field is required'],
      customerId: ['This field is required'],
      originalBalance: ['This field is required'],
      openBalance: ['This field is required'],
    })
    expect(await errors({ customerId: '999999' })).toEqual({ customerId: ['The company 999999 does not exist.'] })
    expect(await errors({ customerId: 'abc' })).toEqual({ customerId: ['The company abc does not exist.'] })
    expect(await errors({ customerId: '99999999999' })).toHaveProperty('customerId')
    expect(await errors({ openBalance: { code: 'XXX', value: 1 } })).toEqual({
      'openBalance.code': ['This is no currency of ISO 4217.'],
    })
    expect(await errors({ channelId: 99_999 })).toEqual({ channelId: ['The channel 99999 does not exist.'] })
    expect(await errors({ externalPdfUrl: 'file:///etc/passwd' })).toHaveProperty('externalPdfUrl')
    expect(await errors({ status: 3 })).toHaveProperty('status')
    expect(await errors({ source: 2 })).toHaveProperty('source')
    expect(await errors({ dueDate: -1 })).toHaveProperty('dueDate')
    expect(await errors({ invoiceNumber: ' ' })).toHaveProperty('invoiceNumber')
    expect(await errors({ invoiceNumber: 'x'.repeat(256) })).toHaveProperty('invoiceNumber')
    expect(await errors({ extraFields: [{ fieldName: 'x', fieldValue: 'y' }] })).toHaveProperty('extraFields')
    const lines = Array.from({ length: 501 }, () => ({ description: 'x', amount: { code: 'USD', value: '1' } }))
    expect(await errors({ details: { header: { costLines: lines } } })).toHaveProperty('details.header.costLines')
    expect((await change(999_999, {})).status).toBe(404)
    expect((await ask(shop, 'GET', `${INVOICES}/abc`)).status).toBe(404)
    expect((await ask(shop, 'DELETE', `${INVOICES}/999999`)).status).toBe(404)
  })

  test('outlives its company, and keeps its name', async () => {
    const { companyId } = await makeCompany(shop, 'Brief')
    const id = await makeInvoice(shop, companyId)
    await ask(shop, 'PUT', `/v3/io/companies/${companyId}`, { companyName: 'Brief & Co' })
    expect((await read(id)).customerName).toBe('Brief & Co')
    await ask(shop, 'DELETE', `/v3/io/companies/${companyId}`)
    expect((await read(id)).customerName).toBe('Brief & Co')
    const found = await ask(shop, 'GET', `${INVOICES}?customerName=brief`)
    expect(found.body.data.map((invoice: { id: number }) => invoice.id)).toEqual([id])
  })
})

describe('the list of invoices', () => {
  let filled: Shop
  beforeAll(async () => {
    filled = await openShop()
    await enableCompanion(filled)
    const [one, two] = [await makeCompany(filled, 'Acme'), await makeCompany(filled, 'Beta')]
    const { clock } = await theHouse()
    for (const [i, { companyId }] of [one, two, one].entries()) {
      await makeInvoice(filled, companyId, String(100 - i), {
        invoiceNumber: `No ${i}`,
        type: `Type ${i}`,
        orderNumber: `Order ${i}`,
        purchaseOrderNumber: `Po ${i}`,
        externalId: `ext-${i}`,
        externalCustomerId: `erp${i}`,
        dueDate: 1_790_000_000 - i,
        openBalance: usd(i === 1 ? 0 : 50 + i),
        ...(i === 2 ? { channelId: 1 } : {}),
      })
      clock.move(2_000)
    }
    await ask(filled, 'POST', '/v3/io/ip/payments/offline', {
      lineItems: [{ invoiceId: 1, amount: 1 }],
      currency: 'USD',
      details: {},
      customerId: String(one.companyId),
      processingStatus: 1,
    })
  })

  test.each<[query: string, expected: number[]]>([
    ['', [3, 2, 1]],
    ['limit=1&offset=2', [1]],
    ['offset=3', []],
    ['status=2', [2]],
    ['customerId=2', [2]],
    ['customerId=abc', []],
    ['companyId=2', [3, 2, 1]],
    ['customerName=ACM', [3, 1]],
    ['externalId[]=ext-0&externalId[]=ext-1', [2, 1]],
    ['channelIds=1', [3]],
    ['beginDateAt=2000-01-01&endDateAt=2100-01-01', [3, 2, 1]],
    ['beginDateAt=2100-01-01', []],
    ['endDateAt=2000-01-01', []],
    ['q=no 1', [2]],
    ['searchBy=invoiceNumber&q=NO 2', [3]],
    ['searchBy=type&q=type 0', [1]],
    ['searchBy=orderNumber&q=order 1', [2]],
    ['searchBy=purchaseOrderNumber&q=po 1', [2]],
    ['searchBy=customerId&q=2', [2]],
    ['searchBy=externalCustomerId&q=erp2', [3]],
    ['searchBy=type&q=order', []],
    ['sortBy=invoiceNumber&orderBy=asc', [1, 2, 3]],
    ['sortBy=createdAt&orderBy=ASC', [1, 2, 3]],
    ['sortBy=customerId', [2, 3, 1]],
    ['sortBy=externalCustomerId&orderBy=ASC', [1, 2, 3]],
    ['sortBy=dueDate&orderBy=ASC', [3, 2, 1]],
    ['sortBy=updatedAt', [1, 3, 2]],
    ['sortBy=isPendingPayment', [1, 3, 2]],
    ['sortBy=openBalance', [3, 1, 2]],
    ['sortBy=originalBalance&orderBy=ASC', [3, 2, 1]],
    ['sortBy=status', [2, 3, 1]],
  ])('answers %s', async (query, expected) => {
    const { status, body: found } = await ask(filled, 'GET', `${INVOICES}?${query}`)
    expect(status, JSON.stringify(found)).toBe(200)
    expect(found.data.map(({ id }: { id: number }) => id)).toEqual(expected)
  })

  test('has extra fields only if they are asked for', async () => {
    const first = async (query: string) => (await ask(filled, 'GET', `${INVOICES}${query}`)).body.data[0]
    expect(await first('')).not.toHaveProperty('extraFields')
    expect(await first('?isIncludeExtraFields=1')).toHaveProperty('extraFields', [])
  })

  test.each([
    ['limit=0', 422],
    ['limit=251', 413],
    ['status=3', 422],
    ['beginDateAt=2026-13-40', 422],
    ['searchBy=total&q=1', 422],
    ['sortBy=total', 422],
    ['orderBy=up', 422],
    ['isIncludeExtraFields=2', 422],
  ])('refuses %s with %d', async (query, status) => {
    expect((await ask(filled, 'GET', `${INVOICES}?${query}`)).status).toBe(status)
  })
})
