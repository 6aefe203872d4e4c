import { expect, test } from 'vitest'
import { unixSeconds } from '../../../core/secrets/jwt.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { readCurrentCustomer, signCurrentCustomer } from '../graphql/current-customer.ts'
import { endSessions, findSession, openSession } from './sessions.ts'

async function shopWithCustomers() {
  const shop = await openShop()
  const { clock, installation } = await theHouse()
  const { secrets } = installation
  const db = await installation.directory.dbById(shop.store.id)
  if (!db) throw new Error('The store has no database.')
  const people = ['ann', 'bo'].map((name) => ({
    email: `${name}@example.com`,
    first_name: name,
    last_name: 'Lee',
    authentication: { new_password: 'correct horse 7' },
  }))
  expect((await shop.call('POST', '/customers', people)).status).toBe(200)
  const login = (kind: 'token' | 'cookie', customer = 1) =>
    db.transaction((tx) => openSession(tx, secrets, { customer, channel: 1, kind }))
  const who = async (value: string, kind: 'token' | 'cookie') =>
    (await findSession(db, secrets, { value, kind, now: clock.now() }))?.customer_id
  return { shop, db, clock, login, who }
}

test('a customer access token lasts a day, and the next login ends it', async () => {
  const { db, clock, login, who } = await shopWithCustomers()
  const before = unixSeconds(clock.now())
  const first = await login('token')
  const after = unixSeconds(clock.now())
  expect(first.value).toMatch(/^[0-9a-f]{64}_\d{10}$/)
  expect(first.value.split('_')[1]).toBe(String(unixSeconds(first.expiresAt)))
  expect(unixSeconds(first.expiresAt)).toBeGreaterThanOrEqual(before + 86_400)
  expect(unixSeconds(first.expiresAt)).toBeLessThanOrEqual(after + 86_400)
  expect(await who(first.value, 'token')).toBe(1)
  expect(await who(first.value, 'cookie')).toBeUndefined()
  const stored = await db.rows<object>({
    name: '',
    text: 'select * from customer_sessions where store_id = $1',
    values: [db.store.id],
  })
  expect(JSON.stringify(stored)).not.toContain(first.value.split('_')[0])
  for (const wrong of ['', 'x', `${first.value}0`, first.value.replace(/^./, (c) => (c === '0' ? '1' : '0'))]) {
    expect(await who(wrong, 'token')).toBeUndefined()
  }

  const second = await login('token')
  const other = await login('token', 2)
  expect([await who(first.value, 'token'), await who(second.value, 'token')]).toEqual([undefined, 1])
  expect(await who(other.value, 'token')).toBe(2)
  clock.move(86_400_000)
  expect(await who(second.value, 'token')).toBeUndefined()
  // The next login deletes expired sessions.
  await login('token', 2)
  expect(
    await db.rows({ name: '', text: 'select kind from customer_sessions where store_id = $1', values: [db.store.id] }),
  ).toHaveLength(1)
})

test('a customer has up to ten browsers, and one logout ends all of them', async () => {
  const { db, clock, login, who } = await shopWithCustomers()
  const cookies = []
  for (let i = 0; i < 11; i++) {
    cookies.push(await login('cookie'))
    clock.move(1_000)
  }
  const held = await Promise.all(cookies.map(({ value }) => who(value, 'cookie')))
  expect(held).toEqual([undefined, ...Array.from({ length: 10 }, () => 1)])
  const others = await login('cookie', 2)
  await db.transaction((tx) => endSessions(tx, 1))
  expect(await Promise.all(cookies.map(({ value }) => who(value, 'cookie')))).toEqual(cookies.map(() => undefined))
  expect(await who(others.value, 'cookie')).toBe(2)
})

test('a new password ends all sessions, and so does the deletion of the customer', async () => {
  const { shop, login, who } = await shopWithCustomers()
  const [ann, bo] = [await login('token', 1), await login('cookie', 2)]
  await shop.call('PUT', '/customers', [{ id: 1, authentication: { new_password: 'another horse 8' } }])
  await shop.call('PUT', '/customers', [{ id: 2, notes: 'Calls on Fridays' }])
  expect([await who(ann.value, 'token'), await who(bo.value, 'cookie')]).toEqual([undefined, 2])
  expect((await shop.call('DELETE', '/customers?id:in=2')).status).toBe(204)
  expect(await who(bo.value, 'cookie')).toBeUndefined()
})

test('the JWT of a current customer is valid for one store, one client and a quarter of an hour', async () => {
  const now = new Date('2026-11-22T10:00:00Z')
  const customer = { id: 7, email: 'ann@example.com', group_id: '0' }
  const secret = 's'.repeat(64)
  const token = await signCurrentCustomer(customer, { storeHash: 'abcde12345', clientId: 'app', secret, now })
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toEqual({
    customer,
    iss: 'bc/apps',
    sub: 'abcde12345',
    iat: 1_795_341_600,
    exp: 1_795_342_500,
    version: 1,
    aud: 'app',
    application_id: 'app',
    store_hash: 'abcde12345',
    operation: 'current_customer',
  })
  const right = { storeHash: 'abcde12345', clientId: 'app', secrets: [secret], now }
  const read = (changes: Partial<typeof right>, text = token) => readCurrentCustomer(text, { ...right, ...changes })
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
  expect(await read({ secrets: ['another', secret] })).toEqual(customer)
  expect(await read({ now: after(929) })).toEqual(customer)
  expect(await read({ now: after(-30) })).toEqual(customer)
  const [header, payload, signature] = token.split('.')
  const none = Buffer.from('{"typ":"JWT","alg":"none"}').toString('base64url')
  for (const refused of [
    read({ now: after(930) }),
    read({ now: after(-31) }),
    read({ storeHash: 'other' }),
    read({ clientId: 'other' }),
    read({ secrets: ['another'] }),
    read({ secrets: [] }),
    read({}, `${header}.${payload}.`),
    read({}, `${none}.${payload}.`),
    read({}, `${none}.${payload}.${signature}`),
    read({}, 'x'),
  ]) {
    expect(await refused).toBeUndefined()
  }
})
