import { beforeAll, describe, expect, test } from 'vitest'
import { ask, enableCompanion, makeCompany, makeInvoice, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// docs/contract/b2b-invoices.md sections 2, 4 and 5. M1 to M15 are the cases of the contract.

const IP = '/v3/io/ip'
let shop: Shop
let company: number
let other: number
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  company = (await makeCompany(shop, 'Acme')).companyId
  other = (await makeCompany(shop, 'Beta')).companyId
})

const pay = (lineItems: { invoiceId: number; amount: unknown }[], more: object = {}) =>
  ask(shop, 'POST', `${IP}/payments/offline`, {
    lineItems,
    currency: 'USD',
    details: {},
    customerId: String(company),
    ...more,
  })
const read = async (kind: string, id: number) => (await ask(shop, 'GET', `${IP}/${kind}/${id}`)).body.data
const stateOf = async (id: number) => {
  const { openBalance, status, isPendingPayment } = await read('invoices', id)
  return [openBalance.value, status, isPendingPayment]
}
/** The receipts of a payment: type, total and number of lines. */
async function receiptsOf(payment: number) {
  const { body } = await ask(shop, 'GET', `${IP}/receipts?limit=250&sortBy=createdAt&orderBy=ASC`)
  const own: { id: number; paymentId: number; transactionType: string; total: { value: string } }[] = body.data
  return Promise.all(
    own
      .filter(({ paymentId }) => paymentId === payment)
      .map(async ({ id, transactionType, total }) => {
        const lines = (await ask(shop, 'GET', `${IP}/receipts/${id}/lines`)).body.data
        return [transactionType, total.value, lines.length]
      }),
  )
}
const setStatus = (payment: number, processingStatus: unknown) =>
  ask(shop, 'PUT', `${IP}/payments/${payment}/processing-status`, { processingStatus })
const operate = (payment: number, operationCode: number) =>
  ask(shop, 'POST', `${IP}/payments/${payment}/operations`, { operationCode })
/** An invoice of 100 with a completed payment of 40. */
async function paid() {
  const invoice = await makeInvoice(shop, company)
  const { paymentId } = (await pay([{ invoiceId: invoice, amount: 40 }])).body.data
  return { invoice, payment: Number(paymentId) }
}

describe('a payment', () => {
  test('has this form, as its receipt and the line of it do', async () => {
    const invoice = await makeInvoice(shop, company, '100', { invoiceNumber: 'Form 1' })
    const made = await pay([{ invoiceId: invoice, amount: '40.5' }], {
      details: { memo: 'Cheque 7' },
      externalId: 'bank-9',
      externalCustomerId: 'erp-3',
      payerName: 'Ann Lee',
      payerCustomerId: '77',
      channelId: 1,
    })
    const id = made.body.data.paymentId
    expect(made.body).toEqual({ code: 200, data: { paymentId: id }, meta: { message: 'SUCCESS' } })
    const payment = await read('payments', id)
    const time = payment.createdAt
    expect(payment).toEqual({
      id,
      createdAt: time,
      updatedAt: time,
      storeHash: shop.store.hash,
      customerId: String(company),
      externalId: 'bank-9',
      externalCustomerId: 'erp-3',
      payerName: 'Ann Lee',
      payerCustomerId: '77',
      details: { memo: 'Cheque 7' },
      moduleName: 'offline',
      fees: [],
      moduleData: { transactions: [{ memo: 'Cheque 7', type: 'OfflineTransaction', rawTransaction: '' }] },
      processingStatus: 3,
      appliedStatus: 1,
      fundingStatus: 2,
      total: { code: 'USD', value: '40.5000' },
      lineItems: [
        { paymentId: id, invoiceId: invoice, invoiceNumber: 'Form 1', amount: { code: 'USD', value: '40.5000' } },
      ],
      customerName: 'Acme',
      allowedOperations: [1],
      allowedStatuses: [1, 2, 3, 4],
      channelId: '1',
      channelName: expect.any(String),
    })
    const { data: receipts } = (await ask(shop, 'GET', `${IP}/receipts?searchBy=referenceNumber&q=BANK-9`)).body
    const shared = {
      createdAt: time,
      updatedAt: time,
      storeHash: shop.store.hash,
      customerId: String(company),
      externalId: 'bank-9',
      externalCustomerId: 'erp-3',
      transactionType: 'Paid',
      paymentType: 'Offline',
      referenceNumber: 'bank-9',
      paymentId: id,
    }
    const receipt = {
      ...shared,
      id: receipts[0].id,
      payerName: 'Ann Lee',
      payerCustomerId: '77',
      details: { paymentDetails: { memo: 'Cheque 7' } },
      total: { code: 'USD', value: '40.5000' },
    }
    expect(receipts).toEqual([receipt])
    expect(await read('receipts', receipt.id)).toEqual(receipt)
    const lines = (await ask(shop, 'GET', `${IP}/receipts/${receipt.id}/lines`)).body
    const line = {
      ...shared,
      id: lines.data[0].id,
      receiptId: receipt.id,
      invoiceId: invoice,
      invoiceNumber: 'Form 1',
      amount: { code: 'USD', value: '40.5000' },
      paymentStatus: 3,
    }
    expect(lines).toEqual({
      code: 200,
      data: [line],
      meta: { message: 'SUCCESS', pagination: { totalCount: 1, limit: 10, offset: 0 } },
    })
    expect(await read(`receipts/${receipt.id}/lines`, line.id)).toEqual(line)
    const all = (await ask(shop, 'GET', `${IP}/receipt-lines?searchBy=referenceNumber&q=bank-9`)).body.data
    expect(all).toEqual([line])
    expect((await ask(shop, 'GET', `${IP}/payments/${id}/transactions`)).body.data).toEqual([
      { type: 'OfflineTransaction', rawTransaction: '' },
    ])
    expect((await ask(shop, 'GET', `${IP}/payments/${id}/operations`)).body.data).toEqual({
      allowedOperations: [1],
      allowedStatuses: [1, 2, 3, 4],
    })
  })

  test('lowers the open balance and writes a receipt (M1), and a lower status reverts it (M2)', async () => {
    const { invoice, payment } = await paid()
    expect(await stateOf(invoice)).toEqual(['60.0000', 1, 0])
    expect(await receiptsOf(payment)).toEqual([['Paid', '40.0000', 1]])
    expect((await setStatus(payment, 1)).body.data).toEqual({ id: payment })
    expect(await stateOf(invoice)).toEqual(['100.0000', 0, 1])
    expect(await receiptsOf(payment)).toEqual([])
    expect(await read('payments', payment)).toMatchObject({ allowedOperations: [], appliedStatus: 0 })
  })

  test('is refunded by a second receipt, and is final then (M3)', async () => {
    const { invoice, payment } = await paid()
    expect((await setStatus(payment, 4)).status).toBe(200)
    expect(await stateOf(invoice)).toEqual(['100.0000', 0, 0])
    expect(await receiptsOf(payment)).toEqual([
      ['Paid', '40.0000', 1],
      ['Refund', '40.0000', 1],
    ])
    for (const status of [0, 1, 2, 3, 4]) expect((await setStatus(payment, status)).status).toBe(400)
    for (const code of [0, 1, 2, 3]) expect((await operate(payment, code)).status).toBe(400)
    const replaced = await ask(shop, 'PUT', `${IP}/payments/offline/${payment}`, {
      lineItems: [{ invoiceId: invoice, amount: 1 }],
      currency: 'USD',
      details: {},
      customerId: String(company),
    })
    expect(replaced.body).toEqual(refused(400, 'API logic error', 'A refunded payment is final.'))
    expect(await stateOf(invoice)).toEqual(['100.0000', 0, 0])
  })

  test('pays several invoices by one receipt (M4), and adds all back when it is deleted (M5)', async () => {
    const invoices = [await makeInvoice(shop, company), await makeInvoice(shop, company, '30')]
    const lines = invoices.map((invoiceId, i) => ({ invoiceId, amount: i === 0 ? 100 : 30 }))
    const { paymentId } = (await pay(lines.toReversed())).body.data
    for (const id of invoices) expect(await stateOf(id)).toEqual(['0.0000', 2, 0])
    expect(await receiptsOf(paymentId)).toEqual([['Paid', '130.0000', 2]])
    expect((await ask(shop, 'DELETE', `${IP}/payments/${paymentId}`)).body.data).toEqual({ id: paymentId })
    expect(await Promise.all(invoices.map(stateOf))).toEqual([
      ['100.0000', 0, 0],
      ['30.0000', 0, 0],
    ])
    expect(await receiptsOf(paymentId)).toEqual([])
    expect((await ask(shop, 'GET', `${IP}/payments/${paymentId}`)).status).toBe(404)
  })

  test('never exceeds the open balance (M6), not even with another one at the same time (M7)', async () => {
    const { invoice } = await paid()
    const { body } = await pay([{ invoiceId: invoice, amount: 60.01 }])
    expect(body).toEqual(
      refused(422, 'Parameter Error', { 'lineItems.0.amount': [expect.stringContaining('open balance')] }),
    )
    expect(await stateOf(invoice)).toEqual(['60.0000', 1, 0])
    const both = await Promise.all([1, 2].map(() => pay([{ invoiceId: invoice, amount: 40 }])))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(await stateOf(invoice)).toEqual(['20.0000', 1, 0])
  })

  test('waits in status 2 (M14), and is refused when it no longer fits (M15)', async () => {
    const invoice = await makeInvoice(shop, company)
    const { paymentId } = (await pay([{ invoiceId: invoice, amount: 40 }], { processingStatus: 2 })).body.data
    expect(await stateOf(invoice)).toEqual(['100.0000', 0, 1])
    await pay([{ invoiceId: invoice, amount: 90 }])
    expect((await setStatus(paymentId, 3)).status).toBe(422)
    expect(await read('payments', paymentId)).toMatchObject({ processingStatus: 2, appliedStatus: 0 })
    expect(await stateOf(invoice)).toEqual(['10.0000', 1, 1])
  })

  test('is reverted and applied by operations, and keeps its status', async () => {
    const { invoice, payment } = await paid()
    expect((await operate(payment, 0)).body).toEqual(
      refused(400, 'Not Found Error', { operationCode: ['The payment does not allow this operation.'] }),
    )
    expect((await operate(payment, 1)).body.data).toEqual({ id: payment })
    expect(await stateOf(invoice)).toEqual(['100.0000', 0, 0])
    expect(await read('payments', payment)).toMatchObject({ processingStatus: 3, allowedOperations: [0] })
    expect(await receiptsOf(payment)).toEqual([])
    expect((await operate(payment, 0)).status).toBe(200)
    expect(await stateOf(invoice)).toEqual(['60.0000', 1, 0])
    expect(await receiptsOf(payment)).toEqual([['Paid', '40.0000', 1]])
    expect((await operate(payment, 4)).status).toBe(422)
  })

  test('is replaced as a whole', async () => {
    const { invoice, payment } = await paid()
    const second = await makeInvoice(shop, company, '30')
    const replace = (lineItems: object[], more: object = {}) =>
      ask(shop, 'PUT', `${IP}/payments/offline/${payment}`, {
        lineItems,
        currency: 'USD',
        details: { memo: 'Again' },
        customerId: String(company),
        fundingStatus: 1,
        ...more,
      })
    const done = await replace([
      { invoiceId: invoice, amount: 100 },
      { invoiceId: second, amount: 5 },
    ])
    expect(done.body.data).toEqual({ paymentId: payment })
    expect(await stateOf(invoice)).toEqual(['0.0000', 2, 0])
    expect(await stateOf(second)).toEqual(['25.0000', 1, 0])
    expect(await receiptsOf(payment)).toEqual([['Paid', '105.0000', 2]])
    expect(await read('payments', payment)).toMatchObject({ fundingStatus: 1, details: { memo: 'Again' } })
    expect((await replace([{ invoiceId: second, amount: 30.01 }])).status).toBe(422)
    expect(await stateOf(invoice)).toEqual(['0.0000', 2, 0])
    await replace([{ invoiceId: second, amount: 30 }], { processingStatus: 1 })
    expect(await stateOf(invoice)).toEqual(['100.0000', 0, 0])
    expect(await stateOf(second)).toEqual(['30.0000', 0, 1])
    expect(await receiptsOf(payment)).toEqual([])
  })

  test('is refused for other things than the open invoices of one company in one currency (M8 to M10)', async () => {
    const invoice = await makeInvoice(shop, company)
    const foreign = await makeInvoice(shop, other)
    const line = (amount: unknown, invoiceId = invoice) => [{ invoiceId, amount }]
    const errors = async (lines: { invoiceId: number; amount: unknown }[], more: object = {}) => {
      const { status, body } = await pay(lines, more)
      expect([status, body.code]).toEqual([422, 422])
      return body.data.errMsg
    }
    expect(await errors([...line(20), ...line(20)])).toEqual({
      'lineItems.1.invoiceId': ['Another line has this invoice.'],
    })
    // An invoice of another company is refused as one that doesn't exist.
    const said = await errors(line(20, foreign))
    expect(said).toEqual({ 'lineItems.0.invoiceId': [`The invoice ${foreign} does not exist.`] })
    const unknown = await errors(line(20, 999_999))
    expect(unknown).toEqual({ 'lineItems.0.invoiceId': ['The invoice 999999 does not exist.'] })
    expect(await errors(line(20), { customerId: String(other) })).toEqual({
      'lineItems.0.invoiceId': [`The invoice ${invoice} does not exist.`],
    })
    expect(await errors(line(20), { currency: 'EUR' })).toEqual({ currency: [`The invoice ${invoice} is in USD.`] })
    expect(await errors(line(20), { currency: 'QQQ' })).toEqual({ currency: ['This is no currency of ISO 4217.'] })
    expect(await errors(line(20), { customerId: 'abc' })).toHaveProperty('customerId')
    expect(await errors(line(20), { channelId: 99_999 })).toHaveProperty('channelId')
    expect(await errors(line(20), { processingStatus: 0 })).toHaveProperty('processingStatus')
    expect(await errors(line(20), { processingStatus: 5 })).toHaveProperty('processingStatus')
    expect(await errors([])).toHaveProperty('lineItems')
    expect(await errors(Array.from({ length: 101 }, (_, i) => ({ invoiceId: i + 1, amount: 1 })))).toHaveProperty(
      'lineItems',
    )
    for (const amount of [
      0,
      '0',
      -1,
      ' 1',
      '1 ',
      '1e2',
      'NaN',
      '',
      '1'.repeat(40),
      '1.00001',
      '0x1',
      100_000_000_000,
    ]) {
      expect(await errors(line(amount))).toEqual({ 'lineItems.0.amount': [expect.any(String)] })
    }
    expect(await stateOf(invoice)).toEqual(['100.0000', 0, 0])
    expect((await ask(shop, 'PUT', `${IP}/payments/offline/999999`, {})).status).toBe(422)
    for (const path of ['payments/999999', 'payments/abc', 'receipts/999999', 'receipts/1/lines/999999']) {
      expect((await ask(shop, 'GET', `${IP}/${path}`)).status).toBe(404)
    }
  })

  test('in a currency without decimals takes whole amounts only', async () => {
    const yen = { code: 'JPY', value: '1000' }
    const invoice = await makeInvoice(shop, company, '1', { originalBalance: yen, openBalance: yen })
    const { body } = await pay([{ invoiceId: invoice, amount: '40.5' }], { currency: 'JPY' })
    expect(body.data.errMsg).toEqual({ 'lineItems.0.amount': ['Amounts in JPY have no decimals.'] })
    expect((await pay([{ invoiceId: invoice, amount: '40.00' }], { currency: 'jpy' })).status).toBe(200)
    expect(await stateOf(invoice)).toEqual(['960.0000', 1, 0])
    const half = { code: 'JPY', value: 0.5 }
    const refusedInvoice = await ask(shop, 'POST', `${IP}/invoices`, {
      invoiceNumber: 'Yen',
      customerId: String(company),
      originalBalance: half,
      openBalance: half,
    })
    expect(refusedInvoice.body.data.errMsg).toEqual({
      'originalBalance.value': ['Amounts in JPY have no decimals.'],
      'openBalance.value': ['Amounts in JPY have no decimals.'],
    })
  })
})

test('a receipt or a line is deleted as a record: balances stay', async () => {
  const invoices = [await makeInvoice(shop, company), await makeInvoice(shop, company)]
  const { paymentId } = (await pay(invoices.map((invoiceId) => ({ invoiceId, amount: 10 })))).body.data
  const receipts: { id: number; paymentId: number }[] = (await ask(shop, 'GET', `${IP}/receipts?limit=250`)).body.data
  const id = receipts.find((receipt) => receipt.paymentId === paymentId)?.id ?? 0
  const lines: { id: number }[] = (await ask(shop, 'GET', `${IP}/receipts/${id}/lines`)).body.data
  const [first, second] = lines.map((line) => `${IP}/receipts/${id}/lines/${line.id}`)
  expect((await ask(shop, 'DELETE', String(first))).status).toBe(200)
  expect((await ask(shop, 'DELETE', String(first))).status).toBe(404)
  expect((await ask(shop, 'GET', `${IP}/receipts/${id}`)).status).toBe(200)
  expect((await ask(shop, 'DELETE', String(second))).status).toBe(200)
  expect((await ask(shop, 'GET', `${IP}/receipts/${id}`)).status).toBe(404)
  for (const invoice of invoices) expect(await stateOf(invoice)).toEqual(['90.0000', 1, 0])
  // The payment can still be reverted.
  expect((await operate(paymentId, 1)).status).toBe(200)
  const again = await paid()
  const kept = (await ask(shop, 'GET', `${IP}/receipts?limit=250`)).body.data.find(
    (receipt: { paymentId: number }) => receipt.paymentId === again.payment,
  )
  expect((await ask(shop, 'DELETE', `${IP}/receipts/${kept.id}`)).body.data).toEqual({ id: kept.id })
  expect((await ask(shop, 'DELETE', `${IP}/receipts/${kept.id}`)).status).toBe(404)
  expect(await stateOf(again.invoice)).toEqual(['60.0000', 1, 0])
})

interface Changed {
  id: number
  updatedAt: number
}

describe('the list of', () => {
  let filled: Shop
  let ids: number[]
  const find = async (path: string) => {
    const { status, body } = await ask(filled, 'GET', `${IP}/${path}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.map(({ id }: { id: number }) => id)
  }
  beforeAll(async () => {
    filled = await openShop()
    await enableCompanion(filled)
    const [one, two] = [await makeCompany(filled, 'Acme'), await makeCompany(filled, 'Beta')]
    ids = []
    for (const [i, { companyId }] of [one, two, one].entries()) {
      const invoiceId = await makeInvoice(filled, companyId)
      const { body } = await ask(filled, 'POST', `${IP}/payments/offline`, {
        lineItems: [{ invoiceId, amount: 50 - i }],
        currency: 'USD',
        details: {},
        customerId: String(companyId),
        externalId: `Bank ${i}`,
        externalCustomerId: `erp${i}`,
        payerName: `Payer ${i}`,
        payerCustomerId: `p${i}`,
        processingStatus: i === 2 ? 2 : 3,
        ...(i === 0 ? { channelId: 1 } : {}),
      })
      ids.push(body.data.paymentId)
    }
    await ask(filled, 'PUT', `${IP}/payments/${ids[1]}/processing-status`, { processingStatus: 4 })
  })

  test.each<[query: string, expected: number[]]>([
    ['', [3, 2, 1]],
    ['limit=1&offset=1', [2]],
    ['processingStatus=4', [2]],
    ['customerName=BET', [2]],
    ['invoiceId=3', [3]],
    ['invoiceId=9', []],
    ['channelIds[]=1', [1]],
    ['searchBy=externalId&q=bank 1', [2]],
    ['searchBy=externalCustomerId&q=ERP2', [3]],
    ['searchBy=customerId&q=2', [2]],
    ['searchBy=id&q=3', [3]],
    ['q=bank 0', [1]],
    ['sortBy=totalAmount&orderBy=asc', [3, 2, 1]],
    ['sortBy=moduleName&orderBy=ASC', [1, 2, 3]],
    ['sortBy=processingStatus&orderBy=ASC', [3, 1, 2]],
    ['sortBy=appliedStatus', [1, 3, 2]],
    ['sortBy=customerId&orderBy=ASC', [1, 3, 2]],
    ['sortBy=externalCustomerId', [3, 2, 1]],
    ['sortBy=fundingStatus&orderBy=ASC', [1, 2, 3]],
    ['sortBy=createdAt&orderBy=ASC', [1, 2, 3]],
  ])('payments for %s', async (query, expected) => {
    expect(await find(`payments?${query}`)).toEqual(expected)
  })

  // The refund may be a second later than the last payment, or in the same second.
  test('payments by the time of their last change, then by id', async () => {
    const { data } = (await ask(filled, 'GET', `${IP}/payments?sortBy=updatedAt&orderBy=ASC`)).body
    const sorted = data.toSorted((one: Changed, other: Changed) => one.updatedAt - other.updatedAt || one.id - other.id)
    expect(data).toEqual(sorted)
    expect(data).toHaveLength(3)
  })

  test.each<[query: string, expected: number[]]>([
    ['', [3, 2, 1]],
    ['paymentStatus[]=4', [3]],
    ['paymentStatus=3,4&limit=2', [3, 2]],
    ['searchBy=payerName&q=payer 0', [1]],
    ['searchBy=externalId&q=bank 0', [1]],
    ['searchBy=externalCustomerId&q=erp1', [3, 2]],
    ['searchBy=customerId&q=1', [1]],
    ['q=payer 1', [3, 2]],
    ['sortBy=total', [1, 3, 2]],
    ['sortBy=transactionType', [3, 2, 1]],
    ['sortBy=paymentId&orderBy=ASC', [1, 2, 3]],
    ['sortBy=customerId', [3, 2, 1]],
    ['sortBy=referenceNumber', [3, 2, 1]],
    ['sortBy=externalCustomerId&orderBy=ASC', [1, 2, 3]],
    ['sortBy=updatedAt', [3, 2, 1]],
  ])('receipts for %s', async (query, expected) => {
    expect(await find(`receipts?${query}`)).toEqual(expected)
  })

  test.each<[query: string, expected: number[]]>([
    ['', [3, 2, 1]],
    ['paymentStatus=3', [2, 1]],
    ['searchBy=invoiceId&q=2', [3, 2]],
    ['searchBy=payerCustomerId&q=P0', [1]],
    ['searchBy=payerName&q=payer 0', [1]],
    ['searchBy=externalId&q=bank 0', [1]],
    ['searchBy=externalCustomerId&q=erp0', [1]],
    ['searchBy=customerId&q=1', [1]],
    ['q=bank 1', [3, 2]],
    ['sortBy=amount', [1, 3, 2]],
    ['sortBy=receiptId&orderBy=ASC', [1, 2, 3]],
    ['sortBy=invoiceId', [3, 2, 1]],
    ['sortBy=customerId&orderBy=ASC', [1, 2, 3]],
    ['sortBy=externalCustomerId&orderBy=ASC', [1, 2, 3]],
    ['sortBy=updatedAt&limit=1&offset=2', [1]],
  ])('lines of receipts for %s', async (query, expected) => {
    expect(await find(`receipt-lines?${query}`)).toEqual(expected)
  })

  test.each([
    ['payments?limit=251', 413],
    ['payments?limit=0', 422],
    ['payments?offset=-1', 422],
    ['payments?sortBy=name', 422],
    ['payments?processingStatus=5', 422],
    ['receipts?paymentStatus=5', 422],
    ['receipts?limit=251', 413],
    ['receipt-lines?searchBy=memo', 422],
  ])('%s is %d', async (path, status) => {
    expect((await ask(filled, 'GET', `${IP}/${path}`)).status).toBe(status)
  })
})
