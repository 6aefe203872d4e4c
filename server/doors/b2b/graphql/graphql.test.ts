import { readFile } from 'node:fs/promises'
import { buildSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { ADMIN, askGraph, LOGIN, login, openBuyers, PASSWORD, refusal, tokenAt } from '../../../test/buyers.ts'
import { ask, makeCompany } from '../../../test/fixtures/companion.ts'
import { theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { signCurrentCustomer } from '../../storefront/graphql/current-customer.ts'
import { FIELDS_NOT_BUILT } from './not-built.ts'

// docs/contract/b2b-graphql.md.

const INFO =
  '{ customerInfo { userType userInfo { email role companyRoleName } permissions { code permissionLevel } } }'

describe('a login', () => {
  test('answers the user with its permissions, and a token that says who it is', async () => {
    const { shop, companyId, customerId } = await openBuyers()
    const { status, headers, body } = await login(shop, ADMIN)
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*'])
    const { token, permissions, ...result } = body.data.login.result
    expect(result).toEqual({
      storefrontLoginToken: expect.any(String),
      loginType: 2,
      user: {
        id: '1',
        bcId: customerId,
        firstName: 'Ann',
        lastName: 'Lee',
        email: ADMIN,
        role: 0,
        companyRoleName: 'Admin',
        companyInfo: { companyId: String(companyId), companyName: 'Acme' },
      },
    })
    expect(permissions).toContainEqual({ code: 'get_company_subsidiaries', permissionLevel: 3 })
    expect((await askGraph(INFO, { token })).body).toEqual({
      data: {
        customerInfo: { userType: 3, userInfo: { email: ADMIN, role: 0, companyRoleName: 'Admin' }, permissions },
      },
    })
    const mine = '{ currentUser { id } userCompany(userId: 1) { id companyName companyStatus bcGroupName } }'
    expect((await askGraph(mine, { token })).body.data).toEqual({
      currentUser: { id: '1' },
      userCompany: { id: String(companyId), companyName: 'Acme', companyStatus: 1, bcGroupName: '' },
    })
    expect((await askGraph('{ companyPermissions { code } }', { token })).body.data.companyPermissions).toContainEqual({
      code: 'get_roles',
    })
  })

  test('of a plain customer has no user and no permissions', async () => {
    const { shop } = await openBuyers()
    const { result } = (await login(shop, 'plain@example.com')).body.data.login
    expect(result).toMatchObject({ user: null, permissions: [] })
    expect((await askGraph(INFO, { token: result.token })).body.data.customerInfo).toEqual({
      userType: 2,
      userInfo: { email: 'plain@example.com', role: 99, companyRoleName: null },
      permissions: [],
    })
    const { errors } = (await askGraph('{ companyPermissions { code } }', { token: result.token })).body
    expect(errors).toEqual([refusal('companyPermissions', 403)])
  })

  test('opens a session of the storefront once', async () => {
    const { shop } = await openBuyers()
    const { storefrontLoginToken } = (await login(shop, ADMIN, { redirectUrl: '#/orders' })).body.data.login.result
    const { server } = await theHouse()
    const visit = () =>
      server.inject({
        url: `/login/token/${storefrontLoginToken}`,
        headers: { host: `store-${shop.store.hash}.shop.test` },
      })
    const first = await visit()
    expect([first.statusCode, first.headers.location]).toEqual([302, '/#/orders'])
    expect(String(first.headers['set-cookie'])).toContain('SHOP_TOKEN=')
    expect((await visit()).headers.location).toBe('/login.php')
  })

  test('is followed by a script without a loop; the first answer has the cookie (row 10)', async () => {
    const { shop } = await openBuyers()
    const { storefrontLoginToken } = (await login(shop, ADMIN)).body.data.login.result
    const { server } = await theHouse()
    const host = `store-${shop.store.hash}.shop.test`
    const first = await server.inject({ url: `/login/token/${storefrontLoginToken}`, headers: { host } })
    expect([first.statusCode, first.headers.location]).toEqual([302, '/#/orders'])
    const [cookie = ''] = String(first.headers['set-cookie']).split(';')
    expect(cookie).toContain('SHOP_TOKEN=')
    for (const url of ['/', '/account.php']) {
      expect((await server.inject({ url, headers: { host, cookie } })).headers.location).toBeUndefined()
    }
  })

  test('has one refusal for an unknown store, an unknown address and a wrong password (C-099)', async () => {
    const { shop } = await openBuyers()
    const answers = [
      await login(shop, ADMIN, { password: 'wrong horse 7' }),
      await login(shop, 'nobody@example.com'),
      await login(shop, ADMIN, { storeHash: 'zzzzzz' }),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      const sentence = 'The e-mail address or the password is not correct.'
      expect(body).toEqual({ data: { login: null }, errors: [refusal('login', 401, sentence)] })
    }
  })

  test('P14: of a pending or inactive company is refused, and of a rejected one has no permissions', async () => {
    const { shop, companyId } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const setStatus = (companyStatus: number) =>
      ask(shop, 'PUT', `/v3/io/companies/${companyId}/status`, { companyStatus })
    await setStatus(0)
    const pending =
      'Your business account is pending approval. Products, pricing, and ordering will be enabled after account approval.'
    expect((await login(shop, ADMIN)).body.errors).toEqual([refusal('login', 403, pending)])
    // A token from before has no rights in the company any more.
    expect((await askGraph(INFO, { token })).body.data.customerInfo).toMatchObject({ userType: 3, permissions: [] })
    expect((await askGraph('{ companyPermissions { code } }', { token })).body.errors[0].extensions.code).toBe(403)
    await setStatus(3)
    const inactive = 'This business account is inactive. Reach out to our support team to reactivate your account.'
    expect((await login(shop, ADMIN)).body.errors).toEqual([refusal('login', 403, inactive)])
    await setStatus(2)
    expect((await login(shop, ADMIN)).body.data.login.result.permissions).toEqual([])
    await setStatus(1)
    expect((await login(shop, ADMIN)).body.data.login.result.permissions.length).toBeGreaterThan(30)
  })

  test('by a current-customer JWT answers the same permissions', async () => {
    const { shop, customerId } = await openBuyers()
    const { installation, clock } = await theHouse()
    const { clientId, clientSecret: secret } = installation.secrets.companionApplication
    const customer = { id: customerId, email: ADMIN, group_id: '0' }
    const bcToken = await signCurrentCustomer(customer, {
      storeHash: shop.store.hash,
      clientId,
      secret,
      now: clock.now(),
    })
    const query =
      'mutation ($t: String!) { authorization(authData: {bcToken: $t}) { result { token loginType permissions { code permissionLevel } } } }'
    const { result } = (await askGraph(query, { variables: { t: bcToken } })).body.data.authorization
    const info = await askGraph(INFO, { token: result.token })
    expect(info.body.data.customerInfo.permissions).toEqual(result.permissions)
    const { errors } = (await askGraph(query, { variables: { t: 'a.b.c' } })).body
    expect(errors).toEqual([refusal('authorization', 401)])
  })
})

describe('a token', () => {
  test('that ended is 40101 everywhere but at sign-in, and a guest is 401', async () => {
    const { shop } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`delete from b2b_storefront_tokens where store_id = ${tx.store.id} returning jti`),
    )
    expect((await askGraph(INFO, { token })).body.errors).toEqual([refusal('customerInfo', 40_101)])
    const data = { storeHash: shop.store.hash, email: ADMIN, password: PASSWORD }
    expect((await askGraph(LOGIN, { token, variables: { data } })).body.errors).toBeUndefined()
    for (const none of [undefined, 'undefined', 'null']) {
      const answer = await askGraph(INFO, none === undefined ? {} : { token: none })
      expect(answer.body.errors).toEqual([refusal('customerInfo', 401)])
    }
  })

  test('of one company reads no other, whose id is refused as an unknown one', async () => {
    const { shop } = await openBuyers()
    await makeCompany(shop, 'Rival')
    const token = await tokenAt(shop, ADMIN)
    const ofUser = async (id: number) => (await askGraph(`{ userCompany(userId: ${id}) { id } }`, { token })).body
    expect(await ofUser(2)).toEqual({ data: { userCompany: null }, errors: [refusal('userCompany', 403)] })
    expect(await ofUser(999)).toEqual(await ofUser(2))
  })

  test('loses its permissions with a demotion of its user at once', async () => {
    const { shop } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    expect((await ask(shop, 'PUT', '/v3/io/users/1', { role: 2 })).status).toBe(200)
    const { errors } = (await askGraph('{ companyPermissions { code } }', { token })).body
    expect(errors).toEqual([refusal('companyPermissions', 403)])
  })
})

describe('users and roles', () => {
  test('of a company are listed, filtered and paged', async () => {
    const { shop, companyId } = await openBuyers()
    for (const [i, firstName] of ['Bo', 'Cem', 'Dia'].entries()) {
      const user = { firstName, lastName: 'Ek', email: `u${i}@acme.example.com`, companyId, role: 2, channelIds: [1] }
      expect((await ask(shop, 'POST', '/v3/io/users', user)).status).toBe(200)
    }
    const token = await tokenAt(shop, ADMIN)
    const list = async (args: string) => {
      const query = `{ users(companyId: ${companyId}, ${args}) {
        totalCount pageInfo { hasNextPage hasPreviousPage } edges { cursor node { id firstName companyInfo { companyName } } } } }`
      return (await askGraph(query, { token })).body
    }
    const names = async (args: string) =>
      (await list(args)).data.users.edges.map((edge: { node: { firstName: string } }) => edge.node.firstName)
    const { users } = (await list('first: 2')).data
    expect(users).toEqual({
      totalCount: 4,
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
      edges: [
        { cursor: expect.any(String), node: { id: '4', firstName: 'Dia', companyInfo: { companyName: 'Acme' } } },
        { cursor: expect.any(String), node: { id: '3', firstName: 'Cem', companyInfo: { companyName: 'Acme' } } },
      ],
    })
    const { cursor } = users.edges[1]
    expect(await names(`first: 2, after: "${cursor}"`)).toEqual(['Bo', 'Ann'])
    expect(await names(`last: 1, before: "${cursor}"`)).toEqual(['Dia'])
    expect(await names('offset: 3')).toEqual(['Ann'])
    expect((await list('offset: 9')).data.users).toMatchObject({ totalCount: 4, edges: [] })
    expect(await names('search: "CE"')).toEqual(['Cem'])
    expect(await names('firstName: "bo", lastName: "ek"')).toEqual(['Bo'])
    expect(await names('email: "u2@", search: ""')).toEqual(['Dia'])
    expect(await names('role: "0"')).toEqual(['Ann'])
    expect(await names('companyRoleId: 3, role: ""')).toEqual(['Dia', 'Cem', 'Bo'])
    for (const wrong of ['first: 0', 'first: 251', 'first: -1', 'offset: -1', 'last: 1', 'after: "x"']) {
      expect((await list(wrong)).errors).toEqual([refusal('users', 422)])
    }
  })

  test('of other companies and of the parent are refused as those of unknown companies', async () => {
    const { shop, companyId } = await openBuyers()
    const [rival, lower] = [await makeCompany(shop, 'Rival'), await makeCompany(shop, 'Lower')]
    await ask(shop, 'POST', `/v3/io/companies/${lower.companyId}/parent`, { parentCompanyId: companyId })
    await shop.call('PUT', '/customers', [{ id: lower.customerId, authentication: { new_password: PASSWORD } }])
    const [token, below] = [await tokenAt(shop, ADMIN), await tokenAt(shop, 'ann@lower.example.com')]
    const ofCompany = async (id: number, bearer = token) =>
      (await askGraph(`{ users(companyId: ${id}) { totalCount } }`, { token: bearer })).body
    const unknown = await ofCompany(999)
    expect(unknown).toEqual({ data: { users: null }, errors: [refusal('users', 403)] })
    expect(await ofCompany(rival.companyId)).toEqual(unknown)
    // The predefined Admin has level 2, so the subsidiary is out of reach.
    expect(await ofCompany(lower.companyId)).toEqual(unknown)
    expect(await ofCompany(companyId, below)).toEqual(unknown)
    const permissions = [{ code: 'get_users', permissionLevel: 3 }]
    const role = await ask(shop, 'POST', '/v3/io/companies/roles', { name: 'Group', permissions })
    await ask(shop, 'PUT', '/v3/io/users/1', { companyRoleId: role.body.data.id })
    expect(await ofCompany(lower.companyId)).toEqual({ data: { users: { totalCount: 1 } } })
    expect(await ofCompany(rival.companyId)).toEqual(unknown)
    const one = async (company: number, user: number) =>
      (await askGraph(`{ user(companyId: ${company}, userId: ${user}) { email } }`, { token: below })).body
    expect(await one(lower.companyId, 3)).toEqual({ data: { user: { email: 'ann@lower.example.com' } } })
    const missing = { data: { user: null }, errors: [refusal('user', 404)] }
    expect(await one(lower.companyId, 1)).toEqual(missing)
    expect(await one(lower.companyId, 999)).toEqual(missing)
  })

  test('roles answer their permissions with levels', async () => {
    const { shop } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const query = `{ companyRoles(search: "junior") { totalCount edges { node { id name roleType roleLevel } } }
      companyRole(roleId: 3) { name permissions { code permissionLevel name isCustom } } }`
    const { companyRoles, companyRole } = (await askGraph(query, { token })).body.data
    const junior = { id: '3', name: 'Junior Buyer', roleType: 1, roleLevel: 2 }
    expect(companyRoles).toEqual({ totalCount: 1, edges: [{ node: junior }] })
    const getQuotes = { code: 'get_quotes', permissionLevel: 1, name: 'Get quotes', isCustom: false }
    expect(companyRole.permissions).toContainEqual(getQuotes)
    const missing = await askGraph('{ companyRole(roleId: 99) { name } }', { token })
    expect(missing.body.errors).toEqual([refusal('companyRole', 404)])
  })
})

describe('addresses of a company', () => {
  const input = (companyId: number, more: object = {}) => ({
    companyId,
    firstName: 'Ann',
    lastName: 'Lee',
    addressLine1: '12 Harbour Street',
    city: 'Sydney',
    zipCode: '2000',
    country: 'Australia',
    countryCode: 'AU',
    state: 'New South Wales',
    stateCode: 'NSW',
    isShipping: 1,
    isDefaultShipping: 1,
    ...more,
  })
  const CREATE = `mutation ($data: AddressInputType!) { addressCreate(addressData: $data) { address {
    id firstName address city state stateCode country countryCode isShipping isBilling isDefaultShipping isActive label company } } }`
  const UPDATE =
    'mutation ($data: AddressUpdateType!) { addressUpdate(addressData: $data) { address { id city isDefaultShipping } } }'

  test('are created, found, changed and deleted', async () => {
    const { shop, companyId } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const created = await askGraph(CREATE, { token, variables: { data: input(companyId) } })
    expect(created.body).toEqual({
      data: {
        addressCreate: {
          address: {
            id: '1',
            firstName: 'Ann',
            address: '12 Harbour Street',
            city: 'Sydney',
            state: 'New South Wales',
            stateCode: 'NSW',
            country: 'Australia',
            countryCode: 'AU',
            isShipping: 1,
            isBilling: 0,
            isDefaultShipping: 1,
            isActive: 1,
            label: '',
            company: 'Acme',
          },
        },
      },
    })
    const second = { ...input(companyId, { city: 'Newcastle', label: 'Depot', isDefaultShipping: 0, isBilling: 1 }) }
    await askGraph(CREATE, { token, variables: { data: second } })
    const ids = async (args: string) => {
      const query = `{ addresses(companyId: ${companyId}, ${args}) { totalCount edges { node { id } } } }`
      const { edges } = (await askGraph(query, { token })).body.data.addresses
      return edges.map((edge: { node: { id: string } }) => edge.node.id)
    }
    expect(await ids('first: 250')).toEqual(['2', '1'])
    expect(await ids('search: "SYD", city: ""')).toEqual(['1'])
    expect(await ids('isBilling: "1"')).toEqual(['2'])
    expect(await ids('isShipping: 1, label: "Depot"')).toEqual(['2'])
    expect(await ids('country: "au", state: "wales", firstName: "ann", lastName: "LEE"')).toEqual(['2', '1'])
    const update = { ...input(companyId, { city: 'Manly' }), addressId: 1 }
    const changed = (await askGraph(UPDATE, { token, variables: { data: update } })).body
    expect(changed.data.addressUpdate.address).toEqual({ id: '1', city: 'Manly', isDefaultShipping: 1 })
    const defaults = `{ defaultShippingAddress(companyId: ${companyId}) { id } defaultBillingAddress(companyId: ${companyId}) { id } }`
    expect((await askGraph(defaults, { token })).body.data).toEqual({
      defaultShippingAddress: { id: '1' },
      defaultBillingAddress: null,
    })
    const remove = `mutation { addressDelete(addressId: 1, companyId: ${companyId}) { message } }`
    expect((await askGraph(remove, { token })).body.data).toEqual({ addressDelete: { message: 'Success' } })
    expect((await askGraph(remove, { token })).body.errors).toEqual([refusal('addressDelete', 404)])
    expect(await ids('first: 10')).toEqual(['2'])
  })

  test('are refused without the code, with mistakes, and of other companies', async () => {
    const { shop, companyId } = await openBuyers()
    const rival = await makeCompany(shop, 'Rival')
    await ask(shop, 'POST', '/v3/io/addresses', {
      companyId: rival.companyId,
      firstName: 'R',
      lastName: 'R',
      addressLine1: '1',
      city: 'Perth',
      countryCode: 'AU',
      stateCode: 'WA',
    })
    const token = await tokenAt(shop, ADMIN)
    const codeOf = async (query: string, data: object) =>
      (await askGraph(query, { token, variables: { data } })).body.errors[0].extensions.code
    expect(await codeOf(CREATE, input(companyId, { state: 'Bavaria', stateCode: 'BY' }))).toBe(422)
    expect(await codeOf(CREATE, input(companyId, { city: 'x'.repeat(10_000) }))).toBe(422)
    expect(await codeOf(CREATE, input(rival.companyId))).toBe(403)
    expect(await codeOf(CREATE, input(999))).toBe(403)
    expect(await codeOf(UPDATE, { ...input(rival.companyId), addressId: 1 })).toBe(403)
    expect(await codeOf(UPDATE, { ...input(companyId), addressId: 1 })).toBe(404)
    const one = async (id: number) =>
      (await askGraph(`{ address(companyId: ${companyId}, addressId: ${id}) { id } }`, { token })).body
    const missing = { data: { address: null }, errors: [refusal('address', 404)] }
    expect([await one(1), await one(999)]).toEqual([missing, missing])
    await ask(shop, 'PUT', '/v3/io/users/1', { role: 2 })
    expect(await codeOf(CREATE, input(companyId))).toBe(403)
  })

  test('are in countries that guests read', async () => {
    const { countries } = (await askGraph('{ countries { countryCode stateRequired states { stateCode } } }')).body.data
    const australia = countries.find(({ countryCode }: { countryCode: string }) => countryCode === 'AU')
    expect(australia).toMatchObject({ stateRequired: true })
    expect(australia.states).toContainEqual({ stateCode: 'NSW' })
  })
})

describe('a request', () => {
  test('above a limit is refused before a resolver runs, with code 422 (C-106)', async () => {
    const many = (count: number, text: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => text(i)).join(' ')
    const codes = async (query: string, variables = {}) => {
      const { status, body } = await askGraph(query, { variables })
      expect([status, body.data]).toEqual([200, undefined])
      return body.errors.map((error: { extensions: object }) => error.extensions)
    }
    const order = (length: number) =>
      `{ receipts(first: ${length}) { edges { node { receiptLineSet(first: 250) { edges { node { id } } } } } } }`
    expect(await codes(`{ ${many(31, (i) => `a${i}: customerInfo { userType }`)} }`)).toEqual([{ code: 422 }])
    expect(await codes(`{ ${many(61, (i) => `a${i}: __typename`)} }`)).toEqual([{ code: 422 }])
    expect(await codes(order(250))).toEqual([{ code: 422 }])
    expect(await codes('{ nothing }')).toEqual([{ code: 422 }])
    expect(await codes('{ userCompany { id } }')).toEqual([{ code: 422 }])
    expect(await codes('query ($id: Int!) { userCompany(userId: $id) { id } }', { id: 'x' })).toEqual([{ code: 422 }])
    const quotes = 'query ($s: Decimal) { quotes(status: $s) { totalCount } }'
    expect(await codes(quotes, { s: 'undefined' })).toEqual([{ code: 422 }])
    expect(await codes('{ quotes(status: "1x") { totalCount } }')).toEqual([{ code: 422 }])
    // Blanks and numeric text pass the scalar, and a guest has no quotes.
    for (const s of ['', '1', 1])
      expect((await askGraph(quotes, { variables: { s } })).body.errors[0].extensions.code).toBe(401)
  })

  test('with text that no column can store is refused, in literals and in variables (C-109)', async () => {
    const { shop, companyId } = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const literal = await askGraph(`{ users(companyId: ${companyId}, search: "\\u0000") { totalCount } }`, { token })
    expect(literal.body.errors).toEqual([refusal('users', 422)])
    for (const search of ['a\u0000', '\ud800']) {
      const query = `query ($s: String) { users(companyId: ${companyId}, search: $s) { totalCount } }`
      const { status, body } = await askGraph(query, { token, variables: { s: search } })
      expect([status < 500, body.errors[0].extensions.code < 500]).toEqual([true, true])
    }
  })

  test('carries one operation, of at most 64 KiB', async () => {
    const list = await askGraph('', { payload: JSON.stringify([{ query: INFO }]) })
    expect([list.status, list.body.errors[0].extensions.code]).toEqual([400, 400])
    expect((await askGraph('', { payload: '{' })).body.errors[0].extensions.code).toBe(400)
    expect((await askGraph(`{ a }${' '.repeat(64 * 1024)}`)).status).toBe(413)
  })

  test('of a page is allowed from every origin, without cookies (C-102)', async () => {
    const { server } = await theHouse()
    const { statusCode, headers } = await server.inject({ method: 'OPTIONS', url: '/b2b/graphql' })
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, '*'])
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    expect(headers['access-control-allow-headers']).toContain('authToken')
  })
})

test('every root field answers, or is listed once as missing and refused with 501', async () => {
  const schema = buildSchema(await readFile(new URL('schema.graphql', import.meta.url), 'utf8'))
  const listed = FIELDS_NOT_BUILT.flatMap(({ fields }): readonly string[] => fields)
  const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name}.${field}`),
  )
  expect(new Set(listed).size).toBe(listed.length)
  expect(listed.filter((name) => !roots.includes(name))).toEqual([])
  expect(listed.length).toBeLessThan(roots.length)
})
