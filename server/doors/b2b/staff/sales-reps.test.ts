import { beforeAll, describe, expect, test } from 'vitest'
import { ask, askBare, backendToken, enableCompanion, makeCompany, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { repOf, repOfCompany } from './staff.ts'

// Ways in which a sales representative could reach other companies than the assigned ones (docs/contract/companies.md section 5).

const COMPANIES = '/v3/io/companies'
const USERS = '/v3/io/users'
const ROLES = `${COMPANIES}/roles`
const TOKENS = '/io/auth/customers/storefront'

const denied = refused(403, 'Permission denied', 'Permission denied')
const deniedAt = (field: string) => refused(403, 'Permission denied', { [field]: [expect.any(String)] })

let shop: Shop
let rep: string
/** A representative of other companies. */
let colleague: string
let colleagueId: number
/** A company that the store created and assigned to the representative. */
let assigned: { companyId: number; customerId: number }
let foreign: { companyId: number; customerId: number }

const asRep = async (method: string, path: string, body?: unknown, authtoken = rep) =>
  (await askBare(method, path, body, { authtoken })).body
const newUser = (email: string, more: object = {}) => ({
  firstName: 'Bo',
  lastName: 'Ek',
  email,
  companyId: assigned.companyId,
  role: 2,
  channelIds: [1],
  ...more,
})
const newCompany = (name: string, adminEmail: string) => ({
  companyName: name,
  companyEmail: `office@${name.toLowerCase()}.example.com`,
  companyPhone: '555',
  country: 'Australia',
  adminFirstName: 'Ann',
  adminLastName: 'Lee',
  adminEmail,
})
let shoppers = 0
/** A customer without a company. */
async function makeShopper() {
  const email = `shopper${++shoppers}@example.com`
  const { body } = await shop.call('POST', '/customers', [{ email, first_name: 'Cy', last_name: 'Ode' }])
  return { id: Number(body.data[0].id), email }
}
const emailOf = async (customer: number) => (await shop.call('GET', `/customers?id:in=${customer}`)).body.data[0].email
const userOf = async (customer: number) => (await ask(shop, 'GET', `${USERS}/customer/${customer}`)).body.data.id
const salesStaff = async (): Promise<number[]> =>
  (await ask(shop, 'GET', '/v3/io/sales-staffs')).body.data.map(({ id }: { id: number }) => id)
const assign = (staff: number, companyId: number) =>
  ask(shop, 'PUT', `/v3/io/sales-staffs/${staff}`, [{ companyId, assignStatus: true }])

beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  assigned = await makeCompany(shop, 'Acme')
  foreign = await makeCompany(shop, 'Beta')
  rep = await backendToken(shop, true)
  const [repId] = await salesStaff()
  await assign(Number(repId), assigned.companyId)
  colleague = await backendToken(shop, true)
  colleagueId = Number((await salesStaff()).find((id) => id !== repId))
})

describe('a sales representative links', () => {
  test('no customer that existed before, neither as a user nor as the admin of a new company', async () => {
    const { id, email } = await makeShopper()
    for (const address of [email, email.toUpperCase()]) {
      expect(await asRep('POST', USERS, newUser(address))).toEqual(deniedAt('email'))
      expect(await asRep('POST', COMPANIES, newCompany('Grab', address))).toEqual(deniedAt('adminEmail'))
    }
    expect((await ask(shop, 'GET', `${USERS}/customer/${id}`)).status).toBe(404)
    expect((await ask(shop, 'GET', `${COMPANIES}?q=Grab`)).body.data).toEqual([])
    // Servers with the token of an account may still link any customer.
    expect((await ask(shop, 'POST', USERS, newUser(email))).body.data).toMatchObject({ bcId: id })
  })

  test('a customer that this representative created, even after the user was deleted', async () => {
    const { data: made } = await asRep('POST', USERS, newUser('made@example.com'))
    await asRep('DELETE', `${USERS}/${made.userId}`)
    const own = await asRep('POST', COMPANIES, newCompany('Colleagues', 'other@example.com'), colleague)
    const theirs = newUser('made@example.com', { companyId: own.data.companyId })
    expect(await asRep('POST', USERS, theirs, colleague)).toEqual(deniedAt('email'))
    const { data: again } = await asRep('POST', USERS, newUser('made@example.com'))
    expect(again).toEqual({ userId: expect.any(Number), bcId: made.bcId })
  })

  test('no customer to a company that is not assigned', async () => {
    const sent = newUser('nobody@example.com', { companyId: foreign.companyId })
    expect(await asRep('POST', USERS, sent)).toEqual(denied)
    // The company in the body of a change is ignored: the user stays.
    const { data } = await asRep('POST', USERS, newUser('stays@example.com'))
    const changed = await asRep('PUT', `${USERS}/${data.userId}`, { companyId: foreign.companyId })
    expect(changed.data).toMatchObject({ companyId: assigned.companyId })
  })
})

describe('a sales representative changes the e-mail address', () => {
  test('of no user that somebody else created: neither the first administrator nor a linked customer', async () => {
    const { id, email } = await makeShopper()
    await ask(shop, 'POST', USERS, newUser(email))
    const { data: byStore } = (await ask(shop, 'POST', USERS, newUser('store@example.com'))).body
    for (const customer of [assigned.customerId, id, byStore.bcId]) {
      const before = await emailOf(customer)
      const user = `${USERS}/${await userOf(customer)}`
      for (const address of ['mine@example.com', before.toUpperCase()]) {
        expect(await asRep('PUT', user, { email: address })).toEqual(deniedAt('email'))
        expect(await asRep('PUT', user, { email: address, phoneNumber: '1' })).toEqual(deniedAt('email'))
      }
      expect(await emailOf(customer)).toBe(before)
      // A client that sends the whole user back changes no address.
      expect((await asRep('PUT', user, { email: before, phoneNumber: '2' })).data).toMatchObject({ phoneNumber: '2' })
    }
  })

  test('of users that this representative created', async () => {
    const { data: user } = await asRep('POST', USERS, newUser('first@example.com'))
    const changed = await asRep('PUT', `${USERS}/${user.userId}`, { email: 'second@example.com' })
    expect(changed.data).toMatchObject({ email: 'second@example.com' })
    const { data: company } = await asRep('POST', COMPANIES, newCompany('Own', 'admin@example.com'))
    const admin = `${USERS}/${await userOf(company.customerId)}`
    expect((await asRep('PUT', admin, { email: 'boss@example.com' })).data).toMatchObject({ email: 'boss@example.com' })
    // Another representative of the same company did not create them.
    await assign(colleagueId, company.companyId)
    expect((await asRep('GET', admin, undefined, colleague)).code).toBe(200)
    expect(await asRep('PUT', admin, { email: 'mine@example.com' }, colleague)).toEqual(deniedAt('email'))
  })
})

describe('a sales representative gets tokens', () => {
  test('for no customer outside the assigned companies, existing or not', async () => {
    const { id } = await makeShopper()
    for (const customerId of [id, foreign.customerId, 9_999]) {
      expect(await asRep('POST', TOKENS, { customerId })).toEqual(denied)
      const session = { value: `${'a'.repeat(64)}_4102444800` }
      expect(await asRep('POST', TOKENS, { customerId, customerAccessToken: session })).toEqual(denied)
    }
    expect((await ask(shop, 'POST', TOKENS, { customerId: id })).status).toBe(200)
  })

  test('for users of the assigned companies, until they are no longer users', async () => {
    const { data: user } = await asRep('POST', USERS, newUser('buyer@example.com'))
    expect((await asRep('POST', TOKENS, { customerId: user.bcId })).code).toBe(200)
    expect((await asRep('POST', TOKENS, { customerId: assigned.customerId })).code).toBe(200)
    expect(await asRep('POST', TOKENS, { customerId: user.bcId }, colleague)).toEqual(denied)
    await asRep('DELETE', `${USERS}/${user.userId}`)
    expect(await asRep('POST', TOKENS, { customerId: user.bcId })).toEqual(denied)
  })
})

test('a sales representative reads roles and changes none', async () => {
  const role = { name: 'Bookkeeper', permissions: [{ code: 'get_invoices', permissionLevel: 2 }] }
  const { data: own } = (await ask(shop, 'POST', ROLES, role)).body
  expect(await asRep('POST', ROLES, { ...role, name: 'Mine' })).toEqual(denied)
  expect(await asRep('PUT', `${ROLES}/${own.id}`, { ...role, permissions: [] })).toEqual(denied)
  expect(await asRep('DELETE', `${ROLES}/${own.id}`)).toEqual(denied)
  expect((await asRep('GET', ROLES)).data).toHaveLength(4)
  expect((await asRep('GET', `${ROLES}/${own.id}`)).data).toMatchObject(role)
  expect((await asRep('GET', `${COMPANIES}/permissions`)).code).toBe(200)
})

test('a sales representative gets one refusal for unknown ids and ids of other companies', async () => {
  const { id } = await makeShopper()
  const theirs = await userOf(foreign.customerId)
  for (const path of [
    ...[foreign.companyId, 9_999].flatMap((company) => [`${COMPANIES}/${company}`]),
    ...[theirs, 9_999].map((user) => `${USERS}/${user}`),
    ...[foreign.customerId, id, 9_999].map((customer) => `${USERS}/customer/${customer}`),
  ]) {
    expect(await asRep('GET', path), path).toEqual(denied)
  }
  for (const user of [theirs, 9_999]) {
    expect(await asRep('PUT', `${USERS}/${user}`, { firstName: 'X' })).toEqual(denied)
    expect(await asRep('DELETE', `${USERS}/${user}`)).toEqual(denied)
  }
  for (const company of [foreign.companyId, 9_999]) {
    expect(await asRep('PUT', `${COMPANIES}/${company}`, { city: 'Perth' })).toEqual(denied)
    expect(await asRep('PUT', `${COMPANIES}/${company}/status`, { companyStatus: 0 })).toEqual(denied)
    expect(await asRep('DELETE', `${COMPANIES}/${company}`)).toEqual(denied)
  }
  for (const query of [`customerId=${foreign.customerId}`, 'q=Beta']) {
    expect((await asRep('GET', `${COMPANIES}?${query}`)).data, query).toEqual([])
  }
  for (const query of [`companyId=${foreign.companyId}`, 'email=ann@beta.example.com', 'q=beta']) {
    expect((await asRep('GET', `${USERS}?${query}`)).data, query).toEqual([])
  }
})

test('a backend token of a sales representative opens the companion API only', async () => {
  const headers = { authtoken: rep }
  const { body } = await askBare('POST', '/v2/login', { bcToken: rep })
  expect(body.code).toBe(401)
  expect((await askBare('GET', `/io/auth/storefront?jwtToken=${rep}`, undefined, headers)).status).toBe(401)
  const management = await shop.call('GET', '/customers', undefined, { as: { access_token: rep } })
  expect(management.status).toBe(401)
})

test('the quotes of a company have its first representative, else the owner of the store', async () => {
  const db = await dbOf(shop)
  const name = async (companyId: number) => (await repOfCompany(db, companyId))?.id
  const first = Math.min(...(await salesStaff()))
  await assign(first, assigned.companyId)
  expect(await name(assigned.companyId)).toBe(first)
  expect(await name(0)).toBe((await repOf(db, undefined))?.id)
})
