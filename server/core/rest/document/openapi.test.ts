import { gunzipSync } from 'node:zlib'
import type { RouteOptions } from 'fastify'
import t from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse, theRoutes } from '../../../test/fixtures/shop.ts'
import { samples } from '../../events/scopes.ts'
import type { ApiDocument } from './document.ts'
import { documentApi } from './openapi.ts'

// The part of the document that all operations share (docs/contract/conventions.md sections 3, 5 and 8).

interface Parameter {
  name: string
  in: string
  style?: string
  explode?: boolean
  schema: { type?: string; [keyword: string]: unknown }
}
interface Operation {
  operationId: string
  summary: string
  tags: string[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, object>
  'x-scopes'?: string[]
  'x-pages'?: string[]
}
interface Schema {
  type?: string
  $ref?: string
  items?: Schema
  anyOf?: Schema[]
}

const get = async (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  (await theHouse()).server.inject({ method, url: '/openapi.json', headers })

const own = ({ parameters }: Operation) => parameters.filter((parameter) => 'name' in parameter)

let document: ApiDocument
let operations: [name: string, Operation][]
beforeAll(async () => {
  document = (await get()).json()
  const { paths }: { paths: Record<string, Record<string, Operation>> } = (await get()).json()
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

test('a comma list is described beside the schema, and only there', () => {
  const all = operations.flatMap(([, operation]) => own(operation))
  const lists = all.filter(({ schema }) => schema.type === 'array')
  expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(['id:in', 'key:in', 'include_fields']))
  for (const { in: place, style, explode, schema } of lists) {
    expect({ place, style, explode }).toEqual({ place: 'query', style: 'form', explode: false })
    expect(schema).not.toHaveProperty('style')
    expect(schema).not.toHaveProperty('explode')
  }
  const others = all.filter(({ schema }) => schema.type !== 'array')
  for (const parameter of others) expect(parameter).not.toHaveProperty('explode')
})

test('every operation lists its refusals', () => {
  for (const [name, { requestBody, responses }] of operations) {
    const [method] = name.split(' ')
    const always = [401, 403, 404, 406, 414, 429, 500, 503]
    // Below /v2 that is 400 (docs/contract/conventions.md section 13).
    const invalid = / \/stores\/[^/]+\/v2\//.test(name) ? 400 : 422
    const withBody = requestBody || method === 'delete' ? [400, 413, 415, invalid] : []
    const onWrite = method === 'post' || method === 'put' ? [409, invalid, 507] : []
    const expected = new Set([...always, ...withBody, ...onWrite].map(String))
    expect(Object.keys(responses), name).toEqual(expect.arrayContaining([...expected]))
    if (invalid === 400) expect(Object.keys(responses), name).not.toContain('422')
  }
})

describe('the marks of operations', () => {
  test('name the scopes that open them', async () => {
    const scopes = new Map((await theRoutes()).map(({ method, url, config }) => [`${method} ${url}`, config?.scopes]))
    for (const [name, operation] of operations) {
      const [method = '', path = ''] = name.split(' ')
      const url = [...scopes.keys()].find(
        (one) => one.replaceAll(/:(\w+)(\([^)]*\))?/g, '{$1}') === `${method.toUpperCase()} ${path}`,
      )
      expect(operation['x-scopes'], name).toEqual(scopes.get(url ?? ''))
    }
    const [, read] = operations.find(([, { operationId }]) => operationId === 'listInventoryItems') ?? []
    expect(read?.['x-scopes']).toEqual(['store_inventory_read_only', 'store_inventory'])
  })

  test('name the ways of paging of lists', () => {
    const find = (id: string) => operations.find(([, { operationId }]) => operationId === id)?.[1]['x-pages']
    expect(find('listBrands')).toEqual(['page'])
    expect(find('listBrandMetafields')).toEqual(['page', 'cursor'])
    expect(find('listCompanies')).toEqual(['offset'])
    expect(find('getBrand')).toBeUndefined()
    expect(find('createBrand')).toBeUndefined()
  })

  test('say that an answer has no body', () => {
    const [, removal] = operations.find(([, { operationId }]) => operationId === 'deleteBrand') ?? []
    expect(removal?.responses[204]).toEqual({ description: 'Done. The answer has no body' })
  })
})

describe('schemas that clients can use', () => {
  test('mark the fields that only the server writes, and none of a body', () => {
    const { Brand, NewBrand, BrandChanges } = document.components.schemas
    const marked = (schema: object | undefined) => JSON.stringify(schema).match(/"\w+":\{[^{}]*"readOnly":true/g)
    expect(marked(Brand)).toEqual([expect.stringContaining('"id"')])
    expect([marked(NewBrand), marked(BrandChanges)]).toEqual([null, null])
  })

  test('mark the secrets of bodies, which no answer has', () => {
    const { NewCertificate, Credentials, TaxProviderConnectionChanges } = document.components.schemas
    for (const schema of [NewCertificate, Credentials, TaxProviderConnectionChanges]) {
      expect(JSON.stringify(schema)).toContain('"writeOnly":true')
    }
    const schemasOf = (part: unknown, named: Set<string>) => {
      for (const [, name = ''] of JSON.stringify(part ?? {}).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (named.has(name)) continue
        named.add(name)
        schemasOf(document.components.schemas[name], named)
      }
      return named
    }
    const answered = schemasOf(
      operations.map(([, { responses }]) => responses),
      new Set(),
    )
    expect(
      [...answered].filter((name) => JSON.stringify(document.components.schemas[name]).includes('"writeOnly"')),
    ).toEqual([])
  })

  test('give a type beside null, except in empty lists', () => {
    const alone: string[] = []
    const walk = (value: unknown, place: string) => {
      if (typeof value !== 'object' || value === null) return
      if ('properties' in value && typeof value.properties === 'object') {
        for (const [name, schema] of Object.entries(value.properties ?? {})) {
          if (schema?.type === 'null') alone.push(`${place}.${name}`)
        }
      }
      for (const [word, part] of Object.entries(value)) walk(part, `${place}/${word}`)
    }
    walk(document.components.schemas, '')
    expect(alone).toEqual([])
  })

  test('have one type for each resource, with the name of the resource', () => {
    const names = Object.keys(document.components.schemas)
    expect(names.filter((name) => /^(Whole|SomeOf|Made|Ended|Older)/.test(name))).toEqual([])
    const tags = new Set(operations.flatMap(([, operation]) => operation.tags))
    expect([...tags].filter((tag) => /\(v2\).*\(v2\)/.test(tag))).toEqual([])
  })
})

test('every event is a callback with an example', async () => {
  const { webhooks }: { webhooks: Record<string, { post: { operationId: string } }> } = (await get()).json()
  expect(Object.keys(webhooks)).toEqual([...samples.keys()])
  const ids = Object.values(webhooks).map(({ post }) => post.operationId)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  expect(webhooks['store/order/statusUpdated']).toMatchObject({
    post: {
      requestBody: {
        content: {
          'application/json': {
            example: { data: { type: 'order', id: 250, status: { previous_status_id: 11, new_status_id: 2 } } },
            schema: {
              allOf: [
                { $ref: '#/components/schemas/WebhookCallback' },
                { properties: { data: { properties: { id: { type: 'integer', description: expect.any(String) } } } } },
              ],
            },
          },
        },
      },
    },
  })
})

test('the document has at most 4 MB', async () => {
  expect((await get()).rawPayload.length).toBeLessThan(4_000_000)
})

test('bounds of columns are no rules of the document', async () => {
  expect((await get()).body).not.toMatch(/"m(in|ax)imum":-?214748364\d/)
})

test('each refusal has an example', () => {
  const answers = Object.entries(document.components.responses).map(([name, { content = {} }]) => {
    const [body] = Object.values(content)
    return { name, hasExample: body?.example !== undefined }
  })
  expect(answers.length).toBeGreaterThan(50)
  expect(answers.filter(({ hasExample }) => !hasExample)).toEqual([])
})

describe('names', () => {
  test('no two operations have one', () => {
    const names = operations.map(([, { operationId }]) => operationId)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
    for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)+(V2)?$/)
  })

  test.each([
    ['get /v3/catalog/brands/metafields', 'listAllBrandMetafields'],
    ['get /v3/catalog/trees', 'listCategoryTrees'],
    ['put /v3/catalog/trees', 'upsertCategoryTrees'],
    ['get /v3/catalog/trees/{tree_id}/categories', 'getCategoryTree'],
    ['get /v3/catalog/summary', 'getCatalogSummary'],
    ['post /v3/hooks/{webhook_id}/deliveries/{did}/resend', 'resendWebhookDelivery'],
    ['post /v3/hooks/{webhook_id}/recover', 'recoverWebhook'],
    ['post /v3/hooks/{webhook_id}/test', 'testWebhook'],
    ['get /v2/time', 'getTimeV2'],
  ])('%s is %s, as a person would say it', (name, operationId) => {
    const [, operation] = operations.find(([full]) => full.replace('/stores/{store_hash}', '') === name) ?? []
    expect(operation?.operationId).toBe(operationId)
  })

  test('every operation has a sentence and a group, and no two of a group have one sentence', () => {
    const titles = operations.map(([, { tags, summary }]) => `${tags.join()}: ${summary}`)
    expect(titles.filter((title, i) => titles.indexOf(title) !== i)).toEqual([])
    for (const [name, { summary }] of operations) expect(summary, name).toMatch(/^[A-Z][^.]{5,79}$/)
  })

  test('every body has a name', () => {
    const isNamed = ({ $ref, type, items, anyOf }: Schema): boolean =>
      $ref !== undefined || (anyOf?.every(isNamed) ?? (type === 'array' ? isNamed(items ?? {}) : type !== 'object'))
    const bodies = operations.flatMap(([name, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).map(({ schema }) => ({ name, schema })),
    )
    expect(bodies.length).toBeGreaterThan(60)
    expect(bodies.filter(({ schema }) => !isNamed(schema)).map(({ name }) => name)).toEqual([])
  })

  test('resources and shared shapes are components', () => {
    const { schemas, responses } = document.components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Brand', 'NewBrand', 'BrandChanges', 'Product', 'Metafield', 'Problem']),
    )
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['Unauthorized', 'NotFound', 'BadRequestV2']))
    for (const name of Object.keys(schemas)) expect(name).toMatch(/^[A-Z][A-Za-z]+(V2)?$/)
  })

  test('each is used, and every reference resolves', () => {
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+\/\w+)"/g)].map(([, name]) => name))
    const { securitySchemes: _, ...kinds } = document.components
    const known = Object.entries(kinds).flatMap(([kind, components]) =>
      Object.keys(components).map((name) => `${kind}/${name}`),
    )
    expect([...used].toSorted()).toEqual(known.toSorted())
  })
})

describe('two schemas', () => {
  const route = (body: object): RouteOptions => ({
    method: 'POST',
    url: '/stores/:store_hash/v3/mugs',
    schema: { summary: 'Make a mug', body },
    handler: () => {},
  })
  const Mug = t.Object({ name: t.String() }, { title: 'Mug' })
  const AREAS = { mugs: 'Mugs' }

  test('of one title are one component if they are equal', () => {
    const { components } = documentApi(
      [route(t.Object({ mug: Mug, other: t.Object(Mug.properties, { title: 'Mug' }) }))],
      { version: '1', areas: AREAS },
    )
    expect(components.schemas.Mug).toEqual({
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' } },
    })
  })

  test('of one title that differ are an error', () => {
    const other = t.Object({ id: t.Integer() }, { title: 'Mug' })
    expect(() => documentApi([route(t.Object({ mug: Mug, other }))], { version: '1', areas: AREAS })).toThrow(
      'title Mug',
    )
  })

  test('a route without a summary is an error', () => {
    const silent = { ...route(Mug), schema: { body: Mug } }
    expect(() => documentApi([silent], { version: '1', areas: AREAS })).toThrow('POST /mugs has no summary.')
  })

  test('a route without a heading is an error', () => {
    expect(() => documentApi([route(Mug)], { version: '1', areas: {} })).toThrow(
      'The reference page has no heading for /mugs.',
    )
  })
})

describe('the document of a group', () => {
  test('has the operations of the group and the components that they name', async () => {
    const { server } = await theHouse()
    const answer = await server.inject('/openapi.json?tag=Orders%20(v2)')
    const group: ApiDocument = answer.json()
    expect(Object.values(group.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags))).toEqual(
      operations.flatMap(([, { tags }]) => tags.filter((tag) => tag === 'Orders (v2)')),
    )
    const { securitySchemes: _, ...kinds } = group.components
    const used = new Set([...answer.body.matchAll(/"\$ref":"#\/components\/(\w+\/[\w-]+)"/g)].map(([, name]) => name))
    const known = Object.entries(kinds).flatMap(([kind, parts]) => Object.keys(parts).map((name) => `${kind}/${name}`))
    expect([...used].toSorted()).toEqual(known.toSorted())
    expect(answer.rawPayload.length).toBeLessThan(200_000)
  })

  test('is 404 for an unknown group', async () => {
    const { server } = await theHouse()
    expect((await server.inject('/openapi.json?tag=Nothing')).statusCode).toBe(404)
    expect((await server.inject('/openapi.json?tag=Orders&tag=Brands')).statusCode).toBe(404)
  })
})

describe('the address of the document', () => {
  test('has the same bytes for everybody, compressed for clients that accept it', async () => {
    const [plain, zipped] = await Promise.all([get(), get({ 'accept-encoding': 'br, gzip;q=0.8' })])
    expect(plain.headers).toMatchObject({ 'content-type': 'application/json', vary: 'accept-encoding' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers['content-length']).toBe(String(plain.rawPayload.length))
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 8)
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(zipped.headers.etag).toBe(plain.headers.etag)
    expect((await get({ 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined()
    const head = await get({}, 'HEAD')
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', plain.headers.etag])
  })

  test('is 304 for a client that has it', async () => {
    const { headers, rawPayload } = await get()
    const etag = String(headers.etag)
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const { statusCode, body, headers: sent } = await get({ 'if-none-match': known })
      expect([statusCode, body, sent.etag]).toEqual([304, '', etag])
    }
    const other = await get({ 'if-none-match': '"other"' })
    expect([other.statusCode, other.rawPayload.equals(rawPayload)]).toEqual([200, true])
  })
})

test('every list has pages of 50 or the 10 of imports and exports, at most 250 or the 1,000 of the items of locations, and documents that', async () => {
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
  const products = [{ name: 'Card', quantity: 1, price_ex_tax: 1, price_inc_tax: 1 }]
  await shop.call('POST', '/orders', { billing_address: { zip: '1051' }, products }, { version: 'v2' })
  await shop.call('POST', '/hooks', { scope: 'store/order/*', destination: 'https://receiver.example.com/hook' })
  await shop.call('POST', '/pricelists', { name: 'Trade' })
  const tenPercent = { action: { cart_value: { discount: { percentage_amount: '10' } } } }
  await shop.call('POST', '/promotions', { name: 'Ten', redemption_type: 'COUPON', rules: [tenPercent] })
  await shop.call('POST', '/customers', [{ email: 'ann@x.test', first_name: 'Ann', last_name: 'Lee' }])
  const [segment] = (await shop.call('POST', '/segments', [{ name: 'Loyal' }])).body.data
  const [profile] = (await shop.call('POST', '/shopper-profiles', [{ customer_id: 1 }])).body.data
  const custom_items = [{ name: 'Engraving', quantity: 1, list_price: 3 }]
  const { data: cart } = (await shop.call('POST', '/carts', { custom_items })).body
  // Some lists have no pages, and still take their names (docs/contract/conventions.md section 3); those below /v2 have no
  // totals. Stock changes are listed for an item of the query, and configurations of themes for a filter; an order without
  // transactions has no list of them, and all refunds of one are on a page.
  const unpaged = [
    '/catalog/trees',
    '/catalog/trees/{tree_id}/categories',
    '/channels/currency-assignments',
    '/content/regions', // It needs a template.
    '/customers/{customer_id}/stored-instruments',
    '/inventory/adjustments',
    '/marketing/abandoned-cart-emails',
    '/marketing/email-templates',
    '/orders/{order_id}/payment_actions/refunds',
    '/orders/{order_id}/transactions',
    '/payments/methods',
    '/settings/analytics',
    '/settings/search/filters',
    '/settings/search/filters/available',
    '/sites/certificates',
    '/tax/products/properties', // It needs a filter.
    '/tax/zones',
    '/themes',
    '/themes/{uuid}/configurations',
  ]
  const isPaged = (name: string) =>
    name.includes('/stores/{store_hash}/v3/') && !unpaged.some((path) => name.endsWith(path))
  const lists = operations.filter(
    ([operation, found]) => isPaged(operation) && own(found).some(({ name }) => name === 'limit'),
  )
  expect(lists.length).toBeGreaterThan(5)
  for (const [name, operation] of lists) {
    const [, path = ''] = name
      .replace('{site_id}', '1000')
      .replace('{segment_id}', segment.id)
      .replace('{shopper_profile_id}', profile.id)
      .replace('{cart_id}', cart.id)
      .replaceAll(/\{\w+_id\}/g, '1')
      .split('/v3')
    const limit = own(operation).find((parameter) => parameter.name === 'limit')
    const maximum = /\/inventory\/(items|locations(\/\{location_id\}\/items)?)$/.test(name) ? 1_000 : 250
    const usual = /\/imex\/jobs$/.test(name) ? 10 : 50
    expect(limit?.schema, name).toMatchObject({ type: 'integer', minimum: 1, maximum, default: usual })
    expect((await shop.call('GET', path)).body.meta.pagination, name).toMatchObject({
      per_page: usual,
      current_page: 1,
    })
    expect((await shop.call('GET', `${path}?limit=${maximum}`)).status, name).toBe(200)
    expect((await shop.call('GET', `${path}?limit=${maximum + 1}`)).status, name).toBe(413)
    const isBadQuery400 = /\/(tax\/(customers|properties)|v3\/content\/pages)$/.test(name)
    expect((await shop.call('GET', `${path}?colour=red`)).status, name).toBe(isBadQuery400 ? 400 : 422)
  }
  // A client that sends its names to every list is understood by those that have no pages.
  for (const path of ['/themes', '/customers/1/stored-instruments', '/marketing/email-templates', '/tax/zones']) {
    const statuses = ['page=1&limit=10', 'limit=251', 'page=0', 'colour=red'].map(
      async (query) => (await shop.call('GET', `${path}?${query}`)).status,
    )
    expect(await Promise.all(statuses), path).toEqual([200, 413, 422, 422])
  }
})
