import { beforeAll, describe, expect, test } from 'vitest'
import { setCreditFeature } from '../../../sales/b2b/credit/credit.ts'
import { ask, enableCompanion, makeCompany, makeInvoice, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/b2b-credit.md.

let shop: Shop
let company: string
let companyId: number
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  companyId = (await makeCompany(shop, 'Acme')).companyId
  company = `/v3/io/companies/${companyId}`
})

describe('the credit of a company', () => {
  const put = (body: object) => ask(shop, 'PUT', `${company}/credit`, body)
  const none = {
    creditEnabled: false,
    creditCurrency: 'USD',
    availableCredit: 0,
    limitPurchases: false,
    creditHold: false,
  }

  test('is disabled until it is set; other fields stay', async () => {
    const read = async () => (await ask(shop, 'GET', `${company}/credit`)).body
    expect(await read()).toEqual({ code: 200, data: none, meta: { message: 'Success' } })
    const set = { ...none, creditEnabled: true, availableCredit: 500.25 }
    expect((await put({ creditEnabled: true, availableCredit: 500.25 })).body).toEqual({
      code: 200,
      data: set,
      meta: { message: 'Success' },
    })
    expect((await put({ creditHold: true, limitPurchases: true, creditCurrency: 'usd' })).body.data).toEqual({
      ...set,
      creditHold: true,
      limitPurchases: true,
    })
    expect((await read()).data).toEqual({ ...set, creditHold: true, limitPurchases: true })
  })

  test.each([
    [{}, ''],
    [{ availableCredit: -1 }, 'availableCredit'],
    [{ availableCredit: 1.001 }, 'availableCredit'],
    [{ availableCredit: 100_000_000_000 }, 'availableCredit'],
    [{ creditCurrency: 'EUR' }, 'creditCurrency'],
    [{ creditHold: 'no' }, 'creditHold'],
  ])('is refused for %j', async (body, field) => {
    const answer = await put(body)
    expect([answer.status, Object.keys(answer.body.data.errMsg)]).toEqual([422, [field]])
  })

  test('is refused for an unknown company, and in a store without the feature', async () => {
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? { creditHold: true } : undefined
      expect((await ask(shop, method, '/v3/io/companies/999999/credit', body)).status).toBe(404)
      expect((await ask(shop, method, '/v3/io/companies/abc/credit', body)).status).toBe(400)
      const db = await dbOf(shop)
      await setCreditFeature(db, false)
      expect((await ask(shop, method, `${company}/credit`, body)).body).toEqual(
        refused(400, 'API logic error', 'The store does not use company credit.'),
      )
      await setCreditFeature(db, true)
    }
  })
})

describe('the payment terms of a company', () => {
  const put = (body: object) => ask(shop, 'PUT', `${company}/payment-terms`, body)

  test.each([0, 5, 15, 30, 45, 60])(
    'can be %d days; an invoice is due then, at the same time of day (M22)',
    async (days) => {
      expect((await put({ isEnabled: true, paymentTerms: days })).body).toEqual({
        code: 200,
        data: { isEnabled: true, paymentTerms: days },
        meta: { message: 'Success' },
      })
      const invoice = await makeInvoice(shop, companyId)
      const { issuedAt, dueDate } = (await ask(shop, 'GET', `/v3/io/ip/invoices/${invoice}`)).body.data
      expect(dueDate - issuedAt).toBe(days * 86_400)
    },
  )

  test('are those of the store while they are not enabled', async () => {
    expect((await put({ isEnabled: false, paymentTerms: 7 })).body.data).toEqual({ isEnabled: false, paymentTerms: 30 })
    expect((await ask(shop, 'GET', `${company}/payment-terms`)).body.data).toEqual({
      isEnabled: false,
      paymentTerms: 30,
    })
  })

  test('are refused for other days, missing fields and unknown companies', async () => {
    for (const paymentTerms of [-1, 1, 61]) {
      expect((await put({ isEnabled: true, paymentTerms })).status).toBe(400)
    }
    expect((await put({ isEnabled: true })).body.data.errMsg).toEqual({ paymentTerms: ['This field is required'] })
    expect((await put({ paymentTerms: 5 })).status).toBe(422)
    const missing = await ask(shop, 'PUT', '/v3/io/companies/999999/payment-terms', {
      isEnabled: true,
      paymentTerms: 5,
    })
    expect(missing.status).toBe(404)
  })
})
