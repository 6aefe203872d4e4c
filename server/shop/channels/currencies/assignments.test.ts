import { beforeEach, describe, expect, test } from 'vitest'
import { sized } from '../../../test/document/sized.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { deleteCurrenciesOfChannel } from './assignments.ts'

let shop: Shop
let market: number
let till: number
beforeEach(async () => {
  shop = await openShop()
  for (const currency_code of ['EUR', 'JPY', 'GBP']) {
    await shop.call('POST', '/currencies', { ...format, currency_code }, { version: 'v2' })
  }
  await shop.call('PUT', '/currencies/4', { enabled: false }, { version: 'v2' })
  market = await channel('Market', 'marketplace', 'ebay')
  till = await channel('Till', 'pos', 'square')
  eventsBefore = (await rowsOf(shop, 'events')).length
})

const format = {
  name: 'Some',
  currency_exchange_rate: 2,
  token_location: 'left',
  token: 'x',
  decimal_token: '.',
  thousands_token: ',',
  decimal_places: 2,
}
const ALL = '/channels/currency-assignments'
const of = (channel: number) => `/channels/${channel}/currency-assignments`
const inherited = { enabled_currencies: ['USD', 'EUR', 'JPY'], default_currency: 'USD' }
const own = { enabled_currencies: ['JPY', 'EUR'], default_currency: 'EUR' }
const missing = 'error.path.missing'

let eventsBefore = 0
/** The scopes of the events since the channels were made. */
const scopes = async () => (await rowsOf(shop, 'events')).slice(eventsBefore).map(({ scope }) => scope)
const updated = (...channels: number[]) => channels.map((id) => `store/channel/${id}/settings/currency/updated`)
const list = async () => (await shop.call('GET', ALL)).body
const get = async (channel: number) => (await shop.call('GET', of(channel))).body

async function channel(name: string, type: string, platform: string): Promise<number> {
  return (await shop.call('POST', '/channels', { name, type, platform })).body.data.id
}

test('a channel uses all enabled currencies of the store until it has an assignment of its own, and again after that', async () => {
  expect(await get(market)).toEqual({ data: { channel_id: market, ...inherited }, meta: {} })
  expect(await list()).toEqual({ data: [], meta: {} })
  for (const method of ['POST', 'PUT']) {
    const { status, body } = await shop.call(method, of(market), own)
    expect({ status, body }).toEqual({ status: 200, body: { data: { channel_id: market, ...own }, meta: {} } })
  }
  expect(await get(market)).toEqual({ data: { channel_id: market, ...own }, meta: {} })
  expect(await list()).toEqual({ data: [{ channel_id: market, ...own }], meta: {} })
  expect((await get(till)).data).toEqual({ channel_id: till, ...inherited })
  for (let i = 0; i < 2; i++) {
    const { status, body } = await shop.call('DELETE', of(market))
    expect({ status, body }).toEqual({ status: 200, body: { data: market, meta: {} } })
  }
  expect((await get(market)).data).toEqual({ channel_id: market, ...inherited })
  expect(await list()).toEqual({ data: [], meta: {} })
  // Neither the PUT nor the second DELETE has changed anything.
  expect(await scopes()).toEqual(updated(market, market))
})

test('codes are stored in capitals, each once, in the order given', async () => {
  const { body } = await shop.call('PUT', of(market), {
    enabled_currencies: ['jpy', 'USD', 'JPY', 'usd'],
    default_currency: 'usd',
    channel_id: till,
  })
  expect(body.data).toEqual({ channel_id: market, enabled_currencies: ['JPY', 'USD'], default_currency: 'USD' })
})

test.each(['POST', 'PUT'])('%s takes many at once and answers them in their order', async (method) => {
  await shop.call('PUT', of(1), own)
  const items = [
    { channel_id: till, ...own },
    { channel_id: 1, enabled_currencies: ['USD'], default_currency: 'USD' },
  ]
  const { status, body } = await shop.call(method, ALL, items)
  expect({ status, body }).toEqual({ status: 200, body: { data: items, meta: {} } })
  expect((await list()).data).toEqual([items[1], items[0]])
  expect(await scopes()).toEqual(updated(1, till, 1))
})

test('the list has no pages, and takes their names all the same', async () => {
  expect((await shop.call('GET', `${ALL}?page=2&limit=1`)).body).toEqual({ data: [], meta: {} })
  expect((await shop.call('GET', `${ALL}?limit=251`)).status).toBe(413)
  expect((await shop.call('GET', `${ALL}?channel_id=1`)).status).toBe(422)
})

describe('is refused:', () => {
  const bad: [name: string, body: object, errors: object][] = [
    ['nothing', {}, { enabled_currencies: missing, default_currency: missing }],
    ['no currency', { ...own, enabled_currencies: [] }, { enabled_currencies: expect.any(String) }],
    [
      'a default that is not enabled',
      { ...own, default_currency: 'USD' },
      { default_currency: 'default_currency must be one of enabled_currencies, not USD.' },
    ],
    [
      'codes that are none',
      { enabled_currencies: ['EUR', 'EUX', 'ZZZ'], default_currency: 'EUR' },
      { enabled_currencies: 'enabled_currencies must be codes of ISO 4217, not [EUX, ZZZ].' },
    ],
    [
      'currencies that the store does not have, or has disabled',
      { enabled_currencies: ['EUR', 'CHF', 'GBP'], default_currency: 'EUR' },
      { enabled_currencies: 'These are not enabled currencies of the store: [CHF, GBP].' },
    ],
    [
      'wrong types',
      { enabled_currencies: 'EUR', default_currency: 7 },
      { ...anyOf('enabled_currencies', 'default_currency') },
    ],
    ['101 codes', { ...own, enabled_currencies: Array(101).fill('EUR') }, { ...anyOf('enabled_currencies') }],
  ]
  test.each(bad)('%s', async (_, body, errors) => {
    for (const method of ['POST', 'PUT']) {
      expect(await shop.call(method, of(market), body)).toMatchObject({ status: 422, body: { errors } })
      const items = [
        { channel_id: till, ...own },
        { channel_id: market, ...body },
      ]
      const placed = Object.fromEntries(Object.entries(errors).map(([field, sentence]) => [`1.${field}`, sentence]))
      expect(await shop.call(method, ALL, items)).toMatchObject({ status: 422, body: { errors: placed } })
    }
    expect(await rowsOf(shop, 'channel_currencies')).toEqual([])
    expect(await scopes()).toEqual([])
  })

  function anyOf(...fields: string[]) {
    return Object.fromEntries(fields.map((field) => [field, expect.any(String)]))
  }

  test('channels that are not there, whose numbers the title has', async () => {
    await shop.call('PUT', `/channels/${till}`, { status: 'deleted' })
    const items = [900, market, till].map((channel_id) => ({ channel_id, ...own }))
    const title = (ids: string) => `These are no channels of the store ${shop.store.id}: [${ids}].`
    expect(await shop.call('PUT', ALL, items)).toMatchObject({
      status: 422,
      body: { title: title(`900, ${till}`), errors: {} },
    })
    for (const method of ['POST', 'PUT']) {
      expect(await shop.call(method, of(till), own)).toMatchObject({
        status: 422,
        body: { title: title(String(till)), errors: {} },
      })
    }
    for (const method of ['GET', 'DELETE']) expect((await shop.call(method, of(till))).status).toBe(404)
    expect(await rowsOf(shop, 'channel_currencies')).toEqual([])
  })

  test('a channel twice, an item without its channel, no item, and the 51st', async () => {
    const twice = [market, market].map((channel_id) => ({ channel_id, ...own }))
    expect((await shop.call('PUT', ALL, twice)).body.errors).toEqual({
      '1.channel_id': 'Another item is for this channel.',
    })
    expect((await shop.call('PUT', ALL, [own])).body.errors).toEqual({ '0.channel_id': missing })
    expect((await shop.call('PUT', ALL, [])).status).toBe(422)
    expect((await shop.call('PUT', ALL, Array(51).fill({ channel_id: 1, ...own }))).status).toBe(413)
  })
})

test('a deleted channel is not listed, and its assignment is deleted when it is terminated', async () => {
  await shop.call('PUT', of(till), own)
  await shop.call('PUT', `/channels/${till}`, { status: 'deleted' })
  expect((await list()).data).toEqual([])
  expect(await rowsOf(shop, 'channel_currencies')).toHaveLength(1)
  await deleteCurrenciesOfChannel(await dbOf(shop), till)
  expect(await rowsOf(shop, 'channel_currencies')).toEqual([])
})

test('channels show theirs with include=currencies, inherited or their own', async () => {
  await shop.call('PUT', of(market), own)
  const listed = (await shop.call('GET', '/channels?include=currencies')).body.data
  expect(listed.map(({ currencies }: { currencies: object }) => currencies)).toEqual([
    { channel_id: 1, ...inherited },
    { channel_id: market, ...own },
    { channel_id: till, ...inherited },
  ])
  const one = (await shop.call('GET', `/channels/${market}?include=currencies`)).body.data
  expect(one).toMatchObject({ id: market, currencies: { channel_id: market, ...own } })
  expect((await shop.call('GET', `/channels/${market}`)).body.data).not.toHaveProperty('currencies')
})

test('of a currency that is disabled and a channel that takes it at once, one is refused (C-012)', async () => {
  for (let round = 0; round < sized(1_000, 10); round++) {
    const [assigned, disabled] = await Promise.all([
      shop.call('PUT', of(market), own),
      shop.call('PUT', '/currencies/3', { enabled: false }, { version: 'v2' }),
    ])
    expect([
      [200, 409],
      [422, 200],
    ]).toContainEqual([assigned.status, disabled.status])
    await shop.call('DELETE', of(market))
    await shop.call('PUT', '/currencies/3', { enabled: true }, { version: 'v2' })
  }
})
