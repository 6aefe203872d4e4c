import fastify from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../test/document/expected.ts'
import { type Answered, openStaffedShop, type StaffedShop, theHouse } from '../../test/fixtures/shop.ts'
import { systemClock } from '../clock.ts'
import { DatabaseUnavailable } from '../db/database.ts'
import { secretsFrom } from '../secrets/secrets.ts'
import { answer } from './answer.ts'
import { speakContract } from './api.ts'
import { Problem, problemBody, toProblem } from './problem.ts'

// docs/contract/conventions.md sections 2, 7 and 8: envelopes, error bodies, and the cause of each status.

const LIST = '/catalog/brands'
const statusAndBody = ({ status, body }: Answered) => ({ status, body })

const metafield = { key: 'bin', value: '4', namespace: 'warehouse', permission_set: 'read' }

let shop: StaffedShop
let call: StaffedShop['call']
beforeAll(async () => {
  shop = await openStaffedShop({ limits: { categories: 1 } })
  call = shop.call
  await call('POST', LIST, { name: 'Ferm', custom_url: { url: '/taken/' } })
  await call('POST', '/catalog/categories', { parent_id: 0, name: 'Mugs' })
})

describe('the envelope of', () => {
  test('one resource is data beside an empty meta: GET, POST and PUT are 200 with all of it', async () => {
    const created = await call('POST', LIST, { name: 'Whole' })
    expect(created.status).toBe(200)
    expect(Object.entries(created.body)).toEqual([
      ['data', expect.objectContaining({ name: 'Whole', meta_keywords: [] })],
      ['meta', {}],
    ])
    const path = `${LIST}/${created.body.data.id}`
    expect(statusAndBody(await call('GET', path))).toEqual({ status: 200, body: created.body })
    const changed = { ...created.body, data: { ...created.body.data, page_title: 'x' } }
    expect(statusAndBody(await call('PUT', path, { page_title: 'x' }))).toEqual({ status: 200, body: changed })
  })

  test('a list is data beside its pagination', async () => {
    const { status, body } = await call('GET', `${LIST}?id=1`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data', 'meta'])
    expect(body.data).toHaveLength(1)
    expect(Object.keys(body.meta)).toEqual(['pagination'])
  })

  test('a deletion is 204 without a byte and without a Content-Type', async () => {
    const { body } = await call('POST', LIST, { name: 'Short' })
    const one = await call('DELETE', `${LIST}/${body.data.id}`)
    for (const { status, text, headers } of [one, await call('DELETE', `${LIST}?name=none`)]) {
      expect({ status, text }).toEqual({ status: 204, text: '' })
      expect(headers).not.toHaveProperty('content-type')
      expect(headers).not.toHaveProperty('content-length')
    }
  })

  test('a batch counts saved and failed items, in 200 as in 422', async () => {
    const path = `${LIST}/metafields`
    const items = [1, 999].map((resource_id) => ({ ...metafield, resource_id }))
    const { body } = await call('POST', path, items)
    expect(body).toEqual({
      data: [expect.objectContaining({ id: 1, key: 'bin' })],
      errors: [problem(404, 'The brand 999 does not exist.', { 1: 'does not exist' })],
      meta: { total: 2, success: 1, failed: 1 },
    })
    expect(statusAndBody(await call('DELETE', path, [1]))).toEqual({
      status: 200,
      body: { data: [1], errors: [], meta: { total: 1, success: 1, failed: 0 } },
    })
  })

  test('a resource that was saved but for its address is 207, with the reason beside it', async () => {
    const { status, body } = await call('POST', LIST, { name: 'Other', custom_url: { url: '/taken/' } })
    expect({ status, body }).toEqual({
      status: 207,
      body: {
        data: expect.objectContaining({ name: 'Other', custom_url: { url: '/other/', is_customized: false } }),
        errors: problem(409, expect.any(String), { 'custom_url.url': 'The address /taken/ is taken.' }),
        meta: {},
      },
    })
  })
})

describe('a refusal', () => {
  interface Attempt {
    method?: string
    path?: string
    body?: unknown
    headers?: Record<string, string>
    payload?: string
    as?: 'noscope' | 'readonly'
  }
  const json = { 'content-type': 'application/json' }

  test.each<[status: number, when: string, attempt: Attempt, body: object]>([
    [
      400,
      'the body is no JSON',
      { method: 'POST', headers: json, payload: '{"name":' },
      { ...problem(400, 'The body is not valid JSON.'), detail: 'Syntax error at line 1, column 9' },
    ],
    [
      400,
      'a body is missing',
      { method: 'POST' },
      { ...problem(400, 'The body is missing.'), detail: 'This request needs a JSON body.' },
    ],
    [
      401,
      'a token is unknown',
      { headers: { 'x-auth-token': 'x'.repeat(31) } },
      problem(401, 'Unauthorized: client or token not valid for this store'),
    ],
    [
      403,
      'a scope is missing',
      { as: 'noscope' },
      {
        ...problem(403, "You don't have a required scope to access the endpoint"),
        detail: 'One of these scopes is needed: store_v2_products_read_only, store_v2_products.',
      },
    ],
    [404, 'the path leads nowhere', { path: '/catalog/nothing' }, problem(404, 'There is nothing at this path.')],
    [404, 'the id is unknown', { path: `${LIST}/999` }, problem(404, 'The brand 999 does not exist.')],
    [
      405,
      'the path does not know the method',
      { method: 'POST', path: `${LIST}/1`, body: {} },
      problem(405, 'POST is not supported here; GET, HEAD, PUT, DELETE, OPTIONS are.'),
    ],
    [
      406,
      'the answer would not be accepted',
      { headers: { accept: 'text/xml' } },
      problem(406, 'Answers are application/json, which the Accept header excludes.'),
    ],
    [
      409,
      'the name is taken',
      { method: 'POST', body: { name: 'FERM' } },
      problem(409, 'A brand with this name already exists.', { name: 'A brand with this name already exists.' }),
    ],
    [413, 'the page is too large', { path: `${LIST}?limit=251` }, problem(413, expect.stringContaining('250'))],
    [
      413,
      'the array is too long',
      { method: 'DELETE', path: `${LIST}/metafields`, body: Array(11).fill(1) },
      problem(413, 'At most 10 objects may be sent at once.'),
    ],
    [
      413,
      'the body is too large',
      { method: 'POST', body: { name: 'x'.repeat(4 * 1024 * 1024) } },
      problem(413, 'The body is too large.'),
    ],
    [
      415,
      'the type is not JSON',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, payload: 'x' },
      {
        ...problem(415, 'This Content-Type is not supported here.'),
        detail: 'Bodies are application/json, uploads of files multipart/form-data.',
      },
    ],
    [
      422,
      'a value is missing',
      { method: 'POST', body: {} },
      { ...invalid({ name: 'error.path.missing' }), detail: 'name is missing.' },
    ],
    [422, 'a filter is unknown', { path: `${LIST}?colour=red` }, problem(422, expect.stringContaining('colour'))],
    [
      501,
      'no path knows the method',
      { method: 'PATCH', body: {} },
      problem(501, 'The method PATCH is not supported.'),
    ],
    [
      507,
      'the plan is used up',
      { method: 'POST', path: '/catalog/categories', body: { parent_id: 0, name: 'Cups' } },
      problem(507, 'The plan of this store allows 1 categories.'),
    ],
  ])('is %i when %s', async (status, _, { method = 'GET', path = LIST, body, as, ...rest }, expected) => {
    const answered = await call(method, path, body, { ...rest, ...(as ? { as: shop[as] } : {}) })
    expect(statusAndBody(answered)).toEqual({ status, body: expected })
    expect(answered.headers['content-type']).toMatch(/^application\/json\b/)
    // The ids are in the headers, not in the body.
    expect(answered.text).not.toContain(String(answered.headers['x-request-id']))
  })

  test('is 503 with Retry-After while the store is closed', async () => {
    const { directory } = (await theHouse()).installation
    for (const [state, title] of [
      ['maintenance', 'The store is down for maintenance.'],
      ['upgrading', 'The store is being upgraded.'],
      ['suspended', 'The store is suspended.'],
    ] as const) {
      const closed = await openStaffedShop()
      await directory.setState(closed.store.hash, state)
      const answered = await closed.call('GET', LIST)
      expect(statusAndBody(answered)).toEqual({ status: 503, body: problem(503, title) })
      expect(answered.headers['retry-after']).toBe('60')
    }
  })
})

test('a refusal records no stack, an error of the server does', () => {
  expect(new Problem(404, 'There is nothing at this path.').stack).toBe('Error: There is nothing at this path.')
  expect(new Problem(507, 'The disk is full.').stack).toContain('errors.test.ts')
  expect(new Error('Broken').stack).toContain('errors.test.ts')
})

describe('field paths and messages', () => {
  test('all failing fields are reported together, nested ones by dotted paths', async () => {
    const { status, body } = await call('POST', LIST, {
      name: 5,
      page_title: 'x'.repeat(256),
      meta_keywords: ['a', 5, null],
      meta_description: {},
      search_keywords: false,
      image_url: 'ftp://x',
      custom_url: { url: '', is_customized: 'yes' },
    })
    expect({ status, body }).toEqual({
      status: 422,
      body: invalid({
        name: 'error.expected.jsstring',
        page_title: 'page_title must have at most 255 characters, not 256.',
        'meta_keywords.1': 'error.expected.jsstring',
        'meta_keywords.2': 'error.expected.jsstring',
        meta_description: 'error.expected.jsstring',
        search_keywords: 'error.expected.jsstring',
        image_url: 'image_url must be a uri, not "ftp://x".',
        'custom_url.url': 'url must have at least 1 character.',
        'custom_url.is_customized': 'error.expected.jsboolean',
      }),
    })
  })

  test('an item of an array body is named by its index', async () => {
    const items = [{ ...metafield, resource_id: 1 }, {}, { ...metafield, permission_set: 'all', resource_id: 'x' }, 5]
    expect(statusAndBody(await call('POST', `${LIST}/metafields`, items))).toEqual({
      status: 422,
      body: invalid({
        '1.key': 'error.path.missing',
        '1.value': 'error.path.missing',
        '1.namespace': 'error.path.missing',
        '1.permission_set': 'error.path.missing',
        '1.resource_id': 'error.path.missing',
        '2.permission_set':
          'permission_set must be one of app_only, read, write, read_and_sf_access, write_and_sf_access, not "all".',
        '2.resource_id': 'error.expected.jsnumber',
        '3': 'error.expected.jsobject',
      }),
    })
    expect((await call('DELETE', `${LIST}/metafields`, [1, 'x', null, 0])).body).toEqual(
      invalid({ '1': 'error.expected.jsnumber', '2': 'error.expected.jsnumber', '3': expect.stringContaining('0') }),
    )
  })

  test.each([
    [{ name: null }, 'name', 'error.expected.jsstring'],
    [{ image_url: 5 }, 'image_url', 'error.expected.jsstring'],
    [
      { image_url: `http://x.example/${'x'.repeat(2_048)}` },
      'image_url',
      'image_url must have at most 2048 characters, not 2065.',
    ],
    [{ meta_keywords: 'a,b' }, 'meta_keywords', 'error.expected.jsarray'],
    [{ meta_keywords: { 0: 'a' } }, 'meta_keywords', 'error.expected.jsarray'],
    [{ custom_url: '/x/' }, 'custom_url', 'error.expected.jsobject'],
    [{ custom_url: ['/x/'] }, 'custom_url', 'error.expected.jsobject'],
    [{ custom_url: { is_customized: 1 } }, 'custom_url.is_customized', 'error.expected.jsboolean'],
  ])('%j is reported at %s', async (body, path, message) => {
    expect((await call('PUT', `${LIST}/1`, body)).body).toEqual(invalid({ [path]: message }))
  })

  test.each([
    [
      { default_product_sort: 'random' },
      'default_product_sort',
      /^default_product_sort must be one of .*, not "random"\.$/,
    ],
    [{ default_product_sort: 'Featured' }, 'default_product_sort', /not "Featured"\.$/],
    [{ default_product_sort: 5 }, 'default_product_sort', /^error\.expected\.jsstring$/],
    [{ views: -1 }, 'views', /^views must be at least 0, not -1\.$/],
    [{ parent_id: -1 }, 'parent_id', /^parent_id must be at least 0, not -1\.$/],
    [{ is_visible: 'true' }, 'is_visible', /^error\.expected\.jsboolean$/],
  ])('%j of a category is reported at %s', async (body, path, message) => {
    expect((await call('PUT', '/catalog/categories/1', body)).body).toMatchObject(
      invalid({ [path]: expect.stringMatching(message) }),
    )
  })

  test('of more than 1,000 failing fields the first are reported', async () => {
    const link = { product_id: 1, channel_id: 9 }
    for (const [links, reported] of [
      [Array(1_000).fill(link), 1_000],
      [Array(1_500).fill({ ...link, channel_id: 'x' }), 1_000],
      [Array(1_500).fill(link), 1_000],
    ] as const) {
      const { status, body } = await call('PUT', '/catalog/products/channel-assignments', links)
      const paths = Object.keys(body.errors)
      expect({ status, reported: paths.length, first: paths[0] }).toEqual({
        status: 422,
        reported,
        first: '0.channel_id',
      })
    }
  })

  test('a bad value is quoted, a long one in part', async () => {
    const { body } = await call('PUT', `${LIST}/1`, { image_url: `x${'y'.repeat(1_000)}` })
    expect(body.errors.image_url).toMatch(/^image_url must be a uri, not "xy{78}…\.$/)
    const { body: query } = await call(
      'GET',
      `${LIST}?id=${'9'.repeat(50)}x${'y'.repeat(1_000)}&${'z'.repeat(1_000)}=1`,
    )
    expect(query.title.length).toBeLessThan(300)
  })
})

describe('an unexpected error', () => {
  async function faulty(logged: string[] = []) {
    const app = fastify({ logger: { level: 'error', stream: { write: (line: string) => logged.push(line) } } })
    speakContract(app, {
      clock: systemClock,
      docsBase: 'http://docs.test',
      publicUrl: 'http://shop.test',
      secrets: secretsFrom('x'.repeat(32)),
    })
    app.get('/thrown', () => {
      throw new Error('secret: the password is 12345')
    })
    app.get('/rejected', async () => {
      throw Object.assign(new TypeError('secret'), { code: 'SECRET' })
    })
    app.get('/database', async () => {
      throw new DatabaseUnavailable(new Error('secret'))
    })
    app.get('/refused/:status', async ({ params }) => {
      throw new Problem(Number((params as { status: string }).status), 'A refusal')
    })
    app.get('/fine', async () => answer({ id: 1 }))
    app.route({ method: 'GET', url: '/silent', handler: async () => undefined })
    return app
  }

  test('is 500 and reveals nothing, not even the stack', async () => {
    const app = await faulty()
    for (const url of ['/thrown', '/rejected', '/silent']) {
      const { statusCode, headers, body } = await app.inject(url)
      expect(statusCode).toBe(500)
      expect(headers['content-type']).toMatch(/^application\/json/)
      expect(JSON.parse(body)).toEqual({
        status: 500,
        title: 'Internal error',
        type: 'http://docs.test/errors#500',
        errors: {},
      })
    }
    expect((await app.inject('/fine')).json()).toEqual({ data: { id: 1 }, meta: {} })
    await app.close()
  })

  test('is logged with its stack; a refusal is not, so that no client can fill the log of errors', async () => {
    const logged: string[] = []
    const app = await faulty(logged)
    for (const status of [422, 500, 501, 503, 507]) {
      expect((await app.inject(`/refused/${status}`)).statusCode).toBe(status)
    }
    expect(logged).toEqual([])
    await app.inject('/thrown')
    await app.inject('/database')
    expect(logged).toHaveLength(2)
    expect(JSON.parse(String(logged[0])).err.stack).toContain('errors.test.ts')
    await app.close()
  })

  test('is 503 if it comes from the database', async () => {
    const app = await faulty()
    const { statusCode, headers, body } = await app.inject('/database')
    expect({ statusCode, retry: headers['retry-after'] }).toEqual({ statusCode: 503, retry: '1' })
    expect(JSON.parse(body).title).toBe('The service is not available at the moment.')
    await app.close()
  })

  test('of the framework keeps its status if the client caused it, and is 500 otherwise', () => {
    const caused = Object.assign(new Error('Too early'), { statusCode: 425 })
    const broken = Object.assign(new Error('secret'), { statusCode: 502 })
    expect(problemBody(toProblem(caused), 'd')).toEqual({
      status: 425,
      title: 'Too early',
      type: 'd/errors#425',
      errors: {},
    })
    expect(problemBody(toProblem(broken), 'd')).toMatchObject({ status: 500, title: 'Internal error' })
    expect(problemBody(toProblem('a text'), 'd')).toMatchObject({ status: 500, title: 'Internal error' })
  })
})

test.each([
  ['/inventory/locations?page=0', 'problem+json'],
  ['/inventory/locations/7/metafields', 'problem+json'],
  ['/inventory/items?page=0', 'problem+json'],
  ['/pickup/methods?page=0', 'problem+json'],
  ['/catalog/brands?page=0', 'json'],
])('an error at %s is application/%s (section 7)', async (path, type) => {
  const refused = await call('GET', path)
  const unknown = await call('GET', path, undefined, { as: { access_token: 'wrong' } })
  const typeOf = ({ headers }: Answered) => String(headers['content-type']).split(';')[0]
  expect([refused.status >= 400, unknown.status]).toEqual([true, 401])
  expect([typeOf(refused), typeOf(unknown)]).toEqual([`application/${type}`, `application/${type}`])
})
