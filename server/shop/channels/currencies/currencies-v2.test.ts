import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { readRate } from './currencies-v2.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call: Shop['call'] = (method, path, body, options) => shop.call(method, path, body, { version: 'v2', ...options })
const scopes = async () => (await rowsOf(shop, 'events')).map(({ scope }) => scope)

const dollar = {
  id: 1,
  is_default: true,
  country_iso2: 'US',
  default_for_country_codes: [],
  currency_code: 'USD',
  currency_exchange_rate: '1.0000000000',
  auto_update: false,
  token_location: 'left',
  token: '$',
  decimal_token: '.',
  thousands_token: ',',
  decimal_places: 2,
  name: 'US Dollar',
  enabled: true,
  is_transactional: true,
  use_default_name: true,
  last_updated: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/),
}
const euro = {
  name: 'Euros',
  currency_code: 'eur',
  country_iso2: 'de',
  currency_exchange_rate: '0.92',
  token_location: 'right',
  token: '€',
  decimal_token: ',',
  thousands_token: '.',
  decimal_places: 2,
}
const storedEuro = {
  ...dollar,
  ...euro,
  id: 2,
  is_default: false,
  currency_code: 'EUR',
  country_iso2: 'DE',
  currency_exchange_rate: '0.9200000000',
  is_transactional: false,
  use_default_name: false,
}
const create = (fields: object = {}) => call('POST', '/currencies', { ...euro, ...fields })
const assign = (codes: string[], channel = 1) =>
  shop.call('PUT', `/channels/${channel}/currency-assignments`, {
    enabled_currencies: codes,
    default_currency: codes[0],
  })
const codes = async () =>
  (await call('GET', '/currencies')).body.map(({ currency_code }: { currency_code: string }) => currency_code)

describe('the currencies of a store', () => {
  test('begin with US dollars, its default', async () => {
    expect((await call('GET', '/currencies')).body).toEqual([dollar])
    const { status, body, headers } = await call('GET', '/currencies/1')
    expect({ status, body }).toEqual({ status: 200, body: dollar })
    const headersOfSame = { 'if-modified-since': String(headers['last-modified']) }
    expect((await call('GET', '/currencies/1', undefined, { headers: headersOfSame })).status).toBe(304)
  })

  test('are created with 200, changed and deleted, and nothing tells of it', async () => {
    const made = await create()
    expect({ status: made.status, body: made.body }).toEqual({ status: 200, body: storedEuro })
    expect((await call('GET', '/currencies')).body).toEqual([dollar, storedEuro])
    const changes = { name: 'Euro', currency_exchange_rate: 0.9, currency_code: 'GBP', last_updated: 'x', id: 9 }
    const changed = await call('PUT', '/currencies/2', changes)
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      ...storedEuro,
      name: 'Euro',
      use_default_name: true,
      currency_exchange_rate: '0.9000000000',
    })
    expect(await call('DELETE', '/currencies/2')).toMatchObject({ status: 204, text: '' })
    expect((await call('GET', '/currencies/2')).status).toBe(404)
    expect(await scopes()).toEqual([])
  })

  test('have pages', async () => {
    await create()
    await create({ currency_code: 'GBP' })
    expect((await call('GET', '/currencies?limit=2&page=2&sort=name')).body).toMatchObject([{ currency_code: 'GBP' }])
    expect((await call('GET', '/currencies?limit=2&page=3')).status).toBe(204)
    expect((await call('GET', '/currencies?limit=251')).status).toBe(413)
  })

  test.each([
    ['nothing but a name', { name: 'x' }, 7],
    ['another code than those of ISO 4217', { ...euro, currency_code: 'XYZ' }, 1],
    ['a code of two letters', { ...euro, currency_code: 'EU' }, 1],
    ['a blank name', { ...euro, name: ' ' }, 1],
    ['a rate of 0', { ...euro, currency_exchange_rate: 0 }, 1],
    ['eleven decimals', { ...euro, currency_exchange_rate: '0.12345678901' }, 1],
    ['a symbol in the middle', { ...euro, token_location: 'middle' }, 1],
    ['symbols of 0 and 5 characters', { ...euro, token: '', decimal_token: '12345' }, 2],
    ['one sign for decimals and thousands', { ...euro, thousands_token: ',' }, 1],
    ['nine decimals to show', { ...euro, decimal_places: 9 }, 1],
    ['a country of three letters', { ...euro, country_iso2: 'DEU' }, 1],
    ['wrong types', { ...euro, currency_exchange_rate: true, enabled: 'yes' }, 2],
  ])('are not created with %s', async (_, body, mistakes) => {
    const { status, body: refusal } = await call('POST', '/currencies', body)
    expect({ status, mistakes: Object.keys(refusal[0].details).length }).toEqual({ status: 400, mistakes })
  })

  test('are each there once', async () => {
    const sentence = 'The store has this currency already.'
    expect((await create({ currency_code: 'usd' })).body).toEqual([
      { status: 409, message: sentence, details: { currency_code: sentence } },
    ])
  })

  test('that are paid in are not updated by themselves', async () => {
    expect((await create({ auto_update: true })).body).toMatchObject({ auto_update: true, is_transactional: false })
    expect((await call('PUT', '/currencies/2', { is_transactional: true })).body).toMatchObject({
      auto_update: false,
      is_transactional: true,
    })
  })

  test('keep the time of their last change where nothing changes', async () => {
    await create()
    const { headers } = await call('GET', '/currencies/2')
    await call('PUT', '/currencies/2', { ...euro, currency_exchange_rate: '0.920' })
    expect((await call('GET', '/currencies/2')).headers['last-modified']).toBe(headers['last-modified'])
  })
})

describe('the default currency', () => {
  test('becomes another one, which is enabled, transactional and worth 1; one event tells of it', async () => {
    await create({ enabled: false, auto_update: true })
    const made = await call('PUT', '/currencies/2', { is_default: true, enabled: false })
    const asDefault = { enabled: true, is_transactional: true, auto_update: false }
    expect(made.body).toMatchObject({ is_default: true, currency_exchange_rate: '1.0000000000', ...asDefault })
    expect((await call('GET', '/currencies/1')).body.is_default).toBe(false)
    const pound = await create({ currency_code: 'GBP', is_default: true })
    expect(pound.body).toMatchObject({ id: 3, is_default: true, currency_exchange_rate: '1.0000000000', ...asDefault })
    const defaults = (await call('GET', '/currencies')).body.map(
      ({ is_default }: { is_default: boolean }) => is_default,
    )
    expect(defaults).toEqual([false, false, true])
    await call('PUT', '/currencies/3', { is_default: true, currency_exchange_rate: '1' })
    await call('PUT', '/currencies/3', { token: '£' })
    await call('PUT', '/currencies/2', { is_default: false })
    expect(await scopes()).toEqual(Array(3).fill('store/information/updated'))
  })

  test('is one also where several come as the default at once, beside one that becomes it', async () => {
    for (let round = 0; round < 8; round++) {
      shop = await openShop()
      await create({ currency_code: 'SEK' })
      const answers = await Promise.all([
        ...['EUR', 'GBP', 'JPY'].map((currency_code) => create({ currency_code, is_default: true })),
        call('PUT', '/currencies/2', { is_default: true }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const all = (await call('GET', '/currencies')).body
      expect(all.filter(({ is_default }: { is_default: boolean }) => is_default)).toHaveLength(1)
    }
  })

  test('is one, however many become it at once', async () => {
    await create()
    await create({ currency_code: 'GBP' })
    const answers = await Promise.all([1, 2, 3, 2].map((id) => call('PUT', `/currencies/${id}`, { is_default: true })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const all = (await call('GET', '/currencies')).body
    expect(all.filter(({ is_default }: { is_default: boolean }) => is_default)).toHaveLength(1)
  })

  test('cannot be deleted, disabled or given another rate', async () => {
    expect((await call('DELETE', '/currencies/1')).body).toEqual([
      { status: 409, message: 'The default currency cannot be deleted.' },
    ])
    const lesser = { is_default: false, enabled: false, is_transactional: false, currency_exchange_rate: 2 }
    const { status, body } = await call('PUT', '/currencies/1', lesser)
    expect({ status, details: Object.keys(body[0].details) }).toEqual({ status: 400, details: Object.keys(lesser) })
  })
})

describe('a currency that a channel is assigned to', () => {
  beforeEach(async () => {
    await create()
    await assign(['USD', 'EUR'])
  })

  test('is neither deleted nor disabled, and the refusal names the channels', async () => {
    for (const [method, body, action] of [
      ['DELETE', undefined, 'deleted'],
      ['PUT', { enabled: false }, 'disabled'],
    ] as const) {
      const message = `EUR cannot be ${action}: the channels [1] are assigned to it.`
      expect((await call(method, '/currencies/2', body)).body).toEqual([{ status: 409, message }])
    }
    await shop.call('DELETE', '/channels/1/currency-assignments')
    expect((await call('PUT', '/currencies/2', { enabled: false })).body.enabled).toBe(false)
    expect((await call('DELETE', '/currencies/2')).status).toBe(204)
  })

  test('stays where all others but the default go', async () => {
    await create({ currency_code: 'GBP' })
    await create({ currency_code: 'SEK', is_default: true })
    expect((await call('DELETE', '/currencies?id=1')).status).toBe(400)
    expect(await call('DELETE', '/currencies')).toMatchObject({ status: 204, text: '' })
    expect(await codes()).toEqual(['USD', 'EUR', 'SEK'])
  })

  test('goes if the channel is deleted, which then has none of its own', async () => {
    const made = await shop.call('POST', '/channels', { name: 'Gone', type: 'pos', platform: 'square' })
    const channel = made.body.data.id
    await assign(['EUR'], channel)
    await assign(['USD'])
    await shop.call('PUT', `/channels/${channel}`, { status: 'deleted' })
    expect((await call('DELETE', '/currencies/2')).status).toBe(204)
    expect(await rowsOf(shop, 'channel_currencies')).toHaveLength(1)
  })
})

test('a rate is more than 0 and has ten digits at most on each side of the point', () => {
  const rates: [given: string | number, read: string | undefined][] = [
    ['1', '1.0000000000'],
    ['0.0000000001', '0.0000000001'],
    [1e-7, '0.0000001000'],
    [0.1, '0.1000000000'],
    ['9999999999.9999999999', '9999999999.9999999999'],
    [1_234_567, '1234567.0000000000'],
  ]
  for (const [given, read] of rates) expect(readRate(given)).toBe(read)
  const none = [
    '10000000000',
    '0.00000000001',
    0.1 + 0.2,
    '0',
    -1,
    '-1',
    '1e3',
    '1,5',
    ' 1',
    '',
    Number.POSITIVE_INFINITY,
    'NaN',
  ]
  for (const given of none) expect(readRate(given), String(given)).toBeUndefined()
})
