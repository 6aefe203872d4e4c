import { beforeEach, describe, expect, test } from 'vitest'
import { createCart, openWithShipping } from '../../test/carts/checkouts.ts'
import { openStaffedShop, type Shop } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

// Metafields of carts differ from others by their owners: these have uuids (docs/contract/carts.md section 9). The tests of
// shared/metafields/ have the shared rules.

const UNKNOWN = '5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d'
const bin = { key: 'bin', value: '4', namespace: 'wh', permission_set: 'write' }

let shop: Shop
let cart = ''
beforeEach(async () => {
  shop = await openWithShipping()
  cart = await createCart(shop, { 1: 1 })
})
const create = (body: object = bin, owner = cart) => shop.call('POST', `/carts/${owner}/metafields`, body)

const whole = () => ({
  ...bin,
  id: 1,
  description: '',
  resource_type: 'cart',
  resource_id: cart,
  date_created: expect.stringMatching(/Z$/),
  date_modified: expect.stringMatching(/Z$/),
  owner_client_id: shop.admin.client_id,
})

test('a metafield of a cart is created, read, changed and deleted', async () => {
  const { status, body } = await create()
  expect([status, body]).toEqual([200, { data: whole(), meta: {} }])
  const one = `/carts/${cart.toUpperCase()}/metafields/1`
  expect((await shop.call('GET', one)).body).toEqual({ data: whole(), meta: {} })
  expect((await shop.call('GET', `/carts/${cart}/metafields`)).body.data).toEqual([whole()])
  expect((await shop.call('PUT', one, { value: '5' })).body.data).toEqual({ ...whole(), value: '5' })
  expect((await create()).status).toBe(409)
  expect((await shop.call('DELETE', one)).status).toBe(204)
  expect((await shop.call('GET', one)).status).toBe(404)
  expect((await shop.call('GET', `/carts/${cart}/metafields`)).body.data).toEqual([])
})

test('a metafield belongs to its cart', async () => {
  await create()
  const other = await createCart(shop, { 1: 1 })
  expect((await create(bin, other)).body.data).toMatchObject({ id: 2, resource_id: other })
  for (const [method, body] of [['GET'], ['PUT', { value: '5' }], ['DELETE']] as const) {
    expect((await shop.call(method, `/carts/${other}/metafields/1`, body)).status).toBe(404)
  }
  await shop.call('POST', '/catalog/brands', { name: 'Fern' })
  expect((await shop.call('GET', '/catalog/brands/1/metafields/1')).status).toBe(404)
  expect((await shop.call('GET', `/carts/${UNKNOWN}/metafields`)).status).toBe(404)
  expect((await create(bin, UNKNOWN)).status).toBe(404)
  expect((await shop.call('GET', '/carts/7/metafields')).status).toBe(404)
})

test('lists filter and select fields', async () => {
  await create()
  await create({ ...bin, key: 'shelf', namespace: 'other' })
  const list = async (query: string) => (await shop.call('GET', `/carts/metafields?${query}`)).body.data
  expect((await list('key=shelf')).map(({ key }: { key: string }) => key)).toEqual(['shelf'])
  expect(await list('namespace:in=wh,x&include_fields=resource_id,key')).toEqual([
    { id: 1, key: 'bin', resource_id: cart },
  ])
  const { resource_id: _, ...others } = whole()
  expect(await list('key=bin&exclude_fields=resource_id')).toEqual([others])
  expect(await list('direction=desc')).toMatchObject([{ id: 2 }, { id: 1 }])
  const one = await shop.call('GET', `/carts/${cart}/metafields/1?include_fields=resource_id`)
  expect(one.body.data).toEqual({ id: 1, resource_id: cart })
})

describe('batches', () => {
  const batch = (method: string, body: unknown) => shop.call(method, '/carts/metafields', body)

  test('save the valid items, of several carts', async () => {
    const other = await createCart(shop, { 1: 1 })
    const { status, body } = await batch('POST', [
      { ...bin, resource_id: cart },
      { ...bin, resource_id: UNKNOWN },
      { ...bin, resource_id: other.toUpperCase() },
    ])
    expect(status).toBe(422)
    expect(body.data).toMatchObject([{ resource_id: cart }, { resource_id: other }])
    expect(body.errors).toMatchObject([{ status: 404, errors: { 1: 'does not exist' } }])
    expect(body.meta).toEqual({ total: 3, success: 2, failed: 1 })
    expect((await batch('POST', [{ ...bin, resource_id: 1 }])).status).toBe(422)
  })

  test('take ids as numbers and as texts, at most ten', async () => {
    await create()
    expect((await batch('PUT', [{ id: '1', value: '5' }])).body.data).toEqual([{ ...whole(), value: '5' }])
    expect((await batch('PUT', [{ id: 1, value: '6' }])).body.data).toMatchObject([{ value: '6', resource_id: cart }])
    expect((await batch('DELETE', Array(11).fill(1))).status).toBe(413)
    expect((await batch('DELETE', ['1'])).body.data).toEqual([1])
    expect((await batch('DELETE', [1])).status).toBe(422)
  })
})

test('only the creator changes the key, and sees what is its own', async () => {
  const staffed = await openStaffedShop()
  const line_items = [{ product_id: 1, quantity: 1 }]
  await staffed.call('POST', '/catalog/products', { name: 'Lamp', price: 1, type: 'physical', weight: 1 })
  const { id } = (await staffed.call('POST', '/carts', { line_items })).body.data
  await staffed.call('POST', `/carts/${id}/metafields`, { ...bin, permission_set: 'app_only' })
  const asOther = { as: staffed.otherclient }
  expect((await staffed.call('GET', `/carts/${id}/metafields/1`, undefined, asOther)).status).toBe(404)
  await staffed.call('PUT', `/carts/${id}/metafields/1`, { permission_set: 'write' })
  expect((await staffed.call('PUT', `/carts/${id}/metafields/1`, { key: 'x' }, asOther)).status).toBe(403)
  expect((await staffed.call('DELETE', `/carts/${id}/metafields/1`, undefined, asOther)).status).toBe(403)
})

test('events name the cart', async () => {
  const before = (await rowsOf(shop, 'events')).length
  await create()
  const events = (await rowsOf(shop, 'events')).slice(before)
  expect(events.map(({ scope }) => scope)).toEqual(['store/cart/metafield/created', 'store/metafield/created'])
  expect(events.map(({ data }) => JSON.parse(String(data)))).toEqual([
    { metafield_id: 1, resource_id: cart },
    { metafield_id: 1, resource_id: cart, resource_type: 'cart' },
  ])
})

test('a deleted cart takes its metafields with it, without events', async () => {
  await create()
  const before = (await rowsOf(shop, 'events')).filter(({ scope }) => String(scope).includes('metafield')).length
  await shop.call('DELETE', `/carts/${cart}`)
  expect(await rowsOf(shop, 'metafields')).toEqual([])
  expect((await rowsOf(shop, 'events')).filter(({ scope }) => String(scope).includes('metafield'))).toHaveLength(before)
  expect((await shop.call('GET', `/carts/${cart}/metafields`)).status).toBe(404)
})
