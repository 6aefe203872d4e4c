import { beforeAll, describe, expect, test } from 'vitest'
import { ask, enableCompanion, makeCompany, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/companies.md sections 2 and 4.

const BULK = '/v3/io/companies/bulk'
const USERS = '/v3/io/users/bulk'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
})

let named = 0
const company = (more: object = {}) => {
  const name = `Firm${++named}`
  return {
    companyName: name,
    companyEmail: `office@${name}.example.com`,
    companyPhone: '1',
    country: 'Denmark',
    adminFirstName: 'Ann',
    adminLastName: 'Lee',
    adminEmail: `ann@${name}.example.com`,
    ...more,
  }
}
const totals = async (of: Shop) => [
  (await ask(of, 'GET', '/v3/io/companies')).body.meta.pagination.totalCount,
  (await ask(of, 'GET', '/v3/io/users')).body.meta.pagination.totalCount,
  (await of.call('GET', '/customers')).body.meta.pagination.total,
]

describe('a list of new companies', () => {
  test('is stored as a whole, without events of companies and users', async () => {
    const own = await openShop()
    await enableCompanion(own)
    const { body } = await ask(own, 'POST', BULK, [company(), company({ companyName: 'Second' })])
    expect(body).toEqual({ code: 200, data: [{ companyId: 1 }, { companyId: 2 }], meta: { message: 'SUCCESS' } })
    expect(await totals(own)).toEqual([2, 2, 2])
    const { data } = (await ask(own, 'GET', '/v3/io/companies/2')).body
    expect(data).toMatchObject({ companyName: 'Second', companyStatus: '1' })
    expect((await rowsOf(own, 'events')).map(({ scope }) => scope)).toEqual([
      'store/customer/created',
      'store/customer/created',
    ])
  })

  test('with duplicates is 409, and nothing is stored', async () => {
    await makeCompany(shop, 'Acme')
    const before = await totals(shop)
    const twice = company()
    const answer = await ask(shop, 'POST', BULK, [
      company(),
      company({ companyName: 'ACME' }),
      company({ companyEmail: 'office@acme.example.com' }),
      twice,
      { ...twice, companyEmail: 'else@x.example.com', adminEmail: 'else@x.example.com' },
    ])
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        code: 409,
        data: {
          errors: [
            { id: '1', _detail: 'Another company has this name.' },
            { id: '2', _detail: 'Another company has this e-mail address.' },
            { id: '4', _detail: 'Another company has this name.' },
          ],
        },
        meta: { message: 'Conflict' },
        detail: expect.any(String),
      },
    ])
    expect(await totals(shop)).toEqual(before)
  })

  test('with faulty items is 422, and nothing is stored', async () => {
    const before = await totals(shop)
    const { country: _, ...incomplete } = company()
    const answer = await ask(shop, 'POST', BULK, [company(), incomplete, company({ companyEmail: 'none' })])
    expect(answer.status).toBe(422)
    expect(answer.body.meta).toEqual({ message: 'Parameter Error' })
    expect(answer.body.data.errors).toEqual([
      { id: '1', _detail: 'country is required.' },
      { id: '2', _detail: expect.stringContaining('companyEmail') },
    ])
    const later = await ask(shop, 'POST', BULK, [
      company({ customerGroupId: 99 }),
      company({ channelIds: [77] }),
      company({ extraFields: [{ fieldName: 'Tier', fieldValue: '1' }] }),
    ])
    expect(later.body.data.errors).toEqual([{ id: '2', _detail: 'The extra field "Tier" does not exist.' }])
    const admin = company({ adminEmail: 'ann@acme.example.com' })
    expect((await ask(shop, 'POST', BULK, [company(), admin])).body.data.errors).toEqual([
      { id: '1', _detail: 'ann@acme.example.com is already a user of a company.' },
    ])
    expect((await ask(shop, 'POST', BULK, [])).status).toBe(422)
    expect((await ask(shop, 'POST', BULK, company())).status).toBe(422)
    expect(
      (
        await ask(
          shop,
          'POST',
          BULK,
          Array.from({ length: 11 }, () => company()),
        )
      ).status,
    ).toBe(413)
    expect(await totals(shop)).toEqual(before)
  })

  test('of 10 is stored', async () => {
    expect(
      (
        await ask(
          shop,
          'POST',
          BULK,
          Array.from({ length: 10 }, () => company()),
        )
      ).status,
    ).toBe(200)
  })
})

describe('a list of changed companies', () => {
  test('is stored item by item, with the mistakes of the others', async () => {
    const [one, two] = [await makeCompany(shop, 'Uno'), await makeCompany(shop, 'Due')]
    const good = await ask(shop, 'PUT', BULK, [
      { companyId: one.companyId, city: 'Rome' },
      { companyId: two.companyId, city: 'Milan' },
    ])
    expect(good.body).toEqual({
      code: 200,
      data: [{ companyId: one.companyId }, { companyId: two.companyId }],
      meta: { message: 'SUCCESS' },
    })
    const mixed = await ask(shop, 'PUT', BULK, [
      { companyId: one.companyId, city: 'Turin' },
      { companyId: 999_999, city: 'Bari' },
      { city: 'Bari' },
      { companyId: two.companyId, companyName: 'uno' },
    ])
    expect([mixed.status, mixed.body]).toEqual([
      400,
      {
        code: 400,
        data: {
          errors: [
            { id: '1', _detail: expect.stringContaining('999999') },
            { id: '2', _detail: 'companyId is required.' },
            { id: '3', _detail: 'Another company has this name.' },
          ],
        },
        meta: { message: 'API logic error' },
        detail: expect.any(String),
      },
    ])
    const city = async (id: number) => (await ask(shop, 'GET', `/v3/io/companies/${id}`)).body.data.city
    expect([await city(one.companyId), await city(two.companyId)]).toEqual(['Turin', 'Milan'])
    const many = Array.from({ length: 11 }, () => ({ companyId: one.companyId }))
    expect((await ask(shop, 'PUT', BULK, many)).status).toBe(413)
  })
})

describe('a list of new users', () => {
  let companyId: number
  beforeAll(async () => {
    companyId = (await makeCompany(shop, 'Crew')).companyId
  })
  const user = (more: object = {}) => ({
    firstName: 'Bo',
    lastName: 'Ek',
    email: `bo${++named}@crew.example.com`,
    companyId,
    role: 1,
    channelIds: [1],
    ...more,
  })

  test('is stored as a whole, with linked customers among them', async () => {
    const account = { email: 'old@crew.example.com', first_name: 'Ole', last_name: 'Dam' }
    const { id } = (await shop.call('POST', '/customers', [account])).body.data[0]
    const { body } = await ask(shop, 'POST', USERS, [user(), user({ email: account.email }), user({ role: 2 })])
    expect(body).toEqual({
      code: 200,
      data: Array.from({ length: 3 }, () => ({ userId: expect.any(Number), bcId: expect.any(Number) })),
      meta: { message: 'Success' },
    })
    expect(body.data[1].bcId).toBe(id)
    const names = await Promise.all(
      body.data.map(async ({ userId }: { userId: number }) => {
        const { data } = (await ask(shop, 'GET', `/v3/io/users/${userId}`)).body
        return [data.firstName, data.role]
      }),
    )
    expect(names).toEqual([
      ['Bo', 1],
      ['Ole', 1],
      ['Bo', 2],
    ])
  })

  test('with faults is refused as a whole, with the faults of each item', async () => {
    const before = await totals(shop)
    const { role: _, ...without } = user()
    const { firstName: _f, ...unnamed } = user()
    const errors = async (items: unknown[]) => (await ask(shop, 'POST', USERS, items)).body
    expect(await errors([user(), unnamed])).toEqual(
      refused(422, 'Parameter Error', [{}, { firstName: ['This field is required'] }]),
    )
    expect((await errors([user(), without])).data.errMsg).toEqual([
      {},
      { non_field_errors: ['A user must have a role.'] },
    ])
    const same = user()
    expect((await errors([same, user(), { ...same, email: same.email.toUpperCase() }])).data.errMsg).toEqual([
      {},
      {},
      { email: ['Another item has this e-mail address.'] },
    ])
    expect((await errors([user(), user({ companyId: 999_999 })])).data.errMsg).toEqual([
      {},
      { companyId: ['The company 999999 does not exist.'] },
    ])
    expect((await errors([user({ companyRoleId: 999_999 })])).data.errMsg).toEqual([
      { companyRoleId: ['The company role 999999 does not exist.'] },
    ])
    expect((await errors([user({ channelIds: [77] }), user()])).data.errMsg[0]).toHaveProperty('channelIds')
    expect((await errors([user({ email: 'ann@crew.example.com' })])).data.errMsg[0]).toHaveProperty('email')
    const many = Array.from({ length: 11 }, () => user())
    expect((await ask(shop, 'POST', USERS, many)).status).toBe(413)
    expect(await totals(shop)).toEqual(before)
    expect((await ask(shop, 'POST', USERS, many.slice(1))).status).toBe(200)
  })
})
