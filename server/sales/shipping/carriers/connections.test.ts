import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { Addresses } from '../../../core/net/addresses.ts'
import { ServiceClient } from '../../../core/net/service-client.ts'
import { startTestCarrier } from '../../../sandbox/services/test-carrier.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { findCarrier } from './carriers.ts'
import { checkConnection } from './check.ts'
import { type CarrierWish, listCarriers, removeCarrier, setCarrier } from './registration.ts'

const carrier = await startTestCarrier()
const origins = ['http://127.0.0.1:*']
const services = new ServiceClient({ addresses: new Addresses(['127.0.0.0/8']), origins })
afterAll(async () => {
  await services.close()
  await carrier.close()
})

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const register = async (wish: CarrierWish, freed = origins) =>
  setCarrier(await dbOf(shop), wish, { secrets: (await theHouse()).installation.secrets, origins: freed })
const connect = (connection: object, method = 'POST') =>
  shop.call(method, '/shipping/carrier/connection', { carrier_id: 'carrier_1', connection }, { version: 'v2' })
const field = (code: string, more: object = {}) => ({ code, label: code, type: 'string', default_value: '', ...more })
const rateUrl = 'https://rates.example.com/rate'

describe('a connection to a registered carrier', () => {
  test('needs the fields of its schema, and takes their defaults', async () => {
    const connectionSchema = JSON.stringify([
      field('key'),
      field('mode', { type: 'select', value_options: ['live', 'test'], default_value: 'live' }),
      field('since', { type: 'date', default_value: '2026-01-31' }),
    ])
    await register({ id: 'carrier_1', rateUrl, connectionSchema })
    for (const method of ['POST', 'PUT']) {
      expect(await connect({ mode: 'test' }, method)).toMatchObject({
        status: 400,
        body: [{ message: 'Required fields missing [key]' }],
      })
    }
    for (const [name, value] of [
      ['mode', 'other'],
      ['key', { a: 1 }],
      ['since', 'today'],
    ] as const) {
      const { status, body } = await connect({ key: 'k', [name]: value })
      expect(status, name).toBe(400)
      expect(body[0].details).toEqual({ [`connection.${name}`]: expect.any(String) })
    }
    expect((await connect({ key: 'k' })).status).toBe(204)
    const [row] = await rowsOf(shop, 'carrier_connections')
    const { secrets } = (await theHouse()).installation
    expect(JSON.parse(secrets.unseal(String(row?.connection)))).toEqual({ key: 'k', mode: 'live', since: '2026-01-31' })
  })

  test('is checked by the carrier; a refused one counts as not connected', async () => {
    await register({ id: 'carrier_1', rateUrl: `${carrier.url}/rate`, checkUrl: `${carrier.url}/check` })
    const stored = await findCarrier(await dbOf(shop), 'carrier_1')
    if (!stored) throw new Error('The carrier is not registered.')
    const { secrets } = (await theHouse()).installation
    const check = (account: Record<string, string>, more: object = {}) =>
      checkConnection({ services, secrets }, { ...stored, ...more }, account)
    expect(await check({ auth_key: 'good' })).toEqual({ isValid: true, summary: '', lines: [] })
    expect(carrier.requests.at(-1)?.body).toEqual({ connection_options: { auth_key: 'good' } })
    expect(await check({ auth_key: 'refused' })).toEqual({
      isValid: false,
      summary: 'The carrier carrier_1 refused the connection.',
      lines: ['ERROR: The key *** is unknown.'],
    })
    expect(await check({ auth_key: 'x' }, { check_url: `${carrier.url}/nowhere` })).toEqual({
      isValid: true,
      summary: 'The carrier carrier_1 did not check the connection: status 400.',
      lines: [],
    })
    expect((await check({}, { check_url: '' })).summary).toBe('')
  })

  test('is stored with 204 and an entry in the log if the carrier cannot be reached', async () => {
    // The server of the tests may not connect to this address.
    await register({ id: 'carrier_1', rateUrl, checkUrl: 'https://shop.internal.test/check' })
    expect((await connect({ key: 'k' })).status).toBe(204)
    expect((await shop.call('GET', '/store/systemlogs?type=shipping')).body.data).toMatchObject([
      { module: 'carrier', summary: 'The carrier carrier_1 did not check the connection: forbidden.' },
    ])
  })

  test('that was refused lets no method be added, but lets it be renamed', async () => {
    await register({ id: 'carrier_1', rateUrl, settingsSchema: JSON.stringify([field('box')]) })
    await connect({})
    const call = (method: string, path: string, body: object) => shop.call(method, path, body, { version: 'v2' })
    await call('POST', '/shipping/zones', { name: 'World', type: 'global' })
    const path = '/shipping/zones/1/methods'
    const method = { name: 'A', type: 'carrier_1' }
    const refused = await call('POST', path, method)
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.body[0].details).toEqual({ 'settings.carrier_options.box': expect.any(String) })
    expect((await call('POST', path, { ...method, settings: { carrier_options: { box: 'L' } } })).status).toBe(200)
    await (await dbOf(shop)).transaction((tx) =>
      tx.rows(sql`
        update carrier_connections set is_valid = false where store_id = ${tx.store.id} returning carrier_id`),
    )
    expect((await call('POST', path, { ...method, settings: { carrier_options: { box: 'L' } } })).status).toBe(400)
    expect((await call('PUT', `${path}/1`, { name: 'B', enabled: false })).status).toBe(200)
    expect((await call('PUT', `${path}/1`, { type: 'carrier_1' })).status).toBe(400)
  })
})

describe('the registration of carriers', () => {
  test('has defaults, is changed in part, and hides the secret', async () => {
    const first = await register({ id: 'carrier_1', rateUrl, secret: 'signs' })
    const whole = {
      carrier_id: 'carrier_1',
      name: 'carrier_1',
      rate_url: rateUrl,
      check_url: '',
      is_multi: false,
      connection_schema: [],
      settings_schema: [],
      rate_ms: 5_000,
      has_secret: true,
    }
    expect(first).toEqual(whole)
    const changes = { id: 'carrier_1', name: 'One', isMulti: true, rateMs: 5_000, checkUrl: `${rateUrl}/check` }
    const changed = { ...whole, name: 'One', is_multi: true, check_url: `${rateUrl}/check` }
    expect(await register(changes)).toEqual(changed)
    expect(await listCarriers(await dbOf(shop))).toEqual([changed])
    expect(JSON.stringify(await rowsOf(shop, 'carriers'))).not.toContain('signs')
    expect(await removeCarrier(await dbOf(shop), 'carrier_1')).toBe(true)
    expect(await removeCarrier(await dbOf(shop), 'carrier_1')).toBe(false)
  })

  test.each<[string, Partial<CarrierWish>]>([
    ['a new carrier without an address', {}],
    ['http', { rateUrl: 'http://rates.example.com' }],
    ['another port', { rateUrl: 'https://rates.example.com:8443' }],
    ['an address inside of this network', { rateUrl: 'https://10.0.0.1' }],
    ['a check at this machine', { rateUrl, checkUrl: 'https://[::1]/check' }],
    ['a user', { rateUrl: 'https://me@rates.example.com' }],
    ['a password', { rateUrl: 'https://:p@rates.example.com' }],
    ['an invalid check address', { rateUrl, checkUrl: 'rates.example.com' }],
    ['a long address', { rateUrl: `https://rates.example.com/${'x'.repeat(2_048)}` }],
    ['an id with capitals', { id: 'Fast', rateUrl }],
    ['a type of methods as id', { id: 'perorder', rateUrl }],
    ['quotes of more than 5 s', { rateUrl, rateMs: 5_001 }],
    ['quotes of no time', { rateUrl, rateMs: 0 }],
    ['a blank name', { rateUrl, name: ' ' }],
    ['a long name', { rateUrl, name: 'x'.repeat(101) }],
    ['a schema that is no JSON', { rateUrl, connectionSchema: '[' }],
    ['a schema without codes', { rateUrl, settingsSchema: '[{"label":"x"}]' }],
    ['a schema with a code twice', { rateUrl, settingsSchema: JSON.stringify([field('a'), field('a')]) }],
    ['51 fields', { rateUrl, settingsSchema: JSON.stringify(Array.from({ length: 51 }, (_, i) => field(`f${i}`))) }],
  ])('refuses %s (C-087)', async (_, wish) => {
    await expect(register({ id: 'carrier_1', ...wish }, [])).rejects.toThrow()
    expect(await listCarriers(await dbOf(shop))).toEqual([])
  })
})
