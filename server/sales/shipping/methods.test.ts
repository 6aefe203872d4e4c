import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { removeChannelFromMethods } from './methods.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  await call('POST', '/shipping/zones', { name: 'World', type: 'global' })
})

const call: Shop['call'] = (method, path, body, options) => shop.call(method, path, body, { version: 'v2', ...options })
const create = (fields: object = {}) =>
  call('POST', '/shipping/zones/1/methods', { name: 'Flat', type: 'perorder', settings: { rate: 7 }, ...fields })
const byWeight = (range: object[], more: object = {}) => ({
  type: 'weight',
  settings: { default_cost: 15, default_cost_type: 'fixed_amount', range, ...more },
})
const range = (lower_limit: number, upper_limit: number) => ({ lower_limit, upper_limit, shipping_cost: 8 })

const whole = {
  id: 1,
  name: 'Flat',
  type: 'perorder',
  settings: { rate: 7 },
  enabled: true,
  handling_fees: {},
  is_fallback: false,
  channel_ids: [1],
}

describe('a shipping method', () => {
  test('is answered whole, with 200', async () => {
    const { status, body } = await create()
    expect([status, body]).toEqual([200, whole])
    expect((await call('GET', '/shipping/zones/1/methods/1')).body).toEqual(whole)
    expect((await call('GET', '/shipping/zones/1/methods')).body).toEqual([whole])
    expect((await call('GET', '/shipping/methods')).body).toEqual([{ ...whole, zone_id: 1 }])
  })

  test('can be created below its zone only', async () => {
    expect((await call('POST', '/shipping/methods', { name: 'Flat' })).status).toBe(405)
    expect((await call('POST', '/shipping/zones/2/methods', { name: 'A', type: 'freeshipping' })).status).toBe(404)
    await call('POST', '/shipping/zones', { name: 'DK', type: 'country', locations: [{ country_iso2: 'DK' }] })
    await create()
    expect((await call('GET', '/shipping/zones/2/methods/1')).status).toBe(404)
    expect((await call('GET', '/shipping/zones/2/methods')).status).toBe(204)
    expect((await call('GET', '/shipping/zones/3/methods')).status).toBe(404)
  })

  test('changes the given fields and leaves out settings of another type', async () => {
    await create({ handling_fees: { fixed_surcharge: '3' }, is_fallback: true, channel_ids: [] })
    const { body } = await call('PUT', '/shipping/zones/1/methods/1', byWeight([range(20, 40), range(0, 20)]))
    expect(body).toEqual({
      ...whole,
      type: 'weight',
      settings: { default_cost: 15, default_cost_type: 'fixed_amount', range: [range(20, 40), range(0, 20)] },
      handling_fees: { fixed_surcharge: 3 },
      is_fallback: true,
      channel_ids: [],
    })
    const free = await call('PUT', '/shipping/zones/1/methods/1', { type: 'freeshipping' })
    expect(free.body).toMatchObject({ type: 'freeshipping', settings: {} })
  })

  test('is deleted', async () => {
    await create()
    expect((await call('DELETE', '/shipping/zones/1/methods/1')).status).toBe(204)
    expect((await call('DELETE', '/shipping/zones/1/methods/1')).status).toBe(404)
    expect((await call('GET', '/shipping/zones/1/methods')).status).toBe(204)
  })

  test.each([
    ['has a written id', { id: 4 }, undefined],
    ['has a blank name', { name: ' ' }, 'name'],
    ['has a name of 101 characters', { name: 'a'.repeat(101) }, 'name'],
    ['has no rate', { settings: {} }, 'settings.rate'],
    ['has a negative rate', { settings: { rate: -1 } }, 'settings.rate'],
    ['names a carrier that is not connected', { type: 'fedex', settings: {} }, 'type'],
    ['names an unknown channel', { channel_ids: [1, 9] }, 'channel_ids'],
    ['has two fees', { handling_fees: { fixed_surcharge: 1, percentage_surcharge: 1 } }, 'handling_fees'],
    ['has no default cost', { type: 'total', settings: {} }, 'settings.default_cost'],
    ['has overlapping ranges', byWeight([range(0, 20), range(19, 30)]), 'settings.range.1'],
    ['has a range that ends before it begins', byWeight([range(20, 19)]), 'settings.range.0.lower_limit'],
    ['has 101 ranges', byWeight(Array.from({ length: 101 }, (_, i) => range(i, i + 1))), 'settings.range'],
  ])('is refused if it %s', async (_, fields, field) => {
    const { status, body } = await create(fields)
    expect(status).toBe(400)
    expect(Object.keys(body[0].details ?? {})).toEqual(field === undefined ? [] : [field])
    expect((await call('GET', '/shipping/methods')).status).toBe(204)
  })

  test('may have 100 ranges, and a name of 100 characters', async () => {
    const many = Array.from({ length: 100 }, (_, i) => range(i, i + 1))
    expect((await create({ ...byWeight(many), name: 'a'.repeat(100) })).status).toBe(200)
  })

  test('loses a channel that has ended', async () => {
    await shop.call('POST', '/channels', { name: 'App', type: 'pos', platform: 'custom' })
    const { body } = await shop.call('GET', '/channels')
    const other = body.data.map(({ id }: { id: number }) => id).find((id: number) => id !== 1)
    await create({ channel_ids: [1, other] })
    await create({ channel_ids: [other] })
    await create()
    await removeChannelFromMethods(await dbOf(shop), other)
    const methods = (await call('GET', '/shipping/methods')).body
    expect(methods.map(({ channel_ids }: { channel_ids: number[] }) => channel_ids)).toEqual([[1], [], [1, other]])
  })

  test('is refused as the 101st of its zone (403)', async () => {
    for (let i = 0; i < 100; i++) expect((await create()).status).toBe(200)
    expect((await create()).status).toBe(403)
  })
})

describe('a carrier', () => {
  const path = '/shipping/carrier/connection'
  const auspost = { carrier_id: 'auspost', connection: { auth_key: 'bef9b9a7', test_mode: true } }

  test('can be used by methods once it is connected, and takes them along when it is disconnected', async () => {
    expect((await call('POST', path, auspost)).status).toBe(204)
    const method = { type: 'auspost', settings: { carrier_options: { delivery_services: ['Express'] } } }
    expect((await create(method)).body).toMatchObject(method)
    expect((await call('DELETE', path, { carrier_id: 'auspost' })).status).toBe(204)
    expect((await call('GET', '/shipping/methods')).status).toBe(204)
    expect((await create(method)).status).toBe(400)
  })

  test('is stored encrypted, also by PUT', async () => {
    expect((await call('PUT', path, auspost)).status).toBe(204)
    const [row] = await rowsOf(shop, 'carrier_connections')
    expect(row?.connection).not.toContain('bef9b9a7')
  })

  // docs/contract/shipping.md section 8, V9.
  test.each([
    ['auspost', { test_mode: true }, 'Required fields missing [auth_key]'],
    ['fedex', { key: 'a', password: '' }, 'Required fields missing [password, account_number, meter_number]'],
    ['endicia', { account_id: 'a' }, 'Required fields missing [passphrase]'],
  ])('%s is refused without a key that it needs', async (carrier_id, connection, sentence) => {
    const { status, body } = await call('POST', path, { carrier_id, connection })
    expect([status, body[0].message]).toEqual([400, sentence])
  })

  test.each([
    ['endicia', { account_id: 'a', pass_phrase: 'b' }],
    ['royalmail', {}],
    ['carrier_7', { any: 'key' }],
  ])('%s is connected with %j', async (carrier_id, connection) => {
    expect((await call('POST', path, { carrier_id, connection })).status).toBe(204)
  })

  test('takes at most 16 KiB of options and of connection', async () => {
    expect((await call('POST', path, { carrier_id: 'carrier_1', connection: { a: 'x'.repeat(17_000) } })).status).toBe(
      400,
    )
    await call('POST', path, { carrier_id: 'carrier_1', connection: {} })
    const of = (length: number) => ({ type: 'carrier_1', settings: { carrier_options: { a: 'x'.repeat(length) } } })
    expect((await create(of(16_384 - '{"a":""}'.length))).status).toBe(200)
    expect((await create(of(16_385 - '{"a":""}'.length))).status).toBe(400)
  })
})
