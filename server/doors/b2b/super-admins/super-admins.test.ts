import { beforeAll, describe, expect, test } from 'vitest'
import { addExtraField } from '../../../sales/b2b/extra-fields/definitions.ts'
import { ask, enableCompanion, makeCompany, makeSuperAdmin, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/b2b-super-admins.md.

const SUPER_ADMINS = '/v3/io/super-admins'
const COMPANIES = '/v3/io/companies'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
})

let named = 0
const body = (more: object = {}) => ({
  firstName: 'Eva',
  lastName: 'Holm',
  email: `eva${++named}@agency.example.com`,
  ...more,
})
const info = async (id: number) => (await ask(shop, 'GET', `${SUPER_ADMINS}/info/${id}`)).body

describe('a super admin', () => {
  test('is created with its customer, and answered as a whole', async () => {
    const made = await ask(
      shop,
      'POST',
      SUPER_ADMINS,
      body({ email: 'new@agency.example.com', phone: '5', uuid: 'x1' }),
    )
    expect(made.body).toEqual({
      code: 200,
      data: { userId: expect.any(Number), customerId: expect.any(Number) },
      meta: { message: 'Success' },
    })
    const { userId, customerId } = made.body.data
    const { data, ...rest } = await info(userId)
    expect(rest).toEqual({ code: 200, meta: { message: 'Success' } })
    expect(data).toEqual({
      id: userId,
      firstName: 'Eva',
      lastName: 'Holm',
      phone: '5',
      uuid: 'x1',
      email: 'new@agency.example.com',
      createdAt: expect.any(Number),
      updatedAt: data.createdAt,
      channelList: [{ channelId: 1, channelName: expect.any(String), iconUrl: expect.any(String) }],
      companyCount: 0,
      extraFields: [],
      customerId,
    })
    const customer = (await shop.call('GET', `/customers?id:in=${customerId}`)).body.data[0]
    expect(customer).toMatchObject({ email: 'new@agency.example.com', first_name: 'Eva', customer_group_id: 0 })
  })

  test('is the existing customer with the address', async () => {
    const account = { email: 'old@agency.example.com', first_name: 'Ole', last_name: 'Dam' }
    const customer = (await shop.call('POST', '/customers', [account])).body.data[0]
    const { data } = (await ask(shop, 'POST', SUPER_ADMINS, body({ email: 'OLD@agency.example.com' }))).body
    expect(data.customerId).toBe(customer.id)
    expect((await info(data.userId)).data).toMatchObject({ firstName: 'Ole', email: 'old@agency.example.com' })
    expect((await info(data.userId)).data).not.toHaveProperty('uuid')
  })

  test('is no company user, nor the other way round', async () => {
    const { companyId } = await makeCompany(shop, 'Walled')
    const taken = await ask(shop, 'POST', SUPER_ADMINS, body({ email: 'ANN@walled.example.com' }))
    expect(taken.status).toBe(400)
    expect(taken.body).toMatchObject({
      meta: { message: 'The user already exists.' },
      data: { errMsg: { email: ['ANN@walled.example.com is already a user of a company.'] } },
    })
    const id = await makeSuperAdmin(shop)
    const { email } = (await info(id)).data
    const again = await ask(shop, 'POST', SUPER_ADMINS, body({ email }))
    expect([again.status, again.body.data.errMsg.email]).toEqual([400, [`${email} is already a super admin.`]])
    const user = { firstName: 'A', lastName: 'B', email, companyId, role: 0, channelIds: [1] }
    const refusal = await ask(shop, 'POST', '/v3/io/users', user)
    expect(refusal.body).toEqual(refused(422, 'Parameter Error', { email: [`${email} is already a super admin.`] }))
    const users = (await ask(shop, 'GET', '/v3/io/users?limit=250')).body.data
    expect(users.map((one: { email: string }) => one.email)).not.toContain(email)
  })

  test('is changed, with its customer, but never its address', async () => {
    await addExtraField(await dbOf(shop), {
      kind: 'user',
      name: 'Desk',
      type: 'text',
      isRequired: false,
      isUnique: false,
      isVisible: true,
      defaultValue: '',
      maximumLength: undefined,
      rows: undefined,
      maximumValue: undefined,
      values: [],
    })
    const id = await makeSuperAdmin(shop)
    const { email, customerId } = (await info(id)).data
    const extraFields = [{ fieldName: 'Desk', fieldValue: '7' }]
    const changes = { firstName: 'Ida', phone: '9', uuid: 'y', email: 'other@agency.example.com', extraFields }
    const changed = await ask(shop, 'PUT', `${SUPER_ADMINS}/info/${id}`, changes)
    expect(changed.body.data).toMatchObject({ id, firstName: 'Ida', lastName: 'Holm', phone: '9', email, extraFields })
    expect(changed.body.data).not.toHaveProperty('customerId')
    const customer = (await shop.call('GET', `/customers?id:in=${customerId}`)).body.data[0]
    expect(customer).toMatchObject({ first_name: 'Ida', email })
    expect((await ask(shop, 'PUT', `${SUPER_ADMINS}/info/${id}`, { channelIds: [] })).status).toBe(422)
    expect((await ask(shop, 'PUT', `${SUPER_ADMINS}/info/${id}`, { channelIds: [77] })).body.data.errMsg).toEqual({
      channelIds: ['These channels do not exist: 77.'],
    })
  })

  test.each(['GET', 'PUT'])('that is missing is 404 for %s', async (method) => {
    const answer = await ask(shop, method, `${SUPER_ADMINS}/info/999999`, method === 'PUT' ? {} : undefined)
    expect(answer.status).toBe(404)
  })
})

describe('a list of new super admins', () => {
  const post = (items: unknown) => ask(shop, 'POST', `${SUPER_ADMINS}/bulk`, items)

  test('is stored as a whole', async () => {
    const { body: made } = await post([body(), body()])
    expect(made).toEqual({
      code: 200,
      data: { superAdminIds: [expect.any(Number), expect.any(Number)] },
      meta: { message: 'Success' },
    })
  })

  test('with faults is refused as a whole, with the faults of each item', async () => {
    const before = (await ask(shop, 'GET', `${COMPANIES}/super-admins`)).body.meta.pagination.totalCount
    const missing = await post([body(), { email: 'x@agency.example.com' }])
    expect([missing.status, missing.body]).toEqual([
      422,
      {
        code: 422,
        data: [{}, { firstName: ['This field is required'], lastName: ['This field is required'] }],
        meta: { message: 'Parameter Error' },
        detail: expect.any(String),
      },
    ])
    const { email } = (await info(await makeSuperAdmin(shop))).data
    const taken = await post([body(), body({ email })])
    expect([taken.status, taken.body]).toEqual([
      400,
      refused(400, 'API logic error', `${email} is already a super admin.`),
    ])
    const twice = body()
    expect((await post([twice, twice])).body.data.errMsg).toBe('Another item has this e-mail address.')
    expect((await post(Array.from({ length: 11 }, () => body()))).status).toBe(413)
    expect((await ask(shop, 'GET', `${COMPANIES}/super-admins`)).body.meta.pagination.totalCount).toBe(before + 1)
  })

  test('of 10 is stored', async () => {
    expect((await post(Array.from({ length: 10 }, () => body()))).status).toBe(200)
  })
})

describe('assignments', () => {
  let first: number
  let second: number
  let acme: number
  let beta: number
  beforeAll(async () => {
    ;[first, second] = [await makeSuperAdmin(shop), await makeSuperAdmin(shop)]
    acme = (await makeCompany(shop, 'Acme')).companyId
    beta = (await makeCompany(shop, 'Beta')).companyId
  })
  const companiesOf = async (id: number) => (await ask(shop, 'GET', `${SUPER_ADMINS}/${id}/companies`)).body
  const idsOf = async (company: number) =>
    (await ask(shop, 'GET', `${COMPANIES}/${company}/super-admins?orderBy=asc`)).body.data.map(
      ({ id }: { id: number }) => id,
    )

  test('change only the listed companies', async () => {
    const put = (companies: unknown) => ask(shop, 'PUT', `${SUPER_ADMINS}/${first}`, { companies })
    expect((await put([{ companyId: acme, isAssigned: true }])).body).toEqual({
      code: 200,
      data: {},
      meta: { message: 'Success' },
    })
    await put([{ companyId: beta, isAssigned: true }])
    expect(await companiesOf(first)).toEqual({
      code: 200,
      data: [
        { companyId: acme, companyName: 'Acme', companyEmail: 'office@acme.example.com' },
        { companyId: beta, companyName: 'Beta', companyEmail: 'office@beta.example.com' },
      ],
      meta: { message: 'Success', pagination: { totalCount: 2, limit: 10, offset: 0 } },
    })
    expect((await put([{ companyId: acme }])).status).toBe(422)
    const unknown = await put([
      { companyId: acme, isAssigned: false },
      { companyId: 999_999, isAssigned: true },
    ])
    expect(unknown.status).toBe(404)
    expect((await companiesOf(first)).meta.pagination.totalCount).toBe(2)
    expect((await ask(shop, 'PUT', `${SUPER_ADMINS}/999999`, { companies: [] })).status).toBe(404)
    expect((await ask(shop, 'GET', `${SUPER_ADMINS}/999999/companies`)).status).toBe(404)
  })

  test('change only the listed super admins', async () => {
    const put = (superAdmins: unknown) => ask(shop, 'PUT', `${COMPANIES}/${beta}/super-admins`, { superAdmins })
    expect((await put([{ superAdminId: second, isAssigned: true }])).status).toBe(200)
    expect(await idsOf(beta)).toEqual([first, second])
    const both = [
      { superAdminId: first, isAssigned: true },
      { superAdminId: first, isAssigned: false },
    ]
    expect((await put(both)).status).toBe(200)
    expect(await idsOf(beta)).toEqual([second])
    expect((await put([{ superAdminId: 999_999, isAssigned: true }])).status).toBe(404)
    expect((await put([{ isAssigned: true }])).status).toBe(422)
    expect((await ask(shop, 'PUT', `${COMPANIES}/999999/super-admins`, { superAdmins: [] })).status).toBe(404)
    expect((await ask(shop, 'GET', `${COMPANIES}/999999/super-admins`)).status).toBe(404)
    expect((await ask(shop, 'GET', `${COMPANIES}/abc/super-admins`)).status).toBe(400)
  })

  test('are counted for each company, most first', async () => {
    await ask(shop, 'PUT', `${COMPANIES}/${acme}/super-admins`, {
      superAdmins: [{ superAdminId: second, isAssigned: true }],
    })
    const list = async (query: string) => (await ask(shop, 'GET', `${SUPER_ADMINS}/companies${query}`)).body
    const { data, meta } = await list('?limit=1')
    expect(data).toEqual([
      {
        companyId: acme,
        companyName: 'Acme',
        companyEmail: 'office@acme.example.com',
        description: '',
        addressLine1: '',
        addressLine2: '',
        city: '',
        state: '',
        country: 'Australia',
        zipCode: '',
        catalogId: null,
        superAdminCount: 2,
      },
    ])
    expect(meta.pagination).toEqual({ totalCount: 3, limit: 1, offset: 0 })
    expect((await list('?orderBy=ASC')).data.at(-1).companyId).toBe(acme)
  })

  test('end with the company', async () => {
    const { companyId } = await makeCompany(shop, 'Gone')
    await ask(shop, 'PUT', `${SUPER_ADMINS}/${second}`, { companies: [{ companyId, isAssigned: true }] })
    await ask(shop, 'DELETE', `${COMPANIES}/${companyId}`)
    const companies = (await companiesOf(second)).data.map((one: { companyId: number }) => one.companyId)
    expect(companies).toEqual([acme, beta])
  })
})

test('changes publish events, and assignments also those of their companies', async () => {
  const own = await openShop()
  await enableCompanion(own)
  const { companyId: company_id } = await makeCompany(own, 'Acme')
  let heard = (await rowsOf(own, 'events')).length
  const publishedEvents = async () => {
    const events = await rowsOf(own, 'events')
    const news = events.slice(heard).map(({ scope, data }) => [scope, JSON.parse(String(data))])
    heard = events.length
    return news
  }
  const user_id = await makeSuperAdmin(own)
  expect(await publishedEvents()).toEqual([
    ['store/customer/created', { type: 'customer', id: 2 }],
    ['store/superadmin/created', { user_id }],
  ])
  await ask(own, 'PUT', `${SUPER_ADMINS}/info/${user_id}`, { phone: '1' })
  expect(await publishedEvents()).toEqual([['store/superadmin/updated', { user_id }]])
  const assigned = [
    ['store/company/superadmin/assignmentUpdated', { company_id }],
    ['store/superadmin/assignmentUpdated', { user_id }],
    ['store/superadmin/updated', { user_id }],
  ]
  const companies = (isAssigned: boolean) => ({ companies: [{ companyId: company_id, isAssigned }] })
  await ask(own, 'PUT', `${SUPER_ADMINS}/${user_id}`, companies(true))
  expect(await publishedEvents()).toEqual(assigned)
  const superAdmins = [{ superAdminId: user_id, isAssigned: false }]
  await ask(own, 'PUT', `${COMPANIES}/${company_id}/super-admins`, { superAdmins })
  expect(await publishedEvents()).toEqual(assigned)
  await ask(own, 'PUT', `${SUPER_ADMINS}/${user_id}`, companies(false))
  await ask(own, 'PUT', `${SUPER_ADMINS}/info/${user_id}`, { phone: '1' })
  expect(await publishedEvents()).toEqual([])
})

describe('the list of super admins', () => {
  let filled: Shop
  beforeAll(async () => {
    filled = await openShop()
    await enableCompanion(filled)
    const people = [
      ['Ann', 'Lee', 'ann@x.example.com', 'u1'],
      ['Bo', 'Ek', 'bo@y.example.com', ''],
      ['Cy', 'Dahl', 'cy@y.example.com', 'u1'],
    ]
    for (const [firstName, lastName, email, uuid] of people) {
      await ask(filled, 'POST', SUPER_ADMINS, { firstName, lastName, email, uuid })
    }
    const { companyId } = await makeCompany(filled, 'Acme')
    const superAdmins = [1, 3].map((superAdminId) => ({ superAdminId, isAssigned: true }))
    await ask(filled, 'PUT', `${COMPANIES}/${companyId}/super-admins`, { superAdmins })
  })
  const ids = async (path: string) => {
    const { body } = await ask(filled, 'GET', `${COMPANIES}/${path}`)
    expect(body.code, JSON.stringify(body)).toBe(200)
    return body.data.map(({ id }: { id: number }) => id)
  }

  test.each<[string, number[]]>([
    ['', [3, 2, 1]],
    ['orderBy=asc', [1, 2, 3]],
    ['limit=1&offset=1', [2]],
    ['offset=9', []],
    ['q=LEE', [1]],
    ['q=y.example', [3, 2]],
    ['uuid=u1', [3, 1]],
    ['uuid=', [3, 2, 1]],
    ['minCreated=1', [3, 2, 1]],
    ['maxCreated=1', []],
    ['minModified=1', [3, 2, 1]],
    ['maxModified=1', []],
  ])('finds by %s', async (query, expected) => {
    expect(await ids(`super-admins?${query}`)).toEqual(expected)
  })

  test.each<[string, number[]]>([
    ['', [3, 1]],
    ['orderBy=ASC', [1, 3]],
    ['q=ann', [1]],
  ])('of a company finds by %s', async (query, expected) => {
    expect(await ids(`1/super-admins?${query}`)).toEqual(expected)
  })

  test('is refused beyond its bounds', async () => {
    const status = async (query: string) => (await ask(filled, 'GET', `${COMPANIES}/super-admins?${query}`)).status
    expect(await status('limit=250')).toBe(200)
    expect(await status('limit=251')).toBe(413)
    expect(await status('limit=0')).toBe(422)
    expect(await status('minCreated=soon')).toBe(422)
  })
})
