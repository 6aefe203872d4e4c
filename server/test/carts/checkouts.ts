import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { type Answered, openShop, type Shop } from '../fixtures/shop.ts'
import { dbOf } from '../fixtures/webhooks.ts'

// A store with goods and shipping, and checkouts in it.

export const ann = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  address1: '1 Mill Road',
  city: 'Austin',
  state_or_province_code: 'TX',
  country_code: 'US',
  postal_code: '78701',
}

/** Products 1 (12.50) and 2 (20.00) are physical, 3 (5.00) is a download. Zone 1 has "Flat" for 7 and "By item" for 2 each. */
export async function openWithShipping(store: Parameters<typeof openShop>[0] = {}): Promise<Shop> {
  const shop = await openShop(store)
  const product = { type: 'physical', weight: 1, categories: [] }
  for (const fields of [
    { ...product, name: 'Lamp', price: 12.5 },
    { ...product, name: 'Vase', price: 20 },
    { ...product, name: 'Manual', price: 5, type: 'digital' },
  ]) {
    expect((await shop.call('POST', '/catalog/products', fields)).status).toBe(200)
  }
  const v2 = (path: string, body: object) => shop.call('POST', path, body, { version: 'v2' })
  await v2('/shipping/zones', { name: 'World', type: 'global' })
  await v2('/shipping/zones/1/methods', { name: 'Flat', type: 'perorder', settings: { rate: 7 } })
  await v2('/shipping/zones/1/methods', { name: 'By item', type: 'peritem', settings: { rate: 2 } })
  return shop
}

/** Creates a cart. @param quantities by product */
export async function createCart(
  shop: Shop,
  quantities: Readonly<Record<number, number>>,
  more: object = {},
): Promise<string> {
  const line_items = Object.entries(quantities).map(([id, quantity]) => ({ product_id: Number(id), quantity }))
  const { status, text, body } = await shop.call('POST', '/carts', { line_items, ...more })
  if (status !== 201) throw new Error(text)
  return body.data.id
}

/** The requests of one checkout. */
export function checkoutOf(shop: Shop, id: string) {
  const call = (method: string, path: string, body?: unknown): Promise<Answered> =>
    shop.call(method, `/checkouts/${id}${path}`, body)
  return {
    id,
    call,
    get: async (include = '') => (await call('GET', include === '' ? '' : `?include=${include}`)).body.data,
    /** The ids of lines, by product. */
    async lines(): Promise<Record<number, string>> {
      const { physical_items, digital_items } = (await call('GET', '')).body.data.cart.line_items
      return Object.fromEntries(
        [...physical_items, ...digital_items].map(({ product_id, id }: { product_id: number; id: string }) => [
          product_id,
          id,
        ]),
      )
    },
  }
}

/** A checkout with one of each sub-resource, for tests that are generated from routes. */
interface FurnishedCheckout {
  id: string
  line: string
  consignment: string
  address: string
  fee: string
  coupon: string
}

const furnished = new WeakMap<Shop, Promise<FurnishedCheckout>>()

/** The furnished checkout of a shop, created at the first call. */
export function furnishedCheckout(shop: Shop): Promise<FurnishedCheckout> {
  const made = furnished.get(shop) ?? furnish(shop)
  furnished.set(shop, made)
  return made
}

async function furnish(shop: Shop): Promise<FurnishedCheckout> {
  const coupon = `CODE${shop.store.id}`
  const off = { name: coupon, code: coupon, type: 'percentage_discount', amount: '10' }
  await shop.call('POST', '/coupons', { ...off, applies_to: { entity: 'categories', ids: [0] } }, { version: 'v2' })
  const product = { name: 'Furnished lamp', type: 'physical', weight: 1, price: 3 }
  const { data } = (await shop.call('POST', '/catalog/products', product)).body
  const id = await createCart(shop, { [data.id]: 2 })
  const line = (await checkoutOf(shop, id).lines())[data.id] ?? ''
  const { call } = checkoutOf(shop, id)
  await call('POST', '/billing-address', ann)
  const shipped = await call('POST', '/consignments', [{ address: ann, line_items: [{ item_id: line, quantity: 2 }] }])
  // So that it can become an order.
  const custom_shipping = { price: 6, description: 'Van' }
  await call('PUT', `/consignments/${shipped.body.data.consignments[0].id}`, { custom_shipping })
  await call('POST', '/coupons', { coupon_code: coupon })
  const fee = { type: 'custom_fee', name: 'service', display_name: 'Service', cost: 4, source: 'an app' }
  const { data: checkout } = (await call('POST', '/fees', { fees: [fee] })).body
  return {
    id,
    line,
    coupon,
    consignment: checkout.consignments[0].id,
    address: checkout.billing_address.id,
    fee: checkout.fees[0].id,
  }
}

/** Makes the furnished checkout idle. @returns its token */
export async function abandonedToken(shop: Shop): Promise<string> {
  const { id } = await furnishedCheckout(shop)
  const db = await dbOf(shop)
  const token = randomBytes(16).toString('hex')
  await db.transaction((tx) =>
    tx.rows(sql`update carts set token = ${token} where store_id = ${tx.store.id} and id = ${id}`),
  )
  return token
}
