import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop, theHouse, theRoutes } from '../../test/shop.ts'

// What the document says of the grammar that all operations share (docs/contract/conventions.md sections 3, 5 and 8).

interface Parameter {
  name: string
  in: string
  style?: string
  explode?: boolean
  schema: { type?: string; [keyword: string]: unknown }
}
interface Operation {
  parameters: Parameter[]
  requestBody?: object
  responses: Record<string, object>
}

let operations: [name: string, Operation][]
beforeAll(async () => {
  const { server } = await theHouse()
  const { paths } = (await server.inject('/openapi.json')).json<{ paths: Record<string, Record<string, Operation>> }>()
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  )
})

test('every operation of the routes is in it, and nothing else', async () => {
  const routes = (await theRoutes()).map(({ method, url }) => {
    const path = url.replaceAll(/:(\w+)(\([^)]*\))?/g, '{$1}')
    return `${String(method).toLowerCase()} ${path}`
  })
  expect(operations.map(([name]) => name).toSorted()).toEqual(routes.toSorted())
})

test('a comma list is told beside the schema, and only there', () => {
  const lists = operations.flatMap(([, { parameters }]) => parameters).filter(({ schema }) => schema.type === 'array')
  expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(['id:in', 'key:in', 'include_fields']))
  for (const { in: place, style, explode, schema } of lists) {
    expect({ place, style, explode }).toEqual({ place: 'query', style: 'form', explode: false })
    expect(schema).not.toHaveProperty('style')
    expect(schema).not.toHaveProperty('explode')
  }
  const others = operations.flatMap(([, { parameters }]) => parameters).filter(({ schema }) => schema.type !== 'array')
  for (const parameter of others) expect(parameter).not.toHaveProperty('explode')
})

test('every operation says what it can refuse with', () => {
  for (const [name, { requestBody, responses }] of operations) {
    const [method] = name.split(' ')
    const always = [401, 403, 404, 406, 414, 429, 500, 503]
    // Below /v2 that is 400 (docs/contract/conventions.md section 13).
    const invalid = name.includes('/v2/') ? 400 : 422
    const withBody = requestBody || method === 'delete' ? [400, 413, 415, invalid] : []
    const onWrite = method === 'post' || method === 'put' ? [409, invalid, 507] : []
    const expected = new Set([...always, ...withBody, ...onWrite].map(String))
    expect(Object.keys(responses), name).toEqual(expect.arrayContaining([...expected]))
    if (invalid === 400) expect(Object.keys(responses), name).not.toContain('422')
  }
})

test('every list has pages of 50, at most 250, and says so', async () => {
  const shop: Shop = await openShop()
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  await shop.call('POST', '/catalog/categories', { parent_id: 0, name: 'Mugs' })
  const variant = { sku: 'MUG-S', option_values: [{ option_display_name: 'Size', label: 'Small' }] }
  const mug = { name: 'Mug', type: 'physical', weight: 1, price: 9, variants: [variant] }
  await shop.call('POST', '/catalog/products', mug)
  const box = {
    display_name: 'Box',
    type: 'dropdown',
    required: false,
    option_values: [{ label: 'Gift', sort_order: 0 }],
  }
  await shop.call('POST', '/catalog/products/1/modifiers', box)
  await shop.call('POST', '/hooks', { scope: 'store/order/*', destination: 'https://receiver.example.com/hook' })
  // Some lists have no pages, and still take their names (docs/contract/conventions.md section 3); those below /v2 don't tell.
  const isPaged = (name: string) => !/\/catalog\/trees(\/\{tree_id\}\/categories)?$/.test(name) && name.includes('/v3/')
  const lists = operations.filter(
    ([operation, { parameters }]) => isPaged(operation) && parameters.some(({ name }) => name === 'limit'),
  )
  expect(lists.length).toBeGreaterThan(5)
  for (const [name, { parameters }] of lists) {
    const [, path = ''] = name.replaceAll(/\{\w+_id\}/g, '1').split('/v3')
    const limit = parameters.find((parameter) => parameter.name === 'limit')
    expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 250, default: 50 })
    expect((await shop.call('GET', path)).body.meta.pagination, name).toMatchObject({ per_page: 50, current_page: 1 })
    expect((await shop.call('GET', `${path}?limit=250`)).status, name).toBe(200)
    expect((await shop.call('GET', `${path}?limit=251`)).status, name).toBe(413)
    expect((await shop.call('GET', `${path}?colour=red`)).status, name).toBe(422)
  }
})
