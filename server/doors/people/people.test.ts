import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { address, callOperator as call, HOST, join, PASSWORD, people } from '../../test/servers/people.ts'
import { scopesOf } from './roles.ts'

const { server, installation, files, clock } = await theHouse()
const MINUTE_MS = 60_000

let shop: Shop
let owner: { id: number; email: string; cookie: string }
beforeAll(async () => {
  owner = await join('owner')
})
beforeEach(async () => {
  shop = await openShop()
})

describe('an invitation', () => {
  test('lets a person choose a password, once', async () => {
    const { token, email } = await people.invite({ email: 'Grace@Example.com', role: 'viewer' })
    expect(email).toBe('grace@example.com')
    expect((await call('POST', '/invitation', { body: { token } })).body).toEqual({
      data: { email, name: '', role: 'viewer' },
      meta: {},
    })
    const body = { token, name: 'Grace', password: PASSWORD }
    const { status, body: answered, cookie } = await call('PUT', '/invitation', { body })
    expect({ status, answered }).toEqual({
      status: 201,
      answered: {
        data: {
          person: {
            id: expect.any(Number),
            email,
            name: 'Grace',
            role: 'viewer',
            stores: null,
            is_active: true,
            created_at: expect.any(String),
          },
        },
        meta: {},
      },
    })
    expect((await call('GET', '/session', { cookie })).body.data.person.email).toBe(email)
    for (const [method, again] of [
      ['PUT', body],
      ['POST', { token }],
    ] as const) {
      expect((await call(method, '/invitation', { body: again })).status).toBe(404)
    }
  })

  test('is accepted by one of two requests at the same time', async () => {
    const { token } = await people.invite({ email: address(), role: 'viewer' })
    const body = { token, name: 'Ada', password: PASSWORD }
    const both = await Promise.all([call('PUT', '/invitation', { body }), call('PUT', '/invitation', { body })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 404])
  })

  test('ends after 24 hours, is replaced by the next one, and ends the sessions of its person', async () => {
    const { token, email } = await people.invite({ email: address(), role: 'viewer' })
    const { token: second } = await people.invite({ email, role: 'owner' })
    const accept = (token: string) => call('PUT', '/invitation', { body: { token, name: 'Ada', password: PASSWORD } })
    expect((await accept(token)).status).toBe(404)
    const accepted = await accept(second)
    // The role is that of the first invitation: another one is no promotion.
    expect(accepted.body.data.person.role).toBe('viewer')
    const third = await people.invite({ email, role: 'viewer' })
    expect((await accept(third.token)).status).toBe(201)
    expect((await call('GET', '/session', { cookie: accepted.cookie })).status).toBe(401)
    const late = await people.invite({ email: address(), role: 'viewer' })
    clock.move(24 * 60 * MINUTE_MS + 1_000)
    expect((await accept(late.token)).status).toBe(404)
    owner = {
      ...owner,
      cookie: (await call('POST', '/session', { body: { email: owner.email, password: PASSWORD } })).cookie,
    }
  })

  test('of the sandbox works only on the machine of the server', async () => {
    const { token } = await people.invite({ email: address(), role: 'owner', isLocal: true })
    const accept = (remoteAddress: string, headers: Record<string, string>) =>
      server.inject({
        method: 'PUT',
        url: '/operator/v1/invitation',
        remoteAddress,
        headers: { 'x-console': '1', ...headers },
        payload: { token, name: 'Ada', password: PASSWORD },
      })
    expect((await accept('192.0.2.7', { host: HOST })).statusCode).toBe(404)
    expect((await accept('127.0.0.1', { host: HOST })).statusCode).toBe(404)
    expect((await accept('127.0.0.1', { host: 'localhost:80', 'x-forwarded-for': '192.0.2.7' })).statusCode).toBe(403)
    expect((await accept('127.0.0.1', { host: 'localhost:80' })).statusCode).toBe(201)
  })

  test.each([
    ['short', { password: 'a1b2c3' }],
    ['without a digit', { password: 'only letters' }],
    ['with U+0000', { name: 'a\u0000' }],
    ['without a name', { name: '' }],
    ['with another field', { role: 'owner' }],
  ])('is refused with a body that is %s', async (_, changes) => {
    const { token } = await people.invite({ email: address(), role: 'viewer' })
    const body = { token, name: 'Ada', password: PASSWORD, ...changes }
    expect((await call('PUT', '/invitation', { body })).status).toBe(422)
  })
})

describe('a session', () => {
  test('begins with the password, and an unknown address hears the same as a wrong password (C-099)', async () => {
    const { email } = await join('support')
    const signIn = (body: object) => call('POST', '/session', { body })
    const begun = await signIn({ email: email.toUpperCase(), password: PASSWORD })
    expect(begun.status).toBe(201)
    const wrong = await signIn({ email, password: 'wrong 1234' })
    const unknown = await signIn({ email: 'nobody@example.com', password: 'wrong 1234' })
    const invited = await people.invite({ email: address(), role: 'owner' })
    const early = await signIn({ email: invited.email, password: '' })
    expect([wrong.status, unknown.status, early.status]).toEqual([401, 401, 422])
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' })
    expect(wrong.body.title).toBe('The e-mail address or the password is wrong.')
    expect([wrong.cookie, unknown.cookie]).toEqual(['', ''])
  })

  test('lives in a cookie that scripts and other sites never get', async () => {
    const { email } = await join('viewer')
    const answer = await server.inject({
      method: 'POST',
      url: '/operator/v1/session',
      headers: { host: HOST, 'x-console': '1' },
      payload: { email, password: PASSWORD },
    })
    expect(answer.headers['set-cookie']).toMatch(
      /^storeward_person=[a-z0-9]{64}; Path=\/operator; HttpOnly; SameSite=Strict$/,
    )
  })

  test('ends after 12 hours, after two hours without a request, and with a sign-out', async () => {
    const { email } = await join('viewer')
    const begin = async () => (await call('POST', '/session', { body: { email, password: PASSWORD } })).cookie
    const status = async (cookie: string) => (await call('GET', '/session', { cookie })).status
    const idle = await begin()
    clock.move(121 * MINUTE_MS)
    expect(await status(idle)).toBe(401)
    const used = await begin()
    for (let hours = 0; hours < 11; hours++) {
      clock.move(60 * MINUTE_MS)
      expect(await status(used), `after ${hours + 1} hours`).toBe(200)
    }
    clock.move(61 * MINUTE_MS)
    expect(await status(used)).toBe(401)
    const out = await begin()
    expect((await call('DELETE', '/session', { cookie: out })).status).toBe(204)
    expect(await status(out)).toBe(401)
    owner = {
      ...owner,
      cookie: (await call('POST', '/session', { body: { email: owner.email, password: PASSWORD } })).cookie,
    }
  })

  test('is listed, and ended by its person only', async () => {
    const [one, other] = [await join('viewer'), await join('viewer')]
    const { cookie } = await call('POST', '/session', { body: { email: one.email, password: PASSWORD } })
    const { body } = await call('GET', '/sessions', { cookie })
    expect(body.data).toEqual([
      expect.objectContaining({ is_current: true, address: '127.0.0.1' }),
      expect.objectContaining({ is_current: false }),
    ])
    const former = body.data[1].id
    expect((await call('DELETE', `/sessions/${former}`, { cookie: other.cookie })).status).toBe(404)
    expect((await call('DELETE', `/sessions/${former}`, { cookie })).status).toBe(204)
    expect((await call('GET', '/session', { cookie: one.cookie })).status).toBe(401)
  })

  test('of another person is listed and ended by owners', async () => {
    const [one, admin] = [await join('viewer'), await join('admin')]
    const path = `/people/${one.id}/sessions`
    const { body } = await call('GET', path, { cookie: owner.cookie })
    expect(body.data).toEqual([expect.objectContaining({ id: expect.any(Number), address: '127.0.0.1' })])
    const [{ id }] = body.data
    expect((await call('GET', path, { cookie: admin.cookie })).status).toBe(403)
    expect((await call('DELETE', `${path}/${id}`, { cookie: admin.cookie })).status).toBe(403)
    expect((await call('DELETE', `/people/${admin.id}/sessions/${id}`, { cookie: owner.cookie })).status).toBe(404)
    expect((await call('DELETE', `${path}/${id}`, { cookie: owner.cookie })).status).toBe(204)
    expect((await call('GET', '/session', { cookie: one.cookie })).status).toBe(401)
    expect((await call('GET', '/people/2147483647/sessions', { cookie: owner.cookie })).status).toBe(404)
  })

  test('of a person with a new password is the only one', async () => {
    const { email, cookie: first } = await join('viewer')
    const { cookie } = await call('POST', '/session', { body: { email, password: PASSWORD } })
    const change = (password: string, new_password: string) =>
      call('PUT', '/password', { cookie, body: { password, new_password } })
    expect((await change('wrong 1234', 'another 1234')).status).toBe(422)
    expect((await change(PASSWORD, 'short')).status).toBe(422)
    expect((await change(PASSWORD, 'another 1234')).status).toBe(204)
    expect((await call('GET', '/session', { cookie })).status).toBe(200)
    expect((await call('GET', '/session', { cookie: first })).status).toBe(401)
    expect((await call('POST', '/session', { body: { email, password: PASSWORD } })).status).toBe(401)
  })

  test.each([
    ['without the header of the console', { 'x-console': '' }],
    ['from a page of another host', { origin: 'https://evil.example.com' }],
    ['by a name that was made to lead here', { host: 'evil.example.com' }],
    ['from an origin that is no address', { origin: 'null' }],
  ])('is refused %s', async (_, headers) => {
    for (const [method, path, body] of [
      ['GET', '/session', undefined],
      ['GET', '/stores', undefined],
      ['DELETE', '/session', undefined],
      ['POST', '/session', { email: owner.email, password: PASSWORD }],
    ] as const) {
      const { status } = await call(method, path, { cookie: owner.cookie, headers, ...(body ? { body } : {}) })
      expect(status, `${method} ${path}`).toBe(403)
    }
    expect((await call('GET', '/session', { cookie: owner.cookie })).status).toBe(200)
  })

  test('that is missing is no failed login; a forged one is', async () => {
    const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '2' })
    const log = pino({ level: 'silent' })
    const { server: strict } = await createApp({ ...installation, files, log }, config, `http://${HOST}`)
    onTestFinished(() => strict.close())
    const status = async (headers: Record<string, string>) =>
      (
        await strict.inject({
          url: '/operator/v1/session',
          headers: { host: HOST, 'x-console': '1', ...headers },
          // Servers share their failures, and no other test fails from this address.
          remoteAddress: '198.51.100.45',
        })
      ).statusCode
    const own = { cookie: owner.cookie }
    for (const cookie of ['', '', '', '', 'theme=dark']) expect(await status({ cookie })).toBe(401)
    expect(await status({})).toBe(401)
    expect(await status(own)).toBe(200)
    const forged = { cookie: `storeward_person=${'0'.repeat(64)}` }
    expect([await status(forged), await status({ authorization: 'Bearer x' })]).toEqual([401, 401])
    expect([await status(forged), await status(own), await status({})]).toEqual([429, 429, 429])
  })

  test('is refused with a forged cookie', async () => {
    const forged = [`${owner.cookie.slice(0, -1)}0`, 'storeward_person=', 'storeward_person=%00', 'other=1']
    for (const cookie of forged) {
      if (cookie !== owner.cookie) expect((await call('GET', '/stores', { cookie })).status, cookie).toBe(401)
    }
  })
})

describe('a passkey', () => {
  const text = 'AAAA'
  const credential = { id: text, rawId: text, type: 'public-key', clientExtensionResults: {} }
  const signed = {
    ...credential,
    response: { clientDataJSON: text, authenticatorData: text, signature: text, userHandle: null },
  }
  const created = { ...credential, response: { clientDataJSON: text, attestationObject: text, transports: ['usb'] } }

  test('is asked for by a challenge with the host name', async () => {
    const { status, body } = await call('POST', '/session/passkey-challenge')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          challenge: expect.stringMatching(/^[\w-]{40,}$/),
          rpId: HOST,
          timeout: expect.any(Number),
          userVerification: 'required',
        },
        meta: {},
      },
    })
    const own = await call('POST', '/passkeys/challenge', { cookie: owner.cookie })
    expect(own.body.data).toMatchObject({
      rp: { id: HOST, name: 'storeward console' },
      user: { name: owner.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  })

  test('is not possible at an IP address', async () => {
    const server = await createApp(
      { ...installation, files, log: pino({ level: 'silent' }) },
      readConfig({ SECRET }),
      'http://127.0.0.1',
    )
    onTestFinished(() => server.server.close())
    const headers = { host: '127.0.0.1', 'x-console': '1' }
    const answer = await server.server.inject({
      method: 'POST',
      url: '/operator/v1/session/passkey-challenge',
      headers,
    })
    expect([answer.statusCode, answer.json().title]).toEqual([
      409,
      'Browsers refuse passkeys at IP addresses. Use a host name.',
    ])
  })

  test('that is unknown or malformed signs nobody in', async () => {
    expect((await call('POST', '/session/passkey', { body: signed })).status).toBe(401)
    const { cookie } = await join('viewer')
    expect((await call('POST', '/session/passkey-confirmation', { cookie, body: signed })).status).toBe(422)
    expect((await call('POST', '/passkeys', { cookie, body: { name: 'Mine', credential: created } })).status).toBe(422)
    for (const body of [{}, { ...signed, type: 'password' }, { ...signed, id: '%' }, { ...signed, more: 1 }]) {
      expect((await call('POST', '/session/passkey', { body })).status, JSON.stringify(body)).toBe(422)
    }
    expect((await call('GET', '/passkeys', { cookie })).body).toEqual({ data: [], meta: { is_possible: true } })
    expect((await call('DELETE', '/passkeys/1', { cookie })).status).toBe(404)
  })
})

describe('people', () => {
  test('are invited, changed and deleted by owners', async () => {
    const { cookie } = owner
    const email = address()
    const invited = await call('POST', '/people', {
      cookie,
      body: { email, role: 'support', stores: [shop.store.hash] },
    })
    expect(invited.body.data).toEqual({
      id: expect.any(Number),
      email,
      name: '',
      role: 'support',
      stores: [shop.store.hash],
      is_active: false,
      created_at: expect.any(String),
      link: expect.stringMatching(/^http:\/\/shop\.test\/console\/invitation#[a-z0-9]{64}$/),
    })
    const { id, link } = invited.body.data
    expect((await call('POST', '/people', { cookie, body: { email, role: 'owner' } })).status).toBe(409)
    const again = await call('POST', `/people/${id}/invitation`, { cookie })
    expect(again.body.data.link).not.toBe(link)
    const changed = await call('PUT', `/people/${id}`, { cookie, body: { role: 'admin', stores: null } })
    expect(changed.body.data).toMatchObject({ role: 'admin', stores: null })
    expect((await call('DELETE', `/people/${id}`, { cookie })).status).toBe(204)
    expect((await call('DELETE', `/people/${id}`, { cookie })).status).toBe(404)
    expect((await call('PUT', '/people/2147483647', { cookie, body: { role: 'admin' } })).status).toBe(404)
    for (const body of [
      { email, role: 'king' },
      { email: 'nobody', role: 'viewer' },
      { email: `${'a'.repeat(250)}@b.cd`, role: 'viewer' },
      { email, role: 'viewer', stores: ['UPPER'] },
      { email, role: 'viewer', password: 'x' },
      { role: 'viewer' },
    ]) {
      expect((await call('POST', '/people', { cookie, body })).status, JSON.stringify(body)).toBe(422)
    }
  })

  test('lose a role with the next request, and their tokens', async () => {
    const { id, cookie } = await join('admin')
    const { body } = await call('POST', `/stores/${shop.store.hash}/token`, { cookie })
    const brands = () => shop.call('GET', '/catalog/brands', undefined, { as: { access_token: body.data.token } })
    expect((await brands()).status).toBe(200)
    expect((await call('PUT', `/people/${id}`, { cookie: owner.cookie, body: { role: 'viewer' } })).status).toBe(200)
    expect((await call('GET', '/audit', { cookie })).status).toBe(403)
    await vi.waitFor(async () => expect((await brands()).status).toBe(401), { timeout: 60_000, interval: 50 })
  })

  test('always have an owner of all stores', async () => {
    const others = (await people.list()).filter(({ role, id }) => role === 'owner' && id !== owner.id)
    for (const { id } of others) await people.remove(id)
    const sentence = 'There must be an owner of all stores. Make another person an owner first.'
    for (const [method, body] of [
      ['PUT', { role: 'admin' }],
      ['PUT', { stores: [shop.store.hash] }],
      ['DELETE', undefined],
    ] as const) {
      const refused = await call(method, `/people/${owner.id}`, { cookie: owner.cookie, ...(body ? { body } : {}) })
      expect([refused.status, refused.body.title]).toEqual([409, sentence])
    }
    const [one, two] = [await join('owner'), await join('owner')]
    await people.remove(owner.id)
    const both = await Promise.all([
      people.change(one.id, { role: 'admin' }).then(
        () => 'changed',
        () => 'refused',
      ),
      people.change(two.id, { role: 'admin' }).then(
        () => 'changed',
        () => 'refused',
      ),
    ])
    expect(both.toSorted()).toEqual(['changed', 'refused'])
    owner = await people.list().then(async () => {
      const { token, id, email } = await people.invite({ email: address(), role: 'owner' })
      return {
        id,
        email,
        cookie: (await call('PUT', '/invitation', { body: { token, name: 'Ada', password: PASSWORD } })).cookie,
      }
    })
  })

  test('confirm their identity for irreversible actions, if they gave the password ten minutes ago', async () => {
    const { id } = await join('viewer')
    clock.move(11 * MINUTE_MS)
    const { cookie } = owner
    const refused = await call('DELETE', `/people/${id}`, { cookie })
    expect(refused.status).toBe(403)
    expect(refused.body.errors).toHaveProperty('confirmation')
    const confirm = (password: string) => call('POST', '/session/confirmation', { cookie, body: { password } })
    expect((await confirm('wrong 1234')).status).toBe(422)
    expect((await call('DELETE', `/people/${id}`, { cookie })).status).toBe(403)
    expect((await confirm(PASSWORD)).status).toBe(204)
    expect((await call('DELETE', `/people/${id}`, { cookie })).status).toBe(204)
  })

  test('delete a real store that is closed, after they confirmed their identity', async () => {
    const { cookie } = await join('admin')
    const path = `/stores/${shop.store.hash}`
    const open = await call('DELETE', path, { cookie })
    expect([open.status, open.body.title]).toEqual([409, 'This is a real store. Close it before you delete it.'])
    expect((await call('PUT', path, { cookie, body: { state: 'suspended' } })).status).toBe(200)
    clock.move(11 * MINUTE_MS)
    expect((await call('DELETE', path, { cookie })).body.errors).toHaveProperty('confirmation')
    expect((await call('POST', '/session/confirmation', { cookie, body: { password: PASSWORD } })).status).toBe(204)
    expect((await call('DELETE', path, { cookie })).status).toBe(204)
    expect((await call('GET', path, { cookie })).status).toBe(404)
    const support = await join('support')
    expect((await call('DELETE', path, { cookie: support.cookie })).status).toBe(403)
  })
})

describe('an access token of the console', () => {
  const token = async (cookie: string, body: object = {}) =>
    (await call('POST', `/stores/${shop.store.hash}/token`, { cookie, body })).body.data

  test('has the scopes of the role, for its store only, for ten minutes', async () => {
    const { cookie } = await join('support')
    const other = await openShop()
    const created = await token(cookie)
    expect(created).toEqual({ token: expect.any(String), expires_at: expect.any(String), scopes: scopesOf.support })
    const as = { access_token: created.token }
    expect((await shop.call('GET', '/catalog/brands', undefined, { as })).status).toBe(200)
    expect((await shop.call('POST', '/catalog/brands', { name: 'x' }, { as })).status).toBe(403)
    expect((await shop.call('POST', '/hooks', {}, { as })).status).toBe(403)
    expect((await other.call('GET', '/catalog/brands', undefined, { as })).status).toBe(401)
    clock.move(10 * MINUTE_MS + 2_000)
    await vi.waitFor(
      async () => expect((await shop.call('GET', '/catalog/brands', undefined, { as })).status).toBe(401),
      { timeout: 60_000, interval: 50 },
    )
  })

  test('names its person in the request log', async () => {
    const { cookie, email } = await join('admin')
    const as = { access_token: (await token(cookie, { client_id: shop.admin.client_id })).token }
    expect((await shop.call('POST', '/catalog/brands', { name: 'Ours' }, { as })).status).toBe(200)
    await shop.call('PUT', '/catalog/brands/1', { name: 'Theirs' })
    await shop.call('GET', '/catalog/brands', undefined, { as })
    const find = async (query: string) => {
      const { body } = await call('GET', `/stores/${shop.store.hash}/requests?${query}`, { cookie })
      return body.data.map(({ operation, person }: Record<string, unknown>) => [operation, person])
    }
    const changes = [
      ['PUT /v3/catalog/brands/{brand_id}', null],
      ['POST /v3/catalog/brands', email],
    ]
    expect(await find('changes=true')).toEqual(changes)
    expect(await find(`person=${email}`)).toEqual([['GET /v3/catalog/brands', email], changes[1]])
    expect(await find(`person=${email}&changes=true&path=brands`)).toEqual([changes[1]])
    expect(await find('person=nobody@example.com')).toEqual([])
  })

  test('acts as an account with the scopes that both have', async () => {
    const { cookie } = await join('developer')
    const hook = { scope: 'store/order/created', destination: 'https://example.com/hooks' }
    const made = await shop.call('POST', '/hooks', hook)
    expect(made.status).toBe(200)
    const plain = { access_token: (await token(cookie)).token }
    expect((await shop.call('GET', '/hooks', undefined, { as: plain })).body.data).toEqual([])
    const as = { access_token: (await token(cookie, { client_id: shop.admin.client_id })).token }
    expect((await shop.call('GET', '/hooks', undefined, { as })).body.data).toHaveLength(1)
    expect((await shop.call('POST', '/catalog/brands', { name: 'x' }, { as })).status).toBe(403)
    const unknown = await call('POST', `/stores/${shop.store.hash}/token`, {
      cookie,
      body: { client_id: 'a'.repeat(31) },
    })
    expect(unknown.status).toBe(404)
  })

  test('ends with its session (C-100)', async () => {
    const { cookie } = await join('admin')
    const as = { access_token: (await token(cookie)).token }
    expect((await shop.call('GET', '/catalog/brands', undefined, { as })).status).toBe(200)
    await call('DELETE', '/session', { cookie })
    await vi.waitFor(
      async () => expect((await shop.call('GET', '/catalog/brands', undefined, { as })).status).toBe(401),
      { timeout: 60_000, interval: 50 },
    )
  })
})
