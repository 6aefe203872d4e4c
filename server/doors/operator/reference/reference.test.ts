import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { samples } from '../../../core/events/scopes.ts'
import { packagePath } from '../../../core/package.ts'
import { documentApi } from '../../../core/rest/document/openapi.ts'
import { DEMO_STORE } from '../../../test/fixtures/demo-store.ts'
import { theHouse } from '../../../test/fixtures/shop.ts'
import type { DemoStore } from '../demo-store.ts'
import { readDefinitions } from './graphql/sdl.ts'
import { referenceRoutes } from './reference.ts'

async function get(url: string, headers: Record<string, string> = {}) {
  const { server } = await theHouse()
  return server.inject({ url, headers })
}

describe('the reference pages', () => {
  test('name every operation once, by its sentence, with a link to its place', async () => {
    const { body, headers, statusCode } = await get('/docs')
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const { paths } = (await get('/openapi.json')).json()
    const operations = Object.values<Record<string, { operationId: string; summary: string }>>(paths).flatMap((one) =>
      Object.values(one),
    )
    const links = [...body.matchAll(/<a href="(\/docs\/[\w-]+)#(\w+)">/g)].map(([, page = '', id = '']) => ({
      page,
      id,
    }))
    expect(links.map(({ id }) => id).toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted())
    expect(body).not.toContain('undefined')

    const shown = new Set<string>()
    for (const page of new Set(links.map((link) => link.page))) {
      const { body: group, statusCode } = await get(page)
      expect(statusCode, page).toBe(200)
      expect(group.length, page).toBeLessThan(500_000)
      expect(group).not.toMatch(/undefined|\[object/)
      const ids = new Set([...group.matchAll(/ id="([\w-]+)"/g)].map(([, id = '']) => id))
      const inside = [...group.matchAll(/ href="#([\w-]+)"/g)].map(([, id = '']) => id)
      expect(
        inside.filter((id) => !ids.has(id)),
        page,
      ).toEqual([])
      for (const id of ids) shown.add(id)
    }
    expect(links.filter(({ id }) => !shown.has(id))).toEqual([])
  })

  test('show the input of an operation: parameters, body with an example, shapes', async () => {
    const { body } = await get('/docs/brands')
    const [, section = ''] = body.split(/<details class="fold operation" id="createBrand">/)
    const [create = ''] = section.split('<details class="fold operation"')
    expect(create).toContain('<span class="method post">POST</span>')
    expect(create).toContain('/stores/{store_hash}/v3/catalog/brands')
    expect(create).toMatch(/<textarea name="body"[^>]*>\{\s*&#34;name&#34;/)
    expect(create).toContain(
      'Needs the scope <a href="/docs/scopes#store_v2_products"><code>store_v2_products</code></a>',
    )
    expect(create).toContain('text, 1 to 255 characters')
    expect(body).toContain('<input name="query:name:like"')
    expect(create).toContain('<input name="header:Idempotency-Key"')
    expect(body).toMatch(/<details class="fold shape" id="shape-Brand">/)
  })

  test('show forms with files and texts, and types of bodies to choose from', async () => {
    const { body } = await get('/docs/product-images')
    const [, section = ''] = body.split(/<details class="fold operation" id="createProductImage">/)
    const [create = ''] = section.split('<details class="fold operation"')
    expect(create).toContain('<option>multipart/form-data</option>')
    expect(create).toContain('<input type="file" name="file:image_file"')
    expect(create).toContain('<input name="part:description"')
  })

  test('show the schemas of GraphQL, type by type', async () => {
    const { body } = await get('/docs/graphql/storefront')
    expect(body).toMatch(/<code>customer<\/code>/)
    const product = await get('/docs/graphql/storefront/Product')
    expect(product.body).toContain('<a href="/docs/graphql/storefront/Node">Node</a>')
    expect(product.body).toContain('<code>variants</code>')
    expect((await get('/docs/graphql/buyers')).body).toContain('/docs/graphql/buyers/CompanyRoleType')
    for (const path of ['/docs/graphql/storefront/Nothing', '/docs/graphql/nothing'])
      expect((await get(path)).statusCode).toBe(404)
    // Every type of both schemas has a page, and no definition is lost.
    for (const [schema, file] of [
      ['storefront', 'storefrontSchema'],
      ['buyers', 'buyersSchema'],
    ] as const) {
      const written = [
        ...readFileSync(packagePath(file), 'utf8').matchAll(/^(?:type|input|enum|union|interface|scalar) (\w+)/gm),
      ]
      const definitions = await readDefinitions(schema)
      expect(definitions.map(({ name }) => name)).toEqual(written.map(([, name]) => name))
      for (const { name, kind, fields } of definitions)
        expect(fields.length > 0, name).toBe(kind !== 'union' && kind !== 'scalar')
    }
  })

  test('show the callback of each event, and operations that publish it', async () => {
    const { body } = await get('/docs/events')
    for (const scope of samples.keys()) expect(body).toContain(`<details class="fold" id="${scope}">`)
    const [, created = ''] = body.split('id="store/category/created"')
    const [section = ''] = created.split('<details class="fold"')
    expect(section).toContain('&#34;scope&#34;: &#34;store/category/created&#34;')
    expect(section).toContain('&#34;id&#34;: 21')
    expect(section).toContain('The kind of resource that changed')
    expect(section).toContain('<a href="/docs/categories#createCategory">')
    const categories = (await get('/docs/categories')).body
    expect(categories).toContain('Publishes <a href="/docs/events#store/category/created">store/category/created</a>')
  })

  test('say when to use a group that has two versions, and whether a change keeps the rest', async () => {
    const orders = (await get('/docs/orders-v2')).body
    expect(orders).toContain('All orders are here: there is no newer version')
    const older = (await get('/docs/customers-v2')).body
    expect(older).toContain('New programs use <a href="/docs/customers">Customers</a>')
    expect((await get('/docs')).body).toContain('New programs use <a href="/docs/customers">Customers</a>')
    expect((await get('/docs/coupons-v2')).body).toContain('Only the older family has these operations')
    expect((await get('/docs/brands')).body).toContain('Fields that the body omits keep their values.')
    expect((await get('/docs/channels')).body).toMatch(
      /The type <code>storefront<\/code> takes acquia, .*custom; <code>pos<\/code> takes clover/,
    )
  })

  test('show the operations that each scope opens', async () => {
    const { body } = await get('/docs/scopes')
    const [, section = ''] = body.split('id="store_inventory_read_only"')
    const [own = ''] = section.split('<details')
    expect(own).toContain('<a href="/docs/inventory-items#listInventoryItems">')
    expect(own).not.toContain('"method put"')
  })

  test('show limits, ways out of refusals, forms of values and methods of the client', async () => {
    const { body } = await get('/docs/brands')
    expect(body).toContain('Limits: 250 entries a page; ')
    expect(body).toContain('data-client="brands.create" data-result="one"')
    expect(body).toContain('data-client="brands.list" data-result="rows"')
    expect(body).toContain('If a scope is missing, detail names the scopes')
    const orders = (await get('/docs/orders-v2')).body
    expect(orders).toMatch(/name="query:min_date_created"[^>]*placeholder="2026-01-31T09:00:00Z"/)
    expect(orders).toContain('Only entries whose <code>date_created</code> is this time or later')
    expect((await get('/docs/products')).body).toContain('items in a request; ')
  })

  test('lead from the page of a schema to a place for queries in a sandbox alone', async () => {
    expect((await get('/docs/graphql/buyers')).body).not.toContain('href="/graphql#buyers"')
    const sandbox = fastify()
    const makeDocument = () => documentApi([], { version: '1', areas: {} })
    referenceRoutes(sandbox, { makeDocument, docsBase: '/docs', findDemoStore: () => DEMO_STORE })
    expect((await sandbox.inject('/docs/graphql/buyers')).body).toContain('href="/graphql#buyers"')
    expect((await sandbox.inject('/docs/graphql/storefront')).body).toContain('href="/graphql#storefront"')
    await sandbox.close()
  })

  test('serve guides with calls that can be sent', async () => {
    const { body } = await get('/docs/guides/brands')
    expect(body).toMatch(/<form data-method="POST" data-path="\/stores\/\{store_hash\}\/v3\/catalog\/brands"/)
    const first = await get('/docs/guides/first-steps')
    expect(first.body.match(/<form data-method/g)?.length).toBeGreaterThan(4)
    expect((await get('/docs/guides')).body).toContain('To begin with')
    const login = await get('/docs/guides/shopper-steps')
    expect(login.body).toMatch(
      /<form data-method="POST" data-path="\/storefront\/\{store_hash\}\/graphql"[^>]* data-storefront data-after="create-a-customer">/,
    )
    // Pages of the libraries are guides, too; links to other pages are text.
    const client = await get('/docs/guides/client')
    expect(client.body).toContain('verifyWebhook')
    expect((await get('/docs/guides/webhook-steps')).body).toContain('<a href="/docs/guides/client#webhooks">')
    const testing = (await get('/docs/guides/testing')).body
    expect(testing).toContain('<a href="/docs/guides/client">')
    expect(testing).not.toContain('/docs/guides/powers')
    // The sources of a page come last.
    const headings = [...body.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading]) => heading)
    expect(headings.at(-1)).toBe('About this page')
  })

  test('may load from this server and ask it only, and be shown in no other page', async () => {
    const { headers } = await get('/docs/brands')
    const policy = String(headers['content-security-policy'])
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    )
    expect(policy).not.toMatch(/https?:|\*|unsafe/)
  })

  test('are compressed, cached by clients, and 404 at unknown paths', async () => {
    const { headers, rawPayload } = await get('/docs', { 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(rawPayload.length).toBeLessThan(50_000)
    const again = await get('/docs', { 'if-none-match': String(headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await get('/docs/script.js')).headers['content-type']).toMatch(/javascript/)
    const nothing = await get('/docs/nothing')
    expect([nothing.statusCode, nothing.headers['x-request-id']]).toEqual([
      404,
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ])
  })

  test('know no store, but in a sandbox, and tell its token to their own script on this machine alone', async () => {
    expect((await get('/docs/demo-store')).statusCode).toBe(404)
    expect((await get('/docs')).body).not.toContain('data-demo')

    let made = 0
    let demo: DemoStore | undefined
    const sandbox = fastify()
    const makeDocument = () => {
      made++
      return documentApi([], { version: '1', areas: {} })
    }
    referenceRoutes(sandbox, { makeDocument, docsBase: '/docs', findDemoStore: () => demo })
    const ask = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
      (await sandbox.inject({ url: '/docs/demo-store', headers, remoteAddress })).json()
    const own = { host: '127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }
    expect(await ask(own)).toEqual({})
    demo = DEMO_STORE
    const shown = { store_hash: 'demostore', token: 'ADMIN_TOKEN' }
    expect(await ask(own)).toEqual(shown)
    expect(await ask({ ...own, host: 'localhost:8080' }, '::1')).toEqual(shown)
    expect(await ask({ ...own, 'x-forwarded-for': '192.0.2.7' })).toEqual({})
    expect(await ask({ ...own, host: 'evil.example.com:8080' })).toEqual({})
    expect(await ask({ ...own, host: '127.0.0.1.example.com' })).toEqual({})
    expect(await ask({ ...own, 'sec-fetch-site': 'cross-site' })).toEqual({})
    expect(await ask({ host: own.host })).toEqual({})
    expect(await ask(own, '192.0.2.7')).toEqual({})

    // The document is made once, at the first request.
    expect(made).toBe(0)
    const pages = await Promise.all(['/docs', '/openapi.json', '/docs'].map((url) => sandbox.inject({ url })))
    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect([made, pages[0]?.body.includes('data-demo')]).toEqual([1, true])
    await sandbox.close()
  })
})
