import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../../../process/app.ts'
import { readConfig } from '../../../process/config.ts'
import { createCart } from '../../../test/carts/checkouts.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { SECRET } from '../../../test/harness/postgres.ts'

// docs/contract/carts.md section 12. The clock belongs to the process of this file.

const DAY = 86_400_000
const custom_items = [
  { name: 'Engraving <b>', quantity: 2, list_price: 3 },
  { name: 'Polish', quantity: 1, list_price: 1.5 },
]

let shop: Shop
let cart = ''
beforeEach(async () => {
  shop = await openShop()
  cart = await createCart(shop, {}, { custom_items })
})

/** New addresses of the cart. */
const links = async (body: object = {}, of = shop, id = cart): Promise<Record<string, string>> =>
  (await of.call('POST', `/carts/${id}/redirect_urls`, body)).body.data

/** Visits an address of a storefront as a browser does. */
async function visit(address: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const { server } = await theHouse()
  const { host, pathname, search } = new URL(address)
  const {
    statusCode: status,
    headers: answered,
    body,
  } = await server.inject({
    method,
    url: pathname + search,
    headers: { host, ...headers },
  })
  const cookie = String(answered['set-cookie'] ?? '').split(';')[0] ?? ''
  return { status, headers: answered, body, cookie }
}
const tokens = () => rowsOf(shop, 'cart_redirect_tokens')

describe('without a page of the site', () => {
  test('a link leads to the plain page once, and a reload shows it again', async () => {
    const { cart_url = '' } = await links({ query_params: { utm: 'mail' } })
    const before = (await shop.call('GET', `/carts/${cart}`)).body
    const events = (await rowsOf(shop, 'events')).length
    const { status, headers, cookie } = await visit(cart_url)
    expect([status, headers.location]).toEqual([302, '/cart.php'])
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    expect(headers['set-cookie']).toMatch(/^SHOP_CART=[\w.-]+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/)
    expect(await tokens()).toEqual([])

    for (let i = 0; i < 2; i++) {
      const page = await visit(new URL('/cart.php', cart_url).href, { cookie })
      expect(page.status).toBe(200)
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      expect(page.body).toContain('<td>Engraving &#60;b&#62;</td><td class="amount">2</td>')
      expect(page.body).toContain('<td colspan="3">Total</td><td class="amount">$7.50</td>')
      expect(page.body).not.toContain(cart)
    }
    expect((await shop.call('GET', `/carts/${cart}`)).body).toEqual(before)
    expect(await rowsOf(shop, 'events')).toHaveLength(events)
  })

  test('the second visit of a link is a page with 404, of all its three addresses', async () => {
    const urls = await links()
    expect((await visit(urls.embedded_checkout_url ?? '')).headers.location).toBe('/checkout')
    for (const url of Object.values(urls)) {
      const { status, headers, body } = await visit(url)
      expect([status, headers['set-cookie']]).toEqual([404, undefined])
      // The checkout says it in the language of the shopper.
      expect(body).toMatch(
        /This link was used already, or is too old\.|The link was used, has expired, or its cart was emptied\./,
      )
      expect(body).toContain('Back to the shop')
    }
  })

  test('the page has no cart without the cookie, with an altered one and after a day', async () => {
    const { cart_url = '' } = await links()
    const page = new URL('/cart.php', cart_url).href
    const { cookie } = await visit(cart_url)
    const other = await createCart(shop, {}, { custom_items })
    const [, until, signature] = cookie.split('=')[1]?.split('.') ?? []
    for (const bad of ['', 'SHOP_CART=', `SHOP_CART=${other}.${until}.${signature}`, cookie.slice(0, -1)]) {
      expect((await visit(page, { cookie: bad })).status).toBe(404)
    }
    expect((await visit(page, { cookie })).status).toBe(200)
    ;(await theHouse()).clock.move(DAY + 1_000)
    expect((await visit(page, { cookie })).status).toBe(404)
  })

  test('the cookie ends with the cart, and opens no cart of another store', async () => {
    const { cart_url = '' } = await links()
    const { cookie } = await visit(cart_url)
    const other = await openShop()
    expect((await visit(`https://store-${other.store.hash}.shop.test/cart.php`, { cookie })).status).toBe(404)
    await shop.call('DELETE', `/carts/${cart}`)
    expect((await visit(new URL('/cart.php', cart_url).href, { cookie })).status).toBe(404)
  })

  test('a storefront below the address of the server has its pages and its cookie there', async () => {
    const { cart_url = '' } = await links()
    const path = `http://shop.test/storefront/${shop.store.hash}`
    const { headers, cookie } = await visit(`${path}/cart.php${new URL(cart_url).search}`)
    expect(headers.location).toBe(`/storefront/${shop.store.hash}/cart.php`)
    expect(headers['set-cookie']).toContain(`; Path=/storefront/${shop.store.hash};`)
    expect((await visit(`${path}/cart.php`, { cookie })).status).toBe(200)
  })
})

describe('with a page of the site', () => {
  test('the link leads there with the id and the parameters', async () => {
    const { id } = (await shop.call('GET', '/channels/1/site')).body.data
    await shop.call('PUT', '/channels/1/site', { url: `https://www.${shop.store.hash}.example.com` })
    const route = { type: 'cart', matching: '*', route: '/my-cart' }
    expect((await shop.call('POST', `/sites/${id}/routes`, route)).status).toBe(201)
    const { cart_url = '' } = await links({ query_params: { utm: 'a & b' } })
    const { status, headers } = await visit(cart_url)
    expect([status, headers.location]).toEqual([
      302,
      `https://www.${shop.store.hash}.example.com/my-cart?id=${cart}&utm=a+%26+b`,
    ])
    expect(headers['referrer-policy']).toBe('no-referrer')
    // The checkout is a page of this server.
    expect((await visit((await links()).checkout_url ?? '')).headers.location).toBe('/checkout')
  })

  test('tokens of the route are filled in', async () => {
    const { id } = (await shop.call('GET', '/channels/1/site')).body.data
    await shop.call('POST', `/sites/${id}/routes`, { type: 'cart', matching: '*', route: '/{lang}/cart/{id}?a=b' })
    const { headers } = await visit((await links()).cart_url ?? '')
    expect(headers.location).toBe(`https://store-${shop.store.hash}.shop.test//cart/${cart}?a=b&id=${cart}`)
  })
})

describe('C-139: tokens of redirect URLs', () => {
  test('of 50 visits at once one wins', async () => {
    const { cart_url = '' } = await links()
    const visits = await Promise.all(Array.from({ length: 50 }, () => visit(cart_url)))
    expect(visits.filter(({ status }) => status === 302)).toHaveLength(1)
    expect(visits.filter(({ status }) => status === 404)).toHaveLength(49)
  })

  test('HEAD and prefetches spend nothing', async () => {
    const { cart_url = '' } = await links()
    expect(await visit(cart_url, {}, 'HEAD')).toMatchObject({ status: 200, body: '', cookie: '' })
    for (const [name, value] of [
      ['sec-purpose', 'prefetch'],
      ['sec-purpose', 'prefetch;prerender'],
      ['purpose', 'prefetch'],
    ]) {
      expect(await visit(cart_url, { [String(name)]: String(value) })).toMatchObject({ status: 503, cookie: '' })
    }
    expect(await tokens()).toHaveLength(1)
    expect((await visit(cart_url)).status).toBe(302)
  })

  test('altered, old, of another cart, of another store, of an ended cart: 404, and nothing is spent', async () => {
    const { cart_url = '' } = await links()
    const other = await createCart(shop, {}, { custom_items })
    const foreign = await openShop()
    const bad = [
      cart_url.replace(/token=./, 'token=x'),
      cart_url.replace(/&token=\w+/, ''),
      cart_url.replace(cart, other),
      cart_url.replace(/&id=[\w-]+/, ''),
      cart_url.replace('action=load', 'action=remove'),
      cart_url.replace(shop.store.hash, foreign.store.hash),
      `${cart_url.replace(cart, '%00')}`,
    ]
    for (const url of bad) expect(await visit(url), url).toMatchObject({ status: 404, cookie: '' })
    expect(await tokens()).toHaveLength(1)

    const { clock } = await theHouse()
    clock.move(20 * DAY)
    await shop.call('PUT', `/carts/${cart}`, { customer_id: 0 })
    clock.move(10 * DAY)
    expect((await visit(cart_url)).status).toBe(404)
    const { cart_url: last = '' } = await links()
    await shop.call('DELETE', `/carts/${cart}`)
    expect((await visit(last)).status).toBe(404)
  })

  test('neither token nor id is in the log', async () => {
    const { installation, files } = await theHouse()
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
    const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', PUBLIC_URL: 'http://shop.test' })
    const { server } = await createApp({ ...installation, files, log }, config, 'http://shop.test')
    const { cart_url = '' } = await links()
    const { host, pathname, search, searchParams } = new URL(cart_url)
    for (const status of [302, 404]) {
      const answered = await server.inject({ method: 'GET', url: pathname + search, headers: { host } })
      expect(answered.statusCode).toBe(status)
    }
    await server.close()
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toContain(String(searchParams.get('token')))
  })
})
