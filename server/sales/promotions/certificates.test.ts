import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const all = '/gift_certificates'
const call: Shop['call'] = (method, path, body, options) => shop.call(method, path, body, { version: 'v2', ...options })
const people = { to_name: 'Ann Lee', to_email: 'Ann@example.com', from_name: 'Bo Ek', from_email: 'bo@example.com' }
const create = (fields: object = {}) => call('POST', all, { ...people, amount: 25, ...fields })
const list = async (query: string) => {
  const { status, body } = await call('GET', `${all}?${query}`)
  return status === 204 ? [] : body.map(({ id }: { id: number }) => id)
}
const history = async () =>
  (await rowsOf(shop, 'gift_certificate_changes'))
    .toSorted((one, other) => Number(one.version) - Number(other.version))
    .map(({ change, balance, cause }) => [Number(change), Number(balance), cause])

describe('a gift certificate', () => {
  test('is answered whole, with a code of four groups', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toEqual({
      id: 1,
      code: expect.stringMatching(/^([A-HJ-NP-Z2-9]{3}-){3}[A-HJ-NP-Z2-9]{3}$/),
      status: 'active',
      customer_id: 0,
      order_id: 0,
      ...people,
      amount: '25.0000',
      balance: '25.0000',
      currency_code: 'USD',
      purchase_date: expect.stringMatching(/^\d{10}$/),
      expiry_date: '0',
      template: 'general.html',
      message: '',
    })
    expect((await call('GET', `${all}/1`)).body).toEqual(body)
    expect((await call('GET', all)).body).toEqual([body])
  })

  test('keeps the given fields, and the first 20 characters of its code (U10)', async () => {
    const { body } = await create({
      code: ' 12345678901234567890ABCDEFGHIJ',
      amount: '10.5',
      balance: '12.25',
      purchase_date: 'Tue, 12 Jun 2018 14:41:56 +0000',
      expiry_date: 2_000_000_000,
      template: 'Birthday',
      message: 'For you',
      customer_id: 7,
      status: 'pending',
    })
    expect(body).toMatchObject({
      code: '12345678901234567890',
      amount: '10.5000',
      balance: '12.2500',
      purchase_date: '1528814516',
      expiry_date: '2000000000',
      template: 'birthday.html',
      message: 'For you',
      customer_id: 7,
      status: 'pending',
    })
  })

  test('has a code that no other one has in any case', async () => {
    await create({ code: 'Gift-1' })
    const { status, body } = await create({ code: 'GIFT-1' })
    expect([status, body[0].details.code]).toEqual([409, 'A gift certificate with this code already exists.'])
    await create({ code: 'Gift-2' })
    expect((await call('PUT', `${all}/2`, { code: 'gift-1' })).status).toBe(409)
  })

  test('changes the given fields, and records each change of its balance', async () => {
    const { body } = await create()
    expect((await call('PUT', `${all}/1`, { balance: '40' })).body).toEqual({ ...body, balance: '40.0000' })
    expect((await call('PUT', `${all}/1`, { balance: 0, expiry_date: '' })).body).toEqual({
      ...body,
      balance: '0.0000',
    })
    await call('PUT', `${all}/1`, { message: 'Hello' })
    expect(await history()).toEqual([
      [25, 25, 'created'],
      [15, 40, 'changed'],
      [-40, 0, 'changed'],
    ])
    expect((await call('PUT', `${all}/2`, { balance: 1 })).status).toBe(404)
  })

  test('reads as expired after its expiry date, by the clock of the request', async () => {
    const { clock } = await theHouse()
    const expiry_date = Math.floor(clock.now().getTime() / 1_000) + 3_600
    await create({ expiry_date })
    expect((await call('GET', `${all}/1`)).body.status).toBe('active')
    clock.move(3_600_000)
    expect((await call('GET', `${all}/1`)).body.status).toBe('expired')
    expect((await call('GET', all)).body[0].status).toBe('expired')
    await call('PUT', `${all}/1`, { expiry_date: 0 })
    expect((await call('GET', `${all}/1`)).body.status).toBe('active')
    clock.move(-3_600_000)
  })

  test('is deleted, and leaves its history', async () => {
    await create()
    await create({ balance: 0 })
    expect((await call('DELETE', `${all}/1`)).status).toBe(204)
    expect((await call('DELETE', `${all}/1`)).status).toBe(404)
    expect((await call('DELETE', all)).status).toBe(204)
    expect((await call('GET', all)).status).toBe(204)
    expect(await history()).toEqual([
      [25, 25, 'created'],
      [0, 0, 'created'],
      [-25, 0, 'deleted'],
      [0, 0, 'deleted'],
    ])
    // Its code can be given again, to a certificate with an id and a history of its own.
    expect((await create()).body.id).toBe(3)
    expect(await history()).toHaveLength(5)
  })

  test.each([
    ['has no name of the receiver', { to_name: undefined }, 'to_name'],
    ['has a blank address', { from_email: ' ' }, 'from_email'],
    ['has no amount', { amount: undefined }, 'amount'],
    ['is worth nothing', { amount: 0 }, 'amount'],
    ['is worth more than an amount holds', { amount: '100000000000' }, 'amount'],
    ['has a negative balance', { balance: -1 }, 'balance'],
    ['has a balance that is no number', { balance: 'NaN' }, 'balance'],
    ['has a currency that the store lacks', { currency_code: 'EUR' }, 'currency_code'],
    ['has an unknown template', { template: 'moon.html' }, 'template'],
    ['has a malformed date', { expiry_date: 'tomorrow' }, 'expiry_date'],
    ['has a message of 251 characters', { message: 'a'.repeat(251) }, 'message'],
    ['has an unknown status', { status: 'redeemed' }, 'status'],
  ])('is refused if it %s', async (_, fields, field) => {
    const { status, body } = await create(fields)
    expect([status, Object.keys(body[0].details)]).toEqual([400, [field]])
    expect((await call('GET', all)).status).toBe(204)
  })
})

test('the list is filtered without case, sorted and paged', async () => {
  await create({ code: 'A1' })
  await create({ to_name: 'Cy Orr', to_email: 'cy@example.com', from_name: 'Di Fox', from_email: 'di@example.com' })
  await create({ code: 'A3' })
  expect(await list('code=a1')).toEqual([1])
  expect(await list('to_name=cy%20orr')).toEqual([2])
  expect(await list('to_email=ANN@example.com')).toEqual([1, 3])
  expect(await list('from_name=Di%20Fox')).toEqual([2])
  expect(await list('from_email=BO@example.com')).toEqual([1, 3])
  expect(await list('order_id=0')).toEqual([1, 2, 3])
  expect(await list('order_id=4')).toEqual([])
  expect(await list('min_id=2&max_id=2')).toEqual([2])
  expect(await list('sort=id&direction=desc&limit=2')).toEqual([3, 2])
  expect(await list('limit=2&page=2')).toEqual([3])
})
