import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { HttpError } from '@oazapfts/runtime'
import { generateSource } from 'oazapfts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { openPort, type Port } from './port.ts'

// A public generator makes a client from openapi.json (docs/decisions/015-the-document.md). A program that uses it as a
// developer would must compile, and its marked mistakes must not.

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')

const PROGRAM = `
import { ok } from '@oazapfts/runtime'
import * as api from './client.ts'

/** Two mugs, and what a list says of them. */
export async function mugs(origin: string, store: string, token: string) {
  api.defaults.baseUrl = origin
  api.defaults.headers = { 'X-Auth-Token': token }
  const mug: api.NewProduct = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }
  const brand: api.BrandRead = (await ok(api.createBrand(store, { name: 'Ferm' }, { idempotencyKey: 'first' }))).data
  await ok(api.createProduct(store, [mug, { ...mug, name: 'Large mug', brand_id: brand.id }]))
  await ok(api.createProduct(store, { ...mug, name: 'Plate' }))

  const { data, meta } = await ok(api.listProducts(store, { idIn: [1, 2], include: ['variants'], sort: 'name', limit: 5 }))
  const shown: api.ProductRead[] = data
  const page: api.PageMeta = meta
  return { brand, names: shown.map(({ name, variants }) => [name, variants?.length]), total: page.pagination.total }
}

export async function refusals(store: string) {
  const answers = [await api.getBrand(store, 7), await api.createBrand(store, { name: '' })]
  return answers.map((answer) => (answer.status === 404 || answer.status === 422 ? answer.data satisfies api.Problem : undefined))
}

export const missing = (store: string) => ok(api.getProduct(store, 9))

export async function wrong(store: string) {
  // @ts-expect-error: ids are numbers
  await api.listProducts(store, { idIn: ['one'] })
  // @ts-expect-error: a product needs a weight
  await api.createProduct(store, { name: 'Mug', type: 'physical', price: 1 })
  const [product] = (await ok(api.listProducts(store))).data
  // @ts-expect-error: a product has no such field
  return product?.colour
}
`

let folder: string
let port: Port
beforeAll(async () => {
  port = await openPort()
  // Below this folder, so that its imports are found.
  folder = await mkdtemp(join(here, '.generated-'))
  await writeFile(join(folder, 'client.ts'), await generateSource(join(root, 'server/openapi.json')))
  await writeFile(join(folder, 'program.ts'), PROGRAM)
})
afterAll(async () => {
  port.close()
  await rm(folder, { recursive: true, force: true })
})

test('a program that is written against a generated client compiles', async () => {
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          allowImportingTsExtensions: true,
          noUncheckedIndexedAccess: true,
        },
        ...{ target: 'esnext', module: 'nodenext', lib: ['esnext', 'dom', 'dom.iterable'], types: [] },
      },
    }),
  )
  const said = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['--project', folder]).catch(
    (failure: { stdout: string }) => failure,
  )
  expect(said.stdout).toBe('')
})

test('it creates and lists products, and reads refusals', async () => {
  const shop = await openShop()
  const program = await import(/* @vite-ignore */ join(folder, 'program.ts'))
  expect(await program.mugs(port.origin, shop.store.hash, shop.admin.access_token)).toEqual({
    brand: expect.objectContaining({ id: 1, name: 'Ferm' }),
    names: [
      ['Large mug', 1],
      ['Mug', 1],
    ],
    total: 2,
  })
  expect(await program.refusals(shop.store.hash)).toEqual([
    expect.objectContaining({ status: 404, title: 'The brand 7 does not exist.' }),
    expect.objectContaining({ status: 422, errors: { name: expect.any(String) } }),
  ])
  await expect(program.missing(shop.store.hash)).rejects.toBeInstanceOf(HttpError)
})
