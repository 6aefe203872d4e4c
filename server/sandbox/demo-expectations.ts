import { expect } from 'vitest'
import { RESELLERS } from './demo/demo-prices.ts'
import type { SandboxRecord } from './demo/record.ts'

// The demo store of a sandbox, as a client with its tokens finds it. For tests.

/** Looks at all that a demo store has when it is new. */
export async function expectDemoStore(record: SandboxRecord) {
  await expectDemoCatalog(record)
  await expectShops(record)
  await expectDemoChannels(record)
  await expectDemoOrders(record)
  await expectDemoPrices(record)
  await expectDemoPromotions(record)
  await expectDemoContent(record)
}

/** Brands, categories, products, pictures and metafields of two clients. */
export async function expectDemoCatalog(there: SandboxRecord) {
  const all = async (path: string, as: keyof SandboxRecord['tokens'] = 'admin') => {
    const found: {
      id: number
      name: string
      parent_id: number
      permission_set: string
      owner_client_id: string
      image_url: string
    }[] = []
    for (let page = 1; ; page++) {
      const { body } = await askCatalog(there, there.tokens[as], `${path}?limit=250&page=${page}`)
      found.push(...body.data)
      if (body.data.length === 0) return found
    }
  }
  const brands = await all('/brands')
  expect(brands.map(({ id }) => id)).toEqual(Array.from({ length: 240 }, (_, index) => index + 1))
  expect(brands[0]).toMatchObject({ name: 'Aldermoor Pottery', custom_url: { url: '/makers/1/' } })
  const categories = await all('/categories')
  expect(categories.map(({ id }) => id)).toEqual(categories.map((_, index) => index + 1))
  expect(categories.length).toBeGreaterThanOrEqual(40)
  const parents = new Map(categories.map(({ id, parent_id }) => [id, parent_id]))
  expect(
    categories.some(({ parent_id }) => (parents.get(parents.get(parent_id) ?? 0) ?? 0) === 0 && parent_id > 0),
  ).toBe(true)

  const products = await all('/products')
  expect(products.map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, index) => index + 1))
  const picture = await all('/products/1/images')
  expect((await fetch(`${there.base_url}${new URL(picture[0]?.image_url ?? '').pathname}`)).status).toBe(200)

  const metafields = [
    ...(await all('/brands/metafields')),
    ...(await all('/brands/metafields', 'otherclient')),
    ...(await all('/categories/metafields')),
    ...(await all('/categories/metafields', 'otherclient')),
  ]
  const byId = new Map(metafields.map((metafield) => [metafield.id, metafield]))
  expect(byId.size).toBe(402)
  expect(new Set(metafields.map(({ permission_set }) => permission_set)).size).toBe(5)
  expect(new Set(metafields.map(({ owner_client_id }) => owner_client_id)).size).toBe(2)
}

/** Three currencies, some of them for each channel, sites where pages can be, a name and a logo. */
async function expectShops({ base_url, store_hash, tokens }: SandboxRecord) {
  const get = async (path: string) => {
    const answer = await fetch(`${base_url}/stores/${store_hash}${path}`, { headers: { 'x-auth-token': tokens.admin } })
    // biome-ignore lint/suspicious/noExplicitAny: a test compares values, it does not compute with them
    const found: any = await answer.json()
    return found
  }
  expect(await get('/v2/currencies')).toMatchObject([
    { currency_code: 'USD', is_default: true },
    { currency_code: 'EUR' },
    { currency_code: 'JPY' },
  ])
  expect((await get('/v3/channels/currency-assignments')).data).toMatchObject([
    { channel_id: 1, enabled_currencies: ['USD', 'EUR', 'JPY'], default_currency: 'USD' },
    { enabled_currencies: ['EUR', 'USD'], default_currency: 'EUR' },
    { enabled_currencies: ['USD'], default_currency: 'USD' },
  ])
  expect((await get('/v3/sites')).data).toMatchObject([
    { id: 1_000, url: 'http://localhost:3000' },
    { id: 1_001, url: 'https://market.demo.example.com' },
  ])
  const { name, logo } = await get('/v2/store')
  expect([name, (await fetch(logo.url)).status]).toEqual(['Fern & Field', 200])
  const own = await get('/v3/settings/store/profile?channel_id=664159')
  expect(own.data).toMatchObject({ store_name: 'Fern & Field Market' })
}

/** A marketplace with listings and a point of sale beside the storefront, each with some of the products. */
async function expectDemoChannels({ base_url, store_hash, tokens }: SandboxRecord) {
  const get = async (path: string) => {
    const url = `${base_url}/stores/${store_hash}/v3${path}`
    return JSON.parse(await (await fetch(url, { headers: { 'x-auth-token': tokens.admin } })).text())
  }
  const { data } = await get('/channels')
  expect(data).toMatchObject([
    { id: 1, type: 'storefront' },
    { type: 'marketplace', platform: 'etsy', status: 'connected' },
    { type: 'pos', platform: 'square', status: 'connected' },
  ])
  const [, market, counter] = data.map(({ id }: { id: number }) => id)
  const sold = async (id: number) => (await get(`/catalog/products?channel_id:in=${id}&limit=1`)).meta.pagination.total
  expect([await sold(1), await sold(market), await sold(counter)]).toEqual([480, 160, 260])
  const listings = await get(`/channels/${market}/listings`)
  expect(listings.meta.pagination).toMatchObject({ total: 48, count: 48 })
  expect(listings.data.some(({ variants }: { variants: unknown[] }) => variants.length > 1)).toBe(true)
  for (const id of [market, counter]) {
    expect((await get(`/channels/${id}/channel-menus`)).data.custom_app_sections.length).toBeGreaterThan(0)
    expect((await get(`/channels/${id}/metafields`)).data).toHaveLength(2)
  }
}

/** Orders of its customers over all statuses, with shipments and pickups. */
async function expectDemoOrders({ base_url, store_hash, tokens }: SandboxRecord) {
  const get = async (path: string) => {
    const url = `${base_url}/stores/${store_hash}${path}`
    return JSON.parse(await (await fetch(url, { headers: { 'x-auth-token': tokens.admin } })).text())
  }
  const { statuses, count } = await get('/v2/orders/count')
  expect([count, statuses.filter((status: { count: number }) => status.count === 0)]).toEqual([384, []])
  const orders = await get('/v2/orders?limit=250')
  const times = orders.flatMap(({ date_created, date_modified }: Record<'date_created' | 'date_modified', string>) => [
    Date.parse(date_created),
    Date.parse(date_modified),
  ])
  expect(Math.max(...times)).toBeLessThanOrEqual(Date.now())
  const guests = orders.filter(({ customer_id }: { customer_id: number }) => customer_id === 0)
  expect(guests.length).toBeLessThan(20)
  const pickups = await get('/v3/orders/pickups')
  const states = new Set(
    pickups.data.map((pickup: { pickup_items: { status: string }[] }) => pickup.pickup_items[0]?.status),
  )
  expect(states).toEqual(new Set(['AWAITING_COLLECTION', 'COLLECTED']))
  const sent = orders.find(({ status_id }: { status_id: number }) => status_id === 2)
  expect(await get(`/v2/orders/${sent.id}/shipments`)).toHaveLength(1)
}

/** Resellers pay four fifths of the price of a guest, and each country has its taxes and its shipping. */
async function expectDemoPrices({ base_url, store_hash, tokens }: SandboxRecord) {
  const ask = async (path: string, body?: object) => {
    const headers = { 'x-auth-token': tokens.admin, 'content-type': 'application/json' }
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    return JSON.parse(await (await fetch(`${base_url}/stores/${store_hash}${path}`, { headers, ...sent })).text())
  }
  const price = async (customer_group_id: number, country_code: string) => {
    const shopper = { channel_id: 1, currency_code: 'USD', customer_group_id, country_code }
    const { data } = await ask('/v3/pricing/products', { ...shopper, items: [{ product_id: 1 }] })
    return data[0].calculated_price
  }
  const guest = await price(0, 'FR')
  expect(guest.tax_inclusive).toBe(guest.tax_exclusive)
  const { tax_exclusive, tax_inclusive } = await price(RESELLERS, 'DK')
  expect(tax_exclusive).toBeCloseTo(guest.tax_exclusive * 0.8, 1)
  expect(tax_inclusive).toBeCloseTo(tax_exclusive * 1.25, 1)
  expect((await ask('/v3/tax/zones')).data.map(({ name }: { name: string }) => name)).toEqual([
    expect.any(String),
    'California',
    'Germany',
    'Denmark',
  ])
  expect((await ask('/v3/tax/providers/testtax/connection')).data).toMatchObject({
    configured: true,
    profile: 'normal',
  })
  const methods: { zone_id: number; name: string }[] = await ask('/v2/shipping/methods')
  expect(methods.map(({ zone_id, name }) => `${zone_id} ${name}`)).toEqual([
    '1 Ground',
    '1 By weight',
    '2 Parcel',
    '3 To the door',
    '3 To a parcel shop',
  ])
}

/** Ten promotions with 503 codes, three coupons beside them, three certificates and three banners. */
async function expectDemoPromotions({ base_url, store_hash, tokens }: SandboxRecord) {
  const get = async (path: string) => {
    const url = `${base_url}/stores/${store_hash}${path}`
    return JSON.parse(await (await fetch(url, { headers: { 'x-auth-token': tokens.admin } })).text())
  }
  const promotions: { status: string; redemption_type: string }[] = (await get('/v3/promotions')).data
  expect(promotions.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'ENABLED'))
  expect(promotions.filter(({ redemption_type }) => redemption_type === 'COUPON')).toHaveLength(3)
  expect((await get('/v3/promotions/codes?code=welcome15')).data).toMatchObject([{ code: 'WELCOME15' }])
  expect(await get('/v2/coupons/count')).toEqual({ count: 506 })
  expect(await get('/v2/banners/count')).toEqual({ count: 3 })
  const certificates: { code: string; balance: string }[] = await get('/v2/gift_certificates')
  expect(certificates.map(({ code, balance }) => `${code} ${balance}`)).toEqual([
    'GIFT-001 60.0000',
    'GIFT-002 100.0000',
    'GIFT-003 25.0000',
  ])
}

/** Four pages of two channels besides the blog, and six posts, one of them a draft. */
async function expectDemoContent({ base_url, store_hash, tokens }: SandboxRecord) {
  const get = async (path: string) => {
    const url = `${base_url}/stores/${store_hash}${path}`
    return JSON.parse(await (await fetch(url, { headers: { 'x-auth-token': tokens.admin } })).text())
  }
  const pages: { channel_id: number; url: string }[] = (await get('/v3/content/pages')).data
  expect(pages.map(({ url }) => url)).toEqual(['/blog/', '/about-us/', '/returns/', '/contact/', '/imprint/'])
  expect(new Set(pages.map(({ channel_id }) => channel_id)).size).toBe(2)
  expect(await get('/v2/blog/posts/count')).toEqual({ count: 6 })
  expect(await get('/v2/blog/posts?is_published=true')).toHaveLength(5)
}

/** Sends a request to the catalog of the store. */
export async function askCatalog(
  { base_url, store_hash }: Pick<SandboxRecord, 'base_url' | 'store_hash'>,
  token: string,
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
) {
  const answer = await fetch(`${base_url}/stores/${store_hash}/v3/catalog${path}`, {
    method,
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test compares values, it does not compute with them
  const found: any = answer.status === 204 ? undefined : await answer.json()
  return { status: answer.status, headers: answer.headers, body: found }
}
