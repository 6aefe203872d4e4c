import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../../test/fixtures/shop.ts'
import { openHostedPort } from '../../../../test/servers/hosted-port.ts'
import { FolderTarget, openBundle } from '../bundle.ts'
import { exportBundle, importInto } from '../store-bundles.ts'
import { dumpHosted } from './dump.ts'
import { changeableFields, sendStoreBack } from './store-back.ts'
import { WAYS } from './ways.ts'

const { server, installation, files, callers } = await theHouse()
if (!callers) throw new Error('The server has routes.')
const parts = { ...installation, files, server, callers, publicUrl: 'http://shop.test' }
const port = await openHostedPort(server)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-back-test-'))
})
afterAll(async () => {
  port.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => port.reset())

const lamp = (n: number) => ({ name: `Lamp ${n}`, type: 'physical', weight: 1, price: 10 * n, sku: `LAMP-${n}` })

interface Pair {
  hosted: Shop
  shop: Shop
  /** The bundle of the shop as it was after its import. */
  since: string
}

/** A hosted store, and a store of this server into which it was imported. The same rows have other ids in the two. */
async function importedPair(name: string): Promise<Pair> {
  const hosted = await openShop({ isTest: true, plan: 'unlimited' })
  for (const n of [1, 2, 3]) await must(hosted, 'POST', '/catalog/brands', { name: `Old ${n}` })
  for (const n of [1, 2, 3]) await must(hosted, 'DELETE', `/catalog/brands?name=Old ${n}`)
  for (const brand of ['Halden', 'Umbra']) await must(hosted, 'POST', '/catalog/brands', { name: brand })
  const { body } = await hosted.call('GET', '/catalog/brands?name=Halden')
  const products = [1, 2, 3].map((n) => ({ ...lamp(n), brand_id: body.data[0].id }))
  await must(hosted, 'POST', '/catalog/products', products)
  await must(hosted, 'POST', '/customers', [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }])
  const list = await must(hosted, 'POST', '/pricelists', { name: 'Trade' })
  const { body: variants } = await hosted.call('GET', '/catalog/variants')
  const records = [{ variant_id: variants.data[0].id, currency: 'usd', price: 8 }]
  await must(hosted, 'PUT', `/pricelists/${list.id}/records`, records)
  await dumpHosted({
    url: `${port.address}/stores/${hosted.store.hash}`,
    token: hosted.admin.access_token,
    folder: join(folder, name),
  })
  const shop = await openShop({ isTest: true, plan: 'unlimited' })
  const report = await importInto(parts, await dbOf(shop), await openBundle(join(folder, name)))
  expect(report.refusals).toBe(0)
  const since = join(folder, `${name}-since`)
  await exportBundle(parts, shop.store.hash, new FolderTarget(since))
  port.reset()
  return { hosted, shop, since }
}

async function dbOf({ store }: Shop) {
  const db = await installation.directory.dbById(store.id)
  if (!db) throw new Error('The store is there.')
  return db
}

const back = async ({ hosted, shop, since }: Pair, isSent: boolean, more: { to?: string } = {}) =>
  (await sendStoreBack(parts, await dbOf(shop), { since, token: hosted.admin.access_token, isSent, ...more })).changes

/** Sends requests that must succeed. @returns the data of the answer */
const must = async (shop: Shop, method: string, path: string, body?: unknown) => {
  const answer = await shop.call(method, path, body)
  expect([200, 201, 204], `${method} ${path}: ${JSON.stringify(answer.body)}`).toContain(answer.status)
  return answer.body?.data
}

const changing = () => port.requests.filter((request) => !request.startsWith('GET '))

const rowsOf = async (shop: Shop, path: string) => (await shop.call('GET', path)).body.data
const named = async (shop: Shop, path: string, name: string) =>
  (await rowsOf(shop, path)).find((row: { name: string }) => row.name === name)

test('changes are listed first, then sent with the ids of there, and only once', async () => {
  const pair = await importedPair('all')
  const { hosted, shop } = pair
  expect(await back(pair, true)).toEqual([])
  expect(port.requests).toEqual([])

  const [first, second, third] = await rowsOf(shop, '/catalog/products')
  const umbra = await named(shop, '/catalog/brands', 'Umbra')
  const made = await must(shop, 'POST', '/catalog/brands', { name: 'Ferm' })
  expect(made.id).not.toBe(umbra.id)
  await must(shop, 'PUT', `/catalog/products/${first.id}`, { price: 12.5, brand_id: made.id })
  await must(shop, 'PUT', `/catalog/products/${second.id}`, { inventory_tracking: 'product', inventory_level: 4 })
  await must(shop, 'DELETE', `/catalog/products/${third.id}`)
  await must(shop, 'DELETE', `/catalog/brands/${umbra.id}`)
  const added = await must(shop, 'POST', '/catalog/products', { ...lamp(4), brand_id: made.id })
  const [ann] = await rowsOf(shop, '/customers')
  await must(shop, 'PUT', '/customers', [{ id: ann.id, last_name: 'Berg' }])
  const [list] = await rowsOf(shop, '/pricelists')
  const variant = (await rowsOf(shop, '/catalog/variants'))[0].id
  await must(shop, 'PUT', `/pricelists/${list.id}/records`, [{ variant_id: variant, currency: 'usd', price: 7 }])

  const listed = await back(pair, false)
  expect(listed.filter(({ state }) => state === 'to send')).toEqual([
    { kind: 'brands', id: String(made.id), change: 'created', fields: [], state: 'to send' },
    { kind: 'products', id: String(added.id), change: 'created', fields: [], state: 'to send' },
    { kind: 'products', id: String(first.id), change: 'changed', fields: expect.any(Array), state: 'to send' },
    { kind: 'products', id: String(second.id), change: 'changed', fields: ['inventory_tracking'], state: 'to send' },
    { kind: 'customers', id: String(ann.id), change: 'changed', fields: ['last_name'], state: 'to send' },
    { kind: 'price-records', id: `${list.id} ${variant} usd`, change: 'changed', fields: ['price'], state: 'to send' },
    { kind: 'products', id: String(third.id), change: 'deleted', fields: [], state: 'to send' },
    { kind: 'brands', id: String(umbra.id), change: 'deleted', fields: [], state: 'to send' },
  ])
  expect(listed.find(({ id, kind }) => kind === 'products' && id === String(first.id))?.fields.toSorted()).toEqual([
    'brand_id',
    'price',
  ])
  // Stock is counted by sales at both servers.
  expect(listed).toContainEqual(expect.objectContaining({ kind: 'stock', state: 'stays here' }))
  expect(changing()).toEqual([])

  const next = join(folder, 'all-next')
  const sent = await back(pair, true, { to: next })
  expect(sent).toEqual(listed.map((one) => ({ ...one, state: one.state === 'to send' ? 'sent' : one.state })))
  const ferm = await named(hosted, '/catalog/brands', 'Ferm')
  expect(await named(hosted, '/catalog/products', 'Lamp 1')).toMatchObject({ price: 12.5, brand_id: ferm.id })
  expect(await named(hosted, '/catalog/products', 'Lamp 2')).toMatchObject({
    inventory_tracking: 'product',
    inventory_level: 0,
  })
  expect(await named(hosted, '/catalog/products', 'Lamp 4')).toMatchObject({
    price: 40,
    brand_id: ferm.id,
    sku: 'LAMP-4',
  })
  expect((await rowsOf(hosted, '/catalog/products')).map(({ name }: { name: string }) => name)).toEqual([
    'Lamp 1',
    'Lamp 2',
    'Lamp 4',
  ])
  expect((await rowsOf(hosted, '/catalog/brands')).map(({ name }: { name: string }) => name)).toEqual([
    'Halden',
    'Ferm',
  ])
  expect(await rowsOf(hosted, '/customers')).toMatchObject([{ first_name: 'Ann', last_name: 'Berg' }])
  const [trade] = await rowsOf(hosted, '/pricelists')
  expect(await rowsOf(hosted, `/pricelists/${trade.id}/records`)).toMatchObject([{ price: 7 }])

  // The next run sends nothing, with the former bundle and with that of the last run.
  port.reset()
  expect((await back(pair, true)).filter(({ state }) => state !== 'stays here')).toEqual([])
  expect(await back({ ...pair, since: next }, true)).toEqual([])
  expect(changing()).toEqual([])
})

test('variants are changed by their own paths; options, pictures and new variants stay here', async () => {
  const pair = await importedPair('parts')
  const { hosted, shop } = pair
  const colours = (sku: string) => ({
    name: `Chair ${sku}`,
    type: 'physical',
    weight: 5,
    price: 80,
    variants: ['Red', 'Blue'].map((label) => ({
      sku: `${sku}-${label}`,
      option_values: [{ option_display_name: 'Colour', label }],
    })),
  })
  await must(shop, 'POST', '/catalog/products', colours('C'))
  expect(await back(pair, true)).toMatchObject([{ kind: 'products', change: 'created', state: 'sent' }])
  const since = join(folder, 'parts-chair')
  await exportBundle(parts, shop.store.hash, new FolderTarget(since))
  const chair = await named(shop, '/catalog/products?include=variants,options', 'Chair C')
  const [red, blue] = chair.variants
  await must(shop, 'PUT', `/catalog/products/${chair.id}/variants/${red.id}`, { price: 90 })
  await must(shop, 'DELETE', `/catalog/products/${chair.id}/variants/${blue.id}`)
  await must(shop, 'POST', `/catalog/products/${chair.id}/custom-fields`, { name: 'Wood', value: 'Oak' })
  const [colour] = chair.options
  const value = { label: 'Green', sort_order: 3 }
  const { id } = await must(shop, 'POST', `/catalog/products/${chair.id}/options/${colour.id}/values`, value)
  const green = { sku: 'C-Green', option_values: [{ id, option_id: colour.id }] }
  await must(shop, 'POST', `/catalog/products/${chair.id}/variants`, green)
  const found = await back({ ...pair, since }, true)
  expect(found.filter(({ state }) => state === 'sent')).toEqual([
    { kind: 'variants', id: String(red.id), change: 'changed', fields: ['price'], state: 'sent' },
    { kind: 'variants', id: String(blue.id), change: 'deleted', fields: [], state: 'sent' },
  ])
  expect(found).toContainEqual({
    kind: 'products',
    id: String(chair.id),
    change: 'changed',
    fields: ['custom_fields', 'options'],
    state: 'stays here',
    reason: 'They are rows of their own.',
  })
  expect(found).toContainEqual(
    expect.objectContaining({ kind: 'variants', change: 'created', reason: 'It is a new variant of a product.' }),
  )
  const there = await named(hosted, '/catalog/products?include=variants', 'Chair C')
  expect(there.variants).toMatchObject([{ sku: 'C-Red', price: 90 }])
})

test('a value that was changed at both servers, and a refused row, stay here with the reason', async () => {
  const pair = await importedPair('both')
  const { hosted, shop } = pair
  const [first, second] = await rowsOf(shop, '/catalog/products')
  const there = await named(hosted, '/catalog/products', 'Lamp 1')
  await must(shop, 'PUT', `/catalog/products/${first.id}`, { price: 11 })
  await must(hosted, 'PUT', `/catalog/products/${there.id}`, { price: 9, weight: 3 })
  await must(shop, 'PUT', `/catalog/products/${second.id}`, { sku: 'TAKEN', name: 'Lamp two' })
  await must(hosted, 'POST', '/catalog/products', { ...lamp(9), sku: 'TAKEN' })
  await must(shop, 'POST', '/catalog/brands', { name: 'Same' })
  await must(hosted, 'POST', '/catalog/brands', { name: 'Same' })

  const found = await back(pair, true)
  expect(found).toContainEqual({
    kind: 'products',
    id: String(first.id),
    change: 'changed',
    fields: ['price'],
    state: 'stays here',
    reason: 'Changed there, too: price.',
  })
  expect(found).toContainEqual(
    expect.objectContaining({
      id: String(second.id),
      state: 'stays here',
      reason: expect.stringMatching(/^409 .*sku/i),
    }),
  )
  expect(found).toContainEqual(
    expect.objectContaining({
      kind: 'brands',
      change: 'created',
      state: 'stays here',
      reason: expect.stringMatching(/^409 /),
    }),
  )
  expect(await named(hosted, '/catalog/products', 'Lamp 1')).toMatchObject({ price: 9, weight: 3 })
  expect(await named(hosted, '/catalog/products', 'Lamp 2')).toMatchObject({ sku: 'LAMP-2' })
})

test('a run that was interrupted continues, and creates no row twice', async () => {
  const pair = await importedPair('cut')
  const { hosted, shop } = pair
  for (const n of [5, 6]) await must(shop, 'POST', '/catalog/brands', { name: `Brand ${n}` })
  const [first] = await rowsOf(shop, '/catalog/products')
  await must(shop, 'PUT', `/catalog/products/${first.id}`, { price: 99 })
  port.fails = (_, path) => (path.includes('/catalog/products/') ? { status: 403 } : undefined)
  await expect(back(pair, true)).rejects.toThrow(/refused the token with 403/)
  expect((await rowsOf(hosted, '/catalog/brands')).length).toBe(4)
  port.reset()
  expect(await back(pair, true)).toMatchObject([
    { kind: 'products', change: 'changed', fields: ['price'], state: 'sent' },
  ])
  expect((await rowsOf(hosted, '/catalog/brands')).length).toBe(4)
  expect(await named(hosted, '/catalog/products', 'Lamp 1')).toMatchObject({ price: 99 })
  expect(changing()).toHaveLength(1)
})

test('a row whose read is refused ends the run, because it may be there', async () => {
  const pair = await importedPair('refused')
  const umbra = await named(pair.shop, '/catalog/brands', 'Umbra')
  await must(pair.shop, 'DELETE', `/catalog/brands/${umbra.id}`)
  port.fails = (_, path) => (path.includes('/catalog/brands/') ? { status: 422 } : undefined)
  await expect(back(pair, true)).rejects.toThrow(/^GET \/v3\/catalog\/brands\/\d+ was answered with 422/)
  expect(changing()).toEqual([])
})

test('each way leads to a path whose fields the document names', async () => {
  const fieldsOf = await changeableFields(parts)
  const without = Object.entries(WAYS).filter(([, { path }]) => fieldsOf(path).size === 0)
  expect(without).toEqual([])
})

test('a lost answer to a creation ends the run, because the row may be there', async () => {
  const pair = await importedPair('lost')
  await must(pair.shop, 'POST', '/catalog/brands', { name: 'Perhaps' })
  port.fails = (_, path) => (path.endsWith('/catalog/brands') ? 'cut' : undefined)
  await expect(back(pair, true)).rejects.toThrow(/does not answer POST \/v3\/catalog\/brands/)
  expect(changing()).toEqual([`POST /stores/${pair.hosted.store.hash}/v3/catalog/brands`])
})

test('only a store of another server can be sent back, with a bundle of its own', async () => {
  const pair = await importedPair('own')
  const other = await openShop({ isTest: true })
  const options = { since: pair.since, token: 'x', isSent: false }
  const refusal = `The rows of store ${other.store.hash} do not come from another server.`
  await expect(sendStoreBack(parts, await dbOf(other), options)).rejects.toThrow(refusal)
  const wrong = { ...options, since: join(folder, 'own') }
  await expect(sendStoreBack(parts, await dbOf(pair.shop), wrong)).rejects.toThrow(
    `is no bundle of store ${pair.shop.store.hash}.`,
  )
})
