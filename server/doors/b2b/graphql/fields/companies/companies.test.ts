import { describe, expect, test } from 'vitest'
import { setPortalSetting } from '../../../../../sales/b2b/portal/settings.ts'
import { PREDEFINED } from '../../../../../sales/b2b/shared/permissions.ts'
import {
  ADMIN,
  askGraph,
  codeOf,
  dataOf,
  login,
  makeBelow,
  makeRole,
  makeSuper,
  makeUser,
  openBuyers,
  PASSWORD,
  tokenAt,
} from '../../../../../test/buyers.ts'
import { ask, makeCompany, makeStaff } from '../../../../../test/fixtures/companion.ts'
import type { Shop } from '../../../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../../../test/fixtures/webhooks.ts'

// docs/contract/b2b-graphql.md sections 3, 7 and 8.

const TREE = '{ companySubsidiaries { companyId companyName parentCompanyId parentCompanyName channelFlag } }'
const ACTING = '{ userMasqueradingCompany { companyId companyName bcId } }'
const begin = (id: number) =>
  `mutation { userMasqueradingCompanyBegin(companyId: ${id}) { userMasqueradingCompanyBegin { companyId } } }`
const END = 'mutation { userMasqueradingCompanyEnd { message } }'
const users = (id: number) => `{ users(companyId: ${id}) { totalCount } }`

/** A tree of three layers: Top, Acme with its admin, and Lower. */
async function openTree() {
  const { shop, companyId } = await openBuyers()
  const top = await makeCompany(shop, 'Top')
  await ask(shop, 'POST', `/v3/io/companies/${companyId}/parent`, { parentCompanyId: top.companyId })
  const lower = await makeBelow(shop, 'Lower', companyId)
  return { shop, companyId, top, lower, ada: await tokenAt(shop, ADMIN) }
}

describe('the companies of a tree', () => {
  test('P12: are the own one without its parent, and those below', async () => {
    const { shop, companyId, lower, ada } = await openTree()
    const own = {
      companyId,
      companyName: 'Acme',
      parentCompanyId: null,
      parentCompanyName: null,
      channelFlag: true,
    }
    const below = {
      companyId: lower.companyId,
      companyName: 'Lower',
      parentCompanyId: companyId,
      parentCompanyName: 'Acme',
      channelFlag: true,
    }
    expect(await dataOf(TREE, { token: ada })).toEqual({ companySubsidiaries: [own, below] })
    const junior = await makeUser(shop, companyId, 2)
    expect(await dataOf(TREE, { token: junior.token })).toEqual({ companySubsidiaries: [] })
    expect(await codeOf(begin(lower.companyId), { token: junior.token })).toBe(403)
    await setPortalSetting(await dbOf(shop), { key: 'account_hierarchy', given: 'off', channel: 0 })
    expect(await dataOf(TREE, { token: ada })).toEqual({ companySubsidiaries: [] })
    expect(await codeOf(begin(lower.companyId), { token: ada })).toBe(403)
  })

  test('are acted for with codes at level 3 only', async () => {
    const { shop, companyId, top, lower, ada } = await openTree()
    const cem = await makeUser(shop, companyId, { get_company_subsidiaries: 3, get_users: 3, get_roles: 2 })
    const { companyId: rival } = await makeCompany(shop, 'Rival')
    for (const id of [top.companyId, rival, companyId, 999]) {
      expect(await codeOf(begin(id), { token: cem.token })).toBe(403)
    }
    expect(await dataOf(ACTING, { token: cem.token })).toEqual({ userMasqueradingCompany: null })
    expect(await codeOf('{ companyRoles { totalCount } }', { token: cem.token })).toBeUndefined()
    await dataOf(begin(lower.companyId), { token: cem.token })
    const other = await tokenAt(shop, cem.email)
    expect(await dataOf(ACTING, { token: other })).toEqual({
      userMasqueradingCompany: { companyId: String(lower.companyId), companyName: 'Lower', bcId: '0' },
    })
    expect(await dataOf(users(lower.companyId), { token: cem.token })).toEqual({ users: { totalCount: 1 } })
    expect(await codeOf('{ companyRoles { totalCount } }', { token: cem.token })).toBe(403)
    // Permissions are those of the role, whatever company the user acts for.
    const { customerInfo } = await dataOf('{ customerInfo { permissions { code } } }', { token: cem.token })
    expect(customerInfo.permissions).toContainEqual({ code: 'get_roles' })
    // The predefined Admin has no other code at level 3.
    await dataOf(begin(lower.companyId), { token: ada })
    expect(await codeOf(users(companyId), { token: ada })).toBe(403)
    await dataOf(END, { token: ada })
    expect(await codeOf(users(companyId), { token: ada })).toBeUndefined()
    await dataOf(END, { token: cem.token })
    expect(await dataOf(ACTING, { token: cem.token })).toEqual({ userMasqueradingCompany: null })
  })

  test('are acted for until the parent link, the role or the company ends', async () => {
    const { shop, companyId, lower } = await openTree()
    const cem = await makeUser(shop, companyId, { get_company_subsidiaries: 3, get_users: 3 })
    const acts = async () => (await dataOf(ACTING, { token: cem.token })).userMasqueradingCompany !== null
    await dataOf(begin(lower.companyId), { token: cem.token })
    expect(await acts()).toBe(true)
    await ask(shop, 'DELETE', `/v3/io/companies/${companyId}/subsidiaries/${lower.companyId}`)
    expect(await acts()).toBe(false)
    // A new link does not begin it again.
    await ask(shop, 'POST', `/v3/io/companies/${lower.companyId}/parent`, { parentCompanyId: companyId })
    expect(await acts()).toBe(false)
    await dataOf(begin(lower.companyId), { token: cem.token })
    await ask(shop, 'PUT', `/v3/io/users/${cem.id}`, { companyRoleId: await makeRole(shop, { get_users: 3 }) })
    expect(await acts()).toBe(false)
    const again = await makeUser(shop, companyId, { get_company_subsidiaries: 3 })
    await dataOf(begin(lower.companyId), { token: again.token })
    await ask(shop, 'DELETE', `/v3/io/companies/${lower.companyId}`)
    expect(await dataOf(ACTING, { token: again.token })).toEqual({ userMasqueradingCompany: null })
  })
})

describe('super admins', () => {
  const act = (id: number) =>
    `mutation { superAdminBeginMasquerade(companyId: ${id}) { userInfo { email firstName } } }`
  const end = (id: number) => `mutation { superAdminEndMasquerade(companyId: ${id}) { message } }`

  test('P13: act for assigned companies, as admins without subsidiaries', async () => {
    const { shop, companyId } = await openBuyers()
    const rival = await makeCompany(shop, 'Rival')
    const rae = await makeSuper(shop, [companyId])
    const options = { token: rae.token }
    const list = `{ superAdminCompanies(superAdminId: ${rae.id}, first: 10, search: "acm", orderBy: "companyName") {
      totalCount edges { node { id companyId companyName companyEmail companyAdminName } } } }`
    expect(await dataOf(list, options)).toEqual({
      superAdminCompanies: {
        totalCount: 1,
        edges: [
          {
            node: {
              id: String(companyId),
              companyId,
              companyName: 'Acme',
              companyEmail: 'office@acme.example.com',
              companyAdminName: 'Ann Lee',
            },
          },
        ],
      },
    })
    expect(await codeOf(`{ superAdminCompanies(superAdminId: ${rae.id + 1}) { totalCount } }`, options)).toBe(403)
    const { permissions } = (await login(shop, rae.email)).body.data.login.result
    expect(permissions).toEqual([...PREDEFINED.Admin])
    expect(await dataOf('{ customerInfo { permissions { code permissionLevel } } }', options)).toEqual({
      customerInfo: { permissions },
    })
    const acting = `{ superAdminMasquerading(customerId: ${rae.customerId}) { id companyName companyStatus } }`
    expect(await dataOf(acting, options)).toEqual({ superAdminMasquerading: null })
    expect(await codeOf(users(companyId), options)).toBe(403)
    expect(await codeOf(act(rival.companyId), options)).toBe(403)
    expect(await codeOf(act(999), options)).toBe(403)
    expect(await dataOf(act(companyId), options)).toEqual({
      superAdminBeginMasquerade: { userInfo: { email: rae.email, firstName: 'Rae' } },
    })
    expect(await dataOf(acting, options)).toEqual({
      superAdminMasquerading: { id: String(companyId), companyName: 'Acme', companyStatus: 1 },
    })
    expect(await dataOf(users(companyId), options)).toEqual({ users: { totalCount: 1 } })
    expect(await codeOf(users(rival.companyId), options)).toBe(403)
    expect(await codeOf(end(rival.companyId), options)).toBe(422)
    expect(await dataOf(end(companyId), options)).toEqual({ superAdminEndMasquerade: { message: 'Success' } })
    expect(await codeOf(users(companyId), options)).toBe(403)
    await dataOf(act(companyId), options)
    const companies = [{ companyId, isAssigned: false }]
    await ask(shop, 'PUT', `/v3/io/super-admins/${rae.id}`, { companies })
    expect(await codeOf(users(companyId), options)).toBe(403)
    await ask(shop, 'PUT', `/v3/io/super-admins/${rae.id}`, { companies: [{ companyId, isAssigned: true }] })
    expect(await codeOf(users(companyId), options)).toBe(403)
  })
})

describe('users that users manage', () => {
  const CREATE = 'mutation ($d: UserInputType!) { userCreate(userData: $d) { user { id email companyRoleName } } }'
  const UPDATE = 'mutation ($d: UserUpdateInputType!) { userUpdate(userData: $d) { user { firstName companyRoleId } } }'
  const remove = (companyId: number, userId: number) =>
    `mutation { userDelete(companyId: ${companyId}, userId: ${userId}) { message } }`
  const input = (companyId: number, more: object = {}) => ({
    companyId,
    email: 'new@acme.example.com',
    firstName: 'New',
    lastName: 'One',
    phone: '555',
    companyRoleId: 3,
    ...more,
  })

  test('are created, changed and deleted', async () => {
    const { shop, companyId } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const { userCreate } = await dataOf(CREATE, { token, variables: { d: input(companyId) } })
    expect(userCreate.user).toEqual({ id: '2', email: 'new@acme.example.com', companyRoleName: 'Junior Buyer' })
    const change = { companyId, userId: 2, firstName: 'Newer', companyRoleId: 2 }
    expect(await dataOf(UPDATE, { token, variables: { d: change } })).toEqual({
      userUpdate: { user: { firstName: 'Newer', companyRoleId: 2 } },
    })
    expect(await codeOf(CREATE, { token, variables: { d: input(companyId) } })).toBe(422)
    expect(await dataOf(remove(companyId, 2), { token })).toEqual({ userDelete: { message: 'Success' } })
    expect(await codeOf(remove(companyId, 2), { token })).toBe(404)
    expect(await codeOf(remove(companyId, 1), { token })).toBe(422)
    expect(await codeOf(UPDATE, { token, variables: { d: { companyId, userId: 1, companyRoleId: 2 } } })).toBe(403)
  })

  test('never get more than the user who gives has, and the last admin stays', async () => {
    const { shop, companyId } = await openBuyers()
    const climber = await makeUser(shop, companyId, { update_user: 2, create_user: 2, delete_user: 2 })
    const low = await makeUser(shop, companyId, { update_user: 2 })
    const options = (d: object) => ({ token: climber.token, variables: { d } })
    for (const companyRoleId of [
      1,
      2,
      3,
      await makeRole(shop, { update_user: 3 }),
      await makeRole(shop, { get_users: 2 }),
    ]) {
      expect(await codeOf(CREATE, options(input(companyId, { companyRoleId })))).toBe(403)
      expect(await codeOf(UPDATE, options({ companyId, userId: low.id, companyRoleId }))).toBe(403)
      expect(await codeOf(UPDATE, options({ companyId, userId: climber.id, companyRoleId }))).toBe(403)
    }
    // It does not demote or delete somebody with more rights either.
    const lower = await makeRole(shop, { update_user: 2 })
    expect(await codeOf(UPDATE, options({ companyId, userId: 1, companyRoleId: lower }))).toBe(403)
    expect(await codeOf(remove(companyId, 1), { token: climber.token })).toBe(403)
    expect(await codeOf(CREATE, options(input(companyId, { companyRoleId: lower })))).toBeUndefined()
    expect(await codeOf(CREATE, options(input(companyId, { companyRoleId: 999, email: 'x@y.zz' })))).toBe(422)
    const admin = await tokenAt(shop, ADMIN)
    const second = await makeUser(shop, companyId, 0)
    expect(
      await codeOf(UPDATE, { token: second.token, variables: { d: { companyId, userId: 1, companyRoleId: 2 } } }),
    ).toBeUndefined()
    expect(await codeOf(remove(companyId, second.id), { token: admin })).toBe(403)
  })
})

describe('the own account', () => {
  const READ = (id: number) =>
    `{ accountSettings(companyId: ${id}) { firstName lastName email phoneNumber company role companyRoleName } }`
  const UPDATE =
    'mutation ($d: InputAccountType!) { updateAccountSettings(updateData: $d) { result { email lastName } } }'

  test('is read and changed with the present password, and a new one ends the other tokens', async () => {
    const { shop, companyId } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const other = await tokenAt(shop, ADMIN)
    expect(await dataOf(READ(companyId), { token })).toEqual({
      accountSettings: {
        firstName: 'Ann',
        lastName: 'Lee',
        email: ADMIN,
        phoneNumber: '',
        company: 'Acme',
        role: 0,
        companyRoleName: 'Admin',
      },
    })
    const rival = await makeCompany(shop, 'Rival')
    expect(await codeOf(READ(rival.companyId), { token })).toBe(403)
    expect(await codeOf(READ(999), { token })).toBe(403)
    const change = (more: object) => ({ token, variables: { d: { companyId, currentPassword: PASSWORD, ...more } } })
    expect(await codeOf(UPDATE, change({ currentPassword: 'wrong horse 7' }))).toBe(422)
    // The portal sends an empty password with changes that need none.
    expect(await codeOf(UPDATE, change({ currentPassword: '', email: ADMIN, lastName: 'Lu' }))).toBeUndefined()
    for (const secret of [{ newPassword: 'correct mule 8' }, { email: 'ann@other.example.com' }]) {
      expect(await codeOf(UPDATE, change({ currentPassword: '', ...secret }))).toBe(422)
    }
    expect(await codeOf(UPDATE, change({ newPassword: 'short' }))).toBe(422)
    expect(await codeOf(UPDATE, change({ newPassword: 'correct mule 8', confirmPassword: 'x' }))).toBe(422)
    expect(await dataOf(UPDATE, change({ lastName: 'Low', phoneNumber: '555' }))).toEqual({
      updateAccountSettings: { result: { email: ADMIN, lastName: 'Low' } },
    })
    expect((await dataOf('{ currentUser { lastName phone } }', { token })).currentUser).toEqual({
      lastName: 'Low',
      phone: '555',
    })
    expect(
      await codeOf(UPDATE, change({ newPassword: 'correct mule 8', confirmPassword: 'correct mule 8' })),
    ).toBeUndefined()
    expect(await codeOf('{ currentUser { id } }', { token })).toBeUndefined()
    expect(await codeOf('{ currentUser { id } }', { token: other })).toBe(40_101)
    expect((await login(shop, ADMIN)).body.errors[0].extensions.code).toBe(401)
  })

  test('of a plain customer has no company', async () => {
    const { shop, companyId } = await openBuyers()
    const token = await tokenAt(shop, 'plain@example.com')
    expect(await codeOf(READ(companyId), { token })).toBe(403)
    const change = `mutation { updateCustomerAccountSettings(updateData: {
      currentPassword: "${PASSWORD}", firstName: "Pia", company: "Own", email: "" }) { result { firstName company email } } }`
    expect(await dataOf(change, { token })).toEqual({
      updateCustomerAccountSettings: { result: { firstName: 'Pia', company: 'Own', email: 'plain@example.com' } },
    })
    expect(await dataOf('{ customerAccountSettings { firstName } }', { token })).toEqual({
      customerAccountSettings: { firstName: 'Pia' },
    })
  })

  test('shows the credit of the company, and nothing without the feature', async () => {
    const { shop, companyId } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const query = `{ companyCreditConfig { creditEnabled creditCurrency availableCredit limitPurchases creditHold }
      companyPaymentTerms(companyId: ${companyId}) { isEnabled paymentTerms } }`
    expect(await dataOf(query, { token })).toEqual({
      companyCreditConfig: {
        creditEnabled: false,
        creditCurrency: 'USD',
        availableCredit: 0,
        limitPurchases: false,
        creditHold: false,
      },
      companyPaymentTerms: { isEnabled: false, paymentTerms: 30 },
    })
    const plain = await tokenAt(shop, 'plain@example.com')
    expect(await codeOf('{ companyCreditConfig { creditEnabled } }', { token: plain })).toBe(403)
  })
})

describe('a registration', () => {
  const CUSTOMER =
    'mutation ($d: CustomerInputType!) { customerCreate(customerData: $d) { customer { id email firstName customerGroupId } } }'
  const COMPANY =
    'mutation ($d: CompanyInputType) { companyCreate(companyData: $d) { company { id companyName companyStatus } } }'
  const customer = ({ store }: Shop, more: object = {}) => ({
    storeHash: store.hash,
    email: 'reg@new.example.com',
    firstName: 'Reg',
    lastName: 'Ister',
    authentication: { newPassword: PASSWORD, forcePasswordReset: false },
    originChannelId: 1,
    channelIds: [1],
    ...more,
  })
  const company = ({ store }: Shop, more: object = {}) => ({
    storeHash: store.hash,
    customerId: '',
    companyName: 'New Ltd',
    companyEmail: 'office@new.example.com',
    addressLine1: '1 Street',
    city: 'Sydney',
    companyPhoneNumber: '555',
    country: 'Australia',
    state: 'New South Wales',
    zipCode: '2000',
    channelId: 1,
    ...more,
  })

  test('creates a customer and a pending company, which signs in once it is approved', async () => {
    const { shop } = await openBuyers()
    const owner = await makeStaff(shop)
    const mailsTo = async (to: string) =>
      (await rowsOf(shop, 'mails')).filter((mail) => mail.recipient === to).map(({ subject }) => subject)
    const made = await dataOf(CUSTOMER, { variables: { d: customer(shop, { customerGroupId: 7, notes: 'x' }) } })
    const { id, email } = made.customerCreate.customer
    expect(made.customerCreate.customer).toMatchObject({ firstName: 'Reg', customerGroupId: 0 })
    expect(await codeOf(CUSTOMER, { variables: { d: customer(shop) } })).toBe(422)
    // Nobody makes a user of a company out of somebody else.
    const other = company(shop, { customerId: '1', customerEmail: 'nobody@example.com' })
    expect(await codeOf(COMPANY, { variables: { d: other } })).toBe(403)
    expect(await codeOf(COMPANY, { variables: { d: company(shop) } })).toBe(403)
    const own = company(shop, { customerId: String(id), customerEmail: email })
    const answer = await dataOf(COMPANY, { variables: { d: own } })
    expect(answer.companyCreate.company).toMatchObject({ companyName: 'New Ltd', companyStatus: 0 })
    expect(await mailsTo(email)).toContain('Your company is registered')
    expect(await mailsTo(owner.email)).toEqual(['A company has registered'])
    expect(await mailsTo('office@new.example.com')).toEqual([])
    expect((await login(shop, email)).body.errors[0].extensions.code).toBe(403)
    await ask(shop, 'PUT', `/v3/io/companies/${answer.companyCreate.company.id}/status`, { companyStatus: 1 })
    expect((await login(shop, email)).body.data.login.result.user).toMatchObject({ role: 0 })
    expect(await mailsTo('office@new.example.com')).toEqual(['Your company is approved'])
  })

  test('is approved at once by the setting, and the sentences of pending companies follow two others', async () => {
    const { shop } = await openBuyers()
    const db = await dbOf(shop)
    const set = (key: string, given: string) => setPortalSetting(db, { key, given, channel: 0 })
    const made = await dataOf(CUSTOMER, { variables: { d: customer(shop) } })
    const { id, email } = made.customerCreate.customer
    await set('company_auto_approval', 'on')
    const own = company(shop, { customerId: String(id), customerEmail: email })
    const { companyCreate } = await dataOf(COMPANY, { variables: { d: own } })
    expect(companyCreate.company.companyStatus).toBe(1)
    await ask(shop, 'PUT', `/v3/io/companies/${companyCreate.company.id}/status`, { companyStatus: 0 })
    const sentence = async () => (await login(shop, email)).body.errors[0].message
    const begin = 'Your business account is pending approval.'
    expect(await sentence()).toBe(`${begin} Products, pricing, and ordering will be enabled after account approval.`)
    await set('block_pending_account_order_creation', 'off')
    expect(await sentence()).toBe(`${begin} You will gain access to business account features after account approval.`)
    await set('block_pending_account_seeing_products_pricing', 'on')
    expect(await sentence()).toBe(
      `${begin} You will gain access to business account features, products, and pricing after account approval.`,
    )
  })

  test('checks e-mail addresses without names of other companies, 20 times a minute', async () => {
    const { shop, companyId } = await openBuyers()
    const rival = await makeCompany(shop, 'Rival')
    const token = await tokenAt(shop, ADMIN)
    const rae = await makeSuper(shop, [companyId])
    const typeOf = async (email: string, id: number | null, bearer?: string) => {
      const query = `{ userEmailCheck(email: "${email}", companyId: ${id}, storeHash: "${shop.store.hash}", channelId: 1) {
        userType userInfo { companyName firstName } } }`
      return (await dataOf(query, { token: bearer })).userEmailCheck
    }
    const nobody = { companyName: null, firstName: null }
    expect(await typeOf('nobody@example.com', companyId, token)).toEqual({ userType: 1, userInfo: nobody })
    expect(await typeOf('plain@example.com', companyId, token)).toEqual({ userType: 2, userInfo: nobody })
    expect(await typeOf('ann@rival.example.com', companyId, token)).toEqual({ userType: 4, userInfo: nobody })
    expect(await typeOf('ann@rival.example.com', rival.companyId, token)).toEqual({ userType: 4, userInfo: nobody })
    expect(await typeOf(ADMIN, companyId, token)).toEqual({
      userType: 5,
      userInfo: { companyName: 'Acme', firstName: 'Ann' },
    })
    expect(await typeOf(ADMIN, companyId)).toEqual({ userType: 4, userInfo: nobody })
    expect(await typeOf(rae.email, null)).toEqual({ userType: 6, userInfo: nobody })
    const s = shop.store.hash
    expect(await dataOf(`{ customerEmailCheck(email: "${ADMIN}", storeHash: "${s}") { userType } }`)).toEqual({
      customerEmailCheck: { userType: 2 },
    })
    expect(await dataOf(`{ companyValidateEmail(email: "${ADMIN}", storeHash: "${s}", role: 1) { isValid } }`)).toEqual(
      {
        companyValidateEmail: { isValid: false },
      },
    )
    expect(await dataOf(`{ companyUserInfo(email: "${ADMIN}", storeHash: "${s}") { userType } }`)).toEqual({
      companyUserInfo: { userType: 4 },
    })
    const state = `{ userLoginState(storeHash: "${s}", email: "nobody@example.com") { forcePasswordReset } }`
    const codes = []
    for (let i = 0; i < 12; i++) codes.push(await codeOf(state))
    expect(codes).toContain(429)
    expect(codes[0]).toBeUndefined()
  })

  test('subscribes to the newsletter with one answer for every address', async () => {
    const { shop } = await openBuyers()
    const query = `mutation { customerSubscribersCreate(subscribersData: {
      storeHash: "${shop.store.hash}", email: "news@example.com", firstName: "N" }) { customerSubscribers { id email } } }`
    const first = await askGraph(query)
    expect(first.body.data.customerSubscribersCreate.customerSubscribers.email).toBe('news@example.com')
    expect((await askGraph(query)).body).toEqual(first.body)
  })
})
