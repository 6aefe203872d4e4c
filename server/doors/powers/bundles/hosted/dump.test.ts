import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enableCompanion, makeCompany } from '../../../../test/fixtures/companion.ts'
import { withThemeJobs } from '../../../../test/fixtures/content/bundles.ts'
import { form, openShop, type Shop, theHouse } from '../../../../test/fixtures/shop.ts'
import { makeTheme, themeBundle } from '../../../../test/fixtures/themes.ts'
import { openHostedPort } from '../../../../test/servers/hosted-port.ts'
import { openBundle, type Row } from '../bundle.ts'
import { importInto } from '../store-bundles.ts'
import { dumpHosted } from './dump.ts'

const { server, installation, files, callers } = await theHouse()
if (!callers) throw new Error('The server has routes.')
const parts = { ...installation, files, server, callers, publicUrl: 'http://shop.test' }
const port = await openHostedPort(server)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-hosted-'))
})
afterAll(async () => {
  port.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => port.reset())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A shop with 25 products, which are three pages, and a picture. */
async function hostedShop(): Promise<Shop> {
  const shop = await openShop({ isTest: true, plan: 'unlimited' })
  const products = Array.from({ length: 25 }, (_, n) => ({
    name: `Product ${n}`,
    type: 'physical',
    weight: 1,
    price: n,
  }))
  expect((await shop.call('POST', '/catalog/products', products)).status).toBe(200)
  const { body } = await shop.call('POST', '/catalog/brands', { name: 'Umbra' })
  const upload = form('image_file', 'a.png', png)
  expect((await shop.call('POST', `/catalog/brands/${body.data.id}/image`, undefined, upload)).status).toBe(200)
  return shop
}

const dump = (shop: Shop, to: string, more: { onPause?: (seconds: number) => void } = {}) =>
  dumpHosted({
    url: `${port.address}/stores/${shop.store.hash}`,
    token: shop.admin.access_token,
    folder: join(folder, to),
    ...more,
  })

async function productsIn(to: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const row of (await openBundle(join(folder, to))).rows('catalog/products')) rows.push(row)
  return rows
}

test('a hosted store is dumped with its pictures, and comes into a store of this server', async () => {
  const shop = await hostedShop()
  const dumped = await dump(shop, 'one')
  expect(dumped).toMatchObject({ rows: { products: 25, brands: 1 }, lost_pictures: 0 })
  expect(dumped.omitted).toContain('passwords of customers: they ask for a new one')
  expect(await readdir(join(folder, 'one/files'))).toHaveLength(1)
  const other = await openShop({ isTest: true })
  const db = await installation.directory.dbById(other.store.id)
  if (!db) throw new Error('The store is there.')
  const report = await importInto(parts, db, await openBundle(join(folder, 'one')))
  expect(report).toMatchObject({ refused: [], rows: { products: 25, brands: 1 } })
  const { body } = await other.call('GET', '/catalog/brands')
  const picture = await server.inject({ method: 'GET', url: new URL(body.data[0].image_url).pathname })
  expect(picture.rawPayload.equals(png)).toBe(true)
  // The token is in no file of the bundle.
  expect((await openBundle(join(folder, 'one'))).manifest.source).toBe(`${port.address}/stores/${shop.store.hash}`)
})

test('companies are read from the companion API, and archives of themes by a job', async () => {
  const shop = await openShop({ isTest: true, plan: 'unlimited' })
  await enableCompanion(shop)
  await makeCompany(shop, 'Harbour')
  const theme = await makeTheme(shop)
  const dumped = await withThemeJobs(dump(shop, 'more'))
  expect(dumped).toMatchObject({ rows: { companies: 1, 'company-users': 1, themes: 2 }, lost_pictures: 0 })
  const bundle = await openBundle(join(folder, 'more'))
  const themes: Row[] = []
  for await (const row of bundle.rows('themes/themes')) themes.push(row)
  const archive = themes.find(({ uuid }) => uuid === theme.uuid)?.archive
  expect((await bundle.file(String(archive)))?.equals(await themeBundle())).toBe(true)
})

test('a server that answers 500 or cuts connections now and then is asked again', async () => {
  const shop = await hostedShop()
  port.fails = (n) => (n % 10 === 0 ? { status: 500 } : n % 10 === 5 ? 'cut' : undefined)
  const dumped = await dump(shop, 'failing')
  expect(dumped.rows.products).toBe(25)
  expect(await productsIn('failing')).toHaveLength(25)
})

test('a server that answers 429 is given the time that it asks for', async () => {
  const shop = await hostedShop()
  const pauses: number[] = []
  port.fails = (n) => (n === 3 || n === 4 ? { status: 429, headers: { 'x-retry-after': '1' } } : undefined)
  expect((await dump(shop, 'busy', { onPause: (seconds) => pauses.push(seconds) })).rows.products).toBe(25)
  expect(pauses).toEqual([1, 1])
})

test('a window that is used up is waited for before the next request', async () => {
  const shop = await hostedShop()
  port.headers = { 'x-rate-limit-requests-left': '0', 'x-rate-limit-time-reset-ms': '1' }
  await dump(shop, 'paced')
  expect(port.requests.filter((path) => path.includes('/v3/catalog/products?')).length).toBe(3)
})

test('an interrupted dump continues behind its last rows', async () => {
  const shop = await hostedShop()
  port.fails = (_, path) => (path.includes('/v3/pricelists') ? { status: 401 } : undefined)
  await expect(dump(shop, 'parts')).rejects.toThrow(/refused the token with 401 at GET \/v3\/pricelists/)
  await expect(openBundle(join(folder, 'parts'))).rejects.toThrow('The bundle is not complete: it has no end.json.')
  port.fails = () => undefined
  port.requests = []
  expect((await dump(shop, 'parts')).rows).toMatchObject({ products: 25, brands: 1 })
  expect(port.requests.filter((path) => path.includes('/catalog/products?'))).toEqual([])
  expect(await productsIn('parts')).toHaveLength(25)
  const other = await hostedShop()
  await expect(dump(other, 'parts')).rejects.toThrow(/has a bundle of .* Name another folder\./)
})

test('addresses of other forms, and a token that is refused, have their sentences', async () => {
  const shop = await hostedShop()
  const wrong = { token: 'x', folder: join(folder, 'wrong') }
  await expect(dumpHosted({ url: port.address, ...wrong })).rejects.toThrow('The address of a store is like https://')
  await expect(dumpHosted({ url: `${port.address}/stores/${shop.store.hash}`, ...wrong })).rejects.toThrow(
    'refused the token with 401',
  )
})
