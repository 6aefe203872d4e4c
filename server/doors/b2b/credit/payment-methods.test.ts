import { beforeAll, describe, expect, test } from 'vitest'
import { ask, enableCompanion, makeCompany, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// docs/contract/b2b-credit.md section 4.

const LIST = '/v3/io/company-payment-methods'
const OFFLINE = [
  [3, 'purchaseorder', 'Purchase order'],
  [4, 'cheque', 'Check'],
  [5, 'bankdeposit', 'Bank deposit'],
  [6, 'moneyorder', 'Money order'],
  [7, 'cod', 'Cash on delivery'],
  [8, 'instore', 'Pay in store'],
] as const

let shop: Shop
let acme: number
let beta: number
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  acme = (await makeCompany(shop, 'Acme')).companyId
  beta = (await makeCompany(shop, 'Beta')).companyId
})
const path = (company: number | string) => `/v3/io/companies/${company}/payments`
const put = (company: number, payments: unknown) => ask(shop, 'PUT', path(company), { payments })
const enabled = async (company: number) => {
  const { data } = (await ask(shop, 'GET', path(company))).body
  return data.flatMap(({ code, isEnabled }: { code: string; isEnabled: boolean }) => (isEnabled ? [code] : []))
}

test('the methods of the store are those of its gateways and those without one', async () => {
  const { body } = await ask(shop, 'GET', '/v3/io/payments')
  const { data, ...rest } = body
  expect(rest).toEqual({ code: 200, meta: { message: 'Success' } })
  const offline = OFFLINE.map(([id, paymentCode, paymentTitle]) => ({ id, paymentCode, paymentTitle }))
  expect(data.filter(({ id }: { id: number }) => id > 2)).toEqual(offline)
})

describe('the methods of a company', () => {
  test('are enabled until they are disabled; others stay', async () => {
    const { body } = await ask(shop, 'GET', path(acme))
    expect(body).toEqual({ code: 200, data: expect.any(Array), meta: { message: 'Success' } })
    expect(body.data).toContainEqual({ paymentId: 4, code: 'cheque', paymentTitle: 'Check', isEnabled: true })
    const all = await enabled(acme)
    const answer = await put(acme, [
      { code: 'cheque', isEnabled: false },
      { code: 'cod', isEnabled: false },
    ])
    expect(answer.body).toEqual({ code: 200, data: [], meta: { message: 'Success' } })
    await put(acme, [{ code: 'cod', isEnabled: true }])
    expect(await enabled(acme)).toEqual(all.filter((code: string) => code !== 'cheque'))
    expect(await enabled(beta)).toEqual(all)
  })

  test('are refused without a code, with an unknown one, and for an unknown company', async () => {
    const before = await enabled(beta)
    const missing = await put(beta, [{ code: 'cod', isEnabled: false }, { isEnabled: false }])
    expect([missing.status, missing.body]).toEqual([
      400,
      refused(400, 'API logic error', 'Each payment method needs a code.'),
    ])
    const unknown = await put(beta, [
      { code: 'cod', isEnabled: false },
      { code: 'shells', isEnabled: true },
    ])
    expect(unknown.status).toBe(404)
    expect((await put(beta, [{ code: 'cod' }])).status).toBe(422)
    expect((await put(999_999, [])).status).toBe(404)
    expect((await ask(shop, 'GET', path(999_999))).status).toBe(404)
    expect((await ask(shop, 'GET', path('abc'))).status).toBe(400)
    expect(await enabled(beta)).toEqual(before)
  })
})

describe('the list of enabled methods', () => {
  const list = async (query: string) => {
    const { body } = await ask(shop, 'GET', `${LIST}?${query}`)
    expect(body.code, JSON.stringify(body)).toBe(200)
    return body
  }
  interface Row {
    companyId: number
    paymentMethodCode: string
  }
  const pairs = (rows: Row[]) => rows.map((row) => [row.companyId, row.paymentMethodCode])

  test('has a row for each company and method', async () => {
    const { data, meta } = await list(`companyId=${acme}&q=cod`)
    expect(data).toEqual([
      {
        companyId: acme,
        paymentId: 7,
        createdAt: expect.any(Number),
        updatedAt: expect.any(Number),
        paymentMethodCode: 'cod',
        paymentMethodTitle: 'Cash on delivery',
      },
    ])
    expect(meta).toEqual({ message: 'Success', pagination: { totalCount: 1, limit: 10, offset: 0 } })
  })

  test('finds by part of the code or of the title', async () => {
    expect(pairs((await list('q=CHECK')).data)).toEqual([[beta, 'cheque']])
    expect(pairs((await list(`q=order&companyId=${beta}`)).data).map(([, code]) => code)).toEqual([
      'purchaseorder',
      'moneyorder',
    ])
    expect((await list('q=shells')).data).toEqual([])
    expect((await list('companyId=0')).meta.pagination.totalCount).toBe(0)
  })

  test('is sorted by the time of the last change, or of the creation', async () => {
    for (const sortBy of ['updatedAt', 'createdAt'] as const) {
      const { data } = await list(`sortBy=${sortBy}&orderBy=asc&limit=250`)
      const times = data.map((row: Record<string, number>) => row[sortBy])
      expect(times).toEqual(times.toSorted((one: number, other: number) => one - other))
    }
    expect((await list('limit=2&offset=1')).data).toHaveLength(2)
    expect((await ask(shop, 'GET', `${LIST}?sortBy=code`)).status).toBe(422)
  })
})
