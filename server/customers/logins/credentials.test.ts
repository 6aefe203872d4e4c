import { beforeAll, describe, expect, test } from 'vitest'
import { invalid } from '../../test/document/expected.ts'
import { openStaffedShop, type StaffedShop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { processorMs } from '../../test/servers/processor.ts'
import { countAttempt } from './attempts.ts'
import { isPassword } from './passwords.ts'

// docs/contract/customers.md section 3.

const TWO = 664_159
const password = 'correct horse 7'
const account = (email: string, more: object = {}) => ({
  email,
  first_name: 'A',
  last_name: 'B',
  authentication: { new_password: password },
  ...more,
})

let shop: StaffedShop
let call: StaffedShop['call']
beforeAll(async () => {
  shop = await openStaffedShop()
  call = shop.call
  await call('POST', '/channels', { name: 'Two', type: 'storefront', platform: 'custom', status: 'active' })
  await call('POST', '/customers', [
    account('ann@x.test'),
    account('bo@x.test', { channel_ids: [TWO] }),
    account('cy@x.test', { channel_ids: [1, TWO] }),
    { ...account('none@x.test'), authentication: {} },
    account('right@x.test'),
  ])
  await call('POST', '/customers', [
    { ...account('ann@x.test', { channel_ids: [TWO] }), authentication: { new_password: 'another 8' } },
  ])
})

const validate = (body: object, as = shop.admin) => call('POST', '/customers/validate-credentials', body, { as })
const truth = async (email: string, said = password, channel_id?: number) =>
  (await validate({ email, password: said, channel_id })).body.customer_id

describe('credentials', () => {
  test('are valid for an account that may log in at the channel', async () => {
    expect(await validate({ email: 'ann@x.test', password })).toMatchObject({
      status: 200,
      body: { is_valid: true, customer_id: 1 },
    })
    expect(await validate({ email: 'ann@x.test', password: 'wrong 1' })).toMatchObject({
      status: 200,
      body: { is_valid: false, customer_id: null },
    })
    expect(await truth('ANN@x.test')).toBe(1)
    expect(await truth('nobody@x.test')).toBe(null)
    expect(await truth('none@x.test')).toBe(null)
    // At the second channel the account that lists it is the one that is meant.
    expect(await truth('ann@x.test', password, TWO)).toBe(null)
    expect(await truth('ann@x.test', 'another 8', TWO)).toBe(6)
    expect(await truth('bo@x.test')).toBe(null)
    expect(await truth('bo@x.test', password, TWO)).toBe(2)
    expect([await truth('cy@x.test'), await truth('cy@x.test', password, TWO)]).toEqual([3, 3])
  })

  test('follow a change of the password, also with a forced reset', async () => {
    const authentication = { new_password: 'brand new 9', force_password_reset: true }
    await call('PUT', '/customers', [{ id: 3, authentication }])
    expect(await truth('cy@x.test')).toBe(null)
    expect(await truth('cy@x.test', 'brand new 9')).toBe(3)
  })

  test('that are none are refused', async () => {
    expect((await validate({})).body).toEqual(invalid({ email: 'error.path.missing', password: 'error.path.missing' }))
    expect((await validate({ email: 'a@x.test', password: 'x', channel_id: 99 })).body).toEqual(
      invalid({ channel_id: 'The channel 99 does not exist.' }),
    )
    expect((await validate({ email: 'a\u0000@x.test', password })).status).toBe(422)
    expect((await validate({ email: 5, password: null, channel_id: 'x' })).status).toBe(422)
  })

  test('are judged also under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' }
    const answer = await call('POST', '/customers/validate-credentials', { email: 'ann@x.test', password }, { headers })
    expect(answer.body).toEqual({ is_valid: true, customer_id: 1 })
  })
})

describe('guesses are limited', () => {
  test('to 10 wrong passwords for an address in 15 minutes; right ones do not count', async () => {
    const other = shop.otherclient
    const guess = async (email: string, said: string) => (await validate({ email, password: said }, other)).status
    const db = await dbOf(shop)
    for (let n = 0; n < 8; n++) await countAttempt(db, 'Guess@x.test', other.client_id)
    for (const email of ['guess@x.test', 'GUESS@x.test']) expect(await guess(email, 'wrong 1')).toBe(200)
    const refused = await validate({ email: 'guess@x.test', password: 'wrong 1' }, other)
    expect(refused).toMatchObject({ status: 429, body: { title: 'Too many requests' } })
    const wait = Number(refused.headers['x-retry-after'])
    expect(wait).toBeGreaterThan(800)
    expect(wait).toBeLessThanOrEqual(900)
    expect(await guess('bo@x.test', 'wrong 1')).toBe(200)
    for (let n = 0; n < 9; n++) await countAttempt(db, 'right@x.test', other.client_id)
    for (let n = 0; n < 2; n++) expect(await guess('right@x.test', password)).toBe(200)
    const { clock } = await theHouse()
    clock.move(wait * 1_000)
    expect(await guess('guess@x.test', 'wrong 1')).toBe(200)
    // The table does not reveal the addresses of attempts.
    expect(JSON.stringify(await rowsOf(shop, 'password_guesses'))).not.toContain('x.test')
  })

  test('to 60 of a client in a minute, and all at once count, in both families', async () => {
    const db = await dbOf(shop)
    const { clock } = await theHouse()
    clock.move(61_000)
    const counted = await Promise.allSettled(
      Array.from({ length: 59 }, (_, n) => countAttempt(db, `many${n}@x.test`, shop.otherclient.client_id)),
    )
    expect(counted.filter(({ status }) => status === 'rejected')).toEqual([])
    const v2 = (id: number) =>
      call('POST', `/customers/${id}/validate`, { password }, { as: shop.otherclient, version: 'v2' })
    expect(await v2(1)).toMatchObject({ status: 200, body: { success: true } })
    const refused = await validate({ email: 'ann@x.test', password }, shop.otherclient)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['x-retry-after'])).toBeLessThanOrEqual(60)
    expect(await v2(1)).toMatchObject({ status: 429, body: [{ status: 429, message: 'Too many requests' }] })
    clock.move(60_000)
    expect((await validate({ email: 'ann@x.test', password }, shop.otherclient)).status).toBe(200)
    // Ended windows are deleted.
    clock.move(900_000)
    for (let n = 0; n < 10; n++) await countAttempt(db, 'last@x.test', shop.otherclient.client_id)
    expect((await rowsOf(shop, 'password_guesses')).length).toBeLessThan(10)
  })
})

test('a guess takes as much work for an address that nobody has as for a wrong password', async () => {
  const known = Array.from({ length: 5 }, (_, n) => account(`known${n}@x.test`))
  await call('POST', '/customers', known)
  const times = { known: [] as number[], unknown: [] as number[], elsewhere: [] as number[] }
  // Processor time, which hashes use in threads: on a busy machine time passes without them.
  for (let n = 0; n < known.length; n++) {
    for (const [kind, email, channel_id] of [
      ['known', `known${n}@x.test`, 1],
      ['unknown', `unknown${n}@x.test`, 1],
      ['elsewhere', `known${n}@x.test`, TWO],
    ] as const) {
      const guess = () => validate({ email, password: 'wrong 1', channel_id })
      times[kind].push(await processorMs(async () => expect((await guess()).body.is_valid).toBe(false)))
    }
  }
  // The shortest of each: other work of this process makes times longer, never shorter. Without the hash they would be a tenth.
  const shortest = Math.min(...times.known)
  for (const kind of [times.unknown, times.elsewhere]) {
    expect(Math.min(...kind)).toBeGreaterThan(shortest / 3)
    expect(Math.min(...kind)).toBeLessThan(shortest * 3)
  }
})

test('hashes of one store do not keep another one waiting', async () => {
  const { store } = shop
  const done: string[] = []
  const many = Array.from({ length: 8 }, () => isPassword(store, password, undefined).then(() => done.push('many')))
  const one = isPassword({ ...store, id: store.id + 1_000_000 }, password, undefined).then(() => done.push('one'))
  await Promise.all([...many, one])
  expect(done.indexOf('one')).toBeLessThan(5)
})
