import { beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  askBare,
  backendToken,
  enableCompanion,
  makeBackendToken,
  makeCompany,
  makeRep,
  refused,
} from '../../../test/fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/companies.md.

const COMPANIES = '/v3/io/companies'
const USERS = '/v3/io/users'

const body = {
  companyName: 'Harbour Cafes',
  companyEmail: 'office@harbour.example.com',
  companyPhone: '555 1',
  addressLine1: '12 Harbour Street',
  city: 'Sydney',
  state: 'New South Wales',
  zipCode: '2000',
  country: 'Australia',
  uuid: 'erp-7',
  adminFirstName: 'Ann',
  adminLastName: 'Lee',
  adminEmail: 'Ann@harbour.example.com',
  adminPhoneNumber: '5'.repeat(100),
}

async function open(): Promise<Shop> {
  const shop = await openShop()
  await enableCompanion(shop)
  return shop
}

const customerOf = async (shop: Shop, id: number) => (await shop.call('GET', `/customers?id:in=${id}`)).body.data[0]

describe('a company', () => {
  test('is created with its admin, read, changed and deleted; then its users are plain customers', async () => {
    const shop = await open()
    const { id: group } = (await shop.call('POST', '/customer_groups', { name: 'Trade' }, { version: 'v2' })).body
    const made = await ask(shop, 'POST', COMPANIES, { ...body, customerGroupId: group })
    expect(made.body).toEqual({
      code: 200,
      data: { companyId: 1, customerId: 1, customerGroupId: group },
      meta: { message: 'SUCCESS' },
    })
    const read = async () => (await ask(shop, 'GET', `${COMPANIES}/1`)).body.data
    const { createdAt, updatedAt, ...rest } = await read()
    expect(rest).toEqual({
      companyId: 1,
      companyName: 'Harbour Cafes',
      companyEmail: 'office@harbour.example.com',
      companyPhone: '555 1',
      addressLine1: '12 Harbour Street',
      addressLine2: '',
      city: 'Sydney',
      state: 'New South Wales',
      country: 'Australia',
      zipCode: '2000',
      companyStatus: '1',
      bcGroupId: String(group),
      bcGroupName: 'Trade',
      catalogId: '',
      catalogName: '',
      priceListAssign: [],
      parentCompany: null,
      extraFields: [],
      uuid: 'erp-7',
    })
    expect([Number.isInteger(createdAt), updatedAt]).toEqual([true, createdAt])
    expect(await customerOf(shop, 1)).toMatchObject({
      email: 'Ann@harbour.example.com',
      first_name: 'Ann',
      company: 'Harbour Cafes',
      customer_group_id: group,
    })
    expect((await ask(shop, 'GET', `${USERS}/1`)).body).toMatchObject({
      data: {
        email: 'Ann@harbour.example.com',
        role: 0,
        companyRoleName: 'Admin',
        phoneNumber: body.adminPhoneNumber,
        companyId: 1,
      },
      meta: { message: 'Success' },
    })

    const { clock } = await theHouse()
    clock.move(5_000)
    const changed = await ask(shop, 'PUT', `${COMPANIES}/1`, { companyName: 'Harbour', customerGroupId: 0 })
    expect(changed.body).toEqual({ code: 200, data: { companyId: 1 }, meta: { message: 'SUCCESS' } })
    const now = await read()
    expect(now).toMatchObject({ companyName: 'Harbour', city: 'Sydney', bcGroupId: '0', bcGroupName: '' })
    expect(now.updatedAt).toBeGreaterThan(createdAt)
    expect((await customerOf(shop, 1)).customer_group_id).toBe(0)
    const none = await ask(shop, 'PUT', `${COMPANIES}/1/status`, { companyStatus: 4 })
    expect(none.body.data.errMsg).toEqual({ companyStatus: ['companyStatus must be one of 0, 1, 2, 3, not 4.'] })
    for (const companyStatus of [3, 2, 0, 1]) {
      expect((await ask(shop, 'PUT', `${COMPANIES}/1/status`, { companyStatus })).body.data).toEqual({ companyId: 1 })
      expect((await read()).companyStatus).toBe(String(companyStatus))
    }

    await ask(shop, 'PUT', `${COMPANIES}/1`, { customerGroupId: group })
    const gone = await ask(shop, 'DELETE', `${COMPANIES}/1`)
    expect(gone.body).toEqual({ code: 200, data: {}, meta: { message: 'SUCCESS' } })
    expect((await ask(shop, 'GET', `${COMPANIES}/1`)).body).toEqual(
      refused(404, 'Not Found Error', 'The company 1 does not exist.'),
    )
    expect((await ask(shop, 'GET', `${USERS}/1`)).status).toBe(404)
    expect(await customerOf(shop, 1)).toMatchObject({ customer_group_id: 0 })
  })

  test('takes the customer with the address of its admin; among several the one of the channel', async () => {
    const shop = await open()
    await shop.call('POST', '/customers', [{ email: 'eva@x.example.com', first_name: 'E', last_name: 'P' }])
    const { customerId } = await makeCompany(shop, 'Known', { adminEmail: 'EVA@x.example.com' })
    expect(customerId).toBe(1)
    // The customer keeps its name and address.
    expect((await ask(shop, 'GET', `${USERS}/customer/1`)).body.data).toMatchObject({ firstName: 'E', lastName: 'P' })
  })

  test('gets the default group of the store unless it names one', async () => {
    const shop = await open()
    const group = { name: 'Usual', is_default: true }
    const { id } = (await shop.call('POST', '/customer_groups', group, { version: 'v2' })).body
    expect(await makeCompany(shop, 'Usual')).toMatchObject({ customerGroupId: id })
    expect(await makeCompany(shop, 'Other', { customerGroupId: 0 })).toMatchObject({ customerGroupId: 0 })
  })

  test('is refused for the name or address of another, and for unknown things', async () => {
    const shop = await open()
    await makeCompany(shop, 'Acme')
    const post = async (more: object) => {
      const { status, body: found } = await ask(shop, 'POST', COMPANIES, { ...body, ...more })
      return [status, found.meta.message, found.data.errMsg]
    }
    expect(await post({ companyName: ' ACME ' })).toEqual([
      409,
      'Conflict',
      { companyName: ['Another company has this name.'] },
    ])
    expect(await post({ companyEmail: 'Office@Acme.example.com' })).toEqual([
      409,
      'Conflict',
      { companyEmail: ['Another company has this e-mail address.'] },
    ])
    const parameter = (fields: object) => [422, 'Parameter Error', fields]
    const taken = 'ann@acme.example.com is already a user of a company.'
    expect(await post({ adminEmail: 'ann@acme.example.com' })).toEqual(parameter({ adminEmail: [taken] }))
    expect(await post({ customerGroupId: 7 })).toEqual(
      parameter({ customerGroupId: ['The customer group 7 does not exist.'] }),
    )
    expect(await post({ originChannelId: 7, channelIds: [1, 8] })).toEqual(
      parameter({
        channelIds: ['These channels do not exist: 8.'],
        originChannelId: ['The channel 7 does not exist.'],
      }),
    )
    expect(await post({ extraFields: [{ fieldName: 'Tier', fieldValue: '1' }] })).toEqual(
      parameter({ extraFields: ['The extra field "Tier" does not exist.'] }),
    )
    await makeCompany(shop, 'Beta')
    const put = async (changes: object) => (await ask(shop, 'PUT', `${COMPANIES}/2`, changes)).status
    expect(await put({ companyName: 'acme' })).toBe(409)
    expect(await put({ customerGroupId: 7 })).toBe(422)
    expect(await put({ companyName: '' })).toBe(422)
    expect((await ask(shop, 'PUT', `${COMPANIES}/2/status`, { companyStatus: 4 })).status).toBe(422)
    // A refused request leaves nothing behind.
    expect((await ask(shop, 'GET', COMPANIES)).body.meta.pagination.totalCount).toBe(2)
    expect((await shop.call('GET', '/customers')).body.meta.pagination.total).toBe(2)
  })

  test('two concurrent requests with one address create one company', async () => {
    const shop = await open()
    const post = (name: string) =>
      ask(shop, 'POST', COMPANIES, { ...body, companyName: name, companyEmail: `${name}@x.example.com` })
    const both = await Promise.all([post('One'), post('Two')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})

test('changes of companies, users and their customers publish events, and a change without effect does not', async () => {
  const shop = await open()
  let heard = 0
  const publishedEvents = async () => {
    const events = await rowsOf(shop, 'events')
    const news = events.slice(heard).map(({ scope, data }) => [scope, JSON.parse(String(data))])
    heard = events.length
    return news
  }
  const company = { company_id: 1 }
  const customer = (id: number) => ({ type: 'customer', id })
  const { id: group } = (await shop.call('POST', '/customer_groups', { name: 'Trade' }, { version: 'v2' })).body
  await makeCompany(shop, 'Acme')
  expect(await publishedEvents()).toEqual([
    ['store/company/created', company],
    ['store/customer/created', customer(1)],
    ['store/company/user/created', { ...company, user_id: 1 }],
  ])
  await ask(shop, 'PUT', `${COMPANIES}/1`, { city: 'Perth', customerGroupId: group })
  expect(await publishedEvents()).toEqual([
    ['store/company/updated', company],
    ['store/customer/updated', customer(1)],
  ])
  await ask(shop, 'PUT', `${COMPANIES}/1/status`, { companyStatus: 3 })
  expect(await publishedEvents()).toEqual([
    ['store/company/updated', company],
    ['store/company/statusUpdated', company],
  ])
  const bo = { firstName: 'Bo', lastName: 'Ek', email: 'bo@acme.example.com', companyId: 1, role: 1, channelIds: [1] }
  await ask(shop, 'POST', USERS, bo)
  const user = { ...company, user_id: 2 }
  expect(await publishedEvents()).toEqual([
    ['store/customer/created', customer(2)],
    ['store/company/user/created', user],
  ])
  await ask(shop, 'PUT', `${USERS}/2`, { lastName: 'Holm' })
  expect(await publishedEvents()).toEqual([
    ['store/customer/updated', customer(2)],
    ['store/company/user/updated', user],
  ])
  await ask(shop, 'PUT', `${USERS}/2`, { role: 2 })
  expect(await publishedEvents()).toEqual([['store/company/user/updated', user]])

  const { clock } = await theHouse()
  const before = (await ask(shop, 'GET', `${USERS}/2`)).body.data
  clock.move(5_000)
  await ask(shop, 'PUT', `${USERS}/2`, { ...bo, lastName: 'Holm', role: 2 })
  await ask(shop, 'PUT', `${COMPANIES}/1`, { city: 'Perth', customerGroupId: group })
  await ask(shop, 'PUT', `${COMPANIES}/1/status`, { companyStatus: 3 })
  expect(await publishedEvents()).toEqual([])
  expect((await ask(shop, 'GET', `${USERS}/2`)).body.data).toEqual(before)

  await ask(shop, 'DELETE', `${USERS}/2`)
  expect(await publishedEvents()).toEqual([
    ['store/company/user/deleted', user],
    ['store/customer/updated', customer(2)],
  ])
  await ask(shop, 'DELETE', `${COMPANIES}/1`)
  expect(await publishedEvents()).toEqual([
    ['store/company/deleted', company],
    ['store/customer/updated', customer(1)],
  ])
})

describe('lists', () => {
  let shop: Shop
  let rep: { authtoken: string }
  beforeAll(async () => {
    shop = await open()
    const { clock } = await theHouse()
    for (const name of ['Acme', 'Beta', 'Cargo']) {
      await makeCompany(shop, name)
      clock.move(10_000)
    }
    await ask(shop, 'PUT', `${COMPANIES}/1/status`, { companyStatus: 3 })
    const user = {
      firstName: 'Bo',
      lastName: 'Ek',
      email: 'bo@acme.example.com',
      companyId: 1,
      role: 2,
      channelIds: [1],
    }
    await ask(shop, 'POST', USERS, user)
    rep = { authtoken: await backendToken(shop, true) }
  })
  const names = async (query: string) =>
    (await ask(shop, 'GET', `${COMPANIES}${query}`)).body.data.map((row: { companyName: string }) => row.companyName)
  const emails = async (query: string) =>
    (await ask(shop, 'GET', `${USERS}${query}`)).body.data.map((row: { email: string }) => row.email)

  test.each([
    ['', ['Cargo', 'Beta', 'Acme']],
    ['?limit=1&offset=1', ['Beta']],
    ['?offset=9', []],
    ['?q=AR', ['Cargo']],
    ['?companyStatus=3', ['Acme']],
    ['?customerId=2', ['Beta']],
    ['?customerId=0', []],
    ['?extraFields=tier:gold', []],
    ['?bcGroupId=0&limit=2', ['Cargo', 'Beta']],
    ['?sortBy=companyName&orderBy=asc', ['Acme', 'Beta', 'Cargo']],
    ['?sortBy=updatedAt&orderBy=DESC', ['Acme', 'Cargo', 'Beta']],
  ])('of companies: %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test('of companies filter by an order of one of their users', async () => {
    const order = async (customer_id: number) => {
      const products = [{ name: 'Print', quantity: 1, price_inc_tax: 5, price_ex_tax: 5 }]
      const sent = { customer_id, billing_address: { zip: '2000' }, products }
      return (await shop.call('POST', '/orders', sent, { version: 'v2' })).body.id
    }
    const [own, guests] = [await order(2), await order(0)]
    expect(await names(`?bcOrderId=${own}`)).toEqual(['Beta'])
    expect(await names(`?orderId=${own}`)).toEqual(['Beta'])
    expect(await names(`?bcOrderId=${guests}`)).toEqual([])
    expect(await names(`?bcOrderId=${guests + 1}`)).toEqual([])
  })

  test('of companies filter by time, bounds included', async () => {
    const { data } = (await ask(shop, 'GET', COMPANIES)).body
    const beta = data[1]
    expect(await names(`?minCreated=${beta.createdAt}`)).toEqual(['Cargo', 'Beta'])
    expect(await names(`?minCreated=${beta.createdAt + 1}`)).toEqual(['Cargo'])
    expect(await names(`?maxCreated=${beta.createdAt}`)).toEqual(['Beta', 'Acme'])
    expect(await names(`?minModified=${data[2].updatedAt}`)).toEqual(['Acme'])
    expect(await names(`?maxModified=${beta.updatedAt - 1}`)).toEqual([])
  })

  test.each([
    ['', ['bo@acme.example.com', 'ann@cargo.example.com', 'ann@beta.example.com', 'ann@acme.example.com']],
    ['?companyId=1', ['bo@acme.example.com', 'ann@acme.example.com']],
    ['?roles=2', ['bo@acme.example.com']],
    ['?roles=1,2&companyId=2', []],
    ['?email=BO@acme.example.com', ['bo@acme.example.com']],
    ['?q=carg', ['ann@cargo.example.com']],
    ['?q=ek', ['bo@acme.example.com']],
    ['?channelId=1&limit=1', ['bo@acme.example.com']],
    ['?channelId=2', []],
    ['?minCreated=9999999999', []],
  ])('of users: %s', async (query, expected) => {
    expect(await emails(query)).toEqual(expected)
  })

  test('show a sales representative only the assigned companies; others are 403 by id', async () => {
    const denied = refused(403, 'Permission denied', 'Permission denied')
    const get = async (path: string) => (await askBare('GET', path, undefined, rep)).body
    expect((await get(COMPANIES)).data).toEqual([])
    expect(await get(`${COMPANIES}/2`)).toEqual(denied)
    expect(await get(`${COMPANIES}/99`)).toEqual(denied)
    const { data } = (await ask(shop, 'GET', '/v3/io/sales-staffs')).body
    expect(data).toEqual([
      { id: expect.any(Number), email: expect.any(String), salesRepName: 'Staff', roleName: 'owner', companyCount: 0 },
    ])
    const member = `/v3/io/sales-staffs/${data[0].id}`
    const assigned = await ask(shop, 'PUT', member, [{ companyId: 2, assignStatus: true }])
    expect(assigned.body.data).toMatchObject({ assignedCompanies: [{ id: 2, companyName: 'Beta', bcId: '0' }] })
    expect((await get(COMPANIES)).data).toMatchObject([{ companyId: 2 }])
    expect((await get(USERS)).data).toMatchObject([{ companyId: 2 }])
    expect((await get(`${COMPANIES}/2`)).code).toBe(200)
    expect(await get(`${USERS}/1`)).toEqual(denied)
    expect(await get(`${USERS}/customer/1`)).toEqual(denied)
    const write = async (method: string, path: string, sent: object) => (await askBare(method, path, sent, rep)).body
    expect(await write('PUT', `${COMPANIES}/1`, { city: 'Perth' })).toEqual(denied)
    expect(await write('PUT', `${COMPANIES}/1/status`, { companyStatus: 1 })).toEqual(denied)
    expect(await write('PUT', `${USERS}/1`, { lastName: 'X' })).toEqual(denied)
    expect(await write('POST', '/io/auth/customers/storefront', { customerId: 1 })).toEqual(denied)
    expect((await ask(shop, 'GET', '/v3/io/sales-staffs?companyId=2&sortBy=email')).body.data).toHaveLength(1)
    // A representative that could assign companies, or use a token of another person, could see all companies.
    expect(await write('PUT', member, [{ companyId: 1, assignStatus: true }])).toEqual(denied)
    const other = await makeRep(shop)
    expect((await get('/v3/io/sales-staffs')).data).toMatchObject([{ id: data[0].id }])
    expect((await get(member)).data).toMatchObject({ assignedCompanies: [{ id: 2 }] })
    expect(await get(`/v3/io/sales-staffs/${other}`)).toEqual(denied)
    const tokenOfOwner = await makeBackendToken(shop)
    expect((await get('/io/backend/tokens')).data).toMatchObject([{ token: rep.authtoken }])
    expect((await write('DELETE', '/io/auth/backend', { id: tokenOfOwner })).code).toBe(404)
    const { data: own } = await write('POST', COMPANIES, {
      ...body,
      companyName: 'Own',
      companyEmail: 'own@x.example.com',
    })
    expect((await get(`${COMPANIES}/${own.companyId}`)).data).toMatchObject({ companyName: 'Own' })
    await ask(shop, 'DELETE', `${COMPANIES}/${own.companyId}`)
    expect((await ask(shop, 'GET', '/v3/io/sales-staffs?companyId=1')).body.data).toEqual([])
    await ask(shop, 'PUT', member, [{ companyId: 2, assignStatus: false }])
    expect((await get(COMPANIES)).data).toEqual([])
    const unknown = await ask(shop, 'PUT', member, [{ companyId: 99, assignStatus: true }])
    expect([unknown.status, unknown.body.data.errMsg]).toEqual([
      422,
      { '0.companyId': ['The company 99 does not exist.'] },
    ])
    expect((await ask(shop, 'PUT', '/v3/io/sales-staffs/99', [{ companyId: 1, assignStatus: true }])).status).toBe(422)
    expect((await ask(shop, 'GET', '/v3/io/sales-staffs/99')).status).toBe(404)
  })

  test('of storefront channels show each with its address', async () => {
    await shop.call('POST', '/channels', { name: 'Till', type: 'pos', platform: 'custom' })
    const { data } = (await ask(shop, 'GET', '/v3/io/channels')).body
    expect(data).toEqual([
      {
        id: 1,
        channelId: 1,
        name: expect.any(String),
        type: 'storefront',
        platform: 'bigcommerce',
        status: expect.any(String),
        site: expect.stringMatching(/^https?:\/\/.*[^/]$/),
        isVisible: true,
        isEnabled: expect.any(Boolean),
        iconUrl: '',
        b2bEnabled: true,
        allowGlobalLogins: true,
        createdAt: expect.any(Number),
        updatedAt: expect.any(Number),
      },
    ])
    expect((await ask(shop, 'GET', '/v3/io/channels/1')).body.data).toEqual(data[0])
    for (const id of [2, 664159, 'x']) expect((await ask(shop, 'GET', `/v3/io/channels/${id}`)).status).toBe(404)
  })
})

describe('a user', () => {
  const bo = { firstName: 'Bo', lastName: 'Ek', email: 'bo@acme.example.com', companyId: 1, role: 1, channelIds: [1] }

  test('is created, read, changed together with the customer, and deleted', async () => {
    const shop = await open()
    await makeCompany(shop, 'Acme')
    const made = await ask(shop, 'POST', USERS, { ...bo, phoneNumber: '5', uuid: 'u-1', acceptWelcomeEmail: false })
    expect(made.body).toEqual({ code: 200, data: { userId: 2, bcId: 2 }, meta: { message: 'Success' } })
    const { createdAt, updatedAt, ...rest } = (await ask(shop, 'GET', `${USERS}/2`)).body.data
    expect(rest).toEqual({
      id: 2,
      firstName: 'Bo',
      lastName: 'Ek',
      email: 'bo@acme.example.com',
      phoneNumber: '5',
      role: 1,
      companyRoleId: 2,
      companyRoleName: 'Senior Buyer',
      uuid: 'u-1',
      extraFields: [],
      companyId: 1,
      customerId: 2,
      channelList: [{ channelId: 1, channelName: expect.any(String), iconUrl: '' }],
    })
    expect(updatedAt).toBe(createdAt)
    const changes = { email: 'bo.ek@acme.example.com', lastName: 'Ek-Holm', role: 2, companyId: 9, originChannelId: 9 }
    const changed = await ask(shop, 'PUT', `${USERS}/2`, changes)
    expect(changed.body.data).toMatchObject({ email: changes.email, lastName: 'Ek-Holm', role: 2, companyId: 1 })
    expect(await customerOf(shop, 2)).toMatchObject({ email: changes.email, last_name: 'Ek-Holm' })
    // A change of the customer changes the user.
    await shop.call('PUT', '/customers', [{ id: 2, first_name: 'Bob' }])
    expect((await ask(shop, 'GET', `${USERS}/customer/2`)).body.data.firstName).toBe('Bob')

    const gone = await ask(shop, 'DELETE', `${USERS}/1`)
    expect(gone.body).toEqual({ code: 200, data: { userId: 1 }, meta: { message: 'Success' } })
    expect(await customerOf(shop, 1)).toBeDefined()
    const last = await ask(shop, 'DELETE', `${USERS}/2`)
    const sentence = "The last user of a company can't be deleted."
    expect(last.body).toEqual(refused(422, 'Logical Error', sentence))
    expect((await ask(shop, 'GET', `${USERS}/customer/1`)).status).toBe(404)
  })

  test.each([
    ['no role', { role: undefined }, { non_field_errors: ['A user must have a role.'] }],
    ['a role that is none', { companyRoleId: 9 }, { companyRoleId: ['The company role 9 does not exist.'] }],
    ['a role past all', { role: 3 }, { role: [expect.any(String)] }],
    ['a company that is none', { companyId: 9 }, { companyId: ['The company 9 does not exist.'] }],
    ['no company', { companyId: undefined }, { companyId: ['This field is required'] }],
    ['no channels', { channelIds: [] }, { channelIds: [expect.any(String)] }],
    ['a channel that is none', { channelIds: [1, 7] }, { channelIds: ['These channels do not exist: 7.'] }],
    [
      'the address of a user',
      { email: 'ANN@acme.example.com' },
      { email: ['ANN@acme.example.com is already a user of a company.'] },
    ],
    ['no address', { email: 'nobody' }, { email: [expect.any(String)] }],
    ['an extra field', { extraFields: [{ fieldName: 'x', fieldValue: '' }] }, { extraFields: [expect.any(String)] }],
  ])('is refused with %s', async (_, wrong, said) => {
    const shop = await refusing()
    const { status, body: found } = await ask(shop, 'POST', USERS, { ...bo, ...wrong })
    expect([status, found.data.errMsg]).toEqual([422, said])
  })
  let refusingShop: Promise<Shop> | undefined
  const refusing = () => {
    refusingShop ??= open().then(async (shop) => {
      await makeCompany(shop, 'Acme')
      return shop
    })
    return refusingShop
  }

  test('needs channels in a store with several storefronts, and otherwise gets the only one', async () => {
    const shop = await open()
    await makeCompany(shop, 'Acme')
    const { channelIds: _, ...anywhere } = bo
    expect((await ask(shop, 'POST', USERS, anywhere)).status).toBe(200)
    await shop.call('POST', '/channels', { name: 'Second', type: 'storefront', platform: 'custom' })
    const { body: found } = await ask(shop, 'POST', USERS, { ...anywhere, email: 'c@acme.example.com' })
    expect(found.data.errMsg).toEqual({ channelIds: [expect.stringContaining('several storefronts')] })
    const taken = await ask(shop, 'PUT', `${USERS}/2`, { email: 'ann@acme.example.com' })
    expect(taken.body.data.errMsg).toEqual({ email: [expect.stringContaining('already')] })
  })
})

describe('roles', () => {
  test('three are predefined and fixed; others are created, replaced, and deleted if no user has them', async () => {
    const shop = await open()
    await makeCompany(shop, 'Acme')
    const roles = `${COMPANIES}/roles`
    const list = await ask(shop, 'GET', roles)
    expect(list.body).toEqual({
      code: 200,
      data: ['Admin', 'Senior Buyer', 'Junior Buyer'].map((name, i) => ({
        id: i + 1,
        name,
        roleType: 1,
        roleLevel: 1,
      })),
      meta: { message: 'SUCCESS', pagination: { totalCount: 3, limit: 10, offset: 0 } },
    })
    const grants = async (id: number) => {
      const { permissions } = (await ask(shop, 'GET', `${roles}/${id}`)).body.data
      return new Map(permissions.map(({ code, permissionLevel }: Record<string, unknown>) => [code, permissionLevel]))
    }
    const [admin, senior, junior] = [await grants(1), await grants(2), await grants(3)]
    expect([admin.size, senior.size, junior.size]).toEqual([40, 39, 18])
    expect([admin.get('get_company_subsidiaries'), senior.get('get_users'), senior.get('create_quote')]).toEqual([
      3, 2, 1,
    ])
    expect([junior.get('get_users'), junior.get('get_orders')]).toEqual([undefined, 1])
    expect((await ask(shop, 'GET', `${COMPANIES}/permissions?q=invoice_pdf`)).body.data).toEqual([
      {
        id: expect.any(Number),
        name: 'Get invoice pdf',
        description: 'Get invoice pdf',
        code: 'get_invoice_pdf',
        moduleName: 'invoice pdf',
        isCustom: false,
      },
    ])

    const role = { name: 'Bookkeeper', permissions: [{ code: 'get_invoices', permissionLevel: 3 }] }
    const { data } = (await ask(shop, 'POST', roles, role)).body
    expect(data).toEqual({
      id: 4,
      name: 'Bookkeeper',
      roleType: 2,
      roleLevel: 1,
      permissions: [{ id: expect.any(Number), code: 'get_invoices', permissionLevel: 3 }],
    })
    const user = { firstName: 'Cy', lastName: 'Dahl', email: 'cy@acme.example.com', companyId: 1, channelIds: [1] }
    const made = await ask(shop, 'POST', USERS, { ...user, role: 0, companyRoleId: 4 })
    expect((await ask(shop, 'GET', `${USERS}/${made.body.data.userId}`)).body.data).toMatchObject({
      role: 2,
      companyRoleId: 4,
      companyRoleName: 'Bookkeeper',
    })
    expect((await ask(shop, 'PUT', `${roles}/4`, { name: 'Books', permissions: [] })).body.data.permissions).toEqual([])
    expect((await ask(shop, 'DELETE', `${roles}/4`)).status).toBe(422)
    await ask(shop, 'PUT', `${USERS}/2`, { role: 0 })
    expect((await ask(shop, 'DELETE', `${roles}/4`)).body.data).toEqual({})

    const refusedWith = async (method: string, path: string, sent?: object) => {
      const { status, body: found } = await ask(shop, method, path, sent)
      return [status, found.data.errMsg]
    }
    const fixed = "The role Admin is predefined and can't be changed."
    expect(await refusedWith('PUT', `${roles}/1`, role)).toEqual([422, fixed])
    expect(await refusedWith('DELETE', `${roles}/1`)).toEqual([422, fixed])
    expect(await refusedWith('GET', `${roles}/9`)).toEqual([404, 'The company role 9 does not exist.'])
    const twice = [role.permissions[0], role.permissions[0], { code: 'x', permissionLevel: 1 }]
    expect(await refusedWith('POST', roles, { name: 'N', permissions: twice })).toEqual([
      422,
      {
        'permissions.1.code': ['Another entry has this code.'],
        'permissions.2.code': ['This permission code does not exist.'],
      },
    ])
    const level = { code: 'get_users', permissionLevel: 1 }
    expect(await refusedWith('POST', roles, { name: 'N', permissions: [level] })).toEqual([
      422,
      { 'permissions.0.permissionLevel': ['get_users has the levels 2, 3.'] },
    ])
    expect(await refusedWith('POST', roles, { name: 'ADMIN', permissions: [] })).toEqual([
      422,
      { name: ['Another role has this name.'] },
    ])
  })
})
