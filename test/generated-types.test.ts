import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { openPort, type Port } from './port.ts'

// Two more public generators make clients from openapi.json: openapi-typescript with openapi-fetch, and @hey-api/openapi-ts. Both use
// the programmatic interface of TypeScript, which version 7 doesn't have. They get the version 5 that oazapfts depends on, so
// developers need a TypeScript below 7 to generate; the generated clients compile with 7.

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const require = createRequire(import.meta.url)
const olderTypescript = pathToFileURL(createRequire(require.resolve('oazapfts')).resolve('typescript')).href

const GENERATE = `
import { registerHooks } from 'node:module'
import { readFile, writeFile } from 'node:fs/promises'
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? '${olderTypescript}' : name, context) })
const [input, folder] = process.argv.slice(2)
const { default: openapiTS, astToString } = await import('openapi-typescript')
await writeFile(folder + '/schema.ts', astToString(await openapiTS(JSON.parse(await readFile(input, 'utf8')))))
const { createClient } = await import('@hey-api/openapi-ts')
const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
await createClient({ input, output: { path: folder + '/sdk', module: { extension: '.ts' } }, logs: { level: 'silent', file: false }, plugins })
`

const WITH_FETCH = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'

type Order = components['schemas']['Order']

/** Ten calls: a product is created, ordered and read back. */
export async function tenCalls(baseUrl: string, store_hash: string, token: string) {
  const api = createClient<paths>({ baseUrl, headers: { 'X-Auth-Token': token } })
  const path = { store_hash }
  const brand = await api.POST('/stores/{store_hash}/v3/catalog/brands', { params: { path }, body: { name: 'Ferm' } })
  const brand_id = brand.data?.data.id ?? 0
  const one = { path: { ...path, brand_id } }
  const same = await api.GET('/stores/{store_hash}/v3/catalog/brands/{brand_id}', { params: one })
  const changed = await api.PUT('/stores/{store_hash}/v3/catalog/brands/{brand_id}', {
    params: one,
    body: { page_title: 'Ferm Living' },
  })
  const product = await api.POST('/stores/{store_hash}/v3/catalog/products', {
    params: { path },
    body: { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5, brand_id },
  })
  const listed = await api.GET('/stores/{store_hash}/v3/catalog/products', {
    params: { path, query: { 'name:like': 'mug', limit: 5, include: ['variants'] } },
  })
  const placed = await api.POST('/stores/{store_hash}/v2/orders', {
    params: { path },
    body: { billing_address: { zip: '1051' }, products: [{ name: 'Card', quantity: 2, price_ex_tax: 1, price_inc_tax: 1 }] },
  })
  const order: Order | undefined = placed.data
  const order_id = order?.id ?? 0
  const orders = await api.GET('/stores/{store_hash}/v2/orders', { params: { path, query: { limit: 1 } } })
  const lines = await api.GET('/stores/{store_hash}/v2/orders/{order_id}/products', { params: { path: { ...path, order_id } } })
  const missing = await api.GET('/stores/{store_hash}/v3/catalog/brands/{brand_id}', { params: { path: { ...path, brand_id: 9 } } })
  const gone = await api.DELETE('/stores/{store_hash}/v3/catalog/brands/{brand_id}', { params: one })
  const parent: number | null | undefined = lines.data?.[0]?.parent_order_product_id
  return {
    brand: [same.data?.data.name, changed.data?.data.page_title],
    products: [product.response.status, listed.data?.data.map(({ name }) => name), listed.data?.meta.pagination.total],
    order: [order?.items_total, orders.data?.length, lines.data?.map(({ name }) => name), parent],
    refusal: missing.error && 'title' in missing.error ? missing.error.title : undefined,
    deleted: gone.response.status,
  }
}

export async function wrong(baseUrl: string) {
  const api = createClient<paths>({ baseUrl })
  const { data } = await api.GET('/stores/{store_hash}/v3/catalog/brands', { params: { path: { store_hash: 'x' } } })
  // @ts-expect-error: a brand has no such field
  return data?.data[0]?.colour
}
`

const WITH_SDK = `
import { client } from './sdk/client.gen.ts'
import { createBrand, createProduct, deleteBrand, getBrand, listBrands, listOrderProductsV2, listOrdersV2, listProducts, createOrderV2, updateBrand } from './sdk/index.ts'

/** The same ten calls. */
export async function tenCalls(baseUrl: string, store_hash: string, token: string) {
  client.setConfig({ baseUrl, headers: { 'X-Auth-Token': token } })
  const path = { store_hash }
  const brand = await createBrand({ path, body: { name: 'Hay' } })
  const one = { ...path, brand_id: brand.data?.data.id ?? 0 }
  const same = await getBrand({ path: one })
  const changed = await updateBrand({ path: one, body: { page_title: 'Hay Design' } })
  const product = await createProduct({ path, body: { name: 'Chair', type: 'physical', weight: 4, price: 185 } })
  const listed = await listProducts({ path, query: { 'name:like': 'chair', limit: 5 } })
  const order = await createOrderV2({
    path,
    body: { billing_address: { zip: '1051' }, products: [{ name: 'Card', quantity: 2, price_ex_tax: 1, price_inc_tax: 1 }] },
  })
  const orders = await listOrdersV2({ path, query: { limit: 1 } })
  const lines = await listOrderProductsV2({ path: { ...path, order_id: order.data?.id ?? 0 } })
  const brands = await listBrands({ path })
  const gone = await deleteBrand({ path: one })
  return {
    brand: [same.data?.data.name, changed.data?.data.page_title, brands.data?.meta.pagination.total],
    products: [product.response?.status, listed.data?.data.map(({ name }) => name)],
    order: [order.data?.items_total, orders.data?.length, lines.data?.map(({ name }) => name)],
    deleted: gone.response?.status,
  }
}
`

let folder: string
let port: Port
beforeAll(async () => {
  port = await openPort()
  // Below this folder, so that its imports are found.
  folder = await mkdtemp(join(here, '.generated-'))
  await writeFile(join(folder, 'generate.mjs'), GENERATE)
  await promisify(execFile)(process.execPath, [join(folder, 'generate.mjs'), join(root, 'server/openapi.json'), folder])
  await writeFile(join(folder, 'with-fetch.ts'), WITH_FETCH)
  await writeFile(join(folder, 'with-sdk.ts'), WITH_SDK)
}, 120_000)
afterAll(async () => {
  port.close()
  await rm(folder, { recursive: true, force: true })
})

test('programs against both clients compile with the TypeScript of this project', { timeout: 120_000 }, async () => {
  const compilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      noUncheckedIndexedAccess: true,
      allowImportingTsExtensions: true,
    },
    ...{
      target: 'esnext',
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
      lib: ['esnext', 'dom', 'dom.iterable'],
    },
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const result = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['--project', folder]).catch(
    (failure: { stdout: string }) => failure,
  )
  expect(result.stdout).toBe('')
})

const order = [2, 1, ['Card']]

test('openapi-fetch makes ten calls', async () => {
  const shop = await openShop()
  const program = await import(/* @vite-ignore */ join(folder, 'with-fetch.ts'))
  expect(await program.tenCalls(port.origin, shop.store.hash, shop.admin.access_token)).toEqual({
    brand: ['Ferm', 'Ferm Living'],
    products: [200, ['Mug'], 1],
    order: [...order, null],
    refusal: 'The brand 9 does not exist.',
    deleted: 204,
  })
})

test('@hey-api/openapi-ts makes ten calls', async () => {
  const shop = await openShop()
  const program = await import(/* @vite-ignore */ join(folder, 'with-sdk.ts'))
  expect(await program.tenCalls(port.origin, shop.store.hash, shop.admin.access_token)).toEqual({
    brand: ['Hay', 'Hay Design', 1],
    products: [200, ['Chair']],
    order,
    deleted: 204,
  })
})
