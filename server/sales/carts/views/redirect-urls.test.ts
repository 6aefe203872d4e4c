import { beforeEach, describe, expect, test } from 'vitest'
import { createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/carts.md section 11. The clock belongs to the process of this file.

const DAY = 86_400_000
const custom_items = [{ name: 'Engraving', quantity: 1, list_price: 3 }]

let shop: Shop
let cart = ''
beforeEach(async () => {
  shop = await openShop()
  cart = await createCart(shop, {}, { custom_items })
})
const create = (body?: unknown, of = cart) => shop.call('POST', `/carts/${of}/redirect_urls`, body)
const tokens = () => rowsOf(shop, 'cart_redirect_tokens')

/** The addresses of an answer without their tokens, which are the same in all three, and the token. */
function parted(urls: Record<string, string>) {
  const found = new Set(Object.values(urls).map((url) => new URL(url).searchParams.get('token')))
  expect(found.size).toBe(1)
  const [token = ''] = found
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  const bare = Object.entries(urls).map(([name, url]) => [name, url.replace(String(token), 'T')])
  return { urls: Object.fromEntries(bare), token: String(token) }
}

/** The three addresses of a cart at a site. @param more what follows the token */
const addresses = (site: string, id: string, more = '') => ({
  cart_url: `${site}/cart.php?action=load&id=${id}&token=T${more}`,
  checkout_url: `${site}/cart.php?action=loadInCheckout&id=${id}&token=T${more}`,
  embedded_checkout_url: `${site}/cart.php?embedded=1&action=loadInCheckout&id=${id}&token=T${more}`,
})
const home = () => `https://store-${shop.store.hash}.shop.test`

test('a cart has three addresses with one token, and keeps its version and time', async () => {
  const before = (await shop.call('GET', `/carts/${cart}`)).body
  const events = (await rowsOf(shop, 'events')).length
  const { status, body } = await create({})
  expect([status, body]).toEqual([201, { data: body.data, meta: {} }])
  const { urls, token } = parted(body.data)
  expect(urls).toEqual(addresses(home(), cart))
  const rows = await tokens()
  expect(rows).toMatchObject([{ cart_id: cart, number: 1 }])
  expect(JSON.stringify(rows)).not.toContain(token)
  expect((await shop.call('GET', `/carts/${cart}`)).body).toEqual(before)
  expect(await rowsOf(shop, 'events')).toHaveLength(events)
})

test('the body may be missing, and have unknown fields', async () => {
  for (const body of [undefined, {}, { cart_id: cart }]) expect((await create(body)).status).toBe(201)
  const made = await create(undefined, cart.toUpperCase())
  expect(parted(made.body.data).urls).toEqual(addresses(home(), cart))
})

test('an unknown, a deleted and an expired cart has no addresses', async () => {
  expect((await create({}, '5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d')).status).toBe(404)
  expect((await create({}, '7')).status).toBe(404)
  await create()
  await shop.call('DELETE', `/carts/${cart}`)
  expect((await create()).status).toBe(404)
  expect(await tokens()).toEqual([])
  const left = await createCart(shop, {}, { custom_items })
  ;(await theHouse()).clock.move(31 * DAY)
  expect((await create({}, left)).status).toBe(404)
})

describe('query_params', () => {
  const endOf = async (query_params: unknown) => {
    const { status, body, text } = await create({ query_params })
    expect(status, text).toBe(201)
    const { urls } = parted(body.data)
    const more = String(urls.cart_url).split('token=T')[1]
    expect(urls).toEqual(addresses(home(), cart, more))
    return more
  }

  test('are an object, a pair or a list of pairs', async () => {
    expect(await endOf({ utm_source: 'mail', a: '1 & 2' })).toBe('&utm_source=mail&a=1+%26+2')
    expect(await endOf({ key: 'ref', value: 'x' })).toBe('&ref=x')
    expect(
      await endOf([
        { key: 'ref', value: 'x' },
        { key: 'ref', value: 'ü' },
      ]),
    ).toBe('&ref=x&ref=%C3%BC')
    expect(await endOf({ key: 'ref', value: 'x', more: 'y' })).toBe('&ref=x')
    expect(await endOf({ key: 'ref' })).toBe('&key=ref')
    for (const none of [{}, []]) expect(await endOf(none)).toBe('')
  })

  const pairs = (count: number) => Array.from({ length: count }, (_, i) => ({ key: `k${i}`, value: 'v' }))
  const names = (count: number) => Object.fromEntries(pairs(count).map(({ key, value }) => [key, value]))

  test('are at most 20, with 2,000 characters', async () => {
    expect((await endOf(pairs(20)))?.split('&')).toHaveLength(21)
    expect((await endOf(names(20)))?.split('&')).toHaveLength(21)
    expect(await endOf({ a: 'x'.repeat(1_999) })).toHaveLength(2_002)
    const refused: unknown[] = [pairs(21), names(21), { a: 'x'.repeat(2_000) }, { '': 'x' }, [{ key: '', value: 'x' }]]
    refused.push([
      { key: 'a', value: 'x'.repeat(1_999) },
      { key: 'b', value: '' },
    ])
    const before = await tokens()
    for (const query_params of [...refused, 'a=b', 7, { a: 7 }, [{ key: 'a' }], ['a']]) {
      const { status, body } = await create({ query_params })
      expect([status, Object.keys(body.errors)[0]], JSON.stringify(query_params)).toEqual([
        422,
        expect.stringMatching(/^query_params/),
      ])
    }
    expect(await tokens()).toEqual(before)
  })
})

test('a cart has its newest 50 tokens', async () => {
  for (let i = 0; i < 52; i++) await create()
  const rows = await tokens()
  expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 50 }, (_, i) => i + 3))
  const other = await createCart(shop, {}, { custom_items })
  await create({}, other)
  expect(await tokens()).toHaveLength(51)
})

test('a token ends after 30 days', async () => {
  await create()
  const { clock } = await theHouse()
  clock.move(20 * DAY)
  await shop.call('PUT', `/carts/${cart}`, { customer_id: 0 })
  await create()
  expect(await tokens()).toHaveLength(2)
  clock.move(10 * DAY)
  await create()
  expect((await tokens()).map(({ number }) => number)).toEqual([2, 3])
})

test('the addresses are at the checkout of the channel', async () => {
  const site = await shop.call('GET', '/channels/1/site')
  expect(site.status).toBe(200)
  await shop.call('PUT', '/channels/1/site', { url: `https://www.${shop.store.hash}.example.com` })
  expect(parted((await create()).body.data).urls).toEqual(addresses(home(), cart))
  const own = `https://checkout.${shop.store.hash}.example.com`
  const put = await shop.call('PUT', '/channels/1/site/checkout-url', { url: own })
  expect(put.status, put.text).toBe(200)
  expect(parted((await create()).body.data).urls).toEqual(addresses(own, cart))
})

test('a new cart includes its addresses if the query asks for them', async () => {
  const goods = await openWithShipping()
  const made = await goods.call('POST', '/carts?include=redirect_urls', {
    line_items: [{ product_id: 1, quantity: 1 }],
  })
  expect(made.status, made.text).toBe(201)
  const { id, redirect_urls } = made.body.data
  expect(parted(redirect_urls).urls).toEqual(addresses(`https://store-${goods.store.hash}.shop.test`, id))
  expect(await rowsOf(goods, 'cart_redirect_tokens')).toHaveLength(1)
  for (const [method, path, body] of [
    ['GET', `/carts/${id}`],
    ['PUT', `/carts/${id}`, { customer_id: 0 }],
    ['POST', `/carts/${id}/items`, { custom_items }],
    ['POST', '/carts', { custom_items }],
  ] as const) {
    const query = path === '/carts' ? '' : '?include=redirect_urls'
    expect((await goods.call(method, `${path}${query}`, body)).body.data).not.toHaveProperty('redirect_urls')
  }
  expect(await rowsOf(goods, 'cart_redirect_tokens')).toHaveLength(1)
})
