import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openShop, theRoutes } from '../../test/fixtures/shop.ts'
import { UNSUPPORTED_PATHS } from './unsupported-paths.ts'

const document: { paths: Record<string, object> } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
)

test('each unsupported path names operations of the document, and has no route', async () => {
  const built = (await theRoutes()).map(({ url }) => url.replaceAll(/:\w+(\([^/]*\))?/g, '{id}'))
  for (const [path, operations] of UNSUPPORTED_PATHS) {
    expect(built, path).not.toContain(`/stores/{id}/v2${path}`)
    const [, methods = '', target = ''] = /^(.*) \/v3(\S+)$/.exec(operations) ?? []
    const there = Object.keys(document.paths[`/stores/{store_hash}/v3${target}`] ?? {})
    expect(there, operations).toEqual(expect.arrayContaining(methods.toLowerCase().split(/, | or /)))
  }
})

test('an unsupported path of /v2 is 404 with the operations to use instead', async () => {
  const shop = await openShop()
  const v2 = async (method: string, path: string) => {
    const { status, body } = await shop.call(method, path, undefined, { version: 'v2' })
    return [status, body[0].message]
  }
  const instead = (path: string, operations: string) => [
    404,
    `This server does not have /v2${path}. Use ${operations} instead.`,
  ]
  const products = 'GET, POST, PUT or DELETE /v3/catalog/products'
  expect(await v2('GET', '/products')).toEqual(instead('/products', products))
  expect(await v2('GET', '/products?page=2')).toEqual(instead('/products', products))
  expect(await v2('POST', '/products.json')).toEqual(instead('/products', products))
  expect(await v2('GET', '/products/count')).toEqual(instead('/products/count', 'GET /v3/catalog/products'))
  expect(await v2('PUT', '/products/7')).toEqual(
    instead('/products/7', 'GET, PUT or DELETE /v3/catalog/products/{product_id}'),
  )
  expect(await v2('GET', '/optionsets')).toEqual(
    instead('/optionsets', 'GET or POST /v3/catalog/products/{product_id}/options'),
  )
  const nothing = [404, 'There is nothing at this path.']
  for (const path of ['/prodcts', '/products/1/2/3', '/']) expect(await v2('GET', path)).toEqual(nothing)
  expect((await shop.call('GET', '/products')).body.title).toBe('There is nothing at this path.')
  expect((await v2('PATCH', '/brands'))[0]).toBe(501)
})
