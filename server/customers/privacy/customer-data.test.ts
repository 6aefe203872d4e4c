import { beforeEach, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import {
  type NewInstrument,
  removeInstrument,
  setDefaultInstrument,
  storeInstrument,
} from '../accounts/stored-instruments.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  const names = ['ann', 'bo']
  const people = names.map((name) => ({ email: `${name}@x.test`, first_name: name, last_name: 'Lee' }))
  await shop.call('POST', '/customers', people)
})

const call = (method: string, path: string, body?: unknown) => shop.call(method, `/customers${path}`, body)
const published = async () =>
  (await rowsOf(shop, 'events'))
    .sort((one, other) => Number(one.seq) - Number(other.seq))
    .map(({ scope }) => scope)
    .filter((scope) => scope !== 'store/customer/created')
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const some = expect.any(String)

describe('the consent of a customer', () => {
  test('is empty at first, and replaced as a whole by each PUT, which dates it', async () => {
    expect(await call('GET', '/1/consent')).toMatchObject({ status: 200, body: { allow: [], deny: [] } })
    expect((await call('GET', '/1/consent')).body).not.toHaveProperty('updated_at')
    const first = await call('PUT', '/1/consent', {
      allow: ['analytics', 'analytics', 'functional'],
      deny: ['targeting'],
    })
    const settled = { allow: ['analytics', 'functional'], deny: ['targeting'], updated_at: TIME }
    expect(first).toMatchObject({ status: 200, body: settled })
    expect((await call('GET', '/1/consent')).body).toEqual(first.body)
    const { clock } = await theHouse()
    clock.move(60_000)
    const second = await call('PUT', '/1/consent', { allow: ['essential'] })
    expect(second.body).toEqual({ allow: ['essential'], deny: [], updated_at: TIME })
    expect(second.body.updated_at).not.toBe(first.body.updated_at)
    expect((await call('PUT', '/1/consent', {})).body).toMatchObject({ allow: [], deny: [] })
    expect((await call('GET', '/2/consent')).body).toEqual({ allow: [], deny: [] })
    expect(await published()).toEqual([])
    await shop.call('DELETE', '/customers?id:in=1')
    expect(await rowsOf(shop, 'customer_consents')).toEqual([])
  })

  test('is refused where it says two things, or speaks of nobody', async () => {
    const all = ['essential', 'functional', 'analytics', 'targeting']
    const cases: [object, object][] = [
      [{ deny: all.slice(0, 2) }, { 'deny.0': "essential can't be denied." }],
      [
        { allow: all, deny: all },
        { 'deny.0': some, 'deny.1': 'functional is both allowed and denied.', 'deny.2': some, 'deny.3': some },
      ],
      [{ allow: ['everything'] }, { 'allow.0': some }],
      [{ deny: 'targeting' }, { deny: 'error.expected.jsarray' }],
    ]
    for (const [body, errors] of cases) {
      expect(await call('PUT', '/1/consent', body)).toMatchObject({ status: 422, body: invalid(errors) })
    }
    const nobody = problem(404, 'The customer 99 does not exist.')
    expect(await call('GET', '/99/consent')).toMatchObject({ status: 404, body: nobody })
    expect(await call('PUT', '/99/consent', {})).toMatchObject({ status: 404, body: nobody })
  })
})

describe('stored instruments', () => {
  const card = (last_4: string): NewInstrument => ({
    type: 'stored_card',
    brand: 'VISA',
    expiry_month: 12,
    expiry_year: 2030,
    issuer_identification_number: '411111',
    last_4,
    billing_address: { first_name: 'Ann', last_name: 'Lee', country_code: 'NO' },
  })
  const TOKEN = expect.stringMatching(/^[0-9a-f]{64}$/)
  const DEFAULT = 'store/customer/payment/instrument/default/updated'
  const list = async (customer = 1) => (await call('GET', `/${customer}/stored-instruments`)).body
  const store = async (instrument: NewInstrument, isDefault?: boolean, customer = 1) =>
    (await dbOf(shop)).transaction((tx) => storeInstrument(tx, customer, instrument, isDefault))

  test('are listed bare, the default first and then the newest, each as its type', async () => {
    expect(await call('GET', '/1/stored-instruments')).toMatchObject({ status: 200, body: [] })
    const first = await store(card('1111'))
    const paypal = await store({ type: 'stored_paypal_account', email: 'ann@x.test' })
    const bank = await store({ type: 'stored_bank_account', masked_account_number: '****12', issuer: 'A bank' })
    expect(await list()).toEqual([
      { ...card('1111'), token: first, is_default: true },
      {
        type: 'stored_bank_account',
        masked_account_number: '****12',
        issuer: 'A bank',
        token: bank,
        is_default: false,
      },
      { type: 'stored_paypal_account', email: 'ann@x.test', token: paypal, is_default: false },
    ])
    expect([first, paypal, bank]).toEqual([TOKEN, TOKEN, TOKEN])
    expect(new Set([first, paypal, bank]).size).toBe(3)
    expect(await list(2)).toEqual([])
    expect(await published()).toEqual([DEFAULT])
    expect((await call('GET', '/99/stored-instruments')).status).toBe(404)
    await shop.call('DELETE', '/customers?id:in=1')
    expect(await rowsOf(shop, 'stored_instruments')).toEqual([])
  })

  test('have one default of a customer, and each change of it is told', async () => {
    const db = await dbOf(shop)
    const [first, second] = [await store(card('1111')), await store(card('2222'), true)]
    const third = await store(card('3333'))
    const defaults = async () =>
      (await list()).map((held: { token: string; is_default: boolean }) => [held.token, held.is_default])
    expect(await defaults()).toEqual([
      [second, true],
      [third, false],
      [first, false],
    ])
    await db.transaction((tx) => setDefaultInstrument(tx, 1, second))
    expect(await published()).toEqual([DEFAULT, DEFAULT])
    await db.transaction((tx) => setDefaultInstrument(tx, 1, first))
    await db.transaction((tx) => removeInstrument(tx, 1, second))
    expect(await published()).toHaveLength(3)
    await db.transaction((tx) => removeInstrument(tx, 1, first))
    expect(await defaults()).toEqual([[third, true]])
    await db.transaction((tx) => removeInstrument(tx, 1, third))
    expect(await published()).toHaveLength(5)
    await Promise.all(Array.from({ length: 8 }, (_, i) => store(card(`000${i}`), true)))
    expect((await defaults()).filter(([, isDefault]: [string, boolean]) => isDefault)).toHaveLength(1)
  })

  test('are those of one customer, 100 at most', async () => {
    const db = await dbOf(shop)
    const foreign = await store(card('1111'), false, 2)
    const nobodys = db.transaction((tx) => setDefaultInstrument(tx, 1, foreign))
    await expect(nobodys).rejects.toMatchObject({ status: 404 })
    await expect(db.transaction((tx) => removeInstrument(tx, 1, foreign))).rejects.toMatchObject({ status: 404 })
    await expect(store(card('1'), false, 99)).rejects.toMatchObject({ status: 404 })
    await db.transaction(async (tx) => {
      for (let i = 0; i < 100; i++) await storeInstrument(tx, 1, card(String(i)))
    })
    await expect(store(card('101'))).rejects.toMatchObject({ status: 403 })
    expect(await list()).toHaveLength(100)
  })
})

test('metafields of customers tell of themselves as metafields only, and go with their customer', async () => {
  const field = { key: 'shelf', value: '4', namespace: 'warehouse', permission_set: 'write' }
  const made = await call('POST', '/1/metafields', field)
  expect(made).toMatchObject({ status: 200, body: { data: { ...field, resource_type: 'customer', resource_id: 1 } } })
  expect((await call('POST', '/1/metafields', field)).status).toBe(409)
  expect((await call('POST', '/99/metafields', field)).status).toBe(404)
  await call('POST', '/metafields', [{ ...field, resource_id: 2 }])
  await call('PUT', '/1/metafields/1', { value: '5' })
  expect((await call('GET', '/metafields')).body.data).toMatchObject([{ value: '5' }, { resource_id: 2 }])
  await call('DELETE', '/metafields', [2])
  const deeds = ['created', 'created', 'updated', 'deleted']
  expect(await published()).toEqual(deeds.map((deed) => `store/metafield/${deed}`))
  await shop.call('DELETE', '/customers?id:in=1')
  expect(await rowsOf(shop, 'metafields')).toEqual([])
})
