import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { callOperator as call, join, PASSWORD } from '../../test/servers/people.ts'
import { listedOperations, PERSON_ROLES, rolesFor } from './roles.ts'

// The matrix of the operator's API: each role, each route, and a store of the person or another one.

const { installation, mounted, clock } = await theHouse()
const routes = mounted
  .filter(({ url, method }) => url.startsWith('/operator/') && method !== 'HEAD' && method !== 'OPTIONS')
  .map(({ url, method, config }) => ({ operation: `${method} ${url}`, url, method: String(method), config }))
  // The last one would end the session of the test.
  .filter(({ operation, config }) => !config?.isForStrangers && operation !== 'DELETE /operator/v1/session')

let shop: Shop
let owner: { cookie: string }
beforeAll(async () => {
  owner = await join('owner')
})
beforeEach(async () => {
  shop = await openShop()
})

/** The path of a route about a store, with ids that nothing has. */
const pathAt = (url: string, hash: string) =>
  url
    .replace('/operator/v1', '')
    .replace(':store_hash', hash)
    .replace(':client_id', 'a'.repeat(31))
    .replace(/:\w+_id/g, '999999')
    .replace(/:\w+/g, 'x')

const sendAt = ({ url, method }: (typeof routes)[number], hash: string, cookie: string) =>
  call(method, pathAt(url, hash), { cookie, ...(method === 'GET' ? {} : { body: {} }) })

test('the table of roles names routes that exist', () => {
  const operations = new Set(mounted.map(({ url, method }) => `${method} ${url}`))
  expect(listedOperations.filter((operation) => !operations.has(operation))).toEqual([])
})

describe.each(PERSON_ROLES)('the role %s', (role) => {
  test('opens the routes of the table and no others, and each action is recorded (C-105)', async () => {
    const { cookie, email } = await join(role)
    const actions: string[] = []
    for (const route of routes) {
      const { operation, method } = route
      const { status, body } = await sendAt(route, 'zzzzz', cookie)
      const isRefused = status === 403 && body.title === `The role ${role} does not open this route.`
      expect(isRefused, `${operation} answered ${status}`).toBe(!rolesFor(operation).includes(role))
      if (method !== 'GET') actions.push(operation)
    }
    const { body } = await call('GET', `/audit?actor=${email}&limit=250`, { cookie: owner.cookie })
    expect(body.data.map(({ action }: { action: string }) => action).toSorted()).toEqual(actions.toSorted())
    for (const { action, status } of body.data) expect(status, action).toBeGreaterThanOrEqual(200)
  })

  test('opens the stores of its person only, and no route about all stores', async () => {
    const other = await openShop()
    const { cookie } = await join(role, [shop.store.hash])
    for (const route of routes.filter(({ operation }) => rolesFor(operation).includes(role))) {
      const { status, body } = await sendAt(route, other.store.hash, cookie)
      if (route.url.includes(':store_hash')) {
        expect([status, body.title], route.operation).toEqual([404, 'There is no such store.'])
      } else if (rolesFor(route.operation).length < PERSON_ROLES.length) {
        expect([status, body.title], route.operation).toEqual([
          403,
          'The route is about all stores, and you have some.',
        ])
      }
    }
    expect((await call('GET', `/stores/${shop.store.hash}`, { cookie })).status).toBe(200)
    const { body } = await call('GET', '/stores', { cookie })
    expect(body.data.map(({ hash }: { hash: string }) => hash)).toEqual([shop.store.hash])
    // None of the refused actions had an effect.
    expect((await call('GET', `/stores/${other.store.hash}`, { cookie: owner.cookie })).status).toBe(200)
  })
})

test('an owner of some stores gives nobody more of them', async () => {
  const { id, cookie } = await join('owner', [shop.store.hash])
  for (const [method, path, body] of [
    ['PUT', `/people/${id}`, { stores: null }],
    ['POST', '/people', { email: 'accomplice@example.com', role: 'owner' }],
  ] as const) {
    expect((await call(method, path, { cookie, body })).status, path).toBe(403)
  }
  const { body } = await call('GET', '/people', { cookie: owner.cookie })
  expect(body.data).toContainEqual(expect.objectContaining({ id, stores: [shop.store.hash] }))
  expect(JSON.stringify(body.data)).not.toContain('accomplice')
})

test('operator keys open no route for people', async () => {
  const { key } = await installation.operatorKeys.create('program')
  const headers = { authorization: `Bearer ${key}` }
  for (const [method, path] of [
    ['GET', '/session'],
    ['GET', '/people'],
    ['POST', '/people'],
    ['POST', `/stores/${shop.store.hash}/token`],
  ] as const) {
    expect((await call(method, path, { headers })).status, path).toBe(403)
  }
  expect((await call('GET', '/audit', { headers })).status).toBe(200)
})

test('50 wrong passwords are refused, and bar the e-mail address but not the passkeys and sessions (C-099)', async () => {
  const { email, cookie } = await join('viewer')
  const signIn = async (address: string, password: string) => {
    const { status, body } = await call('POST', '/session', { body: { email: address, password } })
    return { status, title: body.title }
  }
  const guess = async (address: string) => {
    const answers = []
    for (let i = 0; i < 50; i++) answers.push(await signIn(address, `wrong 1234 ${i}`))
    return answers
  }
  const answers = await guess(email)
  expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), ...Array(40).fill(429)])
  expect(answers.at(-1)?.title).toBe('Too many wrong passwords for this e-mail address. Try again later.')
  expect((await signIn(email.toUpperCase(), PASSWORD)).status).toBe(429)
  // An unknown address hears the same.
  expect(await guess('nobody.at.all@example.com')).toEqual(answers)
  expect((await call('GET', '/session', { cookie })).status).toBe(200)
  expect((await call('POST', '/session/confirmation', { cookie, body: { password: PASSWORD } })).status).toBe(429)
  clock.move(15 * 60_000 + 1_000)
  for (let i = 0; i < 12; i++) expect((await signIn(email, PASSWORD)).status).toBe(201)
})
