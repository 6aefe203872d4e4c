import { afterAll, beforeEach, expect, test } from 'vitest'
import { emailRunner } from '../../../../../shop/emails/sending/send.ts'
import { Renderers } from '../../../../../shop/templates/renderers.ts'
import { openShop, type Shop, theHouse } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'
import { rowsOf } from '../../../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../../../test/harness/jobs.ts'
import { resetRunner } from '../../../sessions/password-resets.ts'

const OLD = 'correct horse 7'
const NEW = 'battery staple 8'
const HOUR_MS = 3_600_000

const renderers = new Renderers()
afterAll(() => renderers.close())

let shop: Shop
let token: string
let ann: number

beforeEach(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'private', { expires_at: 0 })
  ann = (
    await shop.call('POST', '/customers', [
      { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee', authentication: { new_password: OLD } },
    ])
  ).body.data[0].id
})

async function ask(query: string, headers: Record<string, string> = {}) {
  const { status, body } = await askStorefront(shop, { token, query, headers })
  return { status, data: body.data, message: body.errors?.[0]?.message }
}
const ERRORS = 'errors { __typename ... on Error { message } }'
const logIn = async (password: string, headers: Record<string, string> = {}) =>
  ask(
    `mutation { login(email: "ann@example.com", password: "${password}") { customerAccessToken { value } } }`,
    headers,
  )
const sessionOf = (login: Awaited<ReturnType<typeof logIn>>): string => login.data.login.customerAccessToken.value

const request = async (email: string, path = '/change-password', headers: Record<string, string> = {}) =>
  ask(
    `mutation { customer { requestResetPassword(input: { email: "${email}", path: "${path}" }) { ${ERRORS} } } }`,
    headers,
  )
const reset = async (secret: string, password = NEW, customer = ann) => {
  const { data } = await ask(
    `mutation { customer { resetPassword(input: { customerEntityId: ${customer}, token: "${secret}", newPassword: "${password}" }) { ${ERRORS} } } }`,
  )
  return data.customer.resetPassword.errors
}

/** Sends the mails that wait. @returns the texts of all mails */
async function deliver(): Promise<string[]> {
  const { clock, installation } = await theHouse()
  const sites = { domain: 'shop.test', publicUrl: 'http://shop.test', allowsPorts: false }
  await doJobs([resetRunner(installation), emailRunner({ renderers, clock, sites, log: { warn: () => {} } })])
  return (await rowsOf(shop, 'mails')).map(({ text }) => String(text))
}
const tokenIn = (mail: string | undefined) => /[?&]t=([0-9a-f]{64})/.exec(mail ?? '')?.[1] ?? 'none'
const INVALID = [
  {
    __typename: 'CustomerPasswordError',
    message: 'The link is invalid or has expired. Please ask for a new one.',
  },
]

test('a forgotten password is replaced by the link of an e-mail, once', async () => {
  const session = sessionOf(await logIn(OLD))
  expect((await request('ANN@example.com', '/change-password?lang=de')).data).toEqual({
    customer: { requestResetPassword: { errors: [] } },
  })
  const [mail] = await deliver()
  const url = `https://store-${shop.store.hash}.shop.test/change-password?lang=de&c=${ann}&t=`
  expect(mail).toContain(url)
  const secret = tokenIn(mail)
  expect(await reset(secret, 'short')).toMatchObject([{ __typename: 'ValidationError' }])
  expect(await reset(secret)).toEqual([])
  expect(await reset(secret)).toEqual(INVALID)
  expect((await logIn(OLD)).message).toBe('Invalid credentials')
  expect((await logIn(NEW)).message).toBeUndefined()
  // The session from before is over.
  const { data } = await ask('{ customer { entityId } }', { 'x-svc-customer-access-token': session })
  expect(data).toEqual({ customer: null })
  expect(await rowsOf(shop, 'password_resets')).toEqual([])
})

test('of two requests with one link at the same time, one wins', async () => {
  await request('ann@example.com')
  const secret = tokenIn((await deliver())[0])
  const outcomes = await Promise.all([reset(secret), reset(secret, 'another word 9')])
  expect(outcomes.filter((errors) => errors.length === 0)).toHaveLength(1)
  expect(outcomes).toContainEqual(INVALID)
})

test('an address without an account gets the same answer and no mail', async () => {
  const [known, unknown] = [await request('ann@example.com'), await request('bo@example.com')]
  expect(unknown).toEqual(known)
  const rows = await rowsOf(shop, 'jobs')
  expect(rows.filter(({ task }) => task === 'send_password_reset')).toHaveLength(2)
  expect(JSON.stringify(rows)).not.toContain('example.com"')
  expect(await deliver()).toHaveLength(1)
})

test('links that are too old, of another customer, or from before a change of the password', async () => {
  const { clock } = await theHouse()
  await request('ann@example.com')
  const secret = tokenIn((await deliver())[0])
  expect(await reset(secret, NEW, ann + 1)).toEqual(INVALID)
  for (const wrong of ['', 'x', 'f'.repeat(64)]) expect(await reset(wrong)).toEqual(INVALID)
  clock.move(HOUR_MS)
  expect(await reset(secret)).toEqual(INVALID)
  await request('ann@example.com')
  const [second] = (await deliver()).map(tokenIn).filter((one) => one !== secret)
  await shop.call('PUT', '/customers', [{ id: ann, authentication: { new_password: NEW } }])
  expect(await reset(second ?? '')).toEqual(INVALID)
})

test('a job that runs twice makes one link', async () => {
  const { installation } = await theHouse()
  await request('ann@example.com')
  const [job] = (await rowsOf(shop, 'jobs')).filter(({ task }) => task === 'send_password_reset')
  const runner = resetRunner(installation)
  const db = await installation.directory.dbById(shop.store.id)
  if (!db) throw new Error('The store has no database.')
  const run = { id: '1', db, payload: job?.payload, attempt: 1, signal: new AbortController().signal }
  await runner.run(run)
  await runner.run(run)
  expect(await rowsOf(shop, 'owed_emails')).toHaveLength(1)
  expect(await rowsOf(shop, 'password_resets')).toHaveLength(1)
})

test('mistakes of a request, and its limits by address', async () => {
  for (const [email, path] of [
    ['no address', '/change-password'],
    ['ann@example.com', 'https://evil.example.com/'],
    ['ann@example.com', '//evil.example.com'],
    ['ann@example.com', '/page#part'],
  ] as const) {
    expect((await request(email, path)).data.customer.requestResetPassword.errors, path).toMatchObject([
      { __typename: 'ValidationError' },
    ])
  }
  for (let i = 0; i < 5; i++) expect((await request('ann@example.com')).message).toBeUndefined()
  expect((await request('Ann@example.com')).message).toBe('Too many requests')
  expect((await request('bo@example.com')).message).toBeUndefined()
})

test('a customer changes the password, which ends the sessions', async () => {
  const session = { 'x-svc-customer-access-token': sessionOf(await logIn(OLD)) }
  const change = async (current: string, next: string, headers = session) =>
    (
      await ask(
        `mutation { customer { changePassword(input: { currentPassword: "${current}", newPassword: "${next}" }) { ${ERRORS} } } }`,
        headers,
      )
    ).data.customer.changePassword.errors
  expect(await change('wrong', NEW)).toEqual([
    { __typename: 'CustomerPasswordError', message: 'The current password is wrong.' },
  ])
  expect(await change(OLD, 'short')).toMatchObject([{ __typename: 'ValidationError' }])
  expect(await change(OLD, NEW)).toEqual([])
  expect(await change(NEW, OLD)).toEqual([{ __typename: 'CustomerNotLoggedInError', message: 'Please sign in.' }])
  expect((await logIn(NEW)).message).toBeUndefined()
})

test('calls are counted by the address of the shopper that a shop proves by its secret', async () => {
  const { installation } = await theHouse()
  const secret = installation.secrets.proxySecret(shop.store.hash)
  const from = (address: string, proof = secret) => ({
    'x-bc-trusted-proxy-secret': proof,
    'x-forwarded-for': `${address}, 10.0.0.1`,
  })
  for (let i = 0; i < 60; i++) expect((await request('no address', '/', from('203.0.113.7'))).message).toBeUndefined()
  expect((await request('no address', '/', from('203.0.113.7'))).message).toBe('Too many requests')
  const others = [
    from('203.0.113.8'),
    // A wrong secret, and no address: the shop itself is not limited.
    from('203.0.113.7', 'wrong'),
    from('nonsense'),
    { 'x-svc-trusted-proxy-secret': secret, 'true-client-ip': '2001:db8::1' },
  ]
  for (const headers of others) expect((await request('no address', '/', headers)).message).toBeUndefined()
  const again = { 'x-svc-trusted-proxy-secret': secret, 'true-client-ip': '203.0.113.7' }
  expect((await request('no address', '/', again)).message).toBe('Too many requests')
})
